#include "experiments/plan/expand/stage_axes.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "core/config/check.h"
#include "core/config/option_names.h"
#include "core/config/schema.h"
#include "core/facts/job_facts.h"
#include "core/json.h"
#include "core/yaml/written_values.h"
#include "experiments/plan/expand/initial_weights.h"
#include "experiments/plan/expand/program_inputs.h"
#include "experiments/plan/expand/stage_points.h"
#include "experiments/plan/read/overlay.h"
#include "experiments/plan/read/written_path.h"

namespace rethink {
namespace {

/// The conditions under which `axis` applies; null if it always applies.
Conditions* conditions_of(StageSpec& stage, const Axis& axis) {
  for (const std::string& name : axis.names) {
    const auto found = stage.when.find(name);
    if (found != stage.when.end()) return &found->second;
  }
  return nullptr;
}

/// The axes, each after the axes on which it depends by `when`.
std::vector<const Axis*> ordered_axes(StageSpec& stage, Problems& problems) {
  std::vector<const Axis*> order, waiting;
  for (const Axis& axis : stage.axes) waiting.push_back(&axis);
  while (!waiting.empty()) {
    const auto is_ready = [&](const Axis* axis) {
      const Conditions* when = conditions_of(stage, *axis);
      if (!when) return true;
      const std::vector<std::string> keys = when->keys();
      return std::none_of(keys.begin(), keys.end(), [&](const std::string& key) {
        return std::any_of(waiting.begin(), waiting.end(),
                           [&](const Axis* other) { return other->has_name(key); });
      });
    };
    const auto next = std::find_if(waiting.begin(), waiting.end(), is_ready);
    if (next == waiting.end()) {
      problems.add(stage.where, "circle",
                   fmt::format("'when' of stage '{}' is circular: no axis can be decided first",
                               stage.name));
      return {};
    }
    order.push_back(*next);
    waiting.erase(next);
  }
  return order;
}

size_t text_in(const Json& value) {
  if (value.is_string()) return value.get_ref<const std::string&>().size();
  size_t bytes = 0;
  if (value.is_structured()) {
    for (const Json& inner : value) bytes += text_in(inner);
  }
  return bytes;
}

/// Bytes of text in each trial of the point.
size_t text_in(const StagePoint& point) {
  size_t bytes = text_in(point.config);
  for (const Labels* labels : {&point.own, &point.inherited}) {
    for (const auto& [axis, label] : *labels) bytes += label.size();
  }
  return bytes;
}

/// Completes the configurations of one stage's points.
class Expander {
 public:
  Expander(const std::vector<ExpandedStage>& stages, ExpandedStage& child, const Schema& schema,
           Presets& presets, WrittenPaths& paths, Problems& problems)
      : stages_(stages),
        child_(child),
        schema_(schema),
        presets_(presets),
        paths_(paths),
        problems_(problems),
        block_(child.job->options),
        axes_(ordered_axes(*child.spec, problems)) {
    if (!child.sample) return;
    for (const Axis* axis : axes_) {
      LabelSet labels;
      for (const AxisPoint& point : axis->points)
        labels.insert(point.labels.begin(), point.labels.end());
      for (const auto& [name, label] : labels) axis_of_[name] = unseen_.size();
      unseen_.push_back(labels.size());
    }
  }

  void expand(const Parents& parents) {
    inherited_ = model_of_parents(parents);
    expand_from(0, parents, child_.spec->options);
  }

  bool has_too_many() const { return visited_ > kMostPoints; }
  bool has_too_much_text() const { return text_bytes_ > kMostText; }

  std::vector<std::string> names() const {
    std::set<std::string> all;
    for (const Axis& axis : child_.spec->axes) all.insert(axis.names.begin(), axis.names.end());
    for (const StagePoint& point : child_.points) {
      for (const auto& [axis, label] : point.inherited) all.insert(axis);
    }
    return {all.begin(), all.end()};
  }

 private:
  void expand_from(size_t index, const StagePoint& point, const Yaml& given) {
    if (problems_.size() > Problems::kShown || has_too_many() || has_too_much_text()) return;
    if (index == axes_.size()) {
      finish(point, given);
      return;
    }
    const Axis& axis = *axes_[index];
    Conditions* when = conditions_of(*child_.spec, axis);
    if (when && !holds(*when, point, given)) {
      expand_from(index + 1, point, given);
      return;
    }
    for (const AxisPoint& value : axis.points) {
      if (child_.sample && !can_show_more(index, point)) return;
      Yaml with_value = given;
      lay_over(with_value, value.overlay, block_, schema_, Lower::given);
      StagePoint labelled = point;
      for (const auto& [name, label] : value.labels) labelled.own[name] = label;
      expand_from(index + 1, labelled, with_value);
    }
  }

  /// If a condition names an option that no axis sets, the configuration so far has its value, and
  /// decides whether a label that looks like a number is one.
  bool holds(Conditions& conditions, const StagePoint& point, const Yaml& given) {
    StagePoint so_far = point;
    bool is_complete = !point.config.is_null();
    return conditions.hold([&](const std::string& key) {
      const auto value = value_at(stages_, so_far, key);
      const bool needs_type = value && value->type == ValueType::label && is_decimal(value->text);
      if ((value && !needs_type) || is_complete) return value;
      Problems ignored;  // the finished point reports them
      is_complete = true;
      so_far.config = complete(given, ignored);
      return value_at(stages_, so_far, key);
    });
  }

  void finish(const StagePoint& point, const Yaml& given) {
    ++visited_;
    if (child_.sample && !has_new_label(point)) return;
    StagePoint finished = point;
    Problems found;
    finished.config = complete(given, found);
    finished.own_draws = seed_options(finished.config, child_.job->options, schema_);
    report_drawn_axes(finished, found);
    if (is_excluded(point, finished, given, found.empty())) return;
    problems_.take(found);
    if (child_.sample) remember_labels(point);
    text_bytes_ += text_in(finished) * std::max<size_t>(1, child_.seeds.size());
    child_.points.push_back(std::move(finished));
  }

  void remember_labels(const StagePoint& point) {
    seen_.insert(point.inherited.begin(), point.inherited.end());
    for (const auto& label : point.own) {
      // Missing for a select, which has its candidates' axes.
      const auto axis = axis_of_.find(label.first);
      if (seen_.insert(label).second && axis != axis_of_.end()) --unseen_[axis->second];
    }
  }

  /// Whether the sample lacks a label of `point`, or of an axis that is not decided yet.
  bool can_show_more(size_t first_axis, const StagePoint& point) const {
    for (size_t i = first_axis; i < unseen_.size(); ++i) {
      if (unseen_[i] > 0) return true;
    }
    return has_new_label(point);
  }

  /// A point with mistakes may have unintended values beside its labels. So only the labels decide
  /// whether it is excluded, together with its mistakes.
  bool is_excluded(const StagePoint& point, const StagePoint& finished, const Yaml& given,
                   bool is_sound) {
    Conditions& exclude = child_.spec->exclude;
    if (exclude.empty()) return false;
    if (is_sound) return holds(exclude, finished, given);
    return exclude.hold([&](const std::string& key) { return value_at(stages_, point, key); });
  }

  bool has_new_label(const StagePoint& point) const {
    if (child_.points.empty()) return true;
    for (const Labels* labels : {&point.own, &point.inherited}) {
      for (const auto& label : *labels) {
        if (!seen_.count(label)) return true;
      }
    }
    return false;
  }

  Json complete(Yaml given, Problems& problems) {
    lay_over(given, child_.spec->overrides, block_, schema_, Lower::given);
    presets_.expand(given, child_.spec->job, block_, problems);
    if (child_.job_facts().runs_program) take_code_version(given);
    const Yaml* own = given.find(kInheritedOption);
    const Yaml own_model = own ? *own : empty_map(given.where);
    const bool can_inherit = own_model.is_map() || own_model.is_null();
    if (inherited_ && can_inherit) {
      Yaml model = *inherited_;
      const Field& field = *child_.job->options.find(kInheritedOption);
      lay_over(model, own_model, OptionBlock(field, own_model, model, schema_), schema_,
               Lower::preset);
      set_path(given, kInheritedOption, model, own_model.where);
    }
    Problems found;
    Json config = check_options(given, child_.job->options, schema_, "", found);
    if (inherited_ && found.empty()) report_unloadable(config, own_model, problems);
    const bool is_seeded = child_.job_facts().seeded;
    if (!is_seeded && found.empty()) report_no_seed(config, given, found);
    if (found.empty()) paths_.resolve(given, *child_.job, config);
    if (found.empty() && child_.job_facts().runs_program) choose_score(given, config);
    problems.take(found);
    return config;
  }

  void report_no_seed(const Json& config, const Yaml& given, Problems& problems) {
    for (const SeedOption& option : seed_options(config, child_.job->options, schema_)) {
      const Yaml* word = at_place(given, option.place);
      problems.add(word ? word->where : child_.spec->where, "conflicting-values",
                   fmt::format("'{}' is {}, but job '{}' has no seed of its own; write a number",
                               option.name, kSeedWord, child_.job->name));
    }
  }

  /// Reports an axis of draws: a label is equal for all seeds of a point, so it could not tell
  /// which draw a trial has.
  void report_drawn_axes(const StagePoint& point, Problems& problems) {
    for (const SeedOption& option : point.own_draws) {
      if (!point.own.count(option.name)) continue;
      problems.add(
          child_.spec->place_of(option.name, point.own), "conflicting-values",
          fmt::format("'{0}': {1} cannot be a value of an axis; write '{0}: {1}' in the stage or "
                      "in a case, or list the draws",
                      option.name, kSeedWord));
    }
  }

  /// The configuration of the model from whose weights the child begins. Requires that the
  /// candidates of a select, which choose later, have one.
  const Json* model_of(size_t stage, size_t point) {
    const ExpandedStage& parent = stages_[stage];
    const StagePoint& source = parent.points[point];
    if (source.config.contains(kInheritedOption)) return &source.config.at(kInheritedOption);
    const auto gathers = parent.gathers();
    if (!gathers) return nullptr;
    const Json* common = nullptr;
    for (const size_t candidate : source.sources[*gathers]) {
      const Json* model = model_of(parent.need_stages[*gathers], candidate);
      if (common && model && *model != *common) {
        problems_.add(
            child_.spec->where, "wrong-weights",
            fmt::format(
                "the candidates of '{}' have different models, so stage '{}' cannot begin with the "
                "winner's weights; select over other axes",
                parent.spec->name, child_.spec->name));
        return nullptr;
      }
      common = model;
    }
    return common;
  }

  /// The model from whose weights the child begins, of a parent or imported; null without weights.
  Json model_in_slot(const Parents& parents) {
    size_t i = 0;
    const std::vector<Need>& needs = child_.spec->needs;
    while (i < needs.size() && needs[i].slot != kInheritedSlot) ++i;
    if (i == needs.size()) return nullptr;
    inherited_where_ = needs[i].where;
    if (needs[i].stage.empty()) return imported_model(needs[i], problems_);
    const Json* model = model_of(child_.need_stages[i], parents.sources[i].front());
    return model ? *model : Json();
  }

  std::optional<Yaml> model_of_parents(const Parents& parents) {
    const Field* field = child_.job->options.find(kInheritedOption);
    if (field) inherited_model_ = model_in_slot(parents);
    if (inherited_model_.is_null()) return std::nullopt;
    Yaml inherited = yaml_of(inherited_model_, inherited_where_);
    const OptionBlock block(*field, inherited, inherited, schema_);
    std::erase_if(inherited.entries, [&](const Yaml::Entry& entry) {
      return entry.key != field->tag && !block.find(entry.key);
    });
    return inherited;
  }

  /// Whether a model with a smaller value uses the first part of the weights: of the layers, if the
  /// job has the fact "loads_first".
  bool takes_first(const std::string& option, const Json& now, const Json& then) const {
    return now < then && std::ranges::count(child_.job_facts().loads_first, option) > 0;
  }

  /// Options that determine the weights must have the values of the training.
  void report_unloadable(const Json& config, const Yaml& own_model, Problems& problems) {
    const Field& field = *child_.job->options.find(kInheritedOption);
    const Json& model = config.at(kInheritedOption);
    for (const std::string& option : unlike_shapes(field, model, inherited_model_, schema_)) {
      const Json &now = *find_path(model, option), &then = *find_path(inherited_model_, option);
      if (takes_first(option, now, then)) continue;
      const Yaml* given = at_path(own_model, option);
      problems.add(
          given ? given->where : own_model.where, "conflicting-values",
          fmt::format("'model.{}' is {} here, but the weights in '{}' were trained with {}; they "
                      "could not be loaded: remove this line",
                      option, text_of(now), kInheritedSlot, text_of(then)));
    }
  }

  const std::vector<ExpandedStage>& stages_;
  ExpandedStage& child_;
  const Schema& schema_;
  Presets& presets_;
  WrittenPaths& paths_;
  Problems& problems_;
  const OptionBlock block_;
  const std::vector<const Axis*> axes_;
  std::optional<Yaml> inherited_;
  Json inherited_model_;
  Position inherited_where_;
  using LabelSet = std::set<std::pair<std::string, std::string>>;
  LabelSet seen_;  // labels of a sample's points
  // Axis of each of the sample's labels, as an index of axes_.
  std::map<std::string, size_t> axis_of_;
  std::vector<size_t> unseen_;  // labels of each axis that the sample still lacks
  size_t visited_ = 0;          // points so far, including excluded ones
  size_t text_bytes_ = 0;       // in the trials of the points so far
};

/// A whole number that is drawn from a continuous range would be a mistake in nearly every draw, so
/// this is reported once.
void report_fractions(const ExpandedStage& child, const Schema& schema, Problems& problems) {
  for (const Axis& axis : child.spec->axes) {
    for (const auto& [key, where] : axis.fractions) {
      const auto fields = options_called(key, child.job->options.fields, schema);
      const auto is_whole = [](const Field* field) { return field->type == FieldType::integer; };
      if (fields.empty() || !std::all_of(fields.begin(), fields.end(), is_whole)) continue;
      problems.add(
          where, "invalid-axis",
          fmt::format("'{}' is a whole number, which 'log' and 'uniform' do not draw: use "
                      "{{integer: [low, high]}}, or {{choice: [...]}} for values in ratio or in "
                      "steps",
                      key));
    }
  }
}

bool is_option(const std::string& key, const SweepSpec& sweep, const Schema& schema) {
  return std::ranges::any_of(sweep.stages, [&](const StageSpec& stage) {
    const PluginSchema* job = schema.find("job", stage.job);
    return job && !options_called(key, job->options.fields, schema).empty();
  });
}

constexpr const char* kFewer = ", before 'exclude'; take fewer values or axes";

/// Whether the axes make more points than a stage may have; checked before any point is made. An
/// axis that depends on another by `when` counts as one value, since it may be left out everywhere.
bool report_too_many(const StageSpec& spec, size_t parents, Problems& problems) {
  double points = static_cast<double>(parents);
  std::string product = parents == 1 ? "" : std::to_string(parents);
  for (const Axis& axis : spec.axes) {
    const bool depends = std::ranges::any_of(
        axis.names, [&](const std::string& name) { return spec.when.count(name) > 0; });
    if (depends || axis.points.size() == 1) continue;
    points *= static_cast<double>(axis.points.size());
    product += fmt::format("{}{}", product.empty() ? "" : " x ", axis.points.size());
  }
  if (points <= static_cast<double>(kMostPoints)) return false;
  problems.add(spec.where, "too-many",
               fmt::format("stage '{}' makes {:.15g} points ({}), expected at most {}{}", spec.name,
                           points, product, kMostPoints, kFewer));
  return true;
}

void report_when_without_axis(const ExpandedStage& child, Problems& problems) {
  for (const auto& [name, conditions] : child.spec->when) {
    if (child.altered || child.spec->axis_named(name)) continue;
    const std::vector<std::string> known = child.spec->axis_names();
    problems.add(child.spec->when_where.at(name), "unknown-axis",
                 fmt::format("'when' names '{}', which is not an axis of stage '{}'{}; axes: {}",
                             name, child.spec->name, did_you_mean(name, known),
                             known.empty() ? "none" : joined(known)));
  }
}

bool is_or_is_below(const std::string& key, const std::string& option) {
  return key == option || key.starts_with(option + ".");
}

/// The job's options without one that depends on facts the stage cannot know.
OptionsSchema without(OptionsSchema options, const std::string& option) {
  std::erase_if(options.fields, [&](const Field& field) { return field.name == option; });
  std::erase_if(options.rules, [&](const Rule& rule) {
    const auto is_it = [&](const std::string& key) { return is_or_is_below(key, option); };
    return std::ranges::any_of(rule.fields, is_it) ||
           std::ranges::any_of(rule.when, is_it, [](const auto& one) { return one.first; });
  });
  return options;
}

/// Whether no point depends on others by `when` or `exclude`.
bool has_plain_axes(const StageSpec& spec) {
  if (!spec.exclude.empty() || (spec.flawed && !spec.axes.empty())) return false;
  return std::ranges::all_of(
      spec.when, [&](const auto& one) { return is_or_is_below(one.first, kInheritedOption); });
}

}  // namespace

void expand_axes(const std::vector<ExpandedStage>& stages, ExpandedStage& child,
                 const std::vector<Parents>& parents, const Schema& schema, Presets& presets,
                 WrittenPaths& paths, Problems& problems) {
  const size_t before = problems.added();
  report_fractions(child, schema, problems);
  if (problems.added() > before) return;
  report_when_without_axis(child, problems);
  if (report_too_many(*child.spec, parents.size(), problems)) return;
  Expander expander(stages, child, schema, presets, paths, problems);
  for (const Parents& entry : parents) expander.expand(entry);
  if (expander.has_too_many()) {
    problems.add(child.spec->where, "too-many",
                 fmt::format("stage '{}' makes more than {} points{}", child.spec->name,
                             kMostPoints, kFewer));
    return;
  }
  if (expander.has_too_much_text()) {
    problems.add(child.spec->where, "too-large",
                 fmt::format("the trials of stage '{}' hold more than {} MiB of text in their "
                             "options and labels; take fewer values or shorter texts",
                             child.spec->name, kMostText >> 20));
    return;
  }
  if (child.sample) return;  // other points may have what a sample lacks
  const std::vector<std::string> known = expander.names();
  const bool values_too = !child.altered && problems.added() == before;
  for (const auto& [name, conditions] : child.spec->when) {
    conditions.report_unmet("when", known, values_too, problems);
  }
  child.spec->exclude.report_unmet("exclude", known, values_too, problems);
  if (child.points.empty() && problems.added() == before) {
    problems.add(child.spec->where, "no-trials",
                 fmt::format("stage '{}' has no trials: every point is excluded or narrowed away",
                             child.spec->name));
  }
}

void report_without_parents(const SweepSpec& sweep, const StageSpec& spec, const PluginSchema& job,
                            const Schema& schema, Problems& problems) {
  if (spec.has_unread_axes) return;
  const std::vector<std::string> own = spec.axis_names();
  std::set<std::string> known = sweep.unread;
  for (const StageSpec& stage : sweep.stages) {
    known.insert(stage.name);
    for (const std::string& name : stage.axis_names()) known.insert(name);  // a select has these
  }
  const auto is_known = [&](const std::string& key) {
    const std::string first = key.substr(0, key.find('.'));
    return known.count(key) || known.count(first) || job.options.find(first);
  };
  for (const auto& [axis, conditions] : spec.when)
    conditions.report_unknown("when", is_known, own, problems);
  spec.exclude.report_unknown("exclude", is_known, own, problems);
  const OptionBlock block(job.options);
  Yaml given = spec.options;
  lay_over(given, spec.overrides, block, schema, Lower::given);
  const bool all_read = sweep.unread.empty() &&
                        std::none_of(sweep.stages.begin(), sweep.stages.end(),
                                     [](const StageSpec& one) { return one.has_unread_axes; });
  const Yaml* over = all_read ? given.find("over") : nullptr;
  for (const Yaml& axis : over ? over->items : std::vector<Yaml>{}) {
    if (is_known(axis.scalar)) continue;
    std::vector<std::string> names(known.begin(), known.end());
    const std::string meant = did_you_mean(axis.scalar, names);
    std::erase_if(names, [&](const auto& name) { return is_option(name, sweep, schema); });
    // If the name is an option but not an axis, the problem is reported at the axis.
    if (is_option(axis.scalar, sweep, schema) && !did_you_mean(axis.scalar, names).empty())
      continue;
    problems.add(axis.where, "unknown-axis",
                 fmt::format("'over' names '{}', which is not an axis{}", axis.scalar, meant));
  }
}

namespace {

/// Calls `look` for each value of each axis once, with its options and labels; other axes have their first value.
void each_own_point(
    const StageSpec& spec, const PluginSchema& job, const Schema& schema, Presets& presets,
    Problems& problems,
    const std::function<void(Yaml given, const std::map<std::string, std::string>& labels)>& look) {
  if (spec.has_unread_axes || !has_plain_axes(spec)) return;
  const OptionBlock block(job.options);
  std::vector<const Axis*> axes;
  for (const Axis& axis : spec.axes) {
    const bool depends =
        std::ranges::any_of(axis.names, [&](const auto& name) { return spec.when.count(name); });
    if (!depends && !axis.points.empty()) axes.push_back(&axis);
  }
  const auto at = [&](const Axis* varied, const AxisPoint* value) {
    Yaml given = spec.options;
    std::map<std::string, std::string> labels;
    for (const Axis* axis : axes) {
      const AxisPoint& point = axis == varied ? *value : axis->points.front();
      lay_over(given, point.overlay, block, schema, Lower::given);
      labels.insert(point.labels.begin(), point.labels.end());
    }
    lay_over(given, spec.overrides, block, schema, Lower::given);
    presets.expand(given, spec.job, block, problems);
    look(std::move(given), labels);
  };
  if (axes.empty()) at(nullptr, nullptr);
  for (const Axis* axis : axes) {
    for (const AxisPoint& point : axis->points) at(axis, &point);
  }
}

}  // namespace

void check_own_options(const StageSpec& spec, const PluginSchema& job, const Schema& schema,
                       Presets& presets, Problems& problems) {
  const bool inherits =
      std::ranges::any_of(spec.needs, [](const Need& need) { return need.slot == kInheritedSlot; });
  const OptionsSchema options = inherits ? without(job.options, kInheritedOption) : job.options;
  each_own_point(spec, job, schema, presets, problems, [&](Yaml given, const auto& /*labels*/) {
    if (inherits) erase_path(given, kInheritedOption);
    check_options(given, options, schema, "", problems);
  });
}

std::vector<NamedData> data_named_in(const StageSpec& spec, const PluginSchema& job,
                                     const Schema& schema, Presets& presets, WrittenPaths& paths) {
  OptionsSchema options;
  for (const Field& field : job.options.fields) {
    if (field.registry == kDatasetRegistry) options.fields.push_back(field);
  }
  std::vector<NamedData> all;
  if (options.fields.empty()) return all;  // a user's program reads its own files
  Problems said;  // reported by check_own_options, or when the stage was expanded
  each_own_point(spec, job, schema, presets, said, [&](const Yaml& given, const auto& labels) {
    Json config = Json::object();
    Problems found;
    for (const Field& field : options.fields) {
      const Yaml* const chosen = given.find(field.name);
      if (!chosen) return;
      config[field.name] = check_value(*chosen, field, schema, field.name, found);
    }
    if (!found.empty()) return;
    paths.resolve(given, job, config);
    all.push_back({&spec, labels, options, std::move(config)});
  });
  return all;
}

}  // namespace rethink
