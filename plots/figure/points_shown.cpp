#include "plots/figure/points_shown.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/counted.h"
#include "plots/figure/run_gnuplot.h"
#include "plots/render/renderer.h"

namespace rethink {
namespace {

bool axis_shows(const AxisSpec& axis, double value) {
  return !(axis.least && value < *axis.least) && !(axis.most && value > *axis.most);
}

/// The points' values on one axis.
class ShownAxis {
 public:
  ShownAxis(const char* name, const AxisSpec& axis) : name_(name), axis_(axis) {}

  /// Whether the axis shows `value`.
  bool take(double value) {
    if (!low_) low_ = high_ = value;
    low_ = std::min(*low_, value);
    high_ = std::max(*high_, value);
    const bool is_shown = axis_shows(axis_, value);
    leaves_out_ = leaves_out_ || !is_shown;
    return is_shown;
  }

  bool leaves_out() const { return leaves_out_; }

  /// "y is 0.1 to 3 in the data and shown to 1 (y.to)"
  std::string text() const {
    std::string shown;
    std::vector<std::string> keys;
    const auto add_end = [&](const std::optional<double>& end, const char* key) {
      if (!end) return;
      shown += fmt::format(" {} {:g}", key, *end);
      keys.push_back(fmt::format("{}.{}", name_, key));
    };
    add_end(axis_.least, "from");
    add_end(axis_.most, "to");
    const std::string in_data =
        *low_ == *high_ ? fmt::format("{:g}", *low_) : fmt::format("{:g} to {:g}", *low_, *high_);
    return fmt::format("{} is {} in the data and shown{} ({})", name_, in_data, shown,
                       joined(keys, " and "));
  }

 private:
  const char* name_;
  const AxisSpec& axis_;
  std::optional<double> low_, high_;
  bool leaves_out_ = false;
};

/// Points of one importance: ours before the paper's, points before lines across.
struct PointCount {
  size_t all = 0, shown = 0;
};

}  // namespace

std::string points_left_out(const Figure& figure) {
  ShownAxis x("x", figure.x), y("y", figure.y);
  std::array<PointCount, 4> counts;
  for (const FigureSeries& series : figure.series) {
    PointCount& count = counts[(series.horizontal ? 2 : 0) + (series.paper ? 1 : 0)];
    const double scale = series.paper ? figure.right_scale.value_or(1.0) : 1.0;
    for (const FigurePoint& point : series.points) {
      const bool shows_x = series.horizontal || x.take(point.x), shows_y = y.take(point.y / scale);
      ++count.all;
      count.shown += shows_x && shows_y ? 1 : 0;
    }
  }
  std::vector<std::string> axes;
  for (const ShownAxis* axis : {&x, &y}) {
    if (axis->leaves_out()) axes.push_back(axis->text());
  }
  if (axes.empty()) return "";
  const auto needed = std::ranges::find_if(counts, [](const auto& count) { return count.all > 0; });
  if (needed->shown == 0) {
    throw NothingDrawn(fmt::format(
        "figure {}: not drawn: the axes show none of its {}: {}; change these keys of the figure",
        figure.name, counted(needed->all, "point"), joined(axes, "; ")));
  }
  size_t all = 0, shown = 0;
  for (const PointCount& count : counts) all += count.all, shown += count.shown;
  return fmt::format("{} of {} are outside of the axes: {}", all - shown, counted(all, "point"),
                     joined(axes, "; "));
}

}  // namespace rethink
