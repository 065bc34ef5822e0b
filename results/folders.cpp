#include "results/folders.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <tuple>

#include "core/checksum.h"
#include "core/error.h"
#include "core/event.h"
#include "core/file.h"
#include "core/hash.h"
#include "core/json.h"
#include "core/log.h"

namespace rethink {
namespace {

constexpr size_t kIdDigits = 20;
constexpr int kSweepFormat = 2;  // 1 had no choice

/// Nothing when it is not what write_sweep_file wrote.
std::optional<SweepFile> sweep_from(const std::filesystem::path& path) {
  try {
    const Json json = read_json(path);
    if (json.at("format").get<int>() > kSweepFormat) {
      throw MachineError(fmt::format(
          "{}: was written by a newer version of rethink (format {}, this program knows up "
          "to {}); use that version or a newer one",
          path.string(), json.at("format").dump(), kSweepFormat));
    }
    SweepFile file{json.at("sweep"),
                   json.at("profile"),
                   json.value("choice", ""),
                   json.at("source"),
                   {},
                   json.at("cancelled"),
                   path,
                   json.value("with", std::vector<std::string>{})};
    for (const Json& member : json.at("members")) {
      file.members.push_back(
          {member.at("trial"), member.at("stage"), file.profile, member.at("labels")});
    }
    return file;
  } catch (const Json::exception&) {
    return std::nullopt;
  } catch (const ConfigError&) {
    return std::nullopt;
  }
}

/// Once for each file, however often a program reads it.
void warn_of(const std::vector<std::filesystem::path>& damaged) {
  static std::set<std::filesystem::path> said;
  for (const std::filesystem::path& path : damaged) {
    if (!said.insert(std::filesystem::absolute(path)).second) continue;
    log_warning(
        fmt::format("{} is damaged and was left out; running its sweep again with the same options "
                    "writes it anew (a sweep that is no longer wanted: remove the file)",
                    path.string()));
  }
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
  Json json = {{"format", kSweepFormat}, {"sweep", file.sweep},     {"profile", file.profile},
               {"choice", file.choice},  {"source", file.source},   {"cancelled", file.cancelled},
               {"with", file.with},      {"members", Json::array()}};
  for (const SweepMember& member : file.members) {
    json["members"].push_back(
        {{"trial", member.trial}, {"stage", member.stage}, {"labels", member.labels}});
  }
  make_folder_durably(store / "sweeps");
  write_file_durably(file.path.empty() ? sweep_path(store, file) : file.path, json.dump() + "\n");
}

void replace_sweep_file(const std::filesystem::path& store, SweepFile file,
                        std::vector<SweepFile>& known) {
  file.path = sweep_path(store, file);
  write_sweep_file(store, file);
  bool removed = false;
  std::erase_if(known, [&](const SweepFile& other) {
    if (other.sweep != file.sweep || other.profile != file.profile || other.choice != file.choice)
      return false;
    if (!comes_from(other, file.source) && std::filesystem::exists(other.source)) return false;
    if (other.path != file.path) removed = std::filesystem::remove(other.path);
    return true;
  });
  if (removed) sync_folder(store / "sweeps");
  const auto place = std::find_if(known.begin(), known.end(), [&](const SweepFile& other) {
    return order_of(file) < order_of(other);
  });
  known.insert(place, std::move(file));
}

std::vector<SweepFile> read_sweep_files(const std::filesystem::path& store,
                                        std::vector<std::filesystem::path>* damaged) {
  std::vector<SweepFile> files;
  std::vector<std::filesystem::path> unreadable;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(store / "sweeps", none)) {
    if (entry.path().extension() != ".json") continue;
    if (auto file = sweep_from(entry.path())) {
      files.push_back(std::move(*file));
    } else {
      unreadable.push_back(entry.path());
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
    std::set<std::tuple<std::string, std::string, std::map<std::string, std::string>>> seen;
    std::set<std::string> wanted;
    for (const SweepFile& file : sweep.files) {
      for (const SweepMember& member : file.members) {
        if (seen.emplace(member.stage, member.trial, member.labels).second)
          sweep.members.push_back(member);
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
  return !file.source.empty() && !source.empty() && whole_path(file.source) == whole_path(source);
}

bool answers_to(const SweepFile& file, const std::string& name) {
  return file.sweep == name || comes_from(file, name);
}

bool answers_to(const Sweep& sweep, const std::string& name) {
  return std::any_of(sweep.files.begin(), sweep.files.end(),
                     [&](const SweepFile& file) { return answers_to(file, name); });
}

void write_trial_state(const std::filesystem::path& trial_folder, const TrialState& state,
                       const std::string& message) {
  write_file_durably(trial_folder / "state.json",
                     Json{{"state", state}, {"message", message}}.dump() + "\n");
}

void clear_trial_state(const std::filesystem::path& trial_folder) {
  if (std::filesystem::remove(trial_folder / "state.json")) sync_folder(trial_folder);
}

std::optional<Json> readable_json(const std::filesystem::path& file,
                                  const std::map<std::string, Json::value_t>& members) {
  Json json = Json::parse(read_file(file), nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) return std::nullopt;
  for (const auto& [member, type] : members) {
    if (!json.contains(member) || json[member].type() != type) return std::nullopt;
  }
  return json;
}

std::optional<Json> readable_trial(const std::filesystem::path& trial_folder) {
  auto trial = readable_json(trial_folder / "trial.json", {{"id", Json::value_t::string},
                                                           {"job", Json::value_t::string},
                                                           {"config", Json::value_t::object}});
  if (trial && (trial->at("id") != trial_folder.filename().string() || !checksum_holds(*trial)))
    return std::nullopt;
  return trial;
}

std::optional<Json> readable_result(const std::filesystem::path& file) {
  if (!std::filesystem::exists(file)) return std::nullopt;
  return readable_json(file, {{"outcome", Json::value_t::string},
                              {"attempt", Json::value_t::number_unsigned},
                              {"events", Json::value_t::number_unsigned},
                              {"artifacts", Json::value_t::array}});
}

std::optional<Json> attempt_end(const std::filesystem::path& attempt_folder) {
  const std::filesystem::path file = attempt_folder / "end.json";
  if (!std::filesystem::exists(file)) return std::nullopt;
  std::optional<Json> end = readable_json(file, {{"outcome", Json::value_t::string},
                                                 {"message", Json::value_t::string},
                                                 {"seconds", Json::value_t::number_float},
                                                 {"new_checkpoint", Json::value_t::boolean},
                                                 {"charged", Json::value_t::boolean},
                                                 {"forgiven", Json::value_t::boolean}});
  if (!end) return Json{{"outcome", "lost"}, {"message", "its end.json is damaged"}};
  return end;
}

FolderState state_from_folder(const std::filesystem::path& trial_folder) {
  if (const auto result = readable_result(trial_folder / "result.json")) {
    const std::string outcome = result->at("outcome");
    return {outcome, outcome == "diverged" ? outcome : ""};
  }
  const std::filesystem::path path = trial_folder / "state.json";
  if (!std::filesystem::exists(path)) return {};
  const auto given =
      readable_json(path, {{"state", Json::value_t::string}, {"message", Json::value_t::string}});
  // There is such a file only for a trial that must not run until somebody says so.
  if (!given) return {"failed", "its state.json is damaged; `rethink retry` lets it run again"};
  return {given->at("state"), given->at("message")};
}

std::filesystem::path trial_folder(const std::filesystem::path& store, const std::string& trial) {
  return store / "trials" / trial;
}

std::map<int64_t, std::filesystem::path> attempt_folders(
    const std::filesystem::path& trial_folder) {
  std::map<int64_t, std::filesystem::path> folders;
  if (!std::filesystem::exists(trial_folder)) return folders;
  constexpr std::string_view kPrefix = "attempt-";
  for (const auto& entry : std::filesystem::directory_iterator(trial_folder)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(kPrefix)) continue;
    int64_t number = 0;
    const char* end = name.data() + name.size();
    const auto parsed = std::from_chars(name.data() + kPrefix.size(), end, number);
    if (parsed.ec == std::errc() && parsed.ptr == end) folders[number] = entry.path();
  }
  return folders;
}

bool trial_events_are_whole(const std::filesystem::path& trial_folder) {
  std::map<int64_t, std::filesystem::path> files;
  for (const auto& [number, folder] : attempt_folders(trial_folder))
    files[number] = folder / "events.jsonl";
  std::optional<EventPlace> end;
  if (const auto result = readable_result(trial_folder / "result.json"))
    end = {result->at("attempt"), result->at("events")};
  return events_are_whole(files, end);
}

std::vector<std::string> trials_in(const std::filesystem::path& store) {
  std::vector<std::string> ids;
  if (!std::filesystem::exists(store / "trials")) return ids;
  for (const auto& entry : std::filesystem::directory_iterator(store / "trials")) {
    const std::string name = entry.path().filename().string();
    if (name.size() == kIdDigits && std::filesystem::exists(entry.path() / "trial.json"))
      ids.push_back(name);
  }
  std::sort(ids.begin(), ids.end());
  return ids;
}

}  // namespace rethink
