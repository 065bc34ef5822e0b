// GPUs as the driver library's NVML sees them, opened at run time: this program links nothing of
// CUDA.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiments/schedule/slots.h"

namespace rethink {

/// The GPUs that this process may use, CUDA_VISIBLE_DEVICES respected (uuids, or indices in PCI
/// order); none where there is no driver.
std::vector<Gpu> find_gpus();

/// Whether trials can run on a GPU: there is one, and the plug-in for it lies in `programs`.
bool can_use_gpu(const std::filesystem::path& programs);

/// `all` in PCI order, less what `visible` (the value of CUDA_VISIBLE_DEVICES) hides, in its order.
std::vector<Gpu> visible_gpus(const std::vector<Gpu>& all, const std::string& visible);

}  // namespace rethink
