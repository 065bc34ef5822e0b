// Heat maps: figures whose panels are matrices, drawn from a mask pattern or from a tensor that
// trials left as an artifact (docs/tables.md).
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "models/masks/mask.h"
#include "plots/figure/panels.h"

namespace rethink {

struct FigureSpec;
struct Figure;
struct FigureGrids;

/// One item of `panels`: patterns, or trials.
struct PanelSpec {
  std::string label;              // of patterns
  std::vector<MaskChoice> masks;  // a cell is the number of these that have it; none: trials
  int64_t n = 0;                  // of the patterns [tokens]
  size_t line = 0;                // of trials: their line among the points' rows
  bool is_pattern() const { return !masks.empty(); }
};

struct HeatmapSpec {
  std::vector<PanelSpec> panels;
  int64_t across = 3;           // panels beside each other
  std::string artifact;         // of the trials
  std::string tensor = "mask";  // in the artifact's file: [heads, rows, columns] or [rows, columns]
  bool each_head = false;       // a panel for each head of the first seed; else means over both
};

struct Matrix {
  size_t rows = 0, columns = 0;
  std::vector<double> cells;  // row-major

  /// Only 0 and 1: a mask.
  bool is_binary() const;
  /// The share of zeros. Requires: is_binary().
  double sparsity() const;
};

struct Panel {
  std::string label;
  Matrix matrix;
};

/// The heads of a tensor: any real or integer type of the format, [H,n,m] or [n,m]. Throws
/// ConfigError "PATH: ..." when it has another shape, and as SafetensorsFile.
std::vector<Matrix> read_matrices(const std::filesystem::path& file, const std::string& tensor);

/// A mask's head, the first by default: those of a pattern are alike.
Matrix matrix_of(const Mask& mask, int64_t head = 0);

/// The keys of a figure of kind heatmap, into `spec`; adds problems.
void read_heatmap(SpecReader& reader, FigureSpec& spec, Problems& problems);

/// The panels, and what the caption says of them. `table` is of the points: its cells are the
/// trials of each line. What a file lacks goes into figure.not_measured.
void add_panels(Figure& figure, const FigureSpec& spec, const FigureGrids& grids,
                const Table& table, const ArtifactFiles& files);

}  // namespace rethink
