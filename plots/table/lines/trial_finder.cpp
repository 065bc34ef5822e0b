#include "plots/table/lines/trial_finder.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "core/json.h"
#include "core/yaml/written_values.h"
#include "experiments/plan/read/overlay.h"

namespace rethink {
namespace {

using IsSame = bool (*)(const RecordedValue&, const WrittenValue&);

/// Whether the spelling is the recorded one; quotes keep a word from being a number.
bool is_spelt(const RecordedValue& recorded, const WrittenValue& written) {
  return recorded.text == written.text && (!written.quoted || same_value(recorded, written));
}

/// A trial's value of an axis. If --set or a profile made the axis a fixed value, there is no
/// label, and the configuration has the value.
std::optional<RecordedValue> axis_value(const PlannedTrial& trial, const std::string& axis) {
  const Json* value = find_path(trial.trial.config, axis);
  const auto option = value ? std::optional(recorded_value(*value)) : std::nullopt;
  const auto label = trial.labels.find(axis);
  return label == trial.labels.end() ? option : typed_label(label->second, option);
}

bool matches(const PlannedTrial& trial, const SpecPairs& where, IsSame same) {
  return std::all_of(where.begin(), where.end(), [&](const auto& wanted) {
    const std::optional<RecordedValue> value = axis_value(trial, wanted.key.text);
    return value && same(*value, wanted.value.written());
  });
}

/// Whether `value` is in the sweep file, but `exclude` drops its trials.
bool is_excluded(const Plan& plan, const std::string& stage, const std::string& axis,
                 const Word& value) {
  const auto of_stage = plan.axis_values.find(stage);
  if (of_stage == plan.axis_values.end()) return false;
  const auto values = of_stage->second.find(axis);
  return values != of_stage->second.end() &&
         std::ranges::any_of(values->second,
                             [&](const auto& v) { return same_value({v}, value.written()); });
}

/// Each id once, since points with other labels may be the same trial.
CellTrials matching(const CellTrials& trials, const SpecPairs& where, IsSame same) {
  CellTrials selected;
  std::set<std::string> seen;
  for (const PlannedTrial* trial : trials) {
    const bool may_repeat = trial->lacks.empty();  // it has an id
    if (matches(*trial, where, same) && (!may_repeat || seen.insert(trial->trial.id).second))
      selected.push_back(trial);
  }
  return selected;
}

std::string no_stage_text(const Plan& plan, const std::string& stage) {
  const std::vector<std::string> stages = stage_names(plan);
  return fmt::format("sweep {} has no trials of a stage '{}'{}; it has: {}", plan.sweep, stage,
                     did_you_mean(stage, stages), joined(stages));
}

}  // namespace

KnownValues::KnownValues(const CellTrials& trials, const std::string& axis) {
  std::set<std::string> seen;
  for (const PlannedTrial* trial : trials) {
    const std::optional<RecordedValue> found = axis_value(*trial, axis);
    if (!found || !seen.insert(found->text).second) continue;
    index_.add(found->text, values_.size());
    values_.push_back(*found);
  }
}

std::optional<RecordedValue> KnownValues::find(const WrittenValue& written) const {
  std::optional<RecordedValue> found;
  for (const size_t i : index_.like(written.text)) {
    const bool is_better = !found || values_[i].text == written.text;
    if (is_better && same_value(values_[i], written)) found = values_[i];
  }
  return found;
}

std::vector<std::string> label_names(const CellTrials& trials) {
  std::set<std::string> names;
  for (const PlannedTrial* trial : trials) {
    for (const auto& [name, value] : trial->labels) names.insert(name);
  }
  return {names.begin(), names.end()};
}

std::vector<std::string> stage_names(const Plan& plan) {
  std::set<std::string> names;
  for (const PlannedTrial& trial : plan.trials) names.insert(trial.stage);
  return {names.begin(), names.end()};
}

void add_no_axis(const Word& axis, const Word& stage, const std::vector<std::string>& names,
                 Problems& problems) {
  problems.add(axis.at, "unknown-axis",
               fmt::format("stage '{}' has no axis '{}'{}; it has {}", stage.text, axis.text,
                           did_you_mean(axis.text, names), names.empty() ? "none" : joined(names)));
}

void check_axis_value(const Word& value, const std::string& axis, const KnownValues& known,
                      Problems& problems) {
  if (known.find(value.written())) return;
  problems.add(value.at, "unknown-value", [&] {
    std::vector<std::string> texts;
    for (const RecordedValue& one : known.all()) texts.push_back(one.text);
    return fmt::format("no trial has {} '{}'{}{}; it has: {}", axis, value.text,
                       value.quoted ? ", as text" : "", did_you_mean(value.text, texts),
                       joined(texts));
  });
}

CellTrials TrialFinder::select(const TrialSelection& selection, Problems& problems) {
  const Plan& plan = plans_.at(selection.sweep.text);
  Stage& stage = stage_of(plan, selection);
  if (plan.left_out.contains(selection.stage.text)) return {};
  if (stage.trials.empty()) {
    problems.add(selection.stage.at, "unknown-stage", stage.problem);
    return {};
  }
  const CellTrials candidates = candidates_of(stage, selection.where);
  CellTrials selected = matching(candidates, selection.where, is_spelt);
  if (selected.empty()) selected = matching(candidates, selection.where, same_value);
  if (selected.empty()) check_where(selection, plan, stage, problems);
  return selected;
}

TrialFinder::Stage& TrialFinder::stage_of(const Plan& plan, const TrialSelection& selection) {
  const std::string& name = selection.stage.text;
  const auto [found, is_new] = stages_.try_emplace({selection.sweep.text, name});
  Stage& stage = found->second;
  if (is_new) {
    stage.trials = plan.of_stage(name);
    stage.labels = label_names(stage.trials);
    if (stage.trials.empty()) stage.problem = no_stage_text(plan, name);
  }
  return stage;
}

const TrialFinder::Axis& TrialFinder::axis_of(Stage& stage, const std::string& name) {
  const auto known = stage.axes.find(name);
  if (known != stage.axes.end()) return known->second;
  Axis axis{KnownValues(stage.trials, name), {}};
  for (size_t i = 0; i < stage.trials.size(); ++i) {
    if (const auto value = axis_value(*stage.trials[i], name)) axis.trials.add(value->text, i);
  }
  return stage.axes.emplace(name, std::move(axis)).first->second;
}

/// The possible matches in the plan's order: the trials of the `where` pair that the fewest trials
/// have.
CellTrials TrialFinder::candidates_of(Stage& stage, const SpecPairs& where) {
  if (where.empty()) return stage.trials;
  const std::vector<size_t>* fewest = nullptr;
  for (const auto& [axis, value] : where) {
    const std::vector<size_t>& found = axis_of(stage, axis.text).trials.like(value.text);
    if (!fewest || found.size() < fewest->size()) fewest = &found;
  }
  CellTrials candidates;
  for (const size_t i : *fewest) candidates.push_back(stage.trials[i]);
  return candidates;
}

/// A narrowed sweep, or a sweep that excludes points, may lack a value of the spec; otherwise the
/// value is a mistake. A pair is checked once per line, and not in each cell.
void TrialFinder::check_where(const TrialSelection& selection, const Plan& plan, Stage& stage,
                              Problems& problems) {
  for (const auto& [axis, value] : selection.where) {
    if (!stage.checked
             .emplace(value.at.line, value.at.column, axis.text, value.text,
                      selection.may_be_absent)
             .second)
      continue;
    const KnownValues& known = axis_of(stage, axis.text).values;
    if (known.all().empty()) {
      add_no_axis(axis, selection.stage, stage.labels, problems);
    } else if (!selection.may_be_absent &&
               !is_excluded(plan, selection.stage.text, axis.text, value)) {
      check_axis_value(value, axis.text, known, problems);
    }
  }
}

}  // namespace rethink
