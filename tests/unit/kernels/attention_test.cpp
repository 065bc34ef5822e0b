#include "kernels/attention/attention.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <tuple>

#include "kernels/philox_dropout/philox_dropout.h"
#include "kernels/reference.h"
#include "tests/support/error_ratio.h"

namespace rethink {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

struct Case {
  std::string name;
  std::vector<int64_t> sizes;  // B,H,T,E
  AttentionOptions options;
};

void PrintTo(const Case& value, std::ostream* out) {
  *out << value.name;
}

/// Returns options of a causal attention.
AttentionOptions options_of(double rate, bool masked, double dropout, int64_t width) {
  return {.scale = 1.0 / std::sqrt(static_cast<double>(width)),
          .causal = true,
          .diagonal_rate = rate,
          .diagonal_masked = masked,
          .dropout = dropout,
          .random = {11, 5}};
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

Tensors attention_inputs(const Case& given) {
  at::manual_seed(7);
  Tensors inputs;
  for (int i = 0; i < 3; ++i) inputs.push_back(at::randn(given.sizes, at::kDouble));
  return inputs;
}

Expression fused_attention(const AttentionOptions& options) {
  return [options](const Tensors& in) { return attention(in[0], in[1], in[2], options); };
}

Expression plain_attention(const AttentionOptions& options) {
  return [options](const Tensors& in) { return attention_reference(in[0], in[1], in[2], options); };
}

class AttentionCases : public testing::TestWithParam<Case> {};

TEST_P(AttentionCases, IsAtMostTwiceAsWrongAsPlainLibTorch) {
  const Case& given = GetParam();
  for (const at::ScalarType dtype : {at::kFloat, at::kDouble, at::kBFloat16}) {
    expect_error_within_twice(fused_attention(given.options), plain_attention(given.options),
                              attention_inputs(given), dtype);
  }
}

TEST_P(AttentionCases, GivesTheSameBitsTwiceAndOnTwoThreads) {
  const Case& given = GetParam();
  const int threads = at::get_num_threads();
  const Tensors once =
      result_and_gradients(fused_attention(given.options), attention_inputs(given), at::kFloat);
  at::set_num_threads(2);
  const Tensors again =
      result_and_gradients(fused_attention(given.options), attention_inputs(given), at::kFloat);
  at::set_num_threads(threads);
  for (size_t i = 0; i < once.size(); ++i) EXPECT_TRUE(at::equal(once[i], again[i])) << i;
}

INSTANTIATE_TEST_SUITE_P(Kernels, AttentionCases, testing::ValuesIn(cases()),
                         [](const auto& info) { return info.param.name; });

TEST(Attention, GradientsMatchCentralDifferences) {
  for (const bool masked : {false, true}) {
    const Case given{"", {1, 2, 5, 3}, options_of(masked ? 1.0 : 0.3, masked, 0.25, 3)};
    expect_gradients_match_differences(fused_attention(given.options), attention_inputs(given));
  }
}

TEST(Attention, TakesTensorsThatAreNotContiguous) {
  const Case given{"", {2, 3, 20, 16}, options_of(1, true, 0.1, 16)};
  Tensors inputs = attention_inputs(given), strided;
  for (at::Tensor& input : inputs) input = input.to(at::kFloat);
  strided.push_back(inputs[0].transpose(1, 2).contiguous().transpose(1, 2));
  strided.push_back(inputs[1].transpose(2, 3).contiguous().transpose(2, 3));
  strided.push_back(at::cat({inputs[2], inputs[2]}, 3).narrow(3, 0, 16));
  const auto whole = fused_attention(given.options)(inputs);
  EXPECT_TRUE(at::equal(fused_attention(given.options)(strided), whole));
  const Tensors expanded = {inputs[0], inputs[1].narrow(2, 0, 1).expand_as(inputs[1]), inputs[2]};
  EXPECT_LT(worst_difference(fused_attention(given.options)(expanded),
                             plain_attention(given.options)(expanded)),
            1e-5);
}

TEST(Attention, TakesAnEmptyBatchAndNoTokens) {
  for (const std::vector<int64_t>& sizes :
       {std::vector<int64_t>{0, 2, 5, 4}, std::vector<int64_t>{2, 2, 0, 4}}) {
    const Case given{"", sizes, options_of(1, false, 0.1, 4)};
    const Tensors all =
        result_and_gradients(fused_attention(given.options), attention_inputs(given), at::kFloat);
    for (const at::Tensor& tensor : all) EXPECT_EQ(tensor.sizes(), at::IntArrayRef(sizes));
  }
}

TEST(Attention, GivesZerosWithoutKeys) {
  Tensors inputs = {at::ones({2, 2, 3, 4}), at::ones({2, 2, 0, 4}), at::ones({2, 2, 0, 4})};
  const Tensors all =
      result_and_gradients(fused_attention(options_of(1, false, 0.1, 4)), inputs, at::kFloat);
  for (size_t i = 0; i < 2; ++i) EXPECT_TRUE(at::equal(all[i], at::zeros({2, 2, 3, 4}))) << i;
  for (size_t i = 2; i < 4; ++i) EXPECT_EQ(all[i].numel(), 0) << i;
}

TEST(Attention, LetsNoLaterTokenChangeAnEarlierOutput) {
  const Case given{"", {1, 2, 40, 8}, options_of(0.5, false, 0, 8)};
  Tensors inputs = attention_inputs(given);
  const at::Tensor before = fused_attention(given.options)(inputs).narrow(2, 0, 23);
  for (at::Tensor& input : inputs) {
    input = input.clone();
    input.narrow(2, 23, 17).fill_(100.0);
  }
  EXPECT_TRUE(at::equal(fused_attention(given.options)(inputs).narrow(2, 0, 23), before));
}

TEST(Attention, DropsTheWeightsThatItsSeedAndOffsetName) {
  Case given{"", {1, 1, 64, 8}, options_of(1, false, 0.5, 8)};
  const Tensors inputs = attention_inputs(given);
  const at::Tensor first = fused_attention(given.options)(inputs);
  EXPECT_TRUE(at::equal(fused_attention(given.options)(inputs), first));
  given.options.random.stream += 1;
  EXPECT_FALSE(at::equal(fused_attention(given.options)(inputs), first));
}

TEST(Attention, PassesNanOnToTheQueriesThatSeeIt) {
  const Case given{"", {1, 1, 9, 4}, options_of(1, false, 0, 4)};
  Tensors inputs = attention_inputs(given);
  inputs[1][0][0][5][0] = std::nan("");
  const at::Tensor lost =
      fused_attention(given.options)(
          {inputs[0].to(at::kFloat), inputs[1].to(at::kFloat), inputs[2].to(at::kFloat)})
          .isnan()
          .any(-1)
          .view(-1);
  for (int64_t t = 0; t < 9; ++t) EXPECT_EQ(lost[t].item<bool>(), t >= 5) << t;
}

TEST(Attention, WeightsAreRowsThatSumToOne) {
  const Case given{"", {1, 1, 6, 4}, options_of(1, true, 0, 4)};
  const Tensors inputs = attention_inputs(given);
  const at::Tensor weights = attention_weights(inputs[0], inputs[1], given.options)[0][0];
  EXPECT_LT(worst_difference(weights.sum(-1), at::ones({6}, at::kDouble)), 1e-12);
  EXPECT_EQ(weights[0][0].item<double>(), 1.0);
  for (int64_t t = 1; t < 6; ++t) EXPECT_EQ(weights[t][t].item<double>(), 0.0);
  EXPECT_LT(worst_difference(at::matmul(weights, inputs[2][0][0]),
                             fused_attention(given.options)(inputs)[0][0]),
            1e-12);
}

/// Attention of encoders: the options beside the tensors, and the inputs that exist.
struct EncoderCase {
  std::string name;
  std::vector<int64_t> sizes;  // B,H,Q,K,E
  AttentionOptions options;
  bool padded = false, masked = false;
  int64_t bias_heads = 0;  // 0 = no bias
};

void PrintTo(const EncoderCase& value, std::ostream* out) {
  *out << value.name;
}

std::vector<EncoderCase> encoder_cases() {
  return {{"Plain", {2, 2, 64, 64, 32}, {}},
          {"Dropout", {2, 2, 37, 37, 16}, {.dropout = 0.2}},
          {"Cross", {2, 3, 9, 50, 8}, {.dropout = 0.2}},
          {"CrossLongQueries", {1, 2, 150, 7, 8}, {}},
          {"CausalOfFewKeys", {1, 2, 20, 7, 8}, {.causal = true}},
          {"Padding", {5, 2, 33, 33, 24}, {.dropout = 0.2}, true},
          {"CausalPadding", {4, 2, 21, 21, 8}, {.causal = true}, true},
          {"DiagonalFree", {2, 2, 21, 21, 8}, {.diagonal_masked = true}, true},
          {"Mask", {2, 3, 37, 37, 16}, {.dropout = 0.2}, false, true},
          {"MaskWithoutDiagonal", {3, 2, 19, 19, 8}, {.diagonal_masked = true}, true, true},
          {"Bias", {3, 2, 64, 64, 32}, {.dropout = 0.1}, false, false, 2},
          {"BiasOfAllHeads", {3, 12, 20, 20, 4}, {}, true, false, 1},
          {"Everything",
           {4, 2, 140, 140, 8},
           {.causal = true, .diagonal_rate = 0.5, .dropout = 0.2},
           true,
           true,
           2}};
}

/// The first row of the batch keeps no token; the second query of a mask sees no key.
AttentionOptions encoder_options(const EncoderCase& given) {
  const int64_t batch = given.sizes[0], heads = given.sizes[1], keys = given.sizes[3];
  AttentionOptions options = given.options;
  options.scale = 1.0 / std::sqrt(static_cast<double>(given.sizes[4]));
  options.random = {11, 5};
  if (given.padded) {
    options.key_keep = at::arange(keys).view({1, keys}) < at::arange(batch).view({batch, 1}) * 7;
    if (batch > 1) options.key_keep[1][2] = false;
  }
  if (given.masked) {
    const int64_t cells = heads * given.sizes[2] * keys;
    options.mask = (at::arange(cells).mul(7).remainder(5) < 3).to(at::kByte);
    options.mask = options.mask.view({heads, given.sizes[2], keys});
    options.mask.narrow(1, 1, 1).zero_();
  }
  return options;
}

Tensors encoder_inputs(const EncoderCase& given) {
  at::manual_seed(7);
  const auto& [batch, heads, queries, keys, width] =
      std::tie(given.sizes[0], given.sizes[1], given.sizes[2], given.sizes[3], given.sizes[4]);
  Tensors inputs = {at::randn({batch, heads, queries, width}, at::kDouble),
                    at::randn({batch, heads, keys, width}, at::kDouble),
                    at::randn({batch, heads, keys, width}, at::kDouble)};
  if (given.bias_heads > 0)
    inputs.push_back(at::randn({given.bias_heads, queries, keys}, at::kDouble));
  return inputs;
}

Expression with_bias(AttentionOptions options, bool reference) {
  return [=](const Tensors& in) {
    AttentionOptions full = options;
    if (in.size() > 3) full.bias = in[3];
    return reference ? attention_reference(in[0], in[1], in[2], full)
                     : attention(in[0], in[1], in[2], full);
  };
}

class EncoderAttentionCases : public testing::TestWithParam<EncoderCase> {};

TEST_P(EncoderAttentionCases, IsAtMostTwiceAsWrongAsPlainLibTorch) {
  const AttentionOptions options = encoder_options(GetParam());
  for (const at::ScalarType dtype : {at::kFloat, at::kDouble, at::kBFloat16}) {
    expect_error_within_twice(with_bias(options, false), with_bias(options, true),
                              encoder_inputs(GetParam()), dtype);
  }
}

TEST_P(EncoderAttentionCases, GivesTheSameBitsTwiceAndOnTwoThreads) {
  const Expression ours = with_bias(encoder_options(GetParam()), false);
  const int threads = at::get_num_threads();
  const Tensors once = result_and_gradients(ours, encoder_inputs(GetParam()), at::kFloat);
  at::set_num_threads(2);
  const Tensors again = result_and_gradients(ours, encoder_inputs(GetParam()), at::kFloat);
  at::set_num_threads(threads);
  for (size_t i = 0; i < once.size(); ++i) EXPECT_TRUE(at::equal(once[i], again[i])) << i;
}

INSTANTIATE_TEST_SUITE_P(Kernels, EncoderAttentionCases, testing::ValuesIn(encoder_cases()),
                         [](const auto& info) { return info.param.name; });

TEST(Attention, GradientsOfTheBiasMatchCentralDifferences) {
  for (const int64_t bias_heads : {1, 2}) {
    const EncoderCase given{"", {2, 2, 4, 5, 3}, {.dropout = 0.25}, true, true, bias_heads};
    expect_gradients_match_differences(with_bias(encoder_options(given), false),
                                       encoder_inputs(given));
  }
}

TEST(Attention, GivesZerosToQueriesThatSeeNothing) {
  const EncoderCase given{"", {3, 2, 9, 9, 4}, {}, true, true, 2};
  const Tensors all = result_and_gradients(with_bias(encoder_options(given), false),
                                           encoder_inputs(given), at::kFloat);
  EXPECT_TRUE(all[0][0].eq(0).all().item<bool>());            // a row of padding alone
  EXPECT_TRUE(all[0].select(2, 1).eq(0).all().item<bool>());  // masked out
  EXPECT_TRUE(all[1].select(2, 1).eq(0).all().item<bool>());  // its query's gradient
  EXPECT_TRUE(all[4].select(1, 1).eq(0).all().item<bool>());  // its bias's gradient
  EXPECT_GT(all[0].select(2, 2).narrow(0, 1, 2).abs().min().item<double>(), 0.0);
}

TEST(Attention, ReadsNothingOfThePadding) {
  const EncoderCase given{"", {4, 2, 19, 19, 8}, {}, true};
  Tensors inputs = encoder_inputs(given);
  const AttentionOptions options = encoder_options(given);
  const at::Tensor before = with_bias(options, false)(inputs);
  const at::Tensor hidden = options.key_keep.logical_not().view({4, 1, 19, 1});
  for (const int i : {1, 2}) inputs[i] = inputs[i].masked_fill(hidden, 1e6);
  EXPECT_TRUE(at::equal(with_bias(options, false)(inputs), before));
}

// SparseBERT's additive form begins near -c/2 = -5000, where float32 has steps of 5e-4. Only this
// rounding of the sum may be lost, not more of the differences.
TEST(Attention, KeepsTheDifferencesOfABiasFarFromZero) {
  const EncoderCase given{"", {2, 2, 128, 128, 16}, {}, false, false, 2};
  Tensors inputs = encoder_inputs(given);
  inputs[3] = (inputs[3] * 1e-3).sigmoid().sub(1.0).mul(10000.0);
  expect_error_within_twice(with_bias(encoder_options(given), false),
                            with_bias(encoder_options(given), true), inputs, at::kFloat);
}

TEST(Attention, DropsWhatDropoutOfTheWeightsDrops) {
  const EncoderCase given{"", {2, 3, 10, 13, 16}, {}};
  Tensors inputs = encoder_inputs(given);
  inputs[2] = at::eye(13, 16, at::kDouble).expand({2, 3, 13, 16});  // the output is the weights
  AttentionOptions options = encoder_options(given);
  const at::Tensor weights = attention_weights(inputs[0], inputs[1], options);
  options.dropout = 0.3;
  const at::Tensor dropped = attention(inputs[0], inputs[1], inputs[2], options).narrow(3, 0, 13);
  const at::Tensor expected = weights * philox_dropout_factors({2, 3, 10, 13}, 0.3, {11, 5});
  EXPECT_TRUE(at::equal(dropped.eq(0), expected.eq(0)));
  EXPECT_LT(worst_difference(dropped, expected), 1e-14);
}

TEST(Attention, SaysWhatIsWrongWithItsInput) {
  const auto call = [](std::vector<int64_t> q, std::vector<int64_t> k,
                       AttentionOptions options = {}, at::ScalarType dtype = at::kFloat) {
    return [=] { attention(at::zeros(q, dtype), at::zeros(k), at::zeros(q, dtype), options); };
  };
  const auto says = [](const char* text) { return ThrowsMessage<c10::Error>(HasSubstr(text)); };
  EXPECT_THAT(call({2, 3, 4}, {2, 3, 4}), says("query must be [B,H,Q,E], got [2, 3, 4]"));
  EXPECT_THAT(
      call({1, 1, 4, 2}, {1, 2, 4, 2}),
      says("key must be [B,H,K,E] with B, H and E of query, [1, 1, 4, 2], got [1, 2, 4, 2]"));
  EXPECT_THAT(call({1, 1, 2, 513}, {1, 1, 2, 513}), says("head width must be 1 to 512, got 513"));
  EXPECT_THAT(call({1, 1, 2, 4}, {1, 1, 2, 4}, {}, at::kDouble),
              says("key and value must be Double"));
  EXPECT_THAT(call({1, 1, 2, 4}, {1, 1, 2, 4}, {}, at::kInt),
              says("query must be float32, float64 or bfloat16"));
  EXPECT_THAT(call({1, 1, 2, 4}, {1, 1, 2, 4}, {.dropout = 1.0}),
              says("dropout must be in [0, 1), got 1"));
  EXPECT_THAT(call({1, 1, 2, 4}, {1, 1, 2, 4}, {.query_offset = 3}),
              says("query_offset must be 0, got 3"));
  EXPECT_THAT(call({1, 1, 2, 4}, {1, 1, 2, 4}, {.key_keep = at::ones({1, 3}, at::kBool)}),
              says("key_keep must be bool [B,K] = [1, 2], got Bool [1, 3]"));
  EXPECT_THAT(call({1, 1, 2, 4}, {1, 1, 2, 4}, {.mask = at::ones({2, 2, 2}, at::kByte)}),
              says("mask must be [1,Q,K] or [H,Q,K] = [1, 2, 2], got [2, 2, 2]"));
  EXPECT_THAT(call({1, 1, 2, 4}, {1, 1, 2, 4}, {.mask = at::ones({1, 2, 2})}),
              says("mask must be u8 or bool, got Float"));
  EXPECT_THAT(call({1, 1, 2, 4}, {1, 1, 2, 4}, {.bias = at::ones({1, 2, 3})}),
              says("bias must be [1,Q,K] or [H,Q,K] = [1, 2, 2], got [1, 2, 3]"));
  EXPECT_THAT(call({1, 1, 2, 4}, {1, 1, 2, 4}, {.bias = at::ones({1, 2, 2}, at::kInt)}),
              says("bias must be floating, got Int"));
}

TEST(Attention, SaysThatItHasNoSecondDerivative) {
  const at::Tensor x = at::ones({1, 1, 2, 4}, at::kFloat).requires_grad_();
  const at::Tensor result = attention(x, x, x, {});
  EXPECT_THAT([&] { result.sum().backward({}, true, /*create_graph=*/true); },
              ThrowsMessage<c10::Error>(HasSubstr("attention has no second derivative")));
}

}  // namespace
}  // namespace rethink
