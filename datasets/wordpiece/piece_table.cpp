#include "datasets/wordpiece/piece_table.h"

#include <bit>

#include "core/error.h"

namespace rethink {

PieceTable::PieceTable(const std::vector<std::string>& pieces) : ids_(kContinues + 1, -1) {
  size_t bytes = 0;
  for (const std::string& piece : pieces) bytes += piece.size();
  RETHINK_ASSERT(bytes < (1u << 24), std::to_string(bytes));  // nodes and a byte fit a key
  const size_t slots = std::bit_ceil(2 * bytes + 2);
  edges_.resize(slots);
  shift_ = 64 - std::countr_zero(slots);
  for (size_t index = 0; index < pieces.size(); ++index) {
    const std::string_view piece = pieces[index];
    const bool continues = piece.starts_with("##") && piece.size() > 2;
    add(continues ? piece.substr(2) : piece, continues ? kContinues : kBegins,
        static_cast<int32_t>(index));
  }
}

void PieceTable::add(std::string_view text, uint32_t root, int32_t id) {
  uint32_t node = root;
  for (const char c : text) {
    uint32_t child = child_of(node, static_cast<uint8_t>(c));
    if (child == 0) {
      child = static_cast<uint32_t>(ids_.size());
      ids_.push_back(-1);
      add_edge(node << 8 | static_cast<uint8_t>(c), child);
    }
    node = child;
  }
  ids_[node] = id;
}

void PieceTable::add_edge(uint32_t key, uint32_t child) {
  size_t slot = slot_of(key);
  while (edges_[slot].key != 0) slot = (slot + 1) & (edges_.size() - 1);
  edges_[slot] = {key, child};
}

uint32_t PieceTable::child_of(uint32_t node, uint8_t byte) const {
  const uint32_t key = node << 8 | byte;
  for (size_t slot = slot_of(key);; slot = (slot + 1) & (edges_.size() - 1)) {
    if (edges_[slot].key == key) return edges_[slot].child;
    if (edges_[slot].key == 0) return 0;
  }
}

PieceTable::Match PieceTable::longest(std::string_view text, bool continues) const {
  Match match;
  uint32_t node = continues ? kContinues : kBegins;
  for (size_t at = 0; at < text.size(); ++at) {
    node = child_of(node, static_cast<uint8_t>(text[at]));
    if (node == 0) break;
    if (ids_[node] >= 0) match = {ids_[node], at + 1};
  }
  return match;
}

}  // namespace rethink
