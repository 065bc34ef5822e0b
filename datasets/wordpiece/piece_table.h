// Finds the pieces of a WordPiece vocabulary at a place of a word.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace rethink {

/// Pieces as a trie of bytes with two roots: those that begin a word, and those that continue one
/// ("##ing" there is "ing"). Thread: safe.
class PieceTable {
 public:
  struct Match {
    int32_t id = -1;   // -1: no piece begins the text
    size_t bytes = 0;  // of the text
  };

  /// The ids of `pieces` are their places.
  explicit PieceTable(const std::vector<std::string>& pieces);

  /// The longest piece that `text` begins with.
  Match longest(std::string_view text, bool continues) const;

 private:
  /// An edge of the trie: one slot of an open hash table, which takes less memory than arrays of
  /// 256 and stays in a cache.
  struct Edge {
    uint32_t key = 0;  // parent node << 8 | byte; 0: free
    uint32_t child = 0;
  };
  static constexpr uint32_t kBegins = 1, kContinues = 2;

  uint32_t child_of(uint32_t node, uint8_t byte) const;
  void add(std::string_view text, uint32_t root, int32_t id);
  void add_edge(uint32_t key, uint32_t child);
  size_t slot_of(uint32_t key) const { return (key * 0x9E3779B97F4A7C15u) >> shift_; }

  std::vector<Edge> edges_;
  std::vector<int32_t> ids_;  // [nodes], -1: no piece ends here
  int shift_ = 0;             // 64 - log2 of the slots
};

}  // namespace rethink
