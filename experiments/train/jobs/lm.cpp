// Trains a language model and measures it: BET's experiments on WikiText-2, WikiText-103 and
// enwik8.
#include <ATen/ATen.h>

#include "core/config/schema.h"
#include "core/json.h"
#include "experiments/attempt/event_log.h"
#include "experiments/train/device.h"
#include "experiments/train/loop.h"
#include "experiments/train/metrics.h"
#include "experiments/train/tasks/language_model_task.h"
#include "experiments/train/training_job.h"

namespace rethink {
namespace {

const char* const kMetricOfCharacters = "character";
const std::vector<std::string> kUnitsOfCharacters = {"char", "byte"};

/// Learned positions for all that a model reads of a sequence: its tokens but the last. How long
/// lines are that nothing cuts only the data say: the task looks at them.
std::vector<Rule> rules_of_positions() {
  std::vector<Rule> all;
  const auto add = [&all](const std::string& length, int more, const std::string& why,
                          std::map<std::string, JsonValue> when) {
    when["model.positions"] = "learned";
    all.push_back({"at_most",
                   {"data." + length, "model.max_positions"},
                   why + ": raise max_positions, or lower " + length,
                   {1, more},
                   std::move(when)});
  };
  add("length", 1, "the longest sentence and its start symbol need a learned position each", {});
  add("stream_length", 0, "every token of a segment needs a learned position",
      {{"data.protocol", "stream"}});
  for (const char* protocol : {"lines", "sentences"}) {
    for (const bool start : {false, true}) {
      for (const bool end : {false, true}) {
        add("max_tokens", start + end - 1,
            "every token of a sequence but its last, start and end symbols counted, needs a "
            "learned position",
            {{"data.protocol", protocol}, {"data.start_symbol", start}, {"data.end_symbol", end}});
      }
    }
  }
  return all;
}

struct LmOptions : TrainOptions {
  Choice<"dataset", "dataset"> data;
  ModelOptions model;
  std::string loss_mean = "tokens";

  void fields(Fields& field) {
    field("data", data, "what to learn").required();
    field("model", model, "decoder language model");
    field("loss_mean", loss_mean,
          "what a batch's loss is the mean over: predicted tokens, or all positions, "
          "padding included, as in BET's released code")
        .one_of({"tokens", "positions"});
    TrainOptions::fields(field);
  }

  static std::vector<Rule> rules() {
    std::vector<Rule> all = TrainOptions::rules();
    all.push_back({"fact",
                   {"data.dataset"},
                   "a language model learns from running text",
                   {"dataset", "kind", "text"}});
    for (const Rule& rule : splits_of_the_data_set()) all.push_back(rule);
    for (const Rule& rule : rules_of_positions()) all.push_back(rule);
    for (const Rule& rule : rules_of_hints("model.attention")) all.push_back(rule);
    all.push_back({"fact",
                   {"evaluate.metric"},
                   "this metric is not of language models",
                   {"metric", "kind", "sequences"}});
    for (const std::string& name : metrics().names()) {
      if (metrics().schema(name).facts.value("unit", "") != kMetricOfCharacters) continue;
      std::vector<JsonValue> values = {name};
      values.insert(values.end(), kUnitsOfCharacters.begin(), kUnitsOfCharacters.end());
      all.push_back({"needs",
                     {"evaluate.metric", "data.unit"},
                     "this metric is of characters: choose another one, or a unit of " +
                         joined(kUnitsOfCharacters, " or "),
                     values});
    }
    return all;
  }
};

class LmJob : public TrainingJob {
 public:
  explicit LmJob(const LmOptions& options) : options_(options) {}

 private:
  JobOutcome train(JobContext& context) const override {
    const at::Device device = prepare_device(context, options_.precision);
    const auto dataset = data_of<TokenDataset>(context, options_.data);
    LanguageModelTask task(dataset, options_.model, task_options(),
                           static_cast<uint64_t>(context.trial.seed.value_or(0)), device);
    Trainer trainer(task, options_, device, context);
    const JobOutcome outcome = trainer.run([&] {
      if (takes_hints()) write_hint_coverage(task.hint_coverage(), context.events);
    });
    write_split_size("train", {task.train_size(), task.whole_train_size()}, context.events);
    if (outcome != JobOutcome::done) return outcome;
    leave_weights(trainer, context);
    leave_predictions(trainer, metrics_of("sequences"), context);
    return outcome;
  }

  LanguageModelTaskOptions task_options() const {
    const std::string unit = options_.data.options->value("unit", "word");
    const bool characters = std::find(kUnitsOfCharacters.begin(), kUnitsOfCharacters.end(), unit) !=
                            kUnitsOfCharacters.end();
    const Json facts = datasets().schema(options_.data.name).facts;
    return {.batching = options_.batching(),
            .loss_mean = options_.loss_mean,
            .splits = options_.evaluate.splits,
            .metric = characters ? "bits_per_character" : facts.value("metric", "perplexity"),
            .characters = characters,
            .hints = takes_hints(),
            .stream = options_.data.options->value("protocol", "") == "stream"};
  }

  bool takes_hints() const { return takes_side_input(options_.model.attention, kHints); }

  const LmOptions options_;
};

RETHINK_REGISTERED = jobs().add<LmOptions>(
    {.name = "lm",
     .summary = "train and measure a decoder language model (BET, Tables 1 and 2, Figures 3 to 5)",
     .facts = {{"inputs", Json::object()},
               {"weights_of", "decoder"},
               {"outputs", {"weights", "predictions"}},
               {"seeded", true},
               {"metrics",
                training_metrics(
                    {{"of", "metric"},
                     {"kind", "sequences"},
                     {"units", {{kMetricOfCharacters, {{"data.unit", kUnitsOfCharacters}}}}}})}}},
    [](const LmOptions& options) { return std::make_shared<LmJob>(options); });

}  // namespace
}  // namespace rethink
