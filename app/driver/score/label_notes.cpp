#include "app/driver/score/label_notes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/error.h"
#include "datasets/scores/labelled_metrics.h"

namespace rethink {
namespace {

std::string name_of_label(double label, const LabelledTask& task) {
  if (task.labels.empty()) return fmt::format("{}", label);
  const auto number = static_cast<size_t>(label);
  const std::string other =
      task.other_names.empty() ? "" : fmt::format(" ({})", task.other_names[number]);
  return "'" + task.labels[number] + "'" + other;
}

/// The value of the task's first metric if one side has only this class; "": the value does not depend on the class.
std::string score_of_one_class(double label, const LabelledTask& task, bool is_predicted) {
  const LabelledMetric& metric = find_labelled_metric(task.metrics.front());
  const std::string always = metric.of_one_class ? metric.of_one_class(label) : "";
  if (!always.empty() || !is_predicted) return always;
  return fmt::format("{} is then what guessing this class gives", metric.name);
}

}  // namespace

std::vector<Note> notes_on_constants(const LabelledTask& task, const NamedLabels& predicted,
                                     const NamedLabels& truth) {
  if (truth.labels.size() < 2) {
    if (!task.is_score()) return {};
    return {
        Note("one-example",
             fmt::format("{} has one example: a correlation is not defined below two, and is null",
                         truth.name))};
  }
  std::vector<Note> notes;
  const bool is_guess = is_constant(predicted.labels);
  const auto add = [&](const NamedLabels& side, const char* what, bool is_predicted) {
    if (!is_constant(side.labels)) return;
    const std::string worth =
        task.is_score()
            ? fmt::format("a correlation with a constant is not defined, and {}",
                          is_guess ? "counts as 0 for predictions that are all equal" : "is null")
            : score_of_one_class(side.labels.front(), task, is_predicted);
    if (worth.empty()) return;
    notes.push_back(Note("constant-labels",
                         fmt::format("{}: all {} {} are {}: {}", side.name, side.labels.size(),
                                     what, name_of_label(side.labels.front(), task), worth)));
  };
  add(predicted, "predictions", true);
  add(truth, task.is_score() ? "right scores" : "right labels", false);
  return notes;
}

namespace {

constexpr double kAboveChance = 0.05;  // what a model that learned nothing may gain on a small file
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

/// A metric for one reading of the numbers, and its value for a model that learned nothing.
struct LabelReading {
  LabelledMetric metric;
  double chance;

  double operator()(const Order& order, std::span<const double> predicted,
                    std::span<const double> truth) const {
    std::vector<double> meant;
    for (const double number : predicted)
      meant.push_back(static_cast<double>(order[static_cast<size_t>(number)]));
    return metric.value(meant, truth);
  }
  /// "33.3 % are right", "mcc is -0.333"
  std::string text(double value) const {
    return metric.is_share ? fmt::format("{:.1f} % are right", 100 * value)
                           : fmt::format("{} is {:.3f}", metric.name, value);
  }
  std::string conditional(double value) const {
    return metric.is_share ? fmt::format("{:.1f} % would be", 100 * value)
                           : fmt::format("{:.3f} would be", value);
  }
};

/// For every task, the share of right predictions comes last, since GLUE's own metrics say more if
/// classes are unbalanced.
std::vector<LabelReading> judges_of(const LabelledTask& task) {
  std::vector<LabelReading> judges;
  for (const std::string& name : task.metrics) {
    const LabelledMetric& metric = find_labelled_metric(name);
    if (!metric.is_share) judges.push_back({metric, 0});
  }
  for (const LabelledMetric& metric : labelled_metrics()) {
    if (metric.is_share) judges.push_back({metric, 1.0 / static_cast<double>(task.labels.size())});
  }
  return judges;
}

/// "" if no other order is clearly better, or if the order that was read is better than chance.
std::string other_order(const LabelledTask& task, std::span<const double> predicted,
                        std::span<const double> truth) {
  Order taken(task.labels.size());
  std::iota(taken.begin(), taken.end(), size_t{0});
  for (const LabelReading& judge : judges_of(task)) {
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

double share_equal(std::span<const double> predicted, std::span<const double> truth, double added) {
  size_t equal = 0;
  for (size_t i = 0; i < truth.size(); ++i) equal += predicted[i] + added == truth[i] ? 1 : 0;
  return static_cast<double>(equal) / static_cast<double>(truth.size());
}

std::vector<Note> notes_on_choices(const LabelledTask& task, std::span<const double> predicted,
                                   std::span<const double> truth) {
  const double found = share_equal(predicted, truth, 0);
  if (is_constant(predicted) || found > 1.0 / static_cast<double>(task.choices) + kAboveChance)
    return {};
  const double lower = share_equal(predicted, truth, -1), higher = share_equal(predicted, truth, 1);
  const std::string other =
      std::max(lower, higher) < found + kClearlyBetter
          ? ""
          : fmt::format("; {:.1f} % would be right with each number one {}",
                        100 * std::max(lower, higher), lower > higher ? "lower" : "higher");
  return {Note(
      "guessing",
      fmt::format("{:.1f} % are right, no more than chance; 0 was taken as the first ending, {} "
                  "as the last{}",
                  100 * found, task.choices - 1, other))};
}

/// A note that a score is exactly at chance, or 0, in every order of the numbers, so the
/// predictions may belong to other examples. "" if no score is.
std::string exactly_chance(const LabelledTask& task, std::span<const double> predicted,
                           std::span<const double> truth) {
  constexpr double kRounding = 1e-9;
  Order taken(task.labels.size());
  std::iota(taken.begin(), taken.end(), size_t{0});
  for (const LabelReading& judge : judges_of(task)) {
    const double found = judge(taken, predicted, truth);
    const bool is_exact = found == 0 || std::abs(found - judge.chance) <= kRounding;
    if (!is_exact) continue;
    return fmt::format(
        "{}, {}, and no other order of the numbers is clearly better; check that they are "
        "predictions of these examples, in this order",
        judge.text(found), found == 0 ? "exactly 0" : "exactly chance");
  }
  return "";
}

}  // namespace

std::vector<Note> notes_on_numbers(const LabelledTask& task, std::span<const double> predicted,
                                   std::span<const double> truth) {
  if (task.choices > 1) return notes_on_choices(task, predicted, truth);
  std::vector<Note> notes;
  if (task.other_names.empty()) {
    Order order(task.labels.size());
    std::iota(order.begin(), order.end(), size_t{0});
    notes.push_back(Note(
        "numbered-classes",
        fmt::format("numbers were taken as {}; names are accepted too", text_of(order, task))));
  }
  // With equal predictions, the most frequent class would always seem "better".
  if (task.labels.size() > kMostClasses || is_constant(predicted)) return notes;
  const std::string other = other_order(task, predicted, truth);
  const std::string chance =
      other.empty() && !is_constant(truth) ? exactly_chance(task, predicted, truth) : "";
  if (!other.empty()) notes.push_back(Note("other-order", other));
  if (!chance.empty()) notes.push_back(Note("guessing", chance));
  return notes;
}

}  // namespace rethink
