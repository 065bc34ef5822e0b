#include "datasets/scores/classification.h"

#include <cmath>
#include <limits>
#include <map>

#include "core/error.h"

namespace rethink {
namespace {

void require_equal_sizes(std::span<const int64_t> predicted, std::span<const int64_t> truth) {
  RETHINK_ASSERT(predicted.size() == truth.size(),
                 std::to_string(predicted.size()) + " " + std::to_string(truth.size()));
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
  // Products of counts are whole numbers: zero is exact.
  const double spread = (all * all - squares_predicted) * (all * all - squares_true);
  return spread == 0 ? 0 : (right * all - both) / std::sqrt(spread);
}

}  // namespace rethink
