#include "kernels/transposed/transposed.h"

#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/reference.h"
#include "tests/support/error_ratio.h"

namespace rethink {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

at::Tensor fused_transposed(const Tensors& in) {
  return transposed(in[0]);
}

at::Tensor plain_transposed(const Tensors& in) {
  return transposed_reference(in[0]);
}

Tensors transposed_inputs(const std::vector<int64_t>& sizes) {
  at::manual_seed(2);
  return {at::randn(sizes, at::kDouble)};
}

// The operator only moves numbers: a result at most twice as wrong as no error is equal.
TEST(Transposed, MovesEveryNumberToItsPlace) {
  for (const std::vector<int64_t>& sizes : {std::vector<int64_t>{64, 32},
                                            {16, 16},
                                            {97, 101},
                                            {1, 50},
                                            {50, 1},
                                            {3, 5},
                                            {0, 4},
                                            {300, 1000}}) {
    for (const at::ScalarType dtype : {at::kFloat, at::kDouble}) {
      expect_error_within_twice(fused_transposed, plain_transposed, transposed_inputs(sizes),
                                dtype);
      const at::Tensor matrix = transposed_inputs(sizes)[0].to(dtype);
      EXPECT_TRUE(at::equal(transposed(matrix), matrix.t()));
      EXPECT_TRUE(transposed(matrix).is_contiguous());
    }
  }
}

TEST(Transposed, GradientsMatchCentralDifferences) {
  expect_gradients_match_differences(fused_transposed, transposed_inputs({4, 5}));
}

TEST(Transposed, TakesAnyStrides) {
  const at::Tensor matrix = at::randn({40, 30}).slice(1, 3, 21);
  EXPECT_TRUE(at::equal(transposed(matrix), matrix.t()));
  EXPECT_TRUE(at::equal(transposed(matrix.t()), matrix));
}

TEST(Transposed, SaysWhatIsWrongWithItsInput) {
  const auto says = [](const char* text) { return ThrowsMessage<c10::Error>(HasSubstr(text)); };
  EXPECT_THAT([] { transposed(at::ones({3})); }, says("matrix must be [R,C], got [3]"));
  EXPECT_THAT(
      [] {
        transposed(at::ones({3, 3}, at::kLong));
      },
      says("matrix must be float32 or float64, got Long"));
}

}  // namespace
}  // namespace rethink
