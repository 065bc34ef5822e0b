#include "datasets/scores/labelled_metrics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "core/error.h"

namespace rethink {
namespace {

void require_equal_sizes(std::span<const int64_t> predicted, std::span<const int64_t> truth) {
  RETHINK_ASSERT(predicted.size() == truth.size(),
                 std::to_string(predicted.size()) + " " + std::to_string(truth.size()));
}

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

bool has_nan(std::span<const double> values) {
  return std::any_of(values.begin(), values.end(), [](double value) { return std::isnan(value); });
}

/// Values minus their mean, scaled to length 1, so that squares of large or small values are not
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

double accuracy(std::span<const int64_t> predicted, std::span<const int64_t> truth) {
  require_equal_sizes(predicted, truth);
  if (truth.empty()) return std::numeric_limits<double>::quiet_NaN();
  size_t right = 0;
  for (size_t i = 0; i < truth.size(); ++i) right += predicted[i] == truth[i];
  return static_cast<double>(right) / static_cast<double>(truth.size());
}

double f1_of_class_1(std::span<const int64_t> predicted, std::span<const int64_t> truth) {
  require_equal_sizes(predicted, truth);
  size_t both = 0, of_either = 0;
  for (size_t i = 0; i < truth.size(); ++i) {
    both += predicted[i] == 1 && truth[i] == 1;
    of_either += (predicted[i] == 1) + (truth[i] == 1);
  }
  return of_either == 0 ? 0 : 2 * static_cast<double>(both) / static_cast<double>(of_either);
}

double matthews_correlation(std::span<const int64_t> predicted, std::span<const int64_t> truth) {
  require_equal_sizes(predicted, truth);
  std::map<int64_t, double> times_predicted, times_true;
  double right = 0;
  for (size_t i = 0; i < truth.size(); ++i) {
    ++times_predicted[predicted[i]];
    ++times_true[truth[i]];
    right += predicted[i] == truth[i];
  }
  const auto all = static_cast<double>(truth.size());
  double both = 0, squares_predicted = 0, squares_true = 0;
  for (const auto& [label, count] : times_predicted) {
    squares_predicted += count * count;
    const auto found = times_true.find(label);
    if (found != times_true.end()) both += count * found->second;
  }
  for (const auto& [label, count] : times_true) squares_true += count * count;
  // Products of counts are whole numbers, so the comparison with zero is exact.
  const double spread = (all * all - squares_predicted) * (all * all - squares_true);
  return spread == 0 ? 0 : (right * all - both) / std::sqrt(spread);
}

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

namespace {

using Numbers = std::span<const double>;

template <double (*metric)(std::span<const int64_t>, std::span<const int64_t>)>
double of_classes(Numbers predicted, Numbers truth) {
  const std::vector<int64_t> a(predicted.begin(), predicted.end()), b(truth.begin(), truth.end());
  return metric(a, b);
}

/// Equal predictions give 0, as in Matthews' correlation, although the quotient by their deviation
/// would be NaN.
template <double (*metric)(Numbers, Numbers)>
double of_scores(Numbers predicted, Numbers truth) {
  const bool are_equal =
      predicted.size() > 1 && std::isfinite(predicted.front()) && is_constant(predicted);
  return are_equal ? 0.0 : metric(predicted, truth);
}

std::string f1_of_one_class(double label) {
  return label == 1 ? "" : "f1 is then 0: it looks for class 1";
}

std::string mcc_of_one_class(double) {
  return "mcc is then 0, as chance is";
}

}  // namespace

const std::vector<LabelledMetric>& labelled_metrics() {
  static const std::vector<LabelledMetric> metrics = {
      {"accuracy", "share of right predictions (GLUE: MNLI, QNLI, RTE, SST-2, WNLI; SWAG)",
       of_classes<accuracy>, 0, true},
      {"f1", "F1 of class 1 (GLUE: MRPC, QQP); of tagged words that of entities",
       of_classes<f1_of_class_1>, 0, false, f1_of_one_class},
      {"mcc", "Matthews' correlation coefficient (GLUE: CoLA)", of_classes<matthews_correlation>,
       -1, false, mcc_of_one_class},
      {"pearson", "Pearson correlation (GLUE: STS-B)", of_scores<pearson_correlation>, -1},
      {"spearman", "Spearman rank correlation (GLUE: STS-B, as SparseBERT reports it)",
       of_scores<spearman_correlation>, -1}};
  return metrics;
}

const LabelledMetric& find_labelled_metric(const std::string& name) {
  const auto found = std::ranges::find(labelled_metrics(), name, &LabelledMetric::name);
  RETHINK_ASSERT(found != labelled_metrics().end(), name);
  return *found;
}

double labelled_metric(const std::string& name, Numbers predicted, Numbers truth) {
  return find_labelled_metric(name).value(predicted, truth);
}

}  // namespace rethink
