#include "plots/figure/permutations.h"

#include <fmt/format.h>

#include "plots/figure/figure.h"

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
  const Yaml* panels = reader.take("panels");
  for (const char* key : {"words", "panels"}) reader.require(key);
  reader.finish();
  if (!panels) return;
  if (!panels->is_list() || panels->items.empty()) {
    problems.add(panels->where, "expected a list of panels, such as [{permutation: reverse}]");
    return;
  }
  for (const Yaml& panel : panels->items)
    permutations.panels.push_back(read_permutation_panel(panel, problems));
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

}  // namespace rethink
