// Reading and writing of LibTorch's tensors in safetensors files (core/format/safetensors.h).
#pragma once

#include <torch/nn/module.h>

#include <filesystem>
#include <map>
#include <string>

#include "core/format/safetensors.h"

namespace rethink {

using TensorsByName = std::map<std::string, at::Tensor>;

/// Returns every parameter and buffer of `module` by name. The tensors share memory with the
/// module.
TensorsByName weights_of(const torch::nn::Module& module);

/// Returns a tensor on the memory of `view`. The memory must outlive the tensor and may only be
/// read. Throws TrialError for a dtype that LibTorch lacks.
at::Tensor tensor_over(const TensorView& view);

/// Returns views of `tensors`, which must outlive the views. Requires: all tensors are contiguous
/// on the CPU. Throws TrialError for a dtype that the format lacks.
TensorViews views_of(const TensorsByName& tensors);

/// Writes tensors to a safetensors file in the order of their names. Throws MachineError.
void write_tensors(const std::filesystem::path& file, const TensorsByName& tensors,
                   const std::map<std::string, std::string>& metadata);

}  // namespace rethink
