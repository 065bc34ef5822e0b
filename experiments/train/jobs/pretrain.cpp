// Pretrains an encoder as BERT (Devlin et al., 2019, section 3.1), under any attention: SparseBERT's
// importance study, its masks and its search for masks.
#include <ATen/ATen.h>

#include "datasets/wordpiece/trainer.h"
#include "experiments/train/device.h"
#include "experiments/train/loop.h"
#include "experiments/train/metrics.h"
#include "experiments/train/tasks/pretraining_task.h"
#include "experiments/train/training_job.h"

namespace rethink {
namespace {

struct VocabularyOptions {
  int64_t size = 30522;
  bool cased = false;

  void fields(Fields& field) {
    field("size", size, "pieces, special tokens among them, made from the training text").min(100);
    field("cased", cased, "case and accents are kept");
  }
};

struct MaskLearningOptions {
  std::optional<double> lr;

  void fields(Fields& field) {
    field("lr", lr, "learning rate of the scores of learned masks; null = the model's").above(0);
  }
};

/// The defaults are those of SparseBERT's released pretraining on one GPU's share of a batch, with
/// AdamW instead of LAMB, whose learning rates are for batches of 65,536.
struct PretrainOptions : TrainOptions {
  Choice<"dataset", "dataset"> data;
  EncoderOptions model;
  VocabularyOptions vocabulary;
  MaskLearningOptions mask;
  int64_t max_length = 128, max_predictions = 20, duplicates = 5;
  double masked_share = 0.15, short_share = 0.1;

  PretrainOptions() {
    batch = 32;
    clip = 1.0;
    optimizer = {"adamw", {{"lr", 1e-4}, {"eps", 1e-6}}, {}};
    schedule = {"linear", {{"warmup_share", 0.01}}, {}};
    evaluate.splits = {"dev"};
    evaluate.keep = "last";
  }

  void fields(Fields& field) {
    field("data", data, "documents to learn from").required();
    field("model", model, "encoder; with an input `init` that of its weights");
    field("vocabulary", vocabulary, "WordPiece; with an input `init` its own is used instead");
    field("mask", mask, "how learned masks learn");
    field("max_length", max_length, "longest pair of texts, special tokens included [tokens]")
        .min(5);
    field("masked_share", masked_share, "share of the tokens that are predicted").above(0).max(1);
    field("max_predictions", max_predictions, "most predicted tokens of a pair").min(1);
    field("short_share", short_share, "share of documents with shorter pairs").min(0).max(1);
    field("duplicates", duplicates,
          "passes over the documents with other pairs and masks, before they repeat")
        .min(1);
    TrainOptions::fields(field);
  }

  static std::vector<Rule> rules() {
    std::vector<Rule> all = TrainOptions::rules();
    all.push_back({"fact",
                   {"data.dataset"},
                   "pretraining is on documents of sentences",
                   {"dataset", "kind", "documents"}});
    all.push_back({"fact",
                   {"evaluate.metric"},
                   "this metric is not of masked texts",
                   {"metric", "kind", "masked"}});
    for (const Rule& rule : splits_of_the_data_set()) all.push_back(rule);
    all.push_back(a_position_for_every_token());
    all.push_back(a_mask_for_every_token());
    return all;
  }
};

class PretrainJob : public TrainingJob {
 public:
  explicit PretrainJob(const PretrainOptions& options) : options_(options) {}

 private:
  JobOutcome train(JobContext& context) const override {
    const at::Device device = prepare_device(context, options_.precision);
    const auto dataset = data_of<DocumentDataset>(context, options_.data);
    const EncoderStart start = encoder_start(context, options_.model, options_.max_length,
                                             [&] { return vocabulary_of(*dataset); });
    PretrainingTask task(*dataset, start, task_options(),
                         static_cast<uint64_t>(context.trial.seed.value_or(0)), device);
    load_start(start, task.model(), context);
    task.model().to(device);
    Trainer trainer(task, options_, device, context);
    const JobOutcome outcome = trainer.run();
    if (outcome != JobOutcome::done) return outcome;
    leave_encoder(trainer, task, start, context);
    leave_predictions(trainer, metrics_of("masked"), context);
    return outcome;
  }

  WordPiece vocabulary_of(const DocumentDataset& dataset) const {
    WordPieceTrainer trainer({.size = static_cast<size_t>(options_.vocabulary.size),
                              .cased = options_.vocabulary.cased});
    for (const Document& document : dataset.documents("train")) {
      for (const std::string& sentence : document) trainer.add(sentence);
    }
    return trainer.train();
  }

  PretrainingOptions task_options() const {
    return {.batching = options_.batching(),
            .duplicates = options_.duplicates,
            .pairs = {.max_length = options_.max_length, .short_probability = options_.short_share},
            .masks = {.share = options_.masked_share, .max_predictions = options_.max_predictions},
            .mask_lr = options_.mask.lr,
            .splits = options_.evaluate.splits};
  }

  const PretrainOptions options_;
};

RETHINK_REGISTERED = jobs().add<PretrainOptions>(
    {.name = "pretrain",
     .summary = "pretrain an encoder as BERT: masked tokens and next sentences (SparseBERT, 3.1)",
     .facts = {{"inputs", {{"init", "weights"}, {"mask", "mask"}}},
               {"weights_of", "encoder"},
               {"loads_first", {"layers"}},
               {"outputs", {"weights", "predictions", "mask", "importance"}},
               {"plugin_inputs", {"mask"}},
               {"plugin_outputs", {"mask", "importance"}},
               {"seeded", true},
               {"metrics", training_metrics({{"of", "metric"}, {"kind", "masked"}})}}},
    [](const PretrainOptions& options) { return std::make_shared<PretrainJob>(options); });

}  // namespace
}  // namespace rethink
