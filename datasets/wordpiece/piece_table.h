// Finds the pieces of a WordPiece vocabulary at a place of a word.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace rethink {

/// Whole words in a table, since most words of a text are a piece by themselves; for the others a
/// trie of bytes with two roots: pieces that begin a word, and pieces that continue one ("##ing"
/// there is "ing"). Thread: safe.
class PieceTable {
 public:
  struct Match {
    int32_t id = -1;   // -1: no piece begins the text
    size_t bytes = 0;  // of the text
  };
  static constexpr size_t kPadding = 16;

  /// The ids of `pieces` are their places; of a piece that is there twice, its last. "" is no piece.
  explicit PieceTable(const std::vector<std::string>& pieces);

  /// The piece that `word` is, when it begins words and has no more than kPadding bytes; else -1.
  /// Requires: kPadding bytes of 0 behind `word`, and none in it. They let every word be read at
  /// once, without a branch on its length.
  int32_t whole(std::string_view word) const;

  /// The longest piece that `text` begins with.
  Match longest(std::string_view text, bool continues) const;

 private:
  struct Word {
    uint64_t first = 0, last = 0;  // its bytes; 0 0: free
    int32_t id = -1;
  };
  /// An edge of the trie, with the piece that ends behind it.
  struct Edge {
    uint32_t key = 0;  // parent node << 8 | byte; 0: free
    uint32_t child = 0;
    int32_t id = -1;
  };
  static constexpr uint32_t kBegins = 1, kContinues = 2;

  size_t slot_of(uint64_t first, uint64_t last) const;
  size_t slot_of(uint32_t key) const;
  void add_words(const std::vector<std::string>& pieces);
  void add_edges(const std::vector<std::string>& pieces);

  // Open hash tables whose sizes are powers of 2: 64 - log2 of them beside each.
  std::vector<Word> words_;
  std::vector<Edge> edges_;
  int words_shift_ = 0, edges_shift_ = 0;
};

}  // namespace rethink
