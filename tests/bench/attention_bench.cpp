// Benchmark of attention, plain LibTorch and LibTorch's fused attention: forward and backward, one
// thread, float32. Causal cases have the sizes of the sweeps' small profile and of BET's published
// model. Encoder cases have eight texts of 128 tokens, with padding, masks and biases.
#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <benchmark/benchmark.h>
#include <torch/csrc/autograd/variable.h>

#include <cmath>
#include <string>
#include <vector>

#include "kernels/attention/attention.h"

namespace rethink {
namespace {

struct Case {
  std::string name;
  std::vector<int64_t> sizes;  // B,H,T,E
  bool causal = false;
  double dropout = 0.0;
  bool padding = false, mask = false, bias = false;  // the bias learns
};

Case case_of(const std::string& kind, const std::vector<int64_t>& sizes, double dropout) {
  Case given;
  given.name = kind;
  for (size_t i = 0; i < sizes.size(); ++i)
    given.name += (i == 0 ? "_" : "x") + std::to_string(sizes[i]);
  if (dropout > 0) given.name += "/dropout";
  given.sizes = sizes;
  given.causal = kind == "causal";
  given.dropout = dropout;
  return given;
}

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const double dropout : {0.0, 0.1}) {
    for (const int64_t tokens : {35, 64, 100})
      all.push_back(case_of("causal", {32, 4, tokens, 32}, dropout));
    all.push_back(case_of("causal", {64, 1, 100, 300}, dropout));
    all.push_back(case_of("encoder", {8, 4, 128, 64}, dropout));
  }
  for (const std::string extra : {"padding", "mask", "bias", "padding+mask+bias"}) {
    Case given = case_of("encoder", {8, 4, 128, 64}, 0.1);
    given.name += "+" + extra;
    given.padding = extra.starts_with("padding");
    given.mask = extra.find("mask") != std::string::npos;
    given.bias = extra.ends_with("bias");
    all.push_back(given);
  }
  return all;
}

/// Inputs of a case. Constant inputs are made once, for LibTorch too.
struct Inputs {
  explicit Inputs(const Case& of) : given(of) {
    const int64_t batch = given.sizes[0], heads = given.sizes[1], tokens = given.sizes[2];
    const at::Tensor key_K = at::arange(tokens).view({1, tokens}),
                     query_Q1 = key_K.view({tokens, 1});
    at::Tensor visible = at::ones({1, 1, tokens, tokens}, at::kBool);
    if (given.causal) visible = visible.tril();
    if (given.mask) {  // a window, and a first token that sees all and is seen by all
      mask = ((query_Q1 - key_K).abs() <= 16).logical_or(key_K == 0).logical_or(query_Q1 == 0);
      mask = mask.unsqueeze(0).to(at::kByte);
      visible = visible.logical_and(mask.to(at::kBool));
    }
    if (given.padding) {  // texts of 128, 120, 112, ... tokens
      key_keep = key_K < tokens - 8 * at::arange(batch).view({batch, 1});
      visible = visible.logical_and(key_keep.view({batch, 1, 1, tokens}));
    }
    hidden = visible.logical_not();
    if (given.bias) bias = at::randn({heads, tokens, tokens}).requires_grad_();
  }

  const Case given;
  at::Tensor hidden;    // bool [1|B,1,Q,K]
  at::Tensor key_keep;  // bool [B,K]
  at::Tensor mask;      // u8 [1,Q,K]
  at::Tensor bias;      // [H,Q,K], a leaf
};

using Attend = at::Tensor(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
                          const Inputs& in);

double scale_of(const at::Tensor& query) {
  return 1.0 / std::sqrt(static_cast<double>(query.size(3)));
}

at::Tensor ours(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
                const Inputs& in) {
  return attention(query, key, value,
                   {.scale = scale_of(query),
                    .causal = in.given.causal,
                    .dropout = in.given.dropout,
                    .random = {1, 2},
                    .key_keep = in.key_keep,
                    .mask = in.mask,
                    .bias = in.bias});
}

/// Attention as in a model written by hand with LibTorch.
at::Tensor plain(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
                 const Inputs& in) {
  const Case& given = in.given;
  at::Tensor scores_BHQK = at::matmul(query * scale_of(query), key.transpose(2, 3));
  if (in.bias.defined()) scores_BHQK = scores_BHQK + in.bias;
  if (given.causal || given.padding || given.mask)
    scores_BHQK = scores_BHQK.masked_fill(in.hidden, -INFINITY);
  const at::Tensor weights_BHQK = scores_BHQK.softmax(-1);
  return at::matmul(at::dropout(weights_BHQK, given.dropout, /*train=*/given.dropout > 0), value);
}

at::Tensor libtorch_fused(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
                          const Inputs& in) {
  const Case& given = in.given;
  c10::optional<at::Tensor> mask;
  if (given.padding || given.mask) mask = in.hidden.logical_not();
  if (given.bias) {
    mask = given.padding || given.mask ? in.bias.masked_fill(in.hidden, -INFINITY)
                                       : in.bias.unsqueeze(0);
  }
  return at::scaled_dot_product_attention(query, key, value, mask, given.dropout, given.causal);
}

void run(benchmark::State& state, Attend attend, const Case& given) {
  at::set_num_threads(1);
  at::manual_seed(1);
  const Inputs in(given);
  const int64_t batch = given.sizes[0], heads = given.sizes[1], tokens = given.sizes[2],
                width = given.sizes[3];
  // The memory layout of projections, [B,T,H,E], also for the gradient.
  const auto projected = [&] { return at::randn({batch, tokens, heads, width}).requires_grad_(); };
  const at::Tensor query = projected(), key = projected(), value = projected();
  const at::Tensor upstream = at::randn({batch, tokens, heads * width});
  for (auto _ : state) {
    const at::Tensor heads_BHTE =
        attend(query.transpose(1, 2), key.transpose(1, 2), value.transpose(1, 2), in);
    heads_BHTE.transpose(1, 2).reshape({batch, tokens, heads * width}).backward(upstream);
    for (const at::Tensor* leaf : {&query, &key, &value, &in.bias})
      if (leaf->defined()) leaf->mutable_grad().reset();
  }
  // Multiplications and additions in the causal half only: 2 products forward, 5 backward.
  const int64_t pairs = given.causal ? tokens * (tokens + 1) / 2 : tokens * tokens;
  const double flops = 14.0 * static_cast<double>(batch * heads * pairs * width);
  state.counters["GFLOP/s"] =
      benchmark::Counter(flops * 1e-9, benchmark::Counter::kIsIterationInvariantRate);
}

/// Registers the three implementations of each case together.
const bool benchmarks_registered = [] {
  for (const Case& given : cases()) {
    const auto add = [&](const std::string& way, Attend attend) {
      benchmark::RegisterBenchmark((way + "/" + given.name).c_str(), run, attend, given)
          ->Unit(benchmark::kMillisecond);
    };
    add("attention/ours", ours);
    add("attention/plain", plain);
    add("attention/libtorch_fused", libtorch_fused);
  }
  return true;
}();

}  // namespace
}  // namespace rethink
