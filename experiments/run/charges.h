// Which attempts count against a trial's retries: one rule, for the run that sees them end and for
// a later run that reads about them.
#pragma once

#include <map>

#include "experiments/attempt/attempt_request.h"

namespace rethink {

/// `free`: it ended with its driver or zygote, by a full disk or by interruption. A new checkpoint
/// saves an attempt from being charged, but for a timeout: what is told to end leaves one, and a
/// time limit would otherwise limit nothing.
bool is_charged(AttemptOutcome outcome, bool new_checkpoint, bool free);

/// The retries that a trial has used up.
class Charges {
 public:
  /// The next attempt ended. A new checkpoint clears all but timeouts.
  void take(AttemptOutcome outcome, bool new_checkpoint, bool charged);
  int of(AttemptOutcome outcome) const;

 private:
  std::map<AttemptOutcome, int> times_;
};

}  // namespace rethink
