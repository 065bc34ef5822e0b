// Workers that have outlived their driver, of trials that nobody wants any more.
#pragma once

#include <string>
#include <vector>

#include "experiments/attempt/trial_folder.h"

namespace rethink {

/// A trial whose worker has outlived its driver.
struct Orphan {
  TrialFolder folder;
  bool told = false;      // to end
  std::string problem{};  // why it was not told
};

/// Ends workers that no driver watches as a driver would; returns those that go on, because they
/// are out of reach or no workers for sure (trial_worker.h). With `at_once` they are told to, and
/// not waited for.
std::vector<Orphan> stop_orphans(std::vector<Orphan> orphans, bool at_once);

/// What was done about workers of cancelled trials, for the user; empty when there were none.
/// `stopped`: how many.
std::string orphans_text(size_t stopped, const std::vector<Orphan>& going_on);

}  // namespace rethink
