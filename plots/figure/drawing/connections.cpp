#include "plots/figure/drawing/connections.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/text.h"
#include "plots/figure/drawing/gnuplot_page.h"
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

}  // namespace rethink
