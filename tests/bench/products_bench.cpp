// Benchmark of matrix products, cross-entropy, and an output projection with cross-entropy,
// compared with LibTorch's: forward and backward, one thread, float32. Sizes are those of the
// masked tokens of a small and a wider encoder's step, and of the lines of the small language
// model.
#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <benchmark/benchmark.h>
#include <torch/csrc/autograd/variable.h>

#include "kernels/cross_entropy/cross_entropy.h"
#include "models/tensors/cross_entropy.h"
#include "models/tensors/linear.h"

namespace rethink {
namespace {

at::Tensor leaf(at::IntArrayRef sizes, double deviation = 1.0) {
  return (at::randn(sizes) * deviation).requires_grad_();
}

constexpr double kWeights = 0.02;  // standard deviation in a new model

/// Times forward and backward passes of the sum that `loss` computes from `leaves`.
template <typename Loss>
void step(benchmark::State& state, const std::vector<at::Tensor>& leaves, const Loss& loss) {
  for (auto _ : state) {
    loss().backward();
    for (const at::Tensor& one : leaves) one.mutable_grad().reset();
  }
}

at::Tensor cross_entropy_libtorch(const at::Tensor& scores, const at::Tensor& targets) {
  return at::cross_entropy_loss(scores, targets, {}, at::Reduction::Sum);
}

at::Tensor linear_cross_entropy_libtorch(const at::Tensor& hidden, const at::Tensor& weight,
                                         const at::Tensor& bias, const at::Tensor& targets) {
  return cross_entropy_libtorch(at::linear(hidden, weight, bias), targets);
}

/// Arguments: rows, words.
template <at::Tensor sum_of(const at::Tensor& scores, const at::Tensor& targets)>
void cross_entropy_of(benchmark::State& state) {
  at::set_num_threads(1);
  at::manual_seed(1);
  const int64_t rows = state.range(0), words = state.range(1);
  const at::Tensor scores = leaf({rows, words}), targets = at::randint(words, {rows}, at::kLong);
  step(state, {scores}, [&] { return sum_of(scores, targets); });
}

/// Arguments: rows, width, words.
template <decltype(linear_cross_entropy_sum) sum_of>
void linear_cross_entropy_of(benchmark::State& state) {
  at::set_num_threads(1);
  at::manual_seed(1);
  const int64_t rows = state.range(0), width = state.range(1), words = state.range(2);
  const at::Tensor hidden = leaf({rows, width}), weight = leaf({words, width}, kWeights),
                   bias = leaf({words});
  const at::Tensor targets = at::randint(words, {rows}, at::kLong);
  step(state, {hidden, weight, bias}, [&] { return sum_of(hidden, weight, bias, targets); });
}

at::Tensor linear_libtorch(const at::Tensor& input, const at::Tensor& weight,
                           const at::Tensor& bias) {
  return at::linear(input, weight, bias);
}

/// Arguments: rows, columns of the input, columns of the result.
template <decltype(linear) operation>
void linear_of(benchmark::State& state) {
  at::set_num_threads(1);
  at::manual_seed(1);
  const int64_t rows = state.range(0), from = state.range(1), to = state.range(2);
  const at::Tensor input = leaf({rows, from}), weight = leaf({to, from}, kWeights),
                   bias = leaf({to});
  const at::Tensor upstream = at::randn({rows, to});
  for (auto _ : state) {
    operation(input, weight, bias).backward(upstream);
    for (const at::Tensor* one : {&input, &weight, &bias}) one->mutable_grad().reset();
  }
  state.counters["GFLOP/s"] = benchmark::Counter(6e-9 * static_cast<double>(rows * from * to),
                                                 benchmark::Counter::kIsIterationInvariantRate);
}

/// At most as many rows as linear_cross_entropy_sum processes at once.
void scores(benchmark::internal::Benchmark* benchmark) {
  benchmark->Args({154, 8192})->Args({400, 10000})->Unit(benchmark::kMillisecond);
}

void projections(benchmark::internal::Benchmark* benchmark) {
  benchmark->Args({154, 256, 8192})->Args({154, 384, 16384})->Args({3000, 128, 10000});
  benchmark->Unit(benchmark::kMillisecond);
}

void layers(benchmark::internal::Benchmark* benchmark) {
  benchmark->Args({1024, 256, 1024})->Args({1024, 256, 256})->Unit(benchmark::kMillisecond);
}

BENCHMARK(cross_entropy_of<cross_entropy_sum>)->Name("cross_entropy/ours")->Apply(scores);
BENCHMARK(cross_entropy_of<cross_entropy_libtorch>)->Name("cross_entropy/plain")->Apply(scores);
BENCHMARK(linear_cross_entropy_of<linear_cross_entropy_sum>)
    ->Name("linear_cross_entropy/ours")
    ->Apply(projections);
BENCHMARK(linear_cross_entropy_of<linear_cross_entropy_libtorch>)
    ->Name("linear_cross_entropy/plain")
    ->Apply(projections);
BENCHMARK(linear_of<linear>)->Name("linear/ours")->Apply(layers);
BENCHMARK(linear_of<linear_libtorch>)->Name("linear/plain")->Apply(layers);

}  // namespace
}  // namespace rethink
