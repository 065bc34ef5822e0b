#include "core/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <tuple>
#include <utility>

#include "core/config/lookalike_signs.h"
#include "core/config/odd_blanks.h"
#include "core/format/text_marks.h"
#include "core/system/shown_name.h"

namespace rethink {
namespace {

std::string with_zero_bytes_shown(std::string text) {
  for (size_t at = text.find('\0'); at != std::string::npos; at = text.find('\0', at))
    text.replace(at, 1, "\\x00");
  return text;
}

std::string source_line(const Position& where) {
  std::error_code none;  // what is no file cannot be read twice
  if (!std::filesystem::is_regular_file(where.file, none)) return "";
  std::ifstream file(where.file);
  std::string line;
  std::getline(file, line);
  if (!file.eof()) line += '\n';
  std::istringstream first(without_text_marks(line));  // the whole text where only \r ends lines
  for (int number = 0; number < where.line; ++number) {
    if (!std::getline(first, line) && !std::getline(file, line)) return "";
  }
  if (line.ends_with('\r')) line.pop_back();
  return line;
}

bool begins_letter(char c) {
  return (static_cast<unsigned char>(c) & 0xC0) != 0x80;  // in UTF-8
}

/// The first letter of `text` that begins at `at` or before it.
size_t letter_at(const std::string& text, size_t at) {
  while (at > 0 && at < text.size() && !begins_letter(text[at])) --at;
  return at;
}

/// What a user wrote can be of any length, what is said of it cannot.
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
    if (begins_letter(line[i])) letters.push_back(i);
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
  // Tabs are kept in the padding, so that the caret stands under its column in any terminal.
  std::string padding(before.size(), ' ');
  for (size_t i = first; i < std::min(caret, last); ++i)
    padding += line[letters[i]] == '\t' ? '\t' : ' ';
  return "\n  " + before + line.substr(begin, end - begin) + after + "\n  " + padding + "^";
}

/// Edits between two words; a swap of neighbours is one edit.
size_t edit_distance(const std::string& a, const std::string& b) {
  constexpr size_t kLongestName = 200;
  if (std::max(a.size(), b.size()) > kLongestName) return std::string::npos;  // a name of nothing
  std::vector<std::vector<size_t>> cost(a.size() + 1, std::vector<size_t>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i) cost[i][0] = i;
  for (size_t j = 0; j <= b.size(); ++j) cost[0][j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t change = a[i - 1] == b[j - 1] ? 0 : 1;
      cost[i][j] = std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, cost[i - 1][j - 1] + change});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
    }
  }
  return cost[a.size()][b.size()];
}

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

/// "batchsize" and "batch", "warm" and "warmup".
bool one_begins_the_other(const std::string& a, const std::string& b) {
  constexpr size_t kLeast = 4;
  return std::min(a.size(), b.size()) >= kLeast && (a.starts_with(b) || b.starts_with(a));
}

/// What rethink calls it, where other programs have another word; "" where there is none.
std::string other_name(const std::string& given) {
  static const std::map<std::string, std::string> kNames = {
      {"gpu", "cuda"}, {"learning_rate", "lr"}, {"hidden_size", "d_model"}, {"lambda", "penalty"}};
  const auto found = kNames.find(given);
  return found == kNames.end() ? "" : found->second;
}

/// "lr" of "optimizer.lr", "cola" of "glue/cola".
std::string last_part(const std::string& name) {
  return name.substr(name.find_last_of("./") + 1);
}

/// "'mask.lr' or 'optimizer.lr'": the least deep of the names that end as `given` does, if several.
std::string names_that_end_so(const std::string& given, const std::vector<std::string>& known) {
  constexpr size_t kMost = 3;
  std::vector<std::string> found;
  size_t least = std::string::npos;
  for (const std::string& name : known) {
    const auto depth = static_cast<size_t>(std::count(name.begin(), name.end(), '.'));
    if (last_part(lower(name)) != given || depth > least) continue;
    if (depth < least) found.clear();
    least = depth;
    const std::string quoted = "'" + name + "'";
    if (std::find(found.begin(), found.end(), quoted) == found.end()) found.push_back(quoted);
  }
  return found.size() > 1 && found.size() <= kMost ? joined(found, " or ") : "";
}

/// "FILE:12:5: ", or "FILE: ".
std::string place_text(const Position& where) {
  std::string text = where.file.empty() ? "" : shown_name(where.file) + ":";
  if (where.line > 0) text += fmt::format("{}:{}:", where.line, where.column);
  return text.empty() ? "" : text + " ";
}

bool is_path(const std::string& name) {
  return name.find_first_of("./") != std::string::npos;
}

/// So many edits of two words that one may be a slip of the other: none of words of two letters.
bool is_near(size_t edits, const std::string& a, const std::string& b) {
  const size_t shorter = std::min(a.size(), b.size()), longer = std::max(a.size(), b.size());
  return edits <= (longer < 3 ? 0 : std::max<size_t>(1, shorter / 3));
}

/// How far a name is from what was given. Paths often end alike ("optimizer.lr", "decoder.lr"):
/// then the whole decides.
struct Distance {
  size_t part = 0;       // edits, of the last part or the whole: the less
  size_t whole = 0;      // edits, where a path was given
  bool differs = false;  // neither begins with the other
  auto operator<=>(const Distance&) const = default;
};

/// None where neither the names nor their last parts are near.
std::optional<Distance> distance_of(const std::string& given, const std::string& name) {
  const std::string last = last_part(given), other = last_part(name);
  const size_t whole = edit_distance(given, name), part = edit_distance(last, other);
  const bool has_near_part = is_near(part, last, other);
  if (!has_near_part && !is_near(whole, given, name)) return std::nullopt;
  return Distance{.part = has_near_part ? std::min(whole, part) : whole,
                  .whole = is_path(given) ? whole : 0,
                  .differs = !one_begins_the_other(given, name)};
}

}  // namespace

Error::Error(const std::string& text) : std::runtime_error(with_zero_bytes_shown(text)) {}

void Problems::add(const Position& where, const std::string& text) {
  add(where, [&] { return text; });
}

void Problems::add(const Position& where, const std::function<std::string()>& text) {
  ++added_;
  if (problems_.size() >= kKept) {
    ++counted_;
    return;
  }
  Problem problem{where, shortened(text())};
  if (!has(problem)) problems_.push_back(std::move(problem));
}

bool Problems::has(const Problem& problem) const {
  return std::find(problems_.begin(), problems_.end(), problem) != problems_.end();
}

void Problems::take(const Problems& other, const std::string& about) {
  const size_t before = added_;
  for (const Problem& problem : other.problems_) {
    if (!has(problem)) add(problem.where, about + problem.text);
  }
  counted_ += other.counted_;
  added_ = before + other.added_;
}

void Problems::refuse(const Position& where, const std::string& text) {
  add(where, text);
  throw_if_any();
  RETHINK_ASSERT(false, text);
}

std::vector<const Problems::Problem*> Problems::by_place() const {
  std::map<std::string, size_t> files;
  std::vector<const Problem*> order;
  for (const Problem& problem : problems_) {
    files.emplace(problem.where.file, files.size());
    order.push_back(&problem);
  }
  const auto key = [&](const Problem* problem) {
    return std::tuple(files.at(problem->where.file), problem->where.line, problem->where.column);
  };
  std::ranges::stable_sort(order, {}, key);
  return order;
}

void Problems::throw_if_any() const {
  if (problems_.empty()) return;
  const std::vector<const Problem*> order = by_place();
  std::string text;
  for (size_t i = 0; i < std::min(order.size(), kShown); ++i) {
    const Problem& problem = *order[i];
    text += (i ? "\n" : "") + place_text(problem.where) + "error: " + problem.text;
    const std::string line = problem.where.line > 0 ? source_line(problem.where) : "";
    if (line.empty()) continue;
    const std::string blank = odd_blank_in(line);
    text += excerpt_of(line, problem.where.column);
    text += blank.empty() ? lookalike_sign_in(line) : blank;
  }
  if (size() > kShown) text += fmt::format("\n... and {} more", size() - kShown);
  throw ConfigError(text);
}

std::string did_you_mean(const std::string& given, const std::vector<std::string>& known) {
  constexpr size_t kMostCompared = 1'000;  // an axis may have 100,000 labels
  std::string best, beginning;
  Distance least{.part = std::string::npos};
  const std::string plain = lower(given), meant = other_name(last_part(plain));
  size_t compared = 0;
  for (const std::string& name : known) {
    if (name == given) return "";  // it is no slip: the name is known, only not where it was given
    const std::string other = lower(name);
    if (!meant.empty() && last_part(other) == meant) return "; did you mean '" + name + "'?";
    if (beginning.empty() && one_begins_the_other(plain, other)) beginning = name;
    if (++compared > kMostCompared) continue;
    const std::optional<Distance> distance = distance_of(plain, other);
    if (distance && *distance < least) best = name, least = *distance;
  }
  const bool is_tied = least.part == 0 && !(is_path(given) && least.whole <= given.size() / 3);
  const std::string ties = is_tied ? names_that_end_so(last_part(plain), known) : "";
  if (!ties.empty()) return "; did you mean " + ties + "?";
  if (best.empty()) best = beginning;
  return best.empty() ? "" : "; did you mean '" + best + "'?";
}

std::string joined(const std::vector<std::string>& names, const std::string& separator) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : separator) + name;
  return text;
}

void assertion_failed(const char* condition, const std::string& values,
                      std::source_location where) {
  std::fprintf(stderr, "%s:%u: this is a bug in rethink: %s does not hold (%s)\n",
               where.file_name(), where.line(), condition, values.c_str());
  std::fflush(stderr);
  std::abort();
}

}  // namespace rethink
