// `bench beam_search`: the search for translations of one batch of made-up sentences, as in an
// evaluation. The model's weights are initial, so that hardly any sentence ends before the maximum
// length. tests/bench/peers/beam_search.py is the same in PyTorch; both search in turns.
#include <ATen/ATen.h>

#include "app/worker/bench_steps.h"
#include "app/worker/made_up_text.h"
#include "core/config/registry.h"
#include "core/config/schema.h"
#include "core/json.h"
#include "experiments/train/device/device.h"
#include "experiments/train/jobs/mt.h"
#include "models/translation_model.h"

namespace rethink {
namespace {

struct BeamSearchOptions {
  TimingOptions timing;
  MadeUpPairs pairs;
  int64_t beams = 5;

  void fields(Fields& field) {
    timing.fields(field);
    pairs.fields(field);
    field("beams", beams, "beams per sentence").min(1);
  }
};

void run_beam_search(const Json& given) {
  auto options = read_options<BeamSearchOptions>(given);
  options.timing.asked = {{"benchmark", "beam_search"}, {"options", given}};
  const at::Device device = options.timing.ready_device();
  TranslationTask task(options.pairs.dataset(), options.pairs.model(),
                       {.batching = {.batch = options.pairs.batch}}, 0, device);
  auto& model = dynamic_cast<TranslationModel&>(task.model());
  model.train(false);
  const at::NoGradGuard no_gradient;
  Batch batch = task.batch(task.epoch_batches(0).front());
  write_start(options.timing.folder, model, {batch});
  batch = on_device(batch, device);
  const at::Tensor& source_ids = batch.columns.at("source_ids");
  const std::vector<int64_t> longest(static_cast<size_t>(source_ids.size(0)), options.pairs.tokens);
  const BeamOptions beam = with_special_tokens({.beams = options.beams});
  std::vector<Hypothesis> found;
  const auto search = [&] {
    const PrecisionScope precision(options.timing.precision, device);
    const auto decoder = make_translation_decoder(
        model, model.encoded(source_ids, batch.columns.at("source_keep"), {}), {});
    found = beam_search(*decoder, longest, beam);
  };
  const auto sentences = [&] {
    Json tokens = Json::array();
    for (const Hypothesis& sentence : found) tokens.push_back(sentence.tokens);
    return tokens;
  };
  print_times(options.timing, {.step = search, .result = sentences, .device = device});
}

RETHINK_REGISTERED =
    add_benchmark("beam_search", {"beam search with a translation model",
                                  describe_options<BeamSearchOptions>(), run_beam_search});

}  // namespace

}  // namespace rethink
