// Memory of the fake devices, and page-locked host memory.
#pragma once

#include <ATen/core/CachingHostAllocator.h>
#include <c10/core/Allocator.h>

#include <cstdint>

namespace rethink::fake_cuda {

/// Returns the host's address of the device memory at `address`. The device's own addresses are not
/// readable: a program that reads them gets SIGSEGV, as with a GPU.
void* on_the_host(void* address);

/// Allocates memory on the thread's current device, filled with NaN. Throws OutOfMemoryError above
/// FAKE_CUDA_MIB per device (default 4,096).
c10::Allocator& device_allocator();
at::HostAllocator& pinned_allocator();
bool is_pinned(const void* address);

/// Returns the devices of FAKE_GPUS (tests/support/fake_nvml) that CUDA_VISIBLE_DEVICES selects.
int device_count();
int current_device();
void set_current_device(int device);

struct MemoryOfDevice {
  int64_t allocated = 0, peak = 0, total = 0;  // [bytes]
};
MemoryOfDevice memory_of_current_device();
void reset_peak_of_current_device();

}  // namespace rethink::fake_cuda
