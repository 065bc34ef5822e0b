#include "tests/fake_cuda/host_view.h"

#include <ATen/ATen.h>
#include <c10/core/DeviceGuard.h>

#include <cstring>

#include "tests/fake_cuda/device_memory.h"

namespace rethink::fake_cuda {

using at::Tensor;

Tensor host_view(const Tensor& tensor) {
  auto* kept = new c10::Storage(tensor.storage());
  c10::DataPtr data(
      on_the_host(kept->mutable_data()), kept,
      [](void* storage) { delete static_cast<c10::Storage*>(storage); }, c10::Device(c10::kCPU));
  Tensor view = at::detail::make_tensor<c10::TensorImpl>(
      c10::Storage(c10::Storage::use_byte_size_t(), kept->nbytes(), std::move(data),
                   c10::GetAllocator(c10::kCPU), /*resizable=*/true),
      c10::DispatchKeySet(c10::DispatchKey::CPU), tensor.dtype());
  view.unsafeGetTensorImpl()->set_sizes_and_strides(tensor.sizes(), tensor.strides(),
                                                    tensor.storage_offset());
  if (tensor.unsafeGetTensorImpl()->is_wrapped_number())
    view.unsafeGetTensorImpl()->set_wrapped_number(true);
  return view;
}

Tensor on_device(const Tensor& tensor, c10::Device device) {
  const c10::DeviceGuard guard(device);
  const size_t bytes = tensor.storage().nbytes();
  c10::DataPtr data = device_allocator().allocate(bytes);
  if (bytes > 0) std::memcpy(on_the_host(data.get()), tensor.storage().data(), bytes);
  Tensor copied = at::detail::make_tensor<c10::TensorImpl>(
      c10::Storage(c10::Storage::use_byte_size_t(), bytes, std::move(data), &device_allocator(),
                   /*resizable=*/true),
      c10::DispatchKeySet(c10::DispatchKey::CUDA), tensor.dtype());
  copied.unsafeGetTensorImpl()->set_sizes_and_strides(tensor.sizes(), tensor.strides(),
                                                      tensor.storage_offset());
  return copied;
}

}  // namespace rethink::fake_cuda
