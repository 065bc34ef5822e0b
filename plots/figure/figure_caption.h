// The caption of a figure: missing and diverged trials, limits and marks. Used by figure_stages.cpp
// and plots/figure/kinds only.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "plots/figure/figure.h"

namespace rethink {

/// Returns the x of a row of the table behind a figure of kind line. Throws ConfigError if its
/// value is not a number.
double x_of_row(const FigureSpec& spec, const TableLine& row);

/// The end of a curve because trials ended: the first x that has no number for that reason.
struct CurveEnd {
  double x = 0;
  std::string limit;  // "memory limit"
};

/// Returns the end of a column's curve; nothing if it meets no limit.
std::optional<CurveEnd> end_of(const FigureSpec& spec, const Table& table, size_t column);

/// Findings collected over the tables behind a figure.
class FigureFindings {
 public:
  void take(const Table& table);
  /// Adds the ends of curves of a figure of kind line.
  void take_ends(const FigureSpec& spec, const Table& table);
  /// Appends the sentences to the figure's caption.
  void write(Figure& figure, const FigureSpec& spec, const Grid& grid) const;

 private:
  struct Note {
    std::set<std::string> texts;
    size_t cells = 0;
  };

  void take_fewer_seeds(const Table& table);
  void take_marks(const Cell& cell);
  std::vector<std::string> lines_of_marks(const char* what) const;

  std::vector<std::string> diverged_, partial_, ends_;
  std::map<MarkKind, Note> notes_;
  size_t cells_ = 0;  // cells with a number
};

}  // namespace rethink
