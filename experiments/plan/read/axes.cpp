#include "experiments/plan/read/axes.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/counted.h"
#include "experiments/plan/read/draws.h"
#include "experiments/plan/read/overlay.h"

namespace rethink {
namespace {

Axis read_cases_axis(const std::string& name, const Position& where, const Yaml& cases,
                     Problems& problems) {
  Axis axis{Axis::Kind::cases, {name}, {}, where};
  if (!cases.is_map() || cases.entries.empty()) {
    problems.add(
        where,
        fmt::format("axis '{}' of cases needs named overlays, {{LABEL: {{KEY: VALUE}}}}", name));
    return axis;
  }
  for (const Yaml::Entry& entry : cases.entries) {
    if (!entry.value.is_map() && !entry.value.is_null()) {
      problems.add(entry.value.where,
                   fmt::format("case '{}' must be a map of options, {{KEY: VALUE}}", entry.key));
      continue;
    }
    const Yaml overlay =
        entry.value.is_map() ? undotted(entry.value, problems) : empty_map(entry.where);
    axis.points.push_back({{{name, entry.key}}, overlay});
  }
  return axis;
}

Yaml overlay_of(const std::string& key, const Position& where, const Yaml& value,
                Problems& problems) {
  Yaml overlay = empty_map(where);
  set_path(overlay, key, undotted(value, problems), where);
  return overlay;
}

void report_repeats(const Axis& axis, Problems& problems) {
  std::set<std::map<std::string, std::string>> seen;
  for (const AxisPoint& point : axis.points) {
    if (seen.insert(point.labels).second) continue;
    const std::string& key = axis.names.front();
    problems.add(at_path(point.overlay, key)->where,
                 fmt::format("axis '{}' has the value {} twice", key, point.labels.at(key)));
  }
}

/// Whether keys that are set together make more values than an axis may have.
bool report_too_wide(const Yaml& given, size_t points, size_t keys, Problems& problems) {
  if (points * keys <= kMostAxisValues) return false;
  problems.add(given.where,
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
      problems.add(entry.where, fmt::format("zip runs in step: '{}' has {}, '{}' has {}", entry.key,
                                            counted(values.size(), "value"), axis.names.front(),
                                            axis.points.size()));
      return axis;
    }
    for (size_t i = 0; i < values.size(); ++i) {
      axis.points[i].labels[entry.key] = text_of(values[i]);
      set_path(axis.points[i].overlay, entry.key, undotted(values[i], problems), entry.where);
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
    // The same values drawn again would be the same trial: the first stands for both.
    if (seen.insert(point.labels).second) {
      axis.points.push_back(std::move(point));
    } else {
      ++axis.repeats;
    }
  }
  return axis;
}

/// False after a problem: more axes than a stage may have, or more values on them together.
bool is_small_enough(const std::vector<Axis>& axes, const Position& where, Problems& problems) {
  const size_t values = num_values(axes);
  if (axes.size() <= kMostAxes && values <= kMostPoints) return true;
  problems.add(where, axes.size() > kMostAxes
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
        given.where,
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
    problems.add(given.where, fmt::format("'{}' must be a map of axes", word_of(kind)));
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
