#include "plots/figure/drawing/heatmap.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/text.h"
#include "plots/figure/drawing/gnuplot_page.h"
#include "plots/text_format.h"

namespace rethink {

Matrix square_matrix(const uint8_t* cells, int64_t positions) {
  const auto n = static_cast<size_t>(positions);
  return {n, n, {cells, cells + n * n}};
}

namespace {

// Pixels of the SVG.
constexpr double kLeftOfPanel = 34;    // numbers of its rows
constexpr double kAbovePanel = 40;     // its label
constexpr double kBelowPanel = 26;     // numbers of its columns
constexpr double kColourBar = 66;      // right of all panels
constexpr double kLargestPanel = 440;  // a single larger panel would fill more than a screen
constexpr double kLabelLetter = 7.2;   // mean width of a letter of a label
/// Between the cells and their frame, so that a dark first or last row does not merge with the
/// frame.
constexpr double kFrameGap = 3;
// Largest number of whole numbers that a colour bar names one by one.
constexpr double kMostSteps = 10;

// From no attention to full attention. A binary matrix has only both ends.
constexpr const char* kPalette = R"(0 "white", 0.35 "#A9CCE3", 0.7 "#0072B2", 1 "#00263D")";
constexpr const char* kBinaryPalette = R"(0 "white", 1 "#1A1A1A")";

/// The positions of the panels.
struct HeatmapLayout {
  double most = 0, side = 0;  // room for a panel's side; the longest drawn side
  double slot = 0;            // width of a panel with its numbers
  double top = 0;             // top of the first row of panels
  size_t across = 1, down = 1;

  /// Height of a panel with its label and numbers.
  double slot_high() const { return kAbovePanel + side + 2 * kFrameGap + kBelowPanel; }
};

bool all_binary(const std::vector<Panel>& panels) {
  return std::all_of(panels.begin(), panels.end(),
                     [](const Panel& panel) { return panel.matrix.is_binary(); });
}

size_t longer_side(const Matrix& matrix) {
  return std::max(matrix.rows, matrix.columns);
}

/// The side of a panel with this number of cells on its longer side, at most `most`. A cell is a
/// whole number of the PNG's pixels, which are half of the SVG's, so that all cells look alike,
/// unless too much of the room would stay empty.
double side_of(size_t cells, double most) {
  constexpr double kLeastUse = 0.75;
  const double count = static_cast<double>(cells);
  const double side = std::floor(2 * most / count) * count / 2;
  return side >= kLeastUse * most ? side : most;
}

HeatmapLayout heatmap_layout(const HeatmapDrawing& drawing, const Figure& figure) {
  HeatmapLayout layout;
  layout.across = std::min(drawing.across, drawing.panels.size());
  layout.down = (drawing.panels.size() + layout.across - 1) / layout.across;
  const double bar = all_binary(drawing.panels) ? 0 : kColourBar;
  layout.slot = (kPageWidth - 2 * kPageMargin - bar) / static_cast<double>(layout.across);
  layout.most = std::min(layout.slot - kLeftOfPanel - 2 * kFrameGap, kLargestPanel);
  for (const Panel& panel : drawing.panels)
    layout.side = std::max(layout.side, side_of(longer_side(panel.matrix), layout.most));
  layout.top = title_height(figure);
  return layout;
}

struct Colours {
  double low = 0, high = 1;
};

Colours colours_of(const std::vector<Panel>& panels) {
  Colours colours{panels[0].matrix.cells[0], panels[0].matrix.cells[0]};
  for (const Panel& panel : panels) {
    const auto [low, high] =
        std::minmax_element(panel.matrix.cells.begin(), panel.matrix.cells.end());
    colours.low = std::min(colours.low, *low);
    colours.high = std::max(colours.high, *high);
  }
  // Gnuplot refuses an empty range.
  if (colours.low == colours.high) colours.high = colours.low + 1;
  return colours;
}

/// Whether the values are whole numbers, and few enough to name each one.
bool has_few_steps(const std::vector<Panel>& panels, const Colours& colours) {
  const auto is_whole = [](double cell) { return cell == std::floor(cell); };
  return colours.high - colours.low <= kMostSteps &&
         std::all_of(panels.begin(), panels.end(), [&](const Panel& panel) {
           return std::all_of(panel.matrix.cells.begin(), panel.matrix.cells.end(), is_whole);
         });
}

/// "Star" and, below it, "sparsity 96.1 %".
std::string panel_label(const Panel& panel, double room) {
  std::string label = one_line(panel.label);
  const auto letters = static_cast<size_t>(room / kLabelLetter);
  const std::vector<std::string> lines = wrapped(label, letters);
  if (lines.size() > 1) label = lines[0] + " ...";
  if (!panel.matrix.is_binary()) return label;
  return fmt::format("{}\nsparsity {:.1f} %", label, 100 * panel.matrix.sparsity());
}

/// Two lines for gnuplot.
std::string quoted_lines(const std::string& text) {
  const size_t end = text.find('\n');
  if (end == std::string::npos) return quoted(text);
  const std::string first = quoted(text.substr(0, end)), second = quoted(text.substr(end + 1));
  return first.substr(0, first.size() - 1) + "\\n" + second.substr(1);
}

std::string heatmap_panel_plot(const Panel& panel, size_t index, const HeatmapLayout& layout,
                               double height) {
  const size_t rows = panel.matrix.rows, columns = panel.matrix.columns;
  const double longer = side_of(longer_side(panel.matrix), layout.most);
  const double cell = longer / static_cast<double>(longer_side(panel.matrix));
  const double wide = cell * static_cast<double>(columns), high = cell * static_cast<double>(rows);
  const double left = kPageMargin + kLeftOfPanel + (layout.slot - kLeftOfPanel - longer) / 2 -
                      kFrameGap + layout.slot * static_cast<double>(index % layout.across);
  const double top =
      layout.top + kAbovePanel + layout.slot_high() * static_cast<double>(index / layout.across);
  std::string out = plot_margins(left / kPageWidth, (left + wide + 2 * kFrameGap) / kPageWidth,
                                 1 - top / height, 1 - (top + high + 2 * kFrameGap) / height);
  out += fmt::format("set title {} noenhanced font \",10\" offset 0,-0.6\n",
                     quoted_lines(panel_label(panel, layout.slot)));
  const double gap = kFrameGap / cell;
  out +=
      fmt::format("set xrange [{0:.6g}:{1:.6g}]\nset yrange [{2:.6g}:{0:.6g}]\n", -0.5 - gap,
                  static_cast<double>(columns) - 0.5 + gap, static_cast<double>(rows) - 0.5 + gap);
  out += fmt::format(
      "set xtics out nomirror scale 0.4 font \",8\" (\"1\" 0, \"{0}\" {1})\n"
      "set ytics out nomirror scale 0.4 font \",8\" (\"1\" 0, \"{2}\" {3})\n",
      columns, columns - 1, rows, rows - 1);
  return out + fmt::format("plot DATA index {} matrix with image notitle\n", index);
}

}  // namespace

std::string HeatmapDrawing::data() const {
  std::string out = "# a block for each panel, a line for each query, a column for each key\n";
  for (size_t i = 0; i < panels.size(); ++i) {
    const Matrix& matrix = panels[i].matrix;
    out += fmt::format("{}# {}\n", i ? "\n\n" : "", one_line(panels[i].label));
    for (size_t cell = 0; cell < matrix.cells.size(); ++cell) {
      const bool ends = (cell + 1) % matrix.columns == 0;
      out += fmt::format("{:.10g}{}", matrix.cells[cell], ends ? '\n' : ' ');
    }
  }
  return out;
}

double HeatmapDrawing::height(const Figure& figure) const {
  const HeatmapLayout layout = heatmap_layout(*this, figure);
  return std::ceil(layout.top + layout.slot_high() * static_cast<double>(layout.down) +
                   caption_height(figure) + kPageMargin);
}

std::string HeatmapDrawing::plots(const Figure& figure) const {
  const HeatmapLayout layout = heatmap_layout(*this, figure);
  const double high = height(figure);
  const Colours colours = colours_of(panels);
  const bool binary = all_binary(panels);
  std::string out = "unset label\n" + title_labels(figure, high) + caption_labels(figure, high);
  out += "set border lc rgb \"#BBBBBB\"\nset tics textcolor rgb \"#222222\"\nunset colorbox\n";
  out += fmt::format("set palette defined ({})\nset cbrange [{}:{}]\nset multiplot\n",
                     binary ? kBinaryPalette : kPalette, binary ? 0 : colours.low,
                     binary ? 1 : colours.high);
  for (size_t i = 0; i < panels.size(); ++i) {
    if (i + 1 == panels.size() && !binary) {
      const double bar = std::min(layout.side, 300.0), top = layout.top + kAbovePanel;
      out += fmt::format(
          "set colorbox user origin screen {:.6f},{:.6f} size screen {:.6f},{:.6f}\n"
          "set cbtics {}font \",8\"\n",
          (kPageWidth - kColourBar) / kPageWidth, 1 - (top + bar) / high, 14 / kPageWidth,
          bar / high, has_few_steps(panels, colours) ? "1 " : "");
    }
    out += heatmap_panel_plot(panels[i], i, layout, high);
    if (i == 0) out += "unset label\n";  // once is enough
  }
  return out + "unset multiplot\n";
}

std::string HeatmapDrawing::finished_svg(const std::string& svg) const {
  std::string out;
  size_t from = 0;
  constexpr std::string_view kImage = "<image ";
  for (size_t at = svg.find(kImage); at != std::string::npos; at = svg.find(kImage, from)) {
    out += svg.substr(from, at - from);
    out += "<image style='image-rendering:pixelated' ";
    from = at + kImage.size();
  }
  return out + svg.substr(from);
}

}  // namespace rethink
