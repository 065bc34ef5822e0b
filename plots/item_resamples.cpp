#include "plots/item_resamples.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/philox.h"

namespace rethink {
namespace {

constexpr uint64_t kItemStream = 0x6974656d73;  // "items" in ASCII

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

bool is_of_labels(const ItemOutcomes& items, const ItemMetric& metric) {
  return metric.of_labels && !items.predicted.empty();
}

bool is_of_scores(const ItemOutcomes& items, const ItemMetric& metric) {
  return items.scores.contains(metric.own_score);
}

/// What each item adds to the mean that the metric is.
std::vector<Mean> parts_of(const ItemOutcomes& items, const ItemMetric& metric) {
  std::vector<Mean> parts;
  if (is_of_scores(items, metric)) {
    for (const double score : items.scores.at(metric.own_score)) parts.push_back({score, 1});
    return parts;
  }
  for (size_t i = 0; i < items.nll.size(); ++i) {
    const auto tokens = static_cast<double>(items.tokens[i]);
    Mean part;
    if (tokens > 0)
      part = metric.over_items ? Mean{items.nll[i] / tokens, 1} : Mean{items.nll[i], tokens};
    parts.push_back(part);
  }
  return parts;
}

/// Calls `take` with the place of each of `count` items that a resample draws.
void draw_items(uint64_t count, uint64_t resample, const auto& take) {
  const uint64_t first_block = resample * ((count + 3) / 4);
  PhiloxBlock random{};
  for (uint64_t i = 0; i < count; ++i) {
    if (i % 4 == 0) random = philox({count, kItemStream}, first_block + i / 4);
    take(static_cast<size_t>((random.word[i % 4] * count) >> 32));
  }
}

double metric_of_means(const std::vector<Mean>& parts, const ItemMetric& metric,
                       uint64_t resample) {
  Mean drawn;
  draw_items(parts.size(), resample, [&](size_t item) { drawn.add(parts[item]); });
  return metric.value(drawn.value());
}

double metric_of_labels(const ItemOutcomes& items, const ItemMetric& metric, uint64_t resample) {
  std::vector<double> predicted, expected;
  predicted.reserve(items.size());
  expected.reserve(items.size());
  draw_items(items.size(), resample, [&](size_t item) {
    predicted.push_back(items.predicted[item]);
    expected.push_back(items.expected[item]);
  });
  const double value = metric.of_labels(predicted, expected);
  return std::isnan(value) ? 0 : value;
}

}  // namespace

bool follows_from(const ItemOutcomes& items, const ItemMetric& metric) {
  return is_of_labels(items, metric) || is_of_scores(items, metric) ||
         (!metric.shown_as.empty() && !items.nll.empty());
}

double metric_on_all(const ItemOutcomes& items, const ItemMetric& metric) {
  if (is_of_labels(items, metric)) return metric.of_labels(items.predicted, items.expected);
  Mean all;
  for (const Mean& part : parts_of(items, metric)) all.add(part);
  return metric.value(all.value());
}

size_t resamples_for(size_t comparisons, double alpha) {
  const double wanted = std::ceil(4 * static_cast<double>(comparisons) / alpha);
  return std::max(kItemResamples, static_cast<size_t>(wanted));
}

ResampledMetric resample_items(const ItemOutcomes& items, const ItemMetric& metric,
                               size_t resamples) {
  ResampledMetric result{metric_on_all(items, metric), {}};
  const bool labels = is_of_labels(items, metric);
  const std::vector<Mean> parts = parts_of(items, metric);
  for (uint64_t resample = 0; resample < resamples; ++resample) {
    result.resampled.push_back(labels ? metric_of_labels(items, metric, resample)
                                      : metric_of_means(parts, metric, resample));
  }
  return result;
}

}  // namespace rethink
