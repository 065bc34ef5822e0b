// A driver library of a machine with GPUs that are not there: what NVML would say, from
// FAKE_GPUS="NAME=UUID;NAME=UUID". "NAME=UUID+" has MIG on, and its MIG devices stand behind it, each
// after a +: "NAME=UUID+MIG-1+MIG-2". FAKE_GPU_USED names a file with what others use at the moment, lines of
// a UUID and MiB; 1 GiB where it says nothing. Found by LD_LIBRARY_PATH under the name of the real one.
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

unsigned long long used_bytes(const std::string& uuid) {
  const char* const file = std::getenv("FAKE_GPU_USED");
  std::ifstream lines(file ? file : "");
  unsigned long long mib = 0;
  for (std::string name; lines >> name >> mib;) {
    if (name == uuid) return mib << 20;
  }
  return 1ULL << 30;
}

}  // namespace

constexpr int kNotFound = 6;

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
  const unsigned long long used = std::min(kTotal, used_bytes(gpu_of(device).uuid));
  *memory = {kTotal, kTotal - used, used};
  return 0;
}
int nvmlDeviceGetMigMode(void* device, unsigned* current, unsigned* pending) {
  *current = *pending = gpu_of(device).has_mig ? 1 : 0;
  return 0;
}
// As on an A100: seven, and each second one is not there.
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
