#include "experiments/plan/read/stage_spec.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/config/check.h"
#include "core/config/option_names.h"
#include "core/config/schema.h"
#include "core/facts/job_facts.h"
#include "core/files/named_file.h"
#include "core/files/piped_input.h"
#include "core/json.h"
#include "core/yaml/written_values.h"
#include "experiments/plan/read/misplaced_keys.h"
#include "experiments/plan/read/overlay.h"
#include "experiments/plan/read/stage_resources.h"

namespace rethink {
namespace {

const std::vector<std::pair<std::string, Axis::Kind>> kAxisWords = {{"cases", Axis::Kind::cases},
                                                                    {"grid", Axis::Kind::grid},
                                                                    {"zip", Axis::Kind::zip},
                                                                    {"random", Axis::Kind::random}};

// Unknown keys of one stage that are compared with the planner's words.
constexpr size_t kMostLooked = 100;

/// Null if the word is not a kind of axes.
std::optional<Axis::Kind> axis_kind(const std::string& key) {
  for (const auto& [word, kind] : kAxisWords) {
    if (word == key) return kind;
  }
  return std::nullopt;
}

bool has_input(const StageSpec& stage, const std::string& slot, const Schema& schema) {
  const PluginSchema* job = schema.find("job", stage.job);
  return job && !job->options.find(slot) && job->facts.as<JobFacts>().inputs.contains(slot);
}

/// Adds one input: {SLOT: STAGE}, or {SLOT: {file: DIR}}, which may have `waits_for: TEXT`.
void read_need(StageSpec& stage, const Yaml::Entry& entry, Problems& problems) {
  Need need{entry.key, "", "", entry.value.where};
  const Yaml* file = entry.value.find("file");
  const Yaml* waits_for = entry.value.find("waits_for");
  if (entry.value.is_scalar() && !entry.value.scalar.empty()) {
    need.stage = entry.value.scalar;
  } else if (file && file->is_scalar() && (!waits_for || waits_for->is_scalar()) &&
             entry.value.entries.size() == (waits_for ? 2 : 1)) {
    need.imported = file->scalar;
    if (waits_for) need.waits_for = waits_for->scalar;
  } else {
    problems.add(
        entry.value.where, "invalid-value",
        fmt::format("'{}' needs the name of a stage, or {{file: DIR}} for imported weights",
                    entry.key));
    stage.flawed = true;
    return;
  }
  stage.needs.push_back(std::move(need));
}

void read_needs(StageSpec& stage, const Yaml& given, const Schema& schema, Problems& problems) {
  if (!given.is_map()) {
    const PluginSchema* job = schema.find("job", stage.job);
    const auto inputs =
        job ? job->facts.as<JobFacts>().inputs : std::map<std::string, std::string>();
    problems.add(given.where, "invalid-value",
                 fmt::format("'needs' must say which input takes which stage: {{{}: {}}}",
                             inputs.empty() ? "INPUT" : inputs.begin()->first,
                             given.is_scalar() ? given.scalar : "STAGE"));
    stage.flawed = true;
    return;
  }
  for (const Yaml::Entry& entry : given.entries) read_need(stage, entry, problems);
}

/// Replaces the stage's conditions on its axes.
void read_when(StageSpec& stage, const Yaml& given, Problems& problems) {
  if (!given.is_map()) {
    problems.add(given.where, "invalid-value",
                 "'when' must be a map: {AXIS: [{OTHER_AXIS: VALUE}]}");
    return;
  }
  stage.when.clear();
  for (const Yaml::Entry& entry : given.entries) {
    stage.when.emplace(entry.key, Conditions(entry.value, problems));
    stage.when_where[entry.key] = entry.where;
  }
}

/// Reads the job's name; without a name, adds a problem at the key that was probably meant.
void read_job(StageSpec& stage, const Yaml& given, const Schema& schema, Problems& problems) {
  const Yaml* job = given.find("job");
  if (job && job->is_scalar()) {
    stage.job = job->scalar;
    stage.job_where = job->where;
    return;
  }
  std::string missing = fmt::format("stage '{}' needs 'job: NAME'; known: {}", stage.name,
                                    joined(schema.names("job")));
  Position place = job ? job->where : stage.where;
  for (const Yaml::Entry& entry : given.entries) {
    const std::string hint = job ? "" : did_you_mean(entry.key, {"job", "use"});
    if (hint.empty()) continue;
    place = entry.where;
    missing = fmt::format("unknown key '{}'{}; {}", entry.key, hint, missing);
    break;
  }
  problems.add(place, "missing-key", missing);
}

/// The axes of one kind. The stage records that they had mistakes, or that even their names are
/// unknown.
std::vector<Axis> read_axes_of(StageSpec& stage, Axis::Kind kind, const Yaml& given,
                               Problems& problems) {
  const size_t before = problems.added();
  std::vector<Axis> axes = read_axes(kind, given, problems);
  stage.has_unread_axes = stage.has_unread_axes || axes.empty();
  stage.flawed = stage.flawed || problems.added() > before;
  return axes;
}

void report_fixed_axis(const Leaf& fixed, const Leaf& axis, Problems& problems) {
  if (fixed.path.size() >= axis.path.size()) {
    problems.add(
        axis.where, "duplicate-axis",
        fmt::format("'{}' is on this axis and is also fixed, in line {}: delete '{}: {}' there "
                    "to keep the axis, or the axis to keep the fixed value",
                    axis.path, fixed.where.line, fixed.key, text_of(*fixed.value)));
  } else if (!fixed.value->is_map()) {  // an empty map fixes nothing
    problems.add(fixed.value->where, "conflicting-values",
                 fmt::format("'{}': got '{}', expected a map of options such as {{preset: NAME}}, "
                             "in which an axis sets '{}'",
                             fixed.path, text_of(*fixed.value), axis.path));
  }
}

/// Whether `path` leads into an entry of the list `fixed`, which the axis then changes.
bool is_in_list(const std::string& path, const Leaf& fixed) {
  if (!fixed.value->is_list() || !path.starts_with(fixed.path + ".")) return false;
  const std::string rest = path.substr(fixed.path.size() + 1);
  const auto index = list_index(rest.substr(0, rest.find('.')));
  return index && *index < fixed.value->items.size();
}

/// If a key is both fixed and an axis, one of the two would be lost silently.
void report_fixed_axes(const StageSpec& stage, Problems& problems) {
  const std::vector<Leaf> fixed = leaves_of(stage.options);
  std::set<std::string> said;
  for (const Axis& axis : stage.axes) {
    for (const AxisPoint& point : axis.points) {
      for (const Leaf& leaf : leaves_of(point.overlay)) {
        const auto both = std::find_if(fixed.begin(), fixed.end(), [&](const Leaf& one) {
          return overlap(one.path, leaf.path) && !is_in_list(leaf.path, one);
        });
        if (both == fixed.end()) continue;
        const bool is_above = both->path.size() < leaf.path.size();
        if (said.insert(is_above ? both->path : leaf.path).second)
          report_fixed_axis(*both, leaf, problems);
      }
    }
  }
}

/// Treats an unknown key as one of the planner's own words if it is similar.
bool is_misspelt(const StageSpec& stage, const Yaml::Entry& entry, const Schema& schema,
                 Problems& problems) {
  const PluginSchema* job = schema.find("job", stage.job);
  const std::string first = entry.key.substr(0, entry.key.find('.'));
  const bool is_option = !job || first == "preset" || job->options.find(first) ||
                         !did_you_mean(first, job->options.names()).empty();
  const std::string meant = is_option ? "" : did_you_mean(first, stage_words());
  if (!meant.empty())
    problems.add(entry.where, "unknown-key", fmt::format("unknown key '{}'{}", entry.key, meant));
  return !meant.empty();
}

void report_shared_keys(const StageSpec& stage, Problems& problems) {
  std::map<std::string, const Axis*> seen;
  for (const Axis& axis : stage.axes) {
    for (const std::string& name : axis.names) {
      if (seen.emplace(name, &axis).second) continue;
      problems.add(axis.where, "duplicate-axis",
                   fmt::format("'{}' is on two axes of stage '{}'", name, stage.name));
    }
  }
}

}  // namespace

Axis* StageSpec::axis_named(const std::string& axis) {
  const auto found =
      std::find_if(axes.begin(), axes.end(), [&](const Axis& one) { return one.has_name(axis); });
  return found == axes.end() ? nullptr : &*found;
}

std::vector<std::string> StageSpec::axis_names() const {
  std::vector<std::string> all;
  for (const Axis& axis : axes) all.insert(all.end(), axis.names.begin(), axis.names.end());
  return all;
}

const Need* StageSpec::need_of(const std::string& slot) const {
  const auto found = std::ranges::find(needs, slot, &Need::slot);
  return found == needs.end() ? nullptr : &*found;
}

Position StageSpec::place_of(const std::string& option,
                             const std::map<std::string, std::string>& labels) const {
  std::vector<const Yaml*> layers = {&overrides};
  for (const Axis& axis : axes) {
    for (const AxisPoint& point : axis.points) {
      const bool is_it =
          std::includes(labels.begin(), labels.end(), point.labels.begin(), point.labels.end());
      if (is_it) layers.insert(layers.begin() + 1, &point.overlay);
    }
  }
  layers.push_back(&options);
  for (const Yaml* layer : layers) {
    if (const Yaml* value = at_path(*layer, option)) return value->where;
  }
  const size_t dot = option.rfind('.');
  return dot == std::string::npos ? where : place_of(option.substr(0, dot), labels);
}

std::vector<int64_t> read_seeds(const Yaml& given, Problems& problems) {
  Field list, element;
  element.type = FieldType::integer;
  element.minimum = 0;
  list.type = FieldType::list;
  list.fields = {element}, list.not_empty = true;
  if (given.is_scalar() && given.scalar.find("..") != std::string::npos) {
    problems.add(given.where, "invalid-value",
                 fmt::format("'seeds': got '{}', expected a list such as [0, 1, 2]; "
                             "a range is for --seeds, on the command line",
                             given.scalar));
    return {};
  }
  if (!given.is_list() || given.items.empty()) check_value(given, list, {}, "seeds", problems);
  if (given.items.size() > kMostSeeds) {
    problems.add(
        given.where, "too-many",
        fmt::format("'seeds': got {} seeds, expected at most {}", given.items.size(), kMostSeeds));
    return {};
  }
  std::vector<int64_t> seeds;
  std::set<int64_t> seen;
  for (size_t i = 0; i < given.items.size(); ++i) {
    Problems wrong;
    const Json seed = check_value(given.items[i], element, {}, fmt::format("seeds[{}]", i), wrong);
    problems.take(wrong);
    if (!wrong.empty()) continue;
    if (seen.insert(seed.get<int64_t>()).second)
      seeds.push_back(seed);
    else
      problems.add(given.items[i].where, "duplicate-value",
                   fmt::format("seed {} is given twice", seed.dump()));
  }
  return seeds;
}

StageSpec read_stage(const std::string& name, const Position& where, const Yaml& given,
                     const std::filesystem::path& file, const Schema& schema, Problems& problems) {
  StageSpec stage;
  stage.name = name;
  stage.where = where;
  stage.file = file;
  stage.overrides = stage.settings = empty_map(where);
  read_job(stage, given, schema, problems);
  Yaml options = empty_map(given.where);
  std::vector<std::pair<Axis::Kind, const Yaml*>> axes;
  for (const Yaml::Entry& entry : given.entries) {
    if (entry.key == "job") continue;
    if (entry.key == "seeds") {
      stage.seeds = read_seeds(entry.value, problems);
      stage.seeds_where = entry.where;
    } else if (entry.key == "needs") {
      read_needs(stage, entry.value, schema, problems);
    } else if (entry.key == "where") {
      stage.narrowing = Conditions(entry.value, problems);
    } else if (entry.key == "when") {
      read_when(stage, entry.value, problems);
    } else if (entry.key == "exclude") {
      stage.exclude = Conditions(entry.value, problems);
    } else if (is_setting(entry.key)) {
      stage.settings.entries.push_back(entry);
    } else if (const auto kind = axis_kind(entry.key)) {
      axes.emplace_back(*kind, &entry.value);
    } else if (has_input(stage, entry.key, schema)) {
      read_need(stage, entry, problems);
    } else if (options.entries.size() < kMostLooked &&
               is_misspelt(stage, entry, schema, problems)) {
      stage.flawed = stage.has_unread_axes = true;
    } else {
      options.entries.push_back(entry);
    }
  }
  std::sort(axes.begin(), axes.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  for (const auto& [kind, given_axes] : axes) {
    for (Axis& axis : read_axes_of(stage, kind, *given_axes, problems))
      stage.axes.push_back(std::move(axis));
  }
  stage.options = with_nested_keys(options, problems);
  report_shared_keys(stage, problems);
  report_fixed_axes(stage, problems);
  return stage;
}

// Changes of a stage by a profile or --set.

namespace {

/// The name of the key as an axis of the stage: an option may have another name (Field::written).
std::string name_on_axis(StageSpec& stage, const std::string& key, const Schema& schema) {
  const PluginSchema* job = schema.find("job", stage.job);
  if (!job || stage.axis_named(key)) return key;
  const std::string other = other_name_of(key, job->options.fields, schema);
  return stage.axis_named(other) ? other : key;
}

/// Puts {AXIS.LABEL: {KEY: VALUE}}, an overlay of an axis of cases that the stage has, among the axis's other overlays.
/// Returns whether the entry is one.
bool put_case(StageSpec& stage, const Yaml::Entry& entry, Problems& problems) {
  if (stage.axis_named(entry.key)) return false;
  for (Axis& axis : stage.axes) {
    if (axis.kind != Axis::Kind::cases || !entry.key.starts_with(axis.names[0] + ".")) continue;
    Yaml cases = empty_map(entry.where), axes = empty_map(entry.where);
    cases.entries.push_back({entry.key.substr(axis.names[0].size() + 1), entry.where, entry.value});
    axes.entries.push_back({axis.names[0], entry.where, cases});
    for (Axis& read : read_axes_of(stage, Axis::Kind::cases, axes, problems)) {
      for (AxisPoint& point : read.points) {
        const auto old = std::ranges::find(axis.points, point.labels, &AxisPoint::labels);
        if (old != axis.points.end()) {
          *old = std::move(point);
        } else {
          axis.points.push_back(std::move(point));
        }
      }
    }
    return true;
  }
  return false;
}

/// Replaces axes of the same name and keeps the order of kinds.
void put_axes(StageSpec& stage, Axis::Kind kind, Yaml given, const Schema& schema,
              Problems& problems) {
  if (given.is_null()) {
    std::erase_if(stage.axes, [&](const Axis& axis) { return axis.kind == kind; });
    return;
  }
  if (kind == Axis::Kind::cases && given.is_map()) {
    const bool has_entries = !given.entries.empty();
    std::erase_if(given.entries,
                  [&](const Yaml::Entry& entry) { return put_case(stage, entry, problems); });
    if (has_entries && given.entries.empty()) return;
  }
  for (Yaml::Entry& entry : given.entries) entry.key = name_on_axis(stage, entry.key, schema);
  for (Axis& axis : read_axes_of(stage, kind, given, problems)) {
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
}

/// The type of a plain word on the axis `name`: the type of the options of that name, if they
/// agree.
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

/// Keeps the points of `axis` whose labels are in `given`.
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
    problems.add(wanted.where, "unknown-value", [&] {
      return fmt::format("axis '{}' has no '{}'{}; there is: {}", name, text,
                         did_you_mean(text, labels), joined(labels));
    });
  }
  if (!kept.empty()) axis.points = std::move(kept);
}

void narrow_axes(StageSpec& stage, const Yaml& given, const Schema& schema, Problems& problems) {
  if (!given.is_map()) {
    problems.add(given.where, "invalid-value", "'only' must be a map: {AXIS: [LABEL, ...]}");
    return;
  }
  for (const Yaml::Entry& entry : given.entries) {
    const std::string key = name_on_axis(stage, entry.key, schema);
    if (Axis* axis = stage.axis_named(key)) {
      narrow_axis(stage, *axis, key, entry.value, schema, problems);
      continue;
    }
    problems.add(entry.where, "unknown-axis", [&] {
      const std::vector<std::string> names = stage.axis_names();
      return fmt::format("stage '{}' has no axis '{}'{}; axes: {}", stage.name, entry.key,
                         did_you_mean(entry.key, names), names.empty() ? "none" : joined(names));
    });
  }
}

/// One value at one dotted key. A list for a grid axis replaces the axis's values; any other value
/// fixes the key.
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
  const Yaml nested = with_nested_keys(one, problems);
  for (Leaf& leaf : leaves_of(nested)) {
    leaf.path = name_on_axis(stage, leaf.path, schema);
    override_leaf(stage, leaf, problems);
  }
}

/// {SLOT: STAGE} fills an input, {SLOT: null} leaves it empty; null empties all inputs.
void alter_needs(StageSpec& stage, const Yaml& given, Problems& problems) {
  if (given.is_null()) stage.needs.clear();
  for (const Yaml::Entry& entry : given.entries) {
    std::erase_if(stage.needs, [&](const Need& need) { return need.slot == entry.key; });
    if (!entry.value.is_null()) read_need(stage, entry, problems);
  }
  if (given.is_map() || given.is_null()) return;
  problems.add(given.where, "invalid-value",
               "'needs' must say which input takes which stage: {INPUT: STAGE}");
}

}  // namespace

void alter_stage(StageSpec& stage, const Yaml& overlay, const Schema& schema, Problems& problems) {
  for (const Yaml::Entry& entry : overlay.entries) {
    const size_t dot = entry.key.find('.');
    const std::string first = entry.key.substr(0, dot);
    Yaml value = entry.value;
    // "grid.optimizer.lr" and "resources.threads": a word of the planner, then a key of its map.
    const bool is_own =
        first == "only" || first == "needs" || is_setting(first) || axis_kind(first);
    if (is_own && dot != std::string::npos) {
      value = empty_map(entry.where);
      value.entries.push_back({entry.key.substr(dot + 1), entry.where, entry.value});
    }
    if (first == "job" || first == "use") {
      problems.add(entry.where, "fixed-key",
                   fmt::format("'{}' cannot be changed by a profile or --set", first));
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
      put_axes(stage, *kind, value, schema, problems);
    } else {
      stage.altered = true;
      override_options(stage, entry, schema, problems);
    }
  }
}

}  // namespace rethink
