#include "datasets/labelled/conll_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <sstream>

#include "core/config/problems.h"
#include "core/files/named_file.h"
#include "core/message.h"
#include "datasets/files/text_lines.h"

namespace rethink {
namespace {

bool is_tag(const std::string& text) {
  const bool has_prefix = !text.empty() && std::string("BIES").find(text[0]) != std::string::npos;
  return text == "O" || (has_prefix && (text.size() == 1 || (text.size() > 2 && text[1] == '-')));
}

bool is_document(std::string_view line) {
  constexpr std::string_view kDocument = "-DOCSTART-";
  if (!line.starts_with(kDocument)) return false;
  return line.size() == kDocument.size() || line[kDocument.size()] == ' ' ||
         line[kDocument.size()] == '\t';
}

std::vector<std::string> columns_between_white_space(std::string_view line) {
  std::istringstream words{std::string(line)};
  std::vector<std::string> columns;
  for (std::string word; words >> word;) columns.push_back(word);
  return columns;
}

std::vector<std::string> columns_between_tabs(std::string_view line) {
  line = line.substr(0, line.find_last_not_of(" \t\r") + 1);  // keep an empty word
  std::vector<std::string> columns;
  for (size_t begin = 0; begin <= line.size();) {
    const size_t end = std::min(line.find('\t', begin), line.size());
    columns.emplace_back(trimmed(line.substr(begin, end - begin)));
    begin = end + 1;
  }
  return columns;
}

/// Required column beside the word.
std::string tag_text(int64_t column) {
  if (column < 0) return "two tags, the right one and the predicted one, in its last columns";
  return fmt::format("its tag in column {}", column == 0 ? "2 or later" : std::to_string(column));
}

/// A line about the following sentence, "# text = ..." in CoNLL-U, "# id 7 domain=en" in
/// MultiCoNER.
bool is_key_and_value(std::string_view line) {
  const std::vector<std::string> columns = columns_between_white_space(line);
  const size_t key = columns.front() == "#" ? 1 : 0;  // "#text = ..." too
  const size_t sign = columns.back().find('=');
  return (columns.size() > key + 1 && columns[key + 1] == "=") ||
         (columns.size() > 1 && sign != std::string::npos && sign > 0 && !is_tag(columns.back()));
}

/// Returns whether a CoNLL-U number does not count as a word: "3-4" for a contraction of two words,
/// "8.1" for a word that the text lacks.
bool numbers_no_word(const std::string& text) {
  const size_t sign = text.find_first_not_of("0123456789");
  if (sign == 0 || sign == std::string::npos || sign + 1 == text.size()) return false;
  return (text[sign] == '-' || text[sign] == '.') &&
         text.find_first_not_of("0123456789", sign + 1) == std::string::npos;
}

class ConllReader {
 public:
  ConllReader(const std::filesystem::path& file, int64_t column, WordNumbers numbers)
      : file_(file.string()),
        column_(column),
        numbers_(numbers),
        lines_(read_lines(file, ExpectedFile::table)) {
    find_separator();
    find_columns();
    find_numbers();
  }

  std::vector<TaggedSentence> read() {
    if (is_numbered_ && numbers_ == WordNumbers::refuse) {
      throw ConfigError("invalid-table",
                        fmt::format("{}: the first column counts the words of a sentence, as in "
                                    "CoNLL-U; expected the word "
                                    "there: grep -vE '^[0-9]+[-.]' {} | cut {}-f2- > NEW",
                                    file_, for_a_shell(file_), first_tab_ > 0 ? "" : "-d' ' "));
    }
    for (const std::string& line : lines_) {
      ++number_;
      if (ends_sentence(line)) {
        is_inside_ = false;
        in_sentence_ = 0;
      } else if (!is_comment(line)) {
        read_word(line);
      }
    }
    if (!problems_.empty() && has_tags_alone()) {
      throw ConfigError("invalid-table",
                        fmt::format("{}: has tags without words, one sentence per line, as "
                                    "transformers' run_ner.py writes them; "
                                    "expected a word and its tag in each line",
                                    file_));
    }
    problems_.throw_if_any();
    if (sentences_.empty()) {
      throw ConfigError("empty-file",
                        fmt::format("{}: {}; expected a word and its tag in each line", file_,
                                    lines_.empty() ? "is empty" : "has no word"));
    }
    return std::move(sentences_);
  }

 private:
  static bool ends_sentence(std::string_view line) {
    return trimmed(line).empty() || is_document(trimmed(line));
  }

  std::vector<std::string> columns_of(std::string_view line) const {
    return first_tab_ > 0 ? columns_between_tabs(line) : columns_between_white_space(line);
  }

  /// Calls use(line, number) for each word, and for each line that begins with # and may be a
  /// comment.
  template <typename Use>
  void for_each_word(const Use& use) const {
    for (size_t i = 0; i < lines_.size(); ++i) {
      if (!ends_sentence(lines_[i])) use(lines_[i], static_cast<int>(i) + 1);
    }
  }

  /// Returns tab as the separator if at least half of the lines have a tab.
  void find_separator() {
    size_t with_tab = 0, all = 0;
    int first = 0;
    for_each_word([&](const std::string& line, int number) {
      if (line[0] == '#') return;
      ++all;
      if (trimmed(line).find('\t') == std::string_view::npos) return;
      ++with_tab;
      if (first == 0) first = number;
    });
    if (2 * with_tab >= all) first_tab_ = first;
  }

  /// Returns the most frequent number of columns; of equally frequent numbers, the first.
  void find_columns() {
    std::map<size_t, std::pair<size_t, int>> counts;  // lines, the first of them
    const auto count = [&](bool with_marks) {
      for_each_word([&](const std::string& line, int number) {
        if (line[0] == '#' && !with_marks) return;
        auto& [lines, first] = counts.try_emplace(columns_of(line).size(), 0, number).first->second;
        ++lines;
      });
    };
    count(false);
    if (counts.empty()) count(true);
    for (const auto& [columns, found] : counts) {
      const auto& [lines, first] = found;
      if (lines > most_ || (lines == most_ && first < first_)) {
        columns_ = static_cast<int64_t>(columns);
        most_ = lines;
        first_ = first;
      }
    }
  }

  /// Returns whether most words follow their number in the sentence.
  void find_numbers() {
    if (columns_ < 3) return;
    size_t numbered = 0, all = 0;
    int64_t expected = 1, largest = 0;
    int last = 0;
    for_each_word([&](const std::string& line, int number) {
      if (line[0] == '#') return;
      if (number != last + 1) expected = 1;  // after an empty line or a comment
      last = number;
      const std::string first = columns_of(line).front();
      if (numbers_no_word(first)) return;
      ++all;
      if (first == std::to_string(expected)) {
        ++numbered;
        largest = std::max(largest, expected);
      }
      ++expected;
    });
    is_numbered_ = largest > 1 && 2 * numbered > all;
  }

  /// CoNLL-U has comments before a sentence. A word may also be a #.
  bool is_comment(const std::string& line) const {
    if (line[0] != '#' || is_inside_) return false;
    if (is_key_and_value(line)) return true;
    return static_cast<int64_t>(columns_of(line).size()) != columns_ &&
           !is_tag(columns_between_white_space(line).back());
  }

  void read_word(const std::string& line) {
    const std::vector<std::string> columns = columns_of(line);
    const auto count = static_cast<int64_t>(columns.size());
    const int64_t of_tag = column_ > 0 ? column_ : count + column_, of_word = is_numbered_ ? 2 : 1;
    if (count <= of_word || count < of_tag || of_tag <= of_word || columns[0].empty())
      return refuse(fmt::format("got '{}', expected {}a word and {}{}", line,
                                is_numbered_ ? "a number, " : "", tag_text(column_), separator()));
    if (count != columns_) {
      const size_t others = most_ - 1;
      return refuse(fmt::format("got {}, expected {} as in line {}{}{}",
                                counted(columns.size(), "column"), columns_, first_,
                                others == 0 ? "" : fmt::format(" and {}", counted(others, "other")),
                                separator()));
    }
    if (first_tab_ == 0 && trimmed(line).find('\t') != std::string_view::npos &&
        columns_between_tabs(line) != columns) {
      return refuse(fmt::format(
          "got '{}', where a tab parts other columns than spaces do; expected spaces alone, as in "
          "most lines",
          line));
    }
    if (is_numbered_ && numbers_no_word(columns[0])) return;
    if (is_numbered_ && columns[0] != std::to_string(++in_sentence_)) {
      return refuse(fmt::format("got the word number {}, expected {}", columns[0], in_sentence_));
    }
    const std::string& tag = columns[static_cast<size_t>(of_tag) - 1];
    if (!is_tag(tag)) {
      return refuse(fmt::format(
          "got the tag '{}', expected O or B-, I-, E- or S- and a type, such as B-PER{}", tag,
          columns_with_tags()));
    }
    if (!is_inside_) sentences_.push_back({{}, {}, number_});
    is_inside_ = true;
    sentences_.back().words.push_back(columns[static_cast<size_t>(of_word) - 1]);
    sentences_.back().tags.push_back(tag);
  }

  bool has_tags_alone() const {
    bool all = true;
    for_each_word([&](const std::string& line, int) {
      all = all && std::ranges::all_of(columns_between_white_space(line), is_tag);
    });
    return all;
  }

  /// Returns a hint on other columns, such as "; column 3 has tags".
  std::string columns_with_tags() {
    if (where_tags_are_) return *where_tags_are_;
    std::vector<bool> have(static_cast<size_t>(columns_), true);
    for_each_word([&](const std::string& line, int) {
      const std::vector<std::string> columns = columns_of(line);
      if (line[0] == '#' || columns.size() != have.size() || numbers_no_word(columns[0])) return;
      for (size_t i = 0; i < have.size(); ++i) have[i] = have[i] && is_tag(columns[i]);
    });
    std::vector<std::string> numbers;
    for (size_t i = 1; i < have.size(); ++i) {
      if (have[i]) numbers.push_back(std::to_string(i + 1));
    }
    where_tags_are_ =
        numbers.empty()
            ? ""
            : fmt::format("; {} {} tags",
                          (numbers.size() == 1 ? "column " : "columns ") + joined(numbers),
                          numbers.size() == 1 ? "has" : "have");
    return *where_tags_are_;
  }

  std::string separator() const {
    if (first_tab_ == 0) return "";
    return fmt::format("; tabs part the columns of this file, the first in line {}", first_tab_);
  }

  void refuse(const std::string& what) {
    problems_.add({file_, number_, 1}, "invalid-table", what);
  }

  const std::string file_;
  const int64_t column_;
  const WordNumbers numbers_;
  const std::vector<std::string> lines_;
  bool is_inside_ = false, is_numbered_ = false;
  // Line numbers, from 1: the current line, the first line with the usual number of columns, the
  // first line with a tab.
  int number_ = 0, first_ = 0, first_tab_ = 0;
  // Columns of most lines; words of the current sentence so far.
  int64_t columns_ = 0, in_sentence_ = 0;
  size_t most_ = 0;
  std::optional<std::string> where_tags_are_;
  std::vector<TaggedSentence> sentences_;
  Problems problems_;
};

}  // namespace

std::vector<TaggedSentence> read_conll(const std::filesystem::path& file, int64_t column,
                                       WordNumbers numbers) {
  refuse_dangling_link(file);
  if (!is_readable_there(file)) {
    throw ConfigError("not-a-file", fmt::format("{}: is not a file; expected a word and its tag in "
                                                "each line, as in CoNLL's shared tasks",
                                                file.string()));
  }
  return ConllReader(file, column, numbers).read();
}

}  // namespace rethink
