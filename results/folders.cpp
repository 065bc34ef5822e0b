#include "results/folders.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "core/error.h"
#include "core/file.h"
#include "core/hash.h"

namespace rethink {
namespace {

constexpr size_t kIdDigits = 20;
constexpr int kSweepFormat = 1;

SweepFile sweep_from(const std::filesystem::path& path) {
  const Json json = read_json(path);
  try {
    if (json.at("format") != kSweepFormat) {
      throw MachineError(
          fmt::format("{}: was written by a newer version of rethink (format {}, this program knows up "
                      "to {}); use that version or a newer one",
                      path.string(), json.at("format").dump(), kSweepFormat));
    }
    SweepFile file{json.at("sweep"), json.at("profile"), json.at("source"), {}, json.at("cancelled")};
    for (const Json& member : json.at("members")) {
      file.members.push_back({member.at("trial"), member.at("stage"), file.profile, member.at("labels")});
    }
    return file;
  } catch (const Json::exception& error) {
    throw ConfigError(
        fmt::format("{}: {}; run the sweep again to write it anew", path.string(), error.what()));
  }
}

}  // namespace

std::filesystem::path sweep_path(const std::filesystem::path& store, const std::string& sweep,
                                 const std::string& profile) {
  return store / "sweeps" / (sha256_hex(sweep + "\n" + profile).substr(0, kIdDigits) + ".json");
}

void write_sweep_file(const std::filesystem::path& store, const SweepFile& sweep) {
  Json json = {{"format", kSweepFormat}, {"sweep", sweep.sweep},         {"profile", sweep.profile},
               {"source", sweep.source}, {"cancelled", sweep.cancelled}, {"members", Json::array()}};
  for (const SweepMember& member : sweep.members) {
    json["members"].push_back({{"trial", member.trial}, {"stage", member.stage}, {"labels", member.labels}});
  }
  make_folder_durably(store / "sweeps");
  write_file_durably(sweep_path(store, sweep.sweep, sweep.profile), json.dump() + "\n");
}

std::optional<SweepFile> read_sweep_file(const std::filesystem::path& store, const std::string& sweep,
                                         const std::string& profile) {
  const std::filesystem::path path = sweep_path(store, sweep, profile);
  return std::filesystem::exists(path) ? std::optional(sweep_from(path)) : std::nullopt;
}

std::vector<SweepFile> read_sweep_files(const std::filesystem::path& store) {
  std::vector<SweepFile> files;
  if (!std::filesystem::exists(store / "sweeps")) return files;
  for (const auto& entry : std::filesystem::directory_iterator(store / "sweeps")) {
    if (entry.path().extension() == ".json") files.push_back(sweep_from(entry.path()));
  }
  std::sort(files.begin(), files.end(), [](const SweepFile& a, const SweepFile& b) {
    return std::tie(a.sweep, a.profile) < std::tie(b.sweep, b.profile);
  });
  return files;
}

void write_trial_state(const std::filesystem::path& trial_folder, const TrialState& state,
                       const std::string& message) {
  write_file_durably(trial_folder / "state.json", Json{{"state", state}, {"message", message}}.dump() + "\n");
}

void clear_trial_state(const std::filesystem::path& trial_folder) {
  if (std::filesystem::remove(trial_folder / "state.json")) sync_folder(trial_folder);
}

FolderState state_from_folder(const std::filesystem::path& trial_folder) {
  const auto read = [&](const char* name, const char* member) {
    const std::filesystem::path path = trial_folder / name;
    const Json json = read_json(path);
    if (!json.is_object() || !json.contains(member) || !json[member].is_string()) {
      throw ConfigError(fmt::format("{}: has no text '{}'", path.string(), member));
    }
    const std::string state = json[member];
    return FolderState{state, json.value("message", state == "diverged" ? state : "")};
  };
  if (std::filesystem::exists(trial_folder / "result.json")) return read("result.json", "outcome");
  if (std::filesystem::exists(trial_folder / "state.json")) return read("state.json", "state");
  return {};
}

std::filesystem::path trial_folder(const std::filesystem::path& store, const std::string& trial) {
  return store / "trials" / trial;
}

std::map<int64_t, std::filesystem::path> attempt_folders(const std::filesystem::path& trial_folder) {
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

std::vector<std::string> trials_in(const std::filesystem::path& store) {
  std::vector<std::string> ids;
  if (!std::filesystem::exists(store / "trials")) return ids;
  for (const auto& entry : std::filesystem::directory_iterator(store / "trials")) {
    const std::string name = entry.path().filename().string();
    if (name.size() == kIdDigits && std::filesystem::exists(entry.path() / "trial.json")) ids.push_back(name);
  }
  std::sort(ids.begin(), ids.end());
  return ids;
}

}  // namespace rethink
