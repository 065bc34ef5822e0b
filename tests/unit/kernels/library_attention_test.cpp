#include "kernels/attention/library_attention.h"

#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>
#include <gtest/gtest.h>
#include <torch/library.h>

#include <cmath>
#include <limits>

#include "kernels/reference.h"
#include "tests/support/error_ratio.h"

namespace rethink {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

//// What the stand-in was last given.
struct LastCall {
  at::Tensor query, bias;
  bool log_sum_exp = false, causal = false;
  int calls = 0;
} last_call;

// A stand-in for LibTorch's memory-efficient attention, which LibTorch has for GPUs alone: the same arguments,
// results and refusals (kernel_forward.h and kernel_backward.h of 2.11), computed in float64.

void refuse_unaligned(const char* name, const at::Tensor& tensor) {
  TORCH_CHECK(tensor.stride(3) == 1, name, " needs a last stride of 1, got ", tensor.strides());
  TORCH_CHECK(reinterpret_cast<uintptr_t>(tensor.const_data_ptr()) % 16 == 0, name,
              " is not correctly aligned");
  for (int64_t dim = 0; dim < 3; ++dim) {
    const bool counts = tensor.size(dim) > 1 || (dim == 2 && std::string(name) != "bias");
    TORCH_CHECK(!counts || tensor.stride(dim) % 8 == 0, name, " is not correctly aligned (strides ",
                tensor.strides(), ")");
  }
}

void stand_in_refuses(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
                      const at::Tensor& bias) {
  TORCH_CHECK(query.size(3) % 8 == 0, "the stand-in takes widths of 8, got ", query.sizes());
  refuse_unaligned("query", query);
  refuse_unaligned("key", key);
  refuse_unaligned("value", value);
  if (!bias.defined()) return;
  TORCH_CHECK(bias.scalar_type() == query.scalar_type(), "bias of another dtype");
  TORCH_CHECK(
      bias.sizes() == at::IntArrayRef({query.size(0), query.size(1), query.size(2), key.size(2)}),
      "bias must be [B,H,Q,K], got ", bias.sizes());
  refuse_unaligned("bias", bias);
  int64_t end = bias.storage_offset() + (bias.size(3) + 15) / 16 * 16;
  for (int64_t dim = 0; dim < 3; ++dim) end += (bias.size(dim) - 1) * bias.stride(dim);
  TORCH_CHECK(end * static_cast<int64_t>(bias.element_size()) <=
                  static_cast<int64_t>(bias.storage().nbytes()),
              "rows of the bias are read up to the next 16 elements");
}

at::Tensor above_diagonal(const at::Tensor& scores) {
  return at::ones({scores.size(2), scores.size(3)}, at::kBool).triu(1);
}

at::Tensor finished_scores(const at::Tensor& query, const at::Tensor& key, const at::Tensor& bias,
                           bool causal, double scale) {
  at::Tensor scores =
      at::matmul(query.to(at::kDouble), key.to(at::kDouble).transpose(2, 3)) * scale;
  if (bias.defined()) scores = scores + bias.to(at::kDouble);
  return causal ? scores.masked_fill(above_diagonal(scores), -kInfinity) : scores;
}

at::Tensor stand_in_factors(at::IntArrayRef sizes, double p, const at::Tensor& seed) {
  if (p == 0) return at::ones(sizes, at::kDouble);
  auto generator =
      at::make_generator<at::CPUGeneratorImpl>(static_cast<uint64_t>(seed.item<int64_t>()));
  return at::rand(sizes, generator, at::kDouble).ge(p).to(at::kDouble) / (1 - p);
}

std::tuple<at::Tensor, at::Tensor, at::Tensor, at::Tensor> stand_in_forward(
    const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
    const std::optional<at::Tensor>& given, bool log_sum_exp, double dropout, bool causal,
    std::optional<double> scale) {
  const at::Tensor bias = given.value_or(at::Tensor());
  stand_in_refuses(query, key, value, bias);
  last_call = {query, bias, log_sum_exp, causal, last_call.calls + 1};
  const at::Tensor seed = at::randint(1 << 30, {}, at::kLong);
  const at::Tensor scores = finished_scores(query, key, bias, causal, scale.value());
  // A row without a key has a sum of 1, so that its logarithm is 0.
  at::Tensor lse = scores.logsumexp(3);
  lse = at::where(lse == -kInfinity, 0.0, lse);
  const at::Tensor weights = (scores - lse.unsqueeze(3)).exp();
  const at::Tensor output =
      at::matmul(weights * stand_in_factors(weights.sizes(), dropout, seed), value.to(at::kDouble));
  const int64_t rows = log_sum_exp ? (query.size(2) + 31) / 32 * 32 : 0;
  at::Tensor padded = at::full({query.size(0), query.size(1), rows}, kInfinity, at::kFloat);
  if (log_sum_exp) padded.narrow(2, 0, query.size(2)).copy_(lse);
  return {output.to(query.scalar_type()).transpose(1, 2).contiguous().transpose(1, 2), padded, seed,
          at::zeros({}, at::kLong)};
}

std::tuple<at::Tensor, at::Tensor, at::Tensor, at::Tensor> stand_in_backward(
    const at::Tensor& grad, const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
    const at::Tensor& bias, const at::Tensor& output, const at::Tensor& lse, const at::Tensor& seed,
    const at::Tensor&, double dropout, std::array<bool, 4> wanted, bool causal,
    std::optional<double> scale) {
  stand_in_refuses(query, key, value, bias);
  TORCH_CHECK(lse.numel() > 0, "the kernel would read log-sum-exps that nobody made");
  TORCH_CHECK(grad.size(3) == value.size(3), "grad must have the value's width");
  const at::Tensor scores = finished_scores(query, key, bias, causal, scale.value());
  const at::Tensor weights =
      (scores - lse.narrow(2, 0, query.size(2)).to(at::kDouble).unsqueeze(3)).exp();
  const at::Tensor factor = stand_in_factors(weights.sizes(), dropout, seed),
                   up = grad.to(at::kDouble);
  const at::Tensor delta = (up * output.to(at::kDouble)).sum(3, /*keepdim=*/true);
  const at::Tensor of_scores =
      weights * (at::matmul(up, value.to(at::kDouble).transpose(2, 3)) * factor - delta);
  const auto dtype = query.scalar_type();
  at::Tensor bias_grad;
  if (wanted[3]) {
    bias_grad = of_scores.to(dtype);
    // The kernel skips blocks above the diagonal and leaves them as the memory was.
    if (causal) bias_grad.masked_fill_(above_diagonal(scores), std::nan(""));
  }
  return {(at::matmul(of_scores, key.to(at::kDouble)) * scale.value()).to(dtype),
          (at::matmul(of_scores.transpose(2, 3), query.to(at::kDouble)) * scale.value()).to(dtype),
          at::matmul((weights * factor).transpose(2, 3), up).to(dtype), bias_grad};
}

TORCH_LIBRARY_IMPL(aten, CPU, m) {
  m.impl("_scaled_dot_product_efficient_attention", stand_in_forward);
  m.impl("_scaled_dot_product_efficient_attention_backward", stand_in_backward);
}

struct LibraryCase {
  const char* name;
  std::vector<int64_t> sizes;  // B,H,Q,K,E
  AttentionOptions options = {};
  bool pads = false, masks = false;
  int64_t bias_heads = 0;  // 0: none
};

std::vector<LibraryCase> library_cases() {
  return {
      {"Plain", {2, 3, 17, 17, 16}},
      {"Causal", {2, 3, 17, 17, 16}, {.causal = true}},
      {"OddWidth", {1, 2, 9, 12, 5}},
      {"BetsWidth", {1, 1, 20, 20, 300}, {.causal = true}},
      {"OneToken", {2, 1, 1, 1, 8}, {.causal = true}},
      {"OneQuery", {2, 3, 1, 9, 8}},
      {"Padded", {3, 2, 11, 19, 8}, {}, true},
      {"PaddedCausal", {3, 2, 19, 19, 8}, {.causal = true}, true},
      {"Masked", {2, 3, 20, 20, 12}, {}, false, true},
      {"DiagonalMasked", {2, 2, 13, 13, 8}, {.causal = true, .diagonal_masked = true}},
      {"DiagonalMaskedPadded", {3, 2, 13, 13, 8}, {.diagonal_masked = true}, true},
      {"Bias", {2, 3, 18, 18, 16}, {}, false, false, 3},
      {"SharedBias", {3, 2, 18, 21, 16}, {}, true, false, 1},
      {"CausalBias", {2, 2, 33, 33, 8}, {.causal = true}, false, false, 2},
      {"AllAtOnce", {3, 2, 33, 33, 20}, {.causal = true, .diagonal_masked = true}, true, true, 1}};
}

AttentionOptions library_options(const LibraryCase& given) {
  AttentionOptions options = given.options;
  const int64_t batch = given.sizes[0], heads = given.sizes[1], queries = given.sizes[2],
                keys = given.sizes[3];
  options.scale = 1.0 / std::sqrt(static_cast<double>(given.sizes[4]));
  if (given.pads) {  // the last example is padding alone
    const at::Tensor kept = at::arange(batch).mul(-keys / (batch - 1)).add(keys).view({batch, 1});
    options.key_keep = at::arange(keys).view({1, keys}) < kept;
  }
  if (given.masks) {  // the second query sees nothing
    options.mask = (at::arange(heads * queries * keys).mul(7).remainder(5) < 3).to(at::kByte);
    options.mask = options.mask.view({heads, queries, keys});
    options.mask.narrow(1, 1, 1).zero_();
  }
  return options;
}

Tensors library_inputs(const LibraryCase& given) {
  at::manual_seed(7);
  const auto& [batch, heads, queries, keys, width] =
      std::tuple(given.sizes[0], given.sizes[1], given.sizes[2], given.sizes[3], given.sizes[4]);
  Tensors inputs = {at::randn({batch, heads, queries, width}, at::kDouble),
                    at::randn({batch, heads, keys, width}, at::kDouble),
                    at::randn({batch, heads, keys, width}, at::kDouble)};
  if (given.bias_heads > 0)
    inputs.push_back(at::randn({given.bias_heads, queries, keys}, at::kDouble) * 3.0);
  return inputs;
}

template <typename Operator>
Expression with_bias(const AttentionOptions& options, const Operator& run) {
  return [=](const Tensors& in) {
    AttentionOptions full = options;
    if (in.size() > 3) full.bias = in[3];
    return run(in[0], in[1], in[2], full);
  };
}

class LibraryAttentionCases : public testing::TestWithParam<LibraryCase> {};

TEST_P(LibraryAttentionCases, AreAtMostTwiceAsWrongAsPlainLibTorch) {
  const LibraryCase given = GetParam();
  const AttentionOptions options = library_options(given);
  const Expression ours = with_bias(options, library_attention),
                   plain = with_bias(options, attention_reference);
  expect_error_within_twice(ours, plain, library_inputs(given), at::kFloat);
  // The choice of the path sends rounded biases elsewhere.
  if (given.bias_heads == 0)
    expect_error_within_twice(ours, plain, library_inputs(given), at::kBFloat16);
}

INSTANTIATE_TEST_SUITE_P(Kernels, LibraryAttentionCases, testing::ValuesIn(library_cases()),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(LibraryAttention, TakesABiasOfZerosUnderAMaskInBFloat16) {
  LibraryCase given{"", {2, 2, 20, 20, 16}, {}, false, true, 2};
  Tensors inputs = library_inputs(given);
  AttentionOptions options = library_options(given);
  inputs[3] = (options.mask.to(at::kDouble) - 1.0) * 10000.0;  // as a mask that learns
  expect_error_within_twice(with_bias(options, library_attention),
                            with_bias(options, attention_reference), inputs, at::kBFloat16);
}

TEST(LibraryAttention, GivesZerosToWhatSeesNothingAndGradientsToo) {
  const LibraryCase given{"", {3, 2, 12, 12, 8}, {}, true, true, 2};
  const Tensors all = result_and_gradients(with_bias(library_options(given), library_attention),
                                           library_inputs(given), at::kFloat);
  for (const at::Tensor& tensor : all) EXPECT_TRUE(tensor.isfinite().all().item<bool>());
  for (const size_t of_queries : {0, 1}) {
    EXPECT_EQ(all[of_queries].select(2, 1).abs().sum().item<double>(), 0) << of_queries;
    EXPECT_EQ(all[of_queries].select(0, 2).abs().sum().item<double>(), 0) << of_queries;
  }
  for (const size_t of_keys : {2, 3})
    EXPECT_EQ(all[of_keys].select(0, 2).abs().sum().item<double>(), 0) << of_keys;
  EXPECT_EQ(all[4].select(1, 1).abs().sum().item<double>(), 0);
}

TEST(LibraryAttention, AsksForLogSumExpsWhereverAnythingNeedsAGradient) {
  const Tensors in = library_inputs({"", {1, 2, 6, 6, 8}, {}, false, false, 2});
  const auto run = [&](int wants) {
    Tensors leaves;
    for (int i = 0; i < 4; ++i)
      leaves.push_back(in[static_cast<size_t>(i)].to(at::kFloat).requires_grad_(i == wants));
    AttentionOptions options{.scale = 0.3};
    options.bias = leaves[3];
    const at::Tensor result = library_attention(leaves[0], leaves[1], leaves[2], options);
    if (wants < 4) result.sum().backward();
    return leaves;
  };
  for (int wants = 0; wants < 4; ++wants) {
    EXPECT_TRUE(run(wants)[static_cast<size_t>(wants)].grad().defined()) << wants;
    EXPECT_TRUE(last_call.log_sum_exp) << wants;
  }
  run(4);
  EXPECT_FALSE(last_call.log_sum_exp);
}

TEST(LibraryAttention, MakesTheBiasOnceForAllLayersOfAModel) {
  const LibraryCase given{"", {2, 2, 10, 10, 8}, {}, true, true, 1};
  const AttentionOptions options = library_options(given);
  const Tensors in = library_inputs(given);
  const auto scores_of_layer = [&] {
    AttentionOptions layer = options;
    layer.mask = options.mask.slice(1, 0, 10);  // as each layer cuts it out
    layer.bias = in[3];
    library_attention(in[0].to(at::kFloat), in[1].to(at::kFloat), in[2].to(at::kFloat), layer);
    return last_call.bias;
  };
  const at::Tensor first = scores_of_layer(), second = scores_of_layer();
  EXPECT_EQ(first.const_data_ptr(), second.const_data_ptr());
  const at::Tensor kept = first.clone();
  options.mask.fill_(1);  // a later pass
  EXPECT_FALSE(at::equal(scores_of_layer(), kept));
}

TEST(LibraryAttention, NeedsNoRowForEachQueryWherePaddingAloneHides) {
  const LibraryCase given{"", {3, 2, 40, 24, 8}, {}, true};
  const Tensors in = library_inputs(given);
  library_attention(in[0].to(at::kFloat), in[1].to(at::kFloat), in[2].to(at::kFloat),
                    library_options(given));
  EXPECT_EQ(last_call.bias.storage().nbytes(), 3 * 32 * sizeof(float));
}

TEST(LibraryAttention, CopiesNoHeadsThatAreJoinedInMemory) {
  const at::Tensor joined = at::randn({2, 7, 3 * 16});
  const auto heads = [&] { return joined.view({2, 7, 3, 16}).transpose(1, 2); };
  library_attention(heads(), heads(), heads(), {.scale = 0.25});
  EXPECT_EQ(last_call.query.const_data_ptr(), joined.const_data_ptr());
  // A bias whose first address does not suit the kernel's loads is copied.
  const at::Tensor odd = at::randn({2, 7, 3 * 16 + 1}).narrow(2, 1, 48);
  const at::Tensor odd_heads = odd.unflatten(2, {3, 16}).transpose(1, 2);
  EXPECT_LT(worst_difference(library_attention(odd_heads, odd_heads, odd_heads, {.scale = 0.25}),
                             attention_reference(odd_heads, odd_heads, odd_heads, {.scale = 0.25})),
            1e-5);
}

TEST(LibraryAttention, LeavesTheCausalMaskToTheKernelWhereNoBiasNeedsAGradient) {
  const Tensors in = library_inputs({"", {1, 1, 9, 9, 8}, {}, false, false, 1});
  AttentionOptions options{.scale = 0.3, .causal = true};
  library_attention(in[0], in[1], in[2], options);
  EXPECT_TRUE(last_call.causal);
  EXPECT_FALSE(last_call.bias.defined());
  options.bias = in[3].clone().requires_grad_();
  library_attention(in[0], in[1], in[2], options);
  EXPECT_FALSE(last_call.causal);
}

TEST(LibraryAttention, DropsWhatTheGeneratorSaysInBothDirections) {
  const LibraryCase given{"", {2, 2, 16, 16, 8}, {.dropout = 0.5}};
  const auto run = [&](uint64_t seed) {
    const Tensors inputs = library_inputs(given);
    at::manual_seed(seed);
    return result_and_gradients(with_bias(library_options(given), library_attention), inputs,
                                at::kFloat);
  };
  const Tensors once = run(3), again = run(3), other = run(4);
  for (size_t i = 0; i < once.size(); ++i) {
    EXPECT_TRUE(at::equal(once[i], again[i])) << i;
    EXPECT_FALSE(at::equal(once[i], other[i])) << i;
  }
  // The sum over queries of a value's gradient is the same in both directions.
  const Tensors in = library_inputs(given);
  at::manual_seed(3);
  const at::Tensor value = in[2].to(at::kFloat).requires_grad_();
  const at::Tensor result =
      library_attention(in[0].to(at::kFloat), in[1].to(at::kFloat), value, library_options(given));
  result.sum().backward();
  EXPECT_NEAR((value * value.grad()).sum().item<double>(), result.sum().item<double>(), 1e-3);
}

TEST(LibraryAttention, HasNoSecondDerivative) {
  const at::Tensor input = at::randn({1, 1, 4, 8}).requires_grad_();
  const at::Tensor result = library_attention(input, input, input, {.scale = 0.3});
  EXPECT_THROW(result.sum().backward({}, /*retain_graph=*/true, /*create_graph=*/true), c10::Error);
}

}  // namespace
}  // namespace rethink
