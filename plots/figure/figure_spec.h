// What a figure file says (docs/figures.md): its kind, its axes, and the table underneath, whose cells
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
  std::optional<double> least, most;  // of what is shown
  double scale = 1;                   // of what trials have, as the axis shows it
  std::optional<int64_t> decimals;    // of the numbers at the axis; none: as many as they need
};

/// How a figure fits into a paper, which has a caption of its own.
struct PageSpec {
  bool has_title = true;
  /// Replaces the caption's sentences on trials, except those on missing or diverged trials.
  std::optional<std::string> caption = {};
  /// Of the PDF and of its letters; neither: PDF, SVG and PNG have sizes for a screen.
  std::optional<double> width_in = {}, font_pt = {};

  bool is_for_print() const { return width_in || font_pt; }
};

class FigureKind;  // plots/figure/figure_kind.h

struct FigureSpec {
  std::shared_ptr<const FigureKind> kind;
  /// line: rows are values of x, columns are series; curves: rows are series; scatter: rows are
  /// points, each line of the spec a series of them; columns are y and x; the others: panels
  TableSpec points;
  TableSpec lines;                       // line, scatter: rows are horizontal lines; no rows = none
  std::vector<PaperEntry> paper_points;  // scatter: x, series
  AxisSpec x, y;
  Word x_axis;                      // line: the sweep's axis
  ValueName curve;                  // curves: without "@"
  std::optional<Word> measurement;  // line: what y is, instead of a metric
  std::vector<Word> bars;           // of it: measurements where its bars begin and end
  /// The paper's points get a right axis that meets the left one at our value there.
  std::optional<double> align_x;
  /// line: an x, or a series, from which the bars of all other points are paired differences
  std::optional<Word> baseline;
  std::string paper_label = "paper";
  PageSpec page;
  std::vector<NoteSpec> notes;

  const std::string& name() const { return points.name; }
};

/// Throws ConfigError with every problem and its place.
FigureSpec read_figure_spec(const std::filesystem::path& file,
                            const std::vector<std::filesystem::path>& paths = {});
/// Likewise of a document that was read from `file` with these problems.
FigureSpec read_figure_spec(const Yaml& document, const std::filesystem::path& file,
                            Problems& problems);
std::vector<Word> sweeps_of(const FigureSpec& spec);

}  // namespace rethink
