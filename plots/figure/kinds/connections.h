// The drawing of a figure of kind connections: lines from tokens to the tokens that they attend to.
#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "plots/figure/figure.h"

namespace rethink {

/// Relation of connected tokens, in the order of drawing.
enum class ConnectionKind { other, self, cross };
inline constexpr size_t kConnectionKinds = 3;

struct LayerConnections {
  std::string label;  // "layer 3, triplet"
  /// By kind: the numbers of a token and of the token that it attends to.
  std::array<std::vector<std::pair<size_t, size_t>>, kConnectionKinds> pairs;
};

/// One sentence, read by one trial.
struct ConnectionMap {
  std::string label;
  std::vector<std::string> tokens;  // without special tokens
  std::vector<size_t> marked;       // numbers of the tokens of entities
  std::vector<LayerConnections> layers;
};

/// In gnuplot's words: blocks of the data file, and a plot for each layer.
class ConnectionsDrawing : public Drawing {
 public:
  std::vector<ConnectionMap> maps;
  size_t across = 1;  // layers side by side

  bool empty() const override { return maps.empty(); }
  /// Returns, for each layer, a block of lines for every kind of connection that it has, and, for
  /// each map, a block of the tokens of entities.
  std::string data() const override;
  double height(const Figure& figure) const override;
  /// Returns all layers, with title, legend and caption.
  std::string plots(const Figure& figure) const override;
};

}  // namespace rethink
