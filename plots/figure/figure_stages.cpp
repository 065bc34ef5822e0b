#include "plots/figure/figure_stages.h"

#include <utility>

#include "plots/figure/figure_kind.h"
#include "plots/table/notes.h"

namespace rethink {
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

}  // namespace rethink
