// Figures: a metric along an axis of a sweep or a fact, curves over training, with the paper's
// points beside ours, or heat maps (docs/tables.md). A figure is a table underneath: its points are
// cells.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "plots/figure/connections.h"
#include "plots/figure/heatmap.h"
#include "plots/figure/permutations.h"
#include "plots/table/table.h"

namespace rethink {

struct AxisSpec {
  std::string label;  // with its unit in brackets
  bool logarithmic = false;
  std::optional<double> least, most;  // of what is shown
};

struct FigureSpec {
  /// line: a metric along an axis; scatter: along a fact of an artifact; curves: over the steps of
  /// training; heatmap: matrices; connections: tokens that attention connects;
  /// permutations: a sequence before and after
  std::string kind;
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
  std::string paper_label = "paper";
  std::vector<NoteSpec> notes;
  HeatmapSpec heatmap;
  ConnectionsSpec connections;
  PermutationsSpec permutations;

  const std::string& name() const { return points.name; }
  /// It shows artifacts of trials, not their numbers.
  bool has_panels() const {
    return kind == "heatmap" || kind == "connections" || kind == "permutations";
  }
  /// Which artifact; empty: of no trial.
  std::string artifact() const;
};

/// Throws ConfigError with every problem and its place.
FigureSpec read_figure_spec(const std::filesystem::path& file);
std::vector<Word> sweeps_of(const FigureSpec& spec);

struct FigurePoint {
  double x = 0, y = 0;
  std::optional<double> spread;
  size_t n = 1;
  std::string label = "";            // written beside it
  std::optional<Interval> bar = {};  // in place of the spread

  bool has_bar() const { return bar || spread; }
  double low() const { return bar ? bar->low : y - spread.value_or(0); }
  double high() const { return bar ? bar->high : y + spread.value_or(0); }
};

struct FigureSeries {
  std::string label;
  bool paper = false;
  bool horizontal = false;  // one point, drawn as a line across
  std::vector<FigurePoint> points;
  size_t place = 0;  // in the spec; the paper's has that of ours
};

struct Figure {
  std::string name, title, kind;
  AxisSpec x, y;
  std::vector<FigureSeries> series;  // ours first
  std::vector<Panel> panels;         // of a heatmap
  std::vector<ConnectionMap> maps;   // of connections
  std::vector<PermutationPanel> permutations;
  size_t across = 1;                  // panels, or layers of a map, beside each other
  std::optional<double> right_scale;  // the right axis is the left one times this
  std::vector<std::string> caption;   // profile, seeds, what is missing, what diverged, marks
  std::map<std::string, std::vector<std::string>> to_run;
  size_t trials = 0, missing = 0;
  std::set<std::string> needed;  // trials that the missing ones need, which are yet to run too
  bool measured = false;         // a cell underneath has a number
  bool diverged = false;         // a trial of one did
  std::set<std::string> on_request{};  // how its failed and cancelled trials run again
  std::string not_measured;            // which values trials that are done lack; empty: none
  std::string not_drawn;               // which maps there is no room for; empty: all are drawn
  bool complete() const { return missing == 0 && not_measured.empty(); }
  bool empty() const;
  /// Why nothing can be drawn. Requires: empty().
  std::string why_empty() const;
};

/// A curve of each trial: steps and values, rising.
using Curves = std::map<std::string, std::vector<std::pair<int64_t, double>>>;

struct FigureGrids {
  Grid points, lines;
};

/// Throws ConfigError as make_grid does.
FigureGrids make_grids(const FigureSpec& spec, const Plans& plans, const CommandWords& again = {});

/// Mean and spread over seeds at each point; of curves, at each step that all seeds have. `files`
/// are read for a heatmap.
Figure make_figure(const FigureSpec& spec, const FigureGrids& grids, const TrialRecords& records,
                   const Curves& curves, const ArtifactFiles& files = {});

}  // namespace rethink
