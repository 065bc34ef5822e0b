#include "plots/table/cells/item_test.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <set>

#include "plots/table/cells/item_metric.h"
#include "results/database/sql_expressions.h"
#include "results/statistics/statistics.h"

namespace rethink {
namespace {

constexpr double kLevel = 0.95;
constexpr double kSameValue = 1e-6;  // relative, since the sums were added in another order
constexpr const char* kOverSeeds = "compare over seeds (kind: paired_t)";

/// Why a cell has no interval, and the advice; names the trial if one is the cause.
struct NotComparable {
  std::string why, trial = "";
};

/// Without the advice to choose another test, which is for the author of the table.
std::string problem_of(const NotComparable& problem) {
  const std::string why = problem.why.substr(0, problem.why.find(fmt::format("; {}", kOverSeeds)));
  return why + (problem.trial.empty() ? "" : " (trial " + problem.trial + ")");
}

/// "perplexity" for "perplexity@best".
std::string metric_name(const ValueName& value) {
  return value.name.substr(0, value.name.find('@'));
}

/// The differences of each resample, and the magnitude of the subtracted scores.
struct Differences {
  Resampled of_each;
  double size = 0;

  /// Sets values to 0 that are 0 in exact arithmetic, since interval bounds and the shares beyond 0
  /// depend on them.
  void drop_rounding_errors() {
    for (double& difference : of_each) {
      if (!vary(std::array{0.0, difference}, size)) difference = 0;
    }
  }
};

/// The mean of `parts`: resample i of a part is combined with resample i + shift of the others, so
/// that equal shifts are paired, and unequal shifts independent.
Differences mean_over_parts(const std::vector<Differences>& parts,
                            const std::vector<size_t>& shifts) {
  Differences mean{Resampled(parts.front().of_each.size())};
  const auto count = static_cast<double>(parts.size());
  for (size_t part = 0; part < parts.size(); ++part) {
    const Resampled& of_part = parts[part].of_each;
    for (size_t i = 0; i < of_part.size(); ++i)
      mean.of_each[i] += of_part[(i + shifts[part]) % of_part.size()] / count;
    mean.size = std::max(mean.size, parts[part].size);
  }
  mean.drop_rounding_errors();
  return mean;
}

/// The resampled metric of each trial; computed once per trial, even if several cells have the
/// trial.
class Resamples {
 public:
  Resamples(const TrialRecords& records, const ItemMetrics& metrics, size_t count)
      : records_(records), metrics_(metrics), count_(count) {}

  /// The differences between two cells of a metric: the mean over `seeds`, in the unit that the
  /// trials report.
  Differences differences(const std::string& value, const MeasuredCell& cell,
                          const MeasuredCell& baseline, const std::vector<int64_t>& seeds) {
    std::vector<Differences> of_splits;
    std::vector<size_t> shifts;
    for (const ValueName& part : parts_of(value_named(value))) {
      shifts.push_back(shifts.size());
      of_splits.push_back(of_split(part, cell, baseline, seeds));
    }
    return mean_over_parts(of_splits, shifts);
  }

  /// Throws NotComparable if the trial left no outcomes.
  const ItemOutcomes& items_of(const std::string& split, const std::string& trial) const {
    const TrialRecord& record = records_.at(trial);
    const auto items = record.items.find(split);
    if (items != record.items.end()) return items->second;
    if (!record.items_problem.empty()) throw NotComparable{record.items_problem, trial};
    throw NotComparable{fmt::format("no predictions of the items of {}; {}", split, kOverSeeds),
                        trial};
  }

  /// The metric that gives, from the items of `trials` (all the same), the value that the trials
  /// report.
  std::string metric_of(const ValueName& value, const std::vector<std::string>& trials) const {
    const std::string name = metric_name(value);
    if (name == kScore ? metrics_.empty() : !metrics_.contains(name)) {
      throw NotComparable{fmt::format(
          "{} does not follow from what predictions say of each item; {}", name, kOverSeeds)};
    }
    const ItemOutcomes& first = items_of(value.split, trials.front());
    std::set<std::string> common = metrics_that_give(value, trials.front());
    for (const std::string& trial : trials) {
      const ItemOutcomes& items = items_of(value.split, trial);
      if (!may_be_of_the_same(items, first)) {
        throw NotComparable{
            fmt::format("trials were measured on other items of {} than those that they are "
                        "compared with; compare trials of the same data",
                        value.split),
            trial};
      }
      const std::set<std::string> these = metrics_that_give(value, trial);
      std::set<std::string> both;
      std::set_intersection(common.begin(), common.end(), these.begin(), these.end(),
                            std::inserter(both, both.end()));
      if (both.empty()) {
        throw NotComparable{fmt::format("{} is {} of some trials, {} of others; name the metric",
                                        name, *common.begin(), *these.begin())};
      }
      common = both;
    }
    return *common.begin();
  }

 private:
  Differences of_split(const ValueName& value, const MeasuredCell& cell,
                       const MeasuredCell& baseline, const std::vector<int64_t>& seeds) {
    std::vector<std::string> trials;
    for (const MeasuredCell* one : {&cell, &baseline}) {
      for (const int64_t seed : seeds) {
        const std::vector<std::string> more = trials_of(*one, seed);
        trials.insert(trials.end(), more.begin(), more.end());
      }
    }
    const std::string metric = metric_of(value, trials);
    Differences apart{Resampled(count_)};
    for (const int64_t seed : seeds) {
      const Resampled ours = of_seed(value.split, metric, trials_of(cell, seed));
      const Resampled theirs = of_seed(value.split, metric, trials_of(baseline, seed));
      for (size_t i = 0; i < count_; ++i) apart.of_each[i] += ours[i] - theirs[i];
      apart.size = std::max({apart.size, largest(ours), largest(theirs)});
    }
    for (double& difference : apart.of_each) difference /= static_cast<double>(seeds.size());
    apart.drop_rounding_errors();
    return apart;
  }

  std::vector<std::string> trials_of(const MeasuredCell& cell, int64_t seed) const {
    std::vector<std::string> trials;
    std::copy_if(cell.trials.begin(), cell.trials.end(), std::back_inserter(trials),
                 [&](const std::string& trial) {
                   const TrialRecord* record = find_record(records_, trial);
                   return record && record->seed.value_or(0) == seed;
                 });
    if (trials.empty()) {
      throw NotComparable{fmt::format(
          "the database names no trial of seed {}, which the plan has; make it again (db rebuild)",
          seed)};
    }
    return trials;
  }

  /// Mean over trials.
  Resampled of_seed(const std::string& split, const std::string& metric,
                    const std::vector<std::string>& trials) {
    Resampled mean(count_);
    for (const std::string& trial : trials) {
      const Resampled& one = of_trial(split, metric, trial);
      for (size_t i = 0; i < mean.size(); ++i) mean[i] += one[i];
    }
    for (double& value : mean) value /= static_cast<double>(trials.size());
    return mean;
  }

  const Resampled& of_trial(const std::string& split, const std::string& metric,
                            const std::string& trial) {
    const auto known = known_.find({trial, split, metric});
    if (known != known_.end()) return known->second;
    resample_together(split, metric, trial);
    return known_.at({trial, split, metric});
  }

  /// Together with all trials of the same items, which get the same resamples.
  void resample_together(const std::string& split, const std::string& metric,
                         const std::string& trial) {
    const ItemOutcomes& own = items_of(split, trial);
    std::vector<std::string> alike;
    std::vector<const ItemOutcomes*> outcomes;
    for (const auto& [id, record] : records_) {
      const auto items = record.items.find(split);
      if (items == record.items.end() || !follows_from(items->second, metrics_.at(metric)))
        continue;
      if (!may_be_of_the_same(items->second, own)) continue;
      alike.push_back(id);
      outcomes.push_back(&items->second);
    }
    std::vector<Resampled> all = resample_items(outcomes, metrics_.at(metric), count_);
    for (size_t i = 0; i < alike.size(); ++i) known_[{alike[i], split, metric}] = std::move(all[i]);
  }

  /// `score` may equal several metrics: for a model that always gives the same answer, F1 and
  /// Matthews' correlation are both 0.
  std::set<std::string> metrics_that_give(const ValueName& value, const std::string& trial) const {
    const ItemOutcomes& items = items_of(value.split, trial);
    const std::map<std::string, double>& values = records_.at(trial).values;
    const auto reported = values.find(value.text());
    const std::string name = metric_name(value);
    if (name != kScore && !follows_from(items, metrics_.at(name))) {
      throw NotComparable{
          fmt::format("{} does not follow from these predictions, which an older version left: "
                      "rm of the trial and a new run of its sweep make them again; or {}",
                      name, kOverSeeds),
          trial};
    }
    std::set<std::string> found;
    for (const auto& [one, metric] : metrics_) {
      if (reported == values.end() || (name != kScore && one != name)) continue;
      if (!follows_from(items, metric)) continue;
      const double apart = metric_on_all(items, metric) - reported->second;
      if (std::abs(apart) <= kSameValue * std::abs(reported->second)) found.insert(one);
    }
    if (!found.empty()) return found;
    if (!items.scores.empty()) {
      throw NotComparable{
          fmt::format(
              "{} is not the mean of the questions' own scores: the threshold for no answer "
              "is chosen on all of them; {}",
              value.text(), kOverSeeds),
          trial};
    }
    throw NotComparable{
        fmt::format("the predictions do not give {}: they are of another step; ask for "
                    "that step's value (@best with evaluate.keep: best, else @last)",
                    value.text()),
        trial};
  }

  const TrialRecords& records_;
  const ItemMetrics& metrics_;
  const size_t count_;
  std::map<std::array<std::string, 3>, Resampled> known_;  // by trial, split, metric
};

/// Resampled differences of a row's cell to its baseline's, as the table shows them.
Differences differences(const ComparedTable& table, std::pair<size_t, size_t> rows, size_t column,
                        const std::vector<int64_t>& seeds, Resamples& resamples) {
  const TableColumn& line = table.columns[column];
  const auto cell = [&](size_t part) -> const MeasuredCell& {
    return table.cells[rows.first][part];
  };
  if (line.kind == CellKind::metric) {
    Differences apart =
        resamples.differences(line.value, cell(column), table.cells[rows.second][column], seeds);
    for (double& difference : apart.of_each) difference *= line.scale;
    apart.size *= std::abs(line.scale);
    return apart;
  }
  std::vector<Differences> parts;
  std::vector<size_t> shifts;
  for (const size_t part : line.parts) {
    if (table.columns[part].kind != CellKind::metric) {
      throw NotComparable{fmt::format("{} is a mean with {}, which is no metric of a trial; {}",
                                      line.label, table.columns[part].label, kOverSeeds)};
    }
    const auto has_its_items = [&](size_t other) {
      const auto split = [&](size_t one) { return value_named(table.columns[one].value).split; };
      return cell(other).trials == cell(part).trials && split(other) == split(part);
    };
    const auto first = std::ranges::find_if(line.parts, has_its_items);
    shifts.push_back(static_cast<size_t>(first - line.parts.begin()));
    parts.push_back(differences(table, rows, part, seeds, resamples));
  }
  return mean_over_parts(parts, shifts);
}

/// Sets the percentiles as bounds, and p as twice the share on the rarer side of zero, which counts
/// the observed difference too.
void take_bounds(const Resampled& apart, ItemTest& test) {
  Resampled rising = apart;
  std::ranges::sort(rising);
  test.interval = percentile_interval(rising, kLevel);
  const auto not_above = std::count_if(apart.begin(), apart.end(), [](double x) { return x <= 0; });
  const auto not_below = std::count_if(apart.begin(), apart.end(), [](double x) { return x >= 0; });
  test.p = std::min(1.0, 2.0 * static_cast<double>(std::min(not_above, not_below) + 1) /
                             static_cast<double>(apart.size() + 1));
}

std::vector<int64_t> common_seeds(const MeasuredCell& cell, const MeasuredCell& baseline) {
  std::vector<int64_t> seeds;
  for (const Sample& sample : cell.samples) {
    if (baseline.value_of(sample.seed)) seeds.push_back(sample.seed);
  }
  return seeds;
}

/// A cell whose seeds are a subset of its baseline's seeds.
struct BaselineComparison {
  size_t row = 0, baseline = 0, column = 0;
  std::vector<int64_t> seeds;
};

std::vector<BaselineComparison> comparisons_of(const ComparedTable& table) {
  std::vector<BaselineComparison> comparisons;
  for (size_t column = 0; column < table.columns.size(); ++column) {
    const CellKind kind = table.columns[column].kind;
    if (kind != CellKind::metric && kind != CellKind::mean_of) continue;
    for (size_t row = 0; row < table.rows.size(); ++row) {
      const MeasuredCell& cell = table.cells[row][column];
      const std::optional<size_t> reference = table.baseline_of(row);
      if (!reference || !cell.value) continue;
      const MeasuredCell& baseline = table.cells[*reference][column];
      if (cell.of_survivors() || baseline.of_survivors()) continue;
      const std::vector<int64_t> seeds = common_seeds(cell, baseline);
      if (!seeds.empty()) comparisons.push_back({row, *reference, column, seeds});
    }
  }
  return comparisons;
}

/// Cells that could not be compared, by cause. Each cause is reported once, with all its trials.
class Refusals {
 public:
  void add(size_t test, const NotComparable& problem) {
    Cause& cause = causes_[problem.why];
    cause.tests.push_back(test);
    if (!problem.trial.empty()) cause.trials.insert(problem.trial);
  }

  void tell(std::vector<ItemTest>& tests) const {
    for (const auto& [why, cause] : causes_) {
      std::string text = why;
      if (!cause.trials.empty()) text += " (trial " + *cause.trials.begin();
      if (cause.trials.size() > 1) text += fmt::format(" and {} more", cause.trials.size() - 1);
      if (!cause.trials.empty()) text += ")";
      for (const size_t test : cause.tests) tests[test].problem = text;
    }
  }

 private:
  struct Cause {
    std::vector<size_t> tests;
    std::set<std::string> trials;
  };
  std::map<std::string, Cause> causes_;
};

}  // namespace

ItemTests item_tests(const ComparedTable& table, const TestSpec& test, const TrialRecords& records,
                     const ItemMetrics& metrics) {
  const std::vector<BaselineComparison> comparisons = comparisons_of(table);
  const auto is_tested = [&](const BaselineComparison& one) {
    return table.columns[one.column].direction != Direction::unknown;
  };
  const bool corrected = test.correction == "holm";
  const auto tested = static_cast<size_t>(std::ranges::count_if(comparisons, is_tested));
  ItemTests found{resamples_for(corrected ? tested : 1, test.alpha), {}};
  Resamples resamples(records, metrics, found.resamples);
  Refusals refusals;
  for (const BaselineComparison& one : comparisons) {
    if (table.cells[one.row][one.column].delta_awaits) continue;
    found.tests.push_back({.row = one.row, .column = one.column});
    try {
      take_bounds(
          differences(table, {one.row, one.baseline}, one.column, one.seeds, resamples).of_each,
          found.tests.back());
    } catch (const NotComparable& problem) {
      refusals.add(found.tests.size() - 1, problem);
    }
  }
  refusals.tell(found.tests);
  return found;
}

struct ItemGains::State {
  const ComparedTable& table;
  const TrialRecords& records;
  const ItemMetrics& metrics;
  Resamples resamples;
};

ItemGains::ItemGains(const ComparedTable& table, const TrialRecords& records,
                     const ItemMetrics& metrics, size_t resamples)
    : state_(std::make_unique<State>(
          State{table, records, metrics, Resamples(records, metrics, resamples)})) {}

ItemGains::~ItemGains() = default;

bool ItemGains::is_task_score(size_t column) const {
  const TableColumn& line = state_->table.columns[column];
  if (line.kind == CellKind::mean_of)
    return std::ranges::any_of(line.parts, [&](size_t part) { return is_task_score(part); });
  if (line.kind != CellKind::metric) return false;
  const std::string name = metric_name(value_named(line.value));
  const auto is_score = [](const ItemMetric& metric) {
    return metric.of_labels || metric.of_counts || !metric.own_score.empty();
  };
  if (name == kScore)
    return std::ranges::any_of(state_->metrics,
                               [&](const auto& one) { return is_score(one.second); });
  const auto metric = state_->metrics.find(name);
  return metric != state_->metrics.end() && is_score(metric->second);
}

ItemGains::Gain ItemGains::gain(const std::vector<size_t>& rows, const std::vector<size_t>& than,
                                size_t column, const std::vector<int64_t>& seeds, double sign) {
  // The mean over all pairs of rows is the difference of both means.
  std::vector<Differences> pairs;
  try {
    for (const size_t row : rows) {
      for (const size_t other : than)
        pairs.push_back(differences(state_->table, {row, other}, column, seeds, state_->resamples));
    }
  } catch (const NotComparable& problem) {
    return {{}, problem_of(problem)};
  }
  Resampled apart = mean_over_parts(pairs, std::vector<size_t>(pairs.size(), 0)).of_each;
  for (double& difference : apart) difference *= sign;
  std::ranges::sort(apart);
  return {std::move(apart), ""};
}

ItemGains::Paired ItemGains::beyond_first(const std::vector<size_t>& rows, size_t column,
                                          const std::vector<int64_t>& seeds) {
  Paired paired;
  try {
    for (const int64_t seed : seeds) {
      std::vector<Resampled>& of_rows = paired.of_seeds.emplace_back();
      for (const size_t row : rows)
        of_rows.push_back(
            differences(state_->table, {row, rows.front()}, column, {seed}, state_->resamples)
                .of_each);
    }
  } catch (const NotComparable& problem) {
    return {{}, problem_of(problem)};
  }
  return paired;
}

ItemGains::ConstantScore ItemGains::constant_score(size_t row, size_t column) const {
  const TableColumn& line = state_->table.columns[column];
  const MeasuredCell& cell = state_->table.cells[row][column];
  if (line.kind != CellKind::metric || cell.trials.empty() || !is_task_score(column)) return {};
  const ValueName value = value_named(line.value);
  const ItemMetric* metric = nullptr;
  const ItemOutcomes* items = nullptr;
  try {
    metric = &state_->metrics.at(state_->resamples.metric_of(value, cell.trials));
    items = &state_->resamples.items_of(value.split, cell.trials.front());
  } catch (const NotComparable& problem) {
    return {std::nullopt, problem_of(problem)};
  }
  if (!metric->of_labels) return {};
  if (items->expected.empty()) return {std::nullopt, "the predictions have no labels beside them"};
  double best = 0;
  for (const double answer : std::set<double>(items->expected.begin(), items->expected.end())) {
    const std::vector<double> answers(items->expected.size(), answer);
    const double score = metric->of_labels(answers, items->expected);
    if (std::isfinite(score)) best = std::max(best, score);
  }
  return {best * line.scale};
}

bool has_item_metric(const TableLines& table, const ItemMetrics& metrics) {
  return std::ranges::any_of(table.columns, [&](const TableColumn& column) {
    if (column.kind != CellKind::metric || column.direction == Direction::unknown) return false;
    const ValueName value = value_named(column.value);
    if (curve_of_tail(value.name)) return false;  // it belongs to no evaluation, so it has no items
    const std::string name = metric_name(value);
    return name == kScore ? !metrics.empty() : metrics.contains(name);
  });
}

}  // namespace rethink
