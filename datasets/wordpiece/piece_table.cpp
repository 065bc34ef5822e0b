#include "datasets/wordpiece/piece_table.h"

#include <bit>
#include <cstring>
#include <unordered_map>

#include "core/error.h"

namespace rethink {
namespace {

constexpr uint64_t kSpread = 0x9E3779B97F4A7C15;  // 2^64 / golden ratio, Knuth's multiplier

uint64_t eight_bytes(const char* bytes) {
  uint64_t number = 0;
  std::memcpy(&number, bytes, sizeof number);
  return number;
}

bool continues_a_word(std::string_view piece) {
  return piece.starts_with("##") && piece.size() > 2;
}

/// Enough slots for `count` entries, a free one among them, and what a hash is shifted by.
std::pair<size_t, int> table_size(size_t count) {
  const size_t slots = std::bit_ceil(count + count / 3 + 2);
  return {slots, 64 - std::countr_zero(slots)};
}

}  // namespace

PieceTable::PieceTable(const std::vector<std::string>& pieces) {
  add_words(pieces);
  add_edges(pieces);
}

size_t PieceTable::slot_of(uint64_t first, uint64_t last) const {
  return ((first ^ std::rotl(last * kSpread, 32)) * kSpread) >> words_shift_;
}

size_t PieceTable::slot_of(uint32_t key) const {
  return (key * kSpread) >> edges_shift_;
}

void PieceTable::add_words(const std::vector<std::string>& pieces) {
  size_t count = 0;
  for (const std::string& piece : pieces) count += piece.size() <= kPadding;
  const auto [slots, shift] = table_size(count);
  words_.resize(slots);
  words_shift_ = shift;
  for (size_t index = 0; index < pieces.size(); ++index) {
    if (pieces[index].size() > kPadding || continues_a_word(pieces[index])) continue;
    // A slot's bytes say nothing of zeros at their end, and no word of a text has one.
    if (pieces[index].empty() || pieces[index].find('\0') != std::string::npos) continue;
    char bytes[kPadding] = {};
    pieces[index].copy(bytes, kPadding);
    const uint64_t first = eight_bytes(bytes), last = eight_bytes(bytes + 8);
    size_t slot = slot_of(first, last);
    while (words_[slot].first != 0 && (words_[slot].first != first || words_[slot].last != last))
      slot = (slot + 1) & (slots - 1);
    words_[slot] = {first, last, static_cast<int32_t>(index)};
  }
}

void PieceTable::add_edges(const std::vector<std::string>& pieces) {
  std::unordered_map<uint32_t, Edge> edges;
  uint32_t nodes = kContinues;
  for (size_t index = 0; index < pieces.size(); ++index) {
    const bool continues = continues_a_word(pieces[index]);
    uint32_t node = continues ? kContinues : kBegins;
    Edge* last = nullptr;
    for (const char c : std::string_view(pieces[index]).substr(continues ? 2 : 0)) {
      RETHINK_ASSERT(node < 1u << 24, std::to_string(node));  // it and a byte make a key
      const uint32_t key = node << 8 | static_cast<uint8_t>(c);
      last = &edges.try_emplace(key, Edge{key, nodes + 1, -1}).first->second;
      if (last->child > nodes) nodes = last->child;
      node = last->child;
    }
    if (last) last->id = static_cast<int32_t>(index);
  }
  const auto [slots, shift] = table_size(edges.size() * 3 / 2);
  edges_.resize(slots);
  edges_shift_ = shift;
  for (const auto& [key, edge] : edges) {
    size_t slot = slot_of(key);
    while (edges_[slot].key != 0) slot = (slot + 1) & (slots - 1);
    edges_[slot] = edge;
  }
}

int32_t PieceTable::whole(std::string_view word) const {
  if (word.size() > kPadding) return -1;
  const uint64_t first = eight_bytes(word.data()), last = eight_bytes(word.data() + 8);
  for (size_t slot = slot_of(first, last); words_[slot].first != 0;
       slot = (slot + 1) & (words_.size() - 1)) {
    if (words_[slot].first == first && words_[slot].last == last) return words_[slot].id;
  }
  return -1;
}

PieceTable::Match PieceTable::longest(std::string_view text, bool continues) const {
  Match match;
  uint32_t node = continues ? kContinues : kBegins;
  for (size_t at = 0; at < text.size(); ++at) {
    const uint32_t key = node << 8 | static_cast<uint8_t>(text[at]);
    size_t slot = slot_of(key);
    while (edges_[slot].key != key && edges_[slot].key != 0)
      slot = (slot + 1) & (edges_.size() - 1);
    if (edges_[slot].key == 0) break;
    if (edges_[slot].id >= 0) match = {edges_[slot].id, at + 1};
    node = edges_[slot].child;
  }
  return match;
}

}  // namespace rethink
