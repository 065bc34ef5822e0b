// A fake of NVML, the driver library, for machines without GPUs. It is found by LD_LIBRARY_PATH
// under the name of the real library. FAKE_GPUS="NAME=UUID;NAME=UUID" lists the GPUs. "NAME=UUID+"
// has MIG on, and its MIG devices follow, each after a +: "NAME=UUID+MIG-1+MIG-2". A "T4" has
// compute capability 7.5. FAKE_GPU_USED names a file with the memory that other processes use now:
// lines of a UUID and MiB, or "lost" for a GPU that fell off the bus. The default is 1 GiB.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

namespace {

struct FakeGpu {
  std::string name, uuid;
  bool has_mig = false;
  unsigned instance = 0;  // of a MIG device
  std::vector<FakeGpu> parts{};
};

FakeGpu gpu_in(const std::string& name, const std::string& text) {
  size_t end = std::min(text.find('+'), text.size());
  FakeGpu gpu{name, text.substr(0, end), end < text.size()};
  for (unsigned instance = 1; end < text.size(); ++instance) {
    const size_t begin = end + 1;
    end = std::min(text.find('+', begin), text.size());
    if (end > begin)
      gpu.parts.push_back(
          {name + " MIG 1g.10gb", text.substr(begin, end - begin), false, instance});
  }
  return gpu;
}

const std::vector<FakeGpu>& fake_gpus() {
  static const std::vector<FakeGpu> gpus = [] {
    std::vector<FakeGpu> all;
    const char* const given = std::getenv("FAKE_GPUS");
    const std::string text = given ? given : "";
    for (size_t begin = 0; begin < text.size();) {
      const size_t end = std::min(text.find(';', begin), text.size());
      const size_t equals = text.find('=', begin);
      all.push_back(
          gpu_in(text.substr(begin, equals - begin), text.substr(equals + 1, end - equals - 1)));
      begin = end + 1;
    }
    return all;
  }();
  return gpus;
}

int copy_text(const std::string& text, char* into, unsigned size) {
  std::strncpy(into, text.c_str(), size);
  return 0;
}

const FakeGpu& gpu_of(void* device) {
  return *static_cast<const FakeGpu*>(device);
}

/// Returns "81000" or "lost"; "1024" if the file has no line for the GPU.
std::string use_of(const std::string& uuid) {
  const char* const file = std::getenv("FAKE_GPU_USED");
  std::ifstream lines(file ? file : "");
  for (std::string name, use; lines >> name >> use;) {
    if (name == uuid) return use;
  }
  return "1024";
}

/// FAKE_DRIVER_CUDA=12: a driver that supports CUDA up to 12.
int driver_cuda() {
  const char* const given = std::getenv("FAKE_DRIVER_CUDA");
  return given ? std::atoi(given) : 13;
}

}  // namespace

constexpr int kNotFound = 6, kGpuIsLost = 15;

struct Memory {
  unsigned long long total, free, used;
};

extern "C" {

int nvmlInit_v2() {
  return 0;
}
int nvmlShutdown() {
  return 0;
}
int nvmlDeviceGetCount_v2(unsigned* count) {
  *count = static_cast<unsigned>(fake_gpus().size());
  return 0;
}
int nvmlDeviceGetHandleByIndex_v2(unsigned index, void** device) {
  *device = const_cast<FakeGpu*>(&fake_gpus().at(index));
  return 0;
}
int nvmlDeviceGetUUID(void* device, char* into, unsigned size) {
  return copy_text(gpu_of(device).uuid, into, size);
}
int nvmlDeviceGetName(void* device, char* into, unsigned size) {
  return copy_text(gpu_of(device).name, into, size);
}
int nvmlDeviceGetMemoryInfo(void* device, Memory* memory) {
  constexpr unsigned long long kTotal = 80ULL << 30;
  const std::string use = use_of(gpu_of(device).uuid);
  if (use == "lost") return kGpuIsLost;
  const unsigned long long used = std::min(kTotal, std::stoull(use) << 20);
  *memory = {kTotal, kTotal - used, used};
  return 0;
}
int nvmlDeviceGetCudaComputeCapability(void* device, int* major, int* minor) {
  const bool is_older = gpu_of(device).name == "T4";
  *major = is_older ? 7 : 9;
  *minor = is_older ? 5 : 0;
  return 0;
}
int nvmlSystemGetDriverVersion(char* into, unsigned size) {
  return copy_text(driver_cuda() < 13 ? "570.86.10" : "580.65.06", into, size);
}
int nvmlSystemGetCudaDriverVersion_v2(int* version) {
  *version = 1000 * driver_cuda();
  return 0;
}
int nvmlDeviceGetMigMode(void* device, unsigned* current, unsigned* pending) {
  *current = *pending = gpu_of(device).has_mig ? 1 : 0;
  return 0;
}
// The numbers are those of an A100: seven indices, of which every second is unused.
int nvmlDeviceGetMaxMigDeviceCount(void*, unsigned* count) {
  *count = 7;
  return 0;
}
int nvmlDeviceGetMigDeviceHandleByIndex(void* device, unsigned index, void** part) {
  const auto& parts = gpu_of(device).parts;
  if (index % 2 == 1 || index / 2 >= parts.size()) return kNotFound;
  *part = const_cast<FakeGpu*>(&parts[index / 2]);
  return 0;
}
int nvmlDeviceGetGpuInstanceId(void* device, unsigned* id) {
  *id = gpu_of(device).instance;
  return 0;
}
int nvmlDeviceGetComputeInstanceId(void*, unsigned* id) {
  *id = 0;
  return 0;
}
}
