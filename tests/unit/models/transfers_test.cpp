#include "models/tensors/transfers.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <limits>

namespace rethink {
namespace {

TEST(Transfers, LeaveTensorsOfTheHost) {
  const at::Tensor integers = at::arange(6).view({2, 3});
  EXPECT_TRUE(sent_to(at::kCPU, integers).is_same(integers));
  const std::vector<at::Tensor> on_host = fetched({integers, at::randn({2, 4}).narrow(1, 1, 2)});
  EXPECT_TRUE(on_host[0].is_same(integers));
  EXPECT_TRUE(on_host[1].is_contiguous());
}

TEST(Transfers, JoinNumbersOfThreeTypesBitByBit) {
  const at::Tensor floats =
      at::tensor({-1.5f, std::numeric_limits<float>::infinity(), 3.0f, 0.25f});
  const at::Tensor tokens = at::tensor({0, 29999, 1 << 30, -1}, at::kLong);
  const std::vector<at::Tensor> parts = {floats.view({2, 2}), tokens.view({2, 2}),
                                         floats.view({2, 2}).narrow(1, 1, 1),
                                         at::tensor({0.1, -1e300}, at::kDouble).view({2, 1})};
  const std::vector<at::Tensor> again = split_bits(joined_bits(parts), parts);
  for (size_t i = 0; i < parts.size(); ++i) {
    EXPECT_EQ(again[i].scalar_type(), parts[i].scalar_type());
    EXPECT_TRUE(at::equal(again[i], parts[i])) << i;
  }
}

}  // namespace
}  // namespace rethink
