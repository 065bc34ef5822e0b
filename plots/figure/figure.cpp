#include "plots/figure/figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "plots/figure/figure_caption.h"
#include "plots/table/cell.h"
#include "plots/table/notes.h"

namespace rethink {
namespace {

std::optional<FigurePoint> point_of(const Cell& cell, double x) {
  if (!cell.value) return std::nullopt;
  return FigurePoint{x, *cell.value, cell.spread, cell.samples.size()};
}

void sort_points(FigureSeries& series) {
  std::sort(series.points.begin(), series.points.end(),
            [](const auto& a, const auto& b) { return a.x < b.x; });
}

/// Bars by row and column of the table underneath, where the spec has some.
using Bars = std::vector<std::vector<std::optional<Interval>>>;

/// Taken out of that table: their low ends are its second third, their high ends its last.
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

/// A series for each column of the table underneath, ours or the paper's.
void add_columns(Figure& figure, const FigureSpec& spec, const Table& table, const Bars& bars,
                 bool paper) {
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
    }
    sort_points(series);
    if (series.points.empty()) continue;
    const std::optional<CurveEnd> end = end_of(spec, table, column);
    if (!paper && end && end->x > series.points.back().x) series.points.back().label = end->limit;
    figure.series.push_back(std::move(series));
  }
}

/// The x of each row, taken out of the table underneath: its second column.
std::vector<std::optional<double>> take_x(Table& table) {
  std::vector<std::optional<double>> x;
  for (std::vector<Cell>& row : table.cells) {
    x.push_back(row.back().value);
    row.pop_back();
  }
  table.columns.pop_back();
  return x;
}

/// A series for each line of the spec, its points where ours lie, and one of the paper's points.
void add_scatter(Figure& figure, const FigureSpec& spec, const Grid& grid, const Table& table,
                 const std::vector<std::optional<double>>& x) {
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

/// A horizontal line for each row of `table`; `first` is the place of the first.
void add_lines(Figure& figure, const FigureSpec& spec, const Table& table, size_t first,
               bool paper) {
  for (size_t row = 0; row < table.rows.size(); ++row) {
    const Cell& cell = table.cells[row][0];
    const std::string& label = table.rows[row].label;
    FigureSeries series{paper ? fmt::format("{} ({})", label, spec.paper_label) : label,
                        paper,
                        true,
                        {},
                        first + row};
    if (paper && cell.paper) series.points.push_back({0, cell.paper->value, std::nullopt, 1});
    const std::optional<FigurePoint> point = paper ? std::nullopt : point_of(cell, 0);
    if (point) series.points.push_back(*point);
    if (!series.points.empty()) figure.series.push_back(std::move(series));
  }
}

/// The paper's value over ours where the two axes meet: of the first series of both that has a
/// point there.
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

void count_trials(Figure& figure, const Table& table) {
  if (figure.not_measured.empty()) figure.not_measured = not_measured_text(table, "points");
  if (figure.needs_data.empty()) figure.needs_data = needs_data_text(table, "points");
  figure.trials += table.num_trials();
  figure.missing += table.num_to_run();
  figure.needed.insert(table.needed.begin(), table.needed.end());
  for (const std::string& note : notes_on_failures(table)) figure.on_request.insert(note);
  for (const std::vector<Cell>& row : table.cells) {
    for (const Cell& cell : row) {
      figure.measured = figure.measured || cell.value;
      figure.diverged = figure.diverged || !cell.diverged.empty();
    }
  }
  for (const auto& [sweep, trials] : table.to_run) {
    std::set<std::string> all(figure.to_run[sweep].begin(), figure.to_run[sweep].end());
    all.insert(trials.begin(), trials.end());
    figure.to_run[sweep].assign(all.begin(), all.end());
    for (const std::string& id : all) figure.needed.erase(id);
  }
}

/// Values of one seed at the steps that all of its trials have, each the mean over the trials.
std::map<int64_t, double> curve_of_seed(const std::vector<std::string>& trials,
                                        const Curves& curves, double scale) {
  std::map<int64_t, std::vector<double>> by_step;
  for (const std::string& trial : trials) {
    for (const auto& [step, value] : curves.at(trial)) by_step[step].push_back(value * scale);
  }
  std::map<int64_t, double> curve;
  for (const auto& [step, values] : by_step) {
    if (values.size() == trials.size()) curve[step] = mean_of_trials(values);
  }
  return curve;
}

/// Mean over the seeds of a cell at each step that all of them have. A seed without all of its
/// trials is left out, as in a table.
FigureSeries mean_curve(const std::string& label, const Cell& cell, const Curves& curves,
                        const TableSpec& spec) {
  const auto seeds = whole_seeds(cell, [&](const std::string& trial) {
    const auto curve = curves.find(trial);
    return curve != curves.end() && !curve->second.empty();
  });
  std::map<int64_t, Cell> by_step;
  for (const auto& [seed, trials] : seeds) {
    for (const auto& [step, value] :
         curve_of_seed(trials, curves, scale_of(spec, CellKind::metric)))
      by_step[step].samples.push_back({seed, value});
  }
  FigureSeries series{label, false, false, {}, 0};
  for (auto& [step, samples] : by_step) {
    if (samples.samples.size() != seeds.size()) continue;
    summarize(samples, spec.spread);
    series.points.push_back(*point_of(samples, static_cast<double>(step)));
  }
  return series;
}

}  // namespace

bool Figure::empty() const {
  return panels.empty() && maps.empty() && permutations.empty() &&
         std::all_of(series.begin(), series.end(),
                     [](const FigureSeries& s) { return s.points.empty(); });
}

std::string Figure::why_empty() const {
  if (!not_measured.empty()) return not_measured;
  if (!not_drawn.empty()) return not_drawn;
  if (!needs_data.empty()) return needs_data;
  if (trials == 0) return "the profile or the options given leave out all of it";
  if (measured) return "there is no step at which all trials of a curve have a value";
  if (missing == trials) return "no trial is done yet";
  if (missing == 0) return "every trial diverged";
  return diverged ? "every seed that ended has diverged" : "no seed has all of its trials yet";
}

FigureGrids make_grids(const FigureSpec& spec, const Plans& plans, const CommandWords& again) {
  FigureGrids grids;
  if (!spec.points.rows.empty()) grids.points = make_grid(spec.points, plans, again);
  if (!spec.lines.rows.empty()) grids.lines = make_grid(spec.lines, plans, again);
  return grids;
}

Figure make_figure(const FigureSpec& spec, const FigureGrids& grids, const TrialRecords& records,
                   const Curves& curves, const ArtifactFiles& files) {
  Figure figure;
  figure.name = spec.name();
  figure.title = spec.points.title;
  figure.kind = spec.kind;
  figure.x = spec.x;
  figure.y = spec.y;
  Table points = make_table(spec.points, grids.points, records);
  const Bars bars = take_bars(points, spec);
  count_trials(figure, points);
  std::vector<std::optional<double>> x;
  if (spec.kind == "scatter") {
    x = take_x(points);
    for (size_t row = 0; row < points.rows.size(); ++row) {
      const LineSpec& line = *grids.points.rows[row].spec;
      if (!line.axis.text.empty())
        points.rows[row].label = line.label + " " + points.rows[row].label;
    }
  }
  FigureFindings findings;
  findings.take(points);
  if (spec.kind == "heatmap") {
    add_panels(figure, spec, grids, points, files);
  } else if (spec.kind == "connections") {
    add_connections(figure, spec, grids, points, files);
  } else if (spec.kind == "permutations") {
    add_permutations(figure, spec);
  } else if (spec.kind == "curves") {
    for (size_t row = 0; row < points.rows.size(); ++row) {
      FigureSeries series =
          mean_curve(points.rows[row].label, points.cells[row][0], curves, spec.points);
      series.place = row;
      if (!series.points.empty()) figure.series.push_back(std::move(series));
    }
  } else {
    std::optional<Table> lines;
    if (!spec.lines.rows.empty()) lines = make_table(spec.lines, grids.lines, records);
    if (lines) count_trials(figure, *lines), findings.take(*lines);
    const bool is_scatter = spec.kind == "scatter";
    if (is_scatter) add_scatter(figure, spec, grids.points, points, x);
    for (const bool paper : {false, true}) {
      if (!is_scatter) add_columns(figure, spec, points, bars, paper);
      const size_t before = is_scatter ? spec.points.rows.size() : points.columns.size();
      if (lines) add_lines(figure, spec, *lines, before, paper);
    }
    if (spec.kind == "line") findings.take_ends(spec, points);
    if (spec.align_x) figure.right_scale = right_scale(figure, *spec.align_x);
  }
  findings.write(figure, spec, grids.points);
  return figure;
}

}  // namespace rethink
