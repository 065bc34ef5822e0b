#include "models/tensors/transfers.h"

#include <ATen/ATen.h>

namespace rethink {

at::Tensor sent_to(const at::Device& device, const at::Tensor& on_host) {
  if (!device.is_cuda()) return on_host.to(device);
  at::Tensor pinned = at::empty(on_host.sizes(), on_host.options().pinned_memory(true));
  pinned.copy_(on_host);
  return pinned.to(device, /*non_blocking=*/true);
}

std::vector<at::Tensor> fetched(const std::vector<at::Tensor>& matrices) {
  if (!matrices.front().is_cpu()) return split_bits(joined_bits(matrices).to(at::kCPU), matrices);
  std::vector<at::Tensor> on_host;
  for (const at::Tensor& matrix : matrices) on_host.push_back(matrix.contiguous());
  return on_host;
}

at::Tensor joined_bits(const std::vector<at::Tensor>& matrices) {
  std::vector<at::Tensor> bits;
  for (const at::Tensor& matrix : matrices) {
    bits.push_back(matrix.is_floating_point() ? matrix.contiguous().view(at::kInt)
                                              : matrix.to(at::kInt));
  }
  return at::cat(bits, 1);
}

std::vector<at::Tensor> split_bits(const at::Tensor& bits, const std::vector<at::Tensor>& like) {
  std::vector<at::Tensor> matrices;
  int64_t column = 0;
  for (const at::Tensor& one : like) {
    const int64_t columns = one.size(1) * (one.scalar_type() == at::kDouble ? 2 : 1);
    // A copy with its own memory, since float64 must not begin in the middle of a number.
    const at::Tensor part = bits.narrow(1, column, columns).clone(at::MemoryFormat::Contiguous);
    column += columns;
    matrices.push_back(one.is_floating_point() ? part.view(one.scalar_type())
                                               : part.to(one.scalar_type()));
  }
  return matrices;
}

}  // namespace rethink
