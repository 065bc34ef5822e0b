// Tokens and their ids: four special tokens, then the most frequent of a text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace rethink {

/// Hash that lets maps with keys of strings be searched by views.
struct TextHash {
  using is_transparent = void;
  size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
};

class Vocabulary {
 public:
  static constexpr int32_t kPadding = 0, kStart = 1, kEnd = 2, kUnknown = 3, kSpecials = 4;
  static constexpr const char* kSpecialTexts[kSpecials] = {"<pad>", "<start>", "<end>", "<unk>"};

  /// Only the special tokens.
  Vocabulary() : Vocabulary(std::vector<std::string>{}) {}
  /// Gives ids from kSpecials on, in the order of `tokens`. Throws ConfigError for a duplicate or
  /// special token.
  explicit Vocabulary(const std::vector<std::string>& tokens);

  size_t size() const { return texts_.size(); }
  /// Returns kUnknown for a missing token.
  int32_t id(std::string_view text) const;
  bool contains(std::string_view text) const { return ids_.find(text) != ids_.end(); }
  /// Requires: 0 <= id < size().
  const std::string& text(int32_t id) const;

  /// Returns one token per line in the order of ids, without special tokens; \n, \r and \ in a
  /// token are escaped by a backslash.
  std::string to_text() const;
  /// Throws ConfigError "what:line: ..." when `text` is not what to_text writes.
  static Vocabulary from_text(std::string_view text, const std::string& what);

 private:
  std::vector<std::string> texts_;
  std::unordered_map<std::string, int32_t, TextHash, std::equal_to<>> ids_;
};

/// Counts tokens and makes the vocabulary of the most frequent ones. Special tokens in the text
/// ("<unk>") are not counted, since they have their ids already.
class VocabularyBuilder {
 public:
  /// Counts `token` and returns its provisional id. This is a special token's own id, else
  /// kSpecials + the number of other tokens seen before the token's first occurrence. final_ids()
  /// translates provisional ids, so that a text is read only once.
  int32_t add(std::string_view token);
  /// Returns the `max_tokens` most frequent tokens (0 = all), most frequent first; equally frequent
  /// tokens in the order of their first occurrence.
  Vocabulary build(int64_t max_tokens) const;
  /// Returns i32 [provisional ids], the final id of each in `vocabulary`.
  std::vector<int32_t> final_ids(const Vocabulary& vocabulary) const;

 private:
  struct Count {
    int64_t count;
    size_t first;  // position in order_
  };
  std::unordered_map<std::string, Count, TextHash, std::equal_to<>> counts_;
  std::vector<const std::string*> order_;
};

}  // namespace rethink
