#include "datasets/text/dependency_trees.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <sstream>

#include "core/config/problems.h"
#include "core/error.h"
#include "core/files/named_file.h"
#include "datasets/files/text_lines.h"

namespace rethink {
namespace {

constexpr size_t kHeadColumn = 6, kMinColumns = kHeadColumn + 1;

std::optional<int32_t> number_in(std::string_view text) {
  int32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::vector<std::string> columns_between_tabs(const std::string& line) {
  std::vector<std::string> columns;
  std::istringstream parts(line);
  for (std::string part; std::getline(parts, part, '\t');) columns.push_back(part);
  return columns;
}

/// A token for the words [first, last] of a sentence, from 0.
struct MultiwordToken {
  int32_t first, last;
  std::string form;
};

/// The lines of one sentence.
struct Sentence {
  DependencyTree tree;
  std::vector<int> lines;  // of each word
  std::vector<MultiwordToken> multiword_tokens;
  bool is_flawed = false;
};

bool spells(const DependencyTree& tree, const MultiwordToken& token) {
  std::string spelt;
  for (int32_t i = token.first; i <= token.last; ++i) spelt += tree.words[static_cast<size_t>(i)];
  return spelt == token.form;
}

/// The number of ancestors of each word.
std::vector<int32_t> depths_in(const DependencyTree& tree) {
  std::vector<int32_t> depths;
  for (int32_t above : tree.heads) {
    int32_t depth = 0;
    for (; above != DependencyTree::kNone; ++depth) above = tree.heads[static_cast<size_t>(above)];
    depths.push_back(depth);
  }
  return depths;
}

/// The same tree with one word instead of each multiword token that its words do not spell. Its
/// head is the head of the least deep of its words; with any other's head, two such tokens could
/// depend on each other.
DependencyTree contracted(const DependencyTree& tree, const std::vector<MultiwordToken>& tokens) {
  const auto count = static_cast<int32_t>(tree.words.size());
  std::vector<const MultiwordToken*> of_word(tree.words.size(), nullptr);
  for (const MultiwordToken& token : tokens) {
    if (spells(tree, token)) continue;
    for (int32_t i = token.first; i <= token.last; ++i) of_word[static_cast<size_t>(i)] = &token;
  }
  const std::vector<int32_t> depths = depths_in(tree);
  std::vector<int32_t> place(tree.words.size());
  DependencyTree result{.words = {}, .heads = {}, .line = tree.line};
  std::vector<size_t> least_deep;  // for each word of the result, the least deep of its words
  for (int32_t i = 0; i < count; ++i) {
    const auto word = static_cast<size_t>(i);
    const MultiwordToken* const token = of_word[word];
    const bool is_new = token == nullptr || token->first == i;
    if (is_new) {
      result.words.push_back(token ? token->form : tree.words[word]);
      least_deep.push_back(word);
    }
    place[word] = static_cast<int32_t>(result.words.size()) - 1;
    if (depths[word] < depths[least_deep.back()]) least_deep.back() = word;
  }
  for (const size_t word : least_deep) {
    const int32_t head = tree.heads[word];
    result.heads.push_back(head == DependencyTree::kNone ? DependencyTree::kNone
                                                         : place[static_cast<size_t>(head)]);
  }
  return result;
}

class DependencyTreeReader {
 public:
  explicit DependencyTreeReader(std::string file) : file_(std::move(file)) {}

  std::vector<DependencyTree> read(const std::vector<std::string>& lines) {
    for (const std::string& line : lines) {
      ++number_;
      if (line.empty()) {
        finish();
      } else if (line[0] != '#') {
        take(line);
      }
    }
    finish();
    problems_.throw_if_any();
    if (trees_.empty()) throw ConfigError("empty-file", file_ + ": has no word");
    return std::move(trees_);
  }

 private:
  void wrong(int line, const std::string& text) {
    problems_.add({file_, line, 1}, "invalid-table", text);
    sentence_.is_flawed = true;
  }

  void take(const std::string& line) {
    const std::vector<std::string> columns = columns_between_tabs(line);
    if (columns.size() < kMinColumns) {
      return wrong(number_, fmt::format("got {} columns, expected the {} of CoNLL-U or CoNLL-X at "
                                        "least, parted by tabs",
                                        columns.size(), kMinColumns));
    }
    if (columns[0].find('.') != std::string::npos) return;  // a word that the text lacks
    if (const size_t hyphen = columns[0].find('-'); hyphen != std::string::npos)
      return take_multiword_token(columns[0], hyphen, columns[1]);
    const int32_t expected = static_cast<int32_t>(sentence_.tree.words.size()) + 1;
    if (number_in(columns[0]) != expected)
      return wrong(number_, fmt::format("got word {}, expected number {}", columns[0], expected));
    const std::optional<int32_t> head = number_in(columns[kHeadColumn]);
    if (!head) {
      wrong(number_, fmt::format("got the head '{}', expected the number of a word, or 0",
                                 columns[kHeadColumn]));
    }
    if (sentence_.tree.words.empty()) sentence_.tree.line = number_;
    sentence_.tree.words.push_back(columns[1]);
    sentence_.tree.heads.push_back(head.value_or(0) - 1);
    sentence_.lines.push_back(number_);
  }

  void take_multiword_token(const std::string& range, size_t hyphen, const std::string& form) {
    const auto first = number_in(std::string_view(range).substr(0, hyphen)),
               last = number_in(std::string_view(range).substr(hyphen + 1));
    const int32_t next = static_cast<int32_t>(sentence_.tree.words.size()) + 1;
    if (!first || !last || *first != next || *last < *first) {
      return wrong(number_,
                   fmt::format("got the token {}, expected {}-LAST, LAST not below", range, next));
    }
    sentence_.multiword_tokens.push_back({*first - 1, *last - 1, form});
  }

  void finish() {
    Sentence& sentence = sentence_;
    if (!sentence.is_flawed) check(sentence);
    if (!sentence.is_flawed && !sentence.tree.words.empty())
      trees_.push_back(contracted(sentence.tree, sentence.multiword_tokens));
    sentence_ = Sentence();
  }

  void check(const Sentence& sentence) {
    const auto count = static_cast<int32_t>(sentence.tree.words.size());
    for (int32_t i = 0; i < count; ++i) {
      const int32_t head = sentence.tree.heads[static_cast<size_t>(i)];
      const int line = sentence.lines[static_cast<size_t>(i)];
      if (head < DependencyTree::kNone || head >= count) {
        return wrong(
            line, fmt::format("got the head {}, but the sentence has {} words", head + 1, count));
      }
    }
    for (const MultiwordToken& token : sentence.multiword_tokens) {
      if (token.last >= count) {
        return wrong(sentence.tree.line,
                     fmt::format("the token '{}' has {} words, but the sentence "
                                 "ends before",
                                 token.form, token.last - token.first + 1));
      }
    }
    for (int32_t i = 0; i < count; ++i) {
      int32_t above = i, steps = 0;
      while (above != DependencyTree::kNone && ++steps <= count)
        above = sentence.tree.heads[static_cast<size_t>(above)];
      if (above != DependencyTree::kNone) {
        return wrong(sentence.lines[static_cast<size_t>(i)],
                     fmt::format("'{}' depends on itself in the end, expected a tree",
                                 sentence.tree.words[static_cast<size_t>(i)]));
      }
    }
  }

  const std::string file_;
  int number_ = 0;
  Sentence sentence_;
  std::vector<DependencyTree> trees_;
  Problems problems_;
};

}  // namespace

std::vector<DependencyTree> read_dependency_trees(const std::filesystem::path& file) {
  refuse_dangling_link(file);
  if (!std::filesystem::is_regular_file(file)) {
    throw ConfigError(
        "not-a-file",
        fmt::format("{}: is not a file; expected sentences with their trees in CoNLL-U or CoNLL-X",
                    file.string()));
  }
  return DependencyTreeReader(file.string()).read(read_lines_without_marks(file));
}

std::vector<int32_t> left_ancestors(const DependencyTree& tree) {
  std::vector<int32_t> ancestors;
  for (int32_t word = 0; word < static_cast<int32_t>(tree.words.size()); ++word) {
    int32_t above = tree.heads[static_cast<size_t>(word)];
    while (above > word) above = tree.heads[static_cast<size_t>(above)];
    ancestors.push_back(above);
  }
  return ancestors;
}

}  // namespace rethink
