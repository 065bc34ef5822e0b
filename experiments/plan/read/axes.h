// The axes of a stage: reads `cases`, `grid`, `zip` and `random` into lists of overlays.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/config/yaml.h"

namespace rethink {

/// A stage of more points than this is a mistake, and so is a sweep with more values on its axes.
constexpr size_t kMostPoints = 100'000;
/// So is a zip or a random axis that sets its keys to more values than this: points times keys.
constexpr size_t kMostAxisValues = 300'000;
/// A stage of more axes than this is a mistake.
constexpr size_t kMostAxes = 100;

/// A value of an axis: its overlay of the stage's options, and its name.
struct AxisPoint {
  std::map<std::string, std::string> labels;
  Yaml overlay;  // nested maps
};

struct Axis {
  enum class Kind { cases, grid, zip, random };
  Kind kind = Kind::grid;
  std::vector<std::string> names;  // the axis of cases, or the keys that the axis sets
  std::vector<AxisPoint> points;
  Position where;
  std::map<std::string, Position> fractions{};  // keys drawn from a continuous range
  size_t repeats = 0;  // random draws that were left out, since an earlier one is equal

  bool has_name(const std::string& name) const;
};

/// Returns the values of all these axes, one after the other.
size_t num_values(const std::vector<Axis>& axes);

/// Reads axes of one kind from a file: cases {AXIS: {LABEL: overlay}}, grid {KEY: values}, zip
/// {KEY: values} or a list of such maps, random {count, seed, KEY: draw}. More than kMostAxes axes
/// or kMostPoints values are a problem, and further ones are not read.
std::vector<Axis> read_axes(Axis::Kind kind, const Yaml& given, Problems& problems);

/// A grid axis: a list, or a range {from, to, step} or {from, to, count, log}.
Axis read_grid_axis(const std::string& key, const Position& where, const Yaml& values,
                    Problems& problems);

/// The values of a list or range; empty after a problem.
std::vector<Yaml> values_of(const std::string& key, const Yaml& given, Problems& problems);

}  // namespace rethink
