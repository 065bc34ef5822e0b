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

  /// Has `use` called with copies of `tensors` on the CPU, contiguous: at once where they are there
  /// already, else when finish() or a later add() has waited for the device; in the order of add().
  void add(const std::vector<at::Tensor>& tensors, const Use& use);
  /// Waits for the device; every copy is used when it returns. Whoever added calls it.
  void finish();

 private:
  /// Copies wait in page-locked memory, of which a machine has little.
  static constexpr int64_t kMostBytes = 256 << 20;

  const at::Device device_;
  std::vector<std::pair<std::vector<at::Tensor>, Use>> waiting_;
  int64_t bytes_ = 0;  // of all that wait
};

}  // namespace rethink
