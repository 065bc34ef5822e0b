// The common reader for specs of figures with series. Used by plots/figure/kinds only.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plots/figure/figure_kind.h"

namespace rethink {

class SeriesKind : public FigureKind {
 public:
  void read(const Yaml& document, SpecReader& reader, bool is_named, FigureSpec& spec,
            Problems& problems) final;
  const char* parts() const override { return "points"; }

 protected:
  /// Returns the key of `x` that names its quantity.
  virtual const char* x_key() const { return "axis"; }
  virtual bool needs_x() const { return true; }
  /// Returns whether y may be a measurement, with bars between measurements.
  virtual bool may_measure() const { return false; }
  /// Returns whether bars may be of differences to a baseline.
  virtual bool may_pair() const { return false; }
  virtual LineSpec read_one_series(const Yaml& given, Problems& problems) const;
  /// Makes checks of this kind only.
  virtual void check(const Yaml& document, const FigureSpec& spec, Problems& problems) const;
  /// Returns the default name of x.
  virtual std::string usual_x_label(const FigureSpec& spec) const { return spec.x_axis.text; }
  /// Assigns the series to rows or columns of the table of points.
  virtual void lay_out(const Yaml& document, const std::vector<LineSpec>& series, FigureSpec& spec,
                       Problems& problems) const = 0;

 private:
  std::vector<LineSpec> read_parts(SpecReader& reader, bool has_x, FigureSpec& spec,
                                   Problems& problems) const;
  void check_y(const Yaml& document, const FigureSpec& spec, Problems& problems) const;
};

/// Checks that `align` meets a point of the paper, and that a series with one number is a line.
void check_paper(const Yaml& document, const FigureSpec& spec, Problems& problems);
/// Returns a column with only the values of y, for the table behind the figure.
LineSpec value_column(const Position& at);
/// Returns columns for a y that is not a metric: those of `columns`, followed by the ends of the
/// bars.
std::vector<LineSpec> measured_columns(const std::vector<LineSpec>& columns,
                                       const FigureSpec& spec);
/// Returns the position of the only series with this label; adds a problem for none and for
/// several. `key` names the series.
std::optional<size_t> series_named(const Word& name, const std::vector<LineSpec>& series,
                                   const std::string& key, Problems& problems);

/// Makes a point if the cell has a number.
std::optional<FigurePoint> point_of(const MeasuredCell& cell, double x);
void sort_points(FigureSeries& series);
/// Returns the table of horizontal lines, counted as in points_of; nothing if the spec has none.
std::optional<Table> lines_of(const FigureSpec& spec, const FigureSources& sources, Figure& figure,
                              FigureFindings& findings);
/// Adds a horizontal line for each row of `table`; `first` is the position of the first.
void add_lines(const FigureSpec& spec, const Table& table, size_t first, bool paper,
               Figure& figure);

}  // namespace rethink
