// Faults of artifacts, which change what a trial's numbers measure; each fault has a file in
// plots/table/faults.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/config/registry.h"
#include "results/records/trial_records.h"

namespace rethink {

struct ArtifactFault {
  std::string name;      // as in CSV and JSON: "empty mask"
  ValueName fact;        // fact that shows the fault
  double least = 0;      // from this value of the fact on, the fault is present
  std::string artifact;  // "mask"
  std::string says;      // predicate of the artifact: "has no place"
  std::string decides;   // what a claim on such a number waits for: "masks that have places"
};

using ArtifactFaultRegistry = Registry<ArtifactFault>;
ArtifactFaultRegistry& artifact_faults();

/// Returns all faults, each made once.
const std::vector<std::shared_ptr<const ArtifactFault>>& known_faults();

}  // namespace rethink
