// Host tensors on the memory of fake devices, for operators that compute on the host.
#pragma once

#include <ATen/core/Tensor.h>

namespace rethink::fake_cuda {

/// Returns a host tensor on the same memory.
at::Tensor host_view(const at::Tensor& tensor);

/// Returns a copy of a host tensor on the device.
at::Tensor on_device(const at::Tensor& tensor, c10::Device device);

}  // namespace rethink::fake_cuda
