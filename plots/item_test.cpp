#include "plots/item_test.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/philox.h"

namespace rethink {
namespace {

constexpr uint64_t kItemStream = 0x6974656d73;  // "items" in ASCII
constexpr double kLevel = 0.95;
constexpr double kSameValue = 1e-6;  // relative: the sums were taken in another order

struct Mean {
  double sum = 0, weight = 0;
  double value() const {
    return weight > 0 ? sum / weight : std::numeric_limits<double>::quiet_NaN();
  }
  void add(const Mean& part) {
    sum += part.sum;
    weight += part.weight;
  }
};

/// What each item adds to the mean.
std::vector<Mean> parts_of(const ItemLosses& items, const ItemMetric& metric) {
  std::vector<Mean> parts;
  for (size_t i = 0; i < items.nll.size(); ++i) {
    const auto tokens = static_cast<double>(items.tokens[i]);
    Mean part;
    if (tokens > 0)
      part = metric.over_items ? Mean{items.nll[i] / tokens, 1} : Mean{items.nll[i], tokens};
    parts.push_back(part);
  }
  return parts;
}

/// Why a cell has no interval.
struct NotComparable {
  std::string why;
};

/// "test", "perplexity" of "test/perplexity@best".
ValueName split_and_metric(const std::string& value) {
  const size_t slash = value.find('/');
  return {value.substr(0, slash), value.substr(slash + 1, value.find('@') - slash - 1)};
}

/// Resampled metric of each trial; every trial is resampled once, however many cells it stands in.
class Resamples {
 public:
  Resamples(const TrialRecords& records, std::string value, const ItemMetrics& metrics)
      : records_(records), value_(std::move(value)), name_(split_and_metric(value_)) {
    for (const auto& [name, metric] : metrics) {
      if (name == name_.name || name_.name == kScore) known_metrics_[name] = metric;
    }
  }

  /// Mean over the trials of `cell` with this seed.
  std::vector<double> of_seed(const Cell& cell, int64_t seed) {
    if (parts_of(name_).size() > 1)
      throw NotComparable{fmt::format("{} is a mean of several splits", value_)};
    if (known_metrics_.empty())
      throw NotComparable{fmt::format("{} does not follow from losses of items", name_.name)};
    std::vector<double> sum(kItemResamples);
    double trials = 0;
    for (const std::string& trial : cell.trials) {
      const auto record = records_.find(trial);
      if (record == records_.end() || record->second.seed.value_or(0) != seed) continue;
      const std::vector<double>& one = of_trial(trial, record->second);
      for (size_t i = 0; i < sum.size(); ++i) sum[i] += one[i];
      ++trials;
    }
    for (double& value : sum) value /= trials;
    return sum;
  }

 private:
  const std::vector<double>& of_trial(const std::string& trial, const TrialRecord& record) {
    const auto known = known_.find(trial);
    if (known != known_.end()) return known->second;
    const auto items = record.items.find(name_.split);
    if (items == record.items.end()) {
      throw NotComparable{record.items_problem.empty() ? "a trial left no predictions"
                                                       : record.items_problem};
    }
    if (num_items_ && *num_items_ != items->second.nll.size())
      throw NotComparable{
          fmt::format("predictions of {} and of {} items", *num_items_, items->second.nll.size())};
    num_items_ = items->second.nll.size();
    const ItemMetric& metric = metric_of(record, items->second);
    return known_[trial] = resample_items(items->second, metric).resampled;
  }

  /// The metric by which the losses give the value that the trial reports.
  const ItemMetric& metric_of(const TrialRecord& record, const ItemLosses& items) {
    const auto reported = record.values.find(value_);
    for (const auto& [name, metric] : known_metrics_) {
      if (reported == record.values.end()) break;
      const double apart = metric_on_all(items, metric) - reported->second;
      if (std::abs(apart) > kSameValue * std::abs(reported->second)) continue;
      if (used_.empty()) used_ = name;
      if (used_ != name)
        throw NotComparable{
            fmt::format("{} is {} of some trials, {} of others", name_.name, used_, name)};
      return metric;
    }
    throw NotComparable{
        fmt::format("the predictions do not give {}: of another step, or changed since", value_)};
  }

  const TrialRecords& records_;
  const std::string value_;
  const ValueName name_;
  ItemMetrics known_metrics_;  // those that the value may be
  std::string used_;           // the one that it is
  std::optional<size_t> num_items_;
  std::map<std::string, std::vector<double>> known_;
};

/// Resampled differences, the mean over the seeds that both cells have; empty when there is none.
std::vector<double> differences(const Cell& cell, const Cell& baseline, Resamples& resamples) {
  std::vector<double> sum;
  double seeds = 0;
  for (const Sample& sample : cell.samples) {
    const bool paired = std::any_of(baseline.samples.begin(), baseline.samples.end(),
                                    [&](const Sample& other) { return other.seed == sample.seed; });
    if (!paired) continue;
    const std::vector<double> ours = resamples.of_seed(cell, sample.seed);
    const std::vector<double> theirs = resamples.of_seed(baseline, sample.seed);
    sum.resize(ours.size());
    for (size_t i = 0; i < sum.size(); ++i) sum[i] += ours[i] - theirs[i];
    ++seeds;
  }
  for (double& value : sum) value /= seeds;
  return sum;
}

/// Percentiles, and twice the share on the rarer side of zero, the observed difference counted with
/// them.
void take_bounds(Cell& cell, std::vector<double> apart) {
  std::sort(apart.begin(), apart.end());
  const auto at = [&](double share) {
    return apart[static_cast<size_t>(std::lround(share * static_cast<double>(apart.size() - 1)))];
  };
  cell.delta_interval = Interval{at((1 - kLevel) / 2), at((1 + kLevel) / 2)};
  const auto not_above = std::count_if(apart.begin(), apart.end(), [](double x) { return x <= 0; });
  const auto not_below = std::count_if(apart.begin(), apart.end(), [](double x) { return x >= 0; });
  cell.p = std::min(1.0, 2.0 * static_cast<double>(std::min(not_above, not_below) + 1) /
                             static_cast<double>(apart.size() + 1));
}

}  // namespace

double metric_on_all(const ItemLosses& items, const ItemMetric& metric) {
  Mean all;
  for (const Mean& part : parts_of(items, metric)) all.add(part);
  return metric.value(all.value());
}

ResampledMetric resample_items(const ItemLosses& items, const ItemMetric& metric) {
  const std::vector<Mean> parts = parts_of(items, metric);
  ResampledMetric result{metric_on_all(items, metric), {}};
  const uint64_t count = parts.size();
  uint64_t block = 0;
  for (int resample = 0; resample < kItemResamples; ++resample) {
    Mean drawn;
    PhiloxBlock random{};
    for (size_t i = 0; i < count; ++i) {
      if (i % 4 == 0) random = philox({count, kItemStream}, block++);
      drawn.add(parts[static_cast<size_t>((random.word[i % 4] * count) >> 32)]);
    }
    result.resampled.push_back(metric.value(drawn.value()));
  }
  return result;
}

void bootstrap_against_baseline(Table& table, const TrialRecords& records,
                                const ItemMetrics& metrics) {
  for (size_t column = 0; column < table.columns.size(); ++column) {
    if (table.columns[column].kind != CellKind::metric) continue;
    Resamples resamples(records, table.columns[column].value, metrics);
    for (size_t row = 0; row < table.rows.size(); ++row) {
      Cell& cell = table.cells[row][column];
      const std::optional<size_t> reference = table.baseline_of(row);
      if (!reference || !cell.value) continue;
      const Cell& baseline = table.cells[*reference][column];
      if (cell.of_survivors() || baseline.of_survivors()) continue;
      try {
        std::vector<double> apart = differences(cell, baseline, resamples);
        for (double& difference : apart) difference *= table.columns[column].scale;
        if (!apart.empty()) take_bounds(cell, std::move(apart));
      } catch (const NotComparable& problem) {
        cell.marks.push_back({MarkKind::not_comparable, problem.why});
      }
    }
  }
}

}  // namespace rethink
