#include "experiments/plan/read/sweep_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "core/config/option_names.h"
#include "core/config/schema.h"
#include "core/system/named_file.h"
#include "core/system/piped_input.h"
#include "experiments/plan/read/misplaced_keys.h"
#include "experiments/plan/read/overlay.h"
#include "experiments/plan/read/stage_resources.h"

namespace rethink {
namespace {

/// "no stage has an option or axis 'lr'; did you mean 'optimizer.lr'?; known: ...". Compared with
/// options at every depth; known are the outermost.
std::string unknown_setting(const SweepSpec& sweep, const std::string& key, const Schema& schema) {
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

bool is_plain_name(const std::string& name, const std::string& also) {
  return !name.empty() && name.size() <= kLongestName &&
         std::all_of(name.begin(), name.end(), [&](unsigned char c) {
           return std::isalnum(c) || c == '_' || c == '-' ||
                  also.find(static_cast<char>(c)) != std::string::npos;
         });
}

void put_setting(Yaml& settings, const std::string& dotted, const Yaml& value,
                 const Position& where) {
  if (value.is_map()) {
    for (const Yaml::Entry& inner : value.entries)
      put_setting(settings, dotted + "." + inner.key, inner.value, inner.where);
  } else {
    set_path(settings, dotted, value, where);
  }
}

/// Parts "pretrain.model.layers" into the stage's name and the rest.
std::pair<std::string, std::string> split_stage(const std::string& dotted) {
  const size_t dot = dotted.find('.');
  return {dotted.substr(0, dot), dot == std::string::npos ? "" : dotted.substr(dot + 1)};
}

/// Reads one file and, for `use`, others.
class SweepReader {
 public:
  SweepReader(const PlanChoices& choices, const Schema& schema, SweepTexts& texts,
              Problems& problems)
      : choices_(choices), schema_(schema), texts_(texts), problems_(problems) {}

  SweepSpec read(const std::filesystem::path& file) {
    const std::filesystem::path canonical = std::filesystem::weakly_canonical(file);
    reading_.push_back(canonical);
    if (++files_ > kMostFiles)
      problems_.refuse({file.string()}, fmt::format("'use' reads more than {} files", kMostFiles));
    const Yaml& text = text_of(file);
    SweepSpec sweep;
    sweep.file = file;
    sweep.settings = empty_map({file.string()});
    read_top(sweep, text);
    if (const Yaml* stages = text.find("stages")) read_stages(sweep, *stages);
    read_profiles(sweep, text.find("profiles"));
    reading_.pop_back();
    return sweep;
  }

  void apply_settings(SweepSpec& sweep) {
    for (const std::string& setting : choices_.settings) apply_setting(sweep, setting);
    if (!choices_.seeds) return;
    const auto sets_seeds = [](const std::string& setting) {
      return setting.starts_with("seeds=");
    };
    if (std::ranges::any_of(choices_.settings, sets_seeds))
      problems_.add({"--seeds"}, "seeds are given twice: by --seeds and by --set seeds=");
    sweep.seeds = *choices_.seeds;
    std::vector<int64_t> sorted = sweep.seeds;
    std::sort(sorted.begin(), sorted.end());
    const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
    if (twice == sorted.end()) return;
    problems_.add({"--seeds"}, fmt::format("seed {} is given twice", *twice));
    sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
    sweep.seeds = std::move(sorted);
  }

 private:
  const Yaml& text_of(const std::filesystem::path& file) {
    if (const auto found = texts_.find(file); found != texts_.end()) return found->second;
    Yaml text = keys_in_place(read_yaml(file, problems_), schema_, problems_);
    return texts_.emplace(file, std::move(text)).first->second;
  }

  void read_top(SweepSpec& sweep, const Yaml& text) {
    if (!text.is_map()) {
      problems_.add(text.where, "a sweep file is a map with 'sweep: NAME' and 'stages'");
      return;
    }
    const std::vector<std::string>& known = sweep_words();
    for (const Yaml::Entry& entry : text.entries) {
      if (std::find(known.begin(), known.end(), entry.key) != known.end()) continue;
      problems_.add(entry.where, [&] {
        return fmt::format("unknown key '{}'{}; known: {}", entry.key,
                           did_you_mean(entry.key, known), joined(known));
      });
    }
    const Yaml* name = text.find("sweep");
    if (!name || !name->is_scalar() || !is_plain_name(name->scalar, "/.")) {
      problems_.add(
          name ? name->where : text.where,
          fmt::format("a sweep needs a name of letters, digits and _-/., at most {}, such as "
                      "'sweep: bet/diag_discount'",
                      kLongestName));
    } else {
      sweep.name = name->scalar;
    }
    if (const Yaml* seeds = text.find("seeds")) set_seeds(sweep, *seeds);
    for (const Yaml::Entry& entry : text.entries) {
      if (is_setting(entry.key)) put_setting(sweep.settings, entry.key, entry.value, entry.where);
    }
    const Yaml* stages = text.find("stages");
    if (!stages || !stages->is_map() || stages->entries.empty()) {
      problems_.add(stages ? stages->where : text.where,
                    "a sweep needs 'stages', a map of at least one stage");
    }
  }

  void set_seeds(SweepSpec& sweep, const Yaml& given) {
    std::vector<int64_t> seeds = read_seeds(given, problems_);
    if (!seeds.empty()) sweep.seeds = std::move(seeds);
  }

  void read_stages(SweepSpec& sweep, const Yaml& stages) {
    for (const Yaml::Entry& entry : stages.entries) {
      if (sweep.stages.size() >= kMostStages)
        problems_.refuse(entry.where, fmt::format("more than {} stages", kMostStages));
      if (!is_plain_name(entry.key, "")) {
        problems_.add(
            entry.where,
            fmt::format("stage '{}': a name has letters, digits, _ and - only, at most {}",
                        entry.key, kLongestName));
      }
      if (!entry.value.is_map()) {
        problems_.add(entry.value.where,
                      fmt::format("stage '{}' must be a map with 'job: NAME'", entry.key));
        sweep.unread.insert(entry.key);
      } else if (entry.value.find("use")) {
        use_stage(sweep, entry);
        if (!sweep.find(entry.key)) sweep.unread.insert(entry.key);
      } else if (sweep.find(entry.key)) {
        problems_.add(entry.where,
                      fmt::format("a used stage brings its own '{}' along; take that one too: "
                                  "{{use: FILE#{}}}",
                                  entry.key, entry.key));
      } else {
        sweep.stages.push_back(
            read_stage(entry.key, entry.where, entry.value, sweep.file, schema_, problems_));
        sweep.stages.back().origin = origin_of(sweep, entry.key);
        count_values(sweep.stages.back());
      }
    }
  }

  void count_values(const StageSpec& stage) {
    values_ += num_values(stage.axes);
    if (values_ <= kMostPoints) return;
    problems_.refuse(stage.where,
                     fmt::format("{} values or more on the axes of the sweep's stages, expected "
                                 "at most {}",
                                 values_, kMostPoints));
  }

  /// Without what would change the kind of stage that is used.
  Yaml changes_of(const Yaml& given) {
    Yaml changes = given;
    for (const Yaml::Entry& entry : given.entries) {
      if (entry.key != "job" && entry.key != "needs") continue;
      problems_.add(entry.where,
                    fmt::format("'{0}' beside 'use': the stage that is used brings its own; "
                                "remove '{0}', or write the whole stage instead of 'use'",
                                entry.key));
    }
    std::erase_if(changes.entries, [](const Yaml::Entry& one) {
      return one.key == "use" || one.key == "job" || one.key == "needs";
    });
    return changes;
  }

  /// `use: FILE.yaml#stage`: that stage and those it needs; other keys beside `use` alter it.
  void use_stage(SweepSpec& sweep, const Yaml::Entry& entry) {
    const Yaml& use = *entry.value.find("use");
    const size_t hash = use.scalar.find('#');
    if (!use.is_scalar() || hash == std::string::npos || hash == 0 ||
        hash + 1 == use.scalar.size()) {
      problems_.add(use.where, "'use' needs FILE.yaml#stage");
      return;
    }
    const std::filesystem::path file = find_file(sweep.file, use.scalar.substr(0, hash));
    if (!is_file_there(file)) {
      problems_.add(use.where, fmt::format("'use': there is no file {}", file.string()));
      return;
    }
    const std::filesystem::path canonical = std::filesystem::weakly_canonical(file);
    if (std::find(reading_.begin(), reading_.end(), canonical) != reading_.end()) {
      problems_.add(use.where,
                    fmt::format("'use' goes in a circle: {} is being read already", file.string()));
      return;
    }
    SweepSpec other = read(file);
    const std::string name = use.scalar.substr(hash + 1);
    if (!other.find(name)) {
      std::vector<std::string> there;
      for (const StageSpec& stage : other.stages) there.push_back(stage.name);
      problems_.add(use.where, fmt::format("{} has no stage '{}'{}; stages: {}", file.string(),
                                           name, did_you_mean(name, there), joined(there)));
      return;
    }
    const Yaml changes = changes_of(entry.value);
    alter_stage(*other.find(name), changes, schema_, problems_);
    if (!changes.entries.empty()) other.find(name)->origin = origin_of(sweep, entry.key);
    take(sweep, other, name, entry.key, entry.where);
  }

  static std::string origin_of(const SweepSpec& sweep, const std::string& stage) {
    return std::filesystem::weakly_canonical(sweep.file).string() + "#" + stage;
  }

  /// Two stages with the same text, whose needs are the same too, down to `depth` of these: needs
  /// in a circle, which are reported later, have no end.
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

  /// Moves `name` of `other`, with what it needs, into `sweep` as `as`. What is needed and there
  /// already is not moved again: two sweeps that are used may both use a third.
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
          where,
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

  std::filesystem::path find_file(const std::filesystem::path& from,
                                  const std::string& name) const {
    const std::filesystem::path beside = folder_of_names_in(from) / name;
    if (is_there(beside)) return beside;
    for (const auto& path : choices_.paths) {
      for (const auto& folder : {path, path / "experiments" / "sweeps", path / "sweeps"}) {
        if (is_file_there(folder / name)) return folder / name;
      }
    }
    return beside;
  }

  void read_profiles(SweepSpec& sweep, const Yaml* profiles) {
    const bool is_used = reading_.size() > 1;  // a used sweep need not have the profile
    std::vector<std::string> names = profiles ? profiles->keys() : std::vector<std::string>{};
    const bool is_known = std::ranges::find(names, choices_.profile) != names.end();
    if (!choices_.profile.empty() && !is_used && !is_known) {
      Problems alone;  // others would be of a plan that nobody asked for
      alone.refuse({sweep.file.string()},
                   fmt::format("no profile '{}'{}; profiles: {}", choices_.profile,
                               did_you_mean(choices_.profile, names),
                               names.empty() ? "none" : joined(names)));
    }
    if (!profiles) return;
    if (!profiles->is_map() && !profiles->is_null()) {
      problems_.add(profiles->where,
                    "'profiles' must be a map of overlays: {NAME: {stages.STAGE: {...}}}");
      return;
    }
    if (profiles->entries.size() > kMostProfiles)
      problems_.refuse(profiles->where, fmt::format("{} profiles, expected at most {}",
                                                    profiles->entries.size(), kMostProfiles));
    for (const Yaml::Entry& entry : profiles->entries) {
      sweep.profiles.push_back(entry.key);
      if (!entry.value.is_map() && !entry.value.is_null()) {
        problems_.add(entry.value.where, fmt::format("profile '{}' must be a map", entry.key));
      } else if (entry.key == choices_.profile) {
        apply_profile(sweep, entry.value);
      }
    }
  }

  void apply_profile(SweepSpec& sweep, const Yaml& profile) {
    for (const Yaml::Entry& entry : profile.entries) {
      if (entry.key == "seeds") {
        set_seeds(sweep, entry.value);
      } else if (is_setting(split_stage(entry.key).first)) {
        put_setting(sweep.settings, entry.key, entry.value, entry.where);
      } else if (entry.key == "stages") {
        for (const Yaml::Entry& inner : entry.value.entries)
          apply_to_stage(sweep, inner.key, inner);
      } else if (entry.key.starts_with("stages.")) {
        apply_to_stage(sweep, entry.key.substr(7), entry);
      } else {
        const std::vector<std::string> known = {"seeds", "stages", "resources",
                                                "retry", "limits", "keep"};
        problems_.add(entry.where, [&] {
          return fmt::format(
              "unknown key '{}' in a profile{}; options of a stage stand below "
              "stages.NAME; known: {}",
              entry.key, did_you_mean(entry.key, known), joined(known));
        });
      }
    }
  }

  /// `dotted` is "STAGE" with a map of changes, or null, which leaves the stage out; or "STAGE.KEY"
  /// with a value.
  void apply_to_stage(SweepSpec& sweep, const std::string& dotted, const Yaml::Entry& entry) {
    const auto [name, rest] = split_stage(dotted);
    StageSpec* stage = sweep.find(name);
    if (!stage && sweep.unread.count(name)) return;
    if (!stage) {
      problems_.add(entry.where, [&, stage_name = name] {
        std::vector<std::string> names;
        for (const StageSpec& one : sweep.stages) names.push_back(one.name);
        return fmt::format("unknown stage '{}'{}; stages: {}", stage_name,
                           did_you_mean(stage_name, names), joined(names));
      });
      return;
    }
    stage->origin = origin_of(sweep, name);
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
          entry.value.where,
          fmt::format("stage '{}' needs a map of changes, or null, which leaves it out", name));
    }
  }

  void apply_setting(SweepSpec& sweep, const std::string& setting) {
    const size_t equals = setting.find('=');
    const Position where{"--set " + setting};
    if (equals == std::string::npos || equals == 0) {
      problems_.add(where, "expected --set KEY=VALUE");
      return;
    }
    if (equals + 1 == setting.size()) {
      problems_.add(where, fmt::format("has no value; write --set \"{0}''\" for the empty text, or "
                                       "{0}null to take the key's value away",
                                       setting));
      return;
    }
    const std::string key = setting.substr(0, equals);
    if (std::ranges::count(key, '.') >= kMostKeyParts) {
      problems_.add(where, fmt::format("a key of more than {} parts", kMostKeyParts));
      return;
    }
    Yaml::Entry entry{key, where,
                      parse_yaml_of_flag(setting.substr(equals + 1), where.file, problems_)};
    if (key == "seeds") {
      set_seeds(sweep, entry.value);
    } else if (is_setting(split_stage(key).first)) {
      put_setting(sweep.settings, key, entry.value, where);
      for (StageSpec& stage : sweep.stages) erase_path(stage.settings, key);  // over every layer
    } else if (key.starts_with("stages.")) {
      apply_to_stage(sweep, key.substr(7), entry);
    } else {
      apply_everywhere(sweep, entry);
    }
  }

  /// A --set without a stage goes to every stage that has such an axis or option; of several, a
  /// mistake says which cannot take it.
  void apply_everywhere(SweepSpec& sweep, const Yaml::Entry& entry) {
    std::vector<StageSpec*> takers;
    for (StageSpec& stage : sweep.stages) {
      const PluginSchema* job = schema_.find("job", stage.job);
      const std::string first = split_stage(entry.key).first;
      const bool is_option = job && (first == "preset" || job->options.find(first));
      if (is_option || stage.axis_named(entry.key)) takers.push_back(&stage);
    }
    for (StageSpec* stage : takers) {
      Yaml overlay = empty_map(entry.where);
      overlay.entries.push_back(entry);
      Yaml::Entry& own = overlay.entries.back();
      if (takers.size() > 1) own.where.file += fmt::format(" (stages.{}.{})", stage->name, own.key);
      own.value.where = own.where;
      alter_stage(*stage, overlay, schema_, problems_);
    }
    if (takers.empty())
      problems_.add(entry.where, [&] { return unknown_setting(sweep, entry.key, schema_); });
  }

  const PlanChoices& choices_;
  const Schema& schema_;
  SweepTexts& texts_;
  Problems& problems_;
  std::vector<std::filesystem::path> reading_;
  size_t files_ = 0;                           // read so far, each time that 'use' names one
  size_t values_ = 0;                          // on the axes of the stages that were read
  std::map<std::string, std::string> taking_;  // origin: its name in the sweep that uses it
};

/// Weights that are neither beside the sweep nor here lie in the folder of data sets, or nowhere.
void look_among_data(Need& need, const std::filesystem::path& data) {
  if (need.imported.empty() || is_there(need.imported)) return;
  if (need.imported.is_relative() && !data.empty()) need.imported = data / need.imported;
}

/// The stages in the order in which they can run, each after those it needs.
class StageOrder {
 public:
  StageOrder(SweepSpec& sweep, Problems& problems) : sweep_(sweep), problems_(problems) {}

  /// All stages, or `only` with what it needs.
  std::vector<StageSpec*> order(const std::optional<std::string>& only) {
    if (only && sweep_.unread.count(*only)) return {};
    if (only && !sweep_.find(*only)) {
      problems_.add({"--only"}, fmt::format("unknown stage '{}'{}; stages: {}", *only,
                                            did_you_mean(*only, names()), joined(names())));
      return {};
    }
    for (StageSpec& stage : sweep_.stages) {
      if (only ? stage.name == *only : !stage.left_out) visit(stage, stage.where);
    }
    return done_;
  }

 private:
  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const StageSpec& stage : sweep_.stages) all.push_back(stage.name);
    return all;
  }

  void visit(StageSpec& stage, const Position& where) {
    if (std::find(done_.begin(), done_.end(), &stage) != done_.end()) return;
    if (stage.left_out) {
      problems_.add(where, fmt::format("stage '{}' is needed here, but the profile or --set leaves "
                                       "it out",
                                       stage.name));
      return;
    }
    const auto open = std::find(path_.begin(), path_.end(), stage.name);
    if (open != path_.end()) {
      std::vector<std::string> circle(open, path_.end());
      circle.push_back(stage.name);
      problems_.add(where, "stages need each other in a circle: " + joined(circle, " -> "));
      return;
    }
    path_.push_back(stage.name);
    for (const Need& need : stage.needs) {
      if (need.stage.empty()) continue;
      if (StageSpec* parent = sweep_.find(need.stage)) {
        visit(*parent, need.where);
      } else if (!sweep_.unread.count(need.stage)) {
        problems_.add(
            need.where,
            fmt::format("'{}' needs stage '{}', which does not exist{}; stages: {}", need.slot,
                        need.stage, did_you_mean(need.stage, names()), joined(names())));
      }
    }
    path_.pop_back();
    done_.push_back(&stage);
  }

  SweepSpec& sweep_;
  Problems& problems_;
  std::vector<std::string> path_;
  std::vector<StageSpec*> done_;
};

}  // namespace

StageSpec* SweepSpec::find(const std::string& stage) {
  const auto found = std::find_if(stages.begin(), stages.end(),
                                  [&](const StageSpec& one) { return one.name == stage; });
  return found == stages.end() ? nullptr : &*found;
}

std::set<std::string> SweepSpec::left_out() const {
  std::set<std::string> names;
  for (const StageSpec& stage : stages) {
    if (stage.left_out) names.insert(stage.name);
  }
  return names;
}

AxisValues SweepSpec::axis_values() const {
  AxisValues values;
  for (const StageSpec& stage : stages) {
    for (const Axis& axis : stage.axes) {
      for (const AxisPoint& point : axis.points) {
        for (const auto& [axis_name, value] : point.labels)
          values[stage.name][axis_name].insert(value);
      }
    }
  }
  return values;
}

SweepSpec read_sweep(const std::filesystem::path& file, const PlanChoices& choices,
                     const Schema& schema, SweepTexts& texts, Problems& problems) {
  SweepReader reader(choices, schema, texts, problems);
  SweepSpec sweep = reader.read(file);
  reader.apply_settings(sweep);
  for (StageSpec& stage : sweep.stages) {
    for (Need& need : stage.needs) look_among_data(need, choices.data);
  }
  return sweep;
}

std::vector<StageSpec*> stages_in_order(SweepSpec& sweep, const std::optional<std::string>& only,
                                        Problems& problems) {
  return StageOrder(sweep, problems).order(only);
}

}  // namespace rethink
