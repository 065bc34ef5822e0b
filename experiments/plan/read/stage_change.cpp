// What a profile or --set changes in a stage of a sweep file.
#include <fmt/format.h>

#include <algorithm>

#include "core/config/check.h"
#include "core/config/option_names.h"
#include "core/config/value_index.h"
#include "experiments/plan/read/misplaced_keys.h"
#include "experiments/plan/read/overlay.h"
#include "experiments/plan/read/stage_resources.h"
#include "experiments/plan/read/stage_spec.h"

namespace rethink {
namespace {

/// Replaces axes of the same name, keeps the order of kinds.
void put_axes(StageSpec& stage, Axis::Kind kind, const Yaml& given, Problems& problems) {
  if (given.is_null()) {
    std::erase_if(stage.axes, [&](const Axis& axis) { return axis.kind == kind; });
    return;
  }
  const size_t before = problems.added();
  std::vector<Axis> read = read_axes(kind, given, problems);
  stage.has_unread_axes = stage.has_unread_axes || read.empty();
  for (Axis& axis : read) {
    for (const std::string& name : axis.names) {
      std::erase_if(stage.axes, [&](const Axis& old) { return old.has_name(name); });
      if (kind == Axis::Kind::cases) continue;
      erase_path(stage.options, name);
      erase_path(stage.overrides, name);
    }
    const auto after = std::find_if(stage.axes.begin(), stage.axes.end(),
                                    [&](const Axis& old) { return old.kind > kind; });
    stage.axes.insert(after, std::move(axis));
  }
  stage.flawed = stage.flawed || problems.added() > before;
}

/// What a plain word is on the axis `name` of the stage: what the options of that name take, where
/// they agree.
ValueType type_of_axis(const StageSpec& stage, const std::string& name, const Schema& schema) {
  const PluginSchema* job = schema.find("job", stage.job);
  if (!job) return ValueType::label;
  const auto options = options_called(name, job->options.fields, schema);
  const auto all_are = [&](std::initializer_list<FieldType> types) {
    return !options.empty() && std::ranges::all_of(options, [&](const Field* option) {
      return std::ranges::find(types, option->type) != types.end();
    });
  };
  if (all_are({FieldType::text, FieldType::plugin})) return ValueType::text;
  if (all_are({FieldType::integer, FieldType::real})) return ValueType::number;
  return ValueType::label;
}

/// The value that the point sets, by its label; `type`: of a plain word.
RecordedValue value_on(const AxisPoint& point, const std::string& name, ValueType type) {
  const Yaml* set = at_path(point.overlay, name);
  const std::string& label = point.labels.at(name);
  if (set && set->is_scalar() && set->quoted) return {label, ValueType::text};
  const bool fits = set && (type != ValueType::number || number_in(label));  // not `null`
  return {label, fits ? type : ValueType::label};
}

/// Keeps the points of `axis` whose label is among `given`.
void narrow_axis(const StageSpec& stage, Axis& axis, const std::string& name, const Yaml& given,
                 const Schema& schema, Problems& problems) {
  const ValueType type = type_of_axis(stage, name, schema);
  constexpr size_t kMostNamed = 1'000;
  std::vector<std::string> labels;  // for messages
  ValueIndex index;
  for (size_t i = 0; i < axis.points.size(); ++i) {
    const auto label = axis.points[i].labels.find(name);
    if (label == axis.points[i].labels.end()) continue;
    if (labels.size() < kMostNamed) labels.push_back(label->second);
    index.add(label->second, i);
  }
  std::vector<AxisPoint> kept;
  for (const Yaml& wanted : given.is_list() ? given.items : std::vector<Yaml>{given}) {
    const std::string text = text_of(wanted);
    const size_t before = kept.size();
    for (const size_t i : index.like(text)) {
      if (same_value(value_on(axis.points[i], name, type), written_value(wanted)))
        kept.push_back(axis.points[i]);
    }
    if (kept.size() > before) continue;
    problems.add(wanted.where, [&] {
      return fmt::format("axis '{}' has no '{}'{}; there is: {}", name, text,
                         did_you_mean(text, labels), joined(labels));
    });
  }
  if (!kept.empty()) axis.points = std::move(kept);
}

void narrow_axes(StageSpec& stage, const Yaml& given, const Schema& schema, Problems& problems) {
  if (!given.is_map()) {
    problems.add(given.where, "'only' must be a map: {AXIS: [LABEL, ...]}");
    return;
  }
  for (const Yaml::Entry& entry : given.entries) {
    if (Axis* axis = stage.axis_named(entry.key)) {
      narrow_axis(stage, *axis, entry.key, entry.value, schema, problems);
      continue;
    }
    problems.add(entry.where, [&] {
      const std::vector<std::string> names = stage.axis_names();
      return fmt::format("stage '{}' has no axis '{}'{}; axes: {}", stage.name, entry.key,
                         did_you_mean(entry.key, names), names.empty() ? "none" : joined(names));
    });
  }
}

/// One value at one dotted key: a list on a grid axis is the axis's new values, anything else fixes
/// the key.
void override_leaf(StageSpec& stage, const Leaf& leaf, Problems& problems) {
  Axis* axis = stage.axis_named(leaf.path);
  const bool holds_lists = axis && !axis->points.empty() && [&] {
    const Yaml* first = at_path(axis->points.front().overlay, leaf.path);
    return first && first->is_list() &&
           !(leaf.value->is_list() && !leaf.value->items.empty() && leaf.value->items[0].is_list());
  }();
  if (axis && axis->kind == Axis::Kind::grid && leaf.value->is_list() && !holds_lists) {
    const size_t before = problems.added();
    *axis = read_grid_axis(leaf.path, leaf.where, *leaf.value, problems);
    stage.flawed = stage.flawed || problems.added() > before;
    return;
  }
  for (Axis& old : stage.axes) {
    if (old.kind == Axis::Kind::cases) continue;
    std::erase_if(old.names, [&](const std::string& name) {
      return name == leaf.path || name.starts_with(leaf.path + ".");
    });
    for (AxisPoint& point : old.points) {
      std::erase_if(point.labels, [&](const auto& label) { return !old.has_name(label.first); });
      erase_path(point.overlay, leaf.path);
    }
  }
  std::erase_if(stage.axes, [](const Axis& old) { return old.names.empty(); });
  set_path(stage.overrides, leaf.path, *leaf.value, leaf.where);
}

void override_options(StageSpec& stage, const Yaml::Entry& entry, const Schema& schema,
                      Problems& problems) {
  Axis* axis = stage.axis_named(entry.key);
  if (axis && axis->kind == Axis::Kind::cases) {
    narrow_axis(stage, *axis, entry.key, entry.value, schema, problems);
    return;
  }
  Yaml one = empty_map(entry.where);
  one.entries.push_back(entry);
  const Yaml nested = undotted(one, problems);
  for (const Leaf& leaf : leaves_of(nested)) override_leaf(stage, leaf, problems);
}

/// {SLOT: STAGE} fills an input, {SLOT: null} leaves it empty; null all of them.
void alter_needs(StageSpec& stage, const Yaml& given, Problems& problems) {
  if (given.is_null()) stage.needs.clear();
  for (const Yaml::Entry& entry : given.entries) {
    std::erase_if(stage.needs, [&](const Need& need) { return need.slot == entry.key; });
    if (!entry.value.is_null()) read_need(stage, entry, problems);
  }
  if (given.is_map() || given.is_null()) return;
  problems.add(given.where, "'needs' must say which input takes which stage: {INPUT: STAGE}");
}

}  // namespace

void alter_stage(StageSpec& stage, const Yaml& overlay, const Schema& schema, Problems& problems) {
  for (const Yaml::Entry& entry : overlay.entries) {
    const size_t dot = entry.key.find('.');
    const std::string first = entry.key.substr(0, dot);
    Yaml value = entry.value;
    // "grid.optimizer.lr" and "resources.threads": the planner's own word, then a key of its map.
    const bool is_own =
        first == "only" || first == "needs" || is_setting(first) || axis_kind(first);
    if (is_own && dot != std::string::npos) {
      value = empty_map(entry.where);
      value.entries.push_back({entry.key.substr(dot + 1), entry.where, entry.value});
    }
    if (first == "job" || first == "use") {
      problems.add(entry.where, fmt::format("'{}' cannot be changed by a profile or --set", first));
    } else if (first == "needs") {
      stage.altered = true;
      alter_needs(stage, value, problems);
    } else if (first == "only") {
      stage.altered = true;
      narrow_axes(stage, value, schema, problems);
    } else if (first == "seeds") {
      stage.seeds = value.is_null() ? std::nullopt : std::optional(read_seeds(value, problems));
    } else if (first == "where") {
      stage.narrowing = Conditions(value, problems);
    } else if (first == "when") {
      read_when(stage, value, problems);
    } else if (first == "exclude") {
      stage.exclude = Conditions(value, problems);
    } else if (is_setting(first)) {
      Yaml* old = stage.settings.find(first);
      if (!old) stage.settings.entries.push_back({first, entry.where, empty_map(entry.where)});
      old = stage.settings.find(first);
      for (const Yaml::Entry& one : value.entries) set_path(*old, one.key, one.value, one.where);
      if (!value.is_map()) *old = value;
    } else if (const auto kind = axis_kind(first)) {
      stage.altered = true;
      put_axes(stage, *kind, value, problems);
    } else {
      stage.altered = true;
      override_options(stage, entry, schema, problems);
    }
  }
}

}  // namespace rethink
