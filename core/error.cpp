#include "core/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <tuple>

namespace rethink {
namespace {

std::string source_line(const Position& where) {
  std::ifstream file(where.file);
  std::string line;
  for (int number = 0; number < where.line; ++number) {
    if (!std::getline(file, line)) return "";
  }
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

struct Place {
  std::string file;
  int line = 0, column = 0;  // 0: none
};

/// Of "FILE:12:5: ", or of "FILE: ".
Place read_place(const std::string& text) {
  const Place whole{text.substr(0, text.rfind(": "))};
  Place place = whole;
  for (int* number : {&place.column, &place.line}) {
    const size_t colon = place.file.rfind(':');
    if (colon == std::string::npos || colon + 1 == place.file.size()) return whole;
    const std::string digits = place.file.substr(colon + 1);
    if (digits.find_first_not_of("0123456789") != std::string::npos) return whole;
    *number = std::atoi(digits.c_str());
    place.file.resize(colon);
  }
  return place;
}

/// The order in which people go through a file; files in the order in which they were met.
std::vector<size_t> by_place(const std::vector<std::string>& places) {
  std::map<std::string, size_t> files;
  std::vector<std::tuple<size_t, int, int, size_t>> keys;
  for (const std::string& text : places) {
    const Place place = read_place(text);
    const size_t file = files.emplace(place.file, files.size()).first->second;
    keys.emplace_back(file, place.line, place.column, keys.size());
  }
  std::sort(keys.begin(), keys.end());
  std::vector<size_t> order;
  for (const auto& key : keys) order.push_back(std::get<3>(key));
  return order;
}

/// Of a slip within a path ("optimizr.lr") the path that is nearest as a whole: others end alike.
std::string nearest_path(const std::string& given, const std::vector<std::string>& known) {
  if (given.find('.') == std::string::npos || std::ranges::find(known, given) != known.end())
    return "";
  std::string best;
  size_t best_distance = given.size() / 3 + 1;
  for (const std::string& name : known) {
    const size_t distance = edit_distance(lower(given), lower(name));
    if (distance < best_distance) best = name, best_distance = distance;
  }
  return best;
}

}  // namespace

void Problems::add(const Position& where, const std::string& text) {
  Problem problem{"", shortened(text), ""};
  if (!where.file.empty()) problem.place = where.file + ":";
  if (where.line > 0) problem.place += fmt::format("{}:{}:", where.line, where.column);
  if (!problem.place.empty()) problem.place += " ";
  const std::string line = where.line > 0 ? source_line(where) : "";
  if (!line.empty()) problem.excerpt = excerpt_of(line, where.column);
  if (!has(problem)) problems_.push_back(std::move(problem));
}

bool Problems::has(const Problem& problem) const {
  return std::find(problems_.begin(), problems_.end(), problem) != problems_.end();
}

void Problems::take(const Problems& other, const std::string& about) {
  for (const Problem& problem : other.problems_) {
    if (!has(problem)) problems_.push_back({problem.place, about + problem.text, problem.excerpt});
  }
}

void Problems::refuse(const Position& where, const std::string& text) {
  add(where, text);
  throw_if_any();
  RETHINK_ASSERT(false, text);
}

void Problems::throw_if_any() const {
  if (problems_.empty()) return;
  std::vector<std::string> places;
  for (const Problem& problem : problems_) places.push_back(problem.place);
  const std::vector<size_t> order = by_place(places);
  std::string text;
  for (size_t i = 0; i < std::min(problems_.size(), kShown); ++i) {
    const auto& [place, said, excerpt] = problems_[order[i]];
    text += (i ? "\n" : "") + place + "error: " + said + excerpt;
  }
  if (problems_.size() > kShown)
    text += fmt::format("\n... and {} more", problems_.size() - kShown);
  throw ConfigError(text);
}

std::string did_you_mean(const std::string& given, const std::vector<std::string>& known) {
  const std::string path = nearest_path(given, known);
  if (!path.empty()) return "; did you mean '" + path + "'?";
  std::string best, beginning;
  size_t best_distance = std::string::npos;
  const std::string plain = lower(given), meant = other_name(last_part(plain));
  for (const std::string& name : known) {
    if (name == given) return "";  // it is no slip: the name is known, only not where it was given
    const std::string other = lower(name);
    if (!meant.empty() && last_part(other) == meant) return "; did you mean '" + name + "'?";
    if (beginning.empty() && one_begins_the_other(plain, other)) beginning = name;
    const size_t distance =
        std::min(edit_distance(plain, other), edit_distance(last_part(plain), last_part(other)));
    const size_t near = std::max<size_t>(1, std::min(given.size(), name.size()) / 3);
    if (distance <= near && distance < best_distance) {
      best = name;
      best_distance = distance;
    }
  }
  const std::string ties = best_distance == 0 ? names_that_end_so(last_part(plain), known) : "";
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
