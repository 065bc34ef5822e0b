#include "experiments/schedule/recorded_metrics.h"

#include <fmt/format.h>

#include <algorithm>

#include "experiments/schedule/overlay.h"

namespace rethink {
namespace {

constexpr const char* kScore = "score";  // the metric that evaluate.metric names
constexpr const char* kReportedSplit = "test/";

/// {"data.unit": ["char"]}: every option has one of its values.
bool holds(const Json& conditions, const Json& config) {
  return std::all_of(
      conditions.items().begin(), conditions.items().end(), [&](const auto& condition) {
        const Json* value = find_path(config, condition.key());
        return value && std::find(condition.value().begin(), condition.value().end(), *value) !=
                            condition.value().end();
      });
}

std::vector<std::string> names_of_a_split(const Json& metrics, const Json& config,
                                          const Schema& schema) {
  std::vector<std::string> names = {kScore};
  const Json units = metrics.value("units", Json::object());
  const std::string registry = metrics.at("of");
  for (const std::string& name : schema.names(registry)) {
    const std::string unit = schema.find(registry, name)->facts.value("unit", "");
    if (!units.contains(unit) || holds(units.at(unit), config)) names.push_back(name);
  }
  return names;
}

/// "train/loss", "dev/score", ..., without @last and the like; empty where the job does not say.
std::vector<std::string> recorded_metrics(const PluginSchema& job, const Json& config,
                                          const Schema& schema) {
  const Json metrics = job.facts.value("metrics", Json::object());
  auto recorded = metrics.value("always", std::vector<std::string>{});
  if (!metrics.contains("splits")) return recorded;
  const Json* splits = find_path(config, metrics.at("splits").get<std::string>());
  RETHINK_ASSERT(splits && splits->is_array(), job.name);
  const std::vector<std::string> names = names_of_a_split(metrics, config, schema);
  for (const Json& split : *splits) {
    for (const std::string& name : names) recorded.push_back(split.get<std::string>() + "/" + name);
  }
  return recorded;
}

bool records_metric(const PluginSchema& job, const Json& config, const std::string& metric,
                    const Schema& schema) {
  if (!job.facts.contains("metrics")) return true;
  const std::vector<std::string> recorded = recorded_metrics(job, config, schema);
  const auto is_there = [&](const std::string& name) {
    return std::find(recorded.begin(), recorded.end(), name) != recorded.end();
  };
  if (is_there(metric)) return true;
  const size_t at = metric.find('@');
  const Json finals = job.facts["metrics"].value("finals", Json::object());
  if (at == std::string::npos || !finals.contains(metric.substr(at))) return false;
  const Json& option = finals.at(metric.substr(at));  // null: always there
  const Json* asked = option.is_string() ? find_path(config, option.get<std::string>()) : nullptr;
  return is_there(metric.substr(0, at)) && (option.is_null() || (asked && *asked == true));
}

/// A trial among which a stage chooses, through selects in between.
struct Candidate {
  const ExpandedStage* stage;
  const StagePoint* point;
};

void collect_candidates(const std::vector<ExpandedStage>& stages, const ExpandedStage& stage,
                        const StagePoint& point, std::vector<Candidate>& found) {
  const auto slot = stage.gathers();
  if (!slot) {
    found.push_back({&stage, &point});
    return;
  }
  const ExpandedStage& parent = stages[stage.need_stages[*slot]];
  for (const size_t source : point.sources[*slot])
    collect_candidates(stages, parent, parent.points[source], found);
}

}  // namespace

std::string why_not_recorded(const std::string& stage, const PluginSchema& job, const Json& config,
                             const std::string& metric, const Schema& schema) {
  if (records_metric(job, config, metric, schema)) return "";
  const std::vector<std::string> known = recorded_metrics(job, config, schema);
  return fmt::format("which stage '{}' (job {}) will not have{}; it will have: {}", stage, job.name,
                     did_you_mean(metric.substr(0, metric.find('@')), known), joined(known));
}

std::string note_on_choice(const ExpandedStage& stage) {
  const std::string option = stage.job->facts.value("chooses_by", "");
  if (option.empty()) return "";
  for (const StagePoint& point : stage.points) {
    const std::string metric = point.config.at(option);
    if (!metric.starts_with(kReportedSplit)) continue;
    return note_at(
        stage.spec->place_of(option, point.own),
        fmt::format("'{}': {} chooses on the split that is reported, so what "
                    "it reports is better than it would be on new data; choose by a dev metric",
                    option, metric));
  }
  return "";
}

void check_chosen_metric(const std::vector<ExpandedStage>& stages, const ExpandedStage& stage,
                         const Schema& schema, Problems& problems) {
  const std::string option = stage.job->facts.value("chooses_by", "");
  if (option.empty()) return;
  for (const StagePoint& point : stage.points) {
    const std::string metric = point.config.at(option);
    std::vector<Candidate> candidates;
    collect_candidates(stages, stage, point, candidates);
    for (const auto& [candidate, at] : candidates) {
      const std::string why =
          why_not_recorded(candidate->spec->name, *candidate->job, at->config, metric, schema);
      if (why.empty()) continue;
      problems.add(stage.spec->place_of(option),
                   fmt::format("'{}': got '{}', {}", option, metric, why));
      return;
    }
  }
}

}  // namespace rethink
