#include "datasets/syntax_hints.h"

#include <algorithm>
#include <optional>

#include "datasets/unicode_text.h"

namespace rethink {
namespace {

constexpr size_t kFirst = 16;                   // bytes by which a sentence is looked for
constexpr char32_t kSpaceOfPieces = U'\u2581';  // SentencePiece's

/// Without white space and case; quotation marks as NLTK's Treebank tokenizer writes them are what
/// they were.
std::string normal(std::string_view word) {
  if (word == "``" || word == "''") return "\"";
  std::u32string characters = to_code_points(lower_case(word));
  std::erase_if(characters, [](char32_t c) { return is_space(c) || c == kSpaceOfPieces; });
  return to_utf8(characters);
}

/// Whether `text` begins with `sentence`, or ends within it. A few characters alone are no
/// sentence's beginning.
bool fits(std::string_view sentence, std::string_view text, bool follows) {
  if (text.starts_with(sentence)) return true;
  return (follows || text.size() >= kFirst) && sentence.starts_with(text);
}

/// The last of `begins` that is not above `at`.
size_t last_begin(const std::vector<size_t>& begins, size_t at) {
  return static_cast<size_t>(std::ranges::upper_bound(begins, at) - begins.begin()) - 1;
}

}  // namespace

double hint_coverage(const TokenSequences& hints) {
  size_t predictions = 0, hinted = 0;
  for (size_t i = 0; i < hints.size(); ++i) {
    for (const int32_t hint : hints[i]) {
      predictions += hint >= kNoHint ? 1 : 0;
      hinted += hint >= 0 ? 1 : 0;
    }
  }
  return predictions == 0 ? 0.0 : static_cast<double>(hinted) / static_cast<double>(predictions);
}

SyntaxHints::SyntaxHints(const std::vector<DependencyTree>& trees) {
  for (const DependencyTree& tree : trees) {
    Sentence sentence;
    for (const std::string& word : tree.words) {
      sentence.begins.push_back(sentence.text.size());
      sentence.text += normal(word);
    }
    sentence.begins.push_back(sentence.text.size());
    sentence.before = left_ancestors(tree);
    if (sentence.text.empty()) continue;
    by_first_[sentence.text.substr(0, kFirst)].push_back(sentences_.size());
    sentences_.push_back(std::move(sentence));
  }
}

const SyntaxHints::Sentence* SyntaxHints::sentence_at(std::string_view text, bool follows) {
  std::optional<size_t> found;
  if (next_ < sentences_.size() && fits(sentences_[next_].text, text, follows)) found = next_;
  // Else the longest that stands here whole: sentences as short as "Yes." begin others.
  for (size_t first = std::min(kFirst, text.size()); !found && first > 0; --first) {
    const auto known = by_first_.find(std::string(text.substr(0, first)));
    if (known == by_first_.end()) continue;
    for (const size_t number : known->second) {
      const std::string& whole = sentences_[number].text;
      const bool is_longer = !found || whole.size() > sentences_[*found].text.size();
      if (is_longer && fits(whole, text, follows)) found = number;
    }
  }
  if (!found) return nullptr;
  next_ = *found + 1;
  return &sentences_[*found];
}

std::vector<int32_t> SyntaxHints::of(std::span<const std::string> tokens) {
  std::string text;
  std::vector<size_t> begins;  // of each token in `text`
  std::vector<bool> has_text;
  for (const std::string& token : tokens) {
    begins.push_back(text.size());
    text += normal(token);
    has_text.push_back(text.size() > begins.back());
    all_ += has_text.back();
  }
  std::vector<int32_t> hints(tokens.size(), kNoHint);
  hints.back() = kNothingToHint;
  bool follows = false;
  for (size_t token = 0; token < tokens.size();) {
    const std::string_view rest = std::string_view(text).substr(begins[token]);
    const Sentence* sentence = has_text[token] ? sentence_at(rest, follows) : nullptr;
    if (!sentence) {
      follows = follows && !has_text[token];
      ++token;
      continue;
    }
    follows = true;
    const size_t from = begins[token], end = from + sentence->text.size();
    for (; token < tokens.size() && begins[token] < end; ++token) {
      if (!has_text[token]) continue;
      ++found_;
      if (token == 0) continue;
      const size_t word = last_begin(sentence->begins, begins[token] - from);
      const int32_t before = sentence->before[word];
      int32_t& hint = hints[token - 1];
      hint = static_cast<int32_t>(token - 1);
      if (before == DependencyTree::kNone) continue;
      const size_t last_byte = from + sentence->begins[static_cast<size_t>(before) + 1] - 1;
      const size_t ancestor = last_begin(begins, last_byte);
      if (ancestor < token) hint = static_cast<int32_t>(ancestor);
    }
  }
  return hints;
}

}  // namespace rethink
