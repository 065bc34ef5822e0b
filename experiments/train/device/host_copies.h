// Copies results of an evaluation from a device to the host. Copies are queued after the device's
// other work, so no batch waits for a copy.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace rethink {

class HostCopies {
 public:
  using Use = std::function<void(const std::vector<at::Tensor>& on_host)>;

  explicit HostCopies(const at::Device& device) : device_(device) {}
  HostCopies(const HostCopies&) = delete;
  HostCopies& operator=(const HostCopies&) = delete;

  /// Calls `use` with contiguous copies of `tensors` on the CPU, in the order of add(): at once if
  /// the tensors are on the CPU, else when finish() or a later add() has waited for the device.
  void add(const std::vector<at::Tensor>& tensors, const Use& use);
  /// Waits for the device; every copy has then been used. The caller of add() must call it.
  void finish();

 private:
  /// Limit on waiting copies, since they use page-locked memory, which is scarce.
  static constexpr int64_t kMostBytes = 256 << 20;

  const at::Device device_;
  std::vector<std::pair<std::vector<at::Tensor>, Use>> waiting_;
  int64_t bytes_ = 0;  // of all waiting copies
};

}  // namespace rethink
