#include "plots/figure/drawing/gnuplot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <list>
#include <set>

#include "core/error.h"
#include "core/files/file.h"
#include "core/files/unique_names.h"
#include "core/system/log.h"
#include "core/text.h"
#include "plots/figure/drawing/gnuplot_axes.h"
#include "plots/figure/drawing/gnuplot_bars.h"
#include "plots/figure/drawing/gnuplot_page.h"
#include "plots/figure/drawing/run_gnuplot.h"
#include "plots/text_format.h"

namespace rethink {
namespace {

// Okabe and Ito's colours, which colour-blind readers can distinguish. A dark red replaces their
// yellow, which is faint on white; grey is the paper's colour.
const std::vector<std::string> kColours = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                           "#E69F00", "#56B4E9", "#000000", "#882255"};
/// The marks of our points and of the paper's points for each series. There is one mark fewer than
/// colours, so that series with one mark have different colours, and the reverse.
constexpr int kMarks[][2] = {{7, 6}, {5, 4}, {9, 8}, {11, 10}, {13, 12}, {15, 14}, {3, 2}};
constexpr const char* kDashes[] = {"1", "4", "5"};  // if colours repeat
/// Dashes of series without points of the paper. They distinguish series in grey print, and where
/// one line is drawn over another, the gaps show the lower line.
constexpr const char* kApart[] = {"1",         "(11,5)",        "(6,5)", "(11,4,2,4)",
                                  "(3.5,3.5)", "(6,3,2,3,2,3)", "(2,4)"};
/// Marks around the last point of a curve that ends at a limit, by the index of the limit.
constexpr int kEndMarks[] = {6, 4};
constexpr double kLegendWidth =
    80;  // of a page as wide as a screen; an entry has its label and kLegendSample
constexpr size_t kLegendSample = 6;
constexpr double kLegendSamplePixels = 44, kBesideLegend = 2;
constexpr double kDodge = 0.008;    // share of the x axis between the error bars of two series
constexpr double kBarEnd = 0.0025;  // share of the picture's width: half of the end line
constexpr size_t kMostMarkedPoints = 12;  // a curve with more points has no marks, unless
constexpr size_t kMostToldByDashes = 4;   // there are more curves than this; then
constexpr size_t kMarksOfACurve = 8;      // each curve has so many marks

constexpr const char* kStyle = R"(set grid lt 1 lc rgb "#E4E4E4" lw 0.6
set border lc rgb "#444444"
set tics textcolor rgb "#222222"
set format "%h"
set clip two
)";

// Pixels of the SVG.
constexpr double kAboveLegend = 5, kLegendLine = 15.5;
constexpr double kLegendRise = 3.72;  // gnuplot leaves as much space above the first entry
constexpr double kAxis = 62.1;        // axis text below the plot, and room before the caption
constexpr double kAxisAlone = 46;     // if no caption follows

std::string end_title(const std::string& limit) {
  return "ends at " + limit;
}

/// The limits at which curves end: labels of last points.
std::vector<std::string> limits_of(const Figure& figure) {
  std::set<std::string> limits;
  for (const FigureSeries& series : figure.series) {
    if (figure.look == SeriesLook::lines && !series.points.empty())
      limits.insert(series.points.back().label);
  }
  limits.erase("");
  return {limits.begin(), limits.end()};
}

/// Returns how many times this page fits into a page as wide as a screen.
double shrinking(const Figure& figure) {
  return kPageWidth / page_width(figure);
}

std::vector<std::string> legend_lines(const Figure& figure, const std::string& entry) {
  return label_lines(figure, entry, page_width(figure) - 2 * kBesideLegend - kLegendSamplePixels);
}

/// Heights of the parts of the page, from top to bottom.
struct Page {
  double title, legend, plot, axis, caption;
  size_t legend_rows;
  double height() const { return std::ceil(title + legend + plot + axis + caption); }
};

Page page_of(const Figure& figure) {
  std::vector<std::string> entries;
  for (const FigureSeries& series : figure.series) entries.push_back(series.label);
  for (const std::string& limit : limits_of(figure)) entries.push_back(end_title(limit));
  size_t widest = 0;
  for (const std::string& entry : entries) widest = std::max(widest, width_of(entry));
  const auto width = static_cast<size_t>(kLegendWidth / shrinking(figure));
  const size_t columns = std::max<size_t>(1, width / (widest + kLegendSample));
  const double caption = caption_height(figure);
  const bool has_bars = figure.look == SeriesLook::bars;
  // A paper's caption describes a single series, and an axis names its bars.
  const bool has_legend = !has_bars && (entries.size() > 1 || figure.page.has_title);
  size_t rows = (entries.size() + columns - 1) / columns;
  if (has_legend && columns == 1) {
    rows = 0;
    for (const std::string& entry : entries) rows += legend_lines(figure, entry).size();
  }
  const auto label_rows =
      static_cast<double>((has_bars ? bar_label_lines(figure) : x_label_lines(figure)).size());
  return {.title = title_height(figure),
          .legend = has_legend ? kAboveLegend + kLegendLine * static_cast<double>(rows) : 0,
          .plot = has_bars ? height_of_bars(figure) : plot_height(figure),
          .axis = (caption > 0 ? kAxis : kAxisAlone) + kLabelLine * (label_rows - 1),
          .caption = caption,
          .legend_rows = has_legend ? rows : 0};
}

/// The title, below it the legend in as many lines as needed, then the plot, then the caption.
std::string around_plot(const Figure& figure, const Page& page) {
  const double height = page.height(), top = 1 - page.title / height;
  const std::string key =
      page.legend_rows == 0
          ? "unset key\n"
          : fmt::format(
                "set key at screen 0.5,{:.4g} center top vertical maxrows {} Left reverse "
                "samplen 4 noenhanced\n",
                top + kLegendRise / height, page.legend_rows);
  return title_labels(figure, height) + key +
         fmt::format("set tmargin at screen {:.4g}\nset bmargin at screen {:.4f}\n",
                     top - page.legend / height, (page.axis + page.caption) / height) +
         caption_labels(figure, height);
}

bool has_any_bar(const FigureSeries& series) {
  return std::any_of(series.points.begin(), series.points.end(),
                     [](const auto& p) { return p.has_bar(); });
}

/// Column 3, the lower end of error bars. On a logarithmic axis an end that is not above 0 is
/// replaced by the frame.
std::string low_column(const Figure& figure) {
  return figure.y.logarithmic ? "($3 > 0 ? $3 : LOW)" : "($3)";
}

bool has_band(const FigureSeries& series) {
  return has_any_bar(series) && series.points.size() > kMostMarkedPoints;
}

bool has_error_bars(const FigureSeries& series) {
  return !series.horizontal && has_any_bar(series) && !has_band(series);
}

/// Column 1, x. If several series have error bars, the series are shifted slightly, with points,
/// lines and bars, so that no bar goes through another series' point. Curves are not shifted, since
/// the last step would be beyond the end of training.
std::string x_column(const Figure& figure, size_t index) {
  const auto& all = figure.series;
  const auto bars = std::count_if(all.begin(), all.end(), has_error_bars);
  if (bars < 2 || figure.look != SeriesLook::lines || !has_error_bars(all[index])) return "1";
  const auto before =
      std::count_if(all.begin(), all.begin() + static_cast<ptrdiff_t>(index), has_error_bars);
  const double share = kDodge * shrinking(figure) *
                       (static_cast<double>(before) - static_cast<double>(bars - 1) / 2);
  const Range x = range_of_x(figure);
  return figure.x.logarithmic ? fmt::format("($1 * {:.6g})", std::pow(x.high / x.low, share))
                              : fmt::format("($1 + {:.6g})", share * (x.high - x.low));
}

/// The same for error bars. Bars between measurements that are shorter than a point's height are not
/// drawn, since they would look like specks.
std::string bar_x_column(const Figure& figure, size_t index) {
  const std::string column = x_column(figure, index);
  if (!has_measured_bars(figure.series[index])) return column;
  return fmt::format("(SHORT($3, $4) ? NaN : {})", column == "1" ? "$1" : column);
}

bool has_labels(const FigureSeries& series) {
  return std::any_of(series.points.begin(), series.points.end(),
                     [](const auto& p) { return !p.label.empty(); });
}

/// Whether there are too few colours and dashes to find a curve by the legend.
bool is_crowded(const Figure& figure) {
  const auto curves = std::ranges::count_if(
      figure.series, [](const FigureSeries& series) { return !series.horizontal; });
  return static_cast<size_t>(curves) > kMostToldByDashes;
}

struct SeriesStyle {
  std::string colour, dash;
  int mark;
};

/// A single series or line of the paper is grey, like its axis; several have the colours of our series.
SeriesStyle look_of(const Figure& figure, const FigureSeries& series) {
  const auto theirs =
      std::count_if(figure.series.begin(), figure.series.end(), [&](const FigureSeries& other) {
        return other.paper && other.horizontal == series.horizontal;
      });
  const bool is_grey = series.paper && theirs < 2;
  const std::string colour = is_grey ? kGrey : kColours[series.place % kColours.size()];
  const auto& marks = kMarks[series.place % std::size(kMarks)];
  if (figure.look != SeriesLook::points &&
      std::ranges::none_of(figure.series, &FigureSeries::paper))
    return {colour, kApart[series.place % std::size(kApart)], marks[series.place % 2]};
  return {colour, series.paper ? "3" : kDashes[series.place / kColours.size() % std::size(kDashes)],
          marks[series.paper ? 1 : 0]};
}

/// A ring, or a square, around a point.
std::string end_mark(const Figure& figure, const std::string& limit) {
  const std::vector<std::string> limits = limits_of(figure);
  const auto place = static_cast<size_t>(std::ranges::find(limits, limit) - limits.begin());
  return fmt::format("pt {} ps 2 lw 1.5", kEndMarks[place % std::size(kEndMarks)]);
}

/// The spread around a curve of many points; `index` is its block in the data file.
std::string band(const Figure& figure, size_t index) {
  return fmt::format(
      "DATA index {} using 1:{}:4 with filledcurves fs transparent solid 0.2 noborder "
      "lc rgb \"{}\" notitle",
      index, low_column(figure), look_of(figure, figure.series[index]).colour);
}

/// The paper's hollow marks are larger than our marks, so that both are seen where they meet.
std::string point_mark(const FigureSeries& series, int mark) {
  const char* size = series.paper ? "1.4" : mark % 2 == 0 ? "1.1" : "0.9";
  return fmt::format("pt {} ps {} lw 2", mark, size);
}

/// Our points once more, over the paper's; `index` is their block in the data file.
std::string points_on_top(const Figure& figure, size_t index) {
  const SeriesStyle look = look_of(figure, figure.series[index]);
  return fmt::format("DATA index {} using {}:2 with points {} lc rgb \"{}\" notitle", index,
                     x_column(figure, index), point_mark(figure.series[index], look.mark),
                     look.colour);
}

/// The lines of an entry of the legend after its first: entries without a sample.
std::vector<std::string> further_lines(const std::vector<std::string>& lines) {
  std::vector<std::string> all;
  for (size_t i = 1; i < lines.size(); ++i) {
    all.push_back(
        fmt::format("keyentry with dots lc rgb \"white\" title {} noenhanced", quoted(lines[i])));
  }
  return all;
}

/// The plot elements of one series; `index` is its block in the data file.
std::vector<std::string> elements(const Figure& figure, size_t index) {
  const FigureSeries& series = figure.series[index];
  const SeriesStyle look = look_of(figure, series);
  const std::string axes = series.paper && figure.right_scale ? " axes x1y2" : "";
  const std::vector<std::string> lines = page_of(figure).legend_rows == 0
                                             ? std::vector{series.label}
                                             : legend_lines(figure, series.label);
  const std::string title = fmt::format("title {} noenhanced", quoted(lines[0]));
  const std::vector<std::string> further = further_lines(lines);
  const std::string data = fmt::format("DATA index {} using ", index);
  std::vector<std::string> all;
  if (series.horizontal) {
    all.push_back(fmt::format("{:.17g}{} with lines lw 1.5 dt {} lc rgb \"{}\" {}",
                              series.points[0].y, axes, series.paper ? 3 : 2, look.colour, title));
    all.insert(all.end(), further.begin(), further.end());
    return all;
  }
  const bool marked = series.points.size() <= kMostMarkedPoints;
  if (has_error_bars(series)) {
    // gnuplot's yerrorbars would leave a gap for a point that does not exist.
    all.push_back(data + fmt::format("{0}:{1}:(0):($4 - {1}) with vectors heads size screen {2},90 "
                                     "lw 1.2 lc rgb \"{3}\" notitle",
                                     bar_x_column(figure, index), low_column(figure),
                                     kBarEnd * shrinking(figure), look.colour));
  }
  const std::string mark = point_mark(series, look.mark);
  // A single point has no line, also in the legend.
  const size_t marked_every = (series.points.size() + kMarksOfACurve - 1) / kMarksOfACurve;
  const std::string style = series.points.size() == 1 ? "points " + mark
                            : marked ? fmt::format("linespoints {} dt {}", mark, look.dash)
                            : is_crowded(figure) ? fmt::format("linespoints {} pi {} dt {}", mark,
                                                               marked_every, look.dash)
                                                 : fmt::format("lines lw 2 dt {}", look.dash);
  all.push_back(data + fmt::format("{}:2{} with {} lc rgb \"{}\" {}", x_column(figure, index), axes,
                                   style, look.colour, title));
  all.insert(all.end(), further.begin(), further.end());
  if (!has_labels(series)) return all;
  if (figure.look == SeriesLook::lines) {
    const size_t last = series.points.size() - 1;
    all.push_back(
        fmt::format("DATA index {} every ::{}::{} using {}:2{} with points {} lc rgb "
                    "\"{}\" notitle",
                    index, last, last, x_column(figure, index), axes,
                    end_mark(figure, series.points[last].label), look.colour));
    return all;
  }
  // Labels alternate above and below their points, since labels of near points would overlap.
  for (const auto& [every, offset] : {std::pair{"2::0", "0.8"}, {"2::1", "-0.9"}}) {
    all.push_back(
        fmt::format("DATA index {} every {} using 1:2:6{} with labels offset 0,{} font "
                    "\",8\" textcolor rgb \"{}\" noenhanced notitle",
                    index, every, axes, offset, look.colour));
  }
  return all;
}

std::string plot_command(const Figure& figure) {
  std::vector<std::string> all;
  // Bands are below all lines.
  for (size_t i = 0; i < figure.series.size(); ++i) {
    if (has_band(figure.series[i])) all.push_back(band(figure, i));
  }
  for (size_t i = 0; i < figure.series.size(); ++i) {
    for (std::string& element : elements(figure, i)) all.push_back(std::move(element));
  }
  const bool has_paper = std::ranges::any_of(figure.series, &FigureSeries::paper);
  for (size_t i = 0; has_paper && i < figure.series.size(); ++i) {
    const FigureSeries& series = figure.series[i];
    if (!series.paper && !series.horizontal && series.points.size() <= kMostMarkedPoints)
      all.push_back(points_on_top(figure, i));
  }
  for (const std::string& limit : limits_of(figure)) {
    const std::vector<std::string> lines = legend_lines(figure, end_title(limit));
    all.push_back(fmt::format("keyentry with points {} lc rgb \"{}\" title {}",
                              end_mark(figure, limit), kGrey, quoted(lines[0])));
    for (std::string& line : further_lines(lines)) all.push_back(std::move(line));
  }
  return "plot " + joined(all, ", \\\n     ") + "\n";
}

/// Replaces each text between `before` and `after` by zeros of equal length, so that offsets in the
/// file stay valid.
void blank(std::string& bytes, const std::string& before, char after) {
  for (size_t at = bytes.find(before); at != std::string::npos; at = bytes.find(before, at + 1)) {
    for (size_t i = at + before.size(); i < bytes.size() && bytes[i] != after; ++i) {
      if (bytes[i] >= '0' && bytes[i] <= '9') bytes[i] = '0';
    }
  }
}

/// Replaces the page's transparency group by blanks, which keeps the places of all objects. A page
/// with two such PDFs makes pdfTeX warn. Bands stay transparent: the group only says in which colours
/// they are blended.
void blank_page_group(std::string& bytes) {
  const size_t page = bytes.find("/Type /Page ");
  if (page == std::string::npos) return;
  const size_t begin = bytes.find("/Group <<", page), end = bytes.find(">>", begin);
  if (end == std::string::npos || bytes.find("endobj", page) < end) return;
  std::fill(bytes.begin() + static_cast<ptrdiff_t>(begin),
            bytes.begin() + static_cast<ptrdiff_t>(end + 2), ' ');
}

/// The name of a file of this folder, as gnuplot opens it and never runs it: gnuplot runs a name
/// that begins with | or <.
std::string file_word(const std::string& name) {
  return "'./" + name + "'";
}

/// The script that writes its pictures to `pictures`, in the order of kPictures.
std::string script_writing(const Figure& figure, const std::string& stem,
                           const std::vector<std::string>& pictures) {
  std::string out =
      fmt::format("# gnuplot {0}.gp draws {0}.svg, .pdf and .png from {0}.dat\n", stem);
  out += fmt::format("DATA = {}\nset encoding utf8\n", file_word(stem + ".dat"));
  double height = 0;
  std::string plot;
  if (figure.drawing) {
    height = figure.drawing->height(figure);
    plot = figure.drawing->plots(figure);
  } else {
    const Page page = page_of(figure);
    height = page.height();
    const bool has_bars = figure.look == SeriesLook::bars;
    out += kStyle + around_plot(figure, page) + (has_bars ? bar_axes(figure) : axes(figure));
    plot = has_bars ? bar_plot(figure) : plot_command(figure);
  }
  const std::array<std::string, kPictures.size()> terminal = terminals(figure, height);
  for (size_t i = 0; i < kPictures.size(); ++i) {
    out += fmt::format("\nset terminal {}\nset output {}\n{}", terminal[i], file_word(pictures[i]),
                       plot);
  }
  return out + "set output\n";
}

}  // namespace

std::string figure_data(const Figure& figure) {
  if (figure.drawing) return figure.drawing->data();
  std::string out;
  if (figure.page.caption) {
    for (const std::string& sentence : figure.caption)
      out += fmt::format("# {}\n", one_line(sentence));
  }
  out += "# x y low high n\n";
  for (size_t i = 0; i < figure.series.size(); ++i) {
    const FigureSeries& series = figure.series[i];
    // Two empty lines separate the blocks that gnuplot calls index 0, 1, ...
    out += fmt::format("{}# {}{}\n", i ? "\n\n" : "", one_line(series.label),
                       series.horizontal ? " (for every x)" : "");
    for (const FigurePoint& point : series.points) {
      out +=
          fmt::format("{:.10g} {:.10g} {:.10g} {:.10g} {}{}\n", point.x, point.y, point.low(),
                      point.high(), point.n, has_labels(series) ? " " + quoted(point.label) : "");
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
                                               const std::string& name) {
  RETHINK_ASSERT(!figure.empty(), figure.name);
  if (const std::string note = points_left_out(figure); !note.empty())
    log_warning(fmt::format("figure {}: {}", figure.name, note));
  const std::string stem = stem_of_files(name);
  std::filesystem::create_directories(folder);
  const std::string script = figure_script(figure, stem);  // throws before files are written
  write_file_atomically(folder / (stem + ".dat"), figure_data(figure));
  write_file_atomically(folder / (stem + ".gp"), script);
  std::list<PendingFile> pending;
  std::vector<std::string> temporary;
  for (const char* ending : kPictures) {
    temporary.push_back(pending.emplace_back(folder / (stem + ending)).temporary().filename());
  }
  const std::string warned =
      run_gnuplot(script_writing(figure, stem, temporary), folder, folder / (stem + ".gp"));
  if (!warned.empty()) log_warning(fmt::format("figure {}: {}", name, warned));
  const std::filesystem::path pdf = std::next(pending.begin())->temporary();
  std::string bytes = read_file(pdf);
  blank(bytes, "/CreationDate (", ')');
  blank_page_group(bytes);
  write_file_atomically(pdf, bytes);
  if (figure.drawing) {
    const std::filesystem::path svg = pending.front().temporary();
    write_file_atomically(svg, figure.drawing->finished_svg(read_file(svg)));
  }
  for (PendingFile& picture : pending) picture.rename_to_final();
  std::vector<std::filesystem::path> files;
  for (const char* ending : {".svg", ".pdf", ".png", ".gp", ".dat"})
    files.push_back(folder / (stem + ending));
  return files;
}

}  // namespace rethink
