#include "experiments/plan/expand/stage_points.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/json.h"
#include "experiments/plan/expand/initial_weights.h"
#include "experiments/plan/read/overlay.h"

namespace rethink {
namespace {

void add_ancestor(std::vector<PointId>& ancestors, PointId id) {
  const auto at = std::lower_bound(ancestors.begin(), ancestors.end(), id);
  if (at == ancestors.end() || *at != id) ancestors.insert(at, id);
}

/// The part of a needed point that a child sees.
Parents seen_from_child(const std::vector<ExpandedStage>& stages, size_t stage, size_t point) {
  const StagePoint& parent = stages[stage].points[point];
  Parents seen;
  seen.inherited = parent.inherited;
  for (const auto& [axis, label] : parent.own)
    seen.inherited[stages[stage].spec->name + "." + axis] = label;
  seen.ancestors = parent.ancestors;
  add_ancestor(seen.ancestors, {stage, point});
  seen.sources = {{point}};
  return seen;
}

/// An option of the point or, with a stage's name before it, of an ancestor.
std::optional<RecordedValue> option_at(const std::vector<ExpandedStage>& stages,
                                       const StagePoint& point, const std::string& key) {
  if (const Json* value = find_path(point.config, key)) return recorded_value(*value);
  const size_t dot = key.find('.');
  if (dot == std::string::npos) return std::nullopt;
  for (const PointId& id : point.ancestors) {
    if (stages[id.stage].spec->name != key.substr(0, dot)) continue;
    if (const Json* value =
            find_path(stages[id.stage].points[id.point].config, key.substr(dot + 1))) {
      return recorded_value(*value);
    }
  }
  return std::nullopt;
}

std::optional<RecordedValue> value_of_need(const std::vector<ExpandedStage>& stages, PointId id,
                                           const std::string& key) {
  const ExpandedStage& stage = stages[id.stage];
  const std::string prefix = stage.spec->name + ".";
  return value_at(stages, stage.points[id.point],
                  key.starts_with(prefix) ? key.substr(prefix.size()) : key);
}

/// For a need of single trials: one entry for each point.
std::vector<Parents> each_point(const std::vector<ExpandedStage>& stages, size_t stage) {
  std::vector<Parents> entries;
  for (size_t point = 0; point < stages[stage].points.size(); ++point) {
    entries.push_back(seen_from_child(stages, stage, point));
  }
  return entries;
}

Position place_of_over(const StageSpec& spec, const std::string& axis) {
  const Yaml* given = spec.overrides.find("over");
  if (!given) given = spec.options.find("over");
  if (!given) return spec.where;
  for (const Yaml& word : given->items) {
    if (word.scalar == axis) return word.where;
  }
  return given->where;
}

/// Whether the axis, a zip or a random axis, differs between points that are equal except for `over`.
bool can_choose_on(const Axis& axis, const std::vector<std::string>& over,
                   const std::string& prefix) {
  std::set<Labels> rest;
  for (const AxisPoint& point : axis.points) {
    Labels labels = point.labels;
    std::erase_if(labels, [&](const auto& label) {
      return std::find(over.begin(), over.end(), prefix + label.first) != over.end();
    });
    rest.insert(std::move(labels));
  }
  return axis.points.size() < 2 || rest.size() < axis.points.size();
}

/// Adds a problem for a key of `axis` in `over` that never differs alone: each of its values would
/// be the only candidate.
void report_half_named(const Axis& axis, const std::string& prefix, const ExpandedStage& child,
                       const std::vector<std::string>& over, Problems& problems) {
  std::vector<std::string> named, others, all = over;
  for (const std::string& key : axis.names) {
    const bool is_named = std::find(over.begin(), over.end(), prefix + key) != over.end();
    (is_named ? named : others).push_back(prefix + key);
  }
  if (named.empty() || others.empty() || can_choose_on(axis, over, prefix)) return;
  all.insert(all.end(), others.begin(), others.end());
  problems.add(place_of_over(*child.spec, named.front()), "incomplete-over",
               fmt::format("'{}' is {} with {}: name {} (over: [{}])", named.front(),
                           axis.kind == Axis::Kind::zip ? "zipped" : "drawn together",
                           joined(others), axis.names.size() == 2 ? "both" : "all", joined(all)));
}

void report_over(const std::vector<ExpandedStage>& stages, const ExpandedStage& parent,
                 const ExpandedStage& child, const std::vector<std::string>& over,
                 Problems& problems) {
  std::set<std::string> axes;
  for (const StagePoint& point : parent.points) {
    for (const Labels* labels : {&point.own, &point.inherited}) {
      for (const auto& [axis, label] : *labels) axes.insert(axis);
    }
  }
  const std::vector<std::string> known(axes.begin(), axes.end());
  const std::string there = known.empty() ? "none" : joined(known);
  const Yaml* given = child.spec->options.find("over");
  const bool is_list = !given || given->is_list() || given->is_null();  // else reported elsewhere
  if (over.empty() && is_list && child.job->options.find("over")) {
    problems.add(child.spec->place_of("over"), "missing-over",
                 fmt::format("stage '{}' has nothing to choose among: write over: [AXIS, ...], the "
                             "axes of stage '{}' to choose on; axes: {}",
                             child.spec->name, parent.spec->name, there));
  }
  if (parent.altered || parent.sample) return;  // a profile may have fixed the axis
  for (const std::string& axis : over) {
    if (axes.count(axis)) continue;
    problems.add(place_of_over(*child.spec, axis), "unknown-axis",
                 fmt::format("'over' names '{}', which is not an axis of stage '{}'{}; axes: {}",
                             axis, parent.spec->name, did_you_mean(axis, known), there));
  }
  if (parent.points.empty()) return;
  for (const Axis& axis : parent.spec->axes) report_half_named(axis, "", child, over, problems);
  for (const PointId& id : parent.points.front().ancestors) {
    const StageSpec& spec = *stages[id.stage].spec;
    for (const Axis& axis : spec.axes)
      report_half_named(axis, spec.name + ".", child, over, problems);
  }
}

/// For a need of all trials: one entry for each group of points that differ only in `over`.
std::vector<Parents> each_group(const std::vector<ExpandedStage>& stages, size_t stage,
                                ExpandedStage& child, const std::vector<std::string>& over) {
  std::map<std::pair<Labels, Labels>, size_t> group_of;
  std::vector<Parents> groups;
  for (size_t point = 0; point < stages[stage].points.size(); ++point) {
    Conditions& narrowing = child.spec->narrowing;
    const auto value_of = [&](const std::string& key) {
      return value_of_need(stages, {stage, point}, key);
    };
    if (!narrowing.empty() && !narrowing.hold(value_of)) continue;
    const StagePoint& parent = stages[stage].points[point];
    Labels own = parent.own, inherited = parent.inherited, chosen;
    for (const std::string& axis : over) {
      for (Labels* labels : {&own, &inherited}) {
        const auto found = labels->find(axis);
        if (found == labels->end()) continue;
        chosen[axis] = found->second;
        labels->erase(found);
      }
    }
    const auto [place, is_new] = group_of.emplace(std::make_pair(own, inherited), groups.size());
    if (is_new) {
      groups.push_back({});
      groups.back().own = own;
      groups.back().inherited = inherited;
      groups.back().ancestors = parent.ancestors;
      groups.back().sources = {{}};
    }
    Parents& group = groups[place->second];
    group.sources[0].push_back(point);
    group.candidates.push_back(chosen);
    // An ancestor of a group is an ancestor of all its candidates.
    std::erase_if(group.ancestors, [&](const PointId& id) {
      return !std::binary_search(parent.ancestors.begin(), parent.ancestors.end(), id);
    });
  }
  return groups;
}

std::set<size_t> stages_of(const std::vector<Parents>& entries) {
  std::set<size_t> found;
  for (const Parents& entry : entries) {
    for (const PointId& id : entry.ancestors) found.insert(id.stage);
  }
  return found;
}

/// The points of `entry` in the stages of `shared`.
std::vector<PointId> key_of(const Parents& entry, const std::set<size_t>& shared) {
  std::vector<PointId> key;
  for (const PointId& id : entry.ancestors) {
    if (shared.count(id.stage)) key.push_back(id);
  }
  return key;
}

/// All pairs that agree in every ancestor that both have.
std::vector<Parents> join(const std::vector<Parents>& left, const std::vector<Parents>& right) {
  std::set<size_t> shared;
  const std::set<size_t> left_stages = stages_of(left), right_stages = stages_of(right);
  std::set_intersection(left_stages.begin(), left_stages.end(), right_stages.begin(),
                        right_stages.end(), std::inserter(shared, shared.begin()));
  std::map<std::vector<PointId>, std::vector<const Parents*>> by_key;
  for (const Parents& entry : right) by_key[key_of(entry, shared)].push_back(&entry);
  std::vector<Parents> joined_entries;
  for (const Parents& first : left) {
    const auto partners = by_key.find(key_of(first, shared));
    if (partners == by_key.end()) continue;
    for (const Parents* second : partners->second) {
      Parents both = first;
      both.own.insert(second->own.begin(), second->own.end());
      both.inherited.insert(second->inherited.begin(), second->inherited.end());
      for (const PointId& id : second->ancestors) add_ancestor(both.ancestors, id);
      both.sources.insert(both.sources.end(), second->sources.begin(), second->sources.end());
      both.candidates.insert(both.candidates.end(), second->candidates.begin(),
                             second->candidates.end());
      joined_entries.push_back(std::move(both));
      if (joined_entries.size() > kMostPoints) return joined_entries;
    }
  }
  return joined_entries;
}

/// Keeps the combinations that `where` selects; a key may be an axis or option of any needed stage.
void narrow_parents(std::vector<Parents>& joined_entries, const std::vector<ExpandedStage>& stages,
                    ExpandedStage& child) {
  Conditions& narrowing = child.spec->narrowing;
  if (narrowing.empty()) return;
  std::erase_if(joined_entries, [&](const Parents& entry) {
    return !narrowing.hold([&](const std::string& key) -> std::optional<RecordedValue> {
      for (size_t i = 0; i < child.need_stages.size(); ++i) {
        if (child.need_stages[i] == kNoStage) continue;
        const PointId id{child.need_stages[i], entry.sources[i].front()};
        if (const auto value = value_of_need(stages, id, key)) return value;
      }
      return std::nullopt;
    });
  });
}

void report_narrowing(const std::vector<ExpandedStage>& stages, const ExpandedStage& child,
                      Problems& problems) {
  std::set<std::string> axes;
  for (const size_t stage : child.need_stages) {
    if (stage == kNoStage) continue;
    for (const Axis& axis : stages[stage].spec->axes)
      axes.insert(axis.names.begin(), axis.names.end());
  }
  child.spec->narrowing.report_unmet("where", {axes.begin(), axes.end()}, !child.altered, problems);
}

/// The outputs of `parent`; for a select, those of its candidates.
std::vector<std::string> outputs_of(const std::vector<ExpandedStage>& stages,
                                    const ExpandedStage& parent) {
  const std::vector<std::string>& outputs = parent.job_facts().outputs;
  if (outputs != std::vector<std::string>{"inputs"}) return outputs;
  const auto gathers = parent.gathers();
  if (!gathers) return {};
  return outputs_of(stages, stages[parent.need_stages[*gathers]]);
}

void check_kind(const std::vector<ExpandedStage>& stages, const ExpandedStage& child,
                const Need& need, const ExpandedStage& parent, Problems& problems) {
  const std::string wanted = child.input_kind(need.slot);
  const std::vector<std::string> there = outputs_of(stages, parent);
  if (wanted == "trials") return;
  if (std::find(there.begin(), there.end(), wanted) != there.end()) {
    if (wanted == "weights") report_other_weights(stages, *child.job, need, parent, problems);
    return;
  }
  problems.add(
      need.where, "wrong-need",
      fmt::format("'{}' takes {}, but stage '{}' (job {}) writes {}", need.slot, wanted, need.stage,
                  parent.job->name, there.empty() ? "nothing" : joined(there)));
}

}  // namespace

size_t index_of(const std::vector<ExpandedStage>& stages, const std::string& name) {
  for (size_t i = 0; i < stages.size(); ++i) {
    if (stages[i].spec->name == name) return i;
  }
  return kNoStage;
}

const ExpandedStage& stage_behind_selects(const std::vector<ExpandedStage>& stages,
                                          const ExpandedStage& stage) {
  const auto slot = stage.gathers();
  const size_t source = slot ? stage.need_stages[*slot] : kNoStage;
  return source == kNoStage ? stage : stage_behind_selects(stages, stages[source]);
}

void resolve_needs(const std::vector<ExpandedStage>& stages, ExpandedStage& child,
                   Problems& problems) {
  const std::map<std::string, std::string>& inputs = child.job_facts().inputs;
  std::vector<std::string> slots;
  for (const auto& [slot, kind] : inputs) slots.push_back(slot);
  bool all_known = true;  // else the missing input may be one that was meant
  for (const Need& need : child.spec->needs) {
    const size_t parent = index_of(stages, need.stage);
    child.need_stages.push_back(parent);
    if (!inputs.contains(need.slot)) {
      all_known = false;
      problems.add(
          need.where, "unknown-input",
          fmt::format("job '{}' has no input '{}'{}; inputs: {}", child.job->name, need.slot,
                      did_you_mean(need.slot, slots), slots.empty() ? "none" : joined(slots)));
    } else if (need.stage.empty() && inputs.at(need.slot) != "weights") {
      problems.add(need.where, "wrong-need",
                   fmt::format("'{}' takes {}, but {{file: DIR}} gives weights: name a stage",
                               need.slot, inputs.at(need.slot)));
    } else if (parent != kNoStage) {
      child.altered = child.altered || stages[parent].altered;
      child.behind.insert(stages[parent].behind.begin(), stages[parent].behind.end());
      child.behind.insert(parent);
      check_kind(stages, child, need, stages[parent], problems);
    }
  }
  if (child.behind.size() > kMostStagesBehind) {
    problems.refuse(
        child.spec->where, "too-many",
        fmt::format(
            "stage '{}' has more than {} stages before it, which it needs directly or indirectly",
            child.spec->name, kMostStagesBehind));
  }
  for (const auto& [slot, kind] : inputs) {
    const bool is_required =
        kind == "trials" || std::ranges::count(child.job_facts().required, slot) > 0;
    if (!is_required || child.spec->need_of(slot) || !all_known) continue;
    const std::string file =
        kind == "weights" ? fmt::format(", or {{{}: {{file: DIR}}}}", slot) : "";
    problems.add(child.spec->where, "missing-need",
                 fmt::format("stage '{}' needs {}: write needs: {{{}: STAGE}}{}", child.spec->name,
                             kind, slot, file));
  }
}

std::vector<Parents> join_parents(const std::vector<ExpandedStage>& stages, ExpandedStage& child,
                                  const std::vector<std::string>& over, Problems& problems) {
  std::vector<Parents> entries(1);
  const auto gathering = child.gathers();
  for (size_t i = 0; i < child.need_stages.size(); ++i) {
    const size_t stage = child.need_stages[i];
    if (stage == kNoStage) {
      for (Parents& entry : entries) entry.sources.emplace_back();
    } else if (gathering == i) {
      report_over(stages, stages[stage], child, over, problems);
      entries = join(entries, each_group(stages, stage, child, over));
    } else {
      entries = join(entries, each_point(stages, stage));
    }
  }
  if (!gathering) narrow_parents(entries, stages, child);
  if (!child.sample) report_narrowing(stages, child, problems);
  return entries;
}

std::optional<size_t> ExpandedStage::gathers() const {
  for (size_t i = 0; i < spec->needs.size(); ++i) {
    if (input_kind(spec->needs[i].slot) == "trials") return i;
  }
  return std::nullopt;
}

const JobFacts& ExpandedStage::job_facts() const {
  return job->facts.as<JobFacts>();
}

std::string ExpandedStage::input_kind(const std::string& slot) const {
  return job_facts().input_kind(slot);
}

std::optional<RecordedValue> value_at(const std::vector<ExpandedStage>& stages,
                                      const StagePoint& point, const std::string& key) {
  const std::optional<RecordedValue> option = option_at(stages, point, key);
  for (const Labels* labels : {&point.own, &point.inherited}) {
    if (const auto label = labels->find(key); label != labels->end())
      return typed_label(label->second, option);
  }
  return option;
}

}  // namespace rethink
