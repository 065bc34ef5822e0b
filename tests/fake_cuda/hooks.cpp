// The fake GPU's interface to LibTorch and the worker, beside operators: hooks, guard, allocators,
// generator.
#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>
#include <ATen/detail/CUDAHooksInterface.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>

#include <algorithm>

#include "kernels/device/device_backend.h"
#include "tests/fake_cuda/device_memory.h"
#include "tests/fake_cuda/report.h"

namespace rethink::fake_cuda {
namespace {

c10::Device device_number(int number) {
  return {c10::kCUDA, static_cast<c10::DeviceIndex>(number)};
}

/// Each device has one stream, so no stream waits for another.
class Guard : public c10::impl::DeviceGuardImplInterface {
 public:
  c10::DeviceType type() const override { return c10::kCUDA; }
  c10::Device exchangeDevice(c10::Device device) const override {
    const c10::Device before = getDevice();
    setDevice(device);
    return before;
  }
  c10::Device getDevice() const override { return device_number(current_device()); }
  void setDevice(c10::Device device) const override { set_current_device(device.index()); }
  void uncheckedSetDevice(c10::Device device) const noexcept override {
    set_current_device(device.index());
  }
  c10::Stream getStream(c10::Device device) const override {
    return c10::Stream(c10::Stream::DEFAULT,
                       device.has_index() ? device : device_number(current_device()));
  }
  c10::Stream exchangeStream(c10::Stream stream) const override { return stream; }
  c10::DeviceIndex deviceCount() const noexcept override {
    return static_cast<c10::DeviceIndex>(device_count());
  }
};
C10_REGISTER_GUARD_IMPL(CUDA, Guard);

const at::Generator& generator_of(int device) {
  static std::vector<at::Generator> all = [] {
    std::vector<at::Generator> made;
    for (int i = 0; i < std::max(1, device_count()); ++i)
      made.push_back(at::make_generator<at::CPUGeneratorImpl>());
    return made;
  }();
  return all.at(static_cast<size_t>(device < 0 ? current_device() : device));
}

class Hooks : public at::CUDAHooksInterface {
 public:
  explicit Hooks(at::CUDAHooksArgs) {}
  void init() const override {}
  bool isBuilt() const override { return true; }
  bool isAvailable() const override { return device_count() > 0; }
  bool hasCUDA() const override { return true; }
  bool hasPrimaryContext(c10::DeviceIndex) const override { return true; }
  c10::DeviceIndex deviceCount() const override {
    return static_cast<c10::DeviceIndex>(device_count());
  }
  int getNumGPUs() const override { return device_count(); }
  c10::DeviceIndex current_device() const override { return getCurrentDevice(); }
  c10::DeviceIndex getCurrentDevice() const override {
    return static_cast<c10::DeviceIndex>(fake_cuda::current_device());
  }
  void setCurrentDevice(c10::DeviceIndex device) const override { set_current_device(device); }
  const at::Generator& getDefaultGenerator(c10::DeviceIndex device) const override {
    return generator_of(device);
  }
  bool isPinnedPtr(const void* address) const override { return is_pinned(address); }
  at::Allocator* getPinnedMemoryAllocator() const override { return &pinned_allocator(); }
  at::Allocator* getCUDADeviceAllocator() const override { return &device_allocator(); }
};

const bool are_allocators_set = [] {
  c10::SetAllocator(c10::kCUDA, &device_allocator());
  at::setHostAllocator(c10::kCUDA, &pinned_allocator());
  return true;
}();

/// Workers request neither streams nor graphs of it.
class Backend : public DeviceBackend {
 public:
  std::string name() override { return "fake GPU"; }
  void synchronize() override { report_wait("synchronize"); }
  int64_t count_waits(const std::function<void()>& body) override {
    const int64_t before = waits();
    body();
    return waits() - before;
  }
  std::unique_ptr<DeviceStream> new_stream() override { TORCH_CHECK(false, "a fake GPU"); }
  std::unique_ptr<DeviceGraph> new_graph() override { TORCH_CHECK(false, "a fake GPU"); }
  DeviceMemory memory() override {
    const MemoryOfDevice memory = memory_of_current_device();
    return {memory.allocated, memory.peak, memory.peak + kContextBytes,
            memory.total - memory.allocated, memory.total};
  }
  void reset_peak_memory() override { reset_peak_of_current_device(); }
  at::Tensor generator_state() override { return generator_of(-1).get_state(); }
  void set_generator_state(const at::Tensor& state) override {
    at::Generator(generator_of(-1)).set_state(state);
  }
  void seed_generator(uint64_t seed) override {
    at::Generator(generator_of(-1)).set_current_seed(seed);
  }
  at::Tensor pinned(at::IntArrayRef sizes, at::ScalarType dtype) override {
    return at::empty(sizes, at::TensorOptions(dtype).pinned_memory(true));
  }

 private:
  static constexpr int64_t kContextBytes = 600 << 20;  // as a real one (device_backend_cuda.cpp)
};

}  // namespace
}  // namespace rethink::fake_cuda

namespace at {
// LibTorch finds the hooks by this name.
using CUDAHooks = rethink::fake_cuda::Hooks;
REGISTER_CUDA_HOOKS(CUDAHooks)
}  // namespace at

extern "C" __attribute__((visibility("default"))) rethink::DeviceBackend* rethink_device_backend() {
  if (rethink::fake_cuda::device_count() == 0) return nullptr;
  static rethink::fake_cuda::Backend backend;
  return &backend;
}
