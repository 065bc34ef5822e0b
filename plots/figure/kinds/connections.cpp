// Tokens that attention connects, layer by layer (A3, NER visualization).
#include "plots/figure/kinds/connections.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/error.h"
#include "core/format/safetensors.h"
#include "core/json.h"
#include "core/store_files/entity_numbers.h"
#include "core/text.h"
#include "plots/figure/drawing/gnuplot_page.h"
#include "plots/figure/drawing/panels.h"
#include "plots/figure/figure_kind.h"
#include "plots/table/cells/attention_matrix.h"
#include "plots/text_format.h"

namespace rethink {
namespace {

// Pixels of the SVG.
constexpr double kToken = 11;         // from one token to the next, unless there are many
constexpr double kMostHigh = 300;     // height of a layer's lines
constexpr double kFont = 8;           // size of a token's name
constexpr double kTokenLetter = 5.2;  // mean width of a letter in a token's name
constexpr double kLabelGap = 8;       // between a token's name and its lines
constexpr double kBetween = 22;       // between two adjacent layers
constexpr double kAboveMap = 32;      // the map's label
constexpr double kAboveLayer = 38;    // the layer's label and counts
constexpr double kBelowLayer = 8;
constexpr double kLegend = 26;

struct KindLook {
  const char* name;
  const char* colour;
  const char* counted;  // the colour of its number: light lines need dark digits
  double width;
  double many;  // with more lines, lines are thinner, so that they do not become an area
};

/// Okabe and Ito's vermilion and blue; other kinds stay in the background. In the order of
/// ConnectionKind.
constexpr KindLook kLooks[kConnectionKinds] = {{"other", "#CFCFCF", "#777777", 0.5, 200},
                                               {"SELF", "#0072B2", "#0072B2", 1.8, 15},
                                               {"CROSS", "#D55E00", "#D55E00", 1.8, 15}};
constexpr double kThinnest = 0.25;  // width of the thinnest line

/// Positions on the page, from the top and from the left.
struct ConnectionsLayout {
  double side = 0;               // room for token names, left and right of a row
  double wide = 0;               // width of a layer's lines
  std::vector<double> map_tops;  // top of each map's label
  double bottom = 0;
};

size_t layer_rows(const ConnectionMap& map, size_t across) {
  return (map.layers.size() + across - 1) / across;
}

double high_of(const ConnectionMap& map) {
  return std::min(kMostHigh, kToken * static_cast<double>(map.tokens.size()));
}

double line_width_of(const KindLook& look, size_t lines) {
  return look.width * std::clamp(std::sqrt(look.many / static_cast<double>(lines)), kThinnest, 1.0);
}

double row_high(const ConnectionMap& map) {
  return kAboveLayer + high_of(map) + kBelowLayer;
}

ConnectionsLayout connections_layout(const ConnectionsDrawing& drawing, const Figure& figure) {
  ConnectionsLayout layout;
  size_t longest = 0, most = 1;
  layout.bottom = title_height(figure) + kLegend;
  for (const ConnectionMap& map : drawing.maps) {
    for (const std::string& token : map.tokens) longest = std::max(longest, width_of(token));
    most = std::max(most, std::min(map.layers.size(), drawing.across));
    layout.map_tops.push_back(layout.bottom);
    layout.bottom +=
        kAboveMap + row_high(map) * static_cast<double>(layer_rows(map, drawing.across));
  }
  layout.side = kTokenLetter * static_cast<double>(longest) + kLabelGap;
  const double all = kPageWidth - 2 * kPageMargin - 2 * layout.side;
  const auto count = static_cast<double>(most);
  layout.wide = (all - kBetween * (count - 1)) / count;
  return layout;
}

/// A label anywhere on a page of that height.
std::string text_at(const std::string& text, double left, double top, double height,
                    const std::string& style) {
  return fmt::format("set label {} at screen {:.6f},{:.6f} noenhanced {}\n", quoted(text),
                     left / kPageWidth, 1 - top / height, style);
}

std::string legend(const Figure& figure, double height) {
  const double top = title_height(figure) + kLegend / 2;
  double left = kPageWidth / 2 - 190;
  std::string out;
  const char* const texts[] = {"other", "SELF: within an entity", "CROSS: between entities"};
  for (size_t kind = kConnectionKinds; kind-- > 0;) {
    out += fmt::format(
        "set arrow from screen {:.6f},{:.6f} to screen {:.6f},{:.6f} nohead lw 3 lc rgb \"{}\"\n",
        left / kPageWidth, 1 - top / height, (left + 22) / kPageWidth, 1 - top / height,
        kLooks[kind].colour);
    out += text_at(texts[kind], left + 28, top, height,
                   fmt::format("left font \",10\" textcolor rgb \"{}\"", kLooks[kind].counted));
    left += 44 + 6.6 * static_cast<double>(std::string(texts[kind]).size());
  }
  return out;
}

/// The counts of a layer side by side, each in its colour, below the layer's label.
std::string head_of_layer(const LayerConnections& layer, double middle, double top, double height) {
  std::string out = text_at(one_line(layer.label), middle, top + 10, height, "center font \",9\"");
  double left = middle - 42;
  for (size_t kind = kConnectionKinds; kind-- > 0;) {
    out += text_at(std::to_string(layer.pairs[kind].size()), left, top + 24, height,
                   fmt::format("center font \",9\" textcolor rgb \"{}\"", kLooks[kind].counted));
    left += 42;
  }
  return out;
}

/// Names of all tokens, at a side of a row of layers.
std::string token_labels(const ConnectionMap& map, bool right) {
  std::string out;
  const double font = kFont * high_of(map) / (kToken * static_cast<double>(map.tokens.size()));
  for (size_t token = 0; token < map.tokens.size(); ++token) {
    const bool is_marked =
        std::find(map.marked.begin(), map.marked.end(), token) != map.marked.end();
    out += fmt::format(
        "set label {} at graph {},first {} {} noenhanced font \",{:.3g}\" offset {}0.8,0 textcolor "
        "rgb \"{}\"\n",
        quoted(one_line(map.tokens[token])), right ? 1 : 0, token, right ? "left" : "right", font,
        right ? "" : "-", is_marked ? "#000000" : "#8A8A8A");
  }
  return out;
}

/// Counts the blocks of the data file, in its order.
class Blocks {
 public:
  /// A plot of every kind that `layer` has, and of the marked tokens, which are the last block of
  /// their map.
  std::string plot_of(const LayerConnections& layer, size_t marked) {
    std::vector<std::string> parts;
    for (size_t kind = 0; kind < kConnectionKinds; ++kind) {
      if (layer.pairs[kind].empty()) continue;
      parts.push_back(fmt::format("DATA index {} with lines lw {:.3g} lc rgb \"{}\" notitle",
                                  next_++, line_width_of(kLooks[kind], layer.pairs[kind].size()),
                                  kLooks[kind].colour));
    }
    parts.push_back(
        fmt::format("DATA index {} with points pt 7 ps 0.35 lc rgb \"#000000\" notitle", marked));
    return fmt::format("plot {}\n", fmt::join(parts, ", \\\n     "));
  }

  /// The index of the block of a map's marked tokens.
  size_t marked_of(const ConnectionMap& map) const {
    size_t index = next_;
    for (const LayerConnections& layer : map.layers) {
      for (const auto& pairs : layer.pairs) index += pairs.empty() ? 0 : 1;
    }
    return index;
  }

  void skip_marked() { ++next_; }

 private:
  size_t next_ = 0;
};

std::string map_plots(const ConnectionsDrawing& drawing, size_t number,
                      const ConnectionsLayout& layout, double height, Blocks& blocks) {
  const ConnectionMap& map = drawing.maps[number];
  const size_t marked = blocks.marked_of(map);
  std::string out;
  for (size_t i = 0; i < map.layers.size(); ++i) {
    const size_t row = i / drawing.across, column = i % drawing.across;
    const double left =
        kPageMargin + layout.side + (layout.wide + kBetween) * static_cast<double>(column);
    const double top =
        layout.map_tops[number] + kAboveMap + row_high(map) * static_cast<double>(row);
    const double first = top + kAboveLayer, last = first + high_of(map);
    out += plot_margins(left / kPageWidth, (left + layout.wide) / kPageWidth, 1 - first / height,
                        1 - last / height);
    out += fmt::format("set xrange [0:1]\nset yrange [{}:-0.5]\n",
                       static_cast<double>(map.tokens.size()) - 0.5);
    if (i == 0) {
      out += text_at(one_line(map.label), kPageMargin, layout.map_tops[number] + kAboveMap / 2,
                     height, "left font \",12\"");
    }
    out += head_of_layer(map.layers[i], left + layout.wide / 2, top, height);
    if (column == 0) out += token_labels(map, /*right=*/false);
    if (column + 1 == drawing.across || i + 1 == map.layers.size())
      out += token_labels(map, /*right=*/true);
    out += blocks.plot_of(map.layers[i], marked) + "unset label\nunset arrow\n";
  }
  blocks.skip_marked();
  return out;
}

}  // namespace

std::string ConnectionsDrawing::data() const {
  std::string out = "# lines from 0, a token's number to 1, that of one it attends to\n";
  bool is_first = true;
  const auto begin = [&](const std::string& what) {
    out += fmt::format("{}# {}\n", is_first ? "" : "\n\n", one_line(what));
    is_first = false;
  };
  for (const ConnectionMap& map : maps) {
    for (const LayerConnections& layer : map.layers) {
      for (size_t kind = 0; kind < kConnectionKinds; ++kind) {
        if (layer.pairs[kind].empty()) continue;
        begin(fmt::format("{}, {}: {}", map.label, layer.label, kLooks[kind].name));
        std::string between;
        for (const auto& [query, key] : layer.pairs[kind]) {
          out += fmt::format("{}0 {}\n1 {}\n", between, query, key);
          between = "\n";
        }
      }
    }
    begin(map.label + ": tokens of entities");
    for (const size_t token : map.marked) out += fmt::format("0 {0}\n1 {0}\n", token);
  }
  return out;
}

double ConnectionsDrawing::height(const Figure& figure) const {
  return std::ceil(connections_layout(*this, figure).bottom + caption_height(figure) + kPageMargin);
}

std::string ConnectionsDrawing::plots(const Figure& figure) const {
  const ConnectionsLayout layout = connections_layout(*this, figure);
  const double high = height(figure);
  std::string out = "unset label\nunset arrow\nunset border\nunset tics\nunset key\nset clip two\n";
  out += title_labels(figure, high) + caption_labels(figure, high) + legend(figure, high);
  out += "set multiplot\n";
  Blocks blocks;
  for (size_t i = 0; i < maps.size(); ++i) out += map_plots(*this, i, layout, high, blocks);
  return out + "unset multiplot\n";
}

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
