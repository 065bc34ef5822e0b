#include "experiments/schedule/gpu.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rethink {
namespace {

std::vector<std::string> seen(const std::string& visible) {
  const std::vector<Gpu> all = {{.uuid = "GPU-aa1", .name = "first"},
                                {.uuid = "GPU-bb2", .name = "second"}};
  std::vector<std::string> names;
  for (const Gpu& gpu : visible_gpus(all, visible)) names.push_back(gpu.name);
  return names;
}

TEST(Gpu, VisibleDevicesAreIndicesOrBeginningsOfUuids) {
  EXPECT_THAT(seen("1"), testing::ElementsAre("second"));
  EXPECT_THAT(seen("GPU-bb,0"), testing::ElementsAre("second", "first"));
}

TEST(Gpu, AnUnknownDeviceHidesWhatFollowsAsInCuda) {
  EXPECT_THAT(seen("0,7,1"), testing::ElementsAre("first"));
  EXPECT_THAT(seen(""), testing::ElementsAre());
  EXPECT_THAT(seen("-1"), testing::ElementsAre());
}

}  // namespace
}  // namespace rethink
