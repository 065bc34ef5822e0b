#include "experiments/train/jobs/bench_measures.h"

#include <c10/core/CPUAllocator.h>
#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <cmath>

namespace rethink {
namespace {

/// LibTorch's own allocator with a count. A block is identified by its address alone, as in the
/// plain allocator, since libraries return blocks to the allocator that is set at that time.
class CountingAllocator : public c10::Allocator {
 public:
  explicit CountingAllocator(c10::Allocator* plain) : plain_(plain) {}

  c10::DataPtr allocate(size_t bytes) override {
    if (held_ + static_cast<int64_t>(bytes) > limit_) {
      throw MemoryLimitError("memory-limit",
                             fmt::format("{} bytes beside {} would exceed the limit of {}", bytes,
                                         held_ - first_, limit_ - first_));
    }
    void* const block = plain_->allocate(bytes).release_context();
    const int64_t now = held_ += bytes_of(block);
    int64_t peak = peak_;
    while (now > peak && !peak_.compare_exchange_weak(peak, now)) {
    }
    return {block, block, &give_back, c10::Device(c10::DeviceType::CPU)};
  }

  c10::DeleterFnPtr raw_deleter() const override { return &give_back; }

  void copy_data(void* to, const void* from, size_t bytes) const override {
    default_copy_data(to, from, bytes);
  }

  /// Memory of tensors from an earlier count is not part of this count.
  void begin(uint64_t limit_bytes) {
    first_ = held_.load();
    peak_ = first_;
    limit_ = first_ + static_cast<int64_t>(limit_bytes);
  }
  uint64_t peak() const { return static_cast<uint64_t>(peak_ - first_); }
  c10::Allocator* plain() const { return plain_; }

 private:
  static void give_back(void* block);
  /// The size that malloc gave, which is slightly more than requested.
  static int64_t bytes_of(void* block) { return static_cast<int64_t>(malloc_usable_size(block)); }

  c10::Allocator* const plain_;
  std::atomic<int64_t> held_ = 0, peak_ = 0, limit_ = 0;
  int64_t first_ = 0;
};

/// Never freed, since tensors may need it until the end of the process.
CountingAllocator& counting_allocator() {
  static auto* const allocator = new CountingAllocator(c10::GetCPUAllocator());
  return *allocator;
}

void CountingAllocator::give_back(void* block) {
  CountingAllocator& allocator = counting_allocator();
  allocator.held_ -= bytes_of(block);
  allocator.plain_->raw_deallocate(block);
}

}  // namespace

CountedMemory::CountedMemory(uint64_t limit_bytes) {
  counting_allocator().begin(limit_bytes);
  c10::SetCPUAllocator(&counting_allocator());
}

CountedMemory::~CountedMemory() {
  c10::SetCPUAllocator(counting_allocator().plain());
}

uint64_t CountedMemory::peak_bytes() const {
  return counting_allocator().peak();
}

Quartiles quartiles_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const auto at = [&](double share) {
    const double place = share * static_cast<double>(values.size() - 1);
    const auto below = static_cast<size_t>(std::floor(place));
    const size_t above = std::min(below + 1, values.size() - 1);
    return std::lerp(values[below], values[above], place - std::floor(place));
  };
  return {at(0.25), at(0.5), at(0.75)};
}

}  // namespace rethink
