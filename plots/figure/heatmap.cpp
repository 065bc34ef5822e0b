#include "plots/figure/heatmap.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <set>

#include "core/counted.h"
#include "core/format/safetensors.h"
#include "plots/figure/figure.h"
#include "plots/table/seed_mean.h"

namespace rethink {
namespace {

template <typename T>
void append_as(const TensorView& view, std::vector<double>& values) {
  const size_t count = view.bytes.size() / sizeof(T);
  for (size_t i = 0; i < count; ++i) {
    T value;
    std::memcpy(&value, view.bytes.data() + i * sizeof(T), sizeof(T));
    values.push_back(static_cast<double>(value));
  }
}

std::vector<double> tensor_values(const TensorView& view, const std::string& file) {
  std::vector<double> values;
  switch (view.dtype) {
    case Dtype::boolean:
    case Dtype::u8:
      append_as<uint8_t>(view, values);
      break;
    case Dtype::f32:
      append_as<float>(view, values);
      break;
    case Dtype::f64:
      append_as<double>(view, values);
      break;
    case Dtype::i64:
      append_as<int64_t>(view, values);
      break;
    default:
      throw ConfigError(fmt::format("{}: a heat map takes BOOL, U8, I64, F32 or F64, got {}", file,
                                    to_text(view.dtype)));
  }
  return values;
}

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

bool Matrix::is_binary() const {
  return std::all_of(cells.begin(), cells.end(),
                     [](double cell) { return cell == 0 || cell == 1; });
}

double Matrix::sparsity() const {
  return static_cast<double>(std::count(cells.begin(), cells.end(), 0.0)) /
         static_cast<double>(cells.size());
}

Matrix matrix_of(const Mask& mask, int64_t head) {
  const auto n = static_cast<size_t>(mask.positions);
  return {n, n, {mask.head(head), mask.head(head) + n * n}};
}

std::vector<Matrix> read_matrices(const std::filesystem::path& file, const std::string& tensor) {
  const SafetensorsFile tensors(file);
  const TensorView& view = tensors.at(tensor);
  const std::vector<int64_t>& shape = view.shape;
  if ((shape.size() != 2 && shape.size() != 3) || view.bytes.empty()) {
    throw ConfigError(
        fmt::format("{}: a heat map takes [heads, rows, columns] or [rows, columns], "
                    "but {} is [{}]",
                    file.string(), tensor, fmt::join(shape, ", ")));
  }
  const std::vector<double> values = tensor_values(view, file.string());
  const auto rows = static_cast<size_t>(shape[shape.size() - 2]);
  const auto columns = static_cast<size_t>(shape.back());
  std::vector<Matrix> matrices;
  for (auto at = values.begin(); at != values.end(); at += static_cast<int64_t>(rows * columns)) {
    matrices.push_back({rows, columns, {at, at + static_cast<int64_t>(rows * columns)}});
  }
  return matrices;
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

}  // namespace rethink
