#include "datasets/tokenizers/sentences.h"

#include <optional>
#include <set>

#include "datasets/unicode_text.h"

namespace rethink {
namespace {

// In lower case, without their last period. Punkt learned its own list from newspapers; this list
// has the common abbreviations of such text. A single letter that is missing here still counts as
// an initial.
const std::set<std::u32string_view>& abbreviations() {
  static const std::set<std::u32string_view> known = {
      // people and ranks
      U"adm", U"capt", U"col", U"dr", U"gen", U"gov", U"jr", U"lt", U"maj", U"messrs", U"mr",
      U"mrs", U"ms", U"prof", U"reps", U"sen", U"sr", U"ph.d",
      // companies
      U"bros", U"co", U"corp", U"cos", U"inc", U"ltd",
      // streets and places
      U"ave", U"ft", U"st", U"ala", U"ariz", U"calif", U"colo", U"conn", U"fla", U"ga", U"ill",
      U"kan", U"ky", U"la", U"md", U"mich", U"minn", U"nev", U"okla", U"ok", U"ore", U"pa", U"tenn",
      U"va", U"vt", U"wash", U"wis", U"d.c", U"l.a", U"n.c", U"n.d", U"n.h", U"n.j", U"n.m", U"n.y",
      U"s.c", U"u.k", U"u.n", U"u.s", U"u.s.a", U"w.va",
      // days and months
      U"mon", U"tues", U"wed", U"fri", U"jan", U"feb", U"aug", U"sept", U"sep", U"oct", U"nov",
      U"dec",
      // others
      U"a.m", U"p.m", U"vs", U"chg", U"mg", U"s.s", U"j.p",
      // letters that stand for a word
      U"c", U"d", U"e", U"f", U"g", U"h", U"k", U"l", U"m", U"n", U"p", U"r", U"s", U"t", U"v",
      U"w"};
  return known;
}

bool is_sentence_end(char32_t c) {
  return contains(U".?!", c);
}
bool ends_a_word(char32_t c) {
  return contains(U")\";}]*:@'({[?!", c);
}
bool may_begin_a_word(char32_t c) {
  return !is_space(c) && !contains(U"(\"`{[:;&#*@)}]-,", c);
}

/// The number of characters at `at` that belong together without being a word: "--", "...", ". .
/// .". 0 = none.
size_t run_of_marks(std::u32string_view text, size_t at) {
  if (at >= text.size() || !contains(U"-.", text[at])) return 0;
  size_t end = text.find_first_not_of(text[at], at);
  if (end == std::u32string_view::npos) end = text.size();
  if (end - at >= 2) return end - at;
  if (text[at] != '.') return 0;
  size_t pairs = 0;  // of a period and a space
  while (at + 2 * pairs + 1 < text.size() && text[at + 2 * pairs] == '.' &&
         is_space(text[at + 2 * pairs + 1]))
    ++pairs;
  while (pairs >= 2 && (at + 2 * pairs >= text.size() || text[at + 2 * pairs] != '.')) --pairs;
  return pairs >= 2 ? 2 * pairs + 1 : 0;
}

bool is_word_end(std::u32string_view text, size_t at) {
  const auto stops = [&](size_t place) {
    return place >= text.size() || is_space(text[place]) || ends_a_word(text[place]) ||
           run_of_marks(text, place) > 0;
  };
  return stops(at) || (text[at] == ',' && stops(at + 1));
}

/// The words of a context, with punctuation separated except periods.
std::vector<std::u32string_view> context_words(std::u32string_view text) {
  std::vector<std::u32string_view> words;
  for (size_t at = 0; at < text.size();) {
    if (is_space(text[at])) {
      ++at;
      continue;
    }
    size_t length = run_of_marks(text, at);
    if (length == 0) {
      length = 1;
      if (may_begin_a_word(text[at])) {
        while (!is_word_end(text, at + length)) ++length;
      }
    }
    words.push_back(text.substr(at, length));
    at += length;
  }
  return words;
}

std::u32string lowered(std::u32string_view word) {
  return to_code_points(lower_case(to_utf8(word)));
}

bool is_abbreviation(std::u32string_view word_without_period) {
  const std::u32string word = lowered(word_without_period);
  const size_t hyphen = word.rfind('-');
  return abbreviations().contains(word) ||
         (hyphen != std::u32string::npos &&
          abbreviations().contains(std::u32string_view(word).substr(hyphen + 1)));
}

bool is_number(std::u32string_view word) {
  size_t at = !word.empty() && word[0] == '-' ? 1 : 0;
  if (at < word.size() && contains(U".,", word[at])) ++at;
  if (at >= word.size() || !is_digit(word[at])) return false;
  for (; at < word.size(); ++at) {
    if (!is_digit(word[at]) && !contains(U",.-", word[at])) return false;
  }
  return true;
}

/// Whether `word` ends a sentence when `next` follows.
bool ends_sentence(std::u32string_view word, std::u32string_view next) {
  if (word == U"?" || word == U"!") return true;
  if (!word.ends_with('.')) return false;
  if (word == U".") return true;
  if (word.ends_with(U"..")) return false;
  const bool is_initial = word.size() == 2 && (is_letter(word[0]) || word[0] == '_');
  if (is_abbreviation(word.substr(0, word.size() - 1))) return false;
  if (!is_initial && !is_number(word)) return true;
  const bool goes_on = (next.size() == 1 && contains(U";:,.!?", next[0])) || is_lower(next[0]);
  return !goes_on && !(is_initial && is_upper(next[0]));
}

bool contains_sentence_end(std::u32string_view context) {
  const std::vector<std::u32string_view> words = context_words(context);
  for (size_t index = 0; index + 1 < words.size(); ++index) {
    if (ends_sentence(words[index], words[index + 1])) return true;
  }
  return false;
}

/// A position at which a sentence may end.
struct Candidate {
  size_t mark;             // position of the '.', '?' or '!'
  size_t next_begin;       // start of what follows, after white space
  std::u32string context;  // the word before, the mark, and what follows
};

/// A mark is a candidate if punctuation follows directly, or white space and a word.
std::optional<Candidate> candidate_at(std::u32string_view text, size_t mark) {
  const size_t after = mark + 1;
  if (after >= text.size()) return {};
  if (ends_a_word(text[after]))
    return Candidate{mark, after, std::u32string(text.substr(after, 1))};
  size_t begin = after;
  while (begin < text.size() && is_space(text[begin])) ++begin;
  if (begin == after || begin == text.size()) return {};
  size_t end = begin;
  while (end < text.size() && !is_space(text[end])) ++end;
  return Candidate{mark, begin, std::u32string(text.substr(after, end - after))};
}

/// Candidates in order. Of several marks in or after one word ("acting!!!") only the last counts.
std::vector<Candidate> candidates_of(std::u32string_view text) {
  std::vector<Candidate> found;  // from right to left
  size_t word_begin = text.size();
  for (size_t mark = text.size(); mark-- > 0;) {
    if (!is_sentence_end(text[mark]) || (!found.empty() && mark + 1 > word_begin)) continue;
    std::optional<Candidate> candidate = candidate_at(text, mark);
    if (!candidate) continue;
    size_t end = mark;
    while (end > 0 && is_space(text[end - 1])) --end;
    size_t begin = end;
    while (begin > 0 && !is_space(text[begin - 1])) --begin;
    // White space before the word belongs to it, since two marks may not share it.
    word_begin = begin;
    while (word_begin > 0 && is_space(text[word_begin - 1])) --word_begin;
    candidate->context =
        std::u32string(text.substr(begin, end - begin)) + text[mark] + candidate->context;
    found.push_back(std::move(*candidate));
  }
  return {found.rbegin(), found.rend()};
}

/// The number of characters at the beginning of a sentence that are closing quotes and brackets of
/// the previous one.
size_t closing_marks(std::u32string_view sentence) {
  size_t end = 0;
  while (end < sentence.size() && contains(U"\"')]}", sentence[end])) {
    ++end;
    if (end == sentence.size() || is_space(sentence[end]) ||
        sentence.substr(end).starts_with(U"--"))
      return end;
  }
  return 0;
}

}  // namespace

std::vector<std::u32string> split_sentences(std::u32string_view text) {
  size_t end = text.size();
  while (end > 0 && is_space(text[end - 1])) --end;
  std::vector<std::pair<size_t, size_t>> spans;  // [begin, end)
  size_t begin = 0;
  for (const Candidate& candidate : candidates_of(text)) {
    if (!contains_sentence_end(candidate.context)) continue;
    spans.emplace_back(begin, candidate.mark + 1);
    begin = candidate.next_begin;
  }
  spans.emplace_back(begin, std::max(begin, end));
  std::vector<std::u32string> sentences;
  size_t moved = 0;  // characters of this sentence that the previous one has taken
  for (size_t index = 0; index < spans.size(); ++index) {
    const size_t first = spans[index].first + moved;
    size_t last = spans[index].second;
    moved = 0;
    if (index + 1 < spans.size()) {
      const auto [next_begin, next_end] = spans[index + 1];
      if (const size_t closing = closing_marks(text.substr(next_begin, next_end - next_begin));
          closing > 0) {
        last = next_begin + closing;
        moved = closing;
        while (next_begin + moved < next_end && is_space(text[next_begin + moved])) ++moved;
      }
    }
    if (first < last) sentences.emplace_back(text.substr(first, last - first));
  }
  return sentences;
}

}  // namespace rethink
