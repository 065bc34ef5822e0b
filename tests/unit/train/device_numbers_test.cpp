// Numbers of a device are read in their order, exactly.
#include "experiments/train/device/device_numbers.h"

#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rethink {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

TEST(DeviceNumbers, AreReadInOrderAndExactly) {
  DeviceNumbers numbers;
  const double third = 1.0 / 3.0;
  numbers.add("loss", at::full({}, third, at::kDouble), /*divisor=*/7.0);
  numbers.add("norm", at::full({1}, 0.1f, at::kFloat).requires_grad_());
  numbers.add("count", at::full({}, 3, at::kLong));
  EXPECT_THAT(numbers.read(),
              ElementsAre(Pair("loss", third / 7.0), Pair("norm", static_cast<double>(0.1f)),
                          Pair("count", 3.0)));
}

TEST(DeviceNumbers, MayBeEmpty) {
  EXPECT_THAT(DeviceNumbers().read(), IsEmpty());
}

}  // namespace
}  // namespace rethink
