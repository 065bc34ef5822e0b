#include "experiments/plan/expand/recorded_metrics.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/config/schema.h"
#include "core/facts/dataset_facts.h"
#include "core/facts/job_facts.h"
#include "core/facts/metric_facts.h"
#include "core/json.h"
#include "experiments/attempt/command/command_options.h"
#include "experiments/plan/read/overlay.h"

namespace rethink {
namespace {

constexpr const char* kScore = "score";  // means the metric of evaluate.metric
constexpr std::pair<const char*, const char*> kWrongSplits[] = {
    {"test/",
     "the split that is reported, so what it reports is better than it would be on new data"},
    {"train/", "the data of the training, which says little about new data"}};

/// Returns whether each option of `conditions`, such as {"data.unit": ["char"]}, has one of the
/// listed values.
bool holds(const std::map<std::string, std::vector<std::string>>& conditions, const Json& config) {
  return std::ranges::all_of(conditions, [&](const auto& condition) {
    const Json* value = find_path(config, condition.first);
    return value && std::ranges::any_of(condition.second, [&](const std::string& allowed) {
             return *value == allowed;
           });
  });
}

std::vector<std::string> names_of_a_split(const JobMetrics& metrics, const Json& config,
                                          const Schema& schema) {
  std::vector<std::string> names = {kScore};
  if (metrics.named_by) {
    const Json* plugin = find_path(config, metrics.named_by->option);
    const PluginSchema* known = plugin ? schema.find(metrics.named_by->registry, *plugin) : nullptr;
    if (!known) return names;  // the configuration of another version
    const std::vector<std::string> declared = known->facts.json().at(metrics.named_by->fact);
    names.insert(names.end(), declared.begin(), declared.end());
    return names;
  }
  for (const std::string& name : schema.names(metrics.of)) {
    const auto& facts = schema.find(metrics.of, name)->facts.as<MetricFacts>();
    if (facts.kind != metrics.kind) continue;
    const auto unit = metrics.units.find(facts.unit);
    if (unit == metrics.units.end() || holds(unit->second, config)) names.push_back(name);
  }
  return names;
}

/// "@last", "@best", ...: the final values, without those that an option turns off.
std::vector<std::string> finals_of(const JobMetrics& metrics, const Json& config) {
  std::vector<std::string> names;
  for (const auto& [name, option] : metrics.finals) {
    const Json* asked = option ? find_path(config, *option) : nullptr;
    if (!option || (asked && *asked == true)) names.push_back(name);
  }
  return names;
}

/// Names in the option, and SPLIT/score for the split of the trial's score.
std::set<std::string> named_by_the_sweep(const Json& config, const std::string& option) {
  std::set<std::string> names;
  const Json* named = find_path(config, option);
  if (!named) return names;
  for (const auto& [name, direction] : named->items()) names.insert(name);
  const std::string score = score_of_program(config);
  if (!score.empty()) names.insert(score.substr(0, score.find('/')) + "/score");
  return names;
}

/// "train/loss", "dev/score", "dev/score@last", ...
std::vector<std::string> recorded_metrics(const JobMetrics& metrics, const Json& config,
                                          const Schema& schema) {
  std::vector<std::string> recorded = metrics.always;
  if (!metrics.in_option.empty()) {
    for (const std::string& name : named_by_the_sweep(config, metrics.in_option)) {
      recorded.push_back(name);
      for (const std::string& ending : finals_of(metrics, config))
        recorded.push_back(name + ending);
    }
  }
  if (metrics.splits.empty()) return recorded;
  const Json* splits = find_path(config, metrics.splits);
  if (!splits || !splits->is_array()) return recorded;  // the configuration of another version
  const std::vector<std::string> names = names_of_a_split(metrics, config, schema);
  const std::vector<std::string> finals = finals_of(metrics, config);
  for (const Json& split : *splits) {
    for (const std::string& name : names) {
      const std::string curve = split.get<std::string>() + "/" + name;
      recorded.push_back(curve);
      for (const std::string& ending : finals) recorded.push_back(curve + ending);
    }
  }
  return recorded;
}

/// "train/attention_entropy_3" for "train/attention_entropy".
bool is_numbered(const std::string& metric, const std::vector<std::string>& names) {
  return std::ranges::any_of(names, [&](const std::string& name) {
    const std::string begin = name + "_";
    return metric.size() > begin.size() && metric.starts_with(begin) &&
           metric.find_first_not_of("0123456789", begin.size()) == std::string::npos;
  });
}

bool contains_name(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// The names in `recorded` that an unknown name may mean: the final values of its curve; or curves,
/// if the name has no final value; or final values of the same kind.
std::vector<std::string> metrics_like(const std::string& metric,
                                      const std::vector<std::string>& recorded) {
  const size_t at = metric.find('@');
  const std::string curve = metric.substr(0, at);
  const std::string ending = metric.substr(std::min(at, metric.size()));
  std::vector<std::string> curves, of_curve, of_ending, all;
  for (const std::string& name : recorded) {
    const size_t end = name.find('@');
    if (end == std::string::npos) curves.push_back(name);
    if (end == std::string::npos) continue;
    all.push_back(name);
    if (name.substr(0, end) == curve) of_curve.push_back(name);
    if (name.substr(end) == ending) of_ending.push_back(name);
  }
  if (ending.empty() || all.empty()) return curves;
  if (!of_curve.empty()) return of_curve;
  return of_ending.empty() ? all : of_ending;
}

/// "perplexity": the name from the option, else from the data set, else from the job.
std::string name_of_score(const JobMetrics& metrics, const Json& config, const Schema& schema) {
  const Json* named = find_path(config, "evaluate.metric");
  if (named && named->is_string()) return named->get<std::string>();
  const std::vector<std::string> names = names_of_a_split(metrics, config, schema);
  if (metrics.named_by) return names.size() > 1 ? names[1] : kScore;  // its first
  if (!metrics.score.empty()) return metrics.score;
  for (const std::string& name : names) {
    const PluginSchema* metric = schema.find(metrics.of, name);
    if (metric && !metric->facts.as<MetricFacts>().unit.empty()) return name;
  }
  const Json* data = find_path(config, "data.dataset");
  const PluginSchema* dataset =
      data && data->is_string() ? schema.find("dataset", data->get<std::string>()) : nullptr;
  const std::string usual = dataset ? dataset->facts.as<DatasetFacts>().metric : "";
  return contains_name(names, usual) ? usual : kScore;
}

/// "test/perplexity" for a job that measures splits; empty if no split is measured.
std::string curve_of_score(const JobMetrics& metrics, const Json& config, const Schema& schema) {
  const Json* splits = find_path(config, metrics.splits);
  if (!splits || !splits->is_array() || splits->empty()) return "";
  const std::string name = name_of_score(metrics, config, schema);
  for (const char* split : {"test", "dev"}) {
    if (std::ranges::find(*splits, Json(split)) != splits->end())
      return fmt::format("{}/{}", split, name);
  }
  return fmt::format("{}/{}", splits->front().get<std::string>(), name);
}

/// A trial among which a stage chooses, perhaps through other selects.
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
  const std::optional<JobMetrics>& metrics = job.facts.as<JobFacts>().metrics;
  if (!metrics) return "";
  const std::vector<std::string> recorded = recorded_metrics(*metrics, config, schema);
  if (contains_name(recorded, metric) || is_numbered(metric, metrics->numbered)) return "";
  const std::vector<std::string> known = metrics_like(metric, recorded);
  const std::string curve = metric.substr(0, metric.find('@'));
  const bool is_curve_only =
      contains_name(recorded, curve) && !known.front().starts_with(curve + "@");
  return fmt::format("which stage '{}' (job {}) will not have{}; it will have: {}", stage, job.name,
                     is_curve_only ? fmt::format(": {0} is a curve without a final value, for a "
                                                 "figure of kind curves or, in a table, {0}@tail",
                                                 curve)
                                   : did_you_mean(metric, known),
                     joined(known));
}

std::optional<ReportedScore> reported_score(const PluginSchema& job, const Json& config,
                                            const Schema& schema) {
  const std::optional<JobMetrics>& metrics = job.facts.as<JobFacts>().metrics;
  if (!metrics) return std::nullopt;
  ReportedScore score;
  if (!metrics->in_option.empty()) {
    score.metric = score_of_program(config);
    const Json* named = find_path(config, metrics->in_option);
    if (named && named->contains(score.metric))
      score.direction = direction_named(named->at(score.metric));
  } else if (!metrics->splits.empty()) {
    score.metric = curve_of_score(*metrics, config, schema);
  } else {
    score.metric = metrics->score;
  }
  if (score.metric.empty()) return std::nullopt;
  const std::string name = score.metric.substr(score.metric.find('/') + 1);
  if (const auto known = metrics->directions.find(name); known != metrics->directions.end())
    score.direction = direction_named(known->second);
  if (const PluginSchema* metric = schema.find("metric", name)) {
    const auto& facts = metric->facts.as<MetricFacts>();
    score.direction = direction_named(facts.direction);
    score.least = facts.least;
    score.most = facts.most;
  }
  const std::vector<std::string> recorded = recorded_metrics(*metrics, config, schema);
  const Json* kept = find_path(config, "evaluate.keep");
  const bool keeps_best =
      kept && *kept == "best" && contains_name(recorded, score.metric + "@best");
  score.metric += keeps_best ? "@best" : "@last";
  return contains_name(recorded, score.metric) ? std::optional(score) : std::nullopt;
}

const std::optional<ReportedScore>& ReportedScores::of(const std::string& job, const Json& config) {
  std::string key = job;
  for (const char* part : {"evaluate", "data", "metrics", "score", "splits"})
    key += "\n" + (config.contains(part) ? config.at(part).dump() : "");
  const auto [known, is_new] = known_.try_emplace(std::move(key));
  if (is_new) known->second = reported_score(*schema_.find("job", job), config, schema_);
  return known->second;
}

std::string name_of_metric(const std::string& metric) {
  const std::string name = metric.substr(metric.find('/') + 1);
  return name.substr(0, name.find('@'));
}

std::vector<Note> notes_on_choice(const ExpandedStage& stage) {
  const std::string& option = stage.job_facts().chooses_by;
  if (option.empty()) return {};
  for (const StagePoint& point : stage.points) {
    const std::string metric = point.config.at(option);
    for (const auto& [split, why] : kWrongSplits) {
      if (!metric.starts_with(split)) continue;
      return {
          Note("chosen-on-test",
               fmt::format("'{}': {} chooses on {}; choose by a dev metric", option, metric, why),
               stage.spec->place_of(option, point.own))};
    }
  }
  return {};
}

void check_chosen_metric(const std::vector<ExpandedStage>& stages, const ExpandedStage& stage,
                         const Schema& schema, Problems& problems) {
  const std::string& option = stage.job_facts().chooses_by;
  if (option.empty()) return;
  for (const StagePoint& point : stage.points) {
    const std::string metric = point.config.at(option);
    std::vector<Candidate> candidates;
    collect_candidates(stages, stage, point, candidates);
    for (const auto& [candidate, at] : candidates) {
      const std::string why =
          why_not_recorded(candidate->spec->name, *candidate->job, at->config, metric, schema);
      if (why.empty()) continue;
      problems.add(stage.spec->place_of(option), "unknown-metric",
                   fmt::format("'{}': got '{}', {}", option, metric, why));
      return;
    }
  }
}

}  // namespace rethink
