#include "experiments/plan/expand/plan_notes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <functional>
#include <map>
#include <set>

#include "core/add_once.h"
#include "core/config/configuration.h"
#include "core/config/schema.h"
#include "core/facts/attention_facts.h"
#include "core/facts/dataset_facts.h"
#include "core/json.h"
#include "core/message.h"
#include "experiments/plan/expand/initial_weights.h"
#include "experiments/plan/expand/plugin_inputs.h"
#include "experiments/plan/read/overlay.h"

namespace rethink {
namespace {

/// The model of the weights that a point leaves; null if it leaves none.
const Json* model_left_by(const std::vector<ExpandedStage>& stages, PointId point) {
  const PointId source = point_of_weights(stages, point);
  return find_path(stages[source.stage].points[source.point].config, kInheritedOption);
}

/// "masked (mask star)": the plug-in and the plug-ins in its own options.
std::string text_of_choice(const Json& value, const Field& field, const Schema& schema) {
  const std::string name = value.at(field.tag);
  const PluginSchema* plugin = schema.find(field.registry, name);
  if (!plugin) return name;  // imported weights may name a plug-in that no longer exists
  std::vector<std::string> inner;
  for (const Field& option : plugin->options.fields) {
    const Json chosen = value.value(option.name, Json());
    if (option.type != FieldType::plugin || !chosen.contains(option.tag)) continue;
    inner.push_back(option.name + " " + chosen.at(option.tag).get<std::string>());
    for (const Field& beside : option.fields) {
      if (chosen.value(beside.name, beside.default_value) != beside.default_value)
        inner.back() += fmt::format(", {} {}", beside.name, text_of(chosen.at(beside.name)));
    }
  }
  return inner.empty() ? name : fmt::format("{} ({})", name, joined(inner));
}

/// A setting of the weights' training that one line of the sweep changes.
struct ModelChange {
  std::string key;
  Position where;
  std::string now;
  std::vector<std::string> before = {};  // each once
  size_t points = 0;
};

constexpr size_t kMaxNamesShown = 3;

bool is_same(const Position& a, const Position& b) {
  return a.file == b.file && a.line == b.line && a.column == b.column;
}

/// Calls `look` for every point of a stage that begins from weights, with the model of the weights.
void for_each_inherited(const std::vector<ExpandedStage>& stages, const ExpandedStage& stage,
                        const std::function<void(const StagePoint&, const Json& then)>& look) {
  const auto& needs = stage.spec->needs;
  for (size_t slot = 0; slot < needs.size(); ++slot) {
    if (needs[slot].slot != kInheritedSlot) continue;
    Problems known;  // problems of the folder were reported when the stage was expanded
    const Json imported = needs[slot].stage.empty() ? imported_model(needs[slot], known) : Json();
    for (const StagePoint& point : stage.points) {
      const Json* then =
          needs[slot].stage.empty()
              ? &imported
              : model_left_by(stages, {stage.need_stages[slot], point.sources[slot].front()});
      if (then && then->is_object()) look(point, *then);
    }
  }
}

/// For a stage that begins from weights: differences between its model and the model that was
/// trained.
class WeightsNotes {
 public:
  WeightsNotes(const std::vector<ExpandedStage>& stages, const ExpandedStage& stage,
               const Schema& schema)
      : stages_(stages), stage_(stage), schema_(schema) {}

  std::vector<Note> notes() {
    const Field* model = stage_.job->options.find(kInheritedOption);
    if (!model) return {};
    for_each_inherited(stages_, stage_, [&](const StagePoint& point, const Json& then) {
      add_changes(point, *model, then);
      add_layers(point, then);
    });
    std::vector<Note> notes;
    for (const ModelChange& change : changes_) notes.push_back(note_of(change));
    for (const auto& [all, some] : layers_) {
      notes.push_back(
          Note("fewer-layers",
               fmt::format("stage '{}' takes the first {} of the {} layers of its weights",
                           stage_.spec->name, fmt::join(some, ", "), all),
               layers_where_));
    }
    return notes;
  }

 private:
  Note note_of(const ModelChange& change) const {
    const bool all = change.points == stage_.points.size();
    const std::string of =
        all ? "" : fmt::format(" of {} of its {} points", change.points, stage_.points.size());
    return Note(
        "changed-model",
        fmt::format(
            "stage '{}' continues with '{}' {}, but the weights in '{}'{} were trained with "
            "{}; remove '{}' from the stage to keep the old value",
            stage_.spec->name, change.key, change.now, kInheritedSlot, of,
            first_names(change.before, kMaxNamesShown), change.key),
        change.where);
  }

  void add_changes(const StagePoint& point, const Field& model, const Json& then) {
    const Json& now = point.config.at(kInheritedOption);
    if (!now.is_object()) return;
    for (const Field& field : model.fields) {
      if (field.type != FieldType::plugin || !field.shapes) continue;
      if (!then.value(field.name, Json()).contains(field.tag) || !now.contains(field.name))
        continue;
      add_change(point, field, now.at(field.name), then.at(field.name));
    }
  }

  void add_change(const StagePoint& point, const Field& field, const Json& now, const Json& then) {
    if (now == then) return;
    const std::string before = text_of_choice(then, field, schema_);
    const std::string after = text_of_choice(now, field, schema_);
    const bool was_usual = then.at(field.tag) == field.default_value.value(field.tag, "");
    if (before == after || was_usual || reads_an_input(now.at(field.tag), field)) return;
    const std::string key = fmt::format("{}.{}", kInheritedOption, field.name);
    const std::string named = now.at(field.tag) == then.at(field.tag) ? key : key + "." + field.tag;
    const Position where = stage_.spec->place_of(named, point.own);
    const auto same =
        std::find_if(changes_.begin(), changes_.end(), [&](const ModelChange& change) {
          return is_same(change.where, where) && change.now == after;
        });
    ModelChange& change =
        same == changes_.end() ? changes_.emplace_back(ModelChange{key, where, after}) : *same;
    add_once(change.before, before);
    ++change.points;
  }

  void add_layers(const StagePoint& point, const Json& then) {
    const std::string key = std::string(kInheritedOption) + ".layers";
    const Json* now = find_path(point.config, key);
    if (!now || !then.contains("layers") || *now >= then.at("layers")) return;
    layers_[then.at("layers")].insert(now->get<int64_t>());
    layers_where_ = stage_.spec->place_of(key, point.own);
  }

  bool reads_an_input(const std::string& name, const Field& field) const {
    const PluginSchema& plugin = *schema_.find(field.registry, name);
    return !inputs_read(plugin).empty();
  }

  const std::vector<ExpandedStage>& stages_;
  const ExpandedStage& stage_;
  const Schema& schema_;
  std::vector<ModelChange> changes_;
  // Layers that are taken, by the number of layers of the weights.
  std::map<int64_t, std::set<int64_t>> layers_;
  Position layers_where_;
};

/// "model.attention": paths of options whose plug-in must be causal according to a rule.
std::set<std::string> causal_places(const std::vector<Rule>& rules,
                                    const std::vector<Field>& fields, const std::string& path) {
  std::set<std::string> found;
  for (const Rule& rule : rules) {
    if (rule.kind != RuleKind::suits || rule.exception != "causal") continue;
    const std::string& named = rule.fields.front();
    found.insert(path + named.substr(0, named.rfind('.')));
  }
  for (const Field& field : fields)
    found.merge(causal_places(field.rules, field.fields, path + field.name + "."));
  return found;
}

constexpr const char* kProgramSettings = "config";

std::string without_digits(std::string name) {
  std::erase_if(name, [](unsigned char letter) { return std::isdigit(letter) != 0; });
  return name;
}

/// An option that asks for more examples than the data set has.
struct ExcessiveCount {
  std::string option;
  Position where;
  int64_t asked = 0;
  std::vector<std::string> sets = {};  // "glue/rte has 2490"
};

}  // namespace

std::vector<Note> notes_on_weights(const std::vector<ExpandedStage>& stages,
                                   const ExpandedStage& stage, const Schema& schema) {
  return WeightsNotes(stages, stage, schema).notes();
}

std::vector<Note> notes_on_examples(const ExpandedStage& stage, const Schema& schema) {
  std::vector<ExcessiveCount> all;
  for (const StagePoint& point : stage.points) {
    for (const ChosenPlugin& chosen : plugins_chosen(point.config, stage.job->options, schema)) {
      const auto* facts = chosen.plugin->facts.get_if<DatasetFacts>();
      if (!facts) continue;
      for (const auto& [split, count] : facts->examples) {
        const std::string option = fmt::format("{}.{}_examples", chosen.path, split);
        const Json* asked = find_path(point.config, option);
        if (!asked || !asked->is_number_integer() || *asked <= count) continue;
        const ExcessiveCount one{option, stage.spec->place_of(option, point.own), *asked};
        const auto same = std::find_if(all.begin(), all.end(), [&](const ExcessiveCount& other) {
          return other.option == option && other.asked == one.asked &&
                 is_same(other.where, one.where);
        });
        add_once((same == all.end() ? all.emplace_back(one) : *same).sets,
                 fmt::format("{} has {}", chosen.plugin->name, count));
      }
    }
  }
  std::vector<Note> notes;
  for (const ExcessiveCount& one : all) {
    notes.push_back(Note("too-many-examples",
                         fmt::format("'{}' is {}, but {}: all of them are used", one.option,
                                     one.asked, joined(one.sets)),
                         one.where));
  }
  return notes;
}

std::vector<Note> notes_on_memory(const ExpandedStage& stage, const Schema& schema) {
  std::vector<Note> notes;
  for (const StagePoint& point : stage.points) {
    const Json* protocol = find_path(point.config, "data.protocol");
    if (!point.config.contains("data") || (protocol && *protocol == "stream")) continue;
    for (const ChosenPlugin& chosen : plugins_chosen(point.config, stage.job->options, schema)) {
      const auto* facts = chosen.plugin->facts.get_if<AttentionFacts>();
      if (!facts) continue;
      for (const std::string& name : facts->segment_memory) {
        const std::string option = chosen.path + "." + name;
        const Json& kept = chosen.options->at(name);
        if (kept.is_null() || kept == 0) continue;
        if (kept == chosen.plugin->options.find(name)->default_value) continue;
        add_once(notes, Note("unused-memory",
                             fmt::format("'{}' is {}, but has no effect: memory needs the "
                                         "consecutive segments of a stream (data.protocol: stream)",
                                         option, kept.dump()),
                             stage.spec->place_of(option, point.own)));
      }
    }
  }
  return notes;
}

std::vector<Note> notes_on_leaks(const ExpandedStage& stage, const Schema& schema) {
  const std::set<std::string> causal =
      causal_places(stage.job->options.rules, stage.job->options.fields, "");
  std::vector<Note> notes;
  for (const StagePoint& point : stage.points) {
    for (const ChosenPlugin& chosen : plugins_chosen(point.config, stage.job->options, schema)) {
      if (!causal.contains(chosen.path)) continue;
      const auto* facts = chosen.plugin->facts.get_if<AttentionFacts>();
      if (!facts) continue;
      for (const auto& [name, values] : facts->looks_ahead) {
        const std::string value = chosen.options->at(name), option = chosen.path + "." + name;
        if (!values.contains(value)) continue;
        add_once(notes, Note("decoder-leak",
                             fmt::format("'{}' is {}, which in a decoder leaks the tokens to be "
                                         "predicted: {}; losses and perplexities are meaningless",
                                         option, value, values.at(value)),
                             stage.spec->place_of(option, point.own)));
      }
    }
  }
  return notes;
}

std::vector<Note> notes_on_used_seeds(const ExpandedStage& stage) {
  const StageSpec& spec = *stage.spec;
  if (spec.used_seeds.empty() || spec.seeds || spec.used_seeds == stage.seeds) return {};
  const auto listed = [](const std::vector<int64_t>& seeds) {
    constexpr size_t kSeedsShown = 10;
    const auto end = seeds.begin() + static_cast<ptrdiff_t>(std::min(seeds.size(), kSeedsShown));
    return fmt::format("{}{}", fmt::join(seeds.begin(), end, ", "),
                       end == seeds.end() ? "" : ", ...");
  };
  return {Note("unused-seeds",
               fmt::format("stage '{}' runs with the seeds of this sweep, [{}], not with those of "
                           "{}, [{}]: to use the latter, write 'seeds' beside 'use'",
                           spec.name, listed(stage.seeds), spec.used_file.filename().string(),
                           listed(spec.used_seeds)),
               spec.where)};
}

std::vector<Note> notes_on_program_settings(const ExpandedStage& stage) {
  const Yaml* fixed = stage.spec->options.find(kProgramSettings);
  if (!stage.job_facts().runs_program || !fixed || !fixed->is_map()) return {};
  std::vector<Note> notes;
  for (const StagePoint& point : stage.points) {
    for (const auto& [name, value] : point.config.at(kProgramSettings).items()) {
      if (fixed->find(name)) continue;
      std::vector<std::string> others;
      for (const Yaml::Entry& entry : fixed->entries) {
        if (without_digits(entry.key) != without_digits(name)) others.push_back(entry.key);
      }
      const std::string meant = did_you_mean(name, others);
      const std::string key = fmt::format("{}.{}", kProgramSettings, name);
      if (!meant.empty())
        add_once(notes, Note("similar-setting",
                             fmt::format("'{}' is a setting beside those of '{}'{}", key,
                                         kProgramSettings, meant),
                             stage.spec->place_of(key, point.own)));
    }
  }
  return notes;
}

std::vector<Note> notes_on_draws(const StageSpec& spec) {
  std::vector<Note> notes;
  for (const Axis& axis : spec.axes) {
    if (axis.repeats == 0) continue;
    notes.push_back(
        Note("repeated-draws",
             fmt::format("{} random draws of stage '{}' gave {} different points; a draw that "
                         "repeats an earlier one is left out",
                         axis.points.size() + axis.repeats, spec.name, axis.points.size()),
             axis.where));
  }
  return notes;
}

}  // namespace rethink
