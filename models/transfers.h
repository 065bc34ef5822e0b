// Small tensors between the host and a device, with as few waits as there can be.
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

namespace rethink {

/// `on_host` on `device`, where its copy runs behind what the device has to do; the host does not wait.
at::Tensor sent_to(const at::Device& device, const at::Tensor& on_host);

/// Matrices [N,...] of a device on the CPU, contiguous, after one wait for all of them.
///
/// matrices  float32, float64 or i64 [N,*]; i64 with values that fit into 32 bits
std::vector<at::Tensor> fetched(const std::vector<at::Tensor>& matrices);

/// Its parts: all of them as one i32 [N,*], bit by bit, and from that, on the CPU, matrices like `like` again.
at::Tensor joined_bits(const std::vector<at::Tensor>& matrices);
std::vector<at::Tensor> split_bits(const at::Tensor& bits, const std::vector<at::Tensor>& like);

}  // namespace rethink
