#include <ATen/ATen.h>
#include <ATen/cuda/CUDAGraph.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#include <cuda_runtime_api.h>

#include "kernels/device/device_backend.h"

namespace rethink {
namespace {

using c10::cuda::CUDAStream;

void check(cudaError_t status) {
  TORCH_CHECK(status == cudaSuccess, "CUDA: ", cudaGetErrorString(status));
}

/// Makes `later` wait for the present work of `earlier`.
void order(const CUDAStream& earlier, const CUDAStream& later) {
  cudaEvent_t event = nullptr;
  check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  const cudaError_t recorded = cudaEventRecord(event, earlier.stream());
  const cudaError_t waiting =
      recorded == cudaSuccess ? cudaStreamWaitEvent(later.stream(), event, 0) : recorded;
  check(cudaEventDestroy(event));
  check(waiting);
}

class CudaStream : public DeviceStream {
 public:
  CudaStream() : stream_(c10::cuda::getStreamFromPool()) {}
  void run(const std::function<void()>& body) override {
    const c10::cuda::CUDAStreamGuard guard(stream_);
    body();
  }
  void wait_for_current() override { order(c10::cuda::getCurrentCUDAStream(), stream_); }
  void make_current_wait() override { order(stream_, c10::cuda::getCurrentCUDAStream()); }

 private:
  CUDAStream stream_;
};

class CudaGraph : public DeviceGraph {
 public:
  void record(const std::function<void()>& body) override {
    // A graph cannot be recorded on the default stream.
    const CUDAStream stream = c10::cuda::getStreamFromPool();
    order(c10::cuda::getCurrentCUDAStream(), stream);
    {
      const c10::cuda::CUDAStreamGuard guard(stream);
      graph_.capture_begin();
      body();
      graph_.capture_end();
    }
    order(stream, c10::cuda::getCurrentCUDAStream());
  }
  void replay() override { graph_.replay(); }

 private:
  at::cuda::CUDAGraph graph_;
};

/// Approximate memory of a CUDA context with LibTorch's kernels loaded. No call returns it for one
/// process.
constexpr int64_t kContextBytes = 600 << 20;

/// Counts calls that make the host wait, while an object of this class exists. LibTorch can warn of
/// each such call. Warnings of the backward pass's threads arrive in the thread that started the
/// pass.
class WaitCounter : public c10::WarningHandler {
 public:
  WaitCounter() : guard_(this), before_(state().get_sync_debug_mode()) {
    state().set_sync_debug_mode(c10::cuda::SyncDebugMode::L_WARN);
  }
  ~WaitCounter() override { state().set_sync_debug_mode(before_); }
  void process(const c10::Warning& warning) override {
    if (warning.msg().find("synchronizing CUDA operation") != std::string::npos) {
      ++count_;
    } else {
      c10::WarningHandler::process(warning);
    }
  }
  int64_t count() const { return count_; }

 private:
  static c10::cuda::WarningState& state() { return c10::cuda::warning_state(); }
  const c10::WarningUtils::WarningHandlerGuard guard_;
  const c10::cuda::SyncDebugMode before_;
  int64_t count_ = 0;
};

class CudaBackend : public DeviceBackend {
 public:
  std::string name() override {
    cudaDeviceProp properties;
    check(cudaGetDeviceProperties(&properties, c10::cuda::current_device()));
    return properties.name;
  }
  void synchronize() override { c10::cuda::device_synchronize(); }
  int64_t count_waits(const std::function<void()>& body) override {
    const WaitCounter counter;
    body();
    return counter.count();
  }
  std::unique_ptr<DeviceStream> new_stream() override { return std::make_unique<CudaStream>(); }
  std::unique_ptr<DeviceGraph> new_graph() override { return std::make_unique<CudaGraph>(); }

  DeviceMemory memory() override {
    size_t free = 0, total = 0;
    check(cudaMemGetInfo(&free, &total));
    const auto stats = c10::cuda::CUDACachingAllocator::getDeviceStats(c10::cuda::current_device());
    // [0] is the aggregate over pools. Other processes cannot use reserved memory, whether tensors
    // use it or not.
    return {stats.allocated_bytes[0].current, stats.allocated_bytes[0].peak,
            stats.reserved_bytes[0].peak + kContextBytes, static_cast<int64_t>(free),
            static_cast<int64_t>(total)};
  }
  void reset_peak_memory() override {
    c10::cuda::CUDACachingAllocator::resetPeakStats(c10::cuda::current_device());
  }

  at::Tensor generator_state() override { return generator().get_state(); }
  void set_generator_state(const at::Tensor& state) override { generator().set_state(state); }
  void seed_generator(uint64_t seed) override { generator().set_current_seed(seed); }

  at::Tensor pinned(at::IntArrayRef sizes, at::ScalarType dtype) override {
    return at::empty(sizes, at::TensorOptions(dtype).pinned_memory(true));
  }

 private:
  static at::Generator generator() {
    return at::globalContext().defaultGenerator(at::Device(at::kCUDA, c10::cuda::current_device()));
  }
};

}  // namespace
}  // namespace rethink

extern "C" __attribute__((visibility("default"))) rethink::DeviceBackend* rethink_device_backend() {
  if (c10::cuda::device_count() == 0) return nullptr;
  at::globalContext().lazyInitDevice(at::kCUDA);
  static rethink::CudaBackend backend;
  return &backend;
}
