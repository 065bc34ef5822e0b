#include "datasets/conll_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "core/counted.h"
#include "datasets/text_lines.h"

namespace rethink {
namespace {

bool is_tag(const std::string& text) {
  if (text == "O") return true;
  return text.size() > 2 && text[1] == '-' &&
         std::string("BIES").find(text[0]) != std::string::npos;
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
  line = line.substr(0, line.find_last_not_of(" \t\r") + 1);  // an empty word stays one
  std::vector<std::string> columns;
  for (size_t begin = 0; begin <= line.size();) {
    const size_t end = std::min(line.find('\t', begin), line.size());
    columns.emplace_back(trimmed(line.substr(begin, end - begin)));
    begin = end + 1;
  }
  return columns;
}

/// What must stand beside the word.
std::string tag_text(int64_t column) {
  if (column < 0) return "two tags, the right one and the predicted one, in its last columns";
  return fmt::format("its tag in column {}", column == 0 ? "2 or later" : std::to_string(column));
}

class ConllReader {
 public:
  ConllReader(const std::filesystem::path& file, int64_t column)
      : file_(file.string()), column_(column), lines_(read_lines(file)) {
    const auto tab = std::ranges::find_if(lines_, [](std::string_view line) {
      return !is_document(trimmed(line)) && trimmed(line).find('\t') != std::string_view::npos;
    });
    if (tab != lines_.end()) first_tab_ = static_cast<int>(tab - lines_.begin()) + 1;
  }

  std::vector<TaggedSentence> read() {
    for (const std::string& line : lines_) {
      ++number_;
      if (trimmed(line).empty() || is_document(trimmed(line))) {
        is_inside_ = false;
      } else {
        read_word(line);
      }
    }
    problems_.throw_if_any();
    if (sentences_.empty()) throw ConfigError(file_ + ": has no word");
    return std::move(sentences_);
  }

 private:
  void read_word(const std::string& line) {
    const std::vector<std::string> columns =
        first_tab_ > 0 ? columns_between_tabs(line) : columns_between_white_space(line);
    const auto count = static_cast<int64_t>(columns.size());
    if (first_ == 0) {
      first_ = number_;
      columns_ = count;
    }
    const int64_t of_tag = column_ > 0 ? column_ : count + column_;
    if (count < 2 || count < of_tag || (column_ <= 0 && of_tag < 2) || columns[0].empty())
      return refuse(
          fmt::format("got '{}', expected a word and {}{}", line, tag_text(column_), separator()));
    if (count != columns_) {
      return refuse(fmt::format("got {}, expected {} as in line {}{}",
                                counted(columns.size(), "column"), columns_, first_, separator()));
    }
    const std::string& tag = columns[static_cast<size_t>(of_tag) - 1];
    if (!is_tag(tag)) {
      return refuse(
          fmt::format("got the tag '{}', expected O or B-, I-, E- or S- and a type, such "
                      "as B-PER",
                      tag));
    }
    if (!is_inside_) sentences_.push_back({{}, {}, number_});
    is_inside_ = true;
    sentences_.back().words.push_back(columns.front());
    sentences_.back().tags.push_back(tag);
  }

  std::string separator() const {
    if (first_tab_ == 0) return "";
    return fmt::format("; tabs part the columns of this file, the first in line {}", first_tab_);
  }

  void refuse(const std::string& what) { problems_.add({file_, number_, 1}, what); }

  const std::string file_;
  const int64_t column_;
  const std::vector<std::string> lines_;
  bool is_inside_ = false;
  int number_ = 0, first_ = 0,
      first_tab_ = 0;    // lines, from 1: this one, of the first word and tab
  int64_t columns_ = 0;  // of the first word's line
  std::vector<TaggedSentence> sentences_;
  Problems problems_;
};

}  // namespace

std::vector<TaggedSentence> read_conll(const std::filesystem::path& file, int64_t column) {
  if (!std::filesystem::is_regular_file(file)) {
    throw ConfigError(fmt::format(
        "{}: is not a file; expected a word and its tag in each line, as in CoNLL's shared tasks",
        file.string()));
  }
  return ConllReader(file, column).read();
}

}  // namespace rethink
