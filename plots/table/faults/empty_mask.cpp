// A mask without any active position: the model does not mix its tokens.
#include "plots/table/cells/artifact_fault.h"

namespace rethink {
namespace {

RETHINK_REGISTERED = artifact_faults().add<NoFields>(
    {.name = "empty_mask", .summary = "a mask that hides every cell"}, [](const NoFields&) {
      return std::make_shared<ArtifactFault>(
          ArtifactFault{.name = "empty mask",
                        .fact = {"mask", "sparsity"},
                        .least = 100,  // [%]
                        .artifact = "mask",
                        .says = "has no place (sparsity 100 %): no token attends to any",
                        .decides = "masks that have places"});
    });

}  // namespace
}  // namespace rethink
