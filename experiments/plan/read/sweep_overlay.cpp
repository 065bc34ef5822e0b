#include "experiments/plan/read/sweep_overlay.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <string_view>

#include "core/config/option_names.h"
#include "core/config/schema.h"
#include "experiments/plan/read/overlay.h"
#include "experiments/plan/read/stage_resources.h"

namespace rethink {
namespace {

bool takes_option(const StageSpec& stage, const std::string& dotted, const Schema& schema) {
  const PluginSchema* job = schema.find("job", stage.job);
  const std::string first = dotted.substr(0, dotted.find('.'));
  return job && (first == "preset" || job->options.find(first));
}

/// Whether the stage has an axis of that name, or of the option's other name in files.
bool has_axis(StageSpec& stage, const std::string& dotted, const Schema& schema) {
  if (stage.axis_named(dotted)) return true;
  const PluginSchema* job = schema.find("job", stage.job);
  return job && stage.axis_named(other_name_of(dotted, job->options.fields, schema));
}

/// Whether an option of that name takes a list, for any choice of plug-ins.
bool takes_list(const StageSpec& stage, const std::string& dotted, const Schema& schema) {
  const PluginSchema* job = schema.find("job", stage.job);
  return job &&
         std::ranges::any_of(options_called(dotted, job->options.fields, schema),
                             [](const Field* field) { return field->type == FieldType::list; });
}

/// "no stage has an option or axis 'lr'; did you mean 'optimizer.lr'?; known: ...". The name is
/// compared with options at every depth; the outermost ones are listed as known.
std::string unknown_setting(SweepSpec& sweep, const std::string& key, const Schema& schema) {
  std::set<std::string> known;
  std::vector<std::string> all;
  std::string meant;
  for (const StageSpec& stage : sweep.stages) {
    for (const std::string& axis : stage.axis_names()) known.insert(axis);
    if (key.starts_with(stage.name + ".")) meant = "; did you mean 'stages." + key + "'?";
    const PluginSchema* job = schema.find("job", stage.job);
    if (!job) continue;
    for (const std::string& name : job->options.names()) known.insert(name);
    for (const std::string& name : option_names(job->options.fields, schema)) all.push_back(name);
  }
  all.insert(all.begin(), known.begin(), known.end());
  return fmt::format("no stage has an option or axis '{}'{}; known: {}", key,
                     meant.empty() ? did_you_mean(key, all) : meant,
                     joined({known.begin(), known.end()}));
}

constexpr std::string_view kStages = "stages.";

/// Splits "pretrain.model.layers" into the stage's name and the rest.
std::pair<std::string, std::string> split_stage(const std::string& dotted) {
  const size_t dot = dotted.find('.');
  return {dotted.substr(0, dot), dot == std::string::npos ? "" : dotted.substr(dot + 1)};
}

class SweepOverlay {
 public:
  SweepOverlay(SweepSpec& sweep, const Schema& schema, const std::set<std::string>& left_alone,
               Problems& problems)
      : sweep_(sweep), schema_(schema), left_alone_(left_alone), problems_(problems) {}

  void apply(const PlanChoices& choices) {
    for (StageSpec& stage : sweep_.stages)
      stage.own_seeds = stage.seeds.value_or(sweep_.seeds).size();
    for (const std::string& setting : choices.settings) apply(setting, choices.of_several);
    if (!choices.seeds) return;
    const auto sets_seeds = [](const std::string& setting) {
      return setting.starts_with("seeds=");
    };
    if (std::ranges::any_of(choices.settings, sets_seeds))
      problems_.add({"--seeds"}, "duplicate-key",
                    "seeds are given twice: by --seeds and by --set seeds=");
    sweep_.seeds = *choices.seeds;
    std::vector<int64_t> sorted = sweep_.seeds;
    std::sort(sorted.begin(), sorted.end());
    const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
    if (twice == sorted.end()) return;
    problems_.add({"--seeds"}, "duplicate-value", fmt::format("seed {} is given twice", *twice));
    sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
    sweep_.seeds = std::move(sorted);
  }

  void apply_profile(const Yaml& profile) {
    for (const Yaml::Entry& entry : profile.entries) {
      if (entry.key == "seeds") {
        sweep_.set_seeds(entry.value, problems_);
      } else if (is_setting(split_stage(entry.key).first)) {
        put_setting(sweep_.settings, entry.key, entry.value, entry.where);
      } else if (entry.key == "stages") {
        for (const Yaml::Entry& inner : entry.value.entries) apply_to_stage(inner.key, inner);
      } else if (entry.key.starts_with(kStages)) {
        apply_to_stage(entry.key.substr(kStages.size()), entry);
      } else {
        const std::vector<std::string> known = {"seeds", "stages", "resources",
                                                "retry", "limits", "keep"};
        problems_.add(entry.where, "unknown-key", [&] {
          return fmt::format(
              "unknown key '{}' in a profile{}; options of a stage are below "
              "stages.NAME; known: {}",
              entry.key, did_you_mean(entry.key, known), joined(known));
        });
      }
    }
  }

 private:
  /// `dotted` is "STAGE" with a map of changes or with null, which leaves the stage out; or
  /// "STAGE.KEY" with a value.
  void apply_to_stage(const std::string& dotted, const Yaml::Entry& entry) {
    const auto [name, rest] = split_stage(dotted);
    StageSpec* stage = sweep_.find(name);
    if (!stage && sweep_.unread.count(name)) return;
    if (!stage) {
      problems_.add(entry.where, "unknown-stage", [&, stage_name = name] {
        std::vector<std::string> names;
        for (const StageSpec& one : sweep_.stages) names.push_back(one.name);
        return fmt::format("unknown stage '{}'{}; stages: {}", stage_name,
                           did_you_mean(stage_name, names), joined(names));
      });
      return;
    }
    stage->origin = sweep_.origin_of(name);
    if (!rest.empty()) {
      Yaml overlay = empty_map(entry.where);
      overlay.entries.push_back({rest, entry.where, entry.value});
      alter_stage(*stage, overlay, schema_, problems_);
    } else if (entry.value.is_map()) {
      alter_stage(*stage, entry.value, schema_, problems_);
    } else if (entry.value.is_null()) {
      stage->left_out = true;
    } else {
      problems_.add(
          entry.value.where, "invalid-value",
          fmt::format("stage '{}' needs a map of changes, or null, which leaves it out", name));
    }
  }

  /// With several sweeps, a setting that this sweep cannot take may be for another sweep, such as a
  /// case that its axis lacks. A setting that no sweep can take is refused with each sweep's
  /// reason.
  void apply(const std::string& setting, bool of_several) {
    if (!of_several) {
      apply_setting(setting);
      return;
    }
    SweepSpec tried = sweep_;
    Problems found;
    SweepOverlay(tried, schema_, left_alone_, found).apply_setting(setting);
    if (found.empty())
      sweep_ = std::move(tried);
    else
      sweep_.of_others.push_back(setting);
  }

  void apply_setting(const std::string& setting) {
    const size_t equals = setting.find('=');
    const Position where{"--set " + setting};
    if (equals == std::string::npos || equals == 0) {
      problems_.add(where, "invalid-setting", "expected --set KEY=VALUE");
      return;
    }
    if (equals + 1 == setting.size()) {
      problems_.add(where, "invalid-setting",
                    fmt::format("has no value; write --set \"{0}''\" for the empty text, or "
                                "{0}null to unset the key",
                                setting));
      return;
    }
    const std::string key = setting.substr(0, equals);
    if (std::ranges::count(key, '.') >= kMostKeyParts) {
      problems_.add(where, "too-many", fmt::format("a key of more than {} parts", kMostKeyParts));
      return;
    }
    Yaml::Entry entry{key, where,
                      parse_yaml_of_flag(setting.substr(equals + 1), where.file, problems_)};
    if (key == "seeds") {
      sweep_.set_seeds(entry.value, problems_);
    } else if (is_setting(split_stage(key).first)) {
      put_setting(sweep_.settings, key, entry.value, where);
      for (StageSpec& stage : sweep_.stages) erase_path(stage.settings, key);  // over every layer
    } else if (key.starts_with(kStages)) {
      apply_to_stage(key.substr(kStages.size()), entry);
    } else {
      apply_everywhere(entry, setting);
    }
  }

  /// A --set without a stage applies to every stage with such an axis or option. A list of values
  /// applies to axes, if there is one of that name. Whether a stage has the option is known only
  /// when the stage is expanded, since its model decides: stages without it are in `left_alone` the
  /// next time.
  void apply_everywhere(const Yaml::Entry& entry, const std::string& setting) {
    std::vector<StageSpec*> takers;
    for (StageSpec& stage : sweep_.stages) {
      if (takes_option(stage, entry.key, schema_) || stage.axis_named(entry.key))
        takers.push_back(&stage);
    }
    const auto is_axis = [&](StageSpec* stage) { return has_axis(*stage, entry.key, schema_); };
    const bool lists_values = entry.value.is_list() && std::ranges::any_of(takers, is_axis);
    for (StageSpec* stage : takers) {
      Yaml overlay = empty_map(entry.where);
      overlay.entries.push_back(entry);
      Yaml::Entry& own = overlay.entries.back();
      if (takers.size() > 1) own.where.file += fmt::format(" (stages.{}.{})", stage->name, own.key);
      const bool passed_over =
          lists_values && !is_axis(stage) && !takes_list(*stage, entry.key, schema_);
      sweep_.spread.push_back({setting, stage->name, own.where.file, passed_over});
      if (passed_over || left_alone_.contains(own.where.file)) continue;
      own.value.where = own.where;
      alter_stage(*stage, overlay, schema_, problems_);
    }
    if (takers.empty())
      problems_.add(entry.where, "unknown-key",
                    [&] { return unknown_setting(sweep_, entry.key, schema_); });
  }

  SweepSpec& sweep_;
  const Schema& schema_;
  const std::set<std::string> left_alone_;
  Problems& problems_;
};

/// Joins the stages of a file, of the files that it uses, and their profiles.
class UsedStages {
 public:
  UsedStages(const std::string& profile, const Schema& schema, Problems& problems)
      : profile_(profile), schema_(schema), problems_(problems) {}

  /// Returns the sweep of a file with its profile, which a used file may lack.
  SweepSpec join(const WrittenSweep& written) {
    SweepSpec sweep = written.top;
    for (const WrittenStage& stage : written.stages) {
      refuse_more_stages(sweep.stages.size(), stage.where, problems_);
      if (stage.used) {
        use(written, stage, sweep);
        if (!sweep.find(stage.name)) sweep.unread.insert(stage.name);
      } else if (sweep.find(stage.name)) {
        problems_.add(stage.where, "invalid-use",
                      fmt::format("a used stage needs its own '{}'; use that stage too: "
                                  "{{use: FILE#{}}}",
                                  stage.name, stage.name));
      } else {
        sweep.stages.push_back(stage.own);
      }
    }
    const auto profile = std::ranges::find(written.overlays, profile_, &Yaml::Entry::key);
    if (profile != written.overlays.end())
      SweepOverlay(sweep, schema_, {}, problems_).apply_profile(profile->value);
    return sweep;
  }

 private:
  /// The changes without keys that would change the kind of the used stage.
  Yaml changes_of(const Yaml& given) {
    Yaml changes = given;
    for (const Yaml::Entry& entry : given.entries) {
      if (entry.key != "job" && entry.key != "needs") continue;
      problems_.add(entry.where, "misplaced-key",
                    fmt::format("'{0}' beside 'use': the used stage has its own; remove '{0}', or "
                                "write the whole stage instead of 'use'",
                                entry.key));
    }
    std::erase_if(changes.entries, [](const Yaml::Entry& one) {
      return one.key == "use" || one.key == "job" || one.key == "needs";
    });
    return changes;
  }

  /// Adds the used stage and the stages that it needs; other keys beside `use` change it.
  void use(const WrittenSweep& written, const WrittenStage& stage, SweepSpec& sweep) {
    SweepSpec other = join(*stage.used);
    StageSpec* const used = other.find(stage.used_stage);
    if (!used) {
      std::vector<std::string> there;
      for (const StageSpec& one : other.stages) there.push_back(one.name);
      problems_.add(
          stage.use_where, "unknown-stage",
          fmt::format("{} has no stage '{}'{}; stages: {}", other.file.string(), stage.used_stage,
                      did_you_mean(stage.used_stage, there), joined(there)));
      return;
    }
    const Yaml changes = changes_of(stage.beside_use);
    alter_stage(*used, changes, schema_, problems_);
    if (!changes.entries.empty()) used->origin = sweep.origin_of(stage.name);
    // If the sweep lists seeds, these count.
    if (!written.lists_seeds) {
      used->used_file = other.file;
      used->used_seeds = other.seeds;
    }
    take(sweep, other, stage.used_stage, stage.name, stage.where);
  }

  /// Whether two stages have the same text and the same needs, down to `depth`: circular needs,
  /// which are reported later, have no end.
  static bool is_same(SweepSpec& sweep, const StageSpec& there, SweepSpec& other,
                      const StageSpec& stage, size_t depth) {
    if (there.origin != stage.origin || there.needs.size() != stage.needs.size()) return false;
    for (size_t i = 0; depth > 0 && i < stage.needs.size(); ++i) {
      const StageSpec* its = sweep.find(there.needs[i].stage);
      const StageSpec* own = other.find(stage.needs[i].stage);
      if (!its != !own || (its && !is_same(sweep, *its, other, *own, depth - 1))) return false;
    }
    return true;
  }

  /// Moves `name` of `other` with its needs into `sweep` as `as`. Stages that are already there are
  /// not moved again, since two used sweeps may both use a third.
  std::string take(SweepSpec& sweep, SweepSpec& other, const std::string& name,
                   const std::string& as, const Position& where) {
    StageSpec stage = *other.find(name);
    for (const StageSpec& there : sweep.stages) {
      if (as.empty() && is_same(sweep, there, other, stage, other.stages.size())) return there.name;
    }
    const auto open = taking_.find(stage.origin);
    if (as.empty() && open != taking_.end()) return open->second;  // in a circle
    const std::string new_name = as.empty() ? name : as;
    if (sweep.find(new_name)) {
      problems_.add(
          where, "invalid-use",
          fmt::format("stage '{}' is there already; take it before this one: {{use: FILE#{}}}",
                      new_name, name));
      return new_name;
    }
    taking_[stage.origin] = new_name;
    for (Need& need : stage.needs) {
      if (!need.stage.empty() && other.find(need.stage))
        need.stage = take(sweep, other, need.stage, "", where);
    }
    taking_.erase(stage.origin);
    stage.name = new_name;
    stage.where = where;
    sweep.stages.push_back(std::move(stage));
    return new_name;
  }

  const std::string& profile_;
  const Schema& schema_;
  Problems& problems_;
  std::map<std::string, std::string> taking_;  // origin: name in the using sweep
};

void require_profile(const WrittenSweep& written, const std::string& profile) {
  const std::vector<std::string>& names = written.top.profiles;
  if (profile.empty() || std::ranges::find(names, profile) != names.end()) return;
  Problems problems;  // problems of profiles that are not chosen
  problems.add({written.top.file.string()}, "unknown-profile",
               fmt::format("no profile '{}'{}; profiles: {}", profile, did_you_mean(profile, names),
                           names.empty() ? "none" : joined(names)));
  try {
    problems.throw_if_any();
  } catch (const ConfigError& error) {
    throw UnknownProfile(error.code(), error.what());
  }
}

}  // namespace

void put_setting(Yaml& settings, const std::string& dotted, const Yaml& value,
                 const Position& where) {
  if (value.is_map()) {
    for (const Yaml::Entry& inner : value.entries)
      put_setting(settings, dotted + "." + inner.key, inner.value, inner.where);
  } else {
    set_path(settings, dotted, value, where);
  }
}

SweepSpec overlay_sweep(const WrittenSweep& written, const PlanChoices& choices,
                        const Schema& schema, const std::set<std::string>& left_alone,
                        Problems& problems) {
  require_profile(written, choices.profile);
  SweepSpec sweep = UsedStages(choices.profile, schema, problems).join(written);
  SweepOverlay(sweep, schema, left_alone, problems).apply(choices);
  return sweep;
}

}  // namespace rethink
