#include "datasets/conll_file.h"

#include <fmt/format.h>

#include <sstream>

#include "datasets/text_lines.h"

namespace rethink {
namespace {

constexpr const char* kDocument = "-DOCSTART-";

bool is_tag(const std::string& text) {
  if (text == "O") return true;
  return text.size() > 2 && text[1] == '-' &&
         std::string("BIES").find(text[0]) != std::string::npos;
}

std::vector<std::string> columns_between_white_space(const std::string& line) {
  std::istringstream words(line);
  std::vector<std::string> columns;
  for (std::string word; words >> word;) columns.push_back(word);
  return columns;
}

/// What must stand beside the word.
std::string tag_text(int64_t column) {
  if (column < 0) return "two tags, the right one and the predicted one, in its last columns";
  return fmt::format("its tag in column {}", column == 0 ? "2 or later" : std::to_string(column));
}

}  // namespace

std::vector<TaggedSentence> read_conll(const std::filesystem::path& file, int64_t column) {
  if (!std::filesystem::is_regular_file(file)) {
    throw ConfigError(fmt::format(
        "{}: is not a file; expected a word and its tag in each line, as in CoNLL's shared tasks",
        file.string()));
  }
  std::istringstream lines(read_utf8(file));
  std::vector<TaggedSentence> sentences;
  Problems problems;
  bool is_inside = false;
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    const std::vector<std::string> columns = columns_between_white_space(line);
    if (columns.empty() || columns[0] == kDocument) {
      is_inside = false;
      continue;
    }
    const Position where{file.string(), number, 1};
    const auto count = static_cast<int64_t>(columns.size());
    const int64_t of_tag = column > 0 ? column : count + column;
    if (count < 2 || count < of_tag || (column <= 0 && of_tag < 2)) {
      problems.add(where, fmt::format("got '{}', expected a word and {}", line, tag_text(column)));
      continue;
    }
    const std::string& tag = columns[static_cast<size_t>(of_tag) - 1];
    if (!is_tag(tag)) {
      problems.add(where,
                   fmt::format("got the tag '{}', expected O or B-, I-, E- or S- and a type, "
                               "such as B-PER",
                               tag));
      continue;
    }
    if (!is_inside) sentences.push_back({{}, {}, number});
    is_inside = true;
    sentences.back().words.push_back(columns.front());
    sentences.back().tags.push_back(tag);
  }
  problems.throw_if_any();
  if (sentences.empty()) throw ConfigError(file.string() + ": has no word");
  return sentences;
}

}  // namespace rethink
