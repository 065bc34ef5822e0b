// The contents of a figure file (docs/figures.md): its kind, its axes, and the table whose cells
// are its points.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "plots/spec_reader.h"
#include "plots/table/table_spec.h"

namespace rethink {

struct AxisSpec {
  std::string label;  // with its unit in brackets
  bool logarithmic = false;
  std::optional<double> least, most;  // of the shown range
  double scale = 1;                   // factor from the trials' values to the axis
  std::optional<int64_t> decimals;    // decimals at the axis; none: as many as the numbers need
};

/// The form of a figure within a paper, which has its own caption.
struct PageSpec {
  bool has_title = true;
  /// Replaces the caption's sentences on trials, except those on missing or diverged trials.
  std::optional<std::string> caption = {};
  /// Width of the PDF and size of its letters; neither: PDF, SVG and PNG have sizes for a screen.
  std::optional<double> width_in = {}, font_pt = {};

  bool is_for_print() const { return width_in || font_pt; }
};

class FigureKind;  // plots/figure/figure_kind.h

struct FigureSpec {
  std::shared_ptr<const FigureKind> kind;
  /// line: rows are values of x, columns are series; curves: rows are series; scatter: rows are
  /// points, each line of the spec is a series, columns are y and x; others: panels.
  TableSpec points;
  TableSpec lines;  // line, scatter: rows are horizontal lines; no rows = no lines
  std::vector<PaperEntry> paper_points;  // scatter: x, series
  AxisSpec x, y;
  Word x_axis;                      // line: the sweep's axis
  ValueName curve;                  // curves: without "@"
  std::optional<Word> measurement;  // line: a measurement as y, instead of a metric
  std::vector<Word> bars;  // with a measurement: measurements at which its bars begin and end
  /// An x at which the right axis of the paper's points meets our value on the left axis.
  std::optional<double> align_x;
  /// line: an x, or a series; the bars of all other points are paired differences from it.
  std::optional<Word> baseline;
  std::string paper_label = "paper";
  PageSpec page;
  std::vector<NoteSpec> notes;

  const std::string& name() const { return points.name; }
};

/// Throws ConfigError with every problem and its position.
FigureSpec read_figure_spec(const std::filesystem::path& file,
                            const std::vector<std::filesystem::path>& paths = {});
/// Does the same for a document that was read from `file` with these problems.
FigureSpec read_figure_spec(const Yaml& document, const std::filesystem::path& file,
                            Problems& problems);
std::vector<Word> sweeps_of(const FigureSpec& spec);

}  // namespace rethink
