// The kernels' operators against plain LibTorch and LibTorch's own fused attention: forward and
// backward, one thread, float32. Sizes: the small profile of the sweeps, BET's published model and,
// beside attention, an encoder of width 256 that reads 8 texts of 128 tokens.
#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <benchmark/benchmark.h>
#include <malloc.h>
#include <torch/csrc/autograd/variable.h>

#include <climits>
#include <cmath>

#include "kernels/attention/attention.h"
#include "kernels/bias_gelu/bias_gelu.h"
#include "kernels/philox_dropout/philox_dropout.h"
#include "kernels/residual_layer_norm/residual_layer_norm.h"
#include "kernels/transposed/transposed.h"

namespace rethink {
namespace {

using Attend = at::Tensor(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
                          double dropout);

at::Tensor fused(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
                 double dropout) {
  const double scale = 1.0 / std::sqrt(static_cast<double>(query.size(3)));
  return attention(query, key, value,
                   {.scale = scale, .causal = true, .dropout = dropout, .random = {1, 2}});
}

/// What a model written by hand in LibTorch does.
at::Tensor plain(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
                 double dropout) {
  const double scale = 1.0 / std::sqrt(static_cast<double>(query.size(3)));
  const int64_t tokens = query.size(2);
  const at::Tensor later = at::ones({tokens, tokens}, at::kBool).triu(1);
  const at::Tensor scores_BHQK =
      at::matmul(query * scale, key.transpose(2, 3)).masked_fill(later, -INFINITY);
  return at::matmul(at::dropout(scores_BHQK.softmax(-1), dropout, /*train=*/dropout > 0), value);
}

at::Tensor libtorch_fused(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
                          double dropout) {
  return at::scaled_dot_product_attention(query, key, value, {}, dropout, /*is_causal=*/true);
}

/// Arguments: B, H, T, E, dropout in percent.
template <Attend attend>
void attention_of(benchmark::State& state) {
  at::set_num_threads(1);
  at::manual_seed(1);
  const int64_t batch = state.range(0), heads = state.range(1), tokens = state.range(2),
                width = state.range(3);
  const double dropout = static_cast<double>(state.range(4)) / 100.0;
  // As projections leave it: [B,T,H,E] in memory, and so is the gradient.
  const auto projected = [&] { return at::randn({batch, tokens, heads, width}).requires_grad_(); };
  const at::Tensor query = projected(), key = projected(), value = projected();
  const at::Tensor upstream = at::randn({batch, tokens, heads * width});
  for (auto _ : state) {
    const at::Tensor heads_BHTE =
        attend(query.transpose(1, 2), key.transpose(1, 2), value.transpose(1, 2), dropout);
    heads_BHTE.transpose(1, 2).reshape({batch, tokens, heads * width}).backward(upstream);
    for (const at::Tensor* leaf : {&query, &key, &value}) leaf->mutable_grad().reset();
  }
  // Multiplications and additions of the causal half: 2 products forward, 5 backward.
  const double flops = 7.0 * static_cast<double>(batch * heads * tokens * (tokens + 1) * width);
  state.counters["GFLOP/s"] =
      benchmark::Counter(flops * 1e-9, benchmark::Counter::kIsIterationInvariantRate);
}

void sizes(benchmark::internal::Benchmark* benchmark) {
  benchmark->ArgNames({"B", "H", "T", "E", "dropout%"})->Unit(benchmark::kMillisecond);
  for (const int64_t dropout : {0, 10}) {
    for (const int64_t tokens : {35, 64, 100}) benchmark->Args({32, 4, tokens, 32, dropout});
    benchmark->Args({64, 1, 100, 300, dropout});
  }
}

BENCHMARK(attention_of<fused>)->Name("attention/ours")->Apply(sizes);
BENCHMARK(attention_of<plain>)->Name("attention/plain")->Apply(sizes);
BENCHMARK(attention_of<libtorch_fused>)->Name("attention/libtorch_fused")->Apply(sizes);

/// Argument: elements.
void dropout_ours(benchmark::State& state) {
  at::set_num_threads(1);
  const at::Tensor input = at::randn({state.range(0) / 128, 128});
  for (auto _ : state) benchmark::DoNotOptimize(philox_dropout(input, 0.1, {1, 2}));
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

void dropout_libtorch(benchmark::State& state) {
  at::set_num_threads(1);
  const at::Tensor input = at::randn({state.range(0) / 128, 128});
  for (auto _ : state) benchmark::DoNotOptimize(at::dropout(input, 0.1, true));
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

BENCHMARK(dropout_ours)->Name("dropout/ours")->Arg(32 * 100 * 128)->Unit(benchmark::kMicrosecond);
BENCHMARK(dropout_libtorch)
    ->Name("dropout/libtorch")
    ->Arg(32 * 100 * 128)
    ->Unit(benchmark::kMicrosecond);

using Operator = at::Tensor(const std::vector<at::Tensor>& inputs);

at::Tensor gelu_ours(const std::vector<at::Tensor>& in) {
  return bias_gelu(in[0], in[1]);
}

at::Tensor gelu_plain(const std::vector<at::Tensor>& in) {
  return bias_gelu_reference(in[0], in[1]);
}

at::Tensor norm_ours(const std::vector<at::Tensor>& in) {
  return residual_layer_norm(in[0], in[1], in[2], in[3], {.dropout = 0.1, .key = {1, 2}});
}

at::Tensor norm_plain(const std::vector<at::Tensor>& in) {
  return at::layer_norm(in[1] + at::dropout(in[0], 0.1, /*train=*/true), {in[0].size(1)}, in[2],
                        in[3]);
}

/// Forward and backward of an operator on so many matrices, then vectors. Arguments: rows, columns.
template <Operator operation, int matrices, int vectors>
void rows_of(benchmark::State& state) {
  at::set_num_threads(1);
  at::manual_seed(1);
  std::vector<at::Tensor> inputs;
  for (int i = 0; i < matrices + vectors; ++i) {
    const std::vector<int64_t> matrix = {state.range(0), state.range(1)}, row = {state.range(1)};
    inputs.push_back(at::randn(i < matrices ? matrix : row).requires_grad_());
  }
  const at::Tensor upstream = at::randn_like(operation(inputs));
  for (auto _ : state) {
    operation(inputs).backward(upstream);
    for (const at::Tensor& input : inputs) input.mutable_grad().reset();
  }
}

void feed_forward_rows(benchmark::internal::Benchmark* benchmark) {
  benchmark->Args({1024, 1024})->Unit(benchmark::kMillisecond);
}

void model_rows(benchmark::internal::Benchmark* benchmark) {
  benchmark->Args({1024, 256})->Unit(benchmark::kMillisecond);
}

BENCHMARK(rows_of<gelu_ours, 1, 1>)->Name("bias_gelu/ours")->Apply(feed_forward_rows);
BENCHMARK(rows_of<gelu_plain, 1, 1>)->Name("bias_gelu/plain")->Apply(feed_forward_rows);
BENCHMARK(rows_of<norm_ours, 2, 2>)->Name("residual_layer_norm/ours")->Apply(model_rows);
BENCHMARK(rows_of<norm_plain, 2, 2>)->Name("residual_layer_norm/plain")->Apply(model_rows);

template <at::Tensor operation(const at::Tensor& matrix)>
void turned(benchmark::State& state) {
  at::set_num_threads(1);
  const at::Tensor matrix = at::randn({state.range(0), state.range(1)});
  for (auto _ : state) benchmark::DoNotOptimize(operation(matrix));
}

BENCHMARK(turned<transposed>)->Name("transposed/ours")->Apply(feed_forward_rows);
BENCHMARK(turned<transposed_reference>)->Name("transposed/plain")->Apply(feed_forward_rows);

}  // namespace
}  // namespace rethink

int main(int count, char** words) {
  // As experiments/train/device.cpp has it: else each result of 4 MB is memory that is new.
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, INT_MAX);
  mallopt(M_TOP_PAD, 64 << 20);
  benchmark::Initialize(&count, words);
  benchmark::RunSpecifiedBenchmarks();
}
