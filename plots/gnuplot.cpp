#include "plots/gnuplot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <list>

#include "core/file.h"
#include "core/process.h"
#include "plots/renderer.h"
#include "plots/sheet.h"

namespace rethink {
namespace {

// Okabe and Ito's colours, which colour-blind readers can tell apart; grey is the paper's.
const std::vector<std::string> kColours = {"#0072B2", "#D55E00", "#009E73",
                                           "#CC79A7", "#E69F00", "#56B4E9"};
constexpr const char* kGrey = "#666666";
constexpr size_t kCaptionWidth = 105;  // characters
constexpr double kWideScale = 100;     // of high to low: here and beyond powers of ten are enough
constexpr size_t kFewestTics = 3;
constexpr size_t kMostMarkedPoints = 12;  // a curve with more is a line without points

std::string quoted(const std::string& text) {
  return "\"" + escaped(text, {{"\\", "\\\\"}, {"\"", "\\\""}, {"`", "'"}}) + "\"";
}

struct Range {
  double low = 0, high = 1;
};

/// With some room at both ends, so that error bars end within the frame; around a single value
/// whatever `share` says.
Range with_room(Range range, bool logarithmic, double share) {
  if (logarithmic) {
    const double factor = range.high > range.low ? std::pow(range.high / range.low, share) : 1.05;
    return {range.low / factor, range.high * factor};
  }
  if (range.high > range.low) {
    const double room = share * (range.high - range.low);
    return {range.low - room, range.high + room};
  }
  const double room = range.high != 0 ? 0.05 * std::abs(range.high) : 1;  // gnuplot refuses none
  return {range.low - room, range.high + room};
}

void require_positive(double value, const char* axis, const Figure& figure) {
  if (value > 0) return;
  throw ConfigError(
      fmt::format("figure {}: {} = {} has no place on a logarithmic axis; take log: true from {}",
                  figure.name, axis, value, axis));
}

/// To the ends that the spec gives.
Range narrowed(const Range& range, const AxisSpec& axis, const char* name, const Figure& figure) {
  const Range shown{axis.least.value_or(range.low), axis.most.value_or(range.high)};
  if (axis.logarithmic) require_positive(shown.low, name, figure);
  if (shown.low >= shown.high) {
    throw ConfigError(fmt::format(
        "figure {}: {} is shown from {} to {}, where nothing lies; change its from and to",
        figure.name, name, shown.low, shown.high));
  }
  return shown;
}

/// On the left axis: the paper's values divided by the right axis' scale. A logarithmic one shows
/// no more of an error bar than is above 0.
Range shown_range(const Figure& figure) {
  std::optional<Range> range;
  const auto take = [&](double value) {
    if (!range) range = Range{value, value};
    range->low = std::min(range->low, value);
    range->high = std::max(range->high, value);
  };
  for (const FigureSeries& series : figure.series) {
    const double scale = series.paper ? figure.right_scale.value_or(1.0) : 1.0;
    for (const FigurePoint& point : series.points) {
      const double low = (point.y - point.spread.value_or(0)) / scale;
      if (figure.y.logarithmic) require_positive(point.y, "y", figure);
      take(point.y / scale);
      if (low > 0 || !figure.y.logarithmic) take(low);
      take((point.y + point.spread.value_or(0)) / scale);
    }
  }
  const Range shown = with_room(range.value_or(Range{}), figure.y.logarithmic, 0.08);
  return narrowed(shown, figure.y, "y", figure);
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
  const double share = figure.kind == "line" ? 0.05 : 0;
  return narrowed(with_room(range.value_or(Range{}), axis.logarithmic, share), axis, "x", figure);
}

/// gnuplot writes numbers at powers of ten only: a narrow logarithmic axis would have one or none.
std::string logarithmic_tics(const std::string& axis, const Range& range) {
  std::string out = fmt::format("set logscale {}\n", axis);
  if (range.high / range.low >= kWideScale) return out;
  std::vector<std::string> tics;
  for (double power = std::pow(10, std::floor(std::log10(range.low))); power < range.high;
       power *= 10) {
    for (const double digit : {1, 2, 5}) {
      if (digit * power >= range.low && digit * power <= range.high)
        tics.push_back(fmt::format("{:.6g}", digit * power));
    }
  }
  if (tics.size() < kFewestTics) {
    tics.clear();
    double step = std::pow(10, std::floor(std::log10((range.high - range.low) / kFewestTics)));
    if ((range.high - range.low) / step > 10) step *= 2;
    for (double at = std::ceil(range.low / step) * step; at <= range.high; at += step)
      tics.push_back(fmt::format("{:.6g}", at));
  }
  return out + fmt::format("set {}tics ({})\n", axis, joined(tics));
}

std::string axes(const Figure& figure) {
  const Range range = shown_range(figure), x = range_of_x(figure);
  std::string out =
      fmt::format("set xrange [{}:{}]\nset yrange [{}:{}]\n", x.low, x.high, range.low, range.high);
  if (figure.x.logarithmic) out += logarithmic_tics("x", x);
  if (figure.y.logarithmic)
    out += logarithmic_tics("y", range) + fmt::format("LOW = {}\n", range.low);
  out += fmt::format("set xlabel {} noenhanced\nset ylabel {} noenhanced\n", quoted(figure.x.label),
                     quoted(figure.y.label));
  if (!figure.right_scale) return out;
  const double scale = *figure.right_scale;
  out += fmt::format("set y2range [{}:{}]\nset ytics nomirror\nset y2tics textcolor rgb \"{}\"\n",
                     range.low * scale, range.high * scale, kGrey);
  if (figure.y.logarithmic) out += logarithmic_tics("y2", {range.low * scale, range.high * scale});
  out += fmt::format("set y2label {} noenhanced textcolor rgb \"{}\"\n",
                     quoted("the paper's numbers"), kGrey);
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
    const bool alarm = text.starts_with("NOT COMPLETE") || text.starts_with("DIVERGED");
    out += fmt::format(
        "set label {} at screen 0.02,{:.4f} left noenhanced font \",10\" textcolor rgb \"{}\"\n",
        quoted(text), 0.025 + 0.038 * line, alarm ? "#B00020" : "#444444");
  }
  const double below = static_cast<double>(lines.size());
  return out + fmt::format("set bmargin at screen {:.4f}\n", 0.14 + 0.038 * below);
}

bool has_spread(const FigureSeries& series) {
  return std::any_of(series.points.begin(), series.points.end(),
                     [](const auto& p) { return p.spread.has_value(); });
}

/// Column 3, the lower end of error bars; on a logarithmic axis one that is not above 0 ends at the
/// frame.
std::string low_column(const Figure& figure) {
  return figure.y.logarithmic ? "($3 > 0 ? $3 : LOW)" : "3";
}

/// The plot elements of one series; `index` is its block in the data file.
std::vector<std::string> elements(const Figure& figure, size_t index, const std::string& colour) {
  const FigureSeries& series = figure.series[index];
  const std::string axes = series.paper && figure.right_scale ? " axes x1y2" : "";
  const std::string title = fmt::format("title {} noenhanced", quoted(series.label));
  const std::string data = fmt::format("DATA index {} using ", index);
  std::vector<std::string> all;
  if (series.horizontal) {
    all.push_back(fmt::format("{:.17g}{} with lines lw 1.5 dt {} lc rgb \"{}\" {}",
                              series.points[0].y, axes, series.paper ? 3 : 2, colour, title));
    return all;
  }
  const bool marked = series.points.size() <= kMostMarkedPoints;
  if (has_spread(series) && !marked) {
    all.push_back(
        data +
        fmt::format("1:{}:4{} with filledcurves fs transparent solid 0.2 noborder lc rgb \"{}\" "
                    "notitle",
                    low_column(figure), axes, colour));
  }
  if (has_spread(series) && marked) {
    all.push_back(data +
                  fmt::format("1:2:{}:4{} with yerrorbars pt 7 ps 0 lw 1.2 lc rgb \"{}\" notitle",
                              low_column(figure), axes, colour));
  }
  const std::string style = marked ? fmt::format("linespoints pt {} ps {} lw 2",
                                                 series.paper ? 6 : 7, series.paper ? "1.1" : "0.9")
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
    for (std::string& element : elements(figure, i, series.paper ? kGrey : own)) {
      all.push_back(std::move(element));
    }
    if (!series.paper) ++colour;
  }
  return "plot " + joined(all, ", \\\n     ") + "\n";
}

/// Replaces what stands between `before` and `after` by as many zeros, wherever it stands: offsets
/// stay true.
void blank(std::string& bytes, const std::string& before, char after) {
  for (size_t at = bytes.find(before); at != std::string::npos; at = bytes.find(before, at + 1)) {
    for (size_t i = at + before.size(); i < bytes.size() && bytes[i] != after; ++i) {
      if (bytes[i] >= '0' && bytes[i] <= '9') bytes[i] = '0';
    }
  }
}

constexpr std::array<const char*, 3> kPictures = {".svg", ".pdf", ".png"};

/// The script that writes its pictures to `pictures`, in the order of kPictures.
std::string script_writing(const Figure& figure, const std::string& stem,
                           const std::vector<std::string>& pictures) {
  std::string out = fmt::format("# {}: gnuplot {}.gp draws {}.svg, .pdf and .png from {}.dat\n",
                                figure.name, stem, stem, stem);
  out += fmt::format("DATA = {}\nset encoding utf8\n", quoted(stem + ".dat"));
  out += fmt::format("set label {} at screen 0.5,0.965 center noenhanced font \",13\"\n",
                     quoted(figure.title.empty() ? figure.name : figure.title));
  out +=
      "set grid lc rgb \"#DDDDDD\" lw 0.6\nset border lc rgb \"#444444\"\nset tics textcolor rgb "
      "\"#222222\"\nset format \"%h\"\n";
  out +=
      "set key at screen 0.5,0.945 center top horizontal Left reverse samplen 3 noenhanced\nset "
      "tmargin at screen 0.845\nset bars 0.6\n";
  out += axes(figure) + caption(figure);
  const std::string plot = plot_command(figure);
  // Letters are drawn for SVG, so that it looks the same where the font is missing.
  constexpr std::array<const char*, kPictures.size()> kTerminals = {
      "svg size 760,540 dynamic font \"DejaVu Sans,12\" name \"figure\" background rgb \"white\"",
      "pdfcairo size 7.2in,5.1in font \"DejaVu Sans,11\"",
      "pngcairo size 1520,1080 font \"DejaVu Sans,12\" fontscale 1.75 linewidth 2 pointscale 2 "
      "background rgb \"white\""};
  for (size_t i = 0; i < kPictures.size(); ++i) {
    out += fmt::format("\nset terminal {}\nset output {}\n{}", kTerminals[i], quoted(pictures[i]),
                       plot);
  }
  return out + "set output\n";
}

}  // namespace

std::string figure_data(const Figure& figure) {
  std::string out = "# x y low high n\n";
  for (size_t i = 0; i < figure.series.size(); ++i) {
    const FigureSeries& series = figure.series[i];
    // Two empty lines part the blocks that gnuplot calls index 0, 1, ...
    out += fmt::format("{}# {}{}\n", i ? "\n\n" : "", series.label,
                       series.horizontal ? " (for every x)" : "");
    for (const FigurePoint& point : series.points) {
      const double spread = point.spread.value_or(0);
      out += fmt::format("{:.10g} {:.10g} {:.10g} {:.10g} {}\n", point.x, point.y, point.y - spread,
                         point.y + spread, point.n);
    }
  }
  return out;
}

std::string figure_script(const Figure& figure, const std::string& stem) {
  std::vector<std::string> pictures;
  for (const char* ending : kPictures) pictures.push_back(stem + ending);
  return script_writing(figure, stem, pictures);
}

std::string svg_within_page(const std::string& svg, const std::string& name) {
  const size_t begin = svg.find("<svg");
  if (begin == std::string::npos) return "";
  std::string prefix;
  for (const char c : name) prefix += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  std::vector<std::pair<std::string, std::string>> replace;
  for (const char* before : {" id=\"", " id='", "href=\"#", "href='#", "url(#"})
    replace.emplace_back(before, before + prefix + "_");
  return escaped(svg.substr(begin), replace);
}

std::vector<std::filesystem::path> draw_figure(const Figure& figure,
                                               const std::filesystem::path& folder,
                                               const std::string& stem) {
  RETHINK_ASSERT(!figure.empty(), figure.name);
  std::filesystem::create_directories(folder);
  write_file_atomically(folder / (stem + ".dat"), figure_data(figure));
  write_file_atomically(folder / (stem + ".gp"), figure_script(figure, stem));
  std::list<PendingFile> pending;
  std::vector<std::string> temporary;
  for (const char* ending : kPictures) {
    temporary.push_back(pending.emplace_back(folder / (stem + ending)).temporary().filename());
  }
  const ProgramResult result = run_program({.words = {"gnuplot", "-"},
                                            .input = script_writing(figure, stem, temporary),
                                            .folder = folder,
                                            .environment = {{"LC_ALL", "C.UTF-8"}}});
  if (result.status != 0) {
    throw MachineError(fmt::format("gnuplot could not draw {} (exit {}): {}",
                                   (folder / (stem + ".gp")).string(), result.status,
                                   result.error));
  }
  const std::filesystem::path pdf = std::next(pending.begin())->temporary();
  std::string bytes = read_file(pdf);
  blank(bytes, "/CreationDate (", ')');
  write_file_atomically(pdf, bytes);
  for (PendingFile& picture : pending) picture.rename_to_final();
  std::vector<std::filesystem::path> files;
  for (const char* ending : {".svg", ".pdf", ".png", ".gp", ".dat"})
    files.push_back(folder / (stem + ending));
  return files;
}

}  // namespace rethink
