// A figure of kind heatmap: its keys, what it shows, how gnuplot draws it (docs/tables.md).
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "models/masks/mask.h"
#include "plots/figure/panels.h"
#include "plots/table/attention_matrix.h"
#include "plots/table/records.h"
#include "plots/table/table.h"

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

struct Panel {
  std::string label;
  Matrix matrix;
};

/// A mask's head, the first by default: those of a pattern are alike.
Matrix matrix_of(const Mask& mask, int64_t head = 0);

/// The keys of a figure of kind heatmap, into `spec`; adds problems.
void read_heatmap(SpecReader& reader, FigureSpec& spec, Problems& problems);

/// The panels, and what the caption says of them. `table` is of the points: its cells are the
/// trials of each line. What a file lacks goes into figure.not_measured.
void add_panels(Figure& figure, const FigureSpec& spec, const FigureGrids& grids,
                const Table& table, const ArtifactFiles& files);

// In gnuplot's words: a block of the data file and a plot for each panel. Used by gnuplot.cpp only.

/// A block for each panel: a line for each row of its matrix.
std::string heatmap_data(const Figure& figure);
/// Of the SVG [pixels]: as many rows of panels as there are.
double heatmap_height(const Figure& figure);
/// The plots of all panels, with title and caption.
std::string heatmap_plots(const Figure& figure);
/// The SVG with cells whose edges stay sharp when they are drawn larger.
std::string with_sharp_cells(const std::string& svg);

}  // namespace rethink
