// Matrices as panels of cells: patterns of masks, or matrices that trials left.
#include "plots/figure/drawing/heatmap.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/config/check.h"
#include "core/message.h"
#include "models/masks/mask.h"
#include "plots/figure/drawing/panels.h"
#include "plots/figure/figure_kind.h"
#include "plots/table/cells/cell.h"

namespace rethink {
namespace {

/// One item of `panels`: patterns, or trials.
struct PanelSpec {
  std::string label;              // of patterns
  std::vector<MaskChoice> masks;  // a cell counts the masks that have it; empty: trials
  int64_t n = 0;                  // length of the patterns [tokens]
  size_t line = 0;                // for trials: their line among the points' rows
  bool is_pattern() const { return !masks.empty(); }
};

struct HeatmapSpec {
  std::vector<PanelSpec> panels;
  int64_t across = 3;    // panels in a row
  std::string artifact;  // of the trials
  // Name in the artifact's file: [heads, rows, columns] or [rows, columns].
  std::string tensor = "mask";
  // A panel for each head of the first seed; else means over heads and seeds.
  bool each_head = false;
};

/// Adds `weight` times `matrix` to the sum; the first matrix starts the sum.
void add_matrix(Matrix& sum, const Matrix& matrix, double weight = 1) {
  if (sum.cells.empty()) {
    sum = matrix;
    for (double& cell : sum.cells) cell *= weight;
    return;
  }
  if (sum.rows != matrix.rows || sum.columns != matrix.columns) {
    throw ConfigError("wrong-file",
                      fmt::format("a mean needs matrices of one size, got {} x {} and {} x {}",
                                  sum.rows, sum.columns, matrix.rows, matrix.columns));
  }
  for (size_t i = 0; i < sum.cells.size(); ++i) sum.cells[i] += weight * matrix.cells[i];
}

/// The caption's facts about panels that are made of trials.
struct Sources {
  std::set<size_t> heads, seeds;    // of each panel
  std::set<ShownSeed> shown_seeds;  // for panels of single heads
};

/// The mean over seeds of means over each seed's trials of means over heads.
std::vector<Panel> mean_panel(const std::string& label, const Cell& cell,
                              const HeatmapSpec& heatmap, const ArtifactFiles& files,
                              Sources& sources) {
  Panel panel{label, {}};
  const auto seeds =
      whole_seeds(cell, [&](const std::string& trial) { return files.contains(trial); });
  double unit = 0;  // matrices of the first seed: weight 1 if all seeds have equally many
  std::set<size_t> heads;
  for (const auto& [seed, trials] : seeds) {
    for (const std::string& trial : trials) {
      const std::vector<Matrix> all = read_matrices(files.at(trial).intact(), heatmap.tensor);
      const auto alike = static_cast<double>(trials.size() * all.size());
      if (unit == 0) unit = alike;
      for (const Matrix& matrix : all) add_matrix(panel.matrix, matrix, unit / alike);
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

void describe(const HeatmapSpec& heatmap, const Sources& sources, const std::vector<Panel>& panels,
              Figure& figure) {
  if (!sources.heads.empty()) {
    figure.caption.push_back(fmt::format("mean over {} and {}", range_text(sources.heads, "head"),
                                         range_text(sources.seeds, "seed")));
  }
  for (const ShownSeed& seed : sources.shown_seeds)
    figure.caption.push_back("heads of seed " + to_text(seed));
  const bool masks = std::all_of(panels.begin(), panels.end(),
                                 [](const Panel& panel) { return panel.matrix.is_binary(); });
  const bool of_trials = std::any_of(heatmap.panels.begin(), heatmap.panels.end(),
                                     [](const PanelSpec& panel) { return !panel.is_pattern(); });
  figure.caption.push_back(
      fmt::format("rows: queries, columns: keys; {}",
                  masks ? "dark: the query may attend to the key"
                        : "the darker the greater" + (of_trials ? ", " + heatmap.tensor : "")));
}

/// Patterns of more tokens have more cells than any picture shows.
constexpr int64_t kMostMaskTokens = 4096;

/// `n` of the panel, else of the figure.
int64_t tokens_of(SpecReader& reader, std::optional<int64_t> usual, const Yaml& given,
                  Problems& problems) {
  const std::optional<int64_t> n = reader.integer("n", 1);
  if (!n && !usual)
    problems.add(given.where, "missing-key", "a panel with a mask needs n, its number of tokens");
  const int64_t tokens = n.value_or(usual.value_or(1));
  if (tokens > kMostMaskTokens)
    problems.add(given.where, "too-large",
                 fmt::format("n: got {}, expected at most {}", tokens, kMostMaskTokens));
  return std::min(tokens, kMostMaskTokens);
}

/// `mask` is one pattern, `masks` a list whose sum the panel shows.
std::vector<MaskChoice> read_masks(const Yaml* mask, const Yaml* masks, const Yaml& given,
                                   Problems& problems) {
  if (mask && masks)
    problems.add(given.where, "conflicting-keys", "a panel shows either a mask or masks, not both");
  if (mask) return {read_mask_choice(*mask, "mask", problems)};
  std::vector<MaskChoice> all;
  if (!masks->is_list() || masks->items.empty())
    problems.add(masks->where, "invalid-value",
                 "masks: expected a list, such as [{kind: star}, {kind: fixed}]");
  for (const Yaml& item : masks->items) all.push_back(read_mask_choice(item, "masks", problems));
  return all;
}

PanelSpec read_heatmap_panel(const Yaml& given, std::optional<int64_t> n, FigureSpec& spec,
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
      problems.add(given.where, "conflicting-keys",
                   "a panel shows either a mask or trials, not both");
  } else {
    require_axis_or_label(line, given, "panel of trials", problems);
    panel.line = spec.points.rows.size();
    spec.points.rows.push_back(std::move(line));
  }
  reader.finish();
  return panel;
}

class HeatmapFigure : public FigureKind {
 public:
  void read(const Yaml& /*document*/, SpecReader& reader, bool /*is_named*/, FigureSpec& spec,
            Problems& problems) override {
    read_trials(reader, spec.points);
    spec.points.wanted_seeds = 1;
    const std::optional<int64_t> n = reader.integer("n", 1);
    heatmap_.across = read_across(reader, heatmap_.across);
    heatmap_.artifact = reader.text("artifact");
    heatmap_.tensor = reader.text("tensor", heatmap_.tensor);
    heatmap_.each_head = reader.choice("heads", {"mean", "each"}, "mean") == "each";
    spec.notes = read_notes(reader, {}, problems);
    reader.require("panels");
    for (const Yaml* panel : reader.maps("panels", "[{mask: {kind: star}, n: 16}]"))
      heatmap_.panels.push_back(read_heatmap_panel(*panel, n, spec, problems));
    if (!spec.points.rows.empty()) {
      for (const char* key : {"sweep", "stage", "artifact"}) reader.require(key);
      spec.points.columns = {artifact_column(heatmap_.artifact, reader.where())};
      spec.points.words = {"figure", "panel", "artifact", "panels"};
    }
    reader.finish();
  }

  /// Missing contents of a file go into figure.not_measured.
  void add(const FigureSpec& spec, const FigureSources& sources, Figure& figure,
           FigureFindings& findings) const override {
    const Table table = points_of(spec, sources, figure, findings);
    const auto drawing = std::make_shared<HeatmapDrawing>();
    drawing->across = static_cast<size_t>(heatmap_.across);
    Sources shown;
    const auto of_trials = heatmap_.each_head ? head_panels : mean_panel;
    for (const PanelSpec& wanted : heatmap_.panels) {
      if (wanted.is_pattern()) {
        Panel panel{wanted.label, {}};
        for (const MaskChoice& choice : wanted.masks) {
          const Mask mask = make_mask(choice, 1, wanted.n);  // all its heads are equal
          add_matrix(panel.matrix, square_matrix(mask.head(0), mask.positions));
        }
        drawing->panels.push_back(std::move(panel));
        continue;
      }
      for (size_t row = 0; row < sources.grids.points.rows.size(); ++row) {
        const GridLine& line = sources.grids.points.rows[row];
        if (line.spec != &spec.points.rows[wanted.line]) continue;
        try {
          for (Panel& panel :
               of_trials(line.label, table.cells[row][0], heatmap_, sources.files, shown))
            drawing->panels.push_back(std::move(panel));
        } catch (const ConfigError& error) {
          note_missing_panel(figure, line.label, error.what());
        } catch (const MachineError& error) {
          note_missing_panel(figure, line.label, error.what());
        }
      }
    }
    if (!drawing->panels.empty()) describe(heatmap_, shown, drawing->panels, figure);
    figure.drawing = drawing;
  }

  const char* parts() const override { return "panels"; }
  std::string artifact() const override { return heatmap_.artifact; }
  bool has_panels() const override { return true; }

 private:
  HeatmapSpec heatmap_;
};

RETHINK_REGISTERED = figure_kinds().add<NoFields>(
    {.name = "heatmap", .summary = "matrices: mask patterns, or matrices that trials wrote"},
    [](const NoFields&) { return std::make_shared<HeatmapFigure>(); });

}  // namespace
}  // namespace rethink
