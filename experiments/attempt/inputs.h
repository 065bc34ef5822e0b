// What a trial gets from the trials it needs.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/json.h"
#include "experiments/attempt/job.h"
#include "experiments/attempt/trial_folder.h"

namespace rethink {

struct Inputs {
  std::map<std::string, std::vector<Artifact>> artifacts;  // by slot, as JobContext::inputs
  std::map<std::string, std::vector<Json>> results;        // by slot, as JobContext::parents
};

/// Reads the results of everything `trial` needs. A select stands for its winner: of the trial's
/// seed, else of the only seed there is; for a trial without a seed, of all. Imported weights are
/// an artifact named after their slot. Throws TrialError when a need has no result, no such seed,
/// or an artifact's file is gone or has another size or SHA-256. Cost: reads these files once.
Inputs read_inputs(const Trial& trial, const std::filesystem::path& store);

}  // namespace rethink
