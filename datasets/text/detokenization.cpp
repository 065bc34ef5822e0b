#include "datasets/text/detokenization.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "datasets/unicode_text.h"

namespace rethink {
namespace {

using Token = std::u32string;

/// Escapes of the tokenizer, including older versions, and their characters. Replaced in one pass,
/// so that text that was escaped twice stays escaped once.
constexpr std::pair<std::string_view, std::string_view> kWritten[] = {
    {" @-@ ", "-"},   {"&amp;", "&"},  {"&lt;", "<"},   {"&gt;", ">"},
    {"&quot;", "\""}, {"&apos;", "'"}, {"&#124;", "|"}, {"&#91;", "["},
    {"&#93;", "]"},   {"&bar;", "|"},  {"&bra;", "["},  {"&ket;", "]"},
};

std::string as_it_was(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const auto* written = std::ranges::find_if(
        kWritten, [&](const auto& one) { return text.starts_with(one.first); });
    const bool is_found = written != std::end(kWritten);
    result += is_found ? written->second : text.substr(0, 1);
    text.remove_prefix(is_found ? written->first.size() : 1);
  }
  return result;
}

/// Chinese, Japanese or Korean by sacremoses' Unicode blocks, which include Tangut, rare kana and
/// Nushu; detokenizer.perl lacks these.
bool is_east_asian(char32_t c) {
  constexpr std::pair<char32_t, char32_t> kBlocks[] = {
      {0x1100, 0x11FF},   {0x2E80, 0xA4CF},   {0xA840, 0xA87F},  {0xAC00, 0xD7AF},
      {0xF900, 0xFAFF},   {0xFE30, 0xFE4F},   {0xFF65, 0xFFDC},  {0x17000, 0x18AFF},
      {0x1B000, 0x1B12F}, {0x1B170, 0x1B2FF}, {0x20000, 0x2FFFF}};
  return std::ranges::any_of(
      kBlocks, [c](const auto& block) { return c >= block.first && c <= block.second; });
}

bool is_opening(char32_t c) {
  return std::u32string_view(U"([{\u00bf\u00a1").find(c) != std::u32string_view::npos ||
         u_charType(static_cast<UChar32>(c)) == U_CURRENCY_SYMBOL;
}

bool consists_of(const Token& token, std::u32string_view characters) {
  return token.find_first_not_of(characters) == Token::npos;
}

/// 's, 'll, 't.
bool is_contraction(const Token& token) {
  return token.size() > 1 && token[0] == U'\'' && u_isUAlphabetic(static_cast<UChar32>(token[1]));
}

/// The neighbour to which a token is attached without a space.
enum class Side { none, left, right };

/// The sides for the tokens of one line.
class Sides {
 public:
  explicit Sides(MosesLanguage language) : is_english_(language == MosesLanguage::english) {}

  /// `last`: the previous token; empty at the beginning.
  Side of(const Token& token, const Token& last) {
    if (is_east_asian(token.front()))
      return !last.empty() && is_east_asian(last.back()) ? Side::left : Side::none;
    if (std::ranges::all_of(token, is_opening)) return Side::right;
    if (consists_of(token, U",.?!:;\\%}])")) return Side::left;
    if (is_english_ && is_contraction(token)) return Side::left;
    if (consists_of(token, U"'\"\u201e\u201c`")) return of_quote(token, last);
    return Side::none;
  }

 private:
  Side of_quote(const Token& token, const Token& last) {
    const Token kind = consists_of(token, U"\u201e\u201c") ? U"\"" : token;
    if (open_.erase(kind) > 0) return Side::left;
    // In "students' books", the apostrophe does not open a quotation.
    if (is_english_ && token == U"'" && last.ends_with(U's')) return Side::left;
    open_.insert(kind);
    return Side::right;
  }

  bool is_english_;
  std::set<Token> open_;  // quotes that are open so far
};

}  // namespace

std::string detokenized(const std::string& line, MosesLanguage language) {
  Sides sides(language);
  std::string text;
  Token last;
  bool is_apart = false;
  for (const std::string& word : words_between_spaces(as_it_was(" " + line + " "))) {
    Token token = to_code_points(word);
    const Side side = sides.of(token, last);
    if (is_apart && side != Side::left) text += ' ';
    text += word;
    is_apart = side != Side::right;
    last = std::move(token);
  }
  return text;
}

std::string without_piece_marks(std::string_view line) {
  const std::string mark = std::string(kPieceMark) + " ", text = std::string(line) + " ";
  std::string joined;
  for (size_t from = 0; from < text.size();) {
    const size_t end = std::min(text.find(mark, from), text.size());
    joined += text.substr(from, end - from);
    from = end + mark.size();
  }
  joined.erase(joined.find_last_not_of(' ') + 1);
  return joined;
}

}  // namespace rethink
