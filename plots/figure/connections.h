// The drawing of a figure of kind connections: lines from tokens to those that they attend to.
#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "plots/figure/figure.h"

namespace rethink {

/// What a connection is of, from the one drawn first to the one on top.
enum class ConnectionKind { other, self, cross };
inline constexpr size_t kConnectionKinds = 3;

struct LayerConnections {
  std::string label;  // "layer 3, triplet"
  /// By kind: a token's number and that of the one that it attends to.
  std::array<std::vector<std::pair<size_t, size_t>>, kConnectionKinds> pairs;
};

/// One sentence, read by one trial.
struct ConnectionMap {
  std::string label;
  std::vector<std::string> tokens;  // without the special ones
  std::vector<size_t> marked;       // numbers of those that are of an entity
  std::vector<LayerConnections> layers;
};

/// In gnuplot's words blocks of the data file and a plot for each layer.
class ConnectionsDrawing : public Drawing {
 public:
  std::vector<ConnectionMap> maps;
  size_t across = 1;  // layers beside each other

  bool empty() const override { return maps.empty(); }
  /// Of each layer a block of lines for every kind of connection that it has, and of each map one of
  /// the tokens that are of entities.
  std::string data() const override;
  double height(const Figure& figure) const override;
  /// All layers, with title, legend and caption.
  std::string plots(const Figure& figure) const override;
};

}  // namespace rethink
