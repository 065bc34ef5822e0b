// A store of trials of the LibTorch-free jobs, and attempts at them in processes of their own.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/format/trial_folder.h"
#include "core/json.h"
#include "experiments/attempt/attempt_request.h"
#include "tests/support/temp_folder.h"

namespace rethink {

using Needs = std::map<std::string, std::vector<std::string>>;
/// Every metric row of a trial as the database would hold it: "split/name@step" and the value.
using MetricRows = std::map<std::string, Json>;

class AttemptStore {
 public:
  /// Writes the trial.json of a trial with these options, completed by defaults.
  Trial add(const std::string& job, const Json& options, std::optional<int64_t> seed,
            const Needs& needs = {}) const;
  TrialFolder folder(const Trial& trial) const { return {folder_.path(), trial.id}; }
  /// With weights to be kept, so that other trials can need it.
  AttemptRequest request(const Trial& trial) const;
  const std::filesystem::path& path() const { return folder_.path(); }

 private:
  TempFolder folder_;
};

/// Runs one attempt in a process of the program `worker` and returns its exit code (128 + signal).
int run_attempt_of(const std::filesystem::path& worker, const AttemptRequest& request,
                   const std::map<std::string, std::string>& environment = {});

MetricRows metric_rows(const TrialFolder& folder);

/// What must be equal however often a trial was interrupted: result.json but for attempt number and
/// offset.
Json lasting_part(const Json& result);

}  // namespace rethink
