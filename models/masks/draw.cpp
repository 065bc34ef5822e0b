#include "models/masks/draw.h"

#include <limits>
#include <unordered_set>

#include "core/philox.h"
#include "core/system/hash.h"

namespace rethink {

MaskDraw::MaskDraw(int64_t seed, const std::string& pattern)
    : seed_(static_cast<uint64_t>(seed)), stream_(crc32c("mask/" + pattern)) {}

int64_t MaskDraw::below(int64_t bound) {
  const uint64_t range = static_cast<uint64_t>(bound);
  // The last, incomplete round of the range is drawn again.
  const uint64_t end = std::numeric_limits<uint64_t>::max() / range * range;
  for (;;) {
    const PhiloxBlock block = philox({seed_, stream_}, counter_++);
    const uint64_t number = (static_cast<uint64_t>(block.word[0]) << 32) | block.word[1];
    if (number < end) return static_cast<int64_t>(number % range);
  }
}

std::vector<int64_t> MaskDraw::distinct(int64_t count, int64_t bound) {
  std::vector<int64_t> drawn;
  std::unordered_set<int64_t> seen;
  while (static_cast<int64_t>(drawn.size()) < count) {
    const int64_t number = below(bound);
    if (seen.insert(number).second) drawn.push_back(number);
  }
  return drawn;
}

}  // namespace rethink
