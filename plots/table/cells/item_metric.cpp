#include "plots/table/cells/item_metric.h"

#include <algorithm>
#include <cmath>
#include <future>
#include <limits>
#include <numeric>
#include <string>
#include <thread>

#include "core/config/schema.h"
#include "core/error.h"
#include "core/facts/metric_facts.h"
#include "datasets/scores/bleu.h"
#include "datasets/scores/labelled_metrics.h"
#include "results/statistics/statistics.h"

namespace rethink {

double ItemMetric::value(double mean) const {
  if (shown_as == "exp") return std::exp(mean);
  return shown_as == "bits" ? mean / std::log(2.0) : mean;
}

ItemMetrics item_metrics(const Schema& schema) {
  ItemMetrics metrics;
  for (const std::string& name : schema.names("metric")) {
    const auto& facts = schema.find("metric", name)->facts.as<MetricFacts>();
    const std::optional<MetricItems>& items = facts.items;
    if (items && !items->mean_over.empty())
      metrics[name] = {items->mean_over == "items", items->shown_as};
    if (items && !items->sums_of.empty()) metrics[name].of_counts = bleu_of_counts;
    // Questions also have an F1, the mean of each answer's F1.
    if (facts.kind == "labels" || facts.kind == "answers") metrics[name].own_score = name;
    if (facts.kind == "labels") metrics[name].of_labels = find_labelled_metric(name).value;
  }
  return metrics;
}

namespace {

constexpr uint64_t kItemStream = 0x6974656d73;  // "items" in ASCII
// Resamples; with fewer per thread, another thread does not pay.
constexpr size_t kLeastOfAThread = 500;

/// The contribution of each item to each of the sums of a metric: [sums][items].
using Addends = std::vector<std::vector<double>>;

double weighted_mean(double sum, double weight) {
  return weight > 0 ? sum / weight : std::numeric_limits<double>::quiet_NaN();
}

#if defined(__GNUC__) && !defined(__clang__)
#define RETHINK_WIDE_REGISTERS [[gnu::optimize("O3")]]
#else
#define RETHINK_WIDE_REGISTERS
#endif

/// Returns the inner product of `a` and `b`. It adds many products at once, in an order that is the
/// same on every processor. Nearly all of a table's time is spent here, and GCC 12 uses wide
/// registers only at -O3.
RETHINK_WIDE_REGISTERS double product(const std::vector<double>& a, const std::vector<double>& b) {
  constexpr size_t kLanes = 16;
  double sums[kLanes] = {};
  const size_t whole = a.size() / kLanes * kLanes;
  const double *of_a = a.data(), *of_b = b.data();
  for (size_t i = 0; i < whole; i += kLanes) {
    for (size_t lane = 0; lane < kLanes; ++lane) sums[lane] += of_a[i + lane] * of_b[i + lane];
  }
  double sum = 0;
  for (const double lane : sums) sum += lane;
  for (size_t i = whole; i < a.size(); ++i) sum += of_a[i] * of_b[i];
  return sum;
}

bool is_of_labels(const ItemOutcomes& items, const ItemMetric& metric) {
  return metric.of_labels && !items.predicted.empty();
}

bool is_of_scores(const ItemOutcomes& items, const ItemMetric& metric) {
  return items.scores.contains(metric.own_score);
}

bool is_of_counts(const ItemOutcomes& items, const ItemMetric& metric) {
  return metric.of_counts && !items.bleu_counts.empty();
}

Addends counts_of(const ItemOutcomes& items) {
  Addends counts(ItemOutcomes::BleuCounts().size());
  for (const ItemOutcomes::BleuCounts& own : items.bleu_counts) {
    for (size_t i = 0; i < own.size(); ++i) counts[i].push_back(static_cast<double>(own[i]));
  }
  return counts;
}

/// Counts; for a mean, the values and their weights.
Addends addends_of(const ItemOutcomes& items, const ItemMetric& metric) {
  if (is_of_counts(items, metric)) return counts_of(items);
  if (is_of_scores(items, metric)) {
    const std::vector<double>& scores = items.scores.at(metric.own_score);
    return {scores, std::vector<double>(scores.size(), 1)};
  }
  Addends mean(2);
  const auto add = [&](double share, double weight) {
    mean[0].push_back(share);
    mean[1].push_back(weight);
  };
  for (size_t i = 0; i < items.nll.size(); ++i) {
    const auto tokens = static_cast<double>(items.tokens[i]);
    if (tokens <= 0)
      add(0, 0);
    else if (metric.over_items)
      add(items.nll[i] / tokens, 1);
    else
      add(items.nll[i], tokens);
  }
  return mean;
}

double metric_of_sums(const ItemOutcomes& items, const ItemMetric& metric,
                      const std::vector<double>& sums) {
  if (!is_of_counts(items, metric)) return metric.value(weighted_mean(sums[0], sums[1]));
  ItemOutcomes::BleuCounts counts;
  for (size_t i = 0; i < counts.size(); ++i) counts[i] = std::llround(sums[i]);
  return metric.of_counts(counts, items.bleu_smoothed);
}

/// The addends of several trials; equal addends, such as numbers of tokens, are summed once.
class SharedAddends {
 public:
  void add(const Addends& of_trial) {
    std::vector<size_t>& places = places_.emplace_back();
    for (const std::vector<double>& one : of_trial) {
      const auto known = std::ranges::find(distinct_, one);
      places.push_back(static_cast<size_t>(known - distinct_.begin()));
      if (known == distinct_.end()) distinct_.push_back(one);
    }
  }

  /// The sums of all trials, with each item counted `times` times.
  std::vector<double> sums(const std::vector<double>& times) const {
    std::vector<double> sums;
    for (const std::vector<double>& one : distinct_) sums.push_back(product(times, one));
    return sums;
  }

  /// The entries of `sums` that belong to a trial.
  std::vector<double> of_trial(size_t trial, const std::vector<double>& sums) const {
    std::vector<double> own;
    for (const size_t place : places_[trial]) own.push_back(sums[place]);
    return own;
  }

 private:
  std::vector<std::vector<double>> distinct_;
  std::vector<std::vector<size_t>> places_;
};

double metric_of_labels(const ItemOutcomes& items, const ItemMetric& metric,
                        const std::vector<size_t>& places) {
  std::vector<double> predicted, expected;
  predicted.reserve(places.size());
  expected.reserve(places.size());
  for (const size_t item : places) {
    predicted.push_back(items.predicted[item]);
    expected.push_back(items.expected[item]);
  }
  const double value = metric.of_labels(predicted, expected);
  return std::isnan(value) ? 0 : value;
}

}  // namespace

bool follows_from(const ItemOutcomes& items, const ItemMetric& metric) {
  return is_of_labels(items, metric) || is_of_scores(items, metric) ||
         is_of_counts(items, metric) || (!metric.shown_as.empty() && !items.nll.empty());
}

double metric_on_all(const ItemOutcomes& items, const ItemMetric& metric) {
  if (is_of_labels(items, metric)) return metric.of_labels(items.predicted, items.expected);
  std::vector<double> sums;
  for (const std::vector<double>& one : addends_of(items, metric))
    sums.push_back(std::accumulate(one.begin(), one.end(), 0.0));
  return metric_of_sums(items, metric, sums);
}

size_t resamples_for(size_t comparisons, double alpha) {
  const double wanted = std::ceil(2 * kBeyondThreshold * static_cast<double>(comparisons) / alpha);
  return std::max(kItemResamples, static_cast<size_t>(wanted));
}

std::vector<Resampled> resample_items(const std::vector<const ItemOutcomes*>& trials,
                                      const ItemMetric& metric, size_t resamples) {
  std::vector<Resampled> results(trials.size(), Resampled(resamples));
  SharedAddends addends;
  for (const ItemOutcomes* items : trials) {
    RETHINK_ASSERT(items->size() == trials.front()->size(), std::to_string(items->size()));
    addends.add(is_of_labels(*items, metric) ? Addends() : addends_of(*items, metric));
  }
  const auto take = [&](size_t begin, size_t end) {
    std::vector<size_t> places(trials.front()->size());
    std::vector<double> times(places.size());
    for (size_t resample = begin; resample < end; ++resample) {
      draw_places({places.size(), kItemStream}, resample, places);
      std::ranges::fill(times, 0.0);
      for (const size_t item : places) ++times[item];
      const std::vector<double> sums = addends.sums(times);
      for (size_t i = 0; i < trials.size(); ++i) {
        results[i][resample] = is_of_labels(*trials[i], metric)
                                   ? metric_of_labels(*trials[i], metric, places)
                                   : metric_of_sums(*trials[i], metric, addends.of_trial(i, sums));
      }
    }
  };
  const size_t cores = std::max(1U, std::thread::hardware_concurrency()),
               part = std::max(kLeastOfAThread, (resamples + cores - 1) / cores);
  std::vector<std::future<void>> others;
  for (size_t begin = part; begin < resamples; begin += part)
    others.push_back(
        std::async(std::launch::async, take, begin, std::min(begin + part, resamples)));
  take(0, std::min(part, resamples));
  for (std::future<void>& other : others) other.get();
  return results;
}

}  // namespace rethink
