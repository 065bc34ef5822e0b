// Tokens that attention connects, layer by layer (A3, NER visualization).
#include "plots/figure/drawing/connections.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/error.h"
#include "core/format/safetensors.h"
#include "core/json.h"
#include "core/store_files/entity_numbers.h"
#include "plots/figure/drawing/panels.h"
#include "plots/figure/figure_kind.h"
#include "plots/table/cells/attention_matrix.h"

namespace rethink {
namespace {

/// The largest number of tokens of a map, and of rows of layers: more would be a block of colour,
/// or an endless page.
constexpr size_t kMostMapTokens = 48, kMostRows = 6;

/// Numbers of the drawn tokens, by their position in the sequence.
std::vector<size_t> drawn_numbers(const std::vector<int64_t>& entities) {
  std::vector<size_t> numbers(entities.size());
  size_t number = 0;
  for (size_t place = 0; place < entities.size(); ++place) {
    numbers[place] = number;
    if (entities[place] != kSpecialToken) ++number;
  }
  return numbers;
}

/// `cells`: 0 none, 1 other, 2 self, 3 cross.
LayerConnections layer_of(const Matrix& matrix, const std::vector<size_t>& numbers) {
  LayerConnections layer;
  for (size_t query = 0; query < matrix.rows; ++query) {
    for (size_t key = 0; key < matrix.columns; ++key) {
      const auto kind = static_cast<size_t>(matrix.cells[query * matrix.columns + key]);
      if (kind == 0 || kind > kConnectionKinds) continue;
      layer.pairs[kind - 1].emplace_back(numbers[query], numbers[key]);
    }
  }
  return layer;
}

ConnectionMap map_of(const Json& sentence, const std::vector<Matrix>& layers) {
  const std::vector<std::string> tokens = sentence.at("tokens");
  const std::vector<int64_t> entities = sentence.at("entities");
  const std::vector<std::string> variants = sentence.at("attention");
  if (tokens.size() != entities.size() || tokens.size() != layers.front().rows ||
      variants.size() != layers.size()) {
    throw ConfigError(
        "wrong-file",
        fmt::format("{} tokens, {} entities, {} variants do not match {} layers of {}",
                    tokens.size(), entities.size(), variants.size(), layers.size(),
                    layers.front().rows));
  }
  ConnectionMap map;
  const std::vector<size_t> numbers = drawn_numbers(entities);
  for (size_t place = 0; place < tokens.size(); ++place) {
    if (entities[place] == kSpecialToken) continue;
    if (entities[place] != kNoEntity) map.marked.push_back(numbers[place]);
    map.tokens.push_back(tokens[place]);
  }
  for (size_t i = 0; i < layers.size(); ++i) {
    map.layers.push_back(layer_of(layers[i], numbers));
    const std::string variant = variants[i] == "dense" ? "" : ", " + variants[i];
    map.layers.back().label = fmt::format("layer {}{}", i + 1, variant);
  }
  return map;
}

/// All sentences of an artifact of entity_attention. `label`: of the trial. Throws ConfigError
/// "PATH: ..." for another form, and as SafetensorsFile.
std::vector<ConnectionMap> read_connection_maps(const std::filesystem::path& file,
                                                const std::string& label) {
  const SafetensorsFile tensors(file);
  std::vector<ConnectionMap> maps;
  try {
    const Json sentences = parse_json(tensors.metadata().at("sentences"), file.string());
    for (size_t number = 1; number <= sentences.size(); ++number) {
      const std::string tensor = fmt::format("connections_{}", number);
      maps.push_back(map_of(sentences[number - 1], read_matrices(file, tensor)));
      maps.back().label =
          sentences.size() == 1 ? label : fmt::format("{}, sentence {}", label, number);
    }
  } catch (const Json::exception& error) {
    throw ConfigError("wrong-file",
                      fmt::format("{}: {}; expected a file of the analysis entity_attention",
                                  file.string(), error.what()));
  } catch (const std::out_of_range&) {
    throw ConfigError(
        "wrong-file",
        fmt::format("{}: has no sentences; expected a file of the analysis entity_attention",
                    file.string()));
  }
  return maps;
}

/// Removes maps without room from `panels`: long maps, and maps of later sentences, the same ones
/// in all panels. Reports them in figure.not_drawn.
void leave_out_maps(size_t across, std::vector<std::vector<ConnectionMap>>& panels,
                    Figure& figure) {
  std::vector<std::string> left_out;
  const auto is_long = [](const ConnectionMap& map) { return map.tokens.size() > kMostMapTokens; };
  size_t rows = 0;
  for (std::vector<ConnectionMap>& maps : panels) {
    for (const ConnectionMap& map : maps) {
      if (is_long(map))
        left_out.push_back(fmt::format("{} ({} tokens)", map.label, map.tokens.size()));
    }
    std::erase_if(maps, is_long);
    if (!maps.empty()) rows += (maps[0].layers.size() + across - 1) / across;
  }
  const size_t most = rows == 0 ? 0 : std::max<size_t>(1, kMostRows / rows);
  for (std::vector<ConnectionMap>& maps : panels) {
    for (size_t i = most; i < maps.size(); ++i) left_out.push_back(maps[i].label);
    if (maps.size() > most) maps.resize(most);
  }
  if (left_out.empty()) return;
  figure.not_drawn = fmt::format(
      "not drawn: {}; a map has room for {} tokens, a figure for {} rows of layers: give shorter "
      "or "
      "fewer sentences",
      joined(left_out, "; "), kMostMapTokens, kMostRows);
}

class ConnectionsFigure : public FigureKind {
 public:
  void read(const Yaml& /*document*/, SpecReader& reader, bool /*is_named*/, FigureSpec& spec,
            Problems& problems) override {
    read_trials(reader, spec.points);
    spec.points.wanted_seeds = 1;
    across_ = read_across(reader, across_);
    artifact_ = reader.text("artifact");
    spec.notes = read_notes(reader, {}, problems);
    for (const Yaml* panel : reader.maps("panels", "[{axis: arm}]"))
      spec.points.rows.push_back(read_plain_line(*panel, "panel", problems));
    for (const char* key : {"sweep", "stage", "artifact", "panels"}) reader.require(key);
    reader.finish();
    spec.points.columns = {artifact_column(artifact_, reader.where())};
    spec.points.words = {"figure", "panel", "artifact", "panels"};
  }

  /// Adds the first seed of each line of the spec. Missing contents of a file go into
  /// figure.not_measured.
  void add(const FigureSpec& spec, const FigureSources& sources, Figure& figure,
           FigureFindings& findings) const override {
    const Table table = points_of(spec, sources, figure, findings);
    const auto drawing = std::make_shared<ConnectionsDrawing>();
    drawing->across = static_cast<size_t>(across_);
    figure.drawing = drawing;
    std::set<ShownSeed> seeds;
    std::vector<std::vector<ConnectionMap>> panels;
    for (size_t row = 0; row < sources.grids.points.rows.size(); ++row) {
      const std::string& label = sources.grids.points.rows[row].label;
      const Cell& cell = table.cells[row][0];
      const std::optional<size_t> shown = first_with_file(cell, sources.files);
      if (!shown) continue;
      try {
        panels.push_back(
            read_connection_maps(sources.files.at(cell.trials[*shown]).intact(), label));
        seeds.insert(shown_seed(cell, *shown));
      } catch (const ConfigError& error) {
        note_missing_panel(figure, label, error.what());
      } catch (const MachineError& error) {
        note_missing_panel(figure, label, error.what());
      }
    }
    leave_out_maps(drawing->across, panels, figure);
    for (std::vector<ConnectionMap>& maps : panels) {
      for (ConnectionMap& map : maps) drawing->maps.push_back(std::move(map));
    }
    if (!figure.not_drawn.empty()) figure.caption.push_back(figure.not_drawn);
    if (drawing->maps.empty()) return;
    std::vector<std::string> shown_seeds;
    for (const ShownSeed& seed : seeds) shown_seeds.push_back(to_text(seed));
    figure.caption.push_back(
        fmt::format("a line goes from a token, left, to one that it attends to, right; numbers: "
                    "how many of each kind; dots: tokens of entities; seed {}",
                    fmt::join(shown_seeds, ", ")));
  }

  const char* parts() const override { return "panels"; }
  std::string artifact() const override { return artifact_; }
  bool has_panels() const override { return true; }

 private:
  int64_t across_ = 6;    // layers in a row
  std::string artifact_;  // the artifact that the analysis entity_attention left
};

RETHINK_REGISTERED = figure_kinds().add<NoFields>(
    {.name = "connections", .summary = "tokens that attention connects (A3, NER visualization)"},
    [](const NoFields&) { return std::make_shared<ConnectionsFigure>(); });

}  // namespace
}  // namespace rethink
