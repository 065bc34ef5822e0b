#include "plots/figure/permutations.h"

#include <fmt/format.h>

#include <cmath>

#include "core/text.h"
#include "plots/figure/figure.h"
#include "plots/figure/gnuplot_page.h"

namespace rethink {
namespace {

PermutationPanelSpec read_permutation_panel(const Yaml& given, Problems& problems) {
  SpecReader reader(given, "panel", problems);
  PermutationPanelSpec panel;
  panel.label = reader.text("label");
  panel.permutation = reader.choice("permutation", permutation_names(), "");
  panel.rule.backward =
      reader.choice("direction", {"forward", "backward"}, "forward") == "backward";
  panel.rule.layer = reader.integer("layer", 1).value_or(panel.rule.layer);
  panel.rule.seed = reader.integer("seed", 0).value_or(panel.rule.seed);
  reader.require("permutation");
  reader.finish();
  if (panel.label.empty()) panel.label = panel.permutation;
  return panel;
}

}  // namespace

void read_permutations(SpecReader& reader, FigureSpec& spec, Problems& problems) {
  PermutationsSpec& permutations = spec.permutations;
  permutations.words = reader.texts("words");
  spec.notes = read_notes(reader, {}, problems);
  for (const Yaml* panel : reader.maps("panels", "[{permutation: reverse}]"))
    permutations.panels.push_back(read_permutation_panel(*panel, problems));
  for (const char* key : {"words", "panels"}) reader.require(key);
  reader.finish();
}

void add_permutations(Figure& figure, const FigureSpec& spec) {
  const std::vector<std::string>& words = spec.permutations.words;
  for (const PermutationPanelSpec& panel : spec.permutations.panels) {
    figure.permutations.push_back(
        {panel.label, words,
         permutation(panel.permutation, static_cast<int64_t>(words.size()), panel.rule)});
  }
  figure.caption.push_back("above: the sequence; below: what stands at each place afterwards");
}

namespace {

// Pixels of the SVG.
constexpr double kLabel = 26;   // a panel's label
constexpr double kPanel = 100;  // its words, twice, and the arrows between them

double panel_top(const Figure& figure, size_t panel) {
  return title_height(figure) + (kLabel + kPanel) * static_cast<double>(panel);
}

/// The words above at y = 1 and below at y = 0, an arrow from each to where it goes.
std::string permutation_panel_plot(const PermutationPanel& panel, size_t index, double top,
                                   double height) {
  const double first = top + kLabel;
  std::string out = plot_margins(kPageMargin / kPageWidth, 1 - kPageMargin / kPageWidth,
                                 1 - first / height, 1 - (first + kPanel) / height);
  out += fmt::format("set xrange [-0.6:{}]\nset yrange [-0.35:1.35]\n",
                     static_cast<double>(panel.words.size()) - 0.4);
  out += fmt::format("set label {} at screen {:.6f},{:.6f} left noenhanced font \",12\"\n",
                     quoted(one_line(panel.label)), kPageMargin / kPageWidth,
                     1 - (top + kLabel / 2) / height);
  return out +
         fmt::format(
             "plot DATA index {0} using 2:(0.82):($3-$2):(-0.64) with vectors head filled size "
             "graph 0.008,20 lw 1.2 lc rgb \"#0072B2\" notitle, \\\n"
             "     DATA index {0} using 2:(1):1 with labels font \",10\" notitle, \\\n"
             "     DATA index {0} using 3:(0):1 with labels font \",10\" notitle\n"
             "unset label\n",
             index);
}

}  // namespace

std::string permutations_data(const Figure& figure) {
  std::string out = "# a block for each permutation: word, where it stood, where it goes\n";
  for (size_t i = 0; i < figure.permutations.size(); ++i) {
    const PermutationPanel& panel = figure.permutations[i];
    out += fmt::format("{}# {}\n", i ? "\n\n" : "", one_line(panel.label));
    for (size_t place = 0; place < panel.from.size(); ++place) {
      const int64_t from = panel.from[place];
      out += fmt::format("{} {} {}\n", quoted(panel.words[static_cast<size_t>(from)]), from, place);
    }
  }
  return out;
}

double permutations_height(const Figure& figure) {
  return std::ceil(panel_top(figure, figure.permutations.size()) + caption_height(figure) +
                   kPageMargin);
}

std::string permutations_plots(const Figure& figure) {
  const double height = permutations_height(figure);
  std::string out = "unset label\nunset border\nunset tics\nunset key\n";
  out += title_labels(figure, height) + caption_labels(figure, height) + "set multiplot\n";
  for (size_t i = 0; i < figure.permutations.size(); ++i)
    out += permutation_panel_plot(figure.permutations[i], i, panel_top(figure, i), height);
  return out + "unset multiplot\n";
}

}  // namespace rethink
