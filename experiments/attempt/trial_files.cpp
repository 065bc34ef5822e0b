#include "experiments/attempt/trial_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>

#include "core/files/lock.h"
#include "core/files/owner.h"
#include "core/files/store_file.h"
#include "core/json.h"
#include "core/store_files/event.h"
#include "core/store_files/result_file.h"
#include "core/store_files/stored_json.h"
#include "core/system/kill_point.h"

namespace rethink {
namespace {

/// The bytes of a file; nothing if it is missing.
std::optional<std::string> read_if_present(const std::filesystem::path& path) {
  if (!std::filesystem::exists(path)) return std::nullopt;
  return read_store_file(path);
}

/// The first event of the newest attempt; null before it.
Json newest_start(const TrialFolder& folder) {
  const std::vector<int64_t> numbers = folder.attempts();
  Json start;
  if (numbers.empty() || !std::filesystem::exists(folder.events(numbers.back()))) return start;
  read_events(folder.events(numbers.back()), 0, [&](const Json& event) {
    if (start.is_null()) start = event;
  });
  return start;
}

}  // namespace

void write_trial(const TrialFolder& folder, const Trial& trial) {
  const std::string text = with_checksum(to_json(trial)).dump(2) + "\n";
  if (read_if_present(folder.trial()) == text) return;
  std::filesystem::create_directories(folder.path());
  write_file_atomically(folder.trial(), text);
}

std::optional<Json> read_result(const TrialFolder& folder) {
  std::optional<StoredJson> result = stored_result(folder.result());
  if (!result) return std::nullopt;
  if (!result->is_sound())
    throw ConfigError("damaged-file", result_damage(folder.result(), result->damage));
  return std::move(result->object);
}

Json to_json(const Artifact& artifact, const std::filesystem::path& folder) {
  Json json{
      {"name", artifact.name},
      {"kind", artifact.kind},
      {"file",
       artifact.path.lexically_normal().lexically_relative(folder.lexically_normal()).string()},
      {"sha256", artifact.sha256},
      {"bytes", artifact.bytes},
      {"facts", artifact.facts}};
  if (artifact.seed) json["seed"] = *artifact.seed;
  return json;
}

std::vector<Artifact> artifacts_of(const Json& result, const TrialFolder& folder) {
  std::vector<Artifact> all;
  for (const Json& json : result.at("artifacts")) {
    Artifact artifact;
    artifact.name = json.at("name");
    artifact.kind = json.at("kind");
    artifact.path = (folder.path() / json.at("file").get<std::string>()).lexically_normal();
    artifact.sha256 = json.at("sha256");
    artifact.bytes = json.at("bytes");
    artifact.facts = json.at("facts");
    if (json.contains("seed")) artifact.seed = json.at("seed").get<int64_t>();
    all.push_back(std::move(artifact));
  }
  return all;
}

void remove_checkpoints(const TrialFolder& folder) {
  const std::string problem = store_folder_problem(folder.checkpoints());
  if (!problem.empty()) throw DamagedFile("damaged-file", problem);
  remove_tree(folder.checkpoints());
}

void run_again(const TrialFolder& folder) {
  std::filesystem::rename(folder.result(), folder.old_result());
  kill_point("after_result_set_aside");
  sync_folder(folder.path());
}

void take_files_of_repetition(const TrialFolder& folder) {
  std::filesystem::create_directory(folder.artifacts());
  // The complete list, since iterating over a folder may skip entries when files are removed.
  std::vector<std::filesystem::path> files;
  for (const auto& file : std::filesystem::directory_iterator(folder.repetition()))
    files.push_back(file.path());
  for (const std::filesystem::path& file : files) {
    std::filesystem::rename(file, folder.artifacts() / file.filename());
    kill_point("after_repeated_file_moved");
  }
  std::filesystem::remove(folder.repetition());
}

void remove_damaged_result(const TrialFolder& folder) {
  std::filesystem::remove(folder.result());
  kill_point("after_damaged_result_removed");
  sync_folder(folder.path());
}

int64_t next_attempt(const TrialFolder& folder) {
  const std::vector<int64_t> numbers = folder.attempts();
  const std::optional<Json> aside = sound_result(folder.old_result());
  const int64_t of_aside = aside ? aside->at("attempt").get<int64_t>() : 0;
  return std::max(of_aside, numbers.empty() ? 0 : numbers.back()) + 1;
}

void require_newest_attempt(const TrialFolder& folder, int64_t number) {
  const std::vector<int64_t> numbers = folder.attempts();
  if (numbers.empty() || numbers.back() <= number) return;
  throw FencedError("trial-fenced", fmt::format("{}: attempt {} has begun, so attempt {} ends",
                                                folder.path().string(), numbers.back(), number));
}

bool has_running_worker(const TrialFolder& folder) {
  return is_folder_locked(folder.path());
}

std::optional<ProcessIdentity> last_worker(const TrialFolder& folder) {
  try {
    if (is_lock_file_lost(folder.path())) {
      const Json start = newest_start(folder);
      return start.is_null() ? std::nullopt : std::optional(process_from_json(start));
    }
    const auto text = read_if_present(folder.lock());
    if (!text) return std::nullopt;
    return process_from_json(parse_json(*text, folder.lock().string()));
  } catch (const ConfigError&) {
    return std::nullopt;
  }
}

std::optional<std::string> gpu_of_newest_attempt(const TrialFolder& folder) {
  try {
    const Json start = newest_start(folder);
    if (start.is_null() || !start.contains("gpu")) return std::nullopt;
    return start.at("gpu").get<std::string>();
  } catch (const ConfigError&) {
    return std::nullopt;
  }
}

}  // namespace rethink
