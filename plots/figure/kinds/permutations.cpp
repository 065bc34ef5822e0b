// A sequence before and after the permutations of triplet attention (A3).
#include "plots/figure/drawing/permutations.h"

#include "core/error.h"
#include "models/permutations/permutation.h"
#include "plots/figure/figure_kind.h"

namespace rethink {
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
