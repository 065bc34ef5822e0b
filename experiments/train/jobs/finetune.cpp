// The job `finetune`: fine-tunes an encoder on one task and evaluates it, for SparseBERT's Tables 1
// to 4 and A3's GLUE tables.
#include <ATen/ATen.h>

#include <set>

#include "core/config/schema.h"
#include "core/json.h"
#include "experiments/attempt/event_log.h"
#include "experiments/train/device/device.h"
#include "experiments/train/loop.h"
#include "experiments/train/tasks/labelled_task.h"
#include "experiments/train/tasks/question_task.h"
#include "experiments/train/tasks/tagging_task.h"
#include "experiments/train/training_job.h"

namespace rethink {
namespace {

struct QuestionOptions {
  int64_t stride = 128, max_question = 64, max_answer = 30, n_best = 20;

  void fields(Fields& field) {
    field("stride", stride,
          "distance between the starts of two windows of a long context [tokens]; windows overlap "
          "if it is less than max_length leaves beside the question")
        .min(1);
    field("max_question", max_question, "longest question; a longer one is cut [tokens]").min(1);
    field("max_answer", max_answer, "longest answer [tokens]").min(1);
    field("n_best", n_best, "number of positions considered for an answer's start, and for its end")
        .min(1);
  }
};

/// The defaults are those of BERT's fine-tuning, as far as they are published (Devlin et al., 2019,
/// appendix A.3, and the released run_classifier.py).
struct FinetuneOptions : TrainOptions {
  Choice<"dataset", "dataset"> data;
  EncoderOptions model;
  int64_t max_length = 128;
  bool pad_to_max_length = false;
  QuestionOptions questions;

  FinetuneOptions() {
    batch = 32;
    clip = 1.0;
    optimizer = {"adamw", {{"lr", 5e-5}, {"eps", 1e-6}}, {}};
    schedule = {"linear", {{"warmup_share", 0.1}}, {}};
    evaluate.splits = {"dev"};
    evaluate.keep = "last";
  }

  void fields(Fields& field) {
    field("data", data, "data to learn from").required();
    field("model", model, "the encoder; with an input `init`, the encoder of its weights");
    field("max_length", max_length, "longest text, special tokens included [tokens]").min(5);
    field("pad_to_max_length", pad_to_max_length,
          "pad each batch to max_length instead of its longest text; matters only for attention "
          "that sees padding")
        .absent_means(false);
    field("questions", questions, "how contexts are searched for answers (SQuAD)");
    TrainOptions::fields(field);
  }

  static std::vector<Rule> rules() {
    std::vector<Rule> all = TrainOptions::rules();
    all.push_back(has_fact("data.dataset", "dataset", "kind", {"labelled", "questions", "tagged"},
                           "fine-tuning is on labelled texts, on questions or on tagged words"));
    for (const Rule& rule : splits_of_the_data_set()) all.push_back(rule);
    all.push_back(is_declared("evaluate.metric", "data.dataset", "dataset", "metrics",
                              "these are the metrics of the data set"));
    all.push_back(a_position_for_every_token());
    all.push_back(a_mask_for_every_token());
    for (const std::string& name : datasets().names()) {
      if (datasets().facts(name).kind != "questions") continue;
      all.push_back(
          at_most(1, "questions.max_question", 4, "max_length",
                  "beside the question three special tokens and one of its context must fit")
              .only_where({{"data.dataset", name}}));
    }
    return all;
  }
};

class FinetuneJob : public TrainingJob {
 public:
  explicit FinetuneJob(const FinetuneOptions& options) : options_(options) {}

 private:
  JobOutcome train(JobContext& context) const override {
    const at::Device device = prepare_device(context, options_.precision);
    const EncoderStart start =
        encoder_start(context, options_.model, options_.max_length, []() -> WordPiece {
          throw ConfigError(
              "missing-need",
              "job 'finetune' starts from weights and their tokenizer: write needs: {init: STAGE}, "
              "or "
              "{init: {file: DIR}} for an imported encoder");
        });
    const auto dataset = data_of<Dataset>(context, options_.data);
    const std::unique_ptr<EncoderTask> made = make_task(dataset, start, context, device);
    EncoderTask& task = *made;
    load_start(start, task.model(), context);
    task.model().to(device);
    Trainer trainer(task, options_, device, context);
    const JobOutcome outcome = trainer.run();
    write_sizes(task, context.events);
    if (outcome != JobOutcome::done) return outcome;
    leave_encoder(trainer, task, start, context);
    leave_predictions(trainer, facts().metrics, context);
    write_answers(trainer.predictions(), context.events);
    leave_prediction_files(*dataset, task, trainer, context);
    return outcome;
  }

  void write_sizes(const EncoderTask& task, EventLog& events) const {
    const std::map<std::string, int64_t>& published = facts().examples;
    std::set<std::string> splits(options_.evaluate.splits.begin(), options_.evaluate.splits.end());
    splits.insert("train");
    for (const std::string& split : splits) {
      SplitSize size = task.size(split);
      if (const auto known = published.find(split); known != published.end())
        size.whole = static_cast<size_t>(known->second);
      write_split_size(split, size, events);
    }
  }

  /// Writes the measurement SPLIT_answers@last (or @best, if that is kept) for each split: the
  /// number of different answers. 1 means that all answers are equal; tables use it to mark a model
  /// that learned nothing.
  void write_answers(const std::map<std::string, at::Tensor>& predictions, EventLog& events) const {
    for (const std::string& split : options_.evaluate.splits) {
      const auto predicted = predictions.find(split + "/predicted");
      if (predicted == predictions.end()) continue;
      const at::Tensor answers = std::get<0>(at::_unique(predicted->second));
      events.measurement(split + "_answers@" + options_.evaluate.keep, 0,
                         static_cast<double>(answers.numel()));
    }
  }

  const DatasetFacts& facts() const { return datasets().facts(options_.data.name); }

  /// Splits without labels, which can only be predicted.
  std::vector<std::string> unlabelled_splits(const Dataset& dataset) const {
    std::vector<std::string> splits = dataset.splits();
    std::erase_if(splits, [&](const std::string& split) {
      return std::ranges::count(facts().unlabelled, split) == 0;
    });
    return splits;
  }

  void leave_prediction_files(const Dataset& dataset, const EncoderTask& task, Trainer& trainer,
                              JobContext& context) const {
    const std::map<std::string, std::string>& names = facts().submissions;
    const auto leave = [&](const std::string& split,
                           const std::map<std::string, at::Tensor>& predictions) {
      for (const auto& [end, text] : task.prediction_texts(split, predictions))
        leave_prediction_file(names.contains(split) ? names.at(split) : split + end, text, split,
                              context);
    };
    for (const std::string& split : options_.evaluate.splits)
      leave(split, predictions_of(split, trainer.predictions()));
    for (const std::string& split : unlabelled_splits(dataset))
      leave(split, trainer.predict(split));
  }

  std::unique_ptr<EncoderTask> make_task(const std::shared_ptr<Dataset>& dataset,
                                         const EncoderStart& start, const JobContext& context,
                                         const at::Device& device) const {
    const auto seed = static_cast<uint64_t>(context.trial.seed.value_or(0));
    std::vector<std::string> splits = options_.evaluate.splits;
    for (const std::string& split : unlabelled_splits(*dataset)) splits.push_back(split);
    const EncoderTaskOptions common{.batching = options_.batching(),
                                    .max_length = options_.max_length,
                                    .pad_to_max_length = options_.pad_to_max_length,
                                    .splits = splits};
    if (auto questions = std::dynamic_pointer_cast<QuestionDataset>(dataset)) {
      const QuestionOptions& reading = options_.questions;
      const QuestionTaskOptions of_questions{
          common,
          reading.stride,
          reading.max_question,
          {.n_best = reading.n_best, .max_answer = reading.max_answer}};
      return std::make_unique<QuestionTask>(std::move(questions), start, of_questions, seed,
                                            device);
    }
    if (auto tagged = std::dynamic_pointer_cast<TaggedDataset>(dataset))
      return std::make_unique<TaggingTask>(std::move(tagged), start, common, seed, device);
    return std::make_unique<LabelledTrainingTask>(
        require_kind<LabelledDataset>(dataset, options_.data.name), start, common, seed, device);
  }

  const FinetuneOptions options_;
};

RETHINK_REGISTERED = jobs().add<FinetuneOptions>(
    {.name = "finetune",
     .summary =
         "fine-tune an encoder on labels, questions or tags of words (SparseBERT, Tables 1 to 4)",
     .facts = {.inputs = {{"init", "weights"}, {"mask", "mask"}},
               .outputs = {"weights", "predictions", "prediction_file", "mask"},
               .required = {"init"},
               .plugin_inputs = {"mask"},
               .plugin_outputs = {"mask"},
               .metrics = training_metrics({.named_by = metrics_of_the_data_set()}),
               .loads_first = {"layers"},
               .weights_of = "encoder",
               .beside_memory = TrainOptions::beside_memory()}},
    [](const FinetuneOptions& options) { return std::make_shared<FinetuneJob>(options); });

}  // namespace
}  // namespace rethink
