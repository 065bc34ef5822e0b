// A store of trials of jobs without LibTorch, and attempts that run in their own processes.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/json.h"
#include "core/store_files/trial_folder.h"
#include "experiments/attempt/attempt_request.h"
#include "tests/support/temp_folder.h"

namespace rethink {

using Needs = std::map<std::string, std::vector<std::string>>;
/// Returns every metric of a trial, as in the database: "split/name@step" and the value.
using MetricRows = std::map<std::string, Json>;

class AttemptStore {
 public:
  /// Writes the trial.json of a trial with these options and the defaults of all others.
  Trial add(const std::string& job, const Json& options, std::optional<int64_t> seed,
            const Needs& needs = {}) const;
  TrialFolder folder(const Trial& trial) const { return {folder_.path(), trial.id}; }
  /// Does the same for a trial that keeps its weights, so that other trials can need it.
  AttemptRequest request(const Trial& trial) const;
  const std::filesystem::path& path() const { return folder_.path(); }

 private:
  TempFolder folder_;
};

/// Runs one attempt in a process of the program `worker` and returns its exit code (128 + signal).
int run_attempt_of(const std::filesystem::path& worker, const AttemptRequest& request,
                   const std::map<std::string, std::string>& environment = {});

MetricRows metric_rows(const TrialFolder& folder);

/// Returns the part of result.json that is equal however often a trial was interrupted: everything
/// but attempt number and offset.
Json lasting_part(const Json& result);

}  // namespace rethink
