#include "core/format/gutenberg_marks.h"

#include <algorithm>
#include <string>

namespace rethink {
namespace {

constexpr std::string_view kBookBegins = "*** START OF", kBookEnds = "*** END OF",
                           kProject = "PROJECT GUTENBERG";

/// The words of a line in capitals, separated by one space; stars separate words, too.
std::string capital_words(std::string_view line) {
  std::string words;
  for (const char c : line) {
    const bool parts = c == '*' || c == ' ' || c == '\t';
    if (!parts) words += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    if (parts && !words.empty() && words.back() != ' ') words += ' ';
  }
  return words;
}

bool has_project(std::string_view words) {
  return words.find(kProject) != std::string_view::npos;
}

bool begins_book(std::string_view line) {
  return line.starts_with(kBookBegins);
}

bool ends_small_print(std::string_view line) {
  return line.starts_with('*') && capital_words(line).starts_with("END THE SMALL PRINT");
}

bool begins_old_book(std::string_view line) {
  if (ends_small_print(line)) return true;
  const std::string words = line.starts_with("***") ? capital_words(line) : "";
  return words.starts_with("START OF ") && has_project(words);
}

bool ends_book(std::string_view line) {
  return line.starts_with(kBookEnds) ||
         (line.starts_with("End of") && line.find("Project Gutenberg") != std::string_view::npos);
}

bool ends_old_book(std::string_view line) {
  if (ends_book(line)) return true;
  if (line.empty() || (line[0] != '*' && line[0] != 'E' && line[0] != 'T')) return false;
  const std::string words = capital_words(line);
  return (words.starts_with("END OF ") || words.starts_with("THE END OF ")) && has_project(words);
}

}  // namespace

BookLines find_book(const std::vector<std::string_view>& lines) {
  const auto place_of = [&](auto found) { return static_cast<size_t>(found - lines.begin()); };
  auto start = std::ranges::find_if(lines, begins_book);
  BookLines book{
      .is_book = start != lines.end(), .is_of_old = false, .begin = 0, .end = 0, .next = 0};
  const auto first_old = book.is_book ? lines.end() : std::ranges::find_if(lines, begins_old_book);
  book.is_of_old = first_old != lines.end();
  if (!book.is_of_old) {
    book.begin = book.is_book ? place_of(start) + 1 : 0;
    const auto from = lines.begin() + static_cast<ptrdiff_t>(book.begin);
    const auto end = std::find_if(from, lines.end(), ends_book);
    book.end = place_of(end);
    const auto next = std::find_if(end, lines.end(), [](std::string_view line) {
      return begins_book(line) && has_project(capital_words(line));
    });
    if (book.is_book && next != lines.end()) book.next = place_of(next);
    return book;
  }
  book.is_book = true;
  // If the first mark is after the book's end, the small print is there, too.
  const bool has_header = std::find_if(lines.begin(), first_old, ends_old_book) == first_old;
  const auto end = std::find_if(has_header ? first_old : lines.begin(), lines.end(), ends_old_book);
  // The small print may follow the line that begins the book.
  const auto begin = std::find_if(std::make_reverse_iterator(end), lines.rend(), begins_old_book);
  book.begin = place_of(begin.base());
  book.end = place_of(end);
  if (!has_header) return book;
  const bool has_print_first = std::find_if(first_old, end, ends_small_print) != end;
  const auto next = std::find_if(end, lines.end(), [&](std::string_view line) {
    return begins_old_book(line) && (has_print_first || !ends_small_print(line));
  });
  if (next != lines.end()) book.next = place_of(next);
  return book;
}

bool has_old_book(std::string_view text) {
  std::vector<std::string_view> lines;
  constexpr std::string_view kBlanks = " \t\r";
  while (!text.empty()) {
    const size_t end = std::min(text.find_first_of("\n\r"), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    line.remove_prefix(std::min(line.find_first_not_of(kBlanks), line.size()));
    lines.push_back(line.substr(0, line.find_last_not_of(kBlanks) + 1));
  }
  return find_book(lines).is_of_old;
}

}  // namespace rethink
