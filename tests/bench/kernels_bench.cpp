// The kernels' operators against plain LibTorch and LibTorch's own fused attention: forward and
// backward of one layer's attention, one thread, float32. Sizes: the small profile of the sweeps
// and BET's published model.
#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <benchmark/benchmark.h>
#include <torch/csrc/autograd/variable.h>

#include <cmath>

#include "kernels/attention/attention.h"
#include "kernels/philox_dropout/philox_dropout.h"

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

}  // namespace
}  // namespace rethink

BENCHMARK_MAIN();
