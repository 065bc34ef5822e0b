// Tensors of the fake devices as tensors of the host, for operators that compute there.
#pragma once

#include <ATen/core/Tensor.h>

namespace rethink::fake_cuda {

/// The same memory as a tensor of the host.
at::Tensor host_view(const at::Tensor& tensor);

/// A tensor of the host copied into memory of the device.
at::Tensor on_device(const at::Tensor& tensor, c10::Device device);

}  // namespace rethink::fake_cuda
