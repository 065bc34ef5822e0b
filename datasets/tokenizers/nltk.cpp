// Words as in NLTK 3.7's word_tokenize: first sentences (sentences.h), then the rules of the Penn
// Treebank's tokenizer with NLTK's additions for Unicode quotes. Each rule below is one pass over
// the sentence; their order matters. BET's released code reads its text in this way.
#include <functional>

#include "datasets/tokenizers/sentences.h"
#include "datasets/tokenizers/tokenizer.h"
#include "datasets/unicode_text.h"

namespace rethink {
namespace {

using Text = std::u32string;

/// Puts spaces around each maximal run of characters that `belongs` accepts, if it has at least
/// `shortest` characters; takes at most `longest` characters at once.
Text pad(const Text& text, std::u32string_view characters, size_t shortest = 1,
         size_t longest = 1) {
  Text padded;
  for (size_t at = 0; at < text.size();) {
    size_t end = at;
    while (end < text.size() && end - at < longest && contains(characters, text[end])) ++end;
    if (end - at >= shortest && end > at) {
      padded += U' ' + text.substr(at, end - at) + U' ';
    } else {
      end = std::max(end, at + 1);
      padded += text.substr(at, end - at);
    }
    at = end;
  }
  return padded;
}

Text with_replacements(const Text& text, std::u32string_view from, std::u32string_view to) {
  Text replaced;
  for (size_t at = 0; at < text.size();) {
    const size_t found = std::min(text.find(from, at), text.size());
    replaced += text.substr(at, found - at);
    if (found < text.size()) replaced += to;
    at = found + from.size();
  }
  return replaced;
}

/// Opening quotes: at the beginning, or after a space or an opening bracket.
Text open_quotes(Text text) {
  text = pad(text, U"\u00ab\u201c\u2018\u201e");
  text = pad(text, U"`", 1, Text::npos);
  if (text.starts_with('"')) text.replace(0, 1, U"``");
  text = with_replacements(text, U"``", U" `` ");
  Text opened;
  for (size_t at = 0; at < text.size(); ++at) {
    opened += text[at];
    if (!contains(U" ([{<", text[at])) continue;
    const bool is_double = std::u32string_view(text).substr(at + 1).starts_with(U"''");
    if (!is_double && !std::u32string_view(text).substr(at + 1).starts_with('"')) continue;
    opened += U" `` ";
    at += is_double ? 2 : 1;
  }
  return opened;
}

/// A quote before a single letter other than a clitic ('m 't 's 'd 'n) becomes a token: 'a -> ' a.
Text part_single_letters(const Text& text) {
  Text parted;
  for (size_t at = 0; at < text.size(); ++at) {
    parted += text[at];
    const bool before_letter = text[at] == '\'' && at + 1 < text.size() &&
                               is_word_character(text[at + 1]) &&
                               (at + 2 == text.size() || !is_word_character(text[at + 2]));
    if (before_letter && !contains(U"mtsdnMTSDN", text[at + 1])) parted += U' ';
  }
  return parted;
}

/// The period at the end of the sentence, perhaps before closing quotes and brackets.
Text part_final_period(const Text& text) {
  const size_t end = text.find_last_not_of(U"])}>\"'\u00bb\u201d\u2019 \t\r\n");
  if (end == Text::npos || end == 0 || text[end] != '.' || text[end - 1] == '.') return text;
  return text.substr(0, end) + U" . " + text.substr(end + 1) + U' ';
}

/// Colons and commas, unless a digit follows. The character after one is skipped, as in the
/// original's pattern.
Text part_colons(const Text& text) {
  Text parted;
  for (size_t at = 0; at < text.size(); ++at) {
    const bool is_mark = contains(U":,", text[at]);
    if (is_mark && at + 1 == text.size()) {
      parted += Text{U' ', text[at], U' '};
    } else if (is_mark && !is_digit(text[at + 1])) {
      parted += Text{U' ', text[at], U' ', text[at + 1]};
      ++at;
    } else {
      parted += text[at];
    }
  }
  return parted;
}

/// A quote before a space, unless another quote is before it.
Text part_closing_quotes(const Text& text) {
  Text parted;
  for (size_t at = 0; at < text.size(); ++at) {
    parted += text[at];
    if (text[at] != '\'' && std::u32string_view(text).substr(at + 1).starts_with(U"' ")) {
      parted += U" ' ";
      at += 2;
    }
  }
  return parted;
}

/// Separates one of `endings` from the word that it ends; a space must follow.
Text part_endings(const Text& text, const std::vector<std::u32string_view>& endings) {
  Text parted;
  for (size_t at = 0; at < text.size(); ++at) {
    parted += text[at];
    if (text[at] == '\'' || text[at] == ' ') continue;
    for (const std::u32string_view ending : endings) {
      const std::u32string_view rest = std::u32string_view(text).substr(at + 1);
      if (!rest.starts_with(ending) || !rest.substr(ending.size()).starts_with(U' ')) continue;
      parted += U' ' + Text(ending) + U' ';
      at += ending.size() + 1;
      break;
    }
  }
  return parted;
}

/// A word that is written as one and counts as two.
struct Contraction {
  std::u32string_view first, second;
  bool after_space = false, before_space = false;  // otherwise at the edge of a word
};

bool equal_ignoring_case(std::u32string_view text, std::u32string_view lower) {
  if (text.size() != lower.size()) return false;
  for (size_t at = 0; at < text.size(); ++at) {
    const char32_t c = text[at] >= 'A' && text[at] <= 'Z' ? text[at] + ('a' - 'A') : text[at];
    if (c != lower[at]) return false;
  }
  return true;
}

bool is_edge(std::u32string_view text, size_t at) {
  const bool before = at > 0 && is_word_character(text[at - 1]);
  const bool after = at < text.size() && is_word_character(text[at]);
  return before != after;
}

Text part_contraction(const Text& text, const Contraction& contraction) {
  const Text whole = Text(contraction.first) + Text(contraction.second);
  Text parted;
  for (size_t at = 0; at < text.size(); ++at) {
    const size_t end = at + whole.size();
    const bool fits =
        equal_ignoring_case(std::u32string_view(text).substr(at, whole.size()), whole) &&
        (contraction.after_space ? at > 0 && text[at - 1] == ' ' : is_edge(text, at)) &&
        (contraction.before_space ? end < text.size() && is_space(text[end]) : is_edge(text, end));
    if (fits) {
      const size_t middle = at + contraction.first.size();
      parted +=
          U' ' + text.substr(at, middle - at) + U' ' + text.substr(middle, end - middle) + U' ';
      at = end - 1;
    } else {
      parted += text[at];
    }
  }
  return parted;
}

const std::vector<Contraction>& contractions() {
  static const std::vector<Contraction> known = {
      {U"can", U"not"},     {U"d", U"'ye"},       {U"gim", U"me"},  {U"gon", U"na"},
      {U"got", U"ta"},      {U"lem", U"me"},      {U"more", U"'n"}, {U"wan", U"na", false, true},
      {U"'t", U"is", true}, {U"'t", U"was", true}};
  return known;
}

void add_words(const Text& sentence, std::vector<std::string>& words) {
  Text text = part_single_letters(open_quotes(sentence));
  text = part_colons(part_final_period(text));
  text = pad(text, U".", 2, Text::npos);
  text = pad(pad(text, U";@#$%&"), U"?!");
  text = pad(part_closing_quotes(text), U"*");
  text = with_replacements(pad(text, U"[](){}<>"), U"--", U" -- ");
  text = pad(U' ' + text + U' ', U"\u00bb\u201d\u2019");
  text = with_replacements(with_replacements(text, U"''", U" '' "), U"\"", U" '' ");
  text = part_endings(text, {U"'s", U"'S", U"'m", U"'M", U"'d", U"'D", U"'"});
  text = part_endings(text, {U"'ll", U"'LL", U"'re", U"'RE", U"'ve", U"'VE", U"n't", U"N'T"});
  for (const Contraction& contraction : contractions()) text = part_contraction(text, contraction);
  for (size_t at = 0; at < text.size();) {
    size_t end = at;
    while (end < text.size() && !is_space(text[end])) ++end;
    if (end > at) words.push_back(to_utf8(std::u32string_view(text).substr(at, end - at)));
    at = end + 1;
  }
}

class NltkTokenizer : public Tokenizer {
 public:
  std::vector<std::string> tokenize(std::string_view line) const override {
    std::vector<std::string> words;
    for (const Text& sentence : split_sentences(to_code_points(line))) add_words(sentence, words);
    return words;
  }
  std::vector<std::string> sentences(std::string_view line) const override {
    std::vector<std::string> texts;
    for (const Text& sentence : split_sentences(to_code_points(line)))
      texts.push_back(to_utf8(sentence));
    return texts;
  }
};

RETHINK_REGISTERED = tokenizers().add<NoFields>(
    {.name = "nltk",
     .summary = "sentences and words as NLTK 3.7's word_tokenize finds them (Treebank rules)"},
    [](const NoFields&) { return std::make_shared<NltkTokenizer>(); });

}  // namespace
}  // namespace rethink
