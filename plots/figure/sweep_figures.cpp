#include "plots/figure/sweep_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "core/error.h"
#include "plots/spec_reader.h"
#include "plots/spec_text.h"
#include "plots/stage_layout.h"

namespace rethink {
namespace {

/// Letters and digits of a label, for the name of a figure and its files.
std::string file_word_of(const std::string& label) {
  std::string word;
  for (const char letter : label)
    word += std::isalnum(static_cast<unsigned char>(letter)) != 0 ? letter : '_';
  return word;
}

std::string series_text(const std::vector<LayoutLine>& lines) {
  std::string text = "series:\n";
  for (const LayoutLine& line : lines) {
    SpecEntries entries = {{"label", spec_word(line.label)}};
    if (!line.where.empty()) entries.emplace_back("where", spec_where(line.where));
    text += fmt::format("  - {}\n", spec_map(entries));
  }
  return text;
}

class SweepFigures {
 public:
  SweepFigures(const Plan& plan, const std::string& sweep, const StageLayout& layout)
      : plan_(plan), sweep_(sweep), layout_(layout) {}

  FigureText curves() const {
    return figure("curves", "curves", layout_.curve, all_lines_of(plan_, layout_));
  }

  /// One figure of all columns if they share a metric, else one figure per column.
  std::vector<FigureText> scores() const {
    const std::string& metric = layout_.scores.front()->metric;
    const bool is_one = std::ranges::all_of(
        layout_.scores, [&](const auto& score) { return score->metric == metric; });
    if (is_one) return {figure("scores", "bars", metric, all_lines_of(plan_, layout_))};
    std::vector<FigureText> figures;
    for (size_t i = 0; i < layout_.columns.size(); ++i) {
      const LayoutLine& column = layout_.columns[i];
      std::vector<LayoutLine> lines = layout_.rows;
      for (LayoutLine& line : lines)
        line.where.insert(line.where.end(), column.where.begin(), column.where.end());
      figures.push_back(
          figure("scores_" + file_word_of(column.label), "bars", layout_.scores[i]->metric, lines));
    }
    return figures;
  }

 private:
  FigureText figure(const std::string& what, const std::string& kind, const std::string& metric,
                    const std::vector<LayoutLine>& lines) const {
    if (lines.size() > kMostItems) {
      throw ConfigError(
          "too-many",
          fmt::format(
              "stage '{}' of sweep {} has {} combinations of its axes, and a figure has {} series "
              "at "
              "most: narrow them with --profile or --set, or write a figure (docs/tables.md)",
              layout_.stage, plan_.sweep, lines.size(), kMostItems));
    }
    const std::string name = fmt::format("{}/{}_{}", plan_.sweep, layout_.stage, what);
    std::string text =
        fmt::format("figure: {}\ntitle: {}\nkind: {}\nsweep: {}\nstage: {}\n", spec_word(name),
                    spec_word(fmt::format("{}: {}", plan_.sweep, metric)), kind, spec_word(sweep_),
                    spec_word(layout_.stage));
    text += fmt::format("metric: {}\n", spec_word(metric));
    if (!layout_.fixed.empty()) text += fmt::format("where: {}\n", spec_where(layout_.fixed));
    return {name, text + series_text(lines) + fmt::format("seeds: {}\n", layout_.seeds)};
  }

  const Plan& plan_;
  const std::string& sweep_;
  const StageLayout& layout_;
};

}  // namespace

std::vector<FigureText> figure_specs_of_sweep(const Plan& plan, const std::string& sweep,
                                              const std::string& stage, const Schema& schema) {
  const StageLayout layout = layout_of(plan, stage, schema);
  if (std::ranges::any_of(layout.scores, [](const auto& score) { return !score; })) {
    throw ConfigError(
        "no-score",
        fmt::format("stage '{}' of sweep {} has no score to draw: name another one with --stage, "
                    "or write a figure (docs/tables.md){}",
                    stage, plan.sweep, advice_on_score(plan, stage, schema)));
  }
  const SweepFigures figures(plan, sweep, layout);
  std::vector<FigureText> all = figures.scores();
  if (!layout.curve.empty()) all.insert(all.begin(), figures.curves());
  return all;
}

}  // namespace rethink
