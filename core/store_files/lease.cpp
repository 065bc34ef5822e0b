#include "core/store_files/lease.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdio>

#include "core/error.h"
#include "core/files/file.h"
#include "core/files/unique_names.h"
#include "core/json.h"
#include "core/store_files/stored_json.h"
#include "core/store_files/trial_folder.h"
#include "core/system/kill_point.h"

namespace rethink {
namespace {

Json json_of_lease(const Lease& lease) {
  return {{"job", lease.job},
          {"restart", lease.restart},
          {"node", lease.node},
          {"worker", to_json(lease.worker)},
          {"token", lease.token}};
}

/// Removes claims of killed workers. A living worker whose folder is removed loses its claim, as if
/// another worker had been faster.
void remove_left_claims(const std::filesystem::path& trial_folder) {
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(trial_folder, ignored)) {
    if (entry.path().filename().native().starts_with(kClaimPrefix))
      std::filesystem::remove_all(entry.path(), ignored);
  }
}

}  // namespace

bool claim_attempt(const std::filesystem::path& attempt_folder, Lease lease) {
  lease.token = new_uuid();
  const std::filesystem::path trial = attempt_folder.parent_path();
  remove_left_claims(trial);
  const std::filesystem::path claim = trial / (std::string(kClaimPrefix) + lease.token);
  if (mkdir(claim.c_str(), 0777) != 0) throw_file_error(claim, "cannot make the folder", errno);
  const std::filesystem::path file = claim / kLeaseFile;
  write_all(open_file(file, O_WRONLY | O_CREAT).get(), stored_text(json_of_lease(lease)), file);
  kill_point("before_attempt_claim");
  // rename fails if the target is a folder that is not empty.
  if (rename(claim.c_str(), attempt_folder.c_str()) == 0) {
    kill_point("after_attempt_claim");
    return true;
  }
  const int number = errno;
  std::error_code ignored;
  std::filesystem::remove_all(claim, ignored);
  if (number != EEXIST && number != ENOTEMPTY && number != ENOENT)
    throw_file_error(attempt_folder, "cannot claim the attempt", number);
  const std::optional<Lease> there = read_lease(attempt_folder);
  return there && there->token == lease.token;
}

void write_stop(const std::filesystem::path& trial_folder) {
  write_file_durably(trial_folder / kStopFile, "");
}

void remove_stop(const std::filesystem::path& trial_folder) {
  std::filesystem::remove(trial_folder / kStopFile);
}

bool is_stop_written(const std::filesystem::path& trial_folder) {
  return std::filesystem::exists(trial_folder / kStopFile);
}

std::optional<Lease> read_lease(const std::filesystem::path& attempt_folder) {
  const std::filesystem::path file = attempt_folder / kLeaseFile;
  std::error_code missing;
  if (!std::filesystem::exists(file, missing)) return std::nullopt;
  static const JsonShape kShape = object_with({{"job", any_text()},
                                               {"restart", integer_from(0)},
                                               {"node", any_text()},
                                               {"worker", any_object()},
                                               {"token", any_text()}});
  const StoredJson stored = read_stored_json(file, kShape);
  if (!stored.is_sound()) return std::nullopt;
  Lease lease;
  lease.job = stored.object.at("job");
  lease.restart = stored.object.at("restart");
  lease.node = stored.object.at("node");
  lease.token = stored.object.at("token");
  try {
    lease.worker = process_from_json(stored.object.at("worker"));
  } catch (const ConfigError&) {
    return std::nullopt;
  }
  return lease;
}

}  // namespace rethink
