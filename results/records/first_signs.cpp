#include "results/records/first_signs.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "core/error.h"
#include "results/database/statement.h"

namespace rethink {
namespace {

/// The loss of guessing bounds a loss, so a doubled loss is a sign. Norms grow without bound.
constexpr double kLossFactor = 2.0, kFactor = 10.0;

struct Point {
  std::string name;
  int64_t step;
  std::optional<double> value;
};

/// `loss` is the mean of several steps and `step_loss` the value of one; both belong to one curve.
std::string without_step(std::string name) {
  constexpr std::string_view kOfOneStep = "step_";
  return name.starts_with(kOfOneStep) ? name.substr(kOfOneStep.size()) : name;
}

double factor_of(const std::string& name) {
  return name.ends_with("loss") ? kLossFactor : kFactor;
}

/// `sorted` has at least one value.
double median_of(const std::vector<double>& sorted) {
  const size_t middle = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2.0;
}

std::optional<FirstSign> first_sign(const std::vector<Point>& points) {
  std::vector<double> before;   // sorted
  std::optional<int64_t> seen;  // the step of the point before
  for (const Point& point : points) {
    const std::optional<double> usual =
        before.empty() ? std::nullopt : std::optional(median_of(before));
    const bool is_far = point.value && usual > 0.0 && *point.value > factor_of(point.name) * *usual;
    if (!point.value || is_far)
      return FirstSign{.name = point.name,
                       .step = point.step,
                       .from = seen ? std::min(*seen + 1, point.step) : point.step,
                       .value = point.value,
                       .usual = usual};
    seen = point.step;
    before.insert(std::ranges::upper_bound(before, *point.value), *point.value);
  }
  return std::nullopt;
}

}  // namespace

std::vector<FirstSign> first_signs(Store& store, const std::string& trial) {
  SQLite::Statement rows = statement_of(
      store.database(),
      "SELECT m.name, m.step, m.value FROM metric m JOIN trial t ON t.id = m.trial WHERE m.trial = "
      "?1 AND (t.state = ?2 OR (SELECT a.outcome FROM attempt a WHERE a.trial = t.id ORDER BY "
      "a.number DESC LIMIT 1) = ?3) AND m.split = 'train' AND (m.name IN ('loss', "
      "'step_loss', "
      "'gradient_norm', 'step_gradient_norm', 'parameter_norm') OR m.name GLOB "
      "'attention_logit_*') ORDER BY m.step",
      trial, TrialState::diverged, AttemptOutcome::diverged);
  std::map<std::string, std::vector<Point>> series;
  while (rows.executeStep()) {
    const std::string name = rows.getColumn(0);
    const SQLite::Column value = rows.getColumn(2);
    series[without_step(name)].push_back(
        {name, rows.getColumn(1).getInt64(),
         value.isNull() ? std::nullopt : std::optional(value.getDouble())});
  }
  std::vector<FirstSign> signs;
  for (const auto& [name, points] : series) {
    if (std::optional<FirstSign> sign = first_sign(points)) signs.push_back(std::move(*sign));
  }
  std::ranges::stable_sort(signs, {}, &FirstSign::step);
  return signs;
}

std::string open_order(const std::vector<FirstSign>& signs) {
  std::vector<std::string> open;
  for (const FirstSign& sign : signs) {
    if (&sign == signs.data() || sign.from == sign.step || sign.from > signs.front().step) continue;
    open.push_back(
        fmt::format("train/{} (between steps {} and {})", sign.name, sign.from, sign.step));
  }
  return open.empty() ? "" : joined(open) + " may have come first";
}

}  // namespace rethink
