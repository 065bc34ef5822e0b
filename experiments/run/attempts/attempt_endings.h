// Reads from a trial's folder how an attempt ended, and writes there what a driver or a pilot adds
// about the end. Uses no database: the index follows the folders later.
#pragma once

#include <cstdint>
#include <optional>

#include "core/store_files/attempt_end.h"
#include "core/store_files/stored_json.h"
#include "core/store_files/trial_folder.h"
#include "experiments/run/ledger.h"

namespace rethink {

/// Returns the newest attempt that has a folder; 0 = none.
int64_t last_attempt(const TrialFolder& folder);
/// Returns whether the attempt's ending is recorded. A running attempt is then a later one, which has no folder yet.
bool is_over(const TrialFolder& folder, int64_t attempt);
/// Returns whether the attempt that has just ended wrote the present result.
bool has_written_it(const Ending& ending);
/// Returns how long the last attempt has run, by its own files [s]; 0 without an attempt.
double seconds_of_last_attempt(const TrialFolder& folder);

/// Returns the ending of the attempt with this result. A damaged result is removed, and a result
/// without all its events is set aside; the trial then runs again.
EndedAttempt judge_result(const TrialFolder& folder, const StoredJson& result, bool has_all_events,
                          const Ending& ending);
/// Returns the ending of attempt `number`, which left no result.
EndedAttempt judge_without_result(const TrialFolder& folder, int64_t number, const Ending& ending);

/// Writes state.json if the trial is failed or cancelled, and writes and returns the end.json of attempt `number`.
/// Returns nothing if the attempt itself recorded its end, or if this process may not record it. Durable.
std::optional<AttemptEnd> write_ending(const TrialFolder& folder, int64_t number,
                                       const EndedAttempt& left, const Ending& ending,
                                       TrialState after);

}  // namespace rethink
