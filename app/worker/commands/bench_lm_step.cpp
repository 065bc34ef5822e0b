// `bench lm_step`: one optimisation step of the small language model, as the training loop takes
// it, on one batch of a fixed made-up text. tests/bench/peers/lm_step.py is the same in PyTorch.
#include <ATen/ATen.h>
#include <fmt/format.h>

#include <algorithm>

#include "app/worker/commands/bench_steps.h"
#include "datasets/vocabulary.h"
#include "experiments/train/batch_stream.h"
#include "experiments/train/device.h"
#include "experiments/train/language_model_task.h"

namespace rethink {
namespace {

struct LmStepOptions {
  int64_t steps = 30, warmup = 5, threads = 1;
  int64_t layers = 4, d_model = 128, heads = 1, ffn = 512;
  int64_t vocabulary = 10000, batch = 32, tokens = 100;

  void fields(Fields& field) {
    field("steps", steps, "steps to time").min(1);
    field("warmup", warmup, "steps before").min(0);
    field("threads", threads, "threads of LibTorch").min(1);
    field("layers", layers, "decoder layers").min(1);
    field("d_model", d_model, "width").min(1);
    field("heads", heads, "attention heads").min(1);
    field("ffn", ffn, "width of the feed-forward layer").min(1);
    field("vocabulary", vocabulary, "words").min(10);
    field("batch", batch, "lines in a step").min(1);
    field("tokens", tokens, "tokens of the longest line").min(1);
  }
};

/// Lines of a length bucket: line r has tokens - r % (tokens / 10) tokens to predict.
class FixedLines : public TokenDataset {
 public:
  explicit FixedLines(const LmStepOptions& options) : vocabulary_(words(options.vocabulary)) {
    for (int64_t row = 0; row < options.batch; ++row) {
      const int64_t length = options.tokens - row % std::max<int64_t>(1, options.tokens / 10);
      for (int64_t j = 0; j <= length; ++j) {
        const int64_t word =
            (row * 7919 + j * 104729 + j * j) % (options.vocabulary - Vocabulary::kSpecials);
        tokens_.push_back(static_cast<int32_t>(Vocabulary::kSpecials + word));
      }
      offsets_.push_back(tokens_.size());
    }
  }

  const Vocabulary& vocabulary() const override { return vocabulary_; }
  std::vector<std::string> splits() const override { return {"train"}; }
  TokenSequences sequences(const std::string&) const override { return {offsets_, tokens_}; }

 private:
  static std::vector<std::string> words(int64_t count) {
    std::vector<std::string> texts;
    for (int64_t word = Vocabulary::kSpecials; word < count; ++word)
      texts.push_back(fmt::format("w{}", word));
    return texts;
  }

  Vocabulary vocabulary_;
  std::vector<uint64_t> offsets_ = {0};
  std::vector<int32_t> tokens_;
};

void run(const Json& given) {
  const auto options = read_options<LmStepOptions>(given);
  Runtime runtime;
  runtime.threads = static_cast<int>(options.threads);
  TrainOptions train;
  train.steps = options.warmup + options.steps;
  train.batch = options.batch;
  train.evaluate.keep = "last";
  ModelOptions model;
  model.layers = options.layers;
  model.d_model = options.d_model;
  model.heads = options.heads;
  model.ffn = options.ffn;
  const at::Device device = prepare_device(runtime, train.precision);
  LanguageModelTask task(std::make_shared<FixedLines>(options), model,
                         {.batching = {.batch = options.batch}}, 0, device);
  BenchTrainer trainer(task, train, runtime.threads, device);
  BatchStream batches(task, {});
  std::vector<double> times_ms;
  for (int64_t step = 0; step < options.warmup + options.steps; ++step) {
    const double taken = time_ms([&] { trainer.step(batches.next().batch); });
    if (step >= options.warmup) times_ms.push_back(taken);
  }
  fmt::print("{{{}, {}}}\n", machine_members(), spread_members(times_ms));
}

}  // namespace

StepBenchmark lm_step_benchmark() {
  return {"an optimisation step of a small language model", describe_options<LmStepOptions>(), run};
}

}  // namespace rethink
