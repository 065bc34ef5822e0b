#include <fmt/format.h>

#include "core/config/check.h"
#include "plots/figure/figure.h"

namespace rethink {
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
    if (given.is_map() && line.axis.text.empty() == line.label.empty())
      problems.add(given.where, "a panel of trials has either an axis or a label");
    panel.line = spec.points.rows.size();
    spec.points.rows.push_back(std::move(line));
  }
  reader.finish();
  spec.heatmap.panels.push_back(std::move(panel));
}

}  // namespace

void read_heatmap(SpecReader& reader, FigureSpec& spec, Problems& problems) {
  HeatmapSpec& heatmap = spec.heatmap;
  spec.points.trials = read_selection(reader);
  spec.points.over = reader.texts("over");
  spec.points.wanted_seeds = 1;
  const std::optional<int64_t> n = reader.integer("n", 1);
  heatmap.across = read_across(reader, heatmap.across);
  heatmap.artifact = reader.text("artifact");
  heatmap.tensor = reader.text("tensor", heatmap.tensor);
  heatmap.each_head = reader.choice("heads", {"mean", "each"}, "mean") == "each";
  spec.notes = read_notes(reader, {}, problems);
  const Yaml* panels = reader.take("panels");
  reader.require("panels");
  for (const Yaml* panel : items_of_panels(panels, "[{mask: {kind: star}, n: 16}]", problems))
    read_heatmap_panel(*panel, n, spec, problems);
  if (!spec.points.rows.empty()) {
    for (const char* key : {"sweep", "stage", "artifact"}) reader.require(key);
    spec.points.columns = {artifact_column(heatmap.artifact, reader.where())};
    spec.points.words = {"figure", "panel", "artifact", "panels"};
  }
  reader.finish();
}

}  // namespace rethink
