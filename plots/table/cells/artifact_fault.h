// Faults of artifacts, which change what a trial's numbers measure; each fault has a file in
// plots/table/faults.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/config/registry.h"
#include "results/query/trial_records.h"

namespace rethink {

struct ArtifactFault {
  std::string name;      // as CSV and JSON have it: "empty mask"
  ValueName fact;        // by which it is known
  double least = 0;      // of the fact, from which on there is the fault
  std::string artifact;  // "mask"
  std::string says;      // of the artifact: "has no place"
  std::string decides;   // what a claim on such a number waits for: "masks that have places"
};

using ArtifactFaultRegistry = Registry<ArtifactFault>;
ArtifactFaultRegistry& artifact_faults();

/// All of them, each made once.
const std::vector<std::shared_ptr<const ArtifactFault>>& known_faults();

}  // namespace rethink
