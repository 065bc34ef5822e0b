#include "core/config/problems.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <system_error>
#include <tuple>
#include <utility>

#include "core/files/piped_input.h"
#include "core/text.h"
#include "core/yaml/lookalike_characters.h"

namespace rethink {
namespace {

std::string source_line(const Position& where) {
  std::error_code none;  // a pipe cannot be read twice
  if (!std::filesystem::is_regular_file(where.file, none)) return "";
  std::ifstream file(where.file);
  std::string line;
  std::getline(file, line);
  if (!file.eof()) line += '\n';
  // A text whose lines end with \r alone is one line.
  std::istringstream first(without_text_marks(line));
  for (int number = 0; number < where.line; ++number) {
    if (!std::getline(first, line) && !std::getline(file, line)) return "";
  }
  if (line.ends_with('\r')) line.pop_back();
  return line;
}

/// The start of the letter of `text` that contains byte `at`.
size_t letter_at(const std::string& text, size_t at) {
  while (at > 0 && at < text.size() && continues_letter(text[at])) --at;
  return at;
}

/// A user's text can have any length; a message cannot.
std::string shortened(const std::string& text) {
  constexpr size_t kLongestWord = 250, kBegin = 100, kEnd = 50, kLongest = 3000;
  std::string kept;
  for (size_t begin = 0; begin < text.size() && kept.size() <= kLongest;) {
    const size_t end = std::min(text.find(' ', begin), text.size() - 1) + 1;
    const std::string word = text.substr(begin, end - begin);
    const bool is_long = word.size() > kLongestWord;
    kept += is_long ? word.substr(0, letter_at(word, kBegin)) + "..." +
                          word.substr(letter_at(word, word.size() - kEnd))
                    : word;
    begin = end;
  }
  return kept.size() <= kLongest ? kept : kept.substr(0, letter_at(kept, kLongest)) + "...";
}

/// The part of `line` around `column`, and a caret under it.
std::string excerpt_of(const std::string& line, int column) {
  constexpr size_t kWidth = 110;  // letters
  std::vector<size_t> letters;
  for (size_t i = 0; i < line.size(); ++i) {
    if (!continues_letter(line[i])) letters.push_back(i);
  }
  const auto caret_byte = static_cast<size_t>(std::max(column - 1, 0));
  const auto caret = static_cast<size_t>(
      std::lower_bound(letters.begin(), letters.end(), caret_byte) - letters.begin());
  const size_t first = letters.size() <= kWidth
                           ? 0
                           : std::min(caret - std::min(caret, kWidth / 2), letters.size() - kWidth);
  const size_t last = std::min(first + kWidth, letters.size());
  const size_t begin = first < letters.size() ? letters[first] : 0;
  const size_t end = last < letters.size() ? letters[last] : line.size();
  const std::string before = first > 0 ? "..." : "", after = last < letters.size() ? "..." : "";
  // The padding keeps tabs, so that the caret is under its column in any terminal.
  std::string padding(before.size(), ' ');
  for (size_t i = first; i < std::min(caret, last); ++i)
    padding += line[letters[i]] == '\t' ? '\t' : ' ';
  return "\n  " + before + line.substr(begin, end - begin) + after + "\n  " + padding + "^";
}

/// "FILE:12:5: ", or "FILE: ".
std::string place_text(const Position& where) {
  std::string text = where.file.empty() ? "" : shown_name(where.file) + ":";
  if (where.line > 0) text += fmt::format("{}:{}:", where.line, where.column);
  return text.empty() ? "" : text + " ";
}

std::string misleading_character_in(const std::string& line) {
  const std::string blank = odd_blank_in(line);
  return blank.empty() ? lookalike_sign_in(line) : blank;
}

}  // namespace

void Problems::add(const Position& where, MessageCode code, const std::string& text) {
  add(where, code, [&] { return text; });
}

void Problems::add(const Position& where, MessageCode code,
                   const std::function<std::string()>& text) {
  ++added_;
  if (problems_.size() >= kKept) {
    ++counted_;
    return;
  }
  Problem problem{where, code, shortened(text())};
  if (!has(problem)) problems_.push_back(std::move(problem));
}

bool Problems::has_unknown_key(const std::string& file) const {
  return std::ranges::any_of(problems_, [&](const Problem& problem) {
    return problem.code == MessageCode("unknown-key") && problem.where.file == file;
  });
}

bool Problems::has_problem_at(const Position& where) const {
  return std::ranges::find(problems_, where, &Problem::where) != problems_.end();
}

bool Problems::has(const Problem& problem) const {
  return std::find(problems_.begin(), problems_.end(), problem) != problems_.end();
}

void Problems::take(const Problems& other, const std::string& about) {
  const size_t before = added_;
  for (const Problem& problem : other.problems_) {
    if (has(problem)) continue;
    add(problem.where, problem.code, about + problem.text);
  }
  counted_ += other.counted_;
  added_ = before + other.added_;
}

void Problems::refuse(const Position& where, MessageCode code, const std::string& text) {
  add(where, code, text);
  throw_if_any();
  RETHINK_ASSERT(false, text);
}

std::vector<Problem> Problems::by_place() const {
  std::map<std::string, size_t> files;
  for (const Problem& problem : problems_) files.emplace(problem.where.file, files.size());
  std::vector<Problem> order = problems_;
  const auto key = [&](const Problem& problem) {
    return std::tuple(files.at(problem.where.file), problem.where.line, problem.where.column);
  };
  std::ranges::stable_sort(order, {}, key);
  return order;
}

void Problems::throw_if_any() const {
  if (problems_.empty()) return;
  std::vector<Problem> order = by_place();
  std::string text;
  std::map<std::string, std::string> signs;  // by line, since one long line may have many problems
  for (size_t i = 0; i < std::min(order.size(), kShown); ++i) {
    const Problem& problem = order[i];
    text += (i ? "\n" : "") + place_text(problem.where) + "error: " + problem.text;
    const std::string line = problem.where.line > 0 ? source_line(problem.where) : "";
    if (line.empty()) continue;
    const auto [sign, is_new] = signs.try_emplace(line);
    if (is_new) sign->second = misleading_character_in(line);
    text += excerpt_of(line, problem.where.column) + sign->second;
  }
  if (size() > kShown) text += fmt::format("\n... and {} more", size() - kShown);
  throw ProblemsError(text, std::move(order));
}

}  // namespace rethink
