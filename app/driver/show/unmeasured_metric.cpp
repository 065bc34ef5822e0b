#include "app/driver/show/unmeasured_metric.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/config/schema.h"
#include "core/json.h"
#include "core/store_command.h"
#include "experiments/plan/expand/recorded_metrics.h"
#include "results/database/curve_tail.h"
#include "results/query/unended_trials.h"

namespace rethink {
namespace {

/// "dev/loss" of "dev/loss@tail"; a name without a split is that of any split.
std::vector<std::string> metrics_meant(const std::string& name) {
  const std::string recorded = curve_of_tail(name).value_or(name);
  if (named_metric(recorded)) return {recorded};
  return {"test/" + recorded, "dev/" + recorded, "train/" + recorded};
}

bool will_measure(const Json& config, const PluginSchema& job,
                  const std::vector<std::string>& metrics, const Schema& schema) {
  return std::ranges::any_of(metrics, [&](const std::string& metric) {
    return why_not_recorded("", job, config, metric, schema).empty();
  });
}

/// The first trial that has yet to end and will measure one of `metrics`; "" where none will.
std::string trial_to_measure(Store& store, const std::vector<std::string>& metrics,
                             const Schema& schema) {
  constexpr int kMostRead = 2000;  // configurations: an answer within a second
  for (const UnendedTrial& trial : unended_trials(store, kMostRead)) {
    const PluginSchema* job = schema.find("job", trial.job);
    if (!job || !job->facts.contains("metrics")) continue;
    if (will_measure(trial.configuration, *job, metrics, schema)) return trial.id;
  }
  return "";
}

}  // namespace

void explain_unknown_name(const CommandContext& context, Store& store, const UnknownName& unknown) {
  std::string trial;
  try {
    trial = trial_to_measure(store, metrics_meant(unknown.name), context.schema());
  } catch (const MachineError&) {     // without its schema the program knows recorded names alone
  } catch (const Json::exception&) {  // a configuration of another version
  }
  if (trial.empty()) throw unknown;
  throw ConfigError(
      fmt::format("no trial has measured {} yet; trial {}, which has yet to end, will: "
                  "`{}` says how far it is",
                  unknown.name, trial, store_command("show " + trial, store.folder())));
}

}  // namespace rethink
