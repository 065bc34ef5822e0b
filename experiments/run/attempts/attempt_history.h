// Rules that derive from a trial's earlier attempts how the next attempt must run.
#pragma once

#include <cstdint>

#include "core/store_files/trial_folder.h"
#include "experiments/run/board.h"

namespace rethink {

/// Facts about a trial's earlier endings.
struct History {
  Charges charged;     // since the last `retry`
  double seconds = 0;  // since the last `retry`
  // Time of the longest interrupted attempt since the last attempt that published a checkpoint.
  double fruitless_s = 0;
  int64_t checkpoint_of = 0;  // the last attempt that published a checkpoint; 0: none
};
History history_of(const TrialFolder& folder);

/// Returns whether this attempt was done and its result was set aside so that the trial runs again;
/// it has no other ending.
bool was_set_aside(const TrialFolder& folder, int64_t attempt);
/// Records that the last attempt, which was done, counts as lost, since its result is missing or
/// damaged. It is not charged. Durable.
void note_lost_result(const TrialFolder& folder);

/// Lets a trial with a result run again. The new result will be compared with the result that is
/// set aside. A result that is damaged, or contradicts its events, is removed. Durable. Cost: reads
/// the events.
void set_result_aside(const TrialFolder& folder);

/// Resets a trial's failures so that it may run again. A result.json that is damaged, or
/// contradicts its events, is removed. Durable.
void forgive(const TrialFolder& folder);

}  // namespace rethink
