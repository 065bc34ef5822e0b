#include "plots/figure/drawing/gnuplot_bars.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "core/text.h"
#include "plots/figure/drawing/gnuplot_axes.h"
#include "plots/figure/drawing/gnuplot_page.h"
#include "plots/figure/drawing/run_gnuplot.h"
#include "plots/text_format.h"

namespace rethink {
namespace {

constexpr double kBarStep = 26, kLeastHeight = 78;  // [pixels]
constexpr double kHalfBar = 0.34;                   // share of the step between two bars
constexpr double kNumberRoom = 0.16;                // share of the axis for the numbers at the ends
constexpr double kNumberLetter = 9;                 // [pixels]
constexpr double kBesideNumber = 12;                // [pixels] before and behind a number
constexpr double kMostNumber = 0.6;                 // share of the axis
constexpr double kNames = 0.45;                     // share of the page's width, at most
constexpr double kBesideNames = 10, kRightOfBars = 22, kBetweenNames = 8;  // [pixels]
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

/// The text of each bar and of each reason, in lines.
std::vector<std::string> name_lines(const Figure& figure, const std::string& name) {
  return label_lines(figure, name, kNames * page_width(figure));
}

std::vector<std::vector<std::string>> all_names(const Figure& figure) {
  std::vector<std::vector<std::string>> names;
  for (const FigurePoint& bar : bars_of(figure)) names.push_back(name_lines(figure, bar.label));
  for (const MissingBar& missing : figure.missing_bars)
    names.push_back(name_lines(figure, missing.label));
  return names;
}

/// Pixels left of the axis.
double left_of_bars(const Figure& figure) {
  double widest = 0;
  for (const std::vector<std::string>& lines : all_names(figure)) {
    for (const std::string& line : lines) widest = std::max(widest, kLetter * drawn_width(line));
  }
  return kPageMargin + widest + kBesideNames;
}

/// The length of the axis [pixels].
double length_of_axis(const Figure& figure) {
  return page_width(figure) - left_of_bars(figure) - kRightOfBars;
}

std::string number_at_bar(const Figure& figure, double value) {
  return figure.y.decimals ? fmt::format("{:.{}f}", value, *figure.y.decimals)
                           : fmt::format("{:.4g}", value);
}

/// gnuplot counts y from below, but the first bar is at the top.
std::string y_column(const Figure& figure) {
  return fmt::format("{} - $1", last_place(figure));
}

/// The label of a tic, in which gnuplot reads % as the beginning of a number's format.
std::string quoted_tic(const Figure& figure, const std::string& label) {
  std::vector<std::string> lines = name_lines(figure, label);
  for (std::string& line : lines) line = escaped(line, {{"%", "%%"}});
  return quoted(lines);
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
  const double shown_to = high;
  for (const FigurePoint& bar : bars_of(figure)) {
    const double end = bar.y < 0 ? 0 : bar.high();
    const double share =
        (kNumberLetter * drawn_width(number_at_bar(figure, bar.y)) + kBesideNumber) /
        length_of_axis(figure);
    if (end < low || end > shown_to) continue;
    if (share < 0 || share > kMostNumber) {
      throw ConfigError("too-narrow",
                        fmt::format("figure {}: a figure of {} has no room for the numbers at its "
                                    "bars; take a larger width or shorter labels",
                                    figure.name, shown_width(figure)));
    }
    high = std::max(high, (end - share * low) / (1 - share));
  }
  if (low < high) return {low, high};
  throw ConfigError(
      "invalid-range",
      fmt::format(
          "figure {}: y is shown from {} to {}, where there are no points; change its from and to",
          figure.name, low, high));
}

}  // namespace

double height_of_bars(const Figure& figure) {
  size_t most = 1;
  for (const auto& lines : all_names(figure)) most = std::max(most, lines.size());
  const double step = std::max(kBarStep, kLabelLine * static_cast<double>(most) + kBetweenNames);
  return std::max(kLeastHeight, step * (last_place(figure) + 1));
}

std::vector<std::string> bar_label_lines(const Figure& figure) {
  return label_lines(figure, figure.y.label, length_of_axis(figure) + 2 * (kRightOfBars - 4));
}

std::string bar_axes(const Figure& figure) {
  const std::vector<FigurePoint>& bars = bars_of(figure);
  const auto [low, high] = range_of_bars(figure);
  const double last = last_place(figure);
  std::vector<std::string> names;
  std::string reasons;
  for (const FigurePoint& bar : bars)
    names.push_back(fmt::format("{} {}", quoted_tic(figure, bar.label), last - bar.x));
  for (const MissingBar& missing : figure.missing_bars) {
    names.push_back(fmt::format("{} {}", quoted_tic(figure, missing.label), last - missing.x));
    reasons +=
        fmt::format("set label {} at graph 0, first {} left offset 1.2,0 font \",9\" noenhanced\n",
                    quoted(missing.reason), last - missing.x);
  }
  std::string out = fmt::format(
      "set lmargin at screen {:.4f}\nset rmargin at screen {:.4f}\n"
      "set xrange [{}:{}]\nset yrange [-0.6:{}]\nset ytics ({}) noenhanced nomirror\nset grid "
      "noytics\n",
      left_of_bars(figure) / page_width(figure), 1 - kRightOfBars / page_width(figure), low, high,
      last + 0.6, joined(names));
  out += fitting_tics(figure, 'x', {low, high}, length_of_axis(figure));
  if (figure.y.decimals) out += fmt::format("set format x \"%.{}f\"\n", *figure.y.decimals);
  return out + reasons + fmt::format("set xlabel {} noenhanced\n", quoted(bar_label_lines(figure)));
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
