// What the folder of a trial says about an attempt that ended, and what a driver or a pilot writes there about the end. No
// database: an index of the folders follows later.
#pragma once

#include <cstdint>
#include <optional>

#include "core/format/attempt_end.h"
#include "core/format/stored_json.h"
#include "core/format/trial_folder.h"
#include "experiments/run/ledger.h"

namespace rethink {

/// The newest attempt that has a folder; 0 = none.
int64_t last_attempt(const TrialFolder& folder);
/// Whether somebody has taken in how the attempt ended. The running one then has no folder yet.
bool is_over(const TrialFolder& folder, int64_t attempt);
/// Whether the attempt that has just ended wrote the result that is there.
bool has_written_it(const Ending& ending);
/// Seconds that the last attempt has been at work, by its own files; 0 without an attempt.
double seconds_of_last_attempt(const TrialFolder& folder);

/// What the attempt with this result left. A damaged result goes, and one without all its events is set aside: the trial
/// runs again.
EndedAttempt judge_result(const TrialFolder& folder, const StoredJson& result, bool has_all_events,
                          const Ending& ending);
/// What attempt `number`, which ended without a result, left.
EndedAttempt judge_without_result(const TrialFolder& folder, int64_t number, const Ending& ending);

/// Writes state.json where the trial is failed or cancelled, and the end.json of attempt `number`, which is returned; none
/// where the attempt says itself how it ended, or it is not ours to say. Durable.
std::optional<AttemptEnd> write_ending(const TrialFolder& folder, int64_t number,
                                       const EndedAttempt& left, const Ending& ending,
                                       TrialState after);

}  // namespace rethink
