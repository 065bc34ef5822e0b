#include "plots/figure/figure_caption.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "plots/figure/figure_kind.h"
#include "plots/table/cells/cell.h"
#include "plots/table/notes.h"

namespace rethink {
namespace {

/// "BERT", the name of a series, or "x = 1".
std::string baseline_text(const Figure& figure, const FigureSpec& spec) {
  const bool is_series = std::ranges::any_of(figure.series, [&](const FigureSeries& series) {
    return series.label == spec.baseline->text;
  });
  return (is_series ? "" : "x = ") + spec.baseline->text;
}

/// "mean ± standard deviation over 2 to 3 seeds": the meaning of our points.
std::string points_text(const Figure& figure, const FigureSpec& spec) {
  size_t least = 0, most = 0;
  bool has_spread = false;
  for (const FigureSeries& series : figure.series) {
    for (const FigurePoint& point : series.points) {
      if (series.paper) continue;
      least = least == 0 ? point.n : std::min(least, point.n);
      most = std::max(most, point.n);
      has_spread = has_spread || point.spread.has_value();
    }
  }
  const bool is_planned = figure.trials > 0 || !figure.needs_data.empty();
  if (most == 0 && !is_planned) return "nothing of ours is planned here";
  if (most == 0) return "nothing of ours has run";
  if (most == 1) return "one seed";
  const std::string spread = spread_text(spec.points.spread),
                    seeds = fmt::format("{}{} seeds",
                                        least < most ? fmt::format("{} to ", least) : "", most);
  if (has_spread && spec.baseline) {
    return fmt::format("mean over {}; bars: {} of the difference to {} of the same seed", seeds,
                       spread, baseline_text(figure, spec));
  }
  return fmt::format("mean{} over {}", has_spread ? " ± " + spread : "", seeds);
}

/// Advice if no curve has more than one point, for instance since the training is shorter than its
/// metric's interval; "" if a curve has more.
std::string one_point_text(const Figure& figure, const FigureSpec& spec) {
  const bool has_one = std::ranges::all_of(
      figure.series, [](const FigureSeries& series) { return series.points.size() == 1; });
  if (figure.look != SeriesLook::curves || figure.series.empty() || !has_one) return "";
  return fmt::format(
      "each curve has one point: {} was recorded at one step only; built-in trainings record it "
      "more "
      "often with a smaller {}",
      spec.curve.text(), spec.curve.split == "train" ? "log_every" : "evaluate.every");
}

/// "memory limit": a limit at which the trials of a cell were meant to end without a number; else
/// "".
std::string limit_of(const Cell& cell) {
  for (const MarkKind kind : {MarkKind::memory_limit, MarkKind::time_limit}) {
    if (cell.has(kind)) return to_text(kind);
  }
  return "";
}

/// A note that names series applies if one of them has points of ours.
bool is_about_series(const NoteSpec& note, const Figure& figure) {
  const auto named = note.lines.find("series");
  return named == note.lines.end() ||
         std::ranges::any_of(figure.series, [&](const FigureSeries& series) {
           const auto is_it = [&](const Word& name) { return name.text == series.label; };
           return !series.paper && std::ranges::any_of(named->second, is_it);
         });
}

}  // namespace

double x_of_row(const FigureSpec& spec, const TableLine& row) {
  const std::optional<double> number = parse_number(row.key);
  if (!number) {
    Problems().refuse(
        spec.x_axis.at, "invalid-value",
        fmt::format("'{}' of axis {} is not a number, so it has no position on the x axis", row.key,
                    spec.x_axis.text));
  }
  return *number;
}

std::optional<CurveEnd> end_of(const FigureSpec& spec, const Table& table, size_t column) {
  std::optional<CurveEnd> end;
  for (size_t row = 0; row < table.rows.size(); ++row) {
    const std::string limit = limit_of(table.cells[row][column]);
    if (limit.empty()) continue;
    const double x = x_of_row(spec, table.rows[row]);
    if (!end || x < end->x) end = CurveEnd{x, limit};
  }
  return end;
}

void FigureFindings::take(const Table& table) {
  take_fewer_seeds(table);
  for (const std::vector<Cell>& row : table.cells) {
    for (const Cell& cell : row) take_marks(cell);
  }
}

/// "0.5 (2 of 6 seeds)": every cell with a diverged seed, and every cell with only some of its
/// seeds.
void FigureFindings::take_fewer_seeds(const Table& table) {
  for (size_t row = 0; row < table.rows.size(); ++row) {
    for (size_t column = 0; column < table.columns.size(); ++column) {
      const Cell& cell = table.cells[row][column];
      const std::string place =
          table.columns.size() > 1 ? " of " + table.columns[column].label : "";
      const auto text = [&](size_t seeds, size_t all) {
        return fmt::format("{}{} ({} of {} seeds)", table.rows[row].label, place, seeds, all);
      };
      if (!cell.diverged().empty())
        diverged_.push_back(text(cell.diverged().size(), cell.planned()));
      if (cell.is_partial()) partial_.push_back(text(cell.samples.size(), cell.awaited()));
    }
  }
}

/// Takes the other marks of a cell: not the ones for missing or diverged values.
void FigureFindings::take_marks(const Cell& cell) {
  if (!cell.value) return;
  ++cells_;
  std::set<MarkKind> kinds;
  for (const Mark& mark : cell.marks) {
    if (mark.kind <= MarkKind::diverged) continue;
    notes_[mark.kind].texts.insert(footnote_text(mark));
    if (kinds.insert(mark.kind).second) ++notes_[mark.kind].cells;
  }
}

void FigureFindings::take_ends(const FigureSpec& spec, const Table& table) {
  for (size_t column = 0; column < table.columns.size(); ++column) {
    const std::optional<CurveEnd> end = end_of(spec, table, column);
    if (!end) continue;
    ends_.push_back(
        fmt::format("{} from {:g} on ({})", table.columns[column].label, end->x, end->limit));
  }
}

/// One line for each kind of mark; `what` names the marked objects: "points".
std::vector<std::string> FigureFindings::lines_of_marks(const char* what) const {
  std::vector<std::string> lines;
  for (const auto& [kind, note] : notes_) {
    std::string text = *note.texts.begin();
    if (note.texts.size() > 1) text += fmt::format(", and {} more", note.texts.size() - 1);
    if (note.cells < cells_) text += fmt::format(" ({} of {} {})", note.cells, cells_, what);
    lines.push_back(std::move(text));
  }
  return lines;
}

void FigureFindings::write(Figure& figure, const FigureSpec& spec, const Grid& grid) const {
  check_profiles(spec.notes, grid);
  const std::string choices = choices_text(grid.profile, grid.settings);
  if (!spec.kind->has_panels()) {
    figure.caption.push_back(choices + "; " + points_text(figure, spec));
  } else if (!spec.points.rows.empty()) {
    figure.caption.push_back(choices);
  }
  if (figure.missing > 0) {
    figure.caption.push_back("NOT COMPLETE: " +
                             not_done_text(figure.missing, figure.trials, figure.needed.size()));
  }
  if (!figure.needs_data.empty()) figure.caption.push_back("NOT COMPLETE: " + figure.needs_data);
  if (!figure.not_measured.empty())
    figure.caption.push_back("NOT COMPLETE: " + figure.not_measured);
  if (!diverged_.empty()) {
    figure.caption.push_back(
        fmt::format("DIVERGED, and so left out of what is drawn: {}", joined(diverged_)));
  }
  if (!partial_.empty())
    figure.caption.push_back("NOT ALL SEEDS yet, so these may change: " + joined(partial_));
  if (const std::string text = one_point_text(figure, spec); !text.empty())
    figure.caption.push_back(text);
  if (!ends_.empty())
    figure.caption.push_back("not measured, beyond a limit: " + joined(ends_, "; "));
  for (std::string& line : lines_of_marks(spec.kind->parts()))
    figure.caption.push_back(std::move(line));
  if (figure.right_scale) {
    figure.caption.push_back(fmt::format(
        "right axis: the paper's numbers, at the same relative scale; both axes meet at x = {}",
        *spec.align_x));
  }
  for (const NoteSpec& note : spec.notes) {
    if (applies_to_profile(note, grid.profile) && is_about_series(note, figure))
      figure.caption.push_back(note.text);
  }
}

}  // namespace rethink
