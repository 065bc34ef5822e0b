// Connection maps: figures that show, layer by layer, which tokens of a sentence the attention of
// trials connects, drawn from what the analysis entity_attention left (docs/tables.md).
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "plots/figure/heatmap.h"

namespace rethink {

struct ConnectionsSpec {
  int64_t across = 6;    // layers beside each other
  std::string artifact;  // of the trials
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

/// Every sentence of an artifact of entity_attention. `label`: of the trial. Throws ConfigError
/// "PATH: ..." when it is not of that form, and as SafetensorsFile.
std::vector<ConnectionMap> read_connection_maps(const std::filesystem::path& file,
                                                const std::string& label);

/// The keys of a figure of kind connections, into `spec`; adds problems.
void read_connections(SpecReader& reader, FigureSpec& spec, Problems& problems);

/// The maps, and what the caption says of them; of each line of the spec the first seed. `table` is
/// of the points: its cells are the trials of each line. What a file lacks goes into
/// figure.not_measured.
void add_connections(Figure& figure, const FigureSpec& spec, const FigureGrids& grids,
                     const Table& table, const ArtifactFiles& files);

}  // namespace rethink
