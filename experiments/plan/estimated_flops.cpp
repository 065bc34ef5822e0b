#include "experiments/plan/estimated_flops.h"

#include <algorithm>
#include <string>

#include "core/config/configuration.h"
#include "core/facts/dataset_facts.h"
#include "experiments/plan/model_shape.h"

namespace rethink {
namespace {

std::optional<double> number_at(const Json& config, const std::string& path) {
  const Json* value = find_path(config, path);
  return value && value->is_number() ? std::optional(value->get<double>()) : std::nullopt;
}

/// The training text of the job's own data set, of one epoch.
struct EpochText {
  double sequences = 0;  // of the largest length; 0: `text` says more
  TrainingText text;
};

/// The size of the training split of the job's own data set, without what an option cuts off.
std::optional<EpochText> epoch_text(const Json& config, const ModelShape& shape,
                                    const PluginSchema& job, const Schema& schema,
                                    TrainingTexts& texts) {
  for (const ChosenPlugin& chosen : plugins_chosen(config, job.options, schema)) {
    const auto* facts = chosen.plugin->facts.get_if<DatasetFacts>();
    if (!facts || chosen.path != "data") continue;
    const auto count = facts->examples.find("train");
    if (count == facts->examples.end()) {
      const auto text = texts.of(*facts, *chosen.options, static_cast<double>(shape.tokens));
      return text ? std::optional(EpochText{.text = *text}) : std::nullopt;
    }
    const auto all = static_cast<double>(count->second);
    const double cut = number_at(config, "data.train_examples").value_or(0);
    return EpochText{.sequences = cut > 0 ? std::min(all, cut) : all, .text = {}};  // 0: all
  }
  return std::nullopt;
}

/// All tokens that are trained, and the pairs of tokens of one sequence.
std::optional<TrainingText> trained_text(const Json& config, const ModelShape& shape,
                                         const PluginSchema& job, const Schema& schema,
                                         TrainingTexts& texts) {
  const auto tokens = static_cast<double>(shape.tokens);
  const auto of_sequences = [&](double sequences) {
    return TrainingText{sequences * tokens, sequences * tokens * tokens};
  };
  if (const auto steps = number_at(config, "steps"))
    return of_sequences(*steps * static_cast<double>(shape.rows) *
                        number_at(config, "accumulate").value_or(1));
  const auto epochs = number_at(config, "epochs");
  const auto epoch = epochs ? epoch_text(config, shape, job, schema, texts) : std::nullopt;
  if (!epoch) return std::nullopt;
  if (epoch->sequences > 0) return of_sequences(*epochs * epoch->sequences);
  return TrainingText{*epochs * epoch->text.tokens, *epochs * epoch->text.pairs};
}

}  // namespace

std::optional<double> estimated_flops(const Json& config, const PluginSchema& job,
                                      const Schema& schema, TrainingTexts& texts) {
  const std::optional<ModelShape> shape = model_shape(config);
  if (!shape) return std::nullopt;
  const auto trained = trained_text(config, *shape, job, schema, texts);
  if (!trained) return std::nullopt;
  const double channels = static_cast<double>(shape->layers + shape->cross_layers) *
                          static_cast<double>(shape->d_model);
  return 6 * weights_of_layers(*shape) * trained->tokens + 12 * channels * trained->pairs;
}

}  // namespace rethink
