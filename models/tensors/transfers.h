// Transfers of small tensors between the host and a device with few synchronizations.
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

namespace rethink {

/// Returns a copy of `on_host` on `device`. The copy is queued behind the device's other work, and
/// the host does not wait.
at::Tensor sent_to(const at::Device& device, const at::Tensor& on_host);

/// Returns contiguous CPU copies of a device's matrices, after one synchronization for all of them.
///
/// matrices  float32, float64 or i64 [N,*]; values of i64 fit into 32 bits
std::vector<at::Tensor> fetched(const std::vector<at::Tensor>& matrices);

/// The two parts of fetched(): joined_bits() returns the bits of all matrices as one i32 [N,*].
/// split_bits() returns the matrices again on the CPU, with shapes and types of `like`.
at::Tensor joined_bits(const std::vector<at::Tensor>& matrices);
std::vector<at::Tensor> split_bits(const at::Tensor& bits, const std::vector<at::Tensor>& like);

}  // namespace rethink
