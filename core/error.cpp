#include "core/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <optional>
#include <utility>

namespace rethink {
namespace {

std::string with_zero_bytes_shown(std::string text) {
  for (size_t at = text.find('\0'); at != std::string::npos; at = text.find('\0', at))
    text.replace(at, 1, "\\x00");
  return text;
}

/// The number of edits between two words; a swap of neighbours is one edit.
size_t edit_distance(const std::string& a, const std::string& b) {
  constexpr size_t kLongestName = 200;
  // No name is that long.
  if (std::max(a.size(), b.size()) > kLongestName) return std::string::npos;
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
bool one_is_prefix(const std::string& a, const std::string& b) {
  constexpr size_t kLeast = 4;
  return std::min(a.size(), b.size()) >= kLeast && (a.starts_with(b) || b.starts_with(a));
}

/// rethink's word for a name that other programs use; "" if there is none.
std::string other_name(const std::string& given) {
  static const std::map<std::string, std::string> kNames = {{"gpu", "cuda"},
                                                            {"learning_rate", "lr"},
                                                            {"hidden_size", "d_model"},
                                                            {"penalty", "lambda"},
                                                            {"tex", "latex"}};
  const auto found = kNames.find(given);
  return found == kNames.end() ? "" : found->second;
}

/// "lr" of "optimizer.lr", "cola" of "glue/cola".
std::string last_part(const std::string& name) {
  return name.substr(name.find_last_of("./") + 1);
}

/// "'mask.lr' or 'optimizer.lr'": if several names end as `given` does, the ones with the fewest
/// dots.
std::string names_with_suffix(const std::string& given, const std::vector<std::string>& known) {
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

bool is_path(const std::string& name) {
  return name.find_first_of("./") != std::string::npos;
}

/// Whether so few edits may be a typing mistake; false for words of two letters.
bool is_near(size_t edits, const std::string& a, const std::string& b) {
  const size_t shorter = std::min(a.size(), b.size()), longer = std::max(a.size(), b.size());
  return edits <= (longer < 3 ? 0 : std::max<size_t>(1, shorter / 3));
}

/// The distance of a name from the given word. Paths often end alike ("optimizer.lr",
/// "decoder.lr"), so the whole path decides between such names.
struct Distance {
  size_t part = 0;       // edits of the last part, or of the whole if these are fewer
  size_t whole = 0;      // edits of the whole path, if a path was given
  bool differs = false;  // neither word begins with the other
  auto operator<=>(const Distance&) const = default;
};

/// Returns nothing if neither the names nor their last parts are near.
std::optional<Distance> distance_of(const std::string& given, const std::string& name) {
  const std::string last = last_part(given), other = last_part(name);
  const size_t whole = edit_distance(given, name), part = edit_distance(last, other);
  const bool has_near_part = is_near(part, last, other);
  if (!has_near_part && !is_near(whole, given, name)) return std::nullopt;
  return Distance{.part = has_near_part ? std::min(whole, part) : whole,
                  .whole = is_path(given) ? whole : 0,
                  .differs = !one_is_prefix(given, name)};
}

}  // namespace

Error::Error(MessageCode code, const std::string& text)
    : std::runtime_error(with_zero_bytes_shown(text)), code_(code) {}

std::string did_you_mean(const std::string& given, const std::vector<std::string>& known) {
  constexpr size_t kMostCompared = 1'000;  // an axis may have 100,000 labels
  std::string best, beginning;
  Distance least{.part = std::string::npos};
  const std::string plain = lower(given), meant = other_name(last_part(plain));
  size_t compared = 0;
  for (const std::string& name : known) {
    if (name == given) return "";  // not a typing mistake: the name is known, but in another place
    const std::string other = lower(name);
    if (!meant.empty() && last_part(other) == meant) return "; did you mean '" + name + "'?";
    if (beginning.empty() && one_is_prefix(plain, other)) beginning = name;
    if (++compared > kMostCompared) continue;
    const std::optional<Distance> distance = distance_of(plain, other);
    if (distance && *distance < least) best = name, least = *distance;
  }
  const bool is_tied = least.part == 0 && !(is_path(given) && least.whole <= given.size() / 3);
  const std::string ties = is_tied ? names_with_suffix(last_part(plain), known) : "";
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
