#include "plots/item_resamples.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "core/error.h"
#include "core/philox.h"

namespace rethink {
namespace {

constexpr uint64_t kItemStream = 0x6974656d73;  // "items" in ASCII

/// What each item adds to each of the sums that a metric is made of: [sums][items].
using Addends = std::vector<std::vector<double>>;

double mean_of(double sum, double weight) {
  return weight > 0 ? sum / weight : std::numeric_limits<double>::quiet_NaN();
}

/// Sums of four at a time in an order of their own, which no processor changes.
double product(const std::vector<double>& a, const std::vector<double>& b) {
  double sums[4] = {0, 0, 0, 0};
  size_t i = 0;
  for (; i + 4 <= a.size(); i += 4) {
    for (size_t lane = 0; lane < 4; ++lane) sums[lane] += a[i + lane] * b[i + lane];
  }
  for (; i < a.size(); ++i) sums[0] += a[i] * b[i];
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
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

/// Counts; of a mean the shares and their weights.
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

/// Of the items, each taken so many `times`.
double metric_of_sums(const ItemOutcomes& items, const ItemMetric& metric, const Addends& addends,
                      const std::vector<double>& times) {
  std::vector<double> sums;
  for (const std::vector<double>& one : addends) sums.push_back(product(times, one));
  if (!is_of_counts(items, metric)) return metric.value(mean_of(sums[0], sums[1]));
  ItemOutcomes::BleuCounts counts;
  for (size_t i = 0; i < counts.size(); ++i) counts[i] = std::llround(sums[i]);
  return metric.of_counts(counts, items.bleu_smoothed);
}

/// The places of the items that a resample draws.
void draw_items(uint64_t resample, std::vector<size_t>& places) {
  const uint64_t count = places.size(), first_block = resample * ((count + 3) / 4);
  PhiloxBlock random{};
  for (uint64_t i = 0; i < count; ++i) {
    if (i % 4 == 0) random = philox({count, kItemStream}, first_block + i / 4);
    places[i] = static_cast<size_t>((random.word[i % 4] * count) >> 32);
  }
}

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
  const std::vector<double> once(items.size(), 1);
  return metric_of_sums(items, metric, addends_of(items, metric), once);
}

size_t resamples_for(size_t comparisons, double alpha) {
  const double wanted = std::ceil(4 * static_cast<double>(comparisons) / alpha);
  return std::max(kItemResamples, static_cast<size_t>(wanted));
}

std::vector<ResampledMetric> resample_items(const std::vector<const ItemOutcomes*>& trials,
                                            const ItemMetric& metric, size_t resamples) {
  std::vector<ResampledMetric> results;
  std::vector<Addends> addends;
  for (const ItemOutcomes* items : trials) {
    RETHINK_ASSERT(items->size() == trials.front()->size(), std::to_string(items->size()));
    results.push_back({metric_on_all(*items, metric), {}});
    addends.push_back(is_of_labels(*items, metric) ? Addends() : addends_of(*items, metric));
  }
  std::vector<size_t> places(trials.front()->size());
  std::vector<double> times(places.size());
  for (uint64_t resample = 0; resample < resamples; ++resample) {
    draw_items(resample, places);
    std::ranges::fill(times, 0.0);
    for (const size_t item : places) ++times[item];
    for (size_t i = 0; i < trials.size(); ++i) {
      const bool labels = is_of_labels(*trials[i], metric);
      results[i].resampled.push_back(labels
                                         ? metric_of_labels(*trials[i], metric, places)
                                         : metric_of_sums(*trials[i], metric, addends[i], times));
    }
  }
  return results;
}

}  // namespace rethink
