#include "results/folders/pilot_sets.h"

#include <unistd.h>

#include <algorithm>
#include <set>

#include "core/error.h"
#include "core/files/file.h"
#include "core/files/store_file.h"
#include "core/files/unique_names.h"
#include "core/json.h"
#include "core/store_files/stored_json.h"
#include "core/store_files/trial_folder.h"

namespace rethink {
namespace {

constexpr const char* kJobsFile = "jobs.json";
constexpr const char* kTakenFile = "taken.json";
constexpr const char* kClosedFile = "closed";
constexpr const char* kPilotEnding = ".pilot";
constexpr const char* kChangesEnding = ".changes";
constexpr const char* kFailedEnding = ".failed";
constexpr const char* kMachineEnding = ".machine";
constexpr const char* kEndEnding = ".ended";

/// Nothing for a missing or damaged file.
std::optional<Json> sound_file(const std::filesystem::path& file, const JsonShape& shape) {
  std::error_code missing;
  if (!std::filesystem::exists(file, missing)) return std::nullopt;
  StoredJson stored = read_stored_json(file, shape);
  return stored.is_sound() ? std::optional(std::move(stored.object)) : std::nullopt;
}

std::vector<std::filesystem::path> files_with(const std::filesystem::path& folder,
                                              const char* ending) {
  std::vector<std::filesystem::path> files;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(folder, none)) {
    if (entry.path().extension() == ending) files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

std::optional<StartedPilot> started_pilot(const std::filesystem::path& file) {
  static const JsonShape kShape = object_with({{"job", any_text()},
                                               {"restart", integer_from(0)},
                                               {"node", any_text()},
                                               {"process", any_object()},
                                               {"since", any_text()}});
  const std::optional<Json> json = sound_file(file, kShape);
  if (!json) return std::nullopt;
  StartedPilot pilot{.job = json->at("job"),
                     .restart = json->at("restart"),
                     .node = json->at("node"),
                     .since = json->at("since")};
  try {
    pilot.process = process_from_json(json->at("process"));
  } catch (const ConfigError&) {
    return std::nullopt;
  }
  return pilot;
}

}  // namespace

PilotSet PilotSet::make(const std::filesystem::path& store) {
  PilotSet set(store / "pilots" / new_uuid());
  make_folder_durably(set.logs());
  return set;
}

std::vector<PilotSet> PilotSet::all(const std::filesystem::path& store) {
  std::vector<PilotSet> sets;
  const std::filesystem::path folder = store / "pilots";
  std::error_code none;
  if (std::filesystem::is_symlink(folder, none)) return sets;
  std::vector<std::filesystem::path> found;
  for (const auto& entry : std::filesystem::directory_iterator(folder, none)) {
    const bool is_folder = std::filesystem::is_directory(entry.symlink_status(none));
    if (is_folder && is_uuid(entry.path().filename().string())) found.push_back(entry.path());
  }
  std::ranges::sort(found);
  for (std::filesystem::path& one : found) sets.emplace_back(std::move(one));
  return sets;
}

std::filesystem::path PilotSet::changes(const std::string& job) const {
  return folder_ / (stem_of_files(job) + kChangesEnding);
}

void PilotSet::record_jobs(const std::vector<std::string>& jobs, const Json& site) const {
  write_file_durably(folder_ / kJobsFile, stored_text({{"jobs", jobs}, {"site", site}}));
}

Json PilotSet::recorded_site() const {
  static const JsonShape kShape = object_with({{"site", any_object()}});
  const std::optional<Json> json = sound_file(folder_ / kJobsFile, kShape);
  return json ? json->at("site") : Json::object();
}

std::optional<std::vector<std::string>> PilotSet::recorded_jobs() const {
  static const JsonShape kShape = object_with({{"jobs", list_of(any_text())}});
  const std::optional<Json> json = sound_file(folder_ / kJobsFile, kShape);
  if (!json) return std::nullopt;
  return json->at("jobs").get<std::vector<std::string>>();
}

void PilotSet::announce(const StartedPilot& pilot) const {
  write_file_durably(folder_ / (stem_of_files(pilot.job) + kPilotEnding),
                     stored_text({{"job", pilot.job},
                                  {"restart", pilot.restart},
                                  {"node", pilot.node},
                                  {"process", to_json(pilot.process)},
                                  {"since", pilot.since}}));
}

void PilotSet::record_machine(const Machine& machine) const {
  write_file_atomically(
      folder_ / (stem_of_files(machine.name) + kMachineEnding),
      stored_text(
          {{"name", machine.name}, {"processor", machine.processor}, {"gpus", machine.gpus}}));
}

std::vector<PilotSet::Machine> PilotSet::machines() const {
  static const JsonShape kShape =
      object_with({{"name", any_text()}, {"processor", any_text()}, {"gpus", any_text()}});
  std::vector<Machine> machines;
  for (const std::filesystem::path& file : files_with(folder_, kMachineEnding)) {
    if (const auto json = sound_file(file, kShape))
      machines.push_back({json->at("name"), json->at("processor"), json->at("gpus")});
  }
  return machines;
}

std::vector<StartedPilot> PilotSet::started() const {
  std::vector<StartedPilot> pilots;
  for (const std::filesystem::path& file : files_with(folder_, kPilotEnding)) {
    if (auto pilot = started_pilot(file)) pilots.push_back(std::move(*pilot));
  }
  return pilots;
}

void PilotSet::record_failure(const std::string& job, const std::string& message) const {
  write_file_atomically(folder_ / (stem_of_files(job) + kFailedEnding),
                        stored_text({{"message", message}}));
}

std::vector<std::string> PilotSet::failures() const {
  static const JsonShape kShape = object_with({{"message", any_text()}});
  std::vector<std::string> messages;
  for (const std::filesystem::path& file : files_with(folder_, kFailedEnding)) {
    if (const auto json = sound_file(file, kShape)) messages.push_back(json->at("message"));
  }
  return messages;
}

void PilotSet::record_end(const std::string& job) const {
  const std::filesystem::path file = folder_ / (stem_of_files(job) + kEndEnding);
  const auto pilot = started_pilot(folder_ / (stem_of_files(job) + kPilotEnding));
  const int restart = pilot ? pilot->restart : 0;
  // Another user's pilots may have a folder that this user may not write.
  if (is_end_recorded(job, restart) || access(folder_.c_str(), W_OK) != 0) return;
  write_file_atomically(file, stored_text({{"restart", restart}}));
}

bool PilotSet::is_end_recorded(const std::string& job, int restart) const {
  static const JsonShape kShape = object_with({{"restart", integer_from(0)}});
  const auto json = sound_file(folder_ / (stem_of_files(job) + kEndEnding), kShape);
  return json && restart <= json->at("restart").get<int>();
}

std::vector<std::string> PilotSet::jobs() const {
  std::vector<std::string> all = recorded_jobs().value_or(std::vector<std::string>());
  for (const StartedPilot& pilot : started()) {
    if (std::ranges::find(all, pilot.job) == all.end()) all.push_back(pilot.job);
  }
  return all;
}

void PilotSet::close() const {
  write_file_durably(folder_ / kClosedFile, "");
}

bool PilotSet::is_closed() const {
  return std::filesystem::exists(folder_ / kClosedFile);
}

std::vector<std::string> PilotSet::new_changes() {
  static const JsonShape kShape = object_with({{"taken", map_of(integer_from(0))}});
  static const JsonShape kId = hex_digits(kIdDigits);
  const std::optional<Json> taken = sound_file(folder_ / kTakenFile, kShape);
  std::set<std::string> ids;
  for (const std::filesystem::path& file : files_with(folder_, kChangesEnding)) {
    const std::string name = file.filename().string();
    const uint64_t from = taken ? taken->at("taken").value(name, uint64_t{0}) : 0;
    const std::string text = read_store_file(file, uint64_t{1} << 30);
    uint64_t at = std::min<uint64_t>(from, text.size());
    for (size_t end = text.find('\n', at); end != std::string::npos; end = text.find('\n', at)) {
      const std::string line = text.substr(at, end - at);
      if (kId(line, {}).empty()) ids.insert(line);
      at = end + 1;
    }
    read_[name] = at;
  }
  return {ids.begin(), ids.end()};
}

void PilotSet::changes_are_taken() const {
  // The lines of another user's pilots, in a folder that this user may not write, are read again next time.
  if (read_.empty() || access(folder_.c_str(), W_OK) != 0) return;
  write_file_atomically(folder_ / kTakenFile, stored_text({{"taken", read_}}));
}

void PilotSet::remove() const {
  std::error_code ignored;
  std::filesystem::remove(folder_ / "plan.json",
                          ignored);  // remains of a kill are no set
  std::filesystem::remove_all(folder_, ignored);
  std::filesystem::remove(folder_.parent_path(), ignored);  // fails if there are other sets
}

}  // namespace rethink
