#include "results/folders/sweep_files.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <tuple>

#include "core/error.h"
#include "core/files/file.h"
#include "core/files/hash.h"
#include "core/files/named_file.h"
#include "core/files/store_file.h"
#include "core/json.h"
#include "core/store_files/stored_json.h"
#include "core/store_files/trial_folder.h"
#include "core/system/log.h"
#include "results/folders/foreign_parts.h"
#include "results/folders/stored_trial.h"

namespace rethink {
namespace {

constexpr int kSweepFormat = 2;  // format 1 had no choice

const JsonShape& sweep_shape() {
  static const JsonShape kSweep =
      object_with({{"format", integer_from(1)},
                   {"sweep", any_text()},
                   {"profile", any_text()},
                   {"choice", any_text(), false},
                   {"source", any_text()},
                   {"with", list_of(any_text()), false},
                   {"cancelled", list_of(hex_digits(kIdDigits))},
                   {"members", list_of(object_with({{"trial", hex_digits(kIdDigits)},
                                                    {"stage", any_text()},
                                                    {"labels", map_of(any_text())}}))}});
  return kSweep;
}

/// A cancelled trial that is not a member has no effect. Format 1 kept cancelled trials of earlier
/// plans. Format 2 lists members alone, so an unknown id there is a damaged id, and the trial would
/// run again.
bool cancels_unknown_trial(const SweepFile& file) {
  std::set<std::string> members;
  for (const SweepMember& member : file.members) members.insert(member.trial);
  return !std::ranges::includes(members, file.cancelled);
}

/// Nothing if write_sweep_file did not write this content.
std::optional<SweepFile> sweep_from(const std::filesystem::path& path) {
  const StoredJson stored = read_stored_json(path, sweep_shape(), kMostSweepBytes);
  const Json& json = stored.object;
  // A newer format may have other members, but its checksum is right.
  if ((stored.checksum_fits || !stored.has_checksum) && json.is_object() &&
      json.contains("format") && json.at("format").is_number_integer() &&
      json.at("format").get<int64_t>() > kSweepFormat) {
    throw MachineError("newer-version",
                       fmt::format("{}: was written by a newer version of rethink (format {}, this "
                                   "program knows up to {}); "
                                   "use that version or a newer one",
                                   path.string(), json.at("format").dump(), kSweepFormat));
  }
  if (!stored.is_sound()) return std::nullopt;
  SweepFile file{json.at("sweep"),
                 json.at("profile"),
                 json.value("choice", ""),
                 json.at("source"),
                 {},
                 json.at("cancelled"),
                 path,
                 json.value("with", std::vector<std::string>{}),
                 stored.has_checksum};
  for (const Json& member : json.at("members")) {
    file.members.push_back(
        {member.at("trial"), member.at("stage"), file.profile, member.at("labels")});
  }
  if (!stored.has_checksum && json.at("format") == kSweepFormat && cancels_unknown_trial(file))
    return std::nullopt;
  return file;
}

/// Warns once per file, however often a program reads the file.
void warn_of(const std::vector<std::filesystem::path>& damaged) {
  static std::set<std::filesystem::path> said;
  for (const std::filesystem::path& path : damaged) {
    if (!said.insert(std::filesystem::absolute(path)).second) continue;
    log_warning(
        fmt::format("{} and was left out; running its sweep again with the same options "
                    "writes it anew (a sweep that is no longer wanted: remove the file)",
                    damaged_file_text(path)));
  }
}

/// The JSON list without its brackets. Members are written one by one: as one Json value, 100,000
/// members take 80 MB.
std::string members_text(const std::vector<SweepMember>& members) {
  std::string text;
  for (const SweepMember& member : members) {
    if (!text.empty()) text += ',';
    text +=
        Json{{"trial", member.trial}, {"stage", member.stage}, {"labels", member.labels}}.dump();
  }
  return text;
}

/// The text that stored_text makes of the whole file.
std::string sweep_text(const SweepFile& file) {
  // Keys are sorted in a stored text, so `members` is between these two objects.
  Json before = {{"cancelled", file.cancelled}, {"choice", file.choice}, {"format", kSweepFormat}};
  const Json after = {{"profile", file.profile},
                      {"source", file.source},
                      {"sweep", file.sweep},
                      {"with", file.with}};
  const std::string members = members_text(file.members);
  const auto text = [&] {
    std::string head = before.dump();
    head.pop_back();  // "}"
    return head + ",\"members\":[" + members + "]," + after.dump().substr(1);
  };
  before[kChecksumMember] = checksum_text(text());
  return text() + "\n";
}

auto order_of(const SweepFile& file) {
  return std::tie(file.sweep, file.profile, file.choice, file.source);
}

}  // namespace

std::filesystem::path sweep_path(const std::filesystem::path& store, const SweepFile& file) {
  const std::string name =
      file.sweep + "\n" + file.profile + "\n" + file.choice + "\n" + file.source;
  return store / "sweeps" / (sha256_hex(name).substr(0, kIdDigits) + ".json");
}

void write_sweep_file(const std::filesystem::path& store, const SweepFile& file) {
  make_folder_durably(store / "sweeps");
  write_file_durably(file.path.empty() ? sweep_path(store, file) : file.path, sweep_text(file));
}

bool is_same_plan(const SweepFile& file, const SweepFile& other) {
  if (other.sweep != file.sweep || other.profile != file.profile || other.choice != file.choice)
    return false;
  if (comes_from(other, file.source)) return true;
  if (!is_surely_missing(other.source)) return false;
  std::set<std::string> trials;
  for (const SweepMember& member : file.members) trials.insert(member.trial);
  return std::ranges::all_of(
      other.members, [&](const SweepMember& member) { return trials.contains(member.trial); });
}

void replace_sweep_file(const std::filesystem::path& store, SweepFile file,
                        std::vector<SweepFile>& known) {
  file.path = sweep_path(store, file);
  write_sweep_file(store, file);
  bool removed = false;
  std::erase_if(known, [&](const SweepFile& other) {
    if (!is_same_plan(file, other)) return false;
    if (other.path != file.path) removed = std::filesystem::remove(other.path);
    return true;
  });
  if (removed) sync_folder(store / "sweeps");
  const auto place = std::find_if(known.begin(), known.end(), [&](const SweepFile& other) {
    return order_of(file) < order_of(other);
  });
  known.insert(place, std::move(file));
}

FileStamp stamp_of(const std::filesystem::path& file) {
  struct stat status {};
  if (::stat(file.c_str(), &status) != 0) return {};
  return {status.st_size, status.st_mtim.tv_sec * 1'000'000'000 + status.st_mtim.tv_nsec};
}

std::vector<std::filesystem::path> sweep_file_paths(const std::filesystem::path& store) {
  // If no sweep were read, all trials would seem removable.
  const std::string problem = store_folder_problem(store / "sweeps");
  if (!problem.empty()) throw MachineError("store-unusable", problem);
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : entries_of(store / "sweeps")) {
    if (entry.path().extension() == ".json") paths.push_back(entry.path());
  }
  std::ranges::sort(paths);
  return paths;
}

std::vector<SweepFile> read_sweep_files(const std::filesystem::path& store,
                                        std::vector<std::filesystem::path>* damaged) {
  std::vector<SweepFile> files;
  std::vector<std::filesystem::path> unreadable;
  for (const std::filesystem::path& path : sweep_file_paths(store)) {
    if (auto file = sweep_from(path)) {
      files.push_back(std::move(*file));
    } else {
      unreadable.push_back(path);
    }
  }
  if (damaged) {
    *damaged = std::move(unreadable);
  } else {
    warn_of(unreadable);
  }
  std::sort(files.begin(), files.end(),
            [](const SweepFile& a, const SweepFile& b) { return order_of(a) < order_of(b); });
  return files;
}

std::vector<Sweep> united(std::vector<SweepFile> files) {
  std::map<std::pair<std::string, std::string>, Sweep> sweeps;
  for (SweepFile& file : files) {
    Sweep& sweep = sweeps[{file.sweep, file.profile}];
    sweep.sweep = file.sweep;
    sweep.profile = file.profile;
    sweep.files.push_back(std::move(file));
  }
  std::vector<Sweep> all;
  for (auto& [name, sweep] : sweeps) {
    const auto comes_before = [](const SweepMember* a, const SweepMember* b) {
      return std::tie(a->stage, a->trial, a->labels) < std::tie(b->stage, b->trial, b->labels);
    };
    std::set<const SweepMember*, decltype(comes_before)> seen(comes_before);
    std::set<std::string_view> wanted;
    for (const SweepFile& file : sweep.files) {
      for (const SweepMember& member : file.members) {
        if (seen.insert(&member).second) sweep.members.push_back(member);
        if (!file.cancelled.count(member.trial)) wanted.insert(member.trial);
      }
    }
    for (const SweepMember& member : sweep.members) {
      if (!wanted.count(member.trial)) sweep.cancelled.insert(member.trial);
    }
    all.push_back(std::move(sweep));
  }
  return all;
}

std::vector<Sweep> read_sweeps(const std::filesystem::path& store) {
  return united(read_sweep_files(store));
}

std::optional<Sweep> sweep_among(const std::vector<SweepFile>& files, const std::string& sweep,
                                 const std::string& profile) {
  std::vector<SweepFile> its;
  for (const SweepFile& file : files) {
    if (file.sweep == sweep && file.profile == profile) its.push_back(file);
  }
  if (its.empty()) return std::nullopt;
  return united(std::move(its)).front();
}

std::optional<Sweep> read_sweep(const std::filesystem::path& store, const std::string& sweep,
                                const std::string& profile) {
  return sweep_among(read_sweep_files(store), sweep, profile);
}

bool comes_from(const SweepFile& file, const std::filesystem::path& source) {
  if (file.source.empty() || source.empty()) return false;
  // The recorded path is absolute. A folder on the way may have become a link, or unreadable.
  std::error_code unseen;
  const auto recorded = std::filesystem::weakly_canonical(file.source, unseen);
  return (unseen ? std::filesystem::path(file.source) : recorded) == whole_path(source);
}

bool answers_to(const SweepFile& file, const std::string& name) {
  return file.sweep == name || comes_from(file, name);
}

bool answers_to(const Sweep& sweep, const std::string& name) {
  return std::any_of(sweep.files.begin(), sweep.files.end(),
                     [&](const SweepFile& file) { return answers_to(file, name); });
}

std::string did_you_mean_sweep(const std::string& name, const std::vector<SweepFile>& files) {
  const std::filesystem::path typed = name;
  const bool is_file = typed.extension() == ".yaml" || typed.extension() == ".yml";
  const std::string word = is_file ? typed.stem().string() : name;
  std::vector<std::string> names;
  std::map<std::string, std::string> of_file;  // sweep, by its file's name
  for (const SweepFile& file : files) {
    if (file.sweep == name) continue;  // it is meant with another profile
    names.push_back(file.sweep);
    of_file.emplace(std::filesystem::path(file.source).stem().string(), file.sweep);
  }
  const auto meant = [](const std::string& sweep) { return "; did you mean '" + sweep + "'?"; };
  if (is_file && std::ranges::count(names, word) > 0) return meant(word);
  if (const auto found = of_file.find(word); found != of_file.end()) return meant(found->second);
  if (const std::string near = did_you_mean(word, names); !near.empty()) return near;
  for (const auto& [stem, sweep] : of_file) {
    if (!did_you_mean(word, {stem}).empty()) return meant(sweep);
  }
  return "";
}

}  // namespace rethink
