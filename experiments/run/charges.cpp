#include "experiments/run/charges.h"

namespace rethink {

bool is_charged(AttemptOutcome outcome, bool new_checkpoint, bool free) {
  return !free && (!new_checkpoint || outcome == AttemptOutcome::timeout);
}

void Charges::take(AttemptOutcome outcome, bool new_checkpoint, bool charged) {
  if (new_checkpoint) {
    std::erase_if(times_, [](const auto& of) { return of.first != AttemptOutcome::timeout; });
  }
  if (charged) times_[outcome]++;
}

int Charges::of(AttemptOutcome outcome) const {
  const auto found = times_.find(outcome);
  return found == times_.end() ? 0 : found->second;
}

}  // namespace rethink
