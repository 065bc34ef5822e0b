// `bench mt_step`: one optimisation step of a translation model, as the training loop takes it, on
// one batch of a fixed made-up text. tests/bench/peers/decoder_step.py is the same in PyTorch, and
// takes its steps in turns with these.
#include "app/worker/bench_steps.h"
#include "app/worker/made_up_pairs.h"
#include "core/config/schema.h"
#include "core/json.h"
#include "experiments/train/tasks/translation_task.h"

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

void run_mt_step(const Json& given) {
  auto options = read_options<MtStepOptions>(given);
  options.timing.asked = {{"benchmark", "mt_step"}, {"options", given}};
  const at::Device device = options.timing.ready_device();
  TranslationModelOptions model = options.pairs.model();
  model.dropout = options.dropout;
  Measured<TranslationTask> task(options.pairs.dataset(), model,
                                 {.batching = {.batch = options.pairs.batch}}, 0, device);
  time_first_batch(options.timing, task, device);
}

}  // namespace

StepBenchmark mt_step_benchmark() {
  return {"an optimisation step of a translation model", describe_options<MtStepOptions>(),
          run_mt_step};
}

}  // namespace rethink
