#include "experiments/schedule/gpu.h"

#include <dlfcn.h>

#include <charconv>
#include <cstdlib>
#include <sstream>

namespace rethink {
namespace {

// The few declarations of nvml.h that are needed; NVML keeps them stable.
using NvmlDevice = void*;
struct NvmlMemory {
  unsigned long long total, free, used;
};
constexpr int kNvmlSuccess = 0;

class Nvml {
 public:
  Nvml() : library_(dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL)) {
    if (!library_) return;
    load(init_, "nvmlInit_v2");
    load(shutdown_, "nvmlShutdown");
    load(count_, "nvmlDeviceGetCount_v2");
    load(device_, "nvmlDeviceGetHandleByIndex_v2");
    load(uuid_, "nvmlDeviceGetUUID");
    load(name_, "nvmlDeviceGetName");
    load(memory_, "nvmlDeviceGetMemoryInfo");
    ready_ = complete_ && init_() == kNvmlSuccess;
  }
  ~Nvml() {
    if (ready_) shutdown_();
    if (library_) dlclose(library_);
  }
  Nvml(const Nvml&) = delete;
  Nvml& operator=(const Nvml&) = delete;

  std::vector<Gpu> gpus() const {
    std::vector<Gpu> found;
    unsigned count = 0;
    if (!ready_ || count_(&count) != kNvmlSuccess) return found;
    for (unsigned index = 0; index < count; ++index) {
      NvmlDevice device = nullptr;
      char uuid[96] = {}, name[96] = {};
      NvmlMemory memory{};
      if (device_(index, &device) != kNvmlSuccess ||
          uuid_(device, uuid, sizeof uuid) != kNvmlSuccess ||
          name_(device, name, sizeof name) != kNvmlSuccess ||
          memory_(device, &memory) != kNvmlSuccess) {
        continue;  // a GPU that is lost, or that this user may not see
      }
      found.push_back(
          {.uuid = uuid, .name = name, .total_bytes = memory.total, .free_bytes = memory.free});
    }
    return found;
  }

 private:
  template <typename Function>
  void load(Function& function, const char* name) {
    function = reinterpret_cast<Function>(dlsym(library_, name));
    complete_ = complete_ && function;
  }

  void* library_;
  bool complete_ = true, ready_ = false;
  int (*init_)() = nullptr;
  int (*shutdown_)() = nullptr;
  int (*count_)(unsigned*) = nullptr;
  int (*device_)(unsigned, NvmlDevice*) = nullptr;
  int (*uuid_)(NvmlDevice, char*, unsigned) = nullptr;
  int (*name_)(NvmlDevice, char*, unsigned) = nullptr;
  int (*memory_)(NvmlDevice, NvmlMemory*) = nullptr;
};

}  // namespace

std::vector<Gpu> visible_gpus(const std::vector<Gpu>& all, const std::string& visible) {
  std::vector<Gpu> chosen;
  std::istringstream names(visible);
  for (std::string name; std::getline(names, name, ',');) {
    size_t index = 0;
    const char* end = name.data() + name.size();
    const bool is_index = !name.empty() && std::from_chars(name.data(), end, index).ptr == end;
    bool found = false;
    for (size_t position = 0; position < all.size() && !found; ++position) {
      found = is_index ? position == index : !name.empty() && all[position].uuid.starts_with(name);
      if (found) chosen.push_back(all[position]);
    }
    if (!found) break;  // as CUDA does: what stands after an unknown device is not seen either
  }
  return chosen;
}

std::vector<Gpu> find_gpus() {
  const std::vector<Gpu> all = Nvml().gpus();
  const char* visible = std::getenv("CUDA_VISIBLE_DEVICES");
  return visible ? visible_gpus(all, visible) : all;
}

bool can_use_gpu(const std::filesystem::path& programs) {
  return std::filesystem::exists(programs / "librethink_cuda.so") && !find_gpus().empty();
}

}  // namespace rethink
