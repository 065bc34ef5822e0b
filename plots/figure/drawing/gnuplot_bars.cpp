#include "plots/figure/drawing/gnuplot_bars.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "plots/figure/drawing/gnuplot_page.h"
#include "plots/figure/drawing/run_gnuplot.h"

namespace rethink {
namespace {

constexpr double kBarStep = 26, kLeastHeight = 78;  // [pixels]
constexpr double kHalfBar = 0.34;                   // share of the step between two bars
constexpr double kNumberRoom = 0.16;                // share of the axis for the numbers at the ends
constexpr const char* kBarColour = "#0072B2";

const std::vector<FigurePoint>& bars_of(const Figure& figure) {
  RETHINK_ASSERT(figure.series.size() == 1, figure.name);
  return figure.series.front().points;
}

/// The position of the lowest line, with or without a bar.
double last_place(const Figure& figure) {
  double last = bars_of(figure).back().x;
  for (const MissingBar& missing : figure.missing_bars) last = std::max(last, missing.x);
  return last;
}

/// gnuplot counts y from below, but the first bar is at the top.
std::string y_column(const Figure& figure) {
  return fmt::format("{} - $1", last_place(figure));
}

/// The label of a tic, in which gnuplot reads % as the beginning of a number's format.
std::string quoted_tic(const std::string& label) {
  std::string text;
  for (const char letter : label) text += letter == '%' ? "%%" : std::string(1, letter);
  return rethink::quoted(text);  // not std::quoted, which argument-dependent lookup prefers
}

std::pair<double, double> range_of_bars(const Figure& figure) {
  double low = 0, high = 0;
  for (const FigurePoint& bar : bars_of(figure)) {
    low = std::min({low, bar.y, bar.low()});
    high = std::max({high, bar.y, bar.high()});
  }
  const double room = high > low ? kNumberRoom * (high - low) : 1;
  low = figure.y.least.value_or(low < 0 ? low - room : 0);
  high = figure.y.most.value_or(high + (high > 0 || low == 0 ? room : 0));
  if (low < high) return {low, high};
  throw ConfigError(
      "invalid-range",
      fmt::format(
          "figure {}: y is shown from {} to {}, where there are no points; change its from and to",
          figure.name, low, high));
}

}  // namespace

double height_of_bars(const Figure& figure) {
  return std::max(kLeastHeight, kBarStep * (last_place(figure) + 1));
}

std::string bar_axes(const Figure& figure) {
  const std::vector<FigurePoint>& bars = bars_of(figure);
  const auto [low, high] = range_of_bars(figure);
  const double last = last_place(figure);
  std::vector<std::string> names;
  std::string reasons;
  for (const FigurePoint& bar : bars)
    names.push_back(fmt::format("{} {}", quoted_tic(bar.label), last - bar.x));
  for (const MissingBar& missing : figure.missing_bars) {
    names.push_back(fmt::format("{} {}", quoted_tic(missing.label), last - missing.x));
    reasons +=
        fmt::format("set label {} at graph 0, first {} left offset 1.2,0 font \",9\" noenhanced\n",
                    quoted(missing.reason), last - missing.x);
  }
  std::string out = fmt::format(
      "set xrange [{}:{}]\nset yrange [-0.6:{}]\nset ytics ({}) noenhanced\nset grid noytics\n",
      low, high, last + 0.6, joined(names));
  if (figure.y.decimals) out += fmt::format("set format x \"%.{}f\"\n", *figure.y.decimals);
  return out + reasons + fmt::format("set xlabel {} noenhanced\n", quoted(figure.y.label));
}

std::string bar_plot(const Figure& figure) {
  const std::string y = y_column(figure), data = "DATA index 0 using ";
  std::vector<std::string> all = {
      data + fmt::format("(0):({0}):(0):2:({0} - {1}):({0} + {1}) with boxxyerror fs solid 0.75 "
                         "noborder lc rgb \"{2}\" notitle",
                         y, kHalfBar, kBarColour)};
  const bool has_error_bars =
      std::ranges::any_of(bars_of(figure), [](const FigurePoint& bar) { return bar.has_bar(); });
  if (has_error_bars) {
    all.push_back(data + fmt::format("3:({}):($4 - $3):(0) with vectors heads size screen "
                                     "0.0025,90 lw 1.2 lc rgb \"#222222\" notitle",
                                     y));
  }
  const int64_t decimals = figure.y.decimals.value_or(-1);
  const std::string form = decimals < 0 ? "%.4g" : fmt::format("%.{}f", decimals);
  all.push_back(data + fmt::format("($2 < 0 ? 0 : $4):({}):(sprintf(\"{}\", $2)) with labels left "
                                   "offset 0.6,0 font \",9\" textcolor rgb \"#222222\" notitle",
                                   y, form));
  return "plot " + joined(all, ", \\\n     ") + "\n";
}

}  // namespace rethink
