#include "plots/figure/figure.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "plots/figure/figure_caption.h"
#include "plots/figure/figure_kind.h"
#include "plots/table/notes.h"

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

namespace {

/// Scales all our values and every x to the units of the axes.
void scale_points(Figure& figure) {
  const double scale = figure.y.scale;
  for (FigureSeries& series : figure.series) {
    for (FigurePoint& point : series.points) {
      point.x *= figure.x.scale;
      if (series.paper) continue;
      point.y *= scale;
      if (point.spread) *point.spread *= scale;
      if (point.bar) point.bar = Interval{point.bar->low * scale, point.bar->high * scale};
    }
  }
  if (figure.right_scale) *figure.right_scale /= scale;
}

}  // namespace

DrawnFigure drawn_figure(const FigureSpec& spec, const FigureGrids& grids,
                         const TrialRecords& records, const Curves& curves,
                         const ArtifactFiles& files) {
  DrawnFigure drawn;
  Figure& figure = drawn.figure;
  figure.name = spec.name();
  const Grid& grid = spec.points.rows.empty() ? grids.lines : grids.points;
  figure.title = title_under(grid.profile, spec.points.title);
  figure.page = spec.page;
  figure.x = spec.x;
  figure.y = spec.y;
  spec.kind->add(spec, {grids, records, curves, files}, figure, drawn.findings);
  scale_points(figure);
  return drawn;
}

Figure captioned_figure(DrawnFigure drawn, const FigureSpec& spec, const FigureGrids& grids,
                        const std::string& stale) {
  Figure figure = std::move(drawn.figure);
  drawn.findings.write(figure, spec, grids.points);
  figure.stale = stale;
  if (!stale.empty()) figure.caption.push_back(stale);
  return figure;
}

Figure make_figure(const FigureSpec& spec, const FigureGrids& grids, const TrialRecords& records,
                   const Curves& curves, const ArtifactFiles& files) {
  return captioned_figure(drawn_figure(spec, grids, records, curves, files), spec, grids, "");
}

}  // namespace rethink
