#include "models/transfers.h"

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
    const bool is_float = matrix.scalar_type() == at::kFloat;
    bits.push_back(is_float ? matrix.contiguous().view(at::kInt) : matrix.to(at::kInt));
  }
  return at::cat(bits, 1);
}

std::vector<at::Tensor> split_bits(const at::Tensor& bits, const std::vector<at::Tensor>& like) {
  std::vector<at::Tensor> matrices;
  int64_t column = 0;
  for (const at::Tensor& one : like) {
    const at::Tensor part = bits.narrow(1, column, one.size(1)).contiguous();
    column += one.size(1);
    matrices.push_back(one.scalar_type() == at::kFloat ? part.view(at::kFloat)
                                                       : part.to(one.scalar_type()));
  }
  return matrices;
}

}  // namespace rethink
