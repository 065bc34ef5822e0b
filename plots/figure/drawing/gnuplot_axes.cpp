#include "plots/figure/drawing/gnuplot_axes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "core/error.h"
#include "core/message.h"
#include "core/text.h"
#include "plots/figure/drawing/gnuplot_page.h"
#include "plots/figure/drawing/run_gnuplot.h"
#include "plots/text_format.h"

namespace rethink {
namespace {

// Ratio of high to low; for wider ranges, powers of ten are enough.
constexpr double kWideScale = 100;
constexpr double kDecade = 10;
constexpr double kTicRoom = 0.06;    // share of the axis for the number at a tic, at least
constexpr double kMostNumbers = 20;  // at gnuplot's own distances
constexpr double kTicGap = 8;        // [pixels] between two numbers
constexpr size_t kFewestTics = 3;
constexpr double kTicsByOne = 10;      // a shorter axis of whole numbers has no tics between them
constexpr double kPointHeight = 0.02;  // of the y axis
// Height of the plot itself [pixels], about 10 to 16 of its width.
constexpr double kPlotHeight = 410;
// Pixels beside the plot: between numbers and axis, right of it, and the label's overhang.
constexpr size_t kMostYLines = 2;  // gnuplot leaves no room for more beside the numbers
constexpr double kBesideNumbers = 17, kRightOfPlot = 22;
constexpr double kRoom = 0.08, kRoomForLabels = 0.16;  // of y, above and below the data

/// A range with room at both ends, so that error bars end within the frame; room around a single
/// value does not depend on `share`.
Range with_room(Range range, bool logarithmic, double share) {
  if (logarithmic) {
    const double factor = range.high > range.low ? std::pow(range.high / range.low, share) : 1.05;
    return {range.low / factor, range.high * factor};
  }
  if (range.high > range.low) {
    const double room = share * (range.high - range.low);
    return {range.low - room, range.high + room};
  }
  const double room = range.high != 0 ? 0.05 * std::abs(range.high) : 1;  // not empty
  return {range.low - room, range.high + room};
}

void require_positive(double value, const char* axis, const Figure& figure) {
  if (value > 0) return;
  throw ConfigError(
      "invalid-range",
      fmt::format(
          "figure {}: {} = {} has no position on a logarithmic axis; take log: true from {}",
          figure.name, axis, value, axis));
}

/// Narrows the range to the ends in the spec.
Range narrowed(const Range& range, const AxisSpec& axis, const char* name, const Figure& figure) {
  const Range shown{axis.least.value_or(range.low), axis.most.value_or(range.high)};
  if (axis.logarithmic) require_positive(shown.low, name, figure);
  if (shown.low >= shown.high) {
    throw ConfigError("invalid-range", fmt::format("figure {}: {} is shown from {} to {}, where "
                                                   "there are no points; change its from and to",
                                                   figure.name, name, shown.low, shown.high));
  }
  return shown;
}

/// The range on the left axis: the paper's values are divided by the right axis' scale. A
/// logarithmic axis shows only the positive part of an error bar.
Range shown_range(const Figure& figure) {
  std::optional<Range> range;
  bool has_labels = false;
  const auto take = [&](double value) {
    if (!range) range = Range{value, value};
    range->low = std::min(range->low, value);
    range->high = std::max(range->high, value);
  };
  for (const FigureSeries& series : figure.series) {
    const double scale = series.paper ? figure.right_scale.value_or(1.0) : 1.0;
    for (const FigurePoint& point : series.points) {
      const double low = point.low() / scale;
      if (figure.y.logarithmic) require_positive(point.y, "y", figure);
      has_labels = has_labels || !point.label.empty();
      take(point.y / scale);
      if (low > 0 || !figure.y.logarithmic) take(low);
      take(point.high() / scale);
    }
  }
  const double room = has_labels ? kRoomForLabels : kRoom;
  const Range shown = with_room(range.value_or(Range{}), figure.y.logarithmic, room);
  return narrowed(shown, figure.y, "y", figure);
}

std::string tic_text(const AxisSpec& axis, double value) {
  return axis.decimals ? fixed(value, *axis.decimals) : fmt::format("{:.6g}", value);
}

/// gnuplot's own distance of tics.
double usual_step(double span) {
  const double power = std::pow(10, std::floor(std::log10(span))), leading = span / power;
  return power * (leading < 2 ? 0.2 : leading < 5 ? 0.5 : 1);
}

/// The next of 1, 2, 5, 10 ...
double next_step(double step) {
  const double power = std::pow(10, std::floor(std::log10(step * 1.001)));
  const double leading = step / power;
  return power * (leading < 1.5 ? 2 : leading < 3 ? 5 : 10);
}

/// Whether a logarithmic axis has numbers at powers of ten alone.
bool is_wide(const Range& range) {
  return range.high / range.low >= kWideScale;
}

/// The widest number at multiples of `step` [pixels].
double widest_number(const AxisSpec& axis, const Range& range, double step) {
  double widest = 0;
  const double first = std::ceil(range.low / step) * step;
  for (double i = 0; i <= kMostNumbers && first + i * step <= range.high; ++i)
    widest = std::max(widest, kLetter * drawn_width(tic_text(axis, first + i * step)));
  return widest;
}

/// The lines of the label beside the y axis, which may be a little longer than the axis.
std::vector<std::string> y_label_lines(const Figure& figure) {
  return label_lines(figure, figure.y.label, plot_height(figure) + 2 * kLabelLine, kMostYLines);
}

/// Pixels that a number takes along an axis.
double room_of_number(const std::string& axis, double value) {
  return axis == "x" ? kLetter * drawn_width(fmt::format("{:.6g}", value)) + kTicGap : kLabelLine;
}

/// Returns the places, in ascending order, whose numbers fit on a logarithmic axis of `length`
/// pixels.
std::vector<double> with_room_between(const std::vector<double>& places, const std::string& axis,
                                      const Range& range, double length) {
  std::vector<double> kept;
  for (const double place : places) {
    const double number =
        kept.empty() ? 0 : std::max(room_of_number(axis, kept.back()), room_of_number(axis, place));
    if (kept.empty() ||
        std::log(place / kept.back()) / std::log(range.high / range.low) * length >= number)
      kept.push_back(place);
  }
  return kept;
}

/// The places of these digits in each decade: 10, 20, 50, 100.
std::vector<double> places_of_digits(const std::vector<double>& digits, const Range& range) {
  std::vector<double> places;
  for (double power = std::pow(10, std::floor(std::log10(range.low))); power < range.high;
       power *= 10) {
    for (const double digit : digits) {
      if (digit * power >= range.low && digit * power <= range.high)
        places.push_back(digit * power);
    }
  }
  return places;
}

/// The places on an axis of less than two decades.
std::vector<double> logarithmic_places(const std::string& axis, const Range& range, double length) {
  const std::vector<std::vector<double>> choices = {{1, 2, 5}, {1, 5}, {1}};
  const std::vector<double> all = places_of_digits(choices[0], range);
  if (all.size() < kFewestTics) {
    std::vector<double> places;
    double step = std::pow(10, std::floor(std::log10((range.high - range.low) / kFewestTics)));
    if ((range.high - range.low) / step > 10) step *= 2;
    for (double at = std::ceil(range.low / step) * step; at <= range.high; at += step)
      places.push_back(at);
    return with_room_between(places, axis, range, length);
  }
  for (const std::vector<double>& digits : choices) {
    const std::vector<double> places = places_of_digits(digits, range);
    if (places.size() > 1 && with_room_between(places, axis, range, length) == places)
      return places;
  }
  return with_room_between(all, axis, range, length);
}

/// The steps between numbers of a wide logarithmic axis, in powers of ten.
double decades_between_numbers(const std::string& axis, const Range& range, double length) {
  const double low = std::ceil(std::log10(range.low)), high = std::floor(std::log10(range.high));
  const double number =
      std::max(room_of_number(axis, std::pow(10, low)), room_of_number(axis, std::pow(10, high)));
  return std::ceil(number * std::log10(range.high / range.low) / std::max(1.0, length));
}

/// gnuplot writes numbers only at powers of ten: a narrow logarithmic axis would have one number or
/// none. `length` of the axis in pixels.
std::string logarithmic_tics(const std::string& axis, const Range& range, double length) {
  std::string out = fmt::format("set logscale {}\n", axis);
  if (is_wide(range)) {
    const double decades = decades_between_numbers(axis, range, length);
    return out + (decades > 1 ? fmt::format("set {}tics 1e{}\n", axis, decades) : "");
  }
  std::vector<std::string> tics;
  for (const double place : logarithmic_places(axis, range, length))
    tics.push_back(fmt::format("{:.6g}", place));
  return out + fmt::format("set {}tics ({})\n", axis, joined(tics));
}

/// The widest number of a logarithmic y axis [pixels].
double widest_logarithmic_number(const Figure& figure, const Range& y) {
  const double height = plot_height(figure);
  double widest = 0;
  for (const double place :
       is_wide(y) ? places_of_digits({1}, y) : logarithmic_places("y", y, height))
    widest = std::max(widest, kLetter * drawn_width(tic_text(figure.y, place)));
  return widest;
}

/// The width of the plot, about [pixels]: gnuplot decides what the numbers beside it take.
double plot_width(const Figure& figure) {
  const Range y = shown_range(figure);
  const double numbers = figure.y.logarithmic
                             ? widest_logarithmic_number(figure, y)
                             : widest_number(figure.y, y, usual_step(y.high - y.low));
  const auto lines = static_cast<double>(y_label_lines(figure).size());
  const double left = numbers + kBesideNumbers + kLabelLine * lines;
  const double right = figure.right_scale ? left : kRightOfPlot;
  return std::max(0.0, page_width(figure) - left - right);
}

/// The x of the points with enough distance to the previous one, for a logarithmic axis; empty if
/// there are many points.
std::vector<std::string> tics_at_points(const Figure& figure, const Range& range) {
  constexpr size_t kMostTics = 8;
  std::set<double> points;
  for (const FigureSeries& series : figure.series) {
    for (const FigurePoint& point : series.points) {
      if (!series.horizontal && point.x >= range.low && point.x <= range.high)
        points.insert(point.x);
    }
  }
  const size_t fewest = range.high / range.low < kDecade ? 2 : kFewestTics;
  if (points.size() < fewest || points.size() > kMostTics) return {};
  double room = kTicRoom;
  const double width = plot_width(figure);
  for (const double x : points) room = std::max(room, room_of_number("x", x) / width);
  const double least = std::pow(range.high / range.low, room);
  std::vector<std::string> tics;
  double last = 0;
  for (const double x : points) {
    if (last > 0 && x / last < least) continue;
    tics.push_back(fmt::format("{:.6g}", x));
    last = x;
  }
  return tics;
}

bool has_whole_x(const Figure& figure) {
  return std::ranges::all_of(figure.series, [](const FigureSeries& series) {
    return series.horizontal || std::ranges::all_of(series.points, [](const FigurePoint& point) {
             return point.x == std::floor(point.x);
           });
  });
}

std::string short_bars(const Figure& figure, const Range& y) {
  if (std::ranges::none_of(figure.series, has_measured_bars)) return "";
  return figure.y.logarithmic ? fmt::format("SHORT(low, high) = low > 0 && high / low < {:.6g}\n",
                                            std::pow(y.high / y.low, kPointHeight))
                              : fmt::format("SHORT(low, high) = high - low < {:.6g}\n",
                                            kPointHeight * (y.high - y.low));
}

}  // namespace

std::string fitting_tics(const Figure& figure, char axis, const Range& range, double length,
                         double least) {
  const AxisSpec& spec = axis == 'x' && figure.look != SeriesLook::bars ? figure.x : figure.y;
  const double span = range.high - range.low, usual = usual_step(span);
  if (!std::isfinite(usual)) return "";  // gnuplot says what it cannot draw
  const auto fits = [&](double step) {
    const double number = axis == 'x' ? widest_number(spec, range, step) + kTicGap : kLabelLine;
    return step / span * length >= number;
  };
  const double first = std::max(usual, least);
  double step = first;
  while (step < span && !fits(step)) step = next_step(step);
  const double numbers = std::floor(range.high / step) - std::ceil(range.low / step) + 1;
  if (!fits(step) || (step > first && numbers < 2)) {
    throw ConfigError("too-narrow",
                      fmt::format("figure {}: a figure of {} has no room for the numbers at an "
                                  "axis; take a larger width or shorter labels",
                                  figure.name, shown_width(figure)));
  }
  return step > usual || least > 0 ? fmt::format("set {}tics {:.6g}\n", axis, step) : "";
}

double plot_height(const Figure& figure) {
  return kPlotHeight * page_width(figure) / kPageWidth;
}

std::vector<std::string> x_label_lines(const Figure& figure) {
  // The label is centred below the plot and may end at the page's edge.
  return label_lines(figure, figure.x.label, plot_width(figure) + 2 * (kRightOfPlot - 4));
}

bool has_measured_bars(const FigureSeries& series) {
  return std::ranges::any_of(series.points, [](const auto& p) { return p.bar.has_value(); });
}

Range range_of_x(const Figure& figure) {
  const AxisSpec& axis = figure.x;
  std::optional<Range> range;
  for (const FigureSeries& series : figure.series) {
    for (const FigurePoint& point : series.points) {
      if (series.horizontal) continue;
      if (axis.logarithmic) require_positive(point.x, "x", figure);
      if (!range) range = Range{point.x, point.x};
      range->low = std::min(range->low, point.x);
      range->high = std::max(range->high, point.x);
    }
  }
  const double share = 0.05;  // bars of several series are beside the first and the last point
  return narrowed(with_room(range.value_or(Range{}), axis.logarithmic, share), axis, "x", figure);
}

std::string axes(const Figure& figure) {
  const Range range = shown_range(figure), x = range_of_x(figure);
  std::string out =
      fmt::format("set xrange [{}:{}]\nset yrange [{}:{}]\n", x.low, x.high, range.low, range.high);
  if (figure.x.logarithmic) {
    out += logarithmic_tics("x", x, plot_width(figure));
    const std::vector<std::string> tics = tics_at_points(figure, x);
    if (!is_wide(x) && !tics.empty()) out += fmt::format("set xtics ({})\n", joined(tics));
  }
  if (!figure.x.logarithmic) {
    const bool by_one = x.high - x.low < kTicsByOne && has_whole_x(figure);
    out += fitting_tics(figure, 'x', x, plot_width(figure), by_one ? 1 : 0);
  }
  if (!figure.y.logarithmic) out += fitting_tics(figure, 'y', range, plot_height(figure));
  if (figure.y.logarithmic)
    out += logarithmic_tics("y", range, plot_height(figure)) + fmt::format("LOW = {}\n", range.low);
  for (const auto& [name, axis] : {std::pair{"x", &figure.x}, {"y", &figure.y}}) {
    if (axis->decimals) out += fmt::format("set format {} \"%.{}f\"\n", name, *axis->decimals);
  }
  out += short_bars(figure, range);
  out += fmt::format("set xlabel {} noenhanced\nset ylabel {} noenhanced\n",
                     quoted(x_label_lines(figure)), quoted(y_label_lines(figure)));
  if (!figure.right_scale) return out;
  const double scale = *figure.right_scale;
  out += fmt::format("set y2range [{}:{}]\nset ytics nomirror\nset y2tics textcolor rgb \"{}\"\n",
                     range.low * scale, range.high * scale, kGrey);
  if (figure.y.logarithmic)
    out += logarithmic_tics("y2", {range.low * scale, range.high * scale}, plot_height(figure));
  out += fmt::format("set y2label {} noenhanced textcolor rgb \"{}\"\n",
                     quoted("the paper's numbers"), kGrey);
  return out;
}

namespace {

bool axis_shows(const AxisSpec& axis, double value) {
  return !(axis.least && value < *axis.least) && !(axis.most && value > *axis.most);
}

/// The values of points on one axis.
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

/// Points of one importance: our points are more important than the paper's, and points than
/// horizontal lines.
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
    throw NothingDrawn("nothing-drawn",
                       fmt::format("figure {}: not drawn: the axes show none of its {}: {}; change "
                                   "these keys of the figure",
                                   figure.name, counted(needed->all, "point"), joined(axes, "; ")));
  }
  size_t all = 0, shown = 0;
  for (const PointCount& count : counts) all += count.all, shown += count.shown;
  return fmt::format("{} of {} are outside of the axes: {}", all - shown, counted(all, "point"),
                     joined(axes, "; "));
}

}  // namespace rethink
