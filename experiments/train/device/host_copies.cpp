#include "experiments/train/device/host_copies.h"

#include <ATen/ATen.h>

#include "experiments/train/device/device.h"

namespace rethink {

void HostCopies::add(const std::vector<at::Tensor>& tensors, const Use& use) {
  std::vector<at::Tensor> on_host;
  for (const at::Tensor& tensor : tensors) {
    if (device_.is_cpu()) {
      on_host.push_back(tensor.contiguous());
      continue;
    }
    at::Tensor copy = at::empty(
        tensor.sizes(), at::TensorOptions().dtype(tensor.scalar_type()).pinned_memory(true));
    copy.copy_(tensor, /*non_blocking=*/true);
    bytes_ += static_cast<int64_t>(copy.nbytes());
    on_host.push_back(std::move(copy));
  }
  if (device_.is_cpu()) return use(on_host);
  waiting_.emplace_back(std::move(on_host), use);
  if (bytes_ > kMostBytes) finish();
}

void HostCopies::finish() {
  if (waiting_.empty()) return;
  synchronize(device_);
  for (const auto& [on_host, use] : waiting_) use(on_host);
  waiting_.clear();
  bytes_ = 0;
}

}  // namespace rethink
