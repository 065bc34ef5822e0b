#include "plots/table/lines/value_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "core/config/schema.h"
#include "core/error.h"
#include "core/facts/job_facts.h"
#include "experiments/plan/expand/recorded_metrics.h"
#include "results/database/sql_expressions.h"

namespace rethink {
namespace {

/// The metric of a column's cells, or the requested fact of an artifact, with its position in the
/// spec; nothing for cells of another kind.
struct WantedValue {
  CellKind kind;
  ValueName name;
  Position at;
};

std::optional<WantedValue> wanted_of(const LineSpec& column, const TableSpec& spec) {
  if (!column.kind) return WantedValue{CellKind::metric, *spec.metric, spec.metric_at};
  const bool is_checked = *column.kind == CellKind::metric || *column.kind == CellKind::fact ||
                          *column.kind == CellKind::places || *column.kind == CellKind::measurement;
  if (!is_checked || !column.value) return std::nullopt;
  return WantedValue{*column.kind, *column.value, column.value_at};
}

class MetricCheck {
 public:
  MetricCheck(const Plans& plans, const Schema& schema) : schema_(schema) {
    for (const auto& [path, plan] : plans) {
      for (const PlannedTrial& planned : plan.trials) {
        if (planned.lacks.empty()) by_id_[planned.trial.id] = &planned;
      }
    }
  }

  /// Why the first trial will not have the value, "" if it will. The trials of a cell differ only
  /// in their seeds, or in the axes that the cell averages over.
  std::string lack(const CellTrials& trials, const WantedValue& wanted) const {
    if (trials.empty()) return "";
    const PlannedTrial* const found = measured(*trials.front());
    if (!found) return "";
    const PlannedTrial& trial = *found;
    const PluginSchema* job = schema_.find("job", trial.trial.job);
    RETHINK_ASSERT(job, trial.trial.job);
    if (wanted.kind == CellKind::measurement) return lack_of_measurement(trial, *job, wanted);
    return wanted.kind == CellKind::metric ? lack_of_metric(trial, *job, wanted)
                                           : lack_of_artifact(trial, *job, wanted);
  }

 private:
  std::string lack_of_metric(const PlannedTrial& trial, const PluginSchema& job,
                             const WantedValue& wanted) const {
    for (const ValueName& part : parts_of(wanted.name)) {
      // A curve that is recorded also has its tail.
      const std::string metric = part.split + "/" + curve_of_tail(part.name).value_or(part.name);
      const std::string why =
          why_not_recorded(trial.stage, job, trial.trial.config, metric, schema_);
      if (!why.empty()) return fmt::format("metric: got '{}', {}", part.text(), why);
    }
    return "";
  }

  /// Reports a measurement of a program, since a program reports only metrics. For our own jobs,
  /// the store knows measurements after they have run.
  static std::string lack_of_measurement(const PlannedTrial& trial, const PluginSchema& job,
                                         const WantedValue& wanted) {
    static const std::vector<std::string> kOfPrograms = {"attempt_s", "peak_memory_bytes"};
    const std::string& name = wanted.name.name;
    if (!job.facts.as<JobFacts>().runs_program || std::ranges::count(kOfPrograms, name) > 0)
      return "";
    const std::string own = name.substr(name.find('/') + 1);
    std::string metric = name == own ? "SPLIT/" + own : name;
    for (const auto& [reported, direction] : trial.trial.config.at("metrics").items()) {
      if (reported.ends_with("/" + own)) metric = reported;
    }
    return fmt::format(
        "measurement: got '{}', but what a program reports is a metric: write metric: {}; "
        "measured of the programs of stage '{}' are: {}",
        name, metric, trial.stage, joined(kOfPrograms));
  }

  /// Weights and predictions have free names: such a name is refused if it is similar to another
  /// artifact's name.
  static std::string lack_of_artifact(const PlannedTrial& trial, const PluginSchema& job,
                                      const WantedValue& wanted) {
    const std::vector<std::string>& outputs = job.facts.as<JobFacts>().outputs;
    const std::string& name = wanted.name.split;
    const auto has = [&](const std::string& output) {
      return std::ranges::count(outputs, output) > 0;
    };
    if (has(name)) return "";
    const std::string meant = did_you_mean(name, outputs);
    if (meant.empty() && (has("weights") || has("prediction_file"))) return "";
    return fmt::format(
        "artifact: got '{}', which stage '{}' (job {}) does not leave{}; it leaves: {}", name,
        trial.stage, job.name, meant, outputs.empty() ? "none" : joined(outputs));
  }

  /// The trial itself, or the first candidate of a trial that chooses; null if that has no id.
  const PlannedTrial* measured(const PlannedTrial& planned) const {
    const PluginSchema* job = schema_.find("job", planned.trial.job);
    if (!job || job->facts.as<JobFacts>().chooses_by.empty()) return &planned;
    for (const auto& [slot, ids] : planned.trial.needs) {
      if (ids.empty()) continue;
      const auto first = by_id_.find(ids.front());
      return first == by_id_.end() ? nullptr : measured(*first->second);
    }
    return &planned;
  }

  const Schema& schema_;
  std::map<std::string, const PlannedTrial*> by_id_;
};

}  // namespace

void check_metrics(const TableSpec& spec, Grid& grid, const Plans& plans, const Schema& schema) {
  const MetricCheck check(plans, schema);
  Problems problems;
  for (size_t column = 0; column < grid.columns.size(); ++column) {
    const LineSpec& line = *grid.columns[column].spec;
    const std::optional<WantedValue> wanted = wanted_of(line, spec);
    if (!wanted) continue;
    for (std::vector<CellTrials>& row : grid.trials) {
      const std::string lack = check.lack(row[column], *wanted);
      if (lack.empty()) continue;
      if (line.unplanned) {
        row[column].clear();
        continue;
      }
      problems.add(wanted->at, "unknown-value", lack);
      break;
    }
  }
  problems.throw_if_any();
}

namespace {

/// Rows by the stage of the column's trials in them.
std::map<std::string, std::vector<size_t>> rows_by_stage(const Grid& grid, size_t column) {
  std::map<std::string, std::vector<size_t>> rows;
  for (size_t row = 0; row < grid.trials.size(); ++row) {
    const CellTrials& trials = grid.trials[row][column];
    if (!trials.empty()) rows[trials.front()->stage].push_back(row);
  }
  return rows;
}

}  // namespace

std::vector<StageWithoutValues> stages_without_values(const ComparedTable& table,
                                                      const Grid& grid) {
  std::vector<StageWithoutValues> stages;
  for (size_t column = 0; column < table.columns.size(); ++column) {
    const CellKind kind = table.columns[column].kind;
    if (kind != CellKind::measurement && kind != CellKind::fact) continue;
    for (const auto& [stage, rows] : rows_by_stage(grid, column)) {
      StageWithoutValues found{column, stage, rows, {}};
      bool lacks = false;
      for (const size_t row : rows) {
        const Cell& cell = table.cells[row][column];
        found.trials.insert(found.trials.end(), cell.trials.begin(), cell.trials.end());
        lacks = lacks || cell.has(MarkKind::no_value);
      }
      if (lacks) stages.push_back(std::move(found));
    }
  }
  return stages;
}

std::optional<UnrecordedValue> unrecorded_value(const StageWithoutValues& stage,
                                                const RecordedNames& recorded,
                                                const ComparedTable& table) {
  const TableColumn& column = table.columns[stage.column];
  const bool is_fact = column.kind == CellKind::fact;
  const std::vector<std::string>& known = is_fact ? recorded.facts : recorded.measurements;
  if (std::ranges::count(known, column.value) > 0) return std::nullopt;
  return UnrecordedValue{
      stage.column, stage.rows,
      fmt::format("no trial of stage '{}' has recorded {} '{}'{}; recorded are: {}", stage.stage,
                  is_fact ? "fact" : "measurement", column.value, did_you_mean(column.value, known),
                  known.empty() ? "none" : joined(known))};
}

}  // namespace rethink
