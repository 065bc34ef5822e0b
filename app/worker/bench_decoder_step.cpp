// `bench lm_step` and `bench mt_step`: one optimisation step of a small decoder, of a language model
// or of a translation model, as the training loop takes it, on one batch of a fixed made-up text.
// tests/bench/peers/decoder_step.py is the same in PyTorch, and takes its steps in turns with these.
#include "app/worker/bench_steps.h"
#include "app/worker/made_up_text.h"
#include "core/config/registry.h"
#include "core/config/schema.h"
#include "core/json.h"
#include "experiments/train/jobs/lm.h"
#include "experiments/train/jobs/mt.h"

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
    field("vocabulary", vocabulary, "words in the vocabulary").min(10);
    field("batch", batch, "lines per step").min(1);
    field("tokens", tokens, "tokens of the longest line").min(1);
    field("dropout", dropout, "dropout everywhere in the model").min(0).below(1);
    field("attention", attention,
          "kind of attention; `rethink describe attention` lists the kinds");
  }
};

void run_lm_step(const Json& given) {
  auto options = read_options<LmStepOptions>(given);
  options.timing.asked = {{"benchmark", "lm_step"}, {"options", given}};
  ModelOptions model;
  model.layers = options.layers;
  model.d_model = options.d_model;
  model.heads = options.heads;
  model.ffn = options.ffn;
  model.dropout = options.dropout;
  model.attention = {options.attention, Json::object(), {}};
  const at::Device device = options.timing.ready_device();
  const MadeUpText lines{
      .count = options.batch, .tokens = options.tokens, .before = {Vocabulary::kStart}};
  Measured<LanguageModelTask> task(
      std::make_shared<MadeUpLines>(options.vocabulary,
                                    std::map{std::pair{std::string("train"), lines}}),
      model, {.batching = {.batch = options.batch}}, 0, device);
  time_first_batch(options.timing, task, device);
}

RETHINK_REGISTERED = add_benchmark("lm_step", {"an optimisation step of a small language model",
                                               describe_options<LmStepOptions>(), run_lm_step});

struct MtStepOptions {
  TimingOptions timing;
  MadeUpPairs pairs;
  double dropout = 0.1;

  void fields(Fields& field) {
    timing.fields(field);
    pairs.fields(field);
    field("dropout", dropout, "dropout everywhere in the model").min(0).below(1);
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

RETHINK_REGISTERED = add_benchmark("mt_step", {"an optimisation step of a translation model",
                                               describe_options<MtStepOptions>(), run_mt_step});

}  // namespace

}  // namespace rethink
