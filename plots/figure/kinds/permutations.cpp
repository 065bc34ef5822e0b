// A sequence before and after the permutations of triplet attention (A3).
#include "plots/figure/kinds/permutations.h"

#include <fmt/format.h>

#include <cmath>

#include "core/error.h"
#include "core/text.h"
#include "models/permutations/permutation.h"
#include "plots/figure/drawing/gnuplot_page.h"
#include "plots/figure/figure_kind.h"

namespace rethink {
namespace {

// Pixels of the SVG.
constexpr double kLabel = 26;   // a panel's label
constexpr double kPanel = 100;  // its words, twice, and the arrows between them

double panel_top(const Figure& figure, size_t panel) {
  return title_height(figure) + (kLabel + kPanel) * static_cast<double>(panel);
}

/// The words at y = 1 and again at y = 0, with an arrow from each to its new position.
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

std::string PermutationsDrawing::data() const {
  std::string out = "# a block for each permutation: word, where it stood, where it goes\n";
  for (size_t i = 0; i < panels.size(); ++i) {
    const PermutationPanel& panel = panels[i];
    out += fmt::format("{}# {}\n", i ? "\n\n" : "", one_line(panel.label));
    for (size_t place = 0; place < panel.from.size(); ++place) {
      const int64_t from = panel.from[place];
      out += fmt::format("{} {} {}\n", quoted(panel.words[static_cast<size_t>(from)]), from, place);
    }
  }
  return out;
}

double PermutationsDrawing::height(const Figure& figure) const {
  return std::ceil(panel_top(figure, panels.size()) + caption_height(figure) + kPageMargin);
}

std::string PermutationsDrawing::plots(const Figure& figure) const {
  const double high = height(figure);
  std::string out = "unset label\nunset border\nunset tics\nunset key\n";
  out += title_labels(figure, high) + caption_labels(figure, high) + "set multiplot\n";
  for (size_t i = 0; i < panels.size(); ++i)
    out += permutation_panel_plot(panels[i], i, panel_top(figure, i), high);
  return out + "unset multiplot\n";
}

namespace {

/// One item of `panels`.
struct PermutationPanelSpec {
  std::string label, permutation;
  PermutationRule rule;
};

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

class PermutationsFigure : public FigureKind {
 public:
  void read(const Yaml& /*document*/, SpecReader& reader, bool /*is_named*/, FigureSpec& spec,
            Problems& problems) override {
    words_ = reader.texts("words");
    spec.notes = read_notes(reader, {}, problems);
    for (const Yaml* panel : reader.maps("panels", "[{permutation: reverse}]"))
      panels_.push_back(read_permutation_panel(*panel, problems));
    for (const char* key : {"words", "panels"}) reader.require(key);
    reader.finish();
  }

  void add(const FigureSpec& spec, const FigureSources& sources, Figure& figure,
           FigureFindings& findings) const override {
    points_of(spec, sources, figure, findings);  // none
    const auto drawing = std::make_shared<PermutationsDrawing>();
    for (const PermutationPanelSpec& panel : panels_) {
      drawing->panels.push_back(
          {panel.label, words_,
           permutation(panel.permutation, static_cast<int64_t>(words_.size()), panel.rule)});
    }
    figure.drawing = drawing;
    figure.caption.push_back("above: the sequence; below: what stands at each place afterwards");
  }

  const char* parts() const override { return "panels"; }
  bool has_panels() const override { return true; }

 private:
  std::vector<std::string> words_;  // the sequence
  std::vector<PermutationPanelSpec> panels_;
};

RETHINK_REGISTERED = figure_kinds().add<NoFields>(
    {.name = "permutations", .summary = "a sequence before and after permutations (A3)"},
    [](const NoFields&) { return std::make_shared<PermutationsFigure>(); });

}  // namespace
}  // namespace rethink
