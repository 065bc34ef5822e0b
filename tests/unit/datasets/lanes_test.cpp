#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <numeric>

#include "datasets/batching.h"

namespace rethink {
namespace {

using testing::ElementsAre;

RC_GTEST_PROP(Lanes, AreContiguousAndCoverTheStreamOnce, ()) {
  const auto segments = *rc::gen::inRange<size_t>(1, 200);
  const auto lanes = *rc::gen::inRange<int64_t>(1, 40);
  const auto batches = lane_batches(segments, lanes);
  std::vector<std::vector<uint32_t>> read(batches.front().size());
  for (size_t place = 0; place < batches.size(); ++place) {
    RC_ASSERT(!batches[place].empty());
    for (size_t row = 0; row < batches[place].size(); ++row) {
      RC_ASSERT(read[row].size() == place);  // every batch before it had this row
      read[row].push_back(batches[place][row]);
    }
  }
  std::vector<uint32_t> whole, all(segments);
  for (const auto& lane : read) whole.insert(whole.end(), lane.begin(), lane.end());
  std::iota(all.begin(), all.end(), 0u);
  RC_ASSERT(whole == all);
  // There are as many batches as without lanes.
  RC_ASSERT(static_cast<int64_t>(batches.size()) == num_batches(segments, {.batch = lanes}));
}

TEST(Lanes, OfAStreamAreOfLikeLength) {
  EXPECT_THAT(lane_batches(7, 3),
              ElementsAre(ElementsAre(0, 3, 5), ElementsAre(1, 4, 6), ElementsAre(2)));
  EXPECT_THAT(lane_batches(2, 5), ElementsAre(ElementsAre(0, 1)));
  EXPECT_THAT(lane_batches(0, 5), ElementsAre());
}

}  // namespace
}  // namespace rethink
