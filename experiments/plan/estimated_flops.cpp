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

/// The size of the training split of the job's own data set, without what an option cuts off.
std::optional<double> training_examples(const Json& config, const PluginSchema& job,
                                        const Schema& schema) {
  for (const ChosenPlugin& chosen : plugins_chosen(config, job.options, schema)) {
    const auto* facts = chosen.plugin->facts.get_if<DatasetFacts>();
    if (!facts || chosen.path != "data") continue;
    const auto count = facts->examples.find("train");
    if (count == facts->examples.end()) continue;
    const auto all = static_cast<double>(count->second);
    const double cut = number_at(config, "data.train_examples").value_or(0);
    return cut > 0 ? std::min(all, cut) : all;  // 0: all examples
  }
  return std::nullopt;
}

std::optional<double> training_sequences(const Json& config, const ModelShape& shape,
                                         const PluginSchema& job, const Schema& schema) {
  if (const auto steps = number_at(config, "steps"))
    return *steps * static_cast<double>(shape.rows) * number_at(config, "accumulate").value_or(1);
  const auto epochs = number_at(config, "epochs");
  const auto examples = epochs ? training_examples(config, job, schema) : std::nullopt;
  return examples ? std::optional(*epochs * *examples) : std::nullopt;
}

}  // namespace

std::optional<double> estimated_flops(const Json& config, const PluginSchema& job,
                                      const Schema& schema) {
  const std::optional<ModelShape> shape = model_shape(config);
  if (!shape) return std::nullopt;
  const auto sequences = training_sequences(config, *shape, job, schema);
  if (!sequences) return std::nullopt;
  const auto tokens = static_cast<double>(shape->tokens);
  const double pairs = static_cast<double>(shape->layers + shape->cross_layers) * tokens *
                       static_cast<double>(shape->d_model);
  return *sequences * tokens * (6 * weights_of_layers(*shape) + 12 * pairs);
}

}  // namespace rethink
