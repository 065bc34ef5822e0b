#include "datasets/wordpiece/wordpiece.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <unordered_map>

#include "core/config/problems.h"
#include "core/error.h"
#include "core/text.h"

namespace rethink {

/// Finds the pieces of a WordPiece vocabulary at a position of a word. A table has the whole words,
/// since most words of a text are one piece. For other words there is a trie of bytes with two
/// roots: pieces that begin a word, and pieces that continue a word ("##ing" is stored as "ing").
/// Thread: safe.
class PieceTable {
 public:
  struct Match {
    int32_t id = -1;   // -1: no piece begins the text
    size_t bytes = 0;  // of the text
  };
  static constexpr size_t kPadding = 16;

  /// The ids of `pieces` are their indices; a repeated piece has its last index. "" is not a piece.
  explicit PieceTable(const std::vector<std::string>& pieces);

  /// The piece equal to `word` if it can begin words and has at most kPadding bytes; else -1.
  /// Requires: `word` contains no byte 0, and kPadding bytes of 0 follow it, so that every word is
  /// read at once, without a branch on its length.
  int32_t whole(std::string_view word) const;

  /// The longest piece at the beginning of `text`.
  Match longest(std::string_view text, bool continues) const;

 private:
  struct Word {
    uint64_t first = 0, last = 0;  // its bytes; 0 0: free
    int32_t id = -1;
  };
  /// An edge of the trie, with the piece that ends at it.
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

  // Open hash tables whose sizes are powers of 2, each with 64 - log2 of its size.
  std::vector<Word> words_;
  std::vector<Edge> edges_;
  int words_shift_ = 0, edges_shift_ = 0;
};

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

/// The size for `count` entries with at least one free slot, and the shift of a hash.
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
    // A slot's bytes do not distinguish trailing zeros, and no word of a text has one.
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
      RETHINK_ASSERT(node < 1u << 24, std::to_string(node));  // node and byte form a key
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

namespace {

void require_utf8(const std::vector<std::string>& pieces, const std::string& what) {
  Problems problems;
  for (size_t index = 0; index < pieces.size(); ++index) {
    if (find_invalid_utf8(pieces[index]) == std::string::npos) continue;
    problems.add({what, static_cast<int>(index) + 1, 1}, "invalid-vocabulary",
                 "the piece is not UTF-8");
  }
  problems.throw_if_any();
}

}  // namespace

WordPiece::WordPiece(std::vector<std::string> pieces, bool cased, const std::string& what)
    : cased_(cased) {
  require_utf8(pieces, what);
  table_ = std::make_shared<PieceTable>(pieces);
  pieces_ = std::make_shared<const std::vector<std::string>>(std::move(pieces));
  Problems problems;
  for (size_t index = 0; index < kBertSpecials.size(); ++index) {
    specials_[index] = find(kBertSpecials[index]);
    if (specials_[index] >= 0 || kBertSpecials[index] == kBertSpecials.back()) continue;
    problems.add(
        {what}, "invalid-vocabulary",
        fmt::format("lacks '{}', which every vocabulary of BERT has", kBertSpecials[index]));
  }
  problems.throw_if_any();
}

WordPiece WordPiece::from_text(std::string_view text, bool cased, const std::string& what) {
  return WordPiece(vocabulary_in_text(text, what).pieces, cased, what);
}

WordPiece WordPiece::from_file(const std::filesystem::path& vocab, bool cased) {
  return WordPiece(read_vocabulary_file(vocab).pieces, cased, vocab.string());
}

int32_t WordPiece::find(std::string_view piece) const {
  const bool continues = piece.starts_with("##") && piece.size() > 2;
  const std::string_view text = continues ? piece.substr(2) : piece;
  const PieceTable::Match match = table_->longest(text, continues);
  return match.bytes == text.size() ? match.id : -1;
}

std::string WordPiece::to_text() const {
  std::string text;
  for (const std::string& piece : *pieces_) text += piece + '\n';
  return text;
}

bool WordPiece::is_special(int32_t id) const {
  return std::find(specials_.begin(), specials_.end(), id) != specials_.end();
}

void WordPiece::encode(std::string_view text, std::vector<int32_t>& ids) const {
  encode(text, ids, nullptr);
}

void WordPiece::encode(std::string_view text, std::vector<int32_t>& ids,
                       std::vector<ByteRange>& ranges) const {
  encode(text, ids, &ranges);
}

void WordPiece::encode(std::string_view text, std::vector<int32_t>& ids,
                       std::vector<ByteRange>* ranges) const {
  BertWords words(text, cased_, kBertSpecials.size() - (mask() < 0 ? 1 : 0));
  while (words.next()) {
    if (words.special() < 0) {
      add_pieces(words, ids, ranges);
    } else {
      ids.push_back(specials_[static_cast<size_t>(words.special())]);
      if (ranges) ranges->push_back(words.range());
    }
  }
}

void WordPiece::add_pieces(const BertWords& words, std::vector<int32_t>& ids,
                           std::vector<ByteRange>* ranges) const {
  const std::string_view word = words.word();
  const auto add = [&](int32_t id, ByteRange range) {
    ids.push_back(id);
    if (ranges) ranges->push_back(range);
  };
  const int32_t whole = words.is_too_long() ? unknown() : table_->whole(word);
  if (whole >= 0) return add(whole, words.range());
  const size_t ids_before = ids.size(), ranges_before = ranges ? ranges->size() : 0;
  for (size_t at = 0; at < word.size();) {
    const PieceTable::Match match = table_->longest(word.substr(at), at > 0);
    if (match.id < 0) {
      ids.resize(ids_before);
      if (ranges) ranges->resize(ranges_before);
      return add(unknown(), words.range());
    }
    add(match.id, words.range(at, at + match.bytes));
    at += match.bytes;
  }
}

std::vector<std::string> WordPiece::pieces(std::string_view text) const {
  std::vector<int32_t> ids;
  encode(text, ids);
  std::vector<std::string> texts;
  texts.reserve(ids.size());
  for (const int32_t id : ids) texts.push_back(piece(id));
  return texts;
}

}  // namespace rethink
