// The drawing of a figure of kind heatmap: matrices as panels of cells.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "plots/figure/figure.h"
#include "plots/table/cells/attention_matrix.h"

namespace rethink {

struct Panel {
  std::string label;
  Matrix matrix;
};

/// Returns a matrix of `positions` x `positions` cells.
Matrix square_matrix(const uint8_t* cells, int64_t positions);

/// In gnuplot's words: a data block and a plot for each panel.
class HeatmapDrawing : public Drawing {
 public:
  std::vector<Panel> panels;
  size_t across = 1;  // panels side by side

  bool empty() const override { return panels.empty(); }
  /// Returns a block for each panel, with a line for each row of its matrix.
  std::string data() const override;
  /// Returns the height for the rows of panels.
  double height(const Figure& figure) const override;
  std::string plots(const Figure& figure) const override;
  /// Returns the SVG with cells whose edges stay sharp when enlarged.
  std::string finished_svg(const std::string& svg) const override;
};

}  // namespace rethink
