// What the trainer asks of a GPU beyond operators. librethink_cuda.so implements it; programs reach
// it with dlopen and the one extern "C" function below, so that none of them links a CUDA library.
// Implemented in device_backend_cuda.cpp.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace rethink {

/// A queue of work on the device.
class DeviceStream {
 public:
  virtual ~DeviceStream() = default;
  /// Work that `body` starts goes to this stream; the caller's own stream is current again
  /// afterwards.
  virtual void run(const std::function<void()>& body) = 0;
  /// What is queued here later waits for what the caller's current stream holds now; and the
  /// reverse.
  virtual void wait_for_current() = 0;
  virtual void make_current_wait() = 0;
};

/// Work that was recorded once and is started again by one call, reading and writing the same
/// memory.
class DeviceGraph {
 public:
  virtual ~DeviceGraph() = default;
  /// Requires: `body` waits for nothing on the host, and ran before at least once.
  virtual void record(const std::function<void()>& body) = 0;
  virtual void replay() = 0;
};

struct DeviceMemory {
  int64_t allocated = 0;        // by this process's tensors [bytes]
  int64_t tensors_peak = 0;     // most that they took at once [bytes]
  int64_t peak = 0;             // most that this process took, with its context [bytes]
  int64_t free = 0, total = 0;  // of the device, all processes [bytes]
};

/// The current device of this process. Not thread-safe.
class DeviceBackend {
 public:
  virtual ~DeviceBackend() = default;
  virtual std::string name() = 0;  // "NVIDIA H100 80GB HBM3"
  virtual void synchronize() = 0;
  /// How often `body` makes the host wait for the device.
  virtual int64_t count_waits(const std::function<void()>& body) = 0;
  virtual std::unique_ptr<DeviceStream> new_stream() = 0;
  virtual std::unique_ptr<DeviceGraph> new_graph() = 0;
  virtual DeviceMemory memory() = 0;
  virtual void reset_peak_memory() = 0;
  /// LibTorch's generator on the device, as bytes: u8 [n] on the host.
  virtual at::Tensor generator_state() = 0;
  virtual void set_generator_state(const at::Tensor& state) = 0;
  virtual void seed_generator(uint64_t seed) = 0;
  /// Page-locked host memory, from which copies to the device run beside other work.
  virtual at::Tensor pinned(at::IntArrayRef sizes, at::ScalarType dtype) = 0;
};

constexpr const char* kDeviceBackendEntry = "rethink_device_backend";
using DeviceBackendEntry =
    DeviceBackend*();  // lives as long as the process; null where no device can be used

}  // namespace rethink
