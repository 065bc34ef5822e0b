// Benchmark of a learned mask in a training step, without the attention: drawing SparseBERT's DAM
// for 12 heads of 128 tokens, its penalty, and the backward pass from the attention's gradient to
// the scores. One thread, float32.
#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <benchmark/benchmark.h>

#include "models/attention/shared_mask.h"

namespace rethink {
namespace {

constexpr int64_t kHeads = 12, kTokens = 128, kWidth = 768;

void dam_of(benchmark::State& state, bool structured) {
  at::set_num_threads(1);
  at::manual_seed(1);
  std::map<std::string, std::shared_ptr<SharedAttentionState>> shared;
  const AttentionSite site{.d_model = kWidth,
                           .heads = kHeads,
                           .max_positions = kTokens,
                           .place = AttentionPlace::encoder_self,
                           .shared = &shared};
  const auto layer =
      attentions().make("dam", {{"structured", structured}, {"length", kTokens}}, site);
  const auto mask = std::dynamic_pointer_cast<SharedMask>(shared.at("dam"));
  mask->train();
  const at::Tensor input = at::zeros({1, kTokens, kWidth});
  const at::Tensor upstream = at::randn({kHeads, kTokens, kTokens});
  uint64_t step = 0;
  for (auto _ : state) {
    Recorder record;
    mask->refresh({1, ++step}, &record);
    AttendOptions options;
    mask->apply({.query_input = input, .key_input = input}, options);
    ((options.bias * upstream).sum() + record.losses.at("mask_penalty")).backward();
    for (const at::Tensor& parameter : mask->parameters()) parameter.mutable_grad().reset();
  }
}

BENCHMARK_CAPTURE(dam_of, structured, true)
    ->Name("dam/structured_12x128x128")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(dam_of, unstructured, false)
    ->Name("dam/unstructured_12x128x128")
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace rethink
