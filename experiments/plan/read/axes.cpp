#include "experiments/plan/read/axes.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/files/hash.h"
#include "core/message.h"
#include "core/philox.h"
#include "core/yaml/yaml.h"
#include "experiments/plan/read/overlay.h"

namespace rethink {
namespace {

constexpr double kMostValues = kMostPoints, kGreatestSeed = 1'000'000;

std::optional<double> number_of(const Yaml* given, const std::string& name, const Position& where,
                                Problems& problems) {
  double value = 0;
  if (given && given->is_scalar() && !given->quoted) {
    const char* end = given->scalar.data() + given->scalar.size();
    const auto [stop, error] = std::from_chars(given->scalar.data(), end, value);
    if (error == std::errc() && stop == end && std::isfinite(value)) return value;
  }
  problems.add(
      given ? given->where : where, "invalid-value",
      fmt::format("'{}' {}, expected a number", name, given ? "is not a number" : "is missing"));
  return std::nullopt;
}

std::optional<int64_t> count_of(const Yaml* given, const std::string& name, double most,
                                const Position& where, Problems& problems) {
  const auto value = number_of(given, name, where, problems);
  if (!value) return std::nullopt;
  if (*value == std::floor(*value) && *value >= 0 && *value <= most)
    return static_cast<int64_t>(*value);
  problems.add(given->where, "invalid-value",
               fmt::format("'{}': got {}, expected a whole number from 0 to {:.0f}", name,
                           given->scalar, most));
  return std::nullopt;
}

Yaml number_at(double value, int digits, const Position& where) {
  Yaml scalar;
  scalar.kind = Yaml::Kind::scalar;
  scalar.where = where;
  // Through text, so that the label and the value are the same decimal number.
  double rounded = std::strtod(fmt::format("{:.{}g}", value, digits).c_str(), nullptr);
  if (rounded == 0) rounded = 0;  // no "-0"
  scalar.scalar = fmt::format("{}", rounded);
  return scalar;
}

void report_unknown_range_keys(const Yaml& given, const std::vector<std::string>& known,
                               Problems& problems) {
  for (const Yaml::Entry& entry : given.entries) {
    if (std::find(known.begin(), known.end(), entry.key) != known.end()) continue;
    problems.add(entry.where, "unknown-key", [&] {
      return fmt::format("unknown key '{}' in a range{}; known: {}", entry.key,
                         did_you_mean(entry.key, known), joined(known));
    });
  }
}

std::vector<Yaml> spaced(double from, double to, int64_t count, bool is_log,
                         const Position& where) {
  std::vector<Yaml> values;
  for (int64_t i = 0; i < count; ++i) {
    const double part = count == 1 ? 0.0 : static_cast<double>(i) / static_cast<double>(count - 1);
    const double value = is_log ? from * std::pow(to / from, part) : from + (to - from) * part;
    values.push_back(number_at(value, 12, where));
  }
  return values;
}

/// The distribution of one key.
struct Draw {
  enum class Kind { log, uniform, integer, choice };
  Kind kind = Kind::uniform;
  double low = 0, high = 1;
  std::vector<Yaml> choices;
  Position where;

  Yaml at(PhiloxKey key, uint64_t index) const {
    const PhiloxBlock block = philox(key, index);
    const uint64_t bits = (static_cast<uint64_t>(block.word[0]) << 21) ^ (block.word[1] >> 11);
    const double uniform = static_cast<double>(bits) / 9007199254740992.0;  // 2^53
    if (kind == Kind::choice)
      return choices[static_cast<size_t>(uniform * static_cast<double>(choices.size()))];
    if (kind == Kind::integer)
      return number_at(low + std::floor(uniform * (high - low + 1)), 15, where);
    if (kind == Kind::log) return number_at(low * std::pow(high / low, uniform), 6, where);
    return number_at(low + (high - low) * uniform, 6, where);
  }
};

std::optional<Draw> read_draw(const Yaml::Entry& entry, Problems& problems) {
  const std::vector<std::string> known = {"log", "uniform", "integer", "choice"};
  const Yaml& given = entry.value;
  const bool is_one = given.is_map() && given.entries.size() == 1;
  const auto kind =
      is_one ? std::find(known.begin(), known.end(), given.entries[0].key) : known.end();
  if (kind == known.end()) {
    problems.add(
        given.where, "invalid-axis",
        fmt::format(
            "'{}' must say how it is drawn: {{log: [low, high]}}, {{uniform: [low, high]}}, "
            "{{integer: [low, high]}} or {{choice: [...]}}, and nothing more",
            entry.key));
    return std::nullopt;
  }
  Draw draw;
  draw.kind = static_cast<Draw::Kind>(kind - known.begin());
  draw.where = entry.where;
  const Yaml& bounds = given.entries[0].value;
  if (draw.kind == Draw::Kind::choice) {
    draw.choices = bounds.items;
    if (!draw.choices.empty()) return draw;
    problems.add(bounds.where, "invalid-axis", "'choice' needs a list of values");
    return std::nullopt;
  }
  if (!bounds.is_list() || bounds.items.size() != 2) {
    problems.add(bounds.where, "invalid-axis",
                 fmt::format("'{}' needs two numbers, [low, high]", *kind));
    return std::nullopt;
  }
  const auto low = number_of(&bounds.items[0], "low", bounds.where, problems);
  const auto high = number_of(&bounds.items[1], "high", bounds.where, problems);
  if (!low || !high) return std::nullopt;
  if (*low > *high || (draw.kind == Draw::Kind::log && *low <= 0)) {
    problems.add(bounds.where, "invalid-axis",
                 fmt::format("'{}': expected {}the smaller number first", *kind,
                             draw.kind == Draw::Kind::log ? "numbers above 0, " : ""));
    return std::nullopt;
  }
  draw.low = *low;
  draw.high = *high;
  return draw;
}

/// {from, to, step} has the values from, from + step, ... up to to. {from, to, count, log} has
/// count values with both ends, evenly spaced, or in equal ratios with log: true. Values are
/// rounded to 12 digits, so that steps of 0.1 stay decimal.
std::vector<Yaml> values_of_range(const std::string& key, const Yaml& given, Problems& problems) {
  report_unknown_range_keys(given, {"from", "to", "step", "count", "log"}, problems);
  const auto from = number_of(given.find("from"), "from", given.where, problems);
  const auto to = number_of(given.find("to"), "to", given.where, problems);
  const Yaml *step = given.find("step"), *count = given.find("count"), *log = given.find("log");
  if (!from || !to) return {};
  if (!step == !count) {
    problems.add(given.where, "invalid-axis",
                 fmt::format("the range of '{}' needs either 'step' or 'count'", key));
    return {};
  }
  const bool is_log = log && log->scalar == "true";
  if (log && log->scalar != "true" && log->scalar != "false")
    problems.add(log->where, "invalid-axis", "'log' must be true or false");
  if (is_log && (step || *from <= 0 || *to <= 0)) {
    problems.add(log->where, "invalid-axis", "'log: true' needs 'count', and both ends above 0");
    return {};
  }
  if (count) {
    const auto wanted = count_of(count, "count", kMostValues, given.where, problems);
    if (wanted == 0)
      problems.add(count->where, "invalid-axis", fmt::format("axis '{}' would have no value", key));
    return wanted ? spaced(*from, *to, *wanted, is_log, given.where) : std::vector<Yaml>{};
  }
  const auto by = number_of(step, "step", given.where, problems);
  if (!by) return {};
  const double steps = *by == 0 ? -1 : std::floor((*to - *from) / *by + 1e-9);
  if (steps < 0) {
    problems.add(step->where, "invalid-axis",
                 fmt::format("'step': {} does not lead from {} to {}", *by, *from, *to));
    return {};
  }
  if (steps >= kMostValues) {
    problems.add(step->where, "too-many",
                 fmt::format("'step': {} makes {:.0f} values from {} to {}, expected "
                             "at most {:.0f}; take a greater step",
                             *by, steps + 1, *from, *to, kMostValues));
    return {};
  }
  std::vector<Yaml> values;
  for (double i = 0; i <= steps; ++i) values.push_back(number_at(*from + i * *by, 12, given.where));
  return values;
}

/// One draw of every key.
using RandomDraw = std::vector<std::pair<std::string, Yaml>>;

/// The count of {count: 20, seed: 1, KEY: DRAW...}; 0 after a problem.
size_t num_draws(const Yaml& given, Problems& problems) {
  const auto count = count_of(given.find("count"), "count", kMostValues, given.where, problems);
  const size_t least = given.find("seed") ? 3 : 2;
  if (count && (*count == 0 || given.entries.size() < least))
    problems.add(given.where, "invalid-axis",
                 "'random' needs a count above 0 and at least one key to draw");
  return static_cast<size_t>(count.value_or(0));
}

/// Returns the first `count` draws of {count: 20, seed: 1, KEY: DRAW...}. A draw is {log: [low,
/// high]}, {uniform: [low, high]}, {integer: [low, high]} (both ends included) or {choice: [...]},
/// which also gives whole numbers in steps or ratios. Draw i of a key depends only on (seed, key,
/// i), so more draws keep the earlier ones, and another key changes nothing. Values are rounded to
/// 6 digits. Random: Philox, stream = the first 8 bytes of the key's SHA-256.
std::vector<RandomDraw> read_draws(const Yaml& given, size_t count, Problems& problems) {
  const Yaml* seed_text = given.find("seed");
  const auto seed =
      seed_text ? count_of(seed_text, "seed", kGreatestSeed, given.where, problems) : 0;
  std::vector<RandomDraw> draws(count);
  for (const Yaml::Entry& entry : given.entries) {
    if (entry.key == "count" || entry.key == "seed") continue;
    const auto draw = read_draw(entry, problems);
    if (!draw || !seed) continue;
    const uint64_t stream = std::stoull(sha256_hex(entry.key).substr(0, 16), nullptr, 16);
    const PhiloxKey key{static_cast<uint64_t>(*seed), stream};
    for (size_t i = 0; i < draws.size(); ++i) draws[i].emplace_back(entry.key, draw->at(key, i));
  }
  return draws;
}

Axis read_cases_axis(const std::string& name, const Position& where, const Yaml& cases,
                     Problems& problems) {
  Axis axis{Axis::Kind::cases, {name}, {}, where};
  if (!cases.is_map() || cases.entries.empty()) {
    problems.add(
        where, "invalid-axis",
        fmt::format("axis '{}' of cases needs named overlays, {{LABEL: {{KEY: VALUE}}}}", name));
    return axis;
  }
  for (const Yaml::Entry& entry : cases.entries) {
    if (!entry.value.is_map() && !entry.value.is_null()) {
      problems.add(entry.value.where, "invalid-axis",
                   fmt::format("case '{}' must be a map of options, {{KEY: VALUE}}", entry.key));
      continue;
    }
    const Yaml overlay =
        entry.value.is_map() ? with_nested_keys(entry.value, problems) : empty_map(entry.where);
    axis.points.push_back({{{name, entry.key}}, overlay});
  }
  return axis;
}

Yaml overlay_of(const std::string& key, const Position& where, const Yaml& value,
                Problems& problems) {
  Yaml overlay = empty_map(where);
  set_path(overlay, key, with_nested_keys(value, problems), where);
  return overlay;
}

void report_repeats(const Axis& axis, Problems& problems) {
  std::set<std::map<std::string, std::string>> seen;
  for (const AxisPoint& point : axis.points) {
    if (seen.insert(point.labels).second) continue;
    const std::string& key = axis.names.front();
    problems.add(at_path(point.overlay, key)->where, "duplicate-value",
                 fmt::format("axis '{}' has the value {} twice", key, point.labels.at(key)));
  }
}

/// Whether keys that are set together have more values than an axis may have.
bool report_too_wide(const Yaml& given, size_t points, size_t keys, Problems& problems) {
  if (points * keys <= kMostAxisValues) return false;
  problems.add(given.where, "too-many",
               fmt::format("{} points of {} keys each, expected at most {} values on one axis",
                           points, keys, kMostAxisValues));
  return true;
}

Axis read_zip_axis(const Yaml& given, Problems& problems) {
  Axis axis{Axis::Kind::zip, given.keys(), {}, given.where};
  for (const Yaml::Entry& entry : given.entries) {
    const std::vector<Yaml> values = values_of(entry.key, entry.value, problems);
    if (axis.points.empty()) {
      if (report_too_wide(given, values.size(), axis.names.size(), problems)) return axis;
      axis.points.resize(values.size(), {{}, empty_map(given.where)});
    }
    if (values.size() != axis.points.size()) {
      problems.add(
          entry.where, "invalid-axis",
          fmt::format("zip needs axes of equal length: '{}' has {}, '{}' has {}", entry.key,
                      counted(values.size(), "value"), axis.names.front(), axis.points.size()));
      return axis;
    }
    for (size_t i = 0; i < values.size(); ++i) {
      axis.points[i].labels[entry.key] = text_of(values[i]);
      set_path(axis.points[i].overlay, entry.key, with_nested_keys(values[i], problems),
               entry.where);
    }
  }
  report_repeats(axis, problems);
  return axis;
}

Axis read_random_axis(const Yaml& given, Problems& problems) {
  Axis axis{Axis::Kind::random, {}, {}, given.where};
  for (const Yaml::Entry& entry : given.entries) {
    if (entry.key == "count" || entry.key == "seed") continue;
    axis.names.push_back(entry.key);
    if (entry.value.find("log") || entry.value.find("uniform"))
      axis.fractions[entry.key] = entry.where;
  }
  const size_t count = num_draws(given, problems);
  if (report_too_wide(given, count, axis.names.size(), problems)) return axis;
  const std::vector<RandomDraw> draws = read_draws(given, count, problems);
  std::set<std::map<std::string, std::string>> seen;
  for (const RandomDraw& draw : draws) {
    AxisPoint point{{}, empty_map(given.where)};
    for (const auto& [key, value] : draw) {
      point.labels[key] = text_of(value);
      set_path(point.overlay, key, value, value.where);
    }
    // A repeated draw would be the same trial, so the first stands for both.
    if (seen.insert(point.labels).second) {
      axis.points.push_back(std::move(point));
    } else {
      ++axis.repeats;
    }
  }
  return axis;
}

/// Returns false after a problem: more axes than a stage may have, or too many values on all of
/// them.
bool is_small_enough(const std::vector<Axis>& axes, const Position& where, Problems& problems) {
  const size_t values = num_values(axes);
  if (axes.size() <= kMostAxes && values <= kMostPoints) return true;
  problems.add(where, "too-many",
               axes.size() > kMostAxes
                   ? fmt::format("more than {} axes in one stage", kMostAxes)
                   : fmt::format("{} values or more on the axes of one stage, expected at "
                                 "most {}; a sweep that tries so many is a mistake",
                                 values, kMostPoints));
  return false;
}

std::string word_of(Axis::Kind kind) {
  constexpr const char* kWords[] = {"cases", "grid", "zip", "random"};
  return kWords[static_cast<size_t>(kind)];
}

}  // namespace

size_t num_values(const std::vector<Axis>& axes) {
  size_t count = 0;
  for (const Axis& axis : axes) count += axis.points.size();
  return count;
}

bool Axis::has_name(const std::string& name) const {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::vector<Yaml> values_of(const std::string& key, const Yaml& given, Problems& problems) {
  if (given.is_map()) return values_of_range(key, given, problems);
  if (!given.is_list() || given.items.empty()) {
    problems.add(
        given.where, "invalid-axis",
        fmt::format("axis '{}' needs a list of values or a range {{from, to, step}}, got {}", key,
                    given.is_list() ? "an empty list" : "'" + text_of(given) + "'"));
    return {};
  }
  return given.items;
}

Axis read_grid_axis(const std::string& key, const Position& where, const Yaml& values,
                    Problems& problems) {
  Axis axis{Axis::Kind::grid, {key}, {}, where};
  for (const Yaml& value : values_of(key, values, problems)) {
    axis.points.push_back({{{key, text_of(value)}}, overlay_of(key, where, value, problems)});
  }
  report_repeats(axis, problems);
  return axis;
}

std::vector<Axis> read_axes(Axis::Kind kind, const Yaml& given, Problems& problems) {
  if (given.is_null()) return {};
  if (kind == Axis::Kind::zip && given.is_list()) {
    std::vector<Axis> axes;
    for (const Yaml& one : given.items) {
      for (Axis& axis : read_axes(kind, one, problems)) axes.push_back(std::move(axis));
      if (!is_small_enough(axes, one.where, problems)) return axes;
    }
    return axes;
  }
  if (!given.is_map() || given.entries.empty()) {
    problems.add(given.where, "invalid-axis",
                 fmt::format("'{}' must be a map of axes", word_of(kind)));
    return {};
  }
  if (kind == Axis::Kind::zip) return {read_zip_axis(given, problems)};
  if (kind == Axis::Kind::random) return {read_random_axis(given, problems)};
  std::vector<Axis> axes;
  for (const Yaml::Entry& entry : given.entries) {
    axes.push_back(kind == Axis::Kind::cases
                       ? read_cases_axis(entry.key, entry.where, entry.value, problems)
                       : read_grid_axis(entry.key, entry.where, entry.value, problems));
    if (!is_small_enough(axes, entry.where, problems)) return axes;
  }
  return axes;
}

}  // namespace rethink
