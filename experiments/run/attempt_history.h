// Derives from the earlier attempts of a trial how the next one must run.
#pragma once

#include <cstdint>

#include "core/format/trial_folder.h"
#include "experiments/run/board.h"

namespace rethink {

/// What the endings of a trial's earlier attempts say.
struct History {
  Charges charged;     // since the last `retry`
  double seconds = 0;  // since the last `retry`
};
History history_of(const TrialFolder& folder);

/// Whether this attempt was done, and its result set aside so that the trial runs again: it has no
/// other ending.
bool was_set_aside(const TrialFolder& folder, int64_t attempt);
/// The last attempt was done and its result is gone or damaged: writes that it counts as lost, which
/// is nobody's failure. Durable.
void note_lost_result(const TrialFolder& folder);

/// Lets a trial with a result run again: the new result is to be compared with the one set aside. One
/// that is damaged, or not what its events say, goes. Durable. Cost: reads the events.
void set_result_aside(const TrialFolder& folder);

/// Forgives a trial its failures, so that it may run again; a damaged result.json goes, and so
/// does one that is not what its events say. Durable.
void forgive(const TrialFolder& folder);

}  // namespace rethink
