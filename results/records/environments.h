// The environments of a store's trials: builds and machines, as far as the last bits of numbers
// depend on them, and all recorded facts of both.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/store_files/numeric_environment.h"
#include "results/store/store.h"

namespace rethink {

struct RecordedEnvironment {
  NumericEnvironment facts;                  // of the newest done attempt
  std::optional<EnvironmentChange> inexact;  // resumed with another build or machine
};

/// Returns the recorded environments of `trials`, by trial. Hashes of code that a user accepted as
/// equal are equal. Cost: two queries, and a look at the folder of records.
std::map<std::string, RecordedEnvironment> read_environments(
    Store& store, const std::vector<std::string>& trials);

/// Returns the differences for one trial, by the number of the attempt that resumed with another
/// build or machine than its checkpoint's.
std::map<int64_t, EnvironmentChange> inexact_resumes(Store& store, const std::string& trial);

/// Returns lines on differences between done trials, on trials that were resumed inexactly, and on
/// trials with an unknown build. No folder shows whether another build would give other numbers;
/// only the possibility is known.
std::vector<std::string> differences_of_builds(Store& store);

/// Returns names and values of recorded facts about machine and program: "build_id", "device",
/// "torch". Facts that differ in every attempt (process, time) are left out.
std::vector<std::pair<std::string, std::string>> environment_values(Store& store);

}  // namespace rethink
