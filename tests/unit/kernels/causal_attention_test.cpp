#include "kernels/causal_attention/causal_attention.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/error_ratio.h"

namespace rethink {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

struct Case {
  std::string name;
  std::vector<int64_t> sizes;  // B,H,T,E
  CausalAttentionOptions options;
};

void PrintTo(const Case& value, std::ostream* out) {
  *out << value.name;
}

CausalAttentionOptions options_of(double rate, bool masked, double dropout, int64_t width) {
  return {1.0 / std::sqrt(static_cast<double>(width)), rate, masked, dropout, 11, 5};
}

std::vector<Case> cases() {
  return {{"OneToken", {2, 1, 1, 8}, options_of(1, false, 0, 8)},
          {"OneTokenMasked", {2, 1, 1, 8}, options_of(1, true, 0, 8)},
          {"SmallProfile", {2, 4, 35, 32}, options_of(1, false, 0.1, 32)},
          {"Odd", {1, 3, 37, 5}, options_of(1, false, 0, 5)},
          {"OddMasked", {1, 2, 97, 97}, options_of(1, true, 0.3, 97)},
          {"Reduced", {2, 2, 100, 32}, options_of(0.2, false, 0.1, 32)},
          {"Magnified", {1, 1, 50, 17}, options_of(2.0, false, 0, 17)},
          {"Zeroed", {1, 2, 33, 16}, options_of(0.0, false, 0, 16)},
          {"Paper", {1, 1, 100, 300}, options_of(1, true, 0.1, 300)},
          {"Widest", {1, 1, 40, 512}, options_of(0.2, false, 0.1, 512)},
          {"SeveralBlocks", {1, 1, 300, 24}, options_of(1, true, 0.2, 24)}};
}

Tensors inputs_of(const Case& given) {
  at::manual_seed(7);
  Tensors inputs;
  for (int i = 0; i < 3; ++i) inputs.push_back(at::randn(given.sizes, at::kDouble));
  return inputs;
}

Expression fused(const CausalAttentionOptions& options) {
  return [options](const Tensors& in) { return causal_attention(in[0], in[1], in[2], options); };
}

Expression plain(const CausalAttentionOptions& options) {
  return [options](const Tensors& in) {
    return causal_attention_reference(in[0], in[1], in[2], options);
  };
}

class CausalAttentionCases : public testing::TestWithParam<Case> {};

TEST_P(CausalAttentionCases, IsAtMostTwiceAsWrongAsPlainLibTorch) {
  const Case& given = GetParam();
  for (const at::ScalarType dtype : {at::kFloat, at::kDouble, at::kBFloat16}) {
    expect_error_within_twice(fused(given.options), plain(given.options), inputs_of(given), dtype);
  }
}

TEST_P(CausalAttentionCases, GivesTheSameBitsTwiceAndOnTwoThreads) {
  const Case& given = GetParam();
  const int threads = at::get_num_threads();
  const Tensors once = result_and_gradients(fused(given.options), inputs_of(given), at::kFloat);
  at::set_num_threads(2);
  const Tensors again = result_and_gradients(fused(given.options), inputs_of(given), at::kFloat);
  at::set_num_threads(threads);
  for (size_t i = 0; i < once.size(); ++i) EXPECT_TRUE(at::equal(once[i], again[i])) << i;
}

INSTANTIATE_TEST_SUITE_P(Kernels, CausalAttentionCases, testing::ValuesIn(cases()),
                         [](const auto& info) { return info.param.name; });

TEST(CausalAttention, GradientsMatchCentralDifferences) {
  for (const bool masked : {false, true}) {
    const Case given{"", {1, 2, 5, 3}, options_of(masked ? 1.0 : 0.3, masked, 0.25, 3)};
    expect_gradients_match_differences(fused(given.options), inputs_of(given));
  }
}

TEST(CausalAttention, TakesTensorsThatAreNotContiguous) {
  const Case given{"", {2, 3, 20, 16}, options_of(1, true, 0.1, 16)};
  Tensors inputs = inputs_of(given), strided;
  for (at::Tensor& input : inputs) input = input.to(at::kFloat);
  strided.push_back(inputs[0].transpose(1, 2).contiguous().transpose(1, 2));
  strided.push_back(inputs[1].transpose(2, 3).contiguous().transpose(2, 3));
  strided.push_back(at::cat({inputs[2], inputs[2]}, 3).narrow(3, 0, 16));
  const auto whole = fused(given.options)(inputs);
  EXPECT_TRUE(at::equal(fused(given.options)(strided), whole));
  const Tensors expanded = {inputs[0], inputs[1].narrow(2, 0, 1).expand_as(inputs[1]), inputs[2]};
  EXPECT_LT(worst_difference(fused(given.options)(expanded), plain(given.options)(expanded)), 1e-5);
}

TEST(CausalAttention, TakesAnEmptyBatchAndNoTokens) {
  for (const std::vector<int64_t>& sizes :
       {std::vector<int64_t>{0, 2, 5, 4}, std::vector<int64_t>{2, 2, 0, 4}}) {
    const Case given{"", sizes, options_of(1, false, 0.1, 4)};
    const Tensors all = result_and_gradients(fused(given.options), inputs_of(given), at::kFloat);
    for (const at::Tensor& tensor : all) EXPECT_EQ(tensor.sizes(), at::IntArrayRef(sizes));
  }
}

TEST(CausalAttention, LetsNoLaterTokenChangeAnEarlierOutput) {
  const Case given{"", {1, 2, 40, 8}, options_of(0.5, false, 0, 8)};
  Tensors inputs = inputs_of(given);
  const at::Tensor before = fused(given.options)(inputs).narrow(2, 0, 23);
  for (at::Tensor& input : inputs) {
    input = input.clone();
    input.narrow(2, 23, 17).fill_(100.0);
  }
  EXPECT_TRUE(at::equal(fused(given.options)(inputs).narrow(2, 0, 23), before));
}

TEST(CausalAttention, DropsTheWeightsThatItsSeedAndOffsetName) {
  Case given{"", {1, 1, 64, 8}, options_of(1, false, 0.5, 8)};
  const Tensors inputs = inputs_of(given);
  const at::Tensor first = fused(given.options)(inputs);
  EXPECT_TRUE(at::equal(fused(given.options)(inputs), first));
  given.options.offset += 1;
  EXPECT_FALSE(at::equal(fused(given.options)(inputs), first));
}

TEST(CausalAttention, PassesNanOnToTheQueriesThatSeeIt) {
  const Case given{"", {1, 1, 9, 4}, options_of(1, false, 0, 4)};
  Tensors inputs = inputs_of(given);
  inputs[1][0][0][5][0] = std::nan("");
  const at::Tensor lost = fused(given.options)({inputs[0].to(at::kFloat), inputs[1].to(at::kFloat),
                                                inputs[2].to(at::kFloat)})
                              .isnan()
                              .any(-1)
                              .view(-1);
  for (int64_t t = 0; t < 9; ++t) EXPECT_EQ(lost[t].item<bool>(), t >= 5) << t;
}

TEST(CausalAttention, WeightsAreRowsThatSumToOne) {
  const Case given{"", {1, 1, 6, 4}, options_of(1, true, 0, 4)};
  const Tensors inputs = inputs_of(given);
  const at::Tensor weights = causal_attention_weights(inputs[0], inputs[1], given.options)[0][0];
  EXPECT_LT(worst_difference(weights.sum(-1), at::ones({6}, at::kDouble)), 1e-12);
  EXPECT_EQ(weights[0][0].item<double>(), 1.0);
  for (int64_t t = 1; t < 6; ++t) EXPECT_EQ(weights[t][t].item<double>(), 0.0);
  EXPECT_LT(
      worst_difference(at::matmul(weights, inputs[2][0][0]), fused(given.options)(inputs)[0][0]),
      1e-12);
}

TEST(CausalAttention, SaysWhatIsWrongWithItsInput) {
  const auto call = [](std::vector<int64_t> q, std::vector<int64_t> k,
                       CausalAttentionOptions options = {}, at::ScalarType dtype = at::kFloat) {
    return
        [=] { causal_attention(at::zeros(q, dtype), at::zeros(k), at::zeros(q, dtype), options); };
  };
  const auto says = [](const char* text) { return ThrowsMessage<c10::Error>(HasSubstr(text)); };
  EXPECT_THAT(call({2, 3, 4}, {2, 3, 4}), says("query must be [B,H,T,E], got [2, 3, 4]"));
  EXPECT_THAT(call({1, 1, 4, 2}, {1, 1, 5, 2}),
              says("key must be as query, [1, 1, 4, 2], got [1, 1, 5, 2]"));
  EXPECT_THAT(call({1, 1, 2, 513}, {1, 1, 2, 513}), says("head width must be 1 to 512, got 513"));
  EXPECT_THAT(call({1, 1, 2, 4}, {1, 1, 2, 4}, {}, at::kDouble),
              says("key and value must be Double"));
  EXPECT_THAT(call({1, 1, 2, 4}, {1, 1, 2, 4}, {}, at::kInt),
              says("query must be float32, float64 or bfloat16"));
  EXPECT_THAT(call({1, 1, 2, 4}, {1, 1, 2, 4}, {.dropout = 1.0}),
              says("dropout must be in [0, 1), got 1"));
}

TEST(CausalAttention, SaysThatItHasNoSecondDerivative) {
  const at::Tensor x = at::ones({1, 1, 2, 4}, at::kFloat).requires_grad_();
  const at::Tensor result = causal_attention(x, x, x, {});
  EXPECT_THAT([&] { result.sum().backward({}, true, /*create_graph=*/true); },
              ThrowsMessage<c10::Error>(HasSubstr("causal_attention has no second derivative")));
}

}  // namespace
}  // namespace rethink
