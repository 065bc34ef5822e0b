// The attention of a decoder's tokens in one layer to themselves and to earlier tokens: BET, Table
// 1. Metrics of the split: `current`, `history`, `history_sd`, `current_if_even`
// (decoder_attention.h), and `ratio`, which is current / history.
//
// The paper says "the average of all the diagonal weights" and "average and standard deviation of
// all the lower triangular" matrix. Here means are over all tokens, and over all pairs of a token
// and an earlier token. As in the released code, the deviation is within a token's row, averaged
// over tokens. The released code reads batches with their padding, which counts there.
#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <fmt/format.h>

#include "experiments/attempt/event_log.h"
#include "experiments/attempt/jobs/analyze.h"
#include "experiments/train/analyses/decoder_attention.h"
#include "experiments/train/analyses/trained_decoder.h"
#include "experiments/train/device/device.h"

namespace rethink {
namespace {

struct AttentionStatisticsOptions {
  int64_t layer = 1;
  std::string split = "test";
  int64_t sequences = 0;

  void fields(Fields& field) {
    field("layer", layer, "layer of the decoder, counted from 1").required().min(1);
    field("split", split, "split whose sequences are read");
    field("sequences", sequences, "number of sequences to read, from the first; 0: all [sequences]")
        .min(0);
  }
};

class AttentionStatistics : public Analysis {
 public:
  explicit AttentionStatistics(const AttentionStatisticsOptions& options) : options_(options) {}

  JobOutcome run(JobContext& context) override {
    const at::NoGradGuard no_gradient;
    const at::Device device = prepare_device(context, "float32");
    const auto decoder = load_trained_decoder(context, device);
    size_t count = decoder->size(options_.split);
    if (options_.sequences > 0) count = std::min(count, static_cast<size_t>(options_.sequences));
    AttentionSums sums;
    for (size_t index = 0; index < count; ++index) {
      if (context.stop) return JobOutcome::interrupted;
      sums.add(layer_of(decoder->maps(options_.split, index)));
    }
    report(sums, context.events);
    return JobOutcome::done;
  }

 private:
  const at::Tensor& layer_of(const std::vector<at::Tensor>& maps) const {
    if (options_.layer <= static_cast<int64_t>(maps.size()))
      return maps[static_cast<size_t>(options_.layer - 1)];
    throw ConfigError("invalid-value",
                      fmt::format("analysis.layer: got {}, the decoder of these weights has {}",
                                  options_.layer, maps.size()));
  }

  void report(const AttentionSums& sums, EventLog& events) const {
    const auto write = [&](const std::string& name, double value) {
      events.metric(options_.split, name + "@last", 0, value);
    };
    write("current", sums.current());
    write("history", sums.history());
    write("history_sd", sums.history_deviation());
    write("current_if_even", sums.current_if_even());
    write("ratio", sums.current() / sums.history());
  }

  const AttentionStatisticsOptions options_;
};

RETHINK_REGISTERED = analyses().add<AttentionStatisticsOptions>(
    {.name = "attention_statistics",
     .summary = "attention of a decoder's tokens to themselves and to earlier tokens, in one layer "
                "(BET, Table 1)",
     .facts = {.reads = {"init"}, .weights_of = "decoder"}},
    [](const AttentionStatisticsOptions& options) {
      return std::make_shared<AttentionStatistics>(options);
    });

}  // namespace
}  // namespace rethink
