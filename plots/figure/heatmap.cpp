#include "plots/figure/heatmap.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/config/check.h"
#include "core/message.h"
#include "core/text.h"
#include "plots/figure/figure.h"
#include "plots/figure/gnuplot_page.h"
#include "plots/table/cell.h"
#include "plots/text_format.h"

namespace rethink {
namespace {

/// Adds `weight` times `matrix` to the sum; the first one begins it.
void add(Matrix& sum, const Matrix& matrix, double weight = 1) {
  if (sum.cells.empty()) {
    sum = matrix;
    for (double& cell : sum.cells) cell *= weight;
    return;
  }
  if (sum.rows != matrix.rows || sum.columns != matrix.columns) {
    throw ConfigError(fmt::format("a mean needs matrices of one size, got {} x {} and {} x {}",
                                  sum.rows, sum.columns, matrix.rows, matrix.columns));
  }
  for (size_t i = 0; i < sum.cells.size(); ++i) sum.cells[i] += weight * matrix.cells[i];
}

/// What the caption says of panels that are made of trials.
struct Sources {
  std::set<size_t> heads, seeds;    // of each panel
  std::set<ShownSeed> shown_seeds;  // of panels for each head
};

/// The mean over seeds of means over each seed's trials of means over heads.
std::vector<Panel> mean_panel(const std::string& label, const Cell& cell,
                              const HeatmapSpec& heatmap, const ArtifactFiles& files,
                              Sources& sources) {
  Panel panel{label, {}};
  const auto seeds =
      whole_seeds(cell, [&](const std::string& trial) { return files.contains(trial); });
  double unit = 0;  // matrices of the first seed: a weight of 1 where all seeds have as many
  std::set<size_t> heads;
  for (const auto& [seed, trials] : seeds) {
    for (const std::string& trial : trials) {
      const std::vector<Matrix> all = read_matrices(files.at(trial).intact(), heatmap.tensor);
      const auto alike = static_cast<double>(trials.size() * all.size());
      if (unit == 0) unit = alike;
      for (const Matrix& matrix : all) add(panel.matrix, matrix, unit / alike);
      heads.insert(all.size());
    }
  }
  if (seeds.empty()) return {};
  sources.heads.merge(heads);
  for (double& value : panel.matrix.cells) value /= unit * static_cast<double>(seeds.size());
  sources.seeds.insert(seeds.size());
  return {panel};
}

std::vector<Panel> head_panels(const std::string& label, const Cell& cell,
                               const HeatmapSpec& heatmap, const ArtifactFiles& files,
                               Sources& sources) {
  std::vector<Panel> panels;
  const std::optional<size_t> shown = first_with_file(cell, files);
  if (!shown) return panels;
  const ArtifactFile& file = files.at(cell.trials[*shown]);
  for (Matrix& matrix : read_matrices(file.intact(), heatmap.tensor)) {
    panels.push_back(
        {fmt::format("{}{}head {}", label, label.empty() ? "" : ", ", panels.size() + 1),
         std::move(matrix)});
  }
  sources.shown_seeds.insert(shown_seed(cell, *shown));
  return panels;
}

std::string range_text(const std::set<size_t>& numbers, const char* what) {
  const size_t least = *numbers.begin(), most = *numbers.rbegin();
  const std::string from = least < most ? fmt::format("{} to ", least) : "";
  return from + counted(most, what);
}

void describe(Figure& figure, const HeatmapSpec& heatmap, const Sources& sources) {
  if (!sources.heads.empty()) {
    figure.caption.push_back(fmt::format("mean over {} and {}", range_text(sources.heads, "head"),
                                         range_text(sources.seeds, "seed")));
  }
  for (const ShownSeed& seed : sources.shown_seeds)
    figure.caption.push_back("heads of seed " + to_text(seed));
  const bool masks = std::all_of(figure.panels.begin(), figure.panels.end(),
                                 [](const Panel& panel) { return panel.matrix.is_binary(); });
  const bool of_trials = std::any_of(heatmap.panels.begin(), heatmap.panels.end(),
                                     [](const PanelSpec& panel) { return !panel.is_pattern(); });
  figure.caption.push_back(
      fmt::format("rows: queries, columns: keys; {}",
                  masks ? "dark: the query may attend to the key"
                        : "the darker the greater" + (of_trials ? ", " + heatmap.tensor : "")));
}

}  // namespace

Matrix matrix_of(const Mask& mask, int64_t head) {
  const auto n = static_cast<size_t>(mask.positions);
  return {n, n, {mask.head(head), mask.head(head) + n * n}};
}

void add_panels(Figure& figure, const FigureSpec& spec, const FigureGrids& grids,
                const Table& table, const ArtifactFiles& files) {
  const HeatmapSpec& heatmap = spec.heatmap;
  figure.across = static_cast<size_t>(heatmap.across);
  Sources sources;
  const auto of_trials = heatmap.each_head ? head_panels : mean_panel;
  for (const PanelSpec& wanted : heatmap.panels) {
    if (wanted.is_pattern()) {
      Panel panel{wanted.label, {}};
      for (const MaskChoice& mask : wanted.masks)
        add(panel.matrix, matrix_of(make_mask(mask, 1, wanted.n)));
      figure.panels.push_back(std::move(panel));
      continue;
    }
    for (size_t row = 0; row < grids.points.rows.size(); ++row) {
      const GridLine& line = grids.points.rows[row];
      if (line.spec != &spec.points.rows[wanted.line]) continue;
      try {
        for (Panel& panel : of_trials(line.label, table.cells[row][0], heatmap, files, sources))
          figure.panels.push_back(std::move(panel));
      } catch (const ConfigError& error) {
        say_lack(figure, line.label, error.what());
      } catch (const MachineError& error) {
        say_lack(figure, line.label, error.what());
      }
    }
  }
  if (!figure.panels.empty()) describe(figure, heatmap, sources);
}

namespace {

/// Patterns of more tokens have more cells than any picture shows.
constexpr int64_t kMostMaskTokens = 4096;

/// `n` of the panel, else of the figure.
int64_t tokens_of(SpecReader& reader, std::optional<int64_t> usual, const Yaml& given,
                  Problems& problems) {
  const std::optional<int64_t> n = reader.integer("n", 1);
  if (!n && !usual) problems.add(given.where, "a panel with a mask needs n, its number of tokens");
  const int64_t tokens = n.value_or(usual.value_or(1));
  if (tokens > kMostMaskTokens)
    problems.add(given.where,
                 fmt::format("n: got {}, expected at most {}", tokens, kMostMaskTokens));
  return std::min(tokens, kMostMaskTokens);
}

/// `mask` is one, `masks` a list of which the panel shows the sum.
std::vector<MaskChoice> read_masks(const Yaml* mask, const Yaml* masks, const Yaml& given,
                                   Problems& problems) {
  if (mask && masks) problems.add(given.where, "a panel shows either a mask or masks, not both");
  if (mask) return {read_mask_choice(*mask, "mask", problems)};
  std::vector<MaskChoice> all;
  if (!masks->is_list() || masks->items.empty())
    problems.add(masks->where, "masks: expected a list, such as [{kind: star}, {kind: fixed}]");
  for (const Yaml& item : masks->items) all.push_back(read_mask_choice(item, "masks", problems));
  return all;
}

void read_heatmap_panel(const Yaml& given, std::optional<int64_t> n, FigureSpec& spec,
                        Problems& problems) {
  SpecReader reader(given, "panel", problems);
  LineSpec line = read_line_trials(reader);
  PanelSpec panel;
  const Yaml* mask = reader.take("mask");
  const Yaml* masks = reader.take("masks");
  if (mask || masks) {
    panel.masks = read_masks(mask, masks, given, problems);
    panel.label = line.label.empty() && mask ? panel.masks.front().name : line.label;
    panel.n = tokens_of(reader, n, given, problems);
    if (line.sweep || line.stage || !line.where.empty() || !line.axis.text.empty())
      problems.add(given.where, "a panel shows either a mask or trials, not both");
  } else {
    require_axis_or_label(line, given, "panel of trials", problems);
    panel.line = spec.points.rows.size();
    spec.points.rows.push_back(std::move(line));
  }
  reader.finish();
  spec.heatmap.panels.push_back(std::move(panel));
}

}  // namespace

void read_heatmap(SpecReader& reader, FigureSpec& spec, Problems& problems) {
  HeatmapSpec& heatmap = spec.heatmap;
  read_trials(reader, spec.points);
  spec.points.wanted_seeds = 1;
  const std::optional<int64_t> n = reader.integer("n", 1);
  heatmap.across = read_across(reader, heatmap.across);
  heatmap.artifact = reader.text("artifact");
  heatmap.tensor = reader.text("tensor", heatmap.tensor);
  heatmap.each_head = reader.choice("heads", {"mean", "each"}, "mean") == "each";
  spec.notes = read_notes(reader, {}, problems);
  reader.require("panels");
  for (const Yaml* panel : reader.maps("panels", "[{mask: {kind: star}, n: 16}]"))
    read_heatmap_panel(*panel, n, spec, problems);
  if (!spec.points.rows.empty()) {
    for (const char* key : {"sweep", "stage", "artifact"}) reader.require(key);
    spec.points.columns = {artifact_column(heatmap.artifact, reader.where())};
    spec.points.words = {"figure", "panel", "artifact", "panels"};
  }
  reader.finish();
}

namespace {

// Pixels of the SVG.
constexpr double kLeftOfPanel = 34;    // its rows' numbers
constexpr double kAbovePanel = 40;     // its label
constexpr double kBelowPanel = 26;     // its columns' numbers
constexpr double kColourBar = 66;      // right of all panels
constexpr double kLargestPanel = 440;  // a single one would fill more than a screen
constexpr double kLabelLetter = 7.2;   // of a label, on average
/// Between the cells and their frame: a first or last row that is all dark is no part of it.
constexpr double kFrameGap = 3;
constexpr double kMostSteps = 10;  // of whole numbers that a colour bar names one by one

// From nothing to all; a mask has both ends only.
constexpr const char* kPalette = R"(0 "white", 0.35 "#A9CCE3", 0.7 "#0072B2", 1 "#00263D")";
constexpr const char* kMaskPalette = R"(0 "white", 1 "#1A1A1A")";

/// Where the panels stand.
struct HeatmapLayout {
  double most = 0, side = 0;  // room for a panel's side; the longest side that is drawn
  double slot = 0;            // width of a panel with its numbers
  double top = 0;             // of the first row of panels, from above
  size_t across = 1, down = 1;

  /// Height of a panel with its label and numbers.
  double slot_high() const { return kAbovePanel + side + 2 * kFrameGap + kBelowPanel; }
};

bool all_masks(const Figure& figure) {
  return std::all_of(figure.panels.begin(), figure.panels.end(),
                     [](const Panel& panel) { return panel.matrix.is_binary(); });
}

size_t longer_side(const Matrix& matrix) {
  return std::max(matrix.rows, matrix.columns);
}

/// The side of a panel with so many cells on its longer side, at most `most`: each cell is a whole
/// number of the PNG's pixels, which are half of the SVG's, so that all look alike; unless that
/// would leave too much of the room empty.
double side_of(size_t cells, double most) {
  constexpr double kLeastUse = 0.75;
  const double count = static_cast<double>(cells);
  const double side = std::floor(2 * most / count) * count / 2;
  return side >= kLeastUse * most ? side : most;
}

HeatmapLayout heatmap_layout(const Figure& figure) {
  HeatmapLayout layout;
  layout.across = std::min(figure.across, figure.panels.size());
  layout.down = (figure.panels.size() + layout.across - 1) / layout.across;
  const double bar = all_masks(figure) ? 0 : kColourBar;
  layout.slot = (kPageWidth - 2 * kPageMargin - bar) / static_cast<double>(layout.across);
  layout.most = std::min(layout.slot - kLeftOfPanel - 2 * kFrameGap, kLargestPanel);
  for (const Panel& panel : figure.panels)
    layout.side = std::max(layout.side, side_of(longer_side(panel.matrix), layout.most));
  layout.top = title_height(figure);
  return layout;
}

struct Colours {
  double low = 0, high = 1;
};

Colours colours_of(const Figure& figure) {
  Colours colours{figure.panels[0].matrix.cells[0], figure.panels[0].matrix.cells[0]};
  for (const Panel& panel : figure.panels) {
    const auto [low, high] =
        std::minmax_element(panel.matrix.cells.begin(), panel.matrix.cells.end());
    colours.low = std::min(colours.low, *low);
    colours.high = std::max(colours.high, *high);
  }
  if (colours.low == colours.high) colours.high = colours.low + 1;  // gnuplot refuses no range
  return colours;
}

/// Whole numbers, so few that each is named.
bool has_few_steps(const Figure& figure, const Colours& colours) {
  const auto is_whole = [](double cell) { return cell == std::floor(cell); };
  return colours.high - colours.low <= kMostSteps &&
         std::all_of(figure.panels.begin(), figure.panels.end(), [&](const Panel& panel) {
           return std::all_of(panel.matrix.cells.begin(), panel.matrix.cells.end(), is_whole);
         });
}

/// "Star" and, below it, "sparsity 96.1 %" of a mask.
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

std::string heatmap_panel_plot(const Figure& figure, size_t index, const HeatmapLayout& layout,
                               double height) {
  const Panel& panel = figure.panels[index];
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

std::string heatmap_data(const Figure& figure) {
  std::string out = "# a block for each panel, a line for each query, a column for each key\n";
  for (size_t i = 0; i < figure.panels.size(); ++i) {
    const Matrix& matrix = figure.panels[i].matrix;
    out += fmt::format("{}# {}\n", i ? "\n\n" : "", one_line(figure.panels[i].label));
    for (size_t cell = 0; cell < matrix.cells.size(); ++cell) {
      const bool ends = (cell + 1) % matrix.columns == 0;
      out += fmt::format("{:.10g}{}", matrix.cells[cell], ends ? '\n' : ' ');
    }
  }
  return out;
}

double heatmap_height(const Figure& figure) {
  const HeatmapLayout layout = heatmap_layout(figure);
  return std::ceil(layout.top + layout.slot_high() * static_cast<double>(layout.down) +
                   caption_height(figure) + kPageMargin);
}

std::string heatmap_plots(const Figure& figure) {
  const HeatmapLayout layout = heatmap_layout(figure);
  const double height = heatmap_height(figure);
  const Colours colours = colours_of(figure);
  const bool masks = all_masks(figure);
  std::string out = "unset label\n" + title_labels(figure, height) + caption_labels(figure, height);
  out += "set border lc rgb \"#BBBBBB\"\nset tics textcolor rgb \"#222222\"\nunset colorbox\n";
  out += fmt::format("set palette defined ({})\nset cbrange [{}:{}]\nset multiplot\n",
                     masks ? kMaskPalette : kPalette, masks ? 0 : colours.low,
                     masks ? 1 : colours.high);
  for (size_t i = 0; i < figure.panels.size(); ++i) {
    if (i + 1 == figure.panels.size() && !masks) {
      const double bar = std::min(layout.side, 300.0), top = layout.top + kAbovePanel;
      out += fmt::format(
          "set colorbox user origin screen {:.6f},{:.6f} size screen {:.6f},{:.6f}\n"
          "set cbtics {}font \",8\"\n",
          (kPageWidth - kColourBar) / kPageWidth, 1 - (top + bar) / height, 14 / kPageWidth,
          bar / height, has_few_steps(figure, colours) ? "1 " : "");
    }
    out += heatmap_panel_plot(figure, i, layout, height);
    if (i == 0) out += "unset label\n";  // once is enough
  }
  return out + "unset multiplot\n";
}

std::string with_sharp_cells(const std::string& svg) {
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
