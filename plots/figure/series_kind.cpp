#include "plots/figure/series_kind.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "plots/table/lines/grid.h"

namespace rethink {
namespace {

/// The source of x, and the key that gives it.
struct AxisSource {
  const char* key = "axis";
  bool needed = false;
  Word word;
};

/// `source`: none for the y axis.
AxisSpec read_axis(const Yaml* given, AxisSource* source, Problems& problems) {
  AxisSpec spec;
  if (!given) return spec;
  SpecReader reader(*given, "figure's axis", problems);
  spec.label = reader.text("label");
  spec.logarithmic = reader.boolean("log", false);
  spec.least = reader.number("from");
  spec.most = reader.number("to");
  spec.scale = read_scale(reader);
  spec.decimals = reader.integer("decimals", 0);
  if (spec.least && spec.most && *spec.least >= *spec.most) {
    problems.add(
        given->find("to")->where, "invalid-range",
        fmt::format("to: got {:g}, expected more than from, {:g}", *spec.most, *spec.least));
  }
  if (source) source->word = reader.word(source->key).value_or(Word{});
  if (source && source->needed) reader.require(source->key);
  reader.finish();
  return spec;
}

/// `paper: {SERIES: {X: value}}` and, for horizontal lines, `paper: {LINE: value}`.
void read_paper_points(const Yaml* given, FigureSpec& spec, Problems& problems) {
  if (!given) return;
  if (!given->is_map())
    problems.add(given->where, "invalid-value",
                 "paper: expected {SERIES: {X: value}, LINE: value}");
  for (const Yaml::Entry& series : given->entries) {
    if (series.value.is_map()) {
      for (const Yaml::Entry& point : series.value.entries) {
        const std::optional<PaperValue> value = parse_paper_value(point.value, problems);
        if (value) spec.points.paper.push_back({word_of_key(point), word_of_key(series), *value});
      }
    } else if (const std::optional<PaperValue> value = parse_paper_value(series.value, problems)) {
      spec.lines.paper.push_back({word_of_key(series), {"value", series.where}, *value});
    }
  }
}

}  // namespace

LineSpec value_column(const Position& at) {
  LineSpec line;
  line.at = at;
  line.label = "value";
  return line;
}

std::vector<LineSpec> measured_columns(const std::vector<LineSpec>& columns,
                                       const FigureSpec& spec) {
  if (!spec.measurement) return columns;
  std::vector<Word> names = {*spec.measurement};
  names.insert(names.end(), spec.bars.begin(), spec.bars.end());
  std::vector<LineSpec> all;
  for (const Word& name : names) {
    for (LineSpec column : columns) {
      column.kind = CellKind::measurement;
      column.value = ValueName{"", name.text};
      column.value_at = name.at;
      all.push_back(std::move(column));
    }
  }
  return all;
}

namespace {

/// Gives both tables of the figure the same selection, metric and spread.
void share_choices(FigureSpec& spec) {
  const TableSpec& points = spec.points;
  spec.lines.name = points.name;
  spec.lines.file = points.file;
  spec.lines.trials = points.trials;
  spec.lines.over = points.over;
  spec.lines.metric = points.metric;
  spec.lines.metric_at = points.metric_at;
  spec.lines.percent = points.percent;
  spec.lines.spread = points.spread;
  spec.lines.wanted_seeds = points.wanted_seeds;
  spec.lines.differ = points.differ;
  if (spec.lines.rows.empty()) return;
  spec.lines.columns = measured_columns({value_column(spec.lines.rows.front().at)}, spec);
}

}  // namespace

std::optional<size_t> series_named(const Word& name, const std::vector<LineSpec>& series,
                                   const std::string& key, Problems& problems) {
  std::vector<TableLine> lines;
  for (const LineSpec& line : series) lines.push_back({line.label, line.label});
  const std::vector<std::string> labels = line_labels(series);
  const std::string several = trouble_of_several(lines, name.written(), "series");
  const std::optional<size_t> found = find_line(lines, name.written());
  if (!several.empty()) {
    problems.add(name.at, "ambiguous-name", fmt::format("{}: the figure {}", key, several));
  } else if (!found) {
    problems.add(name.at, "unknown-series",
                 fmt::format("{}: the figure has no series '{}'{}; it has: {}", key, name.text,
                             did_you_mean(name.text, labels), joined(labels)));
  }
  return found;
}

void check_paper(const Yaml& document, const FigureSpec& spec, Problems& problems) {
  if (spec.lines.rows.empty() && !spec.lines.paper.empty()) {
    const Word& name = spec.lines.paper.front().row;
    problems.add(name.at, "conflicting-values",
                 fmt::format("paper: '{}' has one number, as a line has, but the figure "
                             "has no lines; write {{X: number}} for a series",
                             name.text));
  }
  if (!spec.align_x) return;
  std::vector<std::string> known;
  for (const PaperEntry& entry : spec.points.paper) {
    if (parse_number(entry.row.text) == spec.align_x) return;
    known.push_back(entry.row.text);
  }
  const Yaml& given = *document.find("align");
  problems.add(given.where, "invalid-value",
               fmt::format("align: got {}, expected an x of the paper's points; it "
                           "has {}",
                           given.scalar, known.empty() ? "none" : joined(known)));
}

namespace {

/// Refuses notes that name an unknown series, if each series has its own label.
void check_notes(FigureSpec& spec, const std::vector<LineSpec>& series, Problems& problems) {
  if (std::ranges::any_of(series, [](const LineSpec& line) { return line.label.empty(); })) return;
  for (NoteSpec& note : spec.notes) {
    for (auto& [key, names] : note.lines) {
      for (Word& name : names) {
        if (const auto found = series_named(name, series, "notes", problems))
          name.text = series[*found].label;
      }
    }
  }
}

}  // namespace

LineSpec SeriesKind::read_one_series(const Yaml& given, Problems& problems) const {
  return read_plain_line(given, "series", problems);
}

void SeriesKind::check(const Yaml& document, const FigureSpec& spec, Problems& problems) const {
  if (problems.empty()) check_paper(document, spec, problems);
}

void SeriesKind::read(const Yaml& document, SpecReader& reader, bool is_named, FigureSpec& spec,
                      Problems& problems) {
  const std::vector<LineSpec> series = read_parts(reader, needs_x() && is_named, spec, problems);
  check_y(document, spec, problems);
  check(document, spec, problems);
  check_notes(spec, series, problems);
  problems.throw_if_any();
  if (spec.x.label.empty()) spec.x.label = usual_x_label(spec);
  if (spec.y.label.empty())
    spec.y.label = spec.measurement ? spec.measurement->text : spec.points.metric->text();
  spec.points.words = {"figure", "x", "series", "x, series"};
  spec.lines.words = {"figure", "line", "value", "lines"};
  lay_out(document, series, spec, problems);
  problems.throw_if_any();
  share_choices(spec);
}

/// Reads every key; returns the series, which each kind arranges in its own way.
std::vector<LineSpec> SeriesKind::read_parts(SpecReader& reader, bool has_x, FigureSpec& spec,
                                             Problems& problems) const {
  TableSpec& points = spec.points;
  read_trials(reader, points);
  read_values(reader, points, problems);
  spec.measurement = reader.word("measurement");
  spec.bars = reader.words("bars");
  AxisSource source{x_key(), has_x, {}};
  spec.x = read_axis(reader.take("x"), &source, problems);
  spec.x_axis = source.word;
  spec.y = read_axis(reader.take("y"), nullptr, problems);
  std::vector<LineSpec> series;
  for (const Yaml* given : reader.maps("series", "[{axis: arm}]"))
    series.push_back(read_one_series(*given, problems));
  for (const Yaml* given : reader.maps("lines", "[{axis: arm}]"))
    spec.lines.rows.push_back(read_plain_line(*given, "series", problems));
  read_paper_points(reader.take("paper"), spec, problems);
  spec.align_x = reader.number("align");
  spec.baseline = reader.word("baseline");
  spec.paper_label = reader.text("paper_label", spec.paper_label);
  spec.notes = read_notes(reader, {"series"}, problems);
  for (const char* key : {"sweep", "stage", "series"}) reader.require(key);
  if (has_x) reader.require("x");
  reader.finish();
  return series;
}

/// y is a metric or, in a figure of kind line, a measurement; both may have bars.
void SeriesKind::check_y(const Yaml& document, const FigureSpec& spec, Problems& problems) const {
  const Yaml* metric = document.find("metric");
  if (!spec.measurement && (!metric || metric->is_null()))
    problems.add(metric ? metric->where : document.where, "missing-key",
                 "a figure needs a metric: SPLIT/NAME, or a measurement: NAME");
  if (spec.measurement && (spec.points.metric || !may_measure())) {
    problems.add(spec.measurement->at, "conflicting-keys",
                 spec.points.metric ? "y is a metric or a measurement, not both"
                                    : "measurement goes with a figure of kind line");
  }
  if (spec.baseline && (!may_pair() || spec.measurement)) {
    problems.add(spec.baseline->at, "misplaced-key",
                 "baseline goes with a metric of a figure of kind line");
  }
  if (!spec.bars.empty() && (!spec.measurement || spec.bars.size() != 2)) {
    problems.add(spec.bars.front().at, "invalid-value",
                 "bars: expected two measurements, [LOW, HIGH], beside a measurement");
  }
}

std::optional<FigurePoint> point_of(const MeasuredCell& cell, double x) {
  if (!cell.value) return std::nullopt;
  return FigurePoint{x, *cell.value, cell.spread, cell.samples.size()};
}

void sort_points(FigureSeries& series) {
  std::sort(series.points.begin(), series.points.end(),
            [](const auto& a, const auto& b) { return a.x < b.x; });
}

std::optional<Table> lines_of(const FigureSpec& spec, const FigureSources& sources, Figure& figure,
                              FigureFindings& findings) {
  if (spec.lines.rows.empty()) return std::nullopt;
  Table lines = make_table(spec.lines, sources.grids.lines, sources.records);
  count_trials(lines, figure);
  findings.take(lines);
  return lines;
}

void add_lines(const FigureSpec& spec, const Table& table, size_t first, bool paper,
               Figure& figure) {
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

}  // namespace rethink
