#include "datasets/lanes.h"

#include <algorithm>

#include "core/error.h"

namespace rethink {

std::vector<std::vector<uint32_t>> lane_batches(size_t segments, int64_t lanes) {
  RETHINK_ASSERT(lanes > 0, "lanes of a stream");
  const size_t count = std::min(static_cast<size_t>(lanes), segments);
  if (count == 0) return {};
  const size_t least = segments / count, longer = segments % count;  // the first lanes
  std::vector<std::vector<uint32_t>> batches(least + (longer > 0 ? 1 : 0));
  size_t segment = 0;
  for (size_t lane = 0; lane < count; ++lane) {
    const size_t length = least + (lane < longer ? 1 : 0);
    for (size_t place = 0; place < length; ++place)
      batches[place].push_back(static_cast<uint32_t>(segment++));
  }
  return batches;
}

}  // namespace rethink
