#include "plots/table/sweep_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "plots/spec_reader.h"
#include "plots/spec_text.h"
#include "plots/stage_layout.h"

namespace rethink {
namespace {

constexpr int kFewDecimals = 2, kManyDecimals = 4;

/// Perplexities and scores in % are numbers above 1; losses and shares are not.
int decimals_of_score(const ReportedScore& score) {
  const bool is_large = score.least.value_or(0) >= 1 || score.most.value_or(0) > 1;
  return is_large ? kFewDecimals : kManyDecimals;
}

bool are_of_one_metric(const std::vector<std::optional<ReportedScore>>& scores) {
  return std::ranges::all_of(
      scores, [&](const auto& score) { return score->metric == scores.front()->metric; });
}

std::string row_text_of(const LayoutLine& row) {
  return spec_map({{"label", spec_word(row.label)}, {"where", spec_where(row.where)}});
}

std::string rows_text(const StageLayout& layout) {
  if (layout.has_row_axis())
    return "rows: " + spec_map({{"axis", spec_word(layout.row_axes.front())}}) + "\n";
  std::string text = "rows:\n";
  for (const LayoutLine& row : layout.rows) text += "  - " + row_text_of(row) + "\n";
  return text;
}

std::string column_text_of(const LayoutLine& column, const ReportedScore& score) {
  SpecEntries entries = {{"label", spec_word(fmt::format("{} {}", column.label, score.metric))},
                         {"where", spec_where(column.where)},
                         {"metric", spec_word(score.metric)},
                         {"decimals", fmt::format("{}", decimals_of_score(score))}};
  if (score.direction != Direction::unknown)
    entries.emplace_back("direction", to_text(score.direction));
  return spec_map(entries);
}

/// Columns of one metric are the values of an axis; columns of several metrics name their metric.
std::string columns_text(const StageLayout& layout) {
  if (layout.column_axis.empty()) return "";
  if (are_of_one_metric(layout.scores)) {
    SpecEntries entries = {{"axis", spec_word(layout.column_axis)}}, labels;
    for (const LayoutLine& column : layout.columns) {
      const std::string& value = column.where.front().second;
      if (column.label != value) labels.emplace_back(value, spec_word(column.label));
    }
    if (!labels.empty()) entries.emplace_back("labels", spec_map(labels));
    return "columns: " + spec_map(entries) + "\n";
  }
  std::string text = "columns:\n";
  for (size_t i = 0; i < layout.columns.size(); ++i)
    text += "  - " + column_text_of(layout.columns[i], *layout.scores[i]) + "\n";
  return text;
}

std::string title_text(const StageLayout& layout) {
  std::vector<std::string> axes = layout.row_axes;
  if (!layout.column_axis.empty()) axes.push_back(layout.column_axis);
  const std::string what =
      are_of_one_metric(layout.scores) ? layout.scores.front()->metric : "scores";
  if (axes.empty()) return what;
  const std::string last = axes.back();
  axes.pop_back();
  return fmt::format("{} by {}{}{}", what, joined(axes), axes.empty() ? "" : " and ", last);
}

}  // namespace

std::string name_of_sweep_table(const Plan& plan, const std::string& stage) {
  return plan.sweep + "/" + stage;
}

std::string table_spec_of_sweep(const Plan& plan, const std::string& sweep,
                                const std::string& stage, const Schema& schema) {
  const StageLayout layout = layout_of(plan, stage, schema);
  if (std::ranges::any_of(layout.scores, [](const auto& score) { return !score; })) {
    throw ConfigError(
        "no-score",
        fmt::format(
            "stage '{}' of sweep {} has no score to show: name another one with --stage, or "
            "write a table with the metrics, measurements or facts that it must show "
            "(docs/tables.md){}",
            stage, plan.sweep, advice_on_score(plan, stage, schema)));
  }
  if (!layout.has_row_axis() && layout.rows.size() > kMostItems) {
    throw ConfigError(
        "too-many",
        fmt::format(
            "stage '{}' of sweep {} has {} combinations of {}, and a table has {} rows at most: "
            "narrow them with --profile or --set, or write a table with `over` or `where` "
            "(docs/tables.md)",
            stage, plan.sweep, layout.rows.size(), joined(layout.row_axes), kMostItems));
  }
  const ReportedScore& score = *layout.scores.front();
  std::string text =
      "# Every key is in docs/tables.md: tests against a baseline, labels, a paper's numbers, "
      "other "
      "metrics.\n";
  text += fmt::format("table: {}\n", spec_word(name_of_sweep_table(plan, stage)));
  text += fmt::format("title: {}\n", spec_word(title_text(layout)));
  text += fmt::format("sweep: {}\n", spec_word(sweep));
  text += fmt::format("stage: {}\n", spec_word(stage));
  text += fmt::format("metric: {}\n", spec_word(score.metric));
  if (!layout.fixed.empty()) text += fmt::format("where: {}\n", spec_where(layout.fixed));
  text += rows_text(layout) + columns_text(layout);
  if (score.direction != Direction::unknown)
    text += fmt::format("direction: {}\n", to_text(score.direction));
  text += fmt::format("decimals: {}\n", decimals_of_score(score));
  return text + fmt::format("seeds: {}\n", layout.seeds);
}

}  // namespace rethink
