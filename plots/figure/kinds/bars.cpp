// A metric as horizontal bars: one for each line of `series`.
#include <fmt/format.h>

#include "plots/figure/series_kind.h"

namespace rethink {
namespace {

/// Refuses the keys that need an x.
void check_bars(const Yaml& document, const FigureSpec& spec, Problems& problems) {
  for (const char* key : {"x", "lines", "align", "paper"}) {
    if (const Yaml* given = document.find(key))
      problems.add(given->where, "misplaced-key",
                   fmt::format("{} does not go with a figure of kind bars", key));
  }
  if (spec.y.logarithmic)
    problems.add(document.find("y")->where, "misplaced-key",
                 "log does not go with bars, which begin at 0");
}

class BarsFigure : public SeriesKind {
 public:
  void add(const FigureSpec& spec, const FigureSources& sources, Figure& figure,
           FigureFindings& findings) const override {
    figure.look = SeriesLook::bars;
    const Table points = points_of(spec, sources, figure, findings);
    FigureSeries bars{spec.points.metric->text(), false, false, {}, 0};
    for (size_t row = 0; row < points.rows.size(); ++row) {
      const Cell& cell = points.cells[row][0];
      const auto x = static_cast<double>(row);
      std::optional<FigurePoint> bar = point_of(cell, x);
      if (!bar) {
        figure.missing_bars.push_back({x, points.rows[row].label, cell.text_without_number()});
        continue;
      }
      bar->label = points.rows[row].label;
      bars.points.push_back(std::move(*bar));
    }
    if (!bars.points.empty()) figure.series.push_back(std::move(bars));
  }
  const char* parts() const override { return "bars"; }

 protected:
  bool needs_x() const override { return false; }
  void check(const Yaml& document, const FigureSpec& spec, Problems& problems) const override {
    check_bars(document, spec, problems);
  }
  void lay_out(const Yaml& /*document*/, const std::vector<LineSpec>& series, FigureSpec& spec,
               Problems& /*problems*/) const override {
    TableSpec& points = spec.points;
    points.words = {"figure", "bar", "series", "series"};
    points.metric = final_value(*points.metric);
    points.rows = series;
    points.columns = {value_column(series.front().at)};
  }
};

RETHINK_REGISTERED =
    figure_kinds().add<NoFields>({.name = "bars", .summary = "a metric as one bar per series"},
                                 [](const NoFields&) { return std::make_shared<BarsFigure>(); });

}  // namespace
}  // namespace rethink
