#include "datasets/text/syntax_hints.h"

#include <algorithm>
#include <iterator>
#include <optional>

#include "core/json.h"
#include "datasets/text/detokenization.h"
#include "datasets/unicode_text.h"

namespace rethink {
namespace {

constexpr size_t kFirst = 16;                   // bytes by which a sentence is searched
constexpr char32_t kSpaceOfPieces = U'\u2581';  // SentencePiece's

bool is_any_space(char32_t c) {
  return is_space(c) || c == kSpaceOfPieces;
}

/// The word without white space, case and subword-nmt's mark; quotation marks in the form of NLTK's
/// Treebank tokenizer become plain ones.
std::string normal(std::string_view word) {
  if (word == "``" || word == "''") return "\"";
  if (word.ends_with(kPieceMark)) word.remove_suffix(kPieceMark.size());
  std::u32string characters = to_code_points(lower_case(word));
  std::erase_if(characters, is_any_space);
  return to_utf8(characters);
}

/// The last of `begins` that is at most `at`.
size_t last_begin(const std::vector<size_t>& begins, size_t at) {
  return static_cast<size_t>(std::ranges::upper_bound(begins, at) - begins.begin()) - 1;
}

}  // namespace

/// The normalized characters of a sequence.
struct SyntaxHints::Text {
  explicit Text(std::span<const std::string> tokens) {
    // Pieces and characters contain white space, so a token without white space is within a word.
    const bool has_spaces = std::ranges::any_of(tokens, [](const std::string& token) {
      return !token.empty() && is_any_space(to_code_points(token).front());
    });
    bool in_word = false, is_marked = false;
    for (const std::string& token : tokens) {
      const std::u32string written = to_code_points(token);
      const bool continues = is_marked || (has_spaces && in_word && !written.empty() &&
                                           is_word_character(written.front()));
      begins.push_back(characters.size());
      characters += normal(token);
      has_text.push_back(characters.size() > begins.back());
      may_end.resize(characters.size(), false);
      if (has_text.back()) may_end[begins.back()] = !continues;
      if (written.empty()) continue;
      in_word = is_word_character(written.back());
      is_marked = token.ends_with(kPieceMark);
    }
    may_end.push_back(true);
  }

  std::string_view from(size_t at) const { return std::string_view(characters).substr(at); }

  std::string characters;
  std::vector<size_t> begins;  // start of each token in them
  std::vector<bool> has_text;  // each token
  std::vector<bool> may_end;   // before each byte and after the last: no word continues there
};

double hint_coverage(const TokenSequences& hints) {
  size_t could_be = 0, found = 0;
  for (size_t i = 0; i < hints.size(); ++i) {
    for (const int32_t hint : hints[i]) {
      could_be += hint >= kNoHint ? 1 : 0;
      found += hint > kNoHint ? 1 : 0;
    }
  }
  return could_be == 0 ? 0.0 : static_cast<double>(found) / static_cast<double>(could_be);
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

/// It must end where no word continues, or the text must end within it. A few characters alone do
/// not identify a sentence.
bool SyntaxHints::fits(size_t number, const Text& text, size_t from, bool follows) const {
  if (number >= sentences_.size()) return false;
  const std::string& sentence = sentences_[number].text;
  const std::string_view rest = text.from(from);
  if (rest.starts_with(sentence)) return text.may_end[from + sentence.size()];
  return (follows || rest.size() >= kFirst) && sentence.starts_with(rest);
}

bool SyntaxHints::goes_on(const Text& text, size_t from, bool follows) const {
  if (!fits(next_, text, from, follows)) return false;
  const size_t end = from + sentences_[next_].text.size();
  return end >= text.characters.size() || fits(next_ + 1, text, end, /*follows=*/true);
}

std::optional<size_t> SyntaxHints::longest_at(const Text& text, size_t from, bool follows) const {
  const std::string_view rest = text.from(from);
  std::optional<size_t> found;
  for (size_t first = std::min(kFirst, rest.size()); !found && first > 0; --first) {
    const auto known = by_first_.find(std::string(rest.substr(0, first)));
    if (known == by_first_.end()) continue;
    for (const size_t number : known->second) {
      const bool is_longer =
          !found || sentences_[number].text.size() > sentences_[*found].text.size();
      if (is_longer && fits(number, text, from, follows)) found = number;
    }
  }
  return found;
}

const SyntaxHints::Sentence* SyntaxHints::sentence_at(const Text& text, size_t from, bool follows) {
  std::optional<size_t> found = next_;
  if (!goes_on(text, from, follows)) {
    found = longest_at(text, from, follows);
    // Among equal sentences, the next one.
    if (found && fits(next_, text, from, follows) &&
        sentences_[next_].text.size() == sentences_[*found].text.size())
      found = next_;
  }
  if (!found) return nullptr;
  next_ = *found + 1;
  return &sentences_[*found];
}

std::vector<int32_t> SyntaxHints::of(std::span<const std::string> tokens) {
  const Text text(tokens);
  std::vector<int32_t> hints(tokens.size(), kNoHint);
  for (size_t token = 1; token < tokens.size(); ++token) {
    if (!text.has_text[token]) hints[token - 1] = kNoCharacters;
  }
  hints.back() = kNothingToHint;
  bool follows = false;
  for (size_t token = 0; token < tokens.size();) {
    const size_t from = text.begins[token];
    const Sentence* sentence = text.has_text[token] ? sentence_at(text, from, follows) : nullptr;
    if (!sentence) {
      follows = follows && !text.has_text[token];
      ++token;
      continue;
    }
    follows = true;
    const size_t end = from + sentence->text.size();
    for (; token < tokens.size() && text.begins[token] < end; ++token) {
      if (!text.has_text[token] || token == 0) continue;
      const size_t word = last_begin(sentence->begins, text.begins[token] - from);
      const int32_t before = sentence->before[word];
      int32_t& hint = hints[token - 1];
      hint = static_cast<int32_t>(token - 1);
      if (before == DependencyTree::kNone) continue;
      const size_t last_byte = from + sentence->begins[static_cast<size_t>(before) + 1] - 1;
      const size_t ancestor = last_begin(text.begins, last_byte);
      if (ancestor < token) hint = static_cast<int32_t>(ancestor);
    }
  }
  return hints;
}

std::vector<std::filesystem::path> with_hints(const std::string& dataset,
                                              std::vector<std::filesystem::path> files,
                                              const std::vector<std::string>& hints,
                                              const DataFolders& folders) {
  for (const auto& file : require_files(dataset, folders, hints)) files.push_back(file);
  return files;
}

Json identity_of_hints(const std::vector<std::string>& hints) {
  if (hints.empty()) return 0;
  return {{"files", hints.size()}, {"format", 2}};
}

std::vector<DependencyTree> read_hints(const std::string& dataset,
                                       const std::vector<std::string>& hints,
                                       const DataFolders& folders) {
  std::vector<DependencyTree> all;
  for (const std::filesystem::path& file : require_files(dataset, folders, hints)) {
    std::vector<DependencyTree> trees = read_dependency_trees(file);
    std::move(trees.begin(), trees.end(), std::back_inserter(all));
  }
  return all;
}

}  // namespace rethink
