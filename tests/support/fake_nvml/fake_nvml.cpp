// A driver library of a machine with GPUs that are not there: what NVML would say, from
// FAKE_GPUS="NAME=UUID;NAME=UUID". Found by LD_LIBRARY_PATH under the name of the real one.
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace {

struct FakeGpu {
  std::string name, uuid;
};

const std::vector<FakeGpu>& fake_gpus() {
  static const std::vector<FakeGpu> gpus = [] {
    std::vector<FakeGpu> all;
    const char* const given = std::getenv("FAKE_GPUS");
    const std::string text = given ? given : "";
    for (size_t begin = 0; begin < text.size();) {
      const size_t end = std::min(text.find(';', begin), text.size());
      const size_t equals = text.find('=', begin);
      all.push_back(
          {text.substr(begin, equals - begin), text.substr(equals + 1, end - equals - 1)});
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

}  // namespace

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
int nvmlDeviceGetMemoryInfo(void*, Memory* memory) {
  *memory = {80ULL << 30, 79ULL << 30, 1ULL << 30};
  return 0;
}
}
