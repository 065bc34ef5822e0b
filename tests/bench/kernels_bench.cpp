// Benchmark of the kernels' operators on rows and of plain LibTorch: forward and backward, one
// thread, float32. Sizes are those of an encoder of width 256 with 8 texts of 128 tokens. Other
// files measure attention, cross-entropy and matrix products.
#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <benchmark/benchmark.h>
#include <malloc.h>
#include <torch/csrc/autograd/variable.h>

#include <climits>

#include "kernels/bias_gelu/bias_gelu.h"
#include "kernels/philox_dropout/philox_dropout.h"
#include "kernels/philox_dropout/philox_dropout_rows.h"
#include "kernels/philox_uniform/philox_uniform.h"
#include "kernels/reference.h"
#include "kernels/residual_layer_norm/residual_layer_norm.h"
#include "kernels/transposed/transposed.h"

namespace rethink {
namespace {

using Operator = at::Tensor(const std::vector<at::Tensor>& inputs);

at::Tensor dropout_ours(const std::vector<at::Tensor>& in) {
  return philox_dropout(in[0], 0.1, {1, 2});
}

at::Tensor dropout_plain(const std::vector<at::Tensor>& in) {
  return at::dropout(in[0], 0.1, /*train=*/true);
}

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

at::Tensor uniform_ours(at::IntArrayRef sizes) {
  return philox_uniform(sizes, {1, 2}, at::kCPU);
}

at::Tensor uniform_plain(at::IntArrayRef sizes) {
  return at::rand(sizes);
}

/// Arguments: rows, columns.
template <at::Tensor draw(at::IntArrayRef sizes)>
void numbers(benchmark::State& state) {
  at::set_num_threads(1);
  for (auto _ : state) benchmark::DoNotOptimize(draw({state.range(0), state.range(1)}));
}

/// Times forward and backward passes of an operator on so many matrices, then vectors. Arguments:
/// rows, columns.
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

void dropout_rows(benchmark::internal::Benchmark* benchmark) {
  benchmark->Args({32 * 100, 128})->Unit(benchmark::kMillisecond);
}

void feed_forward_rows(benchmark::internal::Benchmark* benchmark) {
  benchmark->Args({1024, 1024})->Unit(benchmark::kMillisecond);
}

void model_rows(benchmark::internal::Benchmark* benchmark) {
  benchmark->Args({1024, 256})->Unit(benchmark::kMillisecond);
}

BENCHMARK(rows_of<dropout_ours, 1, 0>)->Name("philox_dropout/ours")->Apply(dropout_rows);
BENCHMARK(rows_of<dropout_plain, 1, 0>)->Name("philox_dropout/plain")->Apply(dropout_rows);
BENCHMARK(numbers<uniform_ours>)->Name("philox_uniform/ours")->Apply(dropout_rows);
BENCHMARK(numbers<uniform_plain>)->Name("philox_uniform/plain")->Apply(dropout_rows);
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

/// Times dropout without memory traffic: its bits and a multiplication, on numbers in the
/// first-level cache. ATEN_CPU_CAPABILITY=avx2 or default selects a smaller instruction set.
void dropout_in_cache(benchmark::State& state) {
  constexpr int64_t kElements = 4096;
  std::vector<float> numbers(kElements, 1.0f), kept(kElements);
  for (auto _ : state) {
    dropout_kernels<float>().drop({.input = numbers.data(),
                                   .output = kept.data(),
                                   .rows = 1,
                                   .columns = kElements,
                                   .first = 0,
                                   .row_blocks = kElements / 8,
                                   .key = {1, 2},
                                   .threshold = 6554,
                                   .scale = 1.0 / 0.9});
    benchmark::ClobberMemory();
  }
  state.counters["per_element"] = benchmark::Counter(
      kElements, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

BENCHMARK(dropout_in_cache)->Name("philox_dropout/in_cache");

BENCHMARK(turned<transposed>)->Name("transposed/ours")->Apply(feed_forward_rows);
BENCHMARK(turned<transposed_reference>)->Name("transposed/plain")->Apply(feed_forward_rows);

}  // namespace
}  // namespace rethink

int main(int count, char** words) {
  // The settings of experiments/train/device/device.cpp. Without them each result of 4 MB is new memory,
  // and products with denormal numbers are many times slower.
  at::globalContext().setFlushDenormal(true);
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, INT_MAX);
  mallopt(M_TOP_PAD, 64 << 20);
  benchmark::Initialize(&count, words);
  benchmark::RunSpecifiedBenchmarks();
}
