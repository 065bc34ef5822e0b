#include "app/driver/label_numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "core/error.h"

namespace rethink {
namespace {

constexpr double kAboveChance = 0.05;  // what a model that learned nothing may have on a small file
constexpr double kClearlyBetter = 0.1;
constexpr size_t kMostClasses = 6;  // 720 orders

/// Number i means the class order[i].
using Order = std::vector<size_t>;

std::string text_of(const Order& order, const LabelledTask& task) {
  std::vector<std::string> meanings;
  for (size_t number = 0; number < order.size(); ++number)
    meanings.push_back(fmt::format("{} = {}", number, task.labels[order[number]]));
  return joined(meanings);
}

/// How often a prediction of each number (row) met each true class (column).
std::vector<std::vector<size_t>> confusion(size_t classes, std::span<const double> predicted,
                                           std::span<const double> truth) {
  std::vector<std::vector<size_t>> counts(classes, std::vector<size_t>(classes));
  for (size_t i = 0; i < predicted.size(); ++i)
    ++counts[static_cast<size_t>(predicted[i])][static_cast<size_t>(truth[i])];
  return counts;
}

}  // namespace

std::vector<std::string> notes_on_numbers(const LabelledTask& task,
                                          std::span<const double> predicted,
                                          std::span<const double> truth) {
  const size_t classes = task.labels.size();
  Order order(classes);
  std::iota(order.begin(), order.end(), size_t{0});
  std::vector<std::string> notes = {
      fmt::format("numbers were taken as {}; names are taken too", text_of(order, task))};
  if (classes > kMostClasses) return notes;

  const auto counts = confusion(classes, predicted, truth);
  const auto accuracy = [&](const Order& meaning) {
    size_t right = 0;
    for (size_t number = 0; number < classes; ++number) right += counts[number][meaning[number]];
    return static_cast<double>(right) / static_cast<double>(predicted.size());
  };
  const double found = accuracy(order);
  Order best = order;
  while (std::next_permutation(order.begin(), order.end())) {
    if (accuracy(order) > accuracy(best)) best = order;
  }
  const bool is_chance = found <= 1.0 / static_cast<double>(classes) + kAboveChance;
  if (is_chance && accuracy(best) >= found + kClearlyBetter) {
    notes.push_back(
        fmt::format("{:.1f} % are right, no more than chance; {:.1f} % would be with {}. If the "
                    "model was trained with those numbers, write names instead",
                    100 * found, 100 * accuracy(best), text_of(best, task)));
  }
  return notes;
}

}  // namespace rethink
