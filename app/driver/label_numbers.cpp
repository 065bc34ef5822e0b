#include "app/driver/label_numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "core/error.h"
#include "datasets/scores/correlation.h"
#include "datasets/scores/labelled_metrics.h"

namespace rethink {
namespace {

constexpr double kAboveChance = 0.05;  // what a model that learned nothing may have on a small file
constexpr double kClearlyBetter = 0.1;
constexpr size_t kMostClasses = 6;  // 720 orders

/// Number i means the class order[i].
using Order = std::vector<size_t>;

std::string text_of(const Order& order, const LabelledTask& task) {
  const auto& names = task.other_names.empty() ? task.labels : task.other_names;
  std::vector<std::string> meanings;
  for (size_t number = 0; number < order.size(); ++number)
    meanings.push_back(fmt::format("{} = {}", number, names[order[number]]));
  return joined(meanings);
}

/// A metric of one reading of the numbers, and what a model that learned nothing has of it.
struct Judge {
  std::string metric;
  double chance;

  double operator()(const Order& order, std::span<const double> predicted,
                    std::span<const double> truth) const {
    std::vector<double> meant;
    for (const double number : predicted)
      meant.push_back(static_cast<double>(order[static_cast<size_t>(number)]));
    return labelled_metric(metric, meant, truth);
  }
  /// "33.3 % are right", "mcc is -0.333"
  std::string text(double value) const {
    return metric == "accuracy" ? fmt::format("{:.1f} % are right", 100 * value)
                                : fmt::format("{} is {:.3f}", metric, value);
  }
  std::string conditional(double value) const {
    return metric == "accuracy" ? fmt::format("{:.1f} % would be", 100 * value)
                                : fmt::format("{:.3f} would be", value);
  }
};

/// Accuracy is judged last: GLUE's metrics of a task say more where classes are not as frequent.
std::vector<Judge> judges_of(const LabelledTask& task) {
  std::vector<Judge> judges;
  for (const std::string& metric : task.metrics) {
    if (metric != "accuracy") judges.push_back({metric, 0});
  }
  judges.push_back({"accuracy", 1.0 / static_cast<double>(task.labels.size())});
  return judges;
}

/// "" where no other order is clearly better, or the one that was taken is better than chance.
std::string other_order(const LabelledTask& task, std::span<const double> predicted,
                        std::span<const double> truth) {
  Order taken(task.labels.size());
  std::iota(taken.begin(), taken.end(), size_t{0});
  for (const Judge& judge : judges_of(task)) {
    const double found = judge(taken, predicted, truth);
    if (found > judge.chance + kAboveChance) continue;
    Order order = taken, best = taken;
    double most = found;
    while (std::next_permutation(order.begin(), order.end())) {
      const double value = judge(order, predicted, truth);
      if (value > most) {
        most = value;
        best = order;
      }
    }
    if (most < found + kClearlyBetter) continue;
    return fmt::format(
        "{}, no more than chance; {} with {}. If the model was trained with those numbers, write "
        "names instead",
        judge.text(found), judge.conditional(most), text_of(best, task));
  }
  return "";
}

}  // namespace

std::vector<std::string> notes_on_numbers(const LabelledTask& task,
                                          std::span<const double> predicted,
                                          std::span<const double> truth) {
  std::vector<std::string> notes;
  if (task.other_names.empty()) {
    Order order(task.labels.size());
    std::iota(order.begin(), order.end(), size_t{0});
    notes.push_back(
        fmt::format("numbers were taken as {}; names are taken too", text_of(order, task)));
  }
  // Of equal predictions the most frequent class is "better", whatever was meant.
  if (task.labels.size() > kMostClasses || is_constant(predicted)) return notes;
  const std::string other = other_order(task, predicted, truth);
  if (!other.empty()) notes.push_back(other);
  return notes;
}

}  // namespace rethink
