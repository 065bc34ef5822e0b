// `bench lm_step`: one optimisation step of the small language model, as the training loop takes
// it, on one batch of a fixed made-up text. tests/bench/peers/decoder_step.py is the same in
// PyTorch, and takes its steps in turns with these.
#include <ATen/ATen.h>

#include "app/worker/commands/bench_steps.h"
#include "app/worker/commands/made_up_lines.h"
#include "experiments/train/device.h"
#include "experiments/train/language_model_task.h"

using namespace std::string_literals;

namespace rethink {
namespace {

struct LmStepOptions {
  TimingOptions timing;
  int64_t layers = 4, d_model = 128, heads = 1, ffn = 512;
  int64_t vocabulary = 10000, batch = 32, tokens = 100;
  double dropout = 0.1;
  std::string attention = "dense";

  void fields(Fields& field) {
    timing.fields(field);
    field("layers", layers, "decoder layers").min(1);
    field("d_model", d_model, "width").min(1);
    field("heads", heads, "attention heads").min(1);
    field("ffn", ffn, "width of the feed-forward layer").min(1);
    field("vocabulary", vocabulary, "words").min(10);
    field("batch", batch, "lines in a step").min(1);
    field("tokens", tokens, "tokens of the longest line").min(1);
    field("dropout", dropout, "everywhere in the model").min(0).below(1);
    field("attention", attention, "its kind, as `rethink describe attention` names it");
  }
};

void run(const Json& given) {
  const auto options = read_options<LmStepOptions>(given);
  Runtime runtime;
  runtime.threads = static_cast<int>(options.timing.threads);
  TrainOptions train;
  train.steps = options.timing.warmup + options.timing.steps;
  train.batch = options.batch;
  train.evaluate.keep = "last";
  ModelOptions model;
  model.layers = options.layers;
  model.d_model = options.d_model;
  model.heads = options.heads;
  model.ffn = options.ffn;
  model.dropout = options.dropout;
  model.attention = {options.attention, Json::object(), {}};
  const at::Device device = prepare_device(runtime, train.precision);
  const MadeUpText lines{
      .count = options.batch, .tokens = options.tokens, .before = {Vocabulary::kStart}};
  Measured<LanguageModelTask> task(
      std::make_shared<MadeUpLines>(options.vocabulary, std::map{std::pair{"train"s, lines}}),
      model, {.batching = {.batch = options.batch}}, 0, device);
  const Batch batch = task.batch(task.epoch_batches(0).front());
  write_start(options.timing.folder, task.model(), {batch});
  BenchTrainer trainer(task, train, runtime.threads, device);
  print_times(options.timing,
              {.step = [&] { trainer.step(batch); }, .result = [&] { return Json(task.loss()); }});
}

}  // namespace

StepBenchmark lm_step_benchmark() {
  return {"an optimisation step of a small language model", describe_options<LmStepOptions>(), run};
}

}  // namespace rethink
