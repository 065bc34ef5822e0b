// Loading of the fake device into a test's own process.
#pragma once

#include <dlfcn.h>

#include <cstdlib>
#include <stdexcept>

#include "kernels/device/device_backend.h"

namespace rethink {

/// Opens the fake device before LibTorch looks for CUDA, as the worker does.
inline DeviceBackend& fake_device() {
  static DeviceBackend* const backend = [] {
    unsetenv("CUDA_VISIBLE_DEVICES");
    setenv("FAKE_GPUS", "H100=GPU-aa1;H100=GPU-bb2", /*overwrite=*/1);
    setenv("FAKE_CUDA_MIB", "64", /*overwrite=*/1);
    void* plugin =
        dlopen(RETHINK_BINARY_DIR "/fake_cuda/librethink_cuda.so", RTLD_NOW | RTLD_GLOBAL);
    if (!plugin) throw std::runtime_error(dlerror());
    return reinterpret_cast<DeviceBackendEntry*>(dlsym(plugin, kDeviceBackendEntry))();
  }();
  return *backend;
}

}  // namespace rethink
