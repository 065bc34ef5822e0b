// attempt-<n>/lease.json: the claim of a pilot's worker on attempt n. One rename gives the folder its name with this
// file inside, so of several workers, on several machines, exactly one claims the attempt.
//
//   {"job": "123", "restart": 0, "node": "n1", "worker": {"pid", "boot_id", "start_time"}, "token": UUID,
//    "checksum": "0a1b2c3d"}
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "core/system/process.h"

namespace rethink {

struct Lease {
  std::string job;         // of the pilot, as its engine names it
  int restart = 0;         // how often the queue had started the job again
  std::string node;        // the machine's name
  ProcessIdentity worker;  // the worker that runs the attempt
  std::string token{};     // of this claim alone
};

/// Makes the attempt's folder with the lease in it. Returns false if another process has claimed
/// this attempt. If a network file system repeats a rename, the second rename fails; the token in
/// the folder then shows whose claim it is. Not durable. Throws as throw_file_error.
bool claim_attempt(const std::filesystem::path& attempt_folder, Lease lease);

/// Removes what killed workers left of their claims. Requires: the trial has a result, so that no claim is needed.
void remove_claims(const std::filesystem::path& trial_folder);

// trials/<id>/stop: no sweep wants the trial any more. Pilots look for this file. They do not begin
// such a trial, and they end a worker that runs it.

void write_stop(const std::filesystem::path& trial_folder);
void remove_stop(const std::filesystem::path& trial_folder);
bool is_stop_written(const std::filesystem::path& trial_folder);

/// Returns nothing if the file is missing or damaged, as in attempts of a driver's workers.
std::optional<Lease> read_lease(const std::filesystem::path& attempt_folder);

}  // namespace rethink
