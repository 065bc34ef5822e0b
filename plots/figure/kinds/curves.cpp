// A metric over the steps of training.
#include <fmt/format.h>

#include "core/error.h"
#include "plots/figure/series_kind.h"

namespace rethink {
namespace {

/// Checks the keys that only a figure of kind line has.
void check_curves(const Yaml& document, const FigureSpec& spec, Problems& problems) {
  for (const char* key : {"lines", "align", "paper"}) {
    if (const Yaml* given = document.find(key))
      problems.add(given->where, "misplaced-key",
                   fmt::format("{} goes with a figure of kind line", key));
  }
  const std::optional<ValueName>& metric = spec.points.metric;
  if (metric && parts_of(*metric).size() > 1) {
    problems.add(spec.points.metric_at, "invalid-value",
                 fmt::format("metric: got '{}', expected one split, as a curve shows only one",
                             metric->text()));
  }
  if (!spec.x_axis.text.empty())
    problems.add(spec.x_axis.at, "misplaced-key", "x.axis goes with a figure of kind line");
}

/// The values of one seed at the steps that all its trials have, each the mean over the trials.
std::map<int64_t, double> curve_of_seed(const std::vector<std::string>& trials,
                                        const Curves& curves, double scale) {
  std::map<int64_t, std::vector<double>> by_step;
  for (const std::string& trial : trials) {
    for (const auto& [step, value] : curves.at(trial)) by_step[step].push_back(value * scale);
  }
  std::map<int64_t, double> curve;
  for (const auto& [step, values] : by_step) {
    if (values.size() == trials.size()) curve[step] = mean_of_trials(values);
  }
  return curve;
}

/// The mean over the seeds of a cell at each step that all of them have. A seed without all its
/// trials is left out, as in a table.
FigureSeries mean_curve(const std::string& label, const Cell& cell, const Curves& curves,
                        const TableSpec& spec) {
  const auto seeds = whole_seeds(cell, [&](const std::string& trial) {
    const auto curve = curves.find(trial);
    return curve != curves.end() && !curve->second.empty();
  });
  std::map<int64_t, MeasuredCell> by_step;
  for (const auto& [seed, trials] : seeds) {
    for (const auto& [step, value] :
         curve_of_seed(trials, curves, scale_of(spec, CellKind::metric)))
      by_step[step].samples.push_back({seed, value});
  }
  FigureSeries series{label, false, false, {}, 0};
  for (auto& [step, samples] : by_step) {
    if (samples.samples.size() != seeds.size()) continue;
    summarize(samples, spec.spread);
    series.points.push_back(*point_of(samples, static_cast<double>(step)));
  }
  return series;
}

class CurvesFigure : public SeriesKind {
 public:
  void add(const FigureSpec& spec, const FigureSources& sources, Figure& figure,
           FigureFindings& findings) const override {
    figure.look = SeriesLook::curves;
    const Table points = points_of(spec, sources, figure, findings);
    for (size_t row = 0; row < points.rows.size(); ++row) {
      FigureSeries series =
          mean_curve(points.rows[row].label, points.cells[row][0], sources.curves, spec.points);
      series.place = row;
      if (!series.points.empty()) figure.series.push_back(std::move(series));
    }
  }
  const char* parts() const override { return "curves"; }
  bool of_curves() const override { return true; }

 protected:
  bool needs_x() const override { return false; }
  void check(const Yaml& document, const FigureSpec& spec, Problems& problems) const override {
    check_curves(document, spec, problems);
  }
  std::string usual_x_label(const FigureSpec& /*spec*/) const override { return "step"; }
  void lay_out(const Yaml& /*document*/, const std::vector<LineSpec>& series, FigureSpec& spec,
               Problems& /*problems*/) const override {
    TableSpec& points = spec.points;
    points.words.keys = "series";
    spec.curve = *points.metric;
    points.rows = series;
    points.columns = {value_column(series.front().at)};
  }
};

RETHINK_REGISTERED = figure_kinds().add<NoFields>(
    {.name = "curves", .summary = "a metric over the steps of training"},
    [](const NoFields&) { return std::make_shared<CurvesFigure>(); });

}  // namespace
}  // namespace rethink
