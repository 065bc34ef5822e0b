#include "core/store_files/lease.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <exception>

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

/// A claim takes milliseconds, and seconds on a slow disk. One of this age is a killed worker's.
constexpr auto kOldClaim = std::chrono::minutes(10);

/// Removes claims made at `last` or before. Requires: no living worker has one. A removal in the middle of a claim could
/// leave an attempt without a lease, which then gets a second worker.
void remove_claims_until(const std::filesystem::path& trial_folder,
                         std::filesystem::file_time_type last) {
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(trial_folder, ignored)) {
    if (!entry.path().filename().native().starts_with(kClaimPrefix)) continue;
    std::error_code missing;
    const auto made = std::filesystem::last_write_time(entry.path(), missing);
    if (!missing && made <= last) std::filesystem::remove_all(entry.path(), ignored);
  }
}

}  // namespace

bool claim_attempt(const std::filesystem::path& attempt_folder, Lease lease) {
  lease.token = new_uuid();
  const std::filesystem::path trial = attempt_folder.parent_path();
  const std::filesystem::path claim = trial / (std::string(kClaimPrefix) + lease.token);
  if (mkdir(claim.c_str(), 0777) != 0) throw_file_error(claim, "cannot make the folder", errno);
  const std::filesystem::path file = claim / kLeaseFile;
  std::error_code missing;
  try {
    write_all(open_file(file, O_WRONLY | O_CREAT).get(), stored_text(json_of_lease(lease)), file);
  } catch (const std::exception&) {
    // Another worker has stored the trial's result, and removed all claims.
    if (!std::filesystem::exists(claim, missing)) return false;
    throw;
  }
  const auto now = std::filesystem::last_write_time(claim, missing);  // by the clock of the disk
  if (!missing) remove_claims_until(trial, now - kOldClaim);
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

void remove_claims(const std::filesystem::path& trial_folder) {
  remove_claims_until(trial_folder, std::filesystem::file_time_type::max());
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
