// BERT's tokenizer: from text to the pieces of a vocabulary, with the same tokens as HF tokenizers.
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

/// A vocabulary of pieces, and how a text is read with it. core/format/tokenizer_folder.h reads
/// vocabularies from files; "##" begins a piece that continues a word. A text is cleaned and split
/// into words by bert_words.h. Then each word is split from its beginning, the longest piece first.
/// A word of more than 100 characters, or a word that pieces cannot form, is [UNK].
///
/// Thread: safe; encoding changes nothing. Copies share the vocabulary.
class WordPiece {
 public:
  /// `pieces` are in the order of their ids. A duplicate piece has its last id; "" is an id without
  /// a piece. `cased` keeps case and accents. Throws ConfigError, which names `what`, for a piece
  /// that is not UTF-8, with its line, and if a special token other than [MASK] is missing.
  WordPiece(std::vector<std::string> pieces, bool cased, const std::string& what = "vocabulary");
  /// Reads the text of a vocab.txt, as vocabulary_in_text. Throws as above.
  static WordPiece from_text(std::string_view text, bool cased, const std::string& what);
  /// Reads a vocab.txt or a tokenizer.json. Throws as above and as read_vocabulary_file.
  static WordPiece from_file(const std::filesystem::path& vocab, bool cased);

  bool is_cased() const { return cased_; }
  size_t size() const { return pieces_->size(); }
  /// Requires: 0 <= id < size().
  const std::string& piece(int32_t id) const { return (*pieces_)[static_cast<size_t>(id)]; }
  /// Returns -1 for a missing piece. Cost: linear in the bytes of the piece.
  int32_t find(std::string_view piece) const;
  /// Returns the contents of vocab.txt, which from_text reads.
  std::string to_text() const;

  int32_t padding() const { return specials_[0]; }     // [PAD]
  int32_t unknown() const { return specials_[1]; }     // [UNK]
  int32_t classifier() const { return specials_[2]; }  // [CLS]
  int32_t separator() const { return specials_[3]; }   // [SEP]
  int32_t mask() const { return specials_[4]; }        // [MASK]; -1: the vocabulary lacks it
  bool is_special(int32_t id) const;

  /// Appends the ids of the pieces of `text` to `ids`, without [CLS] and [SEP]. Special tokens of
  /// the vocabulary that the text spells out ("[MASK]") get their ids. Any bytes are accepted:
  /// invalid UTF-8 counts as U+FFFD, which is dropped.
  void encode(std::string_view text, std::vector<int32_t>& ids) const;
  /// Does the same, and also returns for each id the position of its piece in `text`, from its
  /// first to its last character. An accent that is one character with its letter is included;
  /// separate marks that were stripped at the end are not. Ranges ascend. Pieces of one character
  /// (Korean), and marks that change places in Unicode's canonical order, share a range. HF's
  /// ranges are equal except for such marks, where HF's may miss the piece.
  void encode(std::string_view text, std::vector<int32_t>& ids,
              std::vector<ByteRange>& ranges) const;
  /// Returns the texts of encode's pieces.
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
