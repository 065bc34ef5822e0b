#include "datasets/wordpiece/wordpiece.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "core/error.h"
#include "core/file.h"
#include "core/utf8.h"
#include "datasets/unicode_text.h"
#include "datasets/wordpiece/piece_table.h"

namespace rethink {
namespace {

/// Why no text could ever hold `piece`; "" when one may.
std::string fault_of(const std::string& piece) {
  if (piece.empty()) return "got an empty line, expected a piece";
  if (find_invalid_utf8(piece) != std::string::npos) return "the piece is not UTF-8";
  for (const char32_t c : to_code_points(piece)) {
    if (is_space(c) || c < ' ' || c == 0x7F)
      return fmt::format("got '{}', expected a piece without white space", one_line(piece));
  }
  return "";
}

void check(const std::vector<std::string>& pieces, const std::string& what) {
  Problems problems;
  std::unordered_map<std::string_view, int> line_of;
  for (size_t index = 0; index < pieces.size(); ++index) {
    const int line = static_cast<int>(index) + 1;
    const std::string& piece = pieces[index];
    if (const std::string fault = fault_of(piece); !fault.empty()) {
      problems.add({what, line, 1}, fault);
    } else if (const auto [first, is_new] = line_of.emplace(piece, line); !is_new) {
      problems.add({what, line, 1},
                   fmt::format("piece '{}' stands in line {} already", piece, first->second));
    }
  }
  for (const std::string_view special : kBertSpecials) {
    if (!line_of.count(special))
      problems.add({what, 0, 0},
                   fmt::format("got no '{}', which a vocabulary of BERT has", special));
  }
  problems.throw_if_any();
}

}  // namespace

WordPiece::WordPiece(std::vector<std::string> pieces, bool cased, const std::string& what)
    : cased_(cased) {
  check(pieces, what);
  table_ = std::make_shared<PieceTable>(pieces);
  pieces_ = std::make_shared<const std::vector<std::string>>(std::move(pieces));
  for (size_t index = 0; index < kBertSpecials.size(); ++index)
    specials_[index] = find(kBertSpecials[index]);
}

WordPiece WordPiece::from_text(std::string_view text, bool cased, const std::string& what) {
  std::vector<std::string> pieces;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    pieces.emplace_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return WordPiece(std::move(pieces), cased, what);
}

WordPiece WordPiece::from_file(const std::filesystem::path& vocab, bool cased) {
  if (!std::filesystem::is_regular_file(vocab))
    throw ConfigError(fmt::format("{}: got no such file, expected a vocab.txt", vocab.string()));
  return from_text(read_file(vocab), cased, vocab.string());
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
  BertWords words(text, cased_);
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
