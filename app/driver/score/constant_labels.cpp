#include "app/driver/score/constant_labels.h"

#include <fmt/format.h>

#include <algorithm>

#include "datasets/scores/correlation.h"

namespace rethink {
namespace {

std::string name_of_label(double label, const LabelledTask& task) {
  if (task.labels.empty()) return fmt::format("{}", label);
  const auto number = static_cast<size_t>(label);
  const std::string other =
      task.other_names.empty() ? "" : fmt::format(" ({})", task.other_names[number]);
  return "'" + task.labels[number] + "'" + other;
}

/// What the task's first metric is worth where one side has this class alone; "": what it always is.
std::string worth_of_class(double label, const LabelledTask& task, bool is_predicted) {
  const std::string& metric = task.metrics.front();
  if (metric == "mcc") return "mcc is then 0, as chance is";
  if (metric == "f1" && label != 1) return "f1 is then 0: it looks for class 1";
  if (!is_predicted) return "";
  return fmt::format("{} is then what guessing this class gives", metric);
}

}  // namespace

std::vector<std::string> notes_on_constants(const LabelledTask& task, const NamedLabels& predicted,
                                            const NamedLabels& truth) {
  if (truth.labels.size() < 2) {
    if (!task.is_score()) return {};
    return {fmt::format("{} has one example: a correlation is not defined below two, and is null",
                        truth.name)};
  }
  std::vector<std::string> notes;
  const bool is_guess = is_constant(predicted.labels);
  const auto add = [&](const NamedLabels& side, const char* what, bool is_predicted) {
    if (!is_constant(side.labels)) return;
    const std::string worth =
        task.is_score()
            ? fmt::format("a correlation with a constant is not defined, and {}",
                          is_guess ? "counts as 0 for predictions that are all equal" : "is null")
            : worth_of_class(side.labels.front(), task, is_predicted);
    if (worth.empty()) return;
    notes.push_back(fmt::format("{}: all {} {} are {}: {}", side.name, side.labels.size(), what,
                                name_of_label(side.labels.front(), task), worth));
  };
  add(predicted, "predictions", true);
  add(truth, task.is_score() ? "right scores" : "right labels", false);
  return notes;
}

}  // namespace rethink
