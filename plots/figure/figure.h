// Figures: a metric along an axis of a sweep or a fact, curves over training, with the paper's
// points beside ours, or heat maps (docs/figures.md). The points of a figure are the cells of a
// table.
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
  std::string label = "";            // written beside the point
  std::optional<Interval> bar = {};  // replaces the spread

  bool has_bar() const { return bar || spread; }
  double low() const { return bar ? bar->low : y - spread.value_or(0); }
  double high() const { return bar ? bar->high : y + spread.value_or(0); }
};

struct FigureSeries {
  std::string label;
  bool paper = false;
  bool horizontal = false;  // one point, drawn as a line across
  std::vector<FigurePoint> points;
  size_t place = 0;  // position in the spec; the paper's series has that of ours
};

/// A line of a bar chart without a number: a reason replaces its bar.
struct MissingBar {
  double x = 0;        // as for a bar: the position from the top
  std::string label;   // of the line
  std::string reason;  // "diverged"
};

/// How series are drawn.
enum class SeriesLook {
  lines,   // from point to point; the last line may end where trials met a limit
  points,  // each with a label if it has one
  curves,  // over steps
  bars,    // of one series: a bar for each point, whose x is the position from the top
};

struct Figure;

/// Content of a figure without series, in gnuplot's words.
class Drawing {
 public:
  virtual ~Drawing() = default;
  virtual bool empty() const = 0;
  /// Returns the data file.
  virtual std::string data() const = 0;
  /// Returns the height in the SVG [pixels].
  virtual double height(const Figure& figure) const = 0;
  /// Returns all plots, with title and caption.
  virtual std::string plots(const Figure& figure) const = 0;
  /// Returns the SVG from gnuplot with changes.
  virtual std::string finished_svg(const std::string& svg) const { return svg; }
};

struct Figure {
  std::string name, title;
  PageSpec page;
  AxisSpec x, y;
  SeriesLook look = SeriesLook::lines;
  std::vector<FigureSeries> series;          // ours first
  std::vector<MissingBar> missing_bars{};    // of bar charts
  std::shared_ptr<const Drawing> drawing{};  // null: series
  std::optional<double> right_scale;         // the right axis is the left axis times this factor
  std::vector<std::string> caption;          // profile, seeds, missing and diverged trials, marks
  std::map<std::string, std::vector<std::string>> to_run;
  size_t trials = 0, missing = 0;
  bool can_start = false;              // a run starts at least one of the missing trials
  std::set<std::string> needed;        // trials that the missing trials need and that must run too
  bool measured = false;               // whether a cell behind the figure has a number
  bool diverged = false;               // whether a trial behind the figure diverged
  std::set<std::string> on_request{};  // how its failed and cancelled trials run again
  std::string not_measured;            // values that done trials lack; empty: none
  std::string needs_data;              // trials with unknown ids; empty: none
  std::string stale;                   // which missing trials are stale, and why; empty: none
  std::string not_drawn;               // maps without room; empty: all are drawn
  bool complete() const { return missing == 0 && not_measured.empty() && needs_data.empty(); }
  bool empty() const;
  /// Returns why nothing can be drawn. Requires: empty().
  std::string why_empty() const;
};

/// By trial, a curve: steps and values, in rising order.
using Curves = std::map<std::string, std::vector<std::pair<int64_t, double>>>;

struct FigureGrids {
  Grid points, lines;
};

/// Throws ConfigError as make_grid does.
FigureGrids make_grids(const FigureSpec& spec, const Plans& plans, const CommandWords& again = {});

}  // namespace rethink
