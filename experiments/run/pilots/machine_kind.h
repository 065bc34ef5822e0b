// Kinds of machines. Trials whose checkpoints were made on a machine of another kind may continue with other last bits.
#pragma once

#include <string>

#include "experiments/run/gpu.h"

namespace rethink {

struct MachineKind {
  std::string processor{};  // "AuthenticAMD 25 1 1", and a checksum of its features
  std::string gpus{};       // names of the GPUs that the process sees
};

/// Returns the kind of this machine.
MachineKind machine_kind(const VisibleGpus& visible);

}  // namespace rethink
