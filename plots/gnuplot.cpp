#include "plots/gnuplot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/file.h"
#include "core/process.h"
#include "plots/renderer.h"
#include "plots/sheet.h"

namespace rethink {
namespace {

// Okabe and Ito's colours, which colour-blind readers can tell apart; grey is the paper's.
const std::vector<std::string> kColours = {"#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9"};
constexpr const char* kGrey = "#666666";
constexpr size_t kCaptionWidth = 105;     // characters
constexpr size_t kMostMarkedPoints = 12;  // a curve with more is a line without points

std::string quoted(const std::string& text) {
  return "\"" + escaped(text, {{"\\", "\\\\"}, {"\"", "\\\""}, {"`", "'"}}) + "\"";
}

struct Range {
  double low = 0, high = 1;
};

/// On the left axis: the paper's values divided by the right axis' scale.
Range shown_range(const Figure& figure) {
  std::optional<Range> range;
  for (const FigureSeries& series : figure.series) {
    const double scale = series.paper ? figure.right_scale.value_or(1.0) : 1.0;
    for (const FigurePoint& point : series.points) {
      const double low = (point.y - point.spread.value_or(0)) / scale;
      const double high = (point.y + point.spread.value_or(0)) / scale;
      if (!range) range = Range{low, high};
      range->low = std::min(range->low, low);
      range->high = std::max(range->high, high);
    }
  }
  Range shown = range.value_or(Range{});
  const double room =
      shown.high > shown.low ? 0.08 * (shown.high - shown.low) : 0.05 * std::abs(shown.high) + 1e-9;
  const bool logarithmic = figure.y.logarithmic && shown.low > 0;
  shown.low = figure.y.least.value_or(logarithmic ? shown.low / 1.05 : shown.low - room);
  shown.high = figure.y.most.value_or(logarithmic ? shown.high * 1.05 : shown.high + room);
  return shown;
}

std::string axis_range(const AxisSpec& axis, const Figure& figure) {
  std::optional<Range> range;
  for (const FigureSeries& series : figure.series) {
    for (const FigurePoint& point : series.points) {
      if (series.horizontal) continue;
      if (!range) range = Range{point.x, point.x};
      range->low = std::min(range->low, point.x);
      range->high = std::max(range->high, point.x);
    }
  }
  const Range shown = range.value_or(Range{});
  const double room = figure.kind == "line" && !axis.logarithmic ? 0.05 * (shown.high - shown.low) : 0;
  return fmt::format("set xrange [{}:{}]\n", axis.least.value_or(shown.low - room),
                     axis.most.value_or(shown.high + room));
}

std::string axes(const Figure& figure) {
  const Range range = shown_range(figure);
  std::string out = axis_range(figure.x, figure);
  out += fmt::format("set yrange [{}:{}]\n", range.low, range.high);
  if (figure.x.logarithmic) out += "set logscale x\n";
  if (figure.y.logarithmic) out += "set logscale y\n";
  out += fmt::format("set xlabel {} noenhanced\nset ylabel {} noenhanced\n", quoted(figure.x.label),
                     quoted(figure.y.label));
  if (!figure.right_scale) return out;
  const double scale = *figure.right_scale;
  out += fmt::format("set y2range [{}:{}]\nset ytics nomirror\nset y2tics textcolor rgb \"{}\"\n",
                     range.low * scale, range.high * scale, kGrey);
  if (figure.y.logarithmic) out += "set logscale y2\n";
  out +=
      fmt::format("set y2label {} noenhanced textcolor rgb \"{}\"\n", quoted("the paper's numbers"), kGrey);
  return out;
}

/// The caption's sentences in lines that fit the picture's width.
std::vector<std::string> wrapped_caption(const Figure& figure) {
  std::vector<std::string> lines;
  for (const std::string& text : figure.caption) {
    for (std::string& line : wrapped(text, kCaptionWidth)) lines.push_back(std::move(line));
  }
  return lines;
}

/// The caption stands below the plot, small; what is missing is red.
std::string caption(const Figure& figure) {
  std::string out;
  const std::vector<std::string> lines = wrapped_caption(figure);
  double line = static_cast<double>(lines.size());
  for (const std::string& text : lines) {
    line -= 1;
    const bool alarm = text.rfind("NOT COMPLETE", 0) == 0;
    out +=
        fmt::format("set label {} at screen 0.02,{:.4f} left noenhanced font \",10\" textcolor rgb \"{}\"\n",
                    quoted(text), 0.025 + 0.038 * line, alarm ? "#B00020" : "#444444");
  }
  const double below = static_cast<double>(lines.size());
  return out + fmt::format("set bmargin at screen {:.4f}\n", 0.14 + 0.038 * below);
}

bool has_spread(const FigureSeries& series) {
  return std::any_of(series.points.begin(), series.points.end(),
                     [](const auto& p) { return p.spread.has_value(); });
}

/// The plot elements of one series; `index` is its block in the data file.
std::vector<std::string> elements(const FigureSeries& series, size_t index, const std::string& colour,
                                  bool right) {
  const std::string axes = series.paper && right ? " axes x1y2" : "";
  const std::string title = fmt::format("title {} noenhanced", quoted(series.label));
  const std::string data = fmt::format("DATA index {} using ", index);
  std::vector<std::string> all;
  if (series.horizontal) {
    all.push_back(fmt::format("{:.17g}{} with lines lw 1.5 dt {} lc rgb \"{}\" {}", series.points[0].y, axes,
                              series.paper ? 3 : 2, colour, title));
    return all;
  }
  const bool marked = series.points.size() <= kMostMarkedPoints;
  if (has_spread(series) && !marked) {
    all.push_back(data +
                  fmt::format("1:3:4{} with filledcurves fs transparent solid 0.2 noborder lc rgb \"{}\" "
                              "notitle",
                              axes, colour));
  }
  if (has_spread(series) && marked) {
    all.push_back(
        data + fmt::format("1:2:3:4{} with yerrorbars pt 7 ps 0 lw 1.2 lc rgb \"{}\" notitle", axes, colour));
  }
  const std::string style =
      marked ? fmt::format("linespoints pt {} ps {} lw 2", series.paper ? 6 : 7, series.paper ? "1.1" : "0.9")
             : std::string("lines lw 2");
  all.push_back(data + fmt::format("1:2{} with {}{} lc rgb \"{}\" {}", axes, style,
                                   series.paper ? " dt 3" : "", colour, title));
  return all;
}

std::string plot_command(const Figure& figure) {
  std::vector<std::string> all;
  size_t colour = 0;
  for (size_t i = 0; i < figure.series.size(); ++i) {
    const FigureSeries& series = figure.series[i];
    const std::string& own = kColours[colour % kColours.size()];
    for (std::string& element :
         elements(series, i, series.paper ? kGrey : own, figure.right_scale.has_value())) {
      all.push_back(std::move(element));
    }
    if (!series.paper) ++colour;
  }
  return "plot " + joined(all, ", \\\n     ") + "\n";
}

/// Replaces what stands between `before` and `after` by as many zeros, wherever it stands: offsets stay true.
void blank(std::string& bytes, const std::string& before, char after) {
  for (size_t at = bytes.find(before); at != std::string::npos; at = bytes.find(before, at + 1)) {
    for (size_t i = at + before.size(); i < bytes.size() && bytes[i] != after; ++i) {
      if (bytes[i] >= '0' && bytes[i] <= '9') bytes[i] = '0';
    }
  }
}

}  // namespace

std::string figure_data(const Figure& figure) {
  std::string out = "# x y low high n\n";
  for (size_t i = 0; i < figure.series.size(); ++i) {
    const FigureSeries& series = figure.series[i];
    // Two empty lines part the blocks that gnuplot calls index 0, 1, ...
    out +=
        fmt::format("{}# {}{}\n", i ? "\n\n" : "", series.label, series.horizontal ? " (for every x)" : "");
    for (const FigurePoint& point : series.points) {
      const double spread = point.spread.value_or(0);
      out += fmt::format("{:.10g} {:.10g} {:.10g} {:.10g} {}\n", point.x, point.y, point.y - spread,
                         point.y + spread, point.n);
    }
  }
  return out;
}

std::string figure_script(const Figure& figure, const std::string& stem) {
  std::string out = fmt::format("# {}: gnuplot {}.gp draws {}.svg, .pdf and .png from {}.dat\n", figure.name,
                                stem, stem, stem);
  out += fmt::format("DATA = {}\nset encoding utf8\n", quoted(stem + ".dat"));
  out += fmt::format("set label {} at screen 0.5,0.965 center noenhanced font \",13\"\n",
                     quoted(figure.title.empty() ? figure.name : figure.title));
  out +=
      "set grid lc rgb \"#DDDDDD\" lw 0.6\nset border lc rgb \"#444444\"\nset tics textcolor rgb "
      "\"#222222\"\n";
  out +=
      "set key at screen 0.5,0.945 center top horizontal Left reverse samplen 3 noenhanced\nset tmargin at "
      "screen 0.845\nset bars 0.6\n";
  out += axes(figure) + caption(figure);
  const std::string plot = plot_command(figure);
  // Letters are drawn for SVG, so that it looks the same where the font is missing.
  const std::pair<const char*, const char*> terminals[] = {
      {"svg", "svg size 760,540 dynamic font \"DejaVu Sans,12\" name \"figure\" background rgb \"white\""},
      {"pdf", "pdfcairo size 7.2in,5.1in font \"DejaVu Sans,11\""},
      {"png",
       "pngcairo size 1520,1080 font \"DejaVu Sans,12\" fontscale 1.75 linewidth 2 pointscale 2 background "
       "rgb "
       "\"white\""}};
  for (const auto& [ending, terminal] : terminals) {
    out += fmt::format("\nset terminal {}\nset output {}\n{}", terminal, quoted(stem + "." + ending), plot);
  }
  return out + "set output\n";
}

std::vector<std::filesystem::path> draw_figure(const Figure& figure, const std::filesystem::path& folder,
                                               const std::string& stem) {
  RETHINK_ASSERT(!figure.empty(), figure.name);
  std::filesystem::create_directories(folder);
  write_file_atomically(folder / (stem + ".dat"), figure_data(figure));
  write_file_atomically(folder / (stem + ".gp"), figure_script(figure, stem));
  const ProgramResult result = run_program({.words = {"gnuplot", stem + ".gp"},
                                            .input = "",
                                            .folder = folder,
                                            .environment = {{"LC_ALL", "C.UTF-8"}}});
  if (result.status != 0) {
    throw MachineError(fmt::format("gnuplot could not draw {} (exit {}): {}",
                                   (folder / (stem + ".gp")).string(), result.status, result.error));
  }
  std::vector<std::filesystem::path> files;
  for (const char* ending : {".svg", ".pdf", ".png", ".gp", ".dat"})
    files.push_back(folder / (stem + ending));
  std::string pdf = read_file(files[1]);
  blank(pdf, "/CreationDate (", ')');
  write_file_atomically(files[1], pdf);
  return files;
}

}  // namespace rethink
