#include "datasets/wordpiece/wordpiece.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "core/text.h"
#include "datasets/wordpiece/piece_table.h"

namespace rethink {
namespace {

void require_utf8(const std::vector<std::string>& pieces, const std::string& what) {
  Problems problems;
  for (size_t index = 0; index < pieces.size(); ++index) {
    if (find_invalid_utf8(pieces[index]) == std::string::npos) continue;
    problems.add({what, static_cast<int>(index) + 1, 1}, "the piece is not UTF-8");
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
    problems.add({what},
                 fmt::format("got no '{}', which a vocabulary of BERT has", kBertSpecials[index]));
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
