// The trainer's interface to a GPU beyond operators: streams, recorded work, memory and random
// states. The plug-in librethink_cuda.so implements it (device_backend_cuda.cpp). Programs open the
// plug-in with dlopen and call the extern "C" function below, so that no program links a CUDA
// library.
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
  /// Calls `body`, whose work goes to this stream. Afterwards the caller's stream is current again.
  virtual void run(const std::function<void()>& body) = 0;
  /// Makes later work of this stream wait for the present work of the caller's current stream; and
  /// the reverse.
  virtual void wait_for_current() = 0;
  virtual void make_current_wait() = 0;
};

/// Recorded work (a CUDA graph). One call starts the work again, on the same memory.
class DeviceGraph {
 public:
  virtual ~DeviceGraph() = default;
  /// Records the work of `body`. Requires: `body` does not make the host wait, and has run before.
  virtual void record(const std::function<void()>& body) = 0;
  virtual void replay() = 0;
};

struct DeviceMemory {
  int64_t allocated = 0;        // memory of this process's tensors [bytes]
  int64_t tensors_peak = 0;     // peak memory of its tensors [bytes]
  int64_t peak = 0;             // peak memory of this process, with its context [bytes]
  int64_t free = 0, total = 0;  // memory of the device, for all processes [bytes]
};

/// The current device of this process. Not thread-safe.
class DeviceBackend {
 public:
  virtual ~DeviceBackend() = default;
  virtual std::string name() = 0;  // "NVIDIA H100 80GB HBM3"
  virtual void synchronize() = 0;
  /// Returns how often `body` makes the host wait for the device.
  virtual int64_t count_waits(const std::function<void()>& body) = 0;
  virtual std::unique_ptr<DeviceStream> new_stream() = 0;
  virtual std::unique_ptr<DeviceGraph> new_graph() = 0;
  virtual DeviceMemory memory() = 0;
  virtual void reset_peak_memory() = 0;
  /// State of LibTorch's generator on the device, as bytes: u8 [n] on the host.
  virtual at::Tensor generator_state() = 0;
  virtual void set_generator_state(const at::Tensor& state) = 0;
  virtual void seed_generator(uint64_t seed) = 0;
  /// Returns page-locked host memory. Copies from it to the device run concurrently with other
  /// work.
  virtual at::Tensor pinned(at::IntArrayRef sizes, at::ScalarType dtype) = 0;
};

constexpr const char* kDeviceBackendEntry = "rethink_device_backend";
using DeviceBackendEntry =
    DeviceBackend*();  // lives as long as the process; null where no device can be used

}  // namespace rethink
