#include "plots/table/cells/artifact_fault.h"

#include "core/json.h"

namespace rethink {

ArtifactFaultRegistry& artifact_faults() {
  static ArtifactFaultRegistry registry("fault", "plots/table/faults");
  return registry;
}

const std::vector<std::shared_ptr<const ArtifactFault>>& known_faults() {
  static const std::vector<std::shared_ptr<const ArtifactFault>> faults = [] {
    std::vector<std::shared_ptr<const ArtifactFault>> all;
    for (const std::string& name : artifact_faults().names())
      all.push_back(artifact_faults().make(name, Json::object()));
    return all;
  }();
  return faults;
}

}  // namespace rethink
