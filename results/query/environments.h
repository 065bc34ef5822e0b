// The environments of a store's trials: builds and machines, as far as the last bits of numbers
// depend on them, and all recorded facts of both.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/format/numeric_environment.h"
#include "results/store/store.h"

namespace rethink {

struct RecordedEnvironment {
  NumericEnvironment facts;                  // of the newest attempt that is done
  std::optional<EnvironmentChange> inexact;  // resumed with another build or machine
};

/// By trial, of those of `trials` of which something is recorded. Cost: two queries.
std::map<std::string, RecordedEnvironment> read_environments(
    Store& store, const std::vector<std::string>& trials);

/// Of one trial: what differed, by the number of the attempt that resumed with another build or
/// machine than its checkpoint's.
std::map<int64_t, EnvironmentChange> inexact_resumes(Store& store, const std::string& trial);

/// A line each for what done trials differ in, for trials that were resumed inexactly and for trials whose build
/// is not known. No folder says what a number would be with another build: only that it may differ is known.
std::vector<std::string> differences_of_builds(Store& store);

/// Name and value of what attempts recorded about the machine and the program: "build_id",
/// "device", "torch". What differs from attempt to attempt by its nature (process, time) is left
/// out.
std::vector<std::pair<std::string, std::string>> environment_values(Store& store);

}  // namespace rethink
