#include "datasets/scores/correlation.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>

#include "core/error.h"

namespace rethink {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

bool has_nan(std::span<const double> values) {
  return std::any_of(values.begin(), values.end(), [](double value) { return std::isnan(value); });
}

/// Values less their mean, of length 1: so that neither squares of large nor of small ones are
/// lost.
std::vector<double> normalized(std::span<const double> values) {
  const double mean =
      std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
  double largest = 0;
  for (const double value : values) largest = std::max(largest, std::abs(value - mean));
  std::vector<double> centred;
  centred.reserve(values.size());
  double squares = 0;
  for (const double value : values) {
    centred.push_back((value - mean) / largest);
    squares += centred.back() * centred.back();
  }
  const double length = std::sqrt(squares);
  for (double& value : centred) value /= length;
  return centred;
}

}  // namespace

bool is_constant(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(),
                     [&](double value) { return value == values[0]; });
}

double pearson_correlation(std::span<const double> predicted, std::span<const double> truth) {
  RETHINK_ASSERT(predicted.size() == truth.size(),
                 std::to_string(predicted.size()) + " " + std::to_string(truth.size()));
  if (truth.size() < 2 || has_nan(predicted) || has_nan(truth) || is_constant(predicted) ||
      is_constant(truth)) {
    return kNan;
  }
  const std::vector<double> a = normalized(predicted), b = normalized(truth);
  return std::clamp(std::inner_product(a.begin(), a.end(), b.begin(), 0.0), -1.0, 1.0);
}

std::vector<double> average_ranks(std::span<const double> values) {
  std::vector<size_t> order(values.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return values[a] < values[b]; });
  std::vector<double> ranks(values.size());
  for (size_t begin = 0; begin < order.size();) {
    size_t end = begin;
    while (end < order.size() && values[order[end]] == values[order[begin]]) ++end;
    const double mean = (static_cast<double>(begin + 1) + static_cast<double>(end)) / 2;
    for (size_t i = begin; i < end; ++i) ranks[order[i]] = mean;
    begin = end;
  }
  return ranks;
}

double spearman_correlation(std::span<const double> predicted, std::span<const double> truth) {
  if (has_nan(predicted) || has_nan(truth)) return kNan;
  return pearson_correlation(average_ranks(predicted), average_ranks(truth));
}

}  // namespace rethink
