#include "experiments/train/device/host_copies.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

namespace rethink {
namespace {

TEST(HostCopies, PassHostTensorsOnAtOnceAndInOrder) {
  HostCopies copies(at::kCPU);
  std::vector<double> seen;
  for (const double value : {1.0, 2.0}) {
    copies.add({at::full({2, 3}, value).t(), at::full({1}, -value)},
               [&seen](const std::vector<at::Tensor>& on_host) {
                 EXPECT_TRUE(on_host[0].is_contiguous());
                 seen.push_back(on_host[0].sum().item<double>() + on_host[1].item<double>());
               });
    EXPECT_EQ(seen.back(), 5 * value);
  }
  copies.finish();
  EXPECT_EQ(seen, (std::vector<double>{5, 10}));
}

}  // namespace
}  // namespace rethink
