#include "plots/metric_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "experiments/schedule/recorded_metrics.h"

namespace rethink {
namespace {

/// The metric of a column's cells, and where the spec says so; none for cells of another kind.
struct WantedMetric {
  ValueName name;
  Position at;
};

std::optional<WantedMetric> metric_of(const LineSpec& column, const TableSpec& spec) {
  if (!column.kind) return WantedMetric{*spec.metric, spec.metric_at};
  if (*column.kind != CellKind::metric) return std::nullopt;
  return WantedMetric{*column.value, column.value_at};
}

class MetricCheck {
 public:
  MetricCheck(const Plans& plans, const Schema& schema) : schema_(schema) {
    for (const auto& [path, plan] : plans) {
      for (const PlannedTrial& planned : plan.trials) by_id_[planned.trial.id] = &planned;
    }
  }

  /// Why the first trial will not have it, "" when it will: those of a cell differ in their seeds,
  /// or in what it averages over.
  std::string lack(const CellTrials& trials, const WantedMetric& wanted) const {
    if (trials.empty()) return "";
    const PlannedTrial& trial = measured(*trials.front());
    const PluginSchema* job = schema_.find("job", trial.trial.job);
    RETHINK_ASSERT(job, trial.trial.job);
    for (const ValueName& part : parts_of(wanted.name)) {
      const std::string metric = part.text();
      const std::string why =
          why_not_recorded(trial.stage, *job, trial.trial.config, metric, schema_);
      if (!why.empty()) return fmt::format("metric: got '{}', {}", metric, why);
    }
    return "";
  }

 private:
  /// The trial itself, or of one that chooses among others the first of those.
  const PlannedTrial& measured(const PlannedTrial& planned) const {
    const PluginSchema* job = schema_.find("job", planned.trial.job);
    if (!job || !job->facts.contains("chooses_by")) return planned;
    for (const auto& [slot, ids] : planned.trial.needs) {
      if (!ids.empty()) return measured(*by_id_.at(ids.front()));
    }
    return planned;
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
    const std::optional<WantedMetric> wanted = metric_of(line, spec);
    if (!wanted) continue;
    for (std::vector<CellTrials>& row : grid.trials) {
      const std::string lack = check.lack(row[column], *wanted);
      if (lack.empty()) continue;
      if (line.unplanned) {
        row[column].clear();
        continue;
      }
      problems.add(wanted->at, lack);
      break;
    }
  }
  problems.throw_if_any();
}

}  // namespace rethink
