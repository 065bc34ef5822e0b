#include "plots/stage_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/error.h"
#include "core/facts/job_facts.h"
#include "core/json.h"
#include "core/yaml/written_values.h"

namespace rethink {
namespace {

constexpr size_t kMostColumns = 8;  // more columns do not fit on a page
constexpr const char* kDataset = "data.dataset";

using Trials = std::vector<const PlannedTrial*>;
using TrialsById = std::map<std::string, const PlannedTrial*>;

TrialsById trials_by_id(const Plan& plan) {
  TrialsById trials;
  for (const PlannedTrial& planned : plan.trials) {
    if (!planned.trial.id.empty()) trials.emplace(planned.trial.id, &planned);
  }
  return trials;
}

const JobFacts& facts_of_job(const PlannedTrial& planned, const Schema& schema) {
  const PluginSchema* const job = schema.find("job", planned.trial.job);
  RETHINK_ASSERT(job, planned.trial.job);
  return job->facts.as<JobFacts>();
}

/// The trial whose values are shown: the trial itself, or the first candidate of a trial that
/// chooses; null if that has no id.
const PlannedTrial* measured_trial(const PlannedTrial& planned, const TrialsById& by_id,
                                   const Schema& schema) {
  if (facts_of_job(planned, schema).chooses_by.empty()) return &planned;
  for (const auto& [slot, ids] : planned.trial.needs) {
    if (ids.empty()) continue;
    const auto first = by_id.find(ids.front());
    return first == by_id.end() ? nullptr : measured_trial(*first->second, by_id, schema);
  }
  return nullptr;
}

}  // namespace

std::string last_word(const std::string& axis) {
  return axis.substr(axis.rfind('.') + 1);
}

std::optional<ReportedScore> score_of_planned(
    const PlannedTrial& planned, const std::map<std::string, const PlannedTrial*>& by_id,
    const Schema& schema, ReportedScores& scores) {
  const PlannedTrial* const measured = measured_trial(planned, by_id, schema);
  if (!measured) return std::nullopt;
  return scores.of(measured->trial.job, measured->trial.config);
}

namespace {

/// The training's loss if the job records it, else the curve of the score; empty without a score.
std::string curve_to_show(const PlannedTrial& planned, const TrialsById& by_id,
                          const Schema& schema) {
  constexpr const char* kLoss = "train/loss";
  const PlannedTrial* const measured = measured_trial(planned, by_id, schema);
  ReportedScores scores(schema);
  const auto score = score_of_planned(planned, by_id, schema, scores);
  if (!measured || !score) return "";
  const PluginSchema& job = *schema.find("job", measured->trial.job);
  const bool has_loss =
      why_not_recorded(measured->stage, job, measured->trial.config, kLoss, schema).empty();
  return has_loss ? kLoss : score->metric.substr(0, score->metric.find('@'));
}

std::vector<std::string> stages_in_order(const Plan& plan) {
  std::vector<std::string> stages;
  for (const PlannedTrial& planned : plan.trials) {
    if (std::ranges::find(stages, planned.stage) == stages.end()) stages.push_back(planned.stage);
  }
  return stages;
}

/// Stages whose trials some other trial needs.
std::set<std::string> needed_stages(const Plan& plan) {
  const TrialsById by_id = trials_by_id(plan);
  std::set<std::string> needed;
  for (const PlannedTrial& planned : plan.trials) {
    for (const auto& [slot, ids] : planned.trial.needs) {
      for (const std::string& id : ids) {
        if (const auto parent = by_id.find(id); parent != by_id.end())
          needed.insert(parent->second->stage);
      }
    }
  }
  return needed;
}

/// An axis of a stage, with the values of its trials.
struct StageAxis {
  std::string name;
  std::vector<std::string> values;  // in the plan's order
  bool is_everywhere = true;        // every trial has the axis
  size_t first_change = 0;          // the first trial whose value differs from the first trial's
};

std::optional<std::string> label_of(const PlannedTrial& trial, const std::string& axis) {
  const auto label = trial.labels.find(axis);
  return label == trial.labels.end() ? std::nullopt : std::optional(label->second);
}

/// All axes of the stage, the slowest first: the axis whose value changes latest in the plan.
std::vector<StageAxis> axes_of(const Trials& trials) {
  std::map<std::string, StageAxis> by_name;
  for (const PlannedTrial* trial : trials) {
    for (const auto& [name, value] : trial->labels) by_name[name].name = name;
  }
  std::vector<StageAxis> axes;
  for (auto& [name, axis] : by_name) {
    axis.first_change = trials.size();
    std::set<std::string> seen;
    for (size_t i = 0; i < trials.size(); ++i) {
      const std::optional<std::string> value = label_of(*trials[i], name);
      axis.is_everywhere = axis.is_everywhere && value;
      if (value && seen.insert(*value).second) axis.values.push_back(*value);
      if (value != label_of(*trials.front(), name))
        axis.first_change = std::min(axis.first_change, i);
    }
    axes.push_back(std::move(axis));
  }
  std::ranges::stable_sort(
      axes, [](const StageAxis& a, const StageAxis& b) { return a.first_change > b.first_change; });
  return axes;
}

/// "dense" of a case, "lr=0.1" of an option that is a number or a switch.
std::string label_of_value(const std::string& axis, const std::string& value) {
  const bool says_nothing_alone =
      value.empty() || is_decimal(value) || value == "true" || value == "false" || value == "null";
  return says_nothing_alone ? last_word(axis) + "=" + value : value;
}

/// Each combination of values of `axes` that trials have, in the plan's order. If a single axis is
/// in every trial, its values are the labels.
std::vector<LayoutLine> combinations_of(const Trials& trials, const std::vector<std::string>& axes,
                                        const std::string& otherwise) {
  std::vector<LayoutLine> lines;
  std::set<std::vector<std::pair<std::string, std::string>>> seen;
  for (const PlannedTrial* trial : trials) {
    LayoutLine line;
    std::vector<std::string> words;
    for (const std::string& axis : axes) {
      const auto label = trial->labels.find(axis);
      if (label == trial->labels.end()) continue;
      line.where.emplace_back(axis, label->second);
      words.push_back(axes.size() == 1 ? label->second : label_of_value(axis, label->second));
    }
    if (!seen.insert(line.where).second) continue;
    line.label = words.empty() ? otherwise : joined(words);
    lines.push_back(std::move(line));
  }
  return lines;
}

bool changes_data(const StageAxis& axis, const Trials& trials) {
  std::map<std::string, std::string> data_of;  // by value
  std::set<std::string> datasets;
  for (const PlannedTrial* trial : trials) {
    const Json* const data = find_path(trial->trial.config, kDataset);
    const auto label = trial->labels.find(axis.name);
    if (!data || !data->is_string() || label == trial->labels.end()) return false;
    const std::string name = data->get<std::string>();
    if (data_of.try_emplace(label->second, name).first->second != name) return false;
    datasets.insert(name);
  }
  return datasets.size() > 1;
}

/// Two axes that change together, as in a zip: each value of the first has one value of the second.
bool changes_with_another(const StageAxis& axis, const std::vector<StageAxis>& axes,
                          const Trials& trials) {
  return std::ranges::any_of(axes, [&](const StageAxis& other) {
    if (other.name == axis.name || other.values.size() < 2) return false;
    std::map<std::string, std::string> of;
    return std::ranges::all_of(trials, [&](const PlannedTrial* trial) {
      const std::string& value = trial->labels.at(axis.name);
      return of.try_emplace(trial->labels.at(other.name), value).first->second == value;
    });
  });
}

/// Whether most cells of a table with `axis` in its columns have no trial, as with random draws.
bool leaves_most_cells_empty(const StageAxis& axis, const std::vector<StageAxis>& axes,
                             const Trials& trials) {
  std::set<std::vector<std::string>> rows, cells;
  for (const PlannedTrial* trial : trials) {
    std::vector<std::string> values;
    for (const StageAxis& other : axes) {
      if (other.name != axis.name) values.push_back(trial->labels.at(other.name));
    }
    rows.insert(values);
    values.push_back(trial->labels.at(axis.name));
    cells.insert(std::move(values));
  }
  return 2 * cells.size() < rows.size() * axis.values.size();
}

std::string column_axis_of(const std::vector<StageAxis>& varying, const Trials& trials) {
  const bool is_crossed = std::ranges::all_of(varying, &StageAxis::is_everywhere);
  if (varying.size() < 2 || !is_crossed) return "";
  const auto of_data = std::ranges::find_if(
      varying, [&](const StageAxis& axis) { return changes_data(axis, trials); });
  const StageAxis& axis = of_data == varying.end() ? varying.back() : *of_data;
  const bool fits = of_data != varying.end() || axis.values.size() <= kMostColumns;
  return fits && !changes_with_another(axis, varying, trials) &&
                 !leaves_most_cells_empty(axis, varying, trials)
             ? axis.name
             : "";
}

bool has_values(const PlannedTrial& trial,
                const std::vector<std::pair<std::string, std::string>>& where) {
  return std::ranges::all_of(where, [&](const auto& pair) {
    const auto label = trial.labels.find(pair.first);
    return label != trial.labels.end() && label->second == pair.second;
  });
}

bool has_score(const std::string& stage, const Plan& plan, const TrialsById& by_id,
               const Schema& schema) {
  ReportedScores scores(schema);
  return score_of_planned(*plan.of_stage(stage).front(), by_id, schema, scores).has_value();
}

/// "score" instead of the metric's own name: "test/score@best" for "test/mcc@best".
std::string unnamed_score(const std::string& metric) {
  const size_t slash = metric.find('/'), at = metric.find('@');
  return metric.substr(0, slash) + "/score" + metric.substr(at);
}

/// The score of a column's trials. If the trials have several metrics on one split and at one step,
/// it is "score".
std::optional<ReportedScore> score_of_column(const Trials& trials, const LayoutLine& column,
                                             const TrialsById& by_id, const Schema& schema) {
  std::optional<ReportedScore> common;
  ReportedScores scores(schema);
  for (const PlannedTrial* trial : trials) {
    if (!has_values(*trial, column.where)) continue;
    const std::optional<ReportedScore> score = score_of_planned(*trial, by_id, schema, scores);
    if (!score) return std::nullopt;
    if (!common) common = score;
    if (common->metric == score->metric) continue;
    if (unnamed_score(common->metric) != unnamed_score(score->metric)) return std::nullopt;
    const Direction direction =
        common->direction == score->direction ? common->direction : Direction::unknown;
    common = ReportedScore{unnamed_score(score->metric), direction, std::nullopt, std::nullopt};
  }
  return common;
}

}  // namespace

std::string stage_to_show(const Plan& plan, const std::string& wanted, const Schema& schema) {
  const std::vector<std::string> stages = stages_in_order(plan);
  if (!wanted.empty()) {
    if (std::ranges::find(stages, wanted) != stages.end()) return wanted;
    throw ConfigError("unknown-stage",
                      fmt::format("--stage: sweep {} has no trials of a stage '{}'{}; it has: {}",
                                  plan.sweep, wanted, did_you_mean(wanted, stages),
                                  stages.empty() ? "none" : joined(stages)));
  }
  const std::set<std::string> needed = needed_stages(plan);
  const TrialsById by_id = trials_by_id(plan);
  for (const bool may_be_needed : {false, true}) {
    for (const std::string& stage : stages) {
      if (!may_be_needed && needed.contains(stage)) continue;
      if (has_score(stage, plan, by_id, schema)) return stage;
    }
  }
  std::string advice;
  for (const std::string& stage : stages) {
    if (advice.empty()) advice = advice_on_score(plan, stage, schema);
  }
  throw ConfigError(
      "no-score",
      fmt::format(
          "no stage of sweep {} has a score to show; a table of your own names what it shows: "
          "docs/tables.md; the stages are: {}{}",
          plan.sweep, stages.empty() ? "none" : joined(stages), advice));
}

std::string advice_on_score(const Plan& plan, const std::string& stage, const Schema& schema) {
  for (const PlannedTrial* trial : plan.of_stage(stage)) {
    if (facts_of_job(*trial, schema).runs_program) {
      return fmt::format(
          "; the score of a program is the first of its metrics: write `metrics: {{dev/acc: max}}` "
          "into stage '{}', with a metric that the program reports, and run the sweep again",
          stage);
    }
  }
  return "";
}

std::vector<std::string> stages_beside(const Plan& plan, const std::string& shown,
                                       const Schema& schema) {
  const std::set<std::string> needed = needed_stages(plan);
  const TrialsById by_id = trials_by_id(plan);
  std::vector<std::string> beside = stages_in_order(plan);
  std::erase_if(beside, [&](const std::string& stage) {
    return stage == shown || needed.contains(stage) || !has_score(stage, plan, by_id, schema);
  });
  return beside;
}

std::vector<LayoutLine> all_lines_of(const Plan& plan, const StageLayout& layout) {
  std::vector<std::string> axes = layout.row_axes;
  if (!layout.column_axis.empty()) axes.push_back(layout.column_axis);
  return combinations_of(plan.of_stage(layout.stage), axes, layout.stage);
}

StageLayout layout_of(const Plan& plan, const std::string& stage, const Schema& schema) {
  StageLayout layout;
  layout.stage = stage;
  const Trials trials = plan.of_stage(stage);
  RETHINK_ASSERT(!trials.empty(), stage);
  std::vector<StageAxis> varying;
  for (StageAxis& axis : axes_of(trials)) {
    if (axis.values.size() == 1 && axis.is_everywhere)
      layout.fixed.emplace_back(axis.name, axis.values.front());
    else
      varying.push_back(std::move(axis));
  }
  layout.is_crossed = std::ranges::all_of(varying, &StageAxis::is_everywhere);
  layout.column_axis = column_axis_of(varying, trials);
  for (const StageAxis& axis : varying) {
    if (axis.name != layout.column_axis) layout.row_axes.push_back(axis.name);
  }
  layout.rows = combinations_of(trials, layout.row_axes, stage);
  layout.columns = layout.column_axis.empty()
                       ? std::vector<LayoutLine>{LayoutLine{}}
                       : combinations_of(trials, {layout.column_axis}, stage);
  for (LayoutLine& column : layout.columns) {
    if (!column.where.empty()) column.label = label_of_value(layout.column_axis, column.label);
  }
  const TrialsById by_id = trials_by_id(plan);
  for (const LayoutLine& column : layout.columns)
    layout.scores.push_back(score_of_column(trials, column, by_id, schema));
  layout.curve = curve_to_show(*trials.front(), by_id, schema);
  std::set<int64_t> seeds;
  for (const PlannedTrial* trial : trials) {
    if (trial->trial.seed) seeds.insert(*trial->trial.seed);
    seeds.insert(trial->candidate_seeds.begin(), trial->candidate_seeds.end());
    layout.seeds = std::max(layout.seeds, trial->own_seeds);
  }
  layout.seeds = std::max<size_t>(layout.seeds, seeds.size());
  return layout;
}

}  // namespace rethink
