// LibTorch's tensors in safetensors files (core/format/safetensors.h).
#pragma once

#include <torch/nn/module.h>

#include <filesystem>
#include <map>
#include <string>

#include "core/format/safetensors.h"

namespace rethink {

using TensorsByName = std::map<std::string, at::Tensor>;

/// Every parameter and buffer of `module` by its name, sharing memory with it.
TensorsByName weights_of(const torch::nn::Module& module);

/// The tensor over a view's memory, which must outlive it and may only be read. Throws TrialError
/// for a dtype that LibTorch has not.
at::Tensor tensor_over(const TensorView& view);

/// Requires: all on the CPU and contiguous; they must outlive the views. Throws TrialError for a
/// dtype that the format has not.
TensorViews views_of(const TensorsByName& tensors);

/// Writes tensors to a safetensors file in the order of their names. Throws MachineError.
void write_tensors(const std::filesystem::path& file, const TensorsByName& tensors,
                   const std::map<std::string, std::string>& metadata);

}  // namespace rethink
