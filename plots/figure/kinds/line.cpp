// A metric, or a measurement, along an axis of a sweep.
#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "plots/figure/series_kind.h"

namespace rethink {
namespace {

LineSpec axis_rows(const Word& axis) {
  LineSpec line;
  line.at = axis.at;
  line.axis = axis;
  return line;
}

/// Bars by row and column of the table of the figure, if the spec has bars.
using Bars = std::vector<std::vector<std::optional<Interval>>>;

/// Moves the bars out of that table: its second third has their low ends, its last third their high
/// ends.
Bars take_bars(Table& table, const FigureSpec& spec) {
  Bars bars(table.rows.size());
  if (spec.bars.empty()) return bars;
  const size_t columns = table.columns.size() / 3;
  for (size_t row = 0; row < table.rows.size(); ++row) {
    std::vector<Cell>& cells = table.cells[row];
    for (size_t column = 0; column < columns; ++column) {
      const Cell &low = cells[columns + column], &high = cells[2 * columns + column];
      bars[row].push_back(low.value && high.value ? std::optional(Interval{*low.value, *high.value})
                                                  : std::nullopt);
    }
    cells.resize(columns);
  }
  table.columns.resize(columns);
  return bars;
}

/// The baseline of a cell: the same column in the row of an x, or the same row in a column.
struct Baseline {
  std::optional<size_t> row, column;

  bool is_there() const { return row || column; }
  /// Null for the baseline itself.
  const Cell* of(const Table& table, size_t r, size_t c) const {
    if (row == r || column == c) return nullptr;
    return &table.cells[row.value_or(r)][column.value_or(c)];
  }
};

/// Throws ConfigError if it is neither a series nor an x of the sweep.
Baseline find_baseline(const FigureSpec& spec, const Grid& grid, const Table& table) {
  Baseline found;
  if (!spec.baseline) return found;
  found.column = find_line(table.columns, spec.baseline->written());
  if (!found.column) found.row = find_line(table.rows, spec.baseline->written());
  if (!found.is_there() && !grid.narrowed()) {
    Problems().refuse(spec.baseline->at, "unknown-series",
                      fmt::format("baseline: got '{}', expected one of the series, {}, or an x, {}",
                                  spec.baseline->text, joined(line_labels(table.columns)),
                                  joined(line_labels(table.rows))));
  }
  return found;
}

/// The standard deviation of the differences over the common seeds, instead of the deviation over
/// seeds.
std::optional<double> paired_spread(const Cell& cell, const Cell& base, const std::string& spread) {
  MeasuredCell differences;
  for (const Sample& sample : cell.samples) {
    if (const std::optional<double> other = base.value_of(sample.seed))
      differences.samples.push_back({sample.seed, sample.value - *other});
  }
  summarize(differences, spread);
  return differences.spread;
}

/// A series for each column of the figure's table, ours or the paper's.
void add_columns(const FigureSpec& spec, const Table& table, const Bars& bars,
                 const Baseline& baseline, bool paper, Figure& figure) {
  for (size_t column = 0; column < table.columns.size(); ++column) {
    const std::string& label = table.columns[column].label;
    FigureSeries series{
        paper ? fmt::format("{} ({})", label, spec.paper_label) : label, paper, false, {}, column};
    for (size_t row = 0; row < table.rows.size(); ++row) {
      const Cell& cell = table.cells[row][column];
      const double x = x_of_row(spec, table.rows[row]);
      if (paper && cell.paper) series.points.push_back({x, cell.paper->value, std::nullopt, 1});
      const std::optional<FigurePoint> point = paper ? std::nullopt : point_of(cell, x);
      if (point) series.points.push_back(*point);
      if (point && !bars[row].empty()) series.points.back().bar = bars[row][column];
      if (!point || !baseline.is_there()) continue;
      const Cell* base = baseline.of(table, row, column);
      series.points.back().spread =
          base ? paired_spread(cell, *base, spec.points.spread) : std::nullopt;
    }
    sort_points(series);
    if (series.points.empty()) continue;
    const std::optional<CurveEnd> end = end_of(spec, table, column);
    if (!paper && end && end->x > series.points.back().x) series.points.back().label = end->limit;
    figure.series.push_back(std::move(series));
  }
}

/// The paper's value divided by ours at the crossing of the two axes, from the first series with a
/// point of both there.
std::optional<double> right_scale(const Figure& figure, double at) {
  std::optional<double> ours, theirs;
  for (const FigureSeries& series : figure.series) {
    for (const FigurePoint& point : series.points) {
      if (series.horizontal || point.x != at) continue;
      std::optional<double>& found = series.paper ? theirs : ours;
      if (!found) found = point.y;
    }
  }
  return ours && theirs && *ours != 0 && *theirs != 0 ? std::optional(*theirs / *ours)
                                                      : std::nullopt;
}

class LineFigure : public SeriesKind {
 public:
  void add(const FigureSpec& spec, const FigureSources& sources, Figure& figure,
           FigureFindings& findings) const override {
    Table points = make_table(spec.points, sources.grids.points, sources.records);
    const Bars bars = take_bars(points, spec);
    count_trials(points, figure);
    findings.take(points);
    const std::optional<Table> lines = lines_of(spec, sources, figure, findings);
    const Baseline baseline = find_baseline(spec, sources.grids.points, points);
    for (const bool paper : {false, true}) {
      add_columns(spec, points, bars, baseline, paper, figure);
      if (lines) add_lines(spec, *lines, points.columns.size(), paper, figure);
    }
    findings.take_ends(spec, points);
    if (spec.align_x) figure.right_scale = right_scale(figure, *spec.align_x);
  }

 protected:
  bool may_measure() const override { return true; }
  bool may_pair() const override { return true; }
  void lay_out(const Yaml& /*document*/, const std::vector<LineSpec>& series, FigureSpec& spec,
               Problems& /*problems*/) const override {
    TableSpec& points = spec.points;
    points.rows = {axis_rows(spec.x_axis)};
    points.columns = measured_columns(series, spec);
    if (points.metric) points.metric = final_value(*points.metric);
  }
};

RETHINK_REGISTERED = figure_kinds().add<NoFields>(
    {.name = "line", .summary = "a metric or a measurement along an axis of a sweep"},
    [](const NoFields&) { return std::make_shared<LineFigure>(); });

}  // namespace
}  // namespace rethink
