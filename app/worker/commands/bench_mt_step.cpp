// `bench mt_step`: one optimisation step of a translation model, as the training loop takes it, on
// one batch of a fixed made-up text. tests/bench/peers/decoder_step.py is the same in PyTorch, and
// takes its steps in turns with these.
#include <ATen/ATen.h>

#include "app/worker/commands/bench_steps.h"
#include "app/worker/commands/made_up_pairs.h"
#include "experiments/train/device.h"
#include "experiments/train/translation_task.h"

namespace rethink {
namespace {

struct MtStepOptions {
  TimingOptions timing;
  MadeUpPairs pairs;
  double dropout = 0.1;

  void fields(Fields& field) {
    timing.fields(field);
    pairs.fields(field);
    field("dropout", dropout, "everywhere in the model").min(0).below(1);
  }
};

void run(const Json& given) {
  const auto options = read_options<MtStepOptions>(given);
  Runtime runtime;
  runtime.threads = static_cast<int>(options.timing.threads);
  TrainOptions train;
  train.steps = options.timing.warmup + options.timing.steps;
  train.batch = options.pairs.batch;
  train.evaluate.keep = "last";
  const at::Device device = prepare_device(runtime, train.precision);
  TranslationModelOptions model = options.pairs.model();
  model.dropout = options.dropout;
  Measured<TranslationTask> task(options.pairs.dataset(), model,
                                 {.batching = {.batch = options.pairs.batch}}, 0, device);
  const Batch batch = task.batch(task.epoch_batches(0).front());
  write_start(options.timing.folder, task.model(), {batch});
  BenchTrainer trainer(task, train, runtime.threads, device);
  print_times(options.timing,
              {.step = [&] { trainer.step(batch); }, .result = [&] { return Json(task.loss()); }});
}

}  // namespace

StepBenchmark mt_step_benchmark() {
  return {"an optimisation step of a translation model", describe_options<MtStepOptions>(), run};
}

}  // namespace rethink
