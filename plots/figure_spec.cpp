#include <fmt/format.h>

#include "plots/figure.h"

namespace rethink {
namespace {

/// `axis`: where the x axis' axis goes; it must have one where `needs_axis`.
AxisSpec read_axis(const Yaml* given, Word* axis, bool needs_axis, Problems& problems) {
  AxisSpec spec;
  if (!given) return spec;
  SpecReader reader(*given, "figure's axis", problems);
  spec.label = reader.text("label");
  spec.logarithmic = reader.boolean("log", false);
  spec.least = reader.number("from");
  spec.most = reader.number("to");
  if (axis) *axis = reader.word("axis").value_or(Word{});
  if (needs_axis) reader.require("axis");
  reader.finish();
  return spec;
}

/// A series or a horizontal line: an axis, or a label with what selects its trials.
LineSpec read_series(const Yaml& given, Problems& problems) {
  SpecReader reader(given, "series", problems);
  LineSpec line = read_line_trials(reader);
  reader.finish();
  if (given.is_map() && line.axis.text.empty() == line.label.empty()) {
    problems.add(given.where, "a series has either an axis or a label");
  }
  return line;
}

std::vector<LineSpec> read_all_series(const Yaml* given, Problems& problems) {
  std::vector<LineSpec> all;
  if (!given) return all;
  if (given->is_map()) return {read_series(*given, problems)};
  if (!given->is_list() || given->items.empty())
    problems.add(given->where, "expected a list of series, such as [{axis: arm}]");
  for (const Yaml& item : given->items) all.push_back(read_series(item, problems));
  return all;
}

/// `paper: {SERIES: {X: value}}` and, for horizontal lines, `paper: {LINE: value}`.
void read_paper(const Yaml* given, FigureSpec& spec, Problems& problems) {
  if (!given) return;
  if (!given->is_map())
    problems.add(given->where, "paper: expected {SERIES: {X: value}, LINE: value}");
  for (const Yaml::Entry& series : given->entries) {
    if (series.value.is_map()) {
      for (const Yaml::Entry& point : series.value.entries) {
        const std::optional<PaperValue> value = parse_paper_value(point.value, problems);
        if (value)
          spec.points.paper.push_back(
              {{point.key, point.where}, {series.key, series.where}, *value});
      }
    } else if (const std::optional<PaperValue> value = parse_paper_value(series.value, problems)) {
      spec.lines.paper.push_back({{series.key, series.where}, {"value", series.where}, *value});
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

/// The same selection, metric and spread for both tables underneath.
void share_choices(FigureSpec& spec) {
  const TableSpec& points = spec.points;
  spec.lines.name = points.name;
  spec.lines.file = points.file;
  spec.lines.trials = points.trials;
  spec.lines.over = points.over;
  spec.lines.metric = points.metric;
  spec.lines.metric_at = points.metric_at;
  spec.lines.spread = points.spread;
  spec.lines.wanted_seeds = points.wanted_seeds;
  if (!spec.lines.rows.empty()) spec.lines.columns = {value_column(spec.lines.rows.front().at)};
}

/// The keys that only a figure of kind line has.
void check_curves(const Yaml& document, const FigureSpec& spec, Problems& problems) {
  for (const char* key : {"lines", "align", "paper"}) {
    if (const Yaml* given = document.find(key))
      problems.add(given->where, fmt::format("{} goes with a figure of kind line", key));
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

}  // namespace

FigureSpec read_figure_spec(const std::filesystem::path& file) {
  Problems problems;
  const Yaml document = read_yaml(file, problems);
  SpecReader reader(document, "figure", problems);
  FigureSpec spec;
  TableSpec& points = spec.points;
  points.file = file;
  points.name = reader.required_text("figure");
  points.title = reader.text("title");
  const size_t before = problems.size();
  spec.kind = reader.choice("kind", {"line", "curves", "heatmap"}, "line");
  if (spec.kind == "heatmap") {
    read_heatmap(reader, spec, problems);
    problems.throw_if_any();
    return spec;
  }
  const bool is_line = spec.kind == "line" && problems.size() == before;
  points.trials = read_selection(reader);
  points.over = reader.texts("over");
  if (const Yaml* metric = reader.take("metric")) {
    points.metric = parse_value_name(*metric, problems);
    points.metric_at = metric->where;
  }
  points.spread = reader.choice("spread", {"sd", "sem", "ci95"}, "sd");
  points.wanted_seeds = reader.integer("seeds", 1).value_or(points.wanted_seeds);
  spec.x = read_axis(reader.take("x"), &spec.x_axis, is_line, problems);
  spec.y = read_axis(reader.take("y"), nullptr, false, problems);
  const std::vector<LineSpec> series = read_all_series(reader.take("series"), problems);
  spec.lines.rows = read_all_series(reader.take("lines"), problems);
  read_paper(reader.take("paper"), spec, problems);
  spec.align_x = reader.number("align");
  spec.paper_label = reader.text("paper_label", spec.paper_label);
  spec.notes = reader.texts("notes");
  for (const char* key : {"sweep", "stage", "metric", "series"}) reader.require(key);
  if (is_line) reader.require("x");
  reader.finish();
  if (spec.kind == "curves") {
    check_curves(document, spec, problems);
  } else if (problems.empty()) {
    check_paper(document, spec, problems);
  }
  problems.throw_if_any();
  if (spec.x.label.empty()) spec.x.label = spec.kind == "curves" ? "step" : spec.x_axis.text;
  if (spec.y.label.empty()) spec.y.label = points.metric->text();
  points.words = {"figure", "x", "series", "x, series"};
  spec.lines.words = {"figure", "line", "value", "lines"};
  if (spec.kind == "curves") {
    points.words.keys = "series";
    spec.curve = *points.metric;
    points.rows = series;
    points.columns = {value_column(series.front().at)};
  } else {
    points.rows = {axis_rows(spec.x_axis)};
    points.columns = series;
    points.metric = final_value(*points.metric);
  }
  share_choices(spec);
  return spec;
}

std::vector<Word> sweeps_of(const FigureSpec& spec) {
  if (spec.kind != "heatmap") return sweeps_of({&spec.points, &spec.lines});
  return spec.points.rows.empty() ? std::vector<Word>() : sweeps_of(spec.points);
}

}  // namespace rethink
