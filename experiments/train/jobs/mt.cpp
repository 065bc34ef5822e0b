// Trains a translation model and measures it: BET's experiments on IWSLT 2014 and WMT 2017.
#include <ATen/ATen.h>

#include "core/config/schema.h"
#include "core/json.h"
#include "datasets/text/syntax_hints.h"
#include "experiments/attempt/event_log.h"
#include "experiments/train/device.h"
#include "experiments/train/loop.h"
#include "experiments/train/tasks/translation_task.h"
#include "experiments/train/training_job.h"

namespace rethink {
namespace {

struct SearchOptions {
  int64_t beams = 5;
  double length_penalty = 1.0;
  double length_factor = 1.2;
  int64_t length_extra = 10;

  void fields(Fields& field) {
    field("beams", beams, "unfinished sentences that are kept for each source").min(1);
    field("length_penalty", length_penalty,
          "a sentence's score is its log-probability over its length to this power");
    field(
        "length_factor", length_factor,
        "the longest sentence has this many times the tokens of its source, and length_extra more")
        .min(0);
    field("length_extra", length_extra, "see length_factor [tokens]").min(1);
  }
};

struct MtOptions : TrainOptions {
  Choice<"dataset", "dataset"> data;
  TranslationModelOptions model;
  std::optional<int64_t> batch_tokens = 4096;
  double label_smoothing = 0.1;
  SearchOptions search;

  /// fairseq's recipe for IWSLT 2014, as BET's released scripts call it.
  MtOptions() {
    // What fairseq calls adam takes the decay from the weight itself, of biases and norms too.
    optimizer = {"adamw",
                 {{"lr", 5e-4}, {"beta2", 0.98}, {"weight_decay", 1e-4}, {"decay_vectors", true}},
                 {}};
    schedule = {"inverse_square_root", {{"warmup", 4000}}, {}};
  }

  void fields(Fields& field) {
    field("data", data, "what to learn").required();
    field("model", model, "encoder and decoder");
    field("batch_tokens", batch_tokens,
          "pairs of like length make a batch, of which neither side has more tokens, padding "
          "counted; "
          "null: `batch` pairs")
        .min(1);
    field("label_smoothing", label_smoothing,
          "share of what is learned that goes to all other tokens alike")
        .min(0)
        .below(1);
    field("search", search, "for the likeliest sentence, which BLEU is of");
    TrainOptions::fields(field);
  }

  static std::vector<Rule> rules() {
    std::vector<Rule> all = TrainOptions::rules();
    all.push_back({"fact",
                   {"data.dataset"},
                   "translation is learned from sentences and their translations",
                   {"dataset", "kind", "translations"}});
    for (const Rule& rule : splits_of_the_data_set()) all.push_back(rule);
    all.push_back({"declared",
                   {"evaluate.metric", "data.dataset"},
                   "these are the metrics of the data set",
                   {"dataset", "metrics"}});
    for (const Rule& rule : rules_of_hints("model.attention")) all.push_back(rule);
    all.push_back({"at_most",
                   {"search.beams", "data.vocabulary"},
                   "beam search takes twice as many tokens as beams: lower search.beams, or raise "
                   "data.vocabulary",
                   {2, 0},
                   {{"data.unit", "pieces"}}});
    return all;
  }
};

class MtJob : public TrainingJob {
 public:
  explicit MtJob(const MtOptions& options) : options_(options) {}

 private:
  JobOutcome train(JobContext& context) const override {
    const at::Device device = prepare_device(context, options_.precision);
    const auto dataset = data_of<TranslationDataset>(context, options_.data);
    TranslationTask task(dataset, options_.model, task_options(),
                         static_cast<uint64_t>(context.trial.seed.value_or(0)), device);
    Trainer trainer(task, options_, device, context);
    const TranslationSplit& train = dataset->split("train");
    const JobOutcome outcome = trainer.run([&] {
      if (takes_hints()) write_hint_coverage(hint_coverage(train.hints), context.events);
    });
    write_split_size("train", {train.source.size(), train.source.size() + train.left_out},
                     context.events);
    if (outcome != JobOutcome::done) return outcome;
    leave_weights(trainer, context);
    leave_predictions(trainer, datasets().schema(options_.data.name).facts.at("metrics"), context);
    leave_found(task, trainer.predictions(), context);
    return outcome;
  }

  /// SPLIT.txt, the sentences that were found.
  void leave_found(const TranslationTask& task,
                   const std::map<std::string, at::Tensor>& predictions,
                   JobContext& context) const {
    for (const std::string& split : options_.evaluate.splits)
      leave_prediction_file(split + ".txt", task.found_text(predictions_of(split, predictions)),
                            split, context);
  }

  TranslationTaskOptions task_options() const {
    return {
        .batching = options_.batching(),
        .batch_tokens = options_.batch_tokens,
        .label_smoothing = options_.label_smoothing,
        .beam = {.beams = options_.search.beams, .length_penalty = options_.search.length_penalty},
        .length_factor = options_.search.length_factor,
        .length_extra = options_.search.length_extra,
        .splits = options_.evaluate.splits,
        .hints = takes_hints()};
  }

  bool takes_hints() const { return takes_side_input(options_.model.attention, kHints); }

  const MtOptions options_;
};

RETHINK_REGISTERED = jobs().add<MtOptions>(
    {.name = "mt",
     .summary = "train and measure a translation model (BET, Tables 1 and 2, Figures 3 to 5)",
     .revision = 2,
     .facts = {{"inputs", Json::object()},
               {"weights_of", "decoder"},
               {"outputs", {"weights", "predictions", "prediction_file"}},
               {"seeded", true},
               {"metrics", training_metrics({{"named_by",
                                              {{"option", "data.dataset"},
                                               {"registry", "dataset"},
                                               {"fact", "metrics"}}}})}}},
    [](const MtOptions& options) { return std::make_shared<MtJob>(options); });

}  // namespace
}  // namespace rethink
