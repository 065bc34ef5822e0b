// BERT's tokenizer: from text to the pieces of a vocabulary, token for token as HF tokenizers has
// it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/wordpiece/bert_words.h"

namespace rethink {

class PieceTable;

/// A vocabulary of pieces (core/format/tokenizer_folder.h reads it from files; "##" begins those that
/// continue a word) and how a text is read with it. A text is cleaned and parted into
/// words as bert_words.h says; then each word is taken apart from its beginning, the longest piece
/// first. A word of more than 100 characters, or one that no pieces make up, is [UNK].
///
/// Thread: safe; encoding changes nothing. Copies share the vocabulary.
class WordPiece {
 public:
  /// The pieces in the order of their ids. The id of a piece that is there twice is its last one;
  /// "" is an id without a piece. `cased`: case and accents are kept. Throws ConfigError, which
  /// names `what`, for a piece that is not UTF-8, with its line, and when a special token other than
  /// [MASK] is missing.
  WordPiece(std::vector<std::string> pieces, bool cased, const std::string& what = "vocabulary");
  /// The text of a vocab.txt, as vocabulary_in_text reads it. Throws as above.
  static WordPiece from_text(std::string_view text, bool cased, const std::string& what);
  /// A vocab.txt or a tokenizer.json. Throws as above and as read_vocabulary_file.
  static WordPiece from_file(const std::filesystem::path& vocab, bool cased);

  bool is_cased() const { return cased_; }
  size_t size() const { return pieces_->size(); }
  /// Requires: 0 <= id < size().
  const std::string& piece(int32_t id) const { return (*pieces_)[static_cast<size_t>(id)]; }
  /// Returns -1 for a missing piece. Cost: a look at each of its bytes.
  int32_t find(std::string_view piece) const;
  /// Returns the contents of vocab.txt, which from_text reads.
  std::string to_text() const;

  int32_t padding() const { return specials_[0]; }     // [PAD]
  int32_t unknown() const { return specials_[1]; }     // [UNK]
  int32_t classifier() const { return specials_[2]; }  // [CLS]
  int32_t separator() const { return specials_[3]; }   // [SEP]
  int32_t mask() const { return specials_[4]; }        // [MASK]; -1: the vocabulary has none
  bool is_special(int32_t id) const;

  /// Appends the ids of the pieces of `text` to `ids`: no [CLS], no [SEP] of their own. Special
  /// tokens of the vocabulary that the text spells out ("[MASK]") become theirs. Any bytes are taken: those that are
  /// not UTF-8 count as U+FFFD, which is dropped.
  void encode(std::string_view text, std::vector<int32_t>& ids) const;
  /// The same, and for each id where its piece stands in `text`: from the first to the last of its
  /// characters, with accents that are one character with their letter, without marks of their own
  /// that were stripped at its end. Ranges ascend; pieces of one character (Korean), and marks that
  /// change places in Unicode's canonical order, share theirs. HF's are the same, but for the
  /// latter, where they may miss the piece.
  void encode(std::string_view text, std::vector<int32_t>& ids,
              std::vector<ByteRange>& ranges) const;
  /// The texts of encode's pieces.
  std::vector<std::string> pieces(std::string_view text) const;

 private:
  void add_pieces(const BertWords& words, std::vector<int32_t>& ids,
                  std::vector<ByteRange>* ranges) const;
  void encode(std::string_view text, std::vector<int32_t>& ids,
              std::vector<ByteRange>* ranges) const;

  bool cased_;
  std::shared_ptr<const std::vector<std::string>> pieces_;
  std::shared_ptr<const PieceTable> table_;
  std::array<int32_t, kBertSpecials.size()> specials_{};
};

}  // namespace rethink
