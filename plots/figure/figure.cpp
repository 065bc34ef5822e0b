#include "plots/figure/figure.h"

#include <algorithm>

namespace rethink {

bool Figure::empty() const {
  return (!drawing || drawing->empty()) &&
         std::all_of(series.begin(), series.end(),
                     [](const FigureSeries& s) { return s.points.empty(); });
}

std::string Figure::why_empty() const {
  if (!not_measured.empty()) return not_measured;
  if (!not_drawn.empty()) return not_drawn;
  if (!needs_data.empty()) return needs_data;
  if (trials == 0) return "the profile or the options given leave out all of it";
  if (measured) return "there is no step at which all trials of a curve have a value";
  if (missing == trials && !stale.empty()) return stale;
  if (missing == trials) return "no trial is done yet";
  if (missing == 0) return "every trial diverged";
  return diverged ? "every seed that ended has diverged" : "no seed has all of its trials yet";
}

FigureGrids make_grids(const FigureSpec& spec, const Plans& plans, const CommandWords& again) {
  FigureGrids grids;
  if (!spec.points.rows.empty()) grids.points = make_grid(spec.points, plans, again);
  if (!spec.lines.rows.empty()) grids.lines = make_grid(spec.lines, plans, again);
  return grids;
}

}  // namespace rethink
