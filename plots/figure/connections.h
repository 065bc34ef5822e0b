// A figure of kind connections: its keys, what it shows, how gnuplot draws it (docs/tables.md).
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "plots/spec_reader.h"
#include "plots/table/records.h"
#include "plots/table/table.h"

namespace rethink {

struct FigureSpec;
struct Figure;
struct FigureGrids;

struct ConnectionsSpec {
  int64_t across = 6;    // layers beside each other
  std::string artifact;  // of the trials: what the analysis entity_attention left
};

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

/// The keys of a figure of kind connections, into `spec`; adds problems.
void read_connections(SpecReader& reader, FigureSpec& spec, Problems& problems);

/// The maps, and what the caption says of them; of each line of the spec the first seed. `table` is
/// of the points: its cells are the trials of each line. What a file lacks goes into
/// figure.not_measured.
void add_connections(Figure& figure, const FigureSpec& spec, const FigureGrids& grids,
                     const Table& table, const ArtifactFiles& files);

// In gnuplot's words: blocks of the data file and a plot for each layer. Used by gnuplot.cpp only.

/// Of each layer a block of lines for every kind of connection that it has, and of each map one of
/// the tokens that are of entities.
std::string connections_data(const Figure& figure);
/// Of the SVG [pixels].
double connections_height(const Figure& figure);
/// The plots of all layers, with title, legend and caption.
std::string connections_plots(const Figure& figure);

}  // namespace rethink
