// attempt-<n>/end.json: how an attempt ended, as the driver saw it. An attempt that ended its trial
// has a result.json instead.
//
//   {"outcome": "killed", "message": "", "status": 9, "seconds": 1.5, "new_checkpoint": false,
//    "charged": true, "forgiven": false, "trial": id, "attempt": n, "checksum": "0a1b2c3d"}
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "core/json_fwd.h"
#include "core/store_files/stored_json.h"
#include "core/trial_state.h"

namespace rethink {

struct AttemptEnd {
  AttemptOutcome outcome = AttemptOutcome::lost;
  std::string message{};
  std::optional<int> status{};  // status of waitpid
  double seconds = 0;           // running time that the driver measured [s]
  bool new_checkpoint = false;  // whether the attempt published a checkpoint
  bool charged = false;         // whether the attempt counts against the retries of its outcome
  bool forgiven = false;        // by a later `retry`: this attempt and all before it count no more
  bool is_damaged = false;      // the file is damaged, and its other facts are unknown

  /// Returns the members that the database keeps, beside outcome and message; nothing for a damaged
  /// file.
  Json facts() const;

  bool operator==(const AttemptEnd&) const = default;
};

/// Durable. Throws MachineError.
void write_attempt_end(const std::filesystem::path& attempt_folder, const AttemptEnd& end);

/// Returns nothing if the file is missing. Returns the outcome lost, with a message, if the file is
/// damaged or belongs to another attempt.
std::optional<AttemptEnd> read_attempt_end(const std::filesystem::path& attempt_folder);

/// Returns the contents of the file, and its damage. Requires: the file exists.
StoredJson stored_attempt_end(const std::filesystem::path& attempt_folder);

}  // namespace rethink
