#include "tests/fake_cuda/device_memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <mutex>
#include <string>

namespace rethink::fake_cuda {
namespace {

thread_local int device_of_thread = 0;

int64_t bytes_of_device() {
  const char* given = std::getenv("FAKE_CUDA_MIB");
  return (given ? std::atoll(given) : 4096) << 20;
}

/// Returns whether FAKE_GPU_USED (tests/support/fake_nvml) says that this process's GPU fell off
/// the bus.
bool is_lost() {
  const char *file = std::getenv("FAKE_GPU_USED"), *uuid = std::getenv("CUDA_VISIBLE_DEVICES");
  if (!file || !uuid) return false;
  std::ifstream lines(file);
  for (std::string name, use; lines >> name >> use;) {
    if (name == uuid && use == "lost") return true;
  }
  return false;
}

/// Two address ranges of equal size: the device's range, which cannot be read, and the host's range
/// with the contents. Blocks of equal size are reused. All devices share the ranges.
class Arena {
 public:
  void* take(size_t bytes) {
    TORCH_CHECK(!is_lost(), "CUDA error: unspecified launch failure");
    const std::lock_guard<std::mutex> lock(mutex_);
    reserve();
    bytes = std::bit_ceil(std::max(bytes, kSmallest));
    MemoryOfDevice& memory = devices_[device_of_thread];
    const auto more = static_cast<int64_t>(bytes);
    TORCH_CHECK_WITH(OutOfMemoryError, memory.allocated + more <= bytes_of_device(),
                     "CUDA out of memory: tried to allocate ", bytes, " bytes");
    memory.allocated += more;
    memory.peak = std::max(memory.peak, memory.allocated);
    char* block = device_ + used_;
    if (const auto spare = spare_.find(bytes); spare != spare_.end()) {
      block = spare_.extract(spare).mapped();
    } else {
      used_ += bytes;
      TORCH_CHECK(used_ <= kReserved, "the fake devices have no addresses left");
    }
    blocks_[block] = {bytes, device_of_thread};
    std::memset(on_the_host(block), kPoison, bytes);
    return block;
  }

  void give_back(void* address) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto block = blocks_.extract(static_cast<char*>(address));
    const auto [bytes, device] = block.mapped();
    devices_[device].allocated -= static_cast<int64_t>(bytes);
    spare_.emplace(bytes, block.key());
  }

  char* on_the_host(void* address) const { return host_ + (static_cast<char*>(address) - device_); }

  MemoryOfDevice memory(int device) {
    const std::lock_guard<std::mutex> lock(mutex_);
    devices_[device].total = bytes_of_device();
    return devices_[device];
  }
  void reset_peak(int device) {
    const std::lock_guard<std::mutex> lock(mutex_);
    devices_[device].peak = devices_[device].allocated;
  }

 private:
  static constexpr size_t kSmallest = 512, kReserved = size_t{16} << 30;
  static constexpr int kPoison = 0xff;  // NaN as float32 and as bfloat16, -1 as an integer

  void reserve() {
    TORCH_CHECK(owner_ == 0 || owner_ == getpid(),
                "CUDA was initialized before the fork, and cannot be used after it");
    if (owner_ != 0) return;
    owner_ = getpid();
    device_ = new_range(PROT_NONE);
    host_ = new_range(PROT_READ | PROT_WRITE);
  }

  static char* new_range(int protection) {
    void* range =
        mmap(nullptr, kReserved, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    TORCH_CHECK(range != MAP_FAILED, "mmap: ", std::strerror(errno));
    return static_cast<char*>(range);
  }

  struct Block {
    size_t bytes = 0;
    int device = 0;
  };
  std::mutex mutex_;
  pid_t owner_ = 0;
  char *device_ = nullptr, *host_ = nullptr;
  size_t used_ = 0;
  std::map<char*, Block> blocks_;
  std::multimap<size_t, char*> spare_;
  std::map<int, MemoryOfDevice> devices_;
};

/// Never destroyed, since static tensors free their memory later.
Arena& arena() {
  static Arena* const only = new Arena;
  return *only;
}

void give_back(void* block) {
  if (block) arena().give_back(block);
}

class DeviceAllocator : public c10::Allocator {
 public:
  c10::DataPtr allocate(size_t bytes) override {
    void* block = bytes == 0 ? nullptr : arena().take(bytes);
    const c10::Device device(c10::kCUDA, static_cast<c10::DeviceIndex>(device_of_thread));
    return {block, block, &give_back, device};
  }
  c10::DeleterFnPtr raw_deleter() const override { return &give_back; }
  void copy_data(void* into, const void* from, size_t bytes) const override {
    std::memcpy(arena().on_the_host(into), arena().on_the_host(const_cast<void*>(from)), bytes);
  }
};

/// Start and size of each page-locked block.
struct PinnedBlocks {
  std::mutex mutex;
  std::map<const char*, size_t> sizes;
};
PinnedBlocks& pinned_blocks() {
  static PinnedBlocks* const only = new PinnedBlocks;
  return *only;
}

void free_pinned(void* block) {
  const std::lock_guard<std::mutex> lock(pinned_blocks().mutex);
  pinned_blocks().sizes.erase(static_cast<const char*>(block));
  std::free(block);
}

class PinnedAllocator : public at::HostAllocator {
 public:
  c10::DataPtr allocate(size_t bytes) override {
    if (bytes == 0) return {nullptr, c10::Device(c10::kCPU)};
    void* block = std::malloc(bytes);
    const std::lock_guard<std::mutex> lock(pinned_blocks().mutex);
    pinned_blocks().sizes[static_cast<const char*>(block)] = bytes;
    return {block, block, &free_pinned, c10::Device(c10::kCPU)};
  }
  c10::DeleterFnPtr raw_deleter() const override { return &free_pinned; }
  void copy_data(void* into, const void* from, size_t bytes) const override {
    std::memcpy(into, from, bytes);
  }
  bool record_event(void*, void*, c10::Stream) override { return true; }
  void empty_cache() override {}
  at::HostStats get_stats() override { return {}; }
  void reset_accumulated_stats() override {}
  void reset_peak_stats() override {}
};

}  // namespace

void* on_the_host(void* address) {
  return address ? arena().on_the_host(address) : nullptr;
}

c10::Allocator& device_allocator() {
  static DeviceAllocator allocator;
  return allocator;
}

at::HostAllocator& pinned_allocator() {
  static PinnedAllocator allocator;
  return allocator;
}

bool is_pinned(const void* address) {
  const std::lock_guard<std::mutex> lock(pinned_blocks().mutex);
  const auto& sizes = pinned_blocks().sizes;
  const auto* byte = static_cast<const char*>(address);
  auto block = sizes.upper_bound(byte);
  if (block == sizes.begin()) return false;
  --block;
  return byte < block->first + block->second;
}

int device_count() {
  const char* visible = std::getenv("CUDA_VISIBLE_DEVICES");
  if (visible) {
    const std::string names = visible;
    if (names.empty() || names.starts_with("-")) return 0;
    return 1 + static_cast<int>(std::ranges::count(names, ','));
  }
  const char* given = std::getenv("FAKE_GPUS");
  const std::string all = given ? given : "";
  return 1 + static_cast<int>(std::ranges::count(all, ';'));
}

int current_device() {
  return device_of_thread;
}

void set_current_device(int device) {
  TORCH_CHECK(device >= 0 && device < device_count(), "CUDA: invalid device ordinal ", device);
  device_of_thread = device;
}

MemoryOfDevice memory_of_current_device() {
  return arena().memory(device_of_thread);
}

void reset_peak_of_current_device() {
  arena().reset_peak(device_of_thread);
}

}  // namespace rethink::fake_cuda
