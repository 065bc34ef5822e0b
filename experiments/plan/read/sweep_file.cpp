#include "experiments/plan/read/sweep_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "core/config/option_names.h"
#include "core/config/schema.h"
#include "core/files/named_file.h"
#include "core/files/piped_input.h"
#include "experiments/plan/read/library.h"
#include "experiments/plan/read/misplaced_keys.h"
#include "experiments/plan/read/overlay.h"
#include "experiments/plan/read/stage_resources.h"
#include "experiments/plan/read/sweep_overlay.h"

namespace rethink {
namespace {

bool is_plain_name(const std::string& name, const std::string& also) {
  return !name.empty() && name.size() <= kLongestName &&
         std::all_of(name.begin(), name.end(), [&](unsigned char c) {
           return std::isalnum(c) || c == '_' || c == '-' ||
                  also.find(static_cast<char>(c)) != std::string::npos;
         });
}

/// Reads one file and the files that `use` names.
class SweepReader {
 public:
  SweepReader(const PlanChoices& choices, const Schema& schema, SweepTexts& texts,
              Problems& problems)
      : choices_(choices), schema_(schema), texts_(texts), problems_(problems) {}

  SweepSpec read(const std::filesystem::path& file) {
    const std::filesystem::path canonical = std::filesystem::weakly_canonical(file);
    reading_.push_back(canonical);
    if (++files_ > kMostFiles)
      problems_.refuse({file.string()}, "too-many",
                       fmt::format("'use' reads more than {} files", kMostFiles));
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

 private:
  const Yaml& text_of(const std::filesystem::path& file) {
    if (const auto found = texts_.find(file); found != texts_.end()) return found->second;
    Yaml text = keys_in_place(read_yaml(file, problems_), schema_, problems_);
    return texts_.emplace(file, std::move(text)).first->second;
  }

  void read_top(SweepSpec& sweep, const Yaml& text) {
    if (!text.is_map()) {
      problems_.add(text.where, "invalid-sweep",
                    "a sweep file is a map with 'sweep: NAME' and 'stages'");
      return;
    }
    const std::vector<std::string>& known = sweep_words();
    for (const Yaml::Entry& entry : text.entries) {
      if (std::find(known.begin(), known.end(), entry.key) != known.end()) continue;
      problems_.add(entry.where, "unknown-key", [&] {
        return fmt::format("unknown key '{}'{}; known: {}", entry.key,
                           did_you_mean(entry.key, known), joined(known));
      });
    }
    const Yaml* name = text.find("sweep");
    if (!name || !name->is_scalar() || !is_plain_name(name->scalar, "/.")) {
      problems_.add(
          name ? name->where : text.where, "invalid-name",
          fmt::format("a sweep needs a name of letters, digits and _-/., at most {}, such as "
                      "'sweep: bet/diag_discount'",
                      kLongestName));
    } else {
      sweep.name = name->scalar;
    }
    if (const Yaml* seeds = text.find("seeds")) sweep.set_seeds(*seeds, problems_);
    for (const Yaml::Entry& entry : text.entries) {
      if (is_setting(entry.key)) put_setting(sweep.settings, entry.key, entry.value, entry.where);
    }
    const Yaml* stages = text.find("stages");
    if (!stages || !stages->is_map() || stages->entries.empty()) {
      problems_.add(stages ? stages->where : text.where, "missing-key",
                    "a sweep needs 'stages', a map of at least one stage");
    }
  }

  void read_stages(SweepSpec& sweep, const Yaml& stages) {
    for (const Yaml::Entry& entry : stages.entries) {
      if (sweep.stages.size() >= kMostStages)
        problems_.refuse(entry.where, "too-many", fmt::format("more than {} stages", kMostStages));
      if (!is_plain_name(entry.key, "")) {
        problems_.add(
            entry.where, "invalid-name",
            fmt::format("stage '{}': a name has letters, digits, _ and - only, at most {}",
                        entry.key, kLongestName));
      }
      if (!entry.value.is_map()) {
        problems_.add(entry.value.where, "invalid-sweep",
                      fmt::format("stage '{}' must be a map with 'job: NAME'", entry.key));
        sweep.unread.insert(entry.key);
      } else if (entry.value.find("use")) {
        use_stage(sweep, entry);
        if (!sweep.find(entry.key)) sweep.unread.insert(entry.key);
      } else if (sweep.find(entry.key)) {
        problems_.add(entry.where, "invalid-use",
                      fmt::format("a used stage needs its own '{}'; use that stage too: "
                                  "{{use: FILE#{}}}",
                                  entry.key, entry.key));
      } else {
        sweep.stages.push_back(
            read_stage(entry.key, entry.where, entry.value, sweep.file, schema_, problems_));
        sweep.stages.back().origin = sweep.origin_of(entry.key);
        count_values(sweep.stages.back());
      }
    }
  }

  void count_values(const StageSpec& stage) {
    values_ += num_values(stage.axes);
    if (values_ <= kMostPoints) return;
    problems_.refuse(stage.where, "too-many",
                     fmt::format("{} values or more on the axes of the sweep's stages, expected "
                                 "at most {}",
                                 values_, kMostPoints));
  }

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

  /// `use: FILE.yaml#stage`: that stage and the stages that it needs; other keys beside `use`
  /// change it.
  void use_stage(SweepSpec& sweep, const Yaml::Entry& entry) {
    const Yaml& use = *entry.value.find("use");
    const size_t hash = use.scalar.find('#');
    if (!use.is_scalar() || hash == std::string::npos || hash == 0 ||
        hash + 1 == use.scalar.size()) {
      problems_.add(use.where, "invalid-use", "'use' needs FILE.yaml#stage");
      return;
    }
    const std::filesystem::path file = find_file(sweep.file, use.scalar.substr(0, hash));
    if (!is_file_there(file)) {
      problems_.add(use.where, "file-missing",
                    fmt::format("'use': there is no file {}", file.string()));
      return;
    }
    const std::filesystem::path canonical = std::filesystem::weakly_canonical(file);
    if (std::find(reading_.begin(), reading_.end(), canonical) != reading_.end()) {
      problems_.add(use.where, "circle",
                    fmt::format("'use' goes in a circle: {} is being read already", file.string()));
      return;
    }
    SweepSpec other = read(file);
    const std::string name = use.scalar.substr(hash + 1);
    if (!other.find(name)) {
      std::vector<std::string> there;
      for (const StageSpec& stage : other.stages) there.push_back(stage.name);
      problems_.add(use.where, "unknown-stage",
                    fmt::format("{} has no stage '{}'{}; stages: {}", file.string(), name,
                                did_you_mean(name, there), joined(there)));
      return;
    }
    const Yaml changes = changes_of(entry.value);
    alter_stage(*other.find(name), changes, schema_, problems_);
    if (!changes.entries.empty()) other.find(name)->origin = sweep.origin_of(entry.key);
    // If the sweep lists seeds, these count.
    if (!text_of(sweep.file).find("seeds")) {
      other.find(name)->used_file = file;
      other.find(name)->used_seeds = other.seeds;
    }
    take(sweep, other, name, entry.key, entry.where);
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

  std::filesystem::path find_file(const std::filesystem::path& from,
                                  const std::string& name) const {
    const std::filesystem::path beside = folder_of_names_in(from) / name;
    if (is_there(beside)) return beside;
    for (const auto& path : choices_.paths) {
      if (is_file_there(path / name)) return path / name;
      const Library sweeps("sweeps", {path});
      for (const auto& folder : sweeps.folders()) {
        if (is_file_there(folder / name)) return folder / name;
      }
      if (const auto file = sweeps.find(name); !file.empty()) return file;
    }
    return beside;
  }

  void read_profiles(SweepSpec& sweep, const Yaml* profiles) {
    const bool is_used = reading_.size() > 1;  // a used sweep may lack the profile
    std::vector<std::string> names = profiles ? profiles->keys() : std::vector<std::string>{};
    const bool is_known = std::ranges::find(names, choices_.profile) != names.end();
    if (!choices_.profile.empty() && !is_used && !is_known) {
      Problems profile_problems;  // problems of profiles that are not chosen
      profile_problems.add({sweep.file.string()}, "unknown-profile",
                           fmt::format("no profile '{}'{}; profiles: {}", choices_.profile,
                                       did_you_mean(choices_.profile, names),
                                       names.empty() ? "none" : joined(names)));
      try {
        profile_problems.throw_if_any();
      } catch (const ConfigError& error) {
        throw UnknownProfile(error.code(), error.what());
      }
    }
    if (!profiles) return;
    if (!profiles->is_map() && !profiles->is_null()) {
      problems_.add(profiles->where, "invalid-sweep",
                    "'profiles' must be a map of overlays: {NAME: {stages.STAGE: {...}}}");
      return;
    }
    if (profiles->entries.size() > kMostProfiles)
      problems_.refuse(
          profiles->where, "too-many",
          fmt::format("{} profiles, expected at most {}", profiles->entries.size(), kMostProfiles));
    for (const Yaml::Entry& entry : profiles->entries) {
      sweep.profiles.push_back(entry.key);
      if (!entry.value.is_map() && !entry.value.is_null()) {
        problems_.add(entry.value.where, "invalid-sweep",
                      fmt::format("profile '{}' must be a map", entry.key));
      } else if (entry.key == choices_.profile) {
        overlay_profile(sweep, entry.value, schema_, problems_);
      }
    }
  }

  const PlanChoices& choices_;
  const Schema& schema_;
  SweepTexts& texts_;
  Problems& problems_;
  std::vector<std::filesystem::path> reading_;
  size_t files_ = 0;   // number of files read, counted for each `use`
  size_t values_ = 0;  // number of values on the axes of the stages that were read
  std::map<std::string, std::string> taking_;  // origin: name in the using sweep
};

/// The stages in an order in which they can run, each after its needs.
class StageOrder {
 public:
  StageOrder(SweepSpec& sweep, Problems& problems) : sweep_(sweep), problems_(problems) {}

  /// All stages, or `only` with its needs.
  std::vector<StageSpec*> order(const std::optional<std::string>& only) {
    if (only && sweep_.unread.count(*only)) return {};
    if (only && !sweep_.find(*only)) {
      problems_.add({"--only"}, "unknown-stage",
                    fmt::format("unknown stage '{}'{}; stages: {}", *only,
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
      problems_.add(where, "missing-need",
                    fmt::format("stage '{}' is needed here, but the profile or --set leaves "
                                "it out",
                                stage.name));
      return;
    }
    const auto open = std::find(path_.begin(), path_.end(), stage.name);
    if (open != path_.end()) {
      std::vector<std::string> circle(open, path_.end());
      circle.push_back(stage.name);
      problems_.add(where, "circle",
                    "stages need each other in a circle: " + joined(circle, " -> "));
      return;
    }
    path_.push_back(stage.name);
    for (const Need& need : stage.needs) {
      if (need.stage.empty()) continue;
      if (StageSpec* parent = sweep_.find(need.stage)) {
        visit(*parent, need.where);
      } else if (!sweep_.unread.count(need.stage)) {
        problems_.add(
            need.where, "unknown-stage",
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

void SweepSpec::set_seeds(const Yaml& given, Problems& problems) {
  std::vector<int64_t> read = read_seeds(given, problems);
  if (!read.empty()) seeds = std::move(read);
}

std::string SweepSpec::origin_of(const std::string& stage) const {
  return std::filesystem::weakly_canonical(file).string() + "#" + stage;
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
  return SweepReader(choices, schema, texts, problems).read(file);
}

std::vector<StageSpec*> stages_in_order(SweepSpec& sweep, const std::optional<std::string>& only,
                                        Problems& problems) {
  return StageOrder(sweep, problems).order(only);
}

}  // namespace rethink
