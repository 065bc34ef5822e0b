// Memory of the fake devices, and page-locked memory of the host.
#pragma once

#include <ATen/core/CachingHostAllocator.h>
#include <c10/core/Allocator.h>

#include <cstdint>

namespace rethink::fake_cuda {

/// Where the host finds what the device has at `address`. The device's own addresses hold nothing: a
/// program that reads them dies of SIGSEGV, as with a GPU.
void* on_the_host(void* address);

/// Allocates on the thread's current device, full of NaN. Throws OutOfMemoryError above the
/// FAKE_CUDA_MIB of one device (4,096 where it is not set).
c10::Allocator& device_allocator();
at::HostAllocator& pinned_allocator();
bool is_pinned(const void* address);

/// The devices that CUDA_VISIBLE_DEVICES shows of those in FAKE_GPUS (tests/support/fake_nvml).
int device_count();
int current_device();
void set_current_device(int device);

struct MemoryOfDevice {
  int64_t allocated = 0, peak = 0, total = 0;  // [bytes]
};
MemoryOfDevice memory_of_current_device();
void reset_peak_of_current_device();

}  // namespace rethink::fake_cuda
