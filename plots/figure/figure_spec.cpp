#include "plots/figure/figure_spec.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "plots/table/grid.h"

namespace rethink {
namespace {

/// What x is of, and the key that says so.
struct AxisSource {
  const char* key = "axis";
  bool needed = false;
  Word word;
};

/// `source`: none of the y axis.
AxisSpec read_axis(const Yaml* given, AxisSource* source, Problems& problems) {
  AxisSpec spec;
  if (!given) return spec;
  SpecReader reader(*given, "figure's axis", problems);
  spec.label = reader.text("label");
  spec.logarithmic = reader.boolean("log", false);
  spec.least = reader.number("from");
  spec.most = reader.number("to");
  if (spec.least && spec.most && *spec.least >= *spec.most) {
    problems.add(
        given->find("to")->where,
        fmt::format("to: got {:g}, expected more than from, {:g}", *spec.most, *spec.least));
  }
  if (source) source->word = reader.word(source->key).value_or(Word{});
  if (source && source->needed) reader.require(source->key);
  reader.finish();
  return spec;
}

/// A series of points, each of its own x: a label, and an axis where it has several points.
LineSpec read_scattered(const Yaml& given, Problems& problems) {
  SpecReader reader(given, "series", problems);
  LineSpec line = read_line_trials(reader);
  reader.require("label");
  reader.finish();
  return line;
}

/// Series or horizontal lines: each an axis, or a label with what selects its trials.
std::vector<LineSpec> read_all_series(SpecReader& reader, const std::string& key, bool scattered,
                                      Problems& problems) {
  std::vector<LineSpec> all;
  for (const Yaml* given : reader.maps(key, "[{axis: arm}]"))
    all.push_back(scattered ? read_scattered(*given, problems)
                            : read_plain_line(*given, "series", problems));
  return all;
}

/// `paper: {SERIES: {X: value}}` and, for horizontal lines, `paper: {LINE: value}`.
void read_paper_points(const Yaml* given, FigureSpec& spec, Problems& problems) {
  if (!given) return;
  if (!given->is_map())
    problems.add(given->where, "paper: expected {SERIES: {X: value}, LINE: value}");
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

LineSpec axis_rows(const Word& axis) {
  LineSpec line;
  line.at = axis.at;
  line.axis = axis;
  return line;
}

LineSpec value_column(const Position& at) {
  LineSpec line;
  line.at = at;
  line.label = "value";
  return line;
}

/// Columns of what y is, where it is no metric: as `columns` have it and, behind them, of the ends
/// of its bars.
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

/// The same selection, metric and spread for both tables underneath.
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

/// The place of the one series with that label; adds a problem for none and for several. `key` names
/// the series.
std::optional<size_t> series_named(const Word& name, const std::vector<LineSpec>& series,
                                   const std::string& key, Problems& problems) {
  std::vector<TableLine> lines;
  for (const LineSpec& line : series) lines.push_back({line.label, line.label});
  const std::vector<std::string> labels = line_labels(series);
  const std::string several = trouble_of_several(lines, name.written(), "series");
  const std::optional<size_t> found = find_line(lines, name.written());
  if (!several.empty()) {
    problems.add(name.at, fmt::format("{}: the figure {}", key, several));
  } else if (!found) {
    problems.add(name.at, fmt::format("{}: the figure has no series '{}'{}; it has: {}", key,
                                      name.text, did_you_mean(name.text, labels), joined(labels)));
  }
  return found;
}

/// Rows are points, of which a line of the spec makes one or, with an axis, several.
void make_scatter(FigureSpec& spec, const std::vector<LineSpec>& series, const Yaml& fact,
                  Problems& problems) {
  TableSpec& points = spec.points;
  spec.paper_points = std::move(points.paper);
  points.paper.clear();
  points.paper_apart = !spec.paper_points.empty();
  for (auto& [x, name, value] : spec.paper_points) {
    if (!parse_number(x.text))
      problems.add(x.at, fmt::format("paper: got '{}', expected a number, the point's x", x.text));
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

/// The keys that only a figure of kind line has.
void check_curves(const Yaml& document, const FigureSpec& spec, Problems& problems) {
  for (const char* key : {"lines", "align", "paper"}) {
    if (const Yaml* given = document.find(key))
      problems.add(given->where, fmt::format("{} goes with a figure of kind line", key));
  }
  const std::optional<ValueName>& metric = spec.points.metric;
  if (metric && parts_of(*metric).size() > 1) {
    problems.add(
        spec.points.metric_at,
        fmt::format("metric: got '{}', expected one split: curves are of one", metric->text()));
  }
  if (!spec.x_axis.text.empty())
    problems.add(spec.x_axis.at, "x.axis goes with a figure of kind line");
}

/// `align` meets a point of the paper, and what has one number is a line.
void check_paper(const Yaml& document, const FigureSpec& spec, Problems& problems) {
  if (spec.lines.rows.empty() && !spec.lines.paper.empty()) {
    const Word& name = spec.lines.paper.front().row;
    problems.add(name.at, fmt::format("paper: '{}' has one number, as a line has, but the figure "
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
  problems.add(given.where, fmt::format("align: got {}, expected an x of the paper's points; it "
                                        "has {}",
                                        given.scalar, known.empty() ? "none" : joined(known)));
}

/// Names of notes that no series has, where each has a label of its own.
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

bool is_scatter(const FigureSpec& spec) {
  return spec.kind == "scatter";
}

/// Every key of lines, scatter plots and curves; the series, which each kind lays out in its way.
std::vector<LineSpec> read_parts(SpecReader& reader, bool has_x, FigureSpec& spec,
                                 Problems& problems) {
  TableSpec& points = spec.points;
  read_trials(reader, points);
  read_values(reader, points, problems);
  spec.measurement = reader.word("measurement");
  spec.bars = reader.words("bars");
  AxisSource source{is_scatter(spec) ? "fact" : "axis", has_x, {}};
  spec.x = read_axis(reader.take("x"), &source, problems);
  spec.x_axis = source.word;
  spec.y = read_axis(reader.take("y"), nullptr, problems);
  std::vector<LineSpec> series = read_all_series(reader, "series", is_scatter(spec), problems);
  spec.lines.rows = read_all_series(reader, "lines", false, problems);
  read_paper_points(reader.take("paper"), spec, problems);
  spec.align_x = reader.number("align");
  spec.paper_label = reader.text("paper_label", spec.paper_label);
  spec.notes = read_notes(reader, {"series"}, problems);
  for (const char* key : {"sweep", "stage", "series"}) reader.require(key);
  if (has_x) reader.require("x");
  reader.finish();
  return series;
}

/// y is a metric or, of a figure of kind line, a measurement, which may have bars.
void check_y(const Yaml& document, const FigureSpec& spec, Problems& problems) {
  const Yaml* metric = document.find("metric");
  if (!spec.measurement && (!metric || metric->is_null()))
    problems.add(metric ? metric->where : document.where,
                 "a figure needs a metric: SPLIT/NAME, or a measurement: NAME");
  if (spec.measurement && (spec.points.metric || spec.kind != "line")) {
    problems.add(spec.measurement->at, spec.points.metric
                                           ? "y is a metric or a measurement, not both"
                                           : "measurement goes with a figure of kind line");
  }
  if (!spec.bars.empty() && (!spec.measurement || spec.bars.size() != 2)) {
    problems.add(spec.bars.front().at,
                 "bars: expected two measurements, [LOW, HIGH], beside a measurement");
  }
}

void check_parts(const Yaml& document, const FigureSpec& spec, Problems& problems) {
  check_y(document, spec, problems);
  if (is_scatter(spec) && spec.align_x)
    problems.add(document.find("align")->where, "align goes with a figure of kind line");
  if (spec.kind == "curves") {
    check_curves(document, spec, problems);
  } else if (problems.empty()) {
    check_paper(document, spec, problems);
  }
}

/// What the series are in the table of points: rows of curves, columns of lines.
void lay_out(const Yaml& document, const std::vector<LineSpec>& series, FigureSpec& spec,
             Problems& problems) {
  TableSpec& points = spec.points;
  points.words = {"figure", "x", "series", "x, series"};
  spec.lines.words = {"figure", "line", "value", "lines"};
  if (is_scatter(spec)) {
    make_scatter(spec, series, *document.find("x")->find("fact"), problems);
  } else if (spec.kind == "curves") {
    points.words.keys = "series";
    spec.curve = *points.metric;
    points.rows = series;
    points.columns = {value_column(series.front().at)};
  } else {
    points.rows = {axis_rows(spec.x_axis)};
    points.columns = measured_columns(series, spec);
    if (points.metric) points.metric = final_value(*points.metric);
  }
}

}  // namespace

FigureSpec read_figure_spec(const std::filesystem::path& file) {
  Problems problems;
  const Yaml document = read_yaml(file, problems);
  SpecReader reader(document, "figure", problems);
  FigureSpec spec;
  spec.points.file = file;
  spec.points.name = reader.name_of_spec("figure");
  spec.points.title = reader.text("title");
  const size_t before = problems.added();
  spec.kind = reader.choice(
      "kind", {"line", "scatter", "curves", "heatmap", "connections", "permutations"}, "line");
  if (spec.has_panels()) {
    if (spec.kind == "heatmap") read_heatmap(reader, spec, problems);
    if (spec.kind == "connections") read_connections(reader, spec, problems);
    if (spec.kind == "permutations") read_permutations(reader, spec, problems);
    problems.throw_if_any();
    return spec;
  }
  const bool has_x = spec.kind != "curves" && problems.added() == before;
  const std::vector<LineSpec> series = read_parts(reader, has_x, spec, problems);
  check_parts(document, spec, problems);
  check_notes(spec, series, problems);
  problems.throw_if_any();
  if (spec.x.label.empty()) spec.x.label = spec.kind == "curves" ? "step" : spec.x_axis.text;
  if (spec.y.label.empty())
    spec.y.label = spec.measurement ? spec.measurement->text : spec.points.metric->text();
  lay_out(document, series, spec, problems);
  problems.throw_if_any();
  share_choices(spec);
  return spec;
}

std::string FigureSpec::artifact() const {
  if (kind == "heatmap") return heatmap.artifact;
  return kind == "connections" ? connections.artifact : "";
}

std::vector<Word> sweeps_of(const FigureSpec& spec) {
  if (!spec.has_panels()) return sweeps_of({&spec.points, &spec.lines});
  return spec.points.rows.empty() ? std::vector<Word>() : sweeps_of(spec.points);
}

}  // namespace rethink
