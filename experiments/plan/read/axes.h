// The axes of a stage: reads `cases`, `grid`, `zip` and `random` into lists of overlays.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/yaml/yaml.h"

namespace rethink {

/// Limit on the points of a stage, and on the values of all axes of a sweep. More are a mistake.
constexpr size_t kMostPoints = 100'000;
/// Limit on the values of a zip or random axis: points times keys.
constexpr size_t kMostAxisValues = 300'000;
/// Limit on the axes of a stage.
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
  std::map<std::string, Position> fractions{};  // keys that are drawn from a continuous range
  size_t repeats = 0;  // random draws that were left out because they repeat an earlier draw

  bool has_name(const std::string& name) const;
};

/// Returns the values of all these axes, one after the other.
size_t num_values(const std::vector<Axis>& axes);

/// Reads axes of one kind from a file: cases {AXIS: {LABEL: overlay}}, grid {KEY: values}, zip
/// {KEY: values} or a list of such maps, random {count, seed, KEY: draw}. More than kMostAxes axes
/// or kMostPoints values are a problem, and further ones are not read.
std::vector<Axis> read_axes(Axis::Kind kind, const Yaml& given, Problems& problems);

/// Returns a grid axis: a list, or a range {from, to, step} or {from, to, count, log}.
Axis read_grid_axis(const std::string& key, const Position& where, const Yaml& values,
                    Problems& problems);

/// Returns the values of a list or range; empty after a problem.
std::vector<Yaml> values_of(const std::string& key, const Yaml& given, Problems& problems);

}  // namespace rethink
