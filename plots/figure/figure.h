// Figures: a metric along an axis of a sweep or a fact, curves over training, with the paper's
// points beside ours, or heat maps (docs/figures.md). A figure is a table underneath: its points are
// cells.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "plots/figure/figure_spec.h"
#include "plots/table/lines/wanted_values.h"
#include "plots/table/table.h"

namespace rethink {

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

/// A line of a figure of bars without a number: its name has a reason in place of a bar.
struct MissingBar {
  double x = 0;        // as of a bar: the place from the top
  std::string label;   // of the line
  std::string reason;  // "diverged"
};

/// How series are drawn.
enum class SeriesLook {
  lines,   // from point to point; the last one may be where trials met a limit
  points,  // each with a label where it has one
  curves,  // over steps
  bars,    // of one series: a bar for each point, its x the place from the top
};

struct Figure;

/// Content of a figure without series, in gnuplot's words.
class Drawing {
 public:
  virtual ~Drawing() = default;
  virtual bool empty() const = 0;
  /// The data file.
  virtual std::string data() const = 0;
  /// Size in the SVG [pixels].
  virtual double height(const Figure& figure) const = 0;
  /// All plots, with title and caption.
  virtual std::string plots(const Figure& figure) const = 0;
  /// Changes to the SVG that gnuplot drew.
  virtual std::string finished_svg(const std::string& svg) const { return svg; }
};

struct Figure {
  std::string name, title;
  PageSpec page;
  AxisSpec x, y;
  SeriesLook look = SeriesLook::lines;
  std::vector<FigureSeries> series;          // ours first
  std::vector<MissingBar> missing_bars{};    // of bars
  std::shared_ptr<const Drawing> drawing{};  // null: series
  std::optional<double> right_scale;         // the right axis is the left one times this
  std::vector<std::string> caption;  // profile, seeds, what is missing, what diverged, marks
  std::map<std::string, std::vector<std::string>> to_run;
  size_t trials = 0, missing = 0;
  std::set<std::string> needed;  // trials that the missing ones need, which are yet to run too
  bool measured = false;         // a cell underneath has a number
  bool diverged = false;         // a trial of one did
  std::set<std::string> on_request{};  // how its failed and cancelled trials run again
  std::string not_measured;            // which values trials that are done lack; empty: none
  std::string needs_data;              // of which trials nothing tells the ids; empty: of none
  std::string not_drawn;               // which maps there is no room for; empty: all are drawn
  bool complete() const { return missing == 0 && not_measured.empty() && needs_data.empty(); }
  bool empty() const;
  /// Returns why nothing can be drawn. Requires: empty().
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
