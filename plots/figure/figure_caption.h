// The caption of a figure: missing and diverged trials, limits and marks. A figure is made in two
// stages, each a type:
//   DrawnFigure  what is drawn, and the trials behind it
//   Figure       with its whole caption
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

/// A figure whose caption has only the sentences of its kind.
struct DrawnFigure {
  Figure figure;
  FigureFindings findings;
};

/// Returns what is drawn, as make_figure describes it.
DrawnFigure drawn_figure(const FigureSpec& spec, const FigureGrids& grids,
                         const TrialRecords& records, const Curves& curves,
                         const ArtifactFiles& files);

/// The last stage. `stale`: which of the missing trials are stale, and why; empty: none. Throws
/// ConfigError if a note names a profile that the sweep lacks.
Figure captioned_figure(DrawnFigure drawn, const FigureSpec& spec, const FigureGrids& grids,
                        const std::string& stale);

}  // namespace rethink
