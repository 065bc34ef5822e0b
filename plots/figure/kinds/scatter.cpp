// A metric along a fact of an artifact: each point has its own x.
#include <fmt/format.h>

#include "core/error.h"
#include "plots/figure/series_kind.h"

namespace rethink {
namespace {

/// Rows are points. A line of the spec makes one point or, with an axis, several.
void make_scatter(FigureSpec& spec, const std::vector<LineSpec>& series, const Yaml& fact,
                  Problems& problems) {
  TableSpec& points = spec.points;
  spec.paper_points = std::move(points.paper);
  points.paper.clear();
  points.paper_apart = !spec.paper_points.empty();
  for (auto& [x, name, value] : spec.paper_points) {
    if (!parse_number(x.text))
      problems.add(x.at, "invalid-value",
                   fmt::format("paper: got '{}', expected a number, the point's x", x.text));
    if (const auto found = series_named(name, series, "paper", problems))
      name.text = series[*found].label;
  }
  LineSpec x;
  x.at = x.value_at = fact.where;
  x.label = "x";
  x.kind = CellKind::fact;
  x.value = parse_value_name(fact, problems);
  points.rows = series;
  points.columns = {value_column(series.front().at), x};
  points.metric = final_value(*points.metric);
  points.words = {"figure", "point", "value", "series"};
}

/// The x of each row, moved out of the second column of the figure's table.
std::vector<std::optional<double>> take_x(Table& table) {
  std::vector<std::optional<double>> x;
  for (std::vector<Cell>& row : table.cells) {
    x.push_back(row.back().value);
    row.pop_back();
  }
  table.columns.pop_back();
  return x;
}

/// A series for each line of the spec, at the position of our points, and a series of the paper's
/// points.
void add_scatter(const FigureSpec& spec, const Grid& grid, const Table& table,
                 const std::vector<std::optional<double>>& x, Figure& figure) {
  const std::vector<LineSpec>& lines = spec.points.rows;
  std::vector<FigureSeries> ours, papers;
  for (size_t place = 0; place < lines.size(); ++place) {
    ours.push_back({lines[place].label, false, false, {}, place});
    papers.push_back(
        {fmt::format("{} ({})", lines[place].label, spec.paper_label), true, false, {}, place});
    for (const auto& [at, name, value] : spec.paper_points) {
      if (name.text == lines[place].label)
        papers[place].points.push_back({*parse_number(at.text), value.value, std::nullopt, 1});
    }
  }
  for (size_t row = 0; row < table.rows.size(); ++row) {
    const auto place = static_cast<size_t>(grid.rows[row].spec - lines.data());
    if (!x[row]) continue;
    std::optional<FigurePoint> point = point_of(table.cells[row][0], *x[row]);
    if (!point) continue;
    if (!lines[place].labels.empty()) point->label = grid.rows[row].label;
    ours[place].points.push_back(std::move(*point));
  }
  for (std::vector<FigureSeries>* all : {&ours, &papers}) {
    for (FigureSeries& series : *all) {
      sort_points(series);
      if (!series.points.empty()) figure.series.push_back(std::move(series));
    }
  }
}

/// A series of points with their own x: a label, and an axis for several points.
class ScatterFigure : public SeriesKind {
 public:
  void add(const FigureSpec& spec, const FigureSources& sources, Figure& figure,
           FigureFindings& findings) const override {
    figure.look = SeriesLook::points;
    const Grid& grid = sources.grids.points;
    Table points = make_table(spec.points, grid, sources.records);
    count_trials(points, figure);
    const std::vector<std::optional<double>> x = take_x(points);
    for (size_t row = 0; row < points.rows.size(); ++row) {
      const LineSpec& line = *grid.rows[row].spec;
      if (!line.axis.text.empty())
        points.rows[row].label = line.label + " " + points.rows[row].label;
    }
    findings.take(points);
    const std::optional<Table> lines = lines_of(spec, sources, figure, findings);
    add_scatter(spec, grid, points, x, figure);
    for (const bool paper : {false, true}) {
      if (lines) add_lines(spec, *lines, spec.points.rows.size(), paper, figure);
    }
  }

 protected:
  const char* x_key() const override { return "fact"; }
  LineSpec read_one_series(const Yaml& given, Problems& problems) const override {
    SpecReader reader(given, "series", problems);
    LineSpec line = read_line_trials(reader);
    reader.require("label");
    reader.finish();
    return line;
  }
  void check(const Yaml& document, const FigureSpec& spec, Problems& problems) const override {
    if (spec.align_x)
      problems.add(document.find("align")->where, "misplaced-key",
                   "align goes with a figure of kind line");
    SeriesKind::check(document, spec, problems);
  }
  void lay_out(const Yaml& document, const std::vector<LineSpec>& series, FigureSpec& spec,
               Problems& problems) const override {
    make_scatter(spec, series, *document.find("x")->find("fact"), problems);
  }
};

RETHINK_REGISTERED = figure_kinds().add<NoFields>(
    {.name = "scatter", .summary = "a metric along a fact of an artifact"},
    [](const NoFields&) { return std::make_shared<ScatterFigure>(); });

}  // namespace
}  // namespace rethink
