#include "experiments/plan/read/sweep_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>

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
  SweepReader(const std::vector<std::filesystem::path>& paths, const Schema& schema,
              Problems& problems)
      : paths_(paths), schema_(schema), problems_(problems) {}

  WrittenSweep read(const std::filesystem::path& file) {
    const std::filesystem::path canonical = std::filesystem::weakly_canonical(file);
    reading_.push_back(canonical);
    if (++files_ > kMostFiles)
      problems_.refuse({file.string()}, "too-many",
                       fmt::format("'use' reads more than {} files", kMostFiles));
    const Yaml& text = text_of(file);
    WrittenSweep sweep;
    sweep.top.file = file;
    sweep.top.settings = empty_map({file.string()});
    read_top(sweep, text);
    if (const Yaml* stages = text.find("stages")) read_stages(sweep, *stages);
    if (const Yaml* profiles = text.find("profiles")) read_profiles(sweep, *profiles);
    reading_.pop_back();
    return sweep;
  }

 private:
  const Yaml& text_of(const std::filesystem::path& file) {
    if (const auto found = texts_.find(file); found != texts_.end()) return found->second;
    Yaml text = keys_in_place(read_yaml(file, problems_), schema_, problems_);
    return texts_.emplace(file, std::move(text)).first->second;
  }

  void read_top(WrittenSweep& sweep, const Yaml& text) {
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
      sweep.top.name = name->scalar;
    }
    if (const Yaml* seeds = text.find("seeds")) {
      sweep.lists_seeds = true;
      sweep.top.set_seeds(*seeds, problems_);
    }
    for (const Yaml::Entry& entry : text.entries) {
      if (is_setting(entry.key))
        put_setting(sweep.top.settings, entry.key, entry.value, entry.where);
    }
    const Yaml* stages = text.find("stages");
    if (!stages || !stages->is_map() || stages->entries.empty()) {
      problems_.add(stages ? stages->where : text.where, "missing-key",
                    "a sweep needs 'stages', a map of at least one stage");
    }
  }

  void read_stages(WrittenSweep& sweep, const Yaml& stages) {
    for (const Yaml::Entry& entry : stages.entries) {
      refuse_more_stages(sweep.stages.size(), entry.where, problems_);
      if (!is_plain_name(entry.key, "")) {
        problems_.add(
            entry.where, "invalid-name",
            fmt::format("stage '{}': a name has letters, digits, _ and - only, at most {}",
                        entry.key, kLongestName));
      }
      if (!entry.value.is_map()) {
        problems_.add(entry.value.where, "invalid-sweep",
                      fmt::format("stage '{}' must be a map with 'job: NAME'", entry.key));
        sweep.top.unread.insert(entry.key);
      } else if (entry.value.find("use")) {
        read_use(sweep, entry);
      } else {
        StageSpec own =
            read_stage(entry.key, entry.where, entry.value, sweep.top.file, schema_, problems_);
        own.origin = sweep.top.origin_of(entry.key);
        count_values(own);
        sweep.stages.push_back({.name = entry.key, .where = entry.where, .own = std::move(own)});
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

  /// `use: FILE.yaml#stage` with the keys beside it.
  void read_use(WrittenSweep& sweep, const Yaml::Entry& entry) {
    const Yaml& use = *entry.value.find("use");
    const std::filesystem::path file = used_file(sweep, use);
    if (file.empty()) {
      sweep.top.unread.insert(entry.key);
      return;
    }
    WrittenStage stage{.name = entry.key, .where = entry.where};
    stage.used = std::make_shared<const WrittenSweep>(read(file));
    stage.used_stage = use.scalar.substr(use.scalar.find('#') + 1);
    stage.use_where = use.where;
    stage.beside_use = entry.value;
    sweep.stages.push_back(std::move(stage));
  }

  /// Returns the file that `use` names; "" after a problem.
  std::filesystem::path used_file(const WrittenSweep& sweep, const Yaml& use) {
    const size_t hash = use.scalar.find('#');
    if (!use.is_scalar() || hash == std::string::npos || hash == 0 ||
        hash + 1 == use.scalar.size()) {
      problems_.add(use.where, "invalid-use", "'use' needs FILE.yaml#stage");
      return {};
    }
    const std::filesystem::path file = find_file(sweep.top.file, use.scalar.substr(0, hash));
    if (!is_file_there(file)) {
      problems_.add(use.where, "file-missing",
                    fmt::format("'use': there is no file {}", file.string()));
      return {};
    }
    const std::filesystem::path canonical = std::filesystem::weakly_canonical(file);
    if (std::find(reading_.begin(), reading_.end(), canonical) != reading_.end()) {
      problems_.add(use.where, "circle",
                    fmt::format("'use' goes in a circle: {} is being read already", file.string()));
      return {};
    }
    return file;
  }

  std::filesystem::path find_file(const std::filesystem::path& from,
                                  const std::string& name) const {
    const std::filesystem::path beside = folder_of_names_in(from) / name;
    if (is_there(beside)) return beside;
    for (const auto& path : paths_) {
      if (is_file_there(path / name)) return path / name;
      const Library sweeps("sweeps", {path});
      for (const auto& folder : sweeps.folders()) {
        if (is_file_there(folder / name)) return folder / name;
      }
      if (const auto file = sweeps.find(name); !file.empty()) return file;
    }
    return beside;
  }

  void read_profiles(WrittenSweep& sweep, const Yaml& profiles) {
    if (!profiles.is_map() && !profiles.is_null()) {
      problems_.add(profiles.where, "invalid-sweep",
                    "'profiles' must be a map of overlays: {NAME: {stages.STAGE: {...}}}");
      return;
    }
    if (profiles.entries.size() > kMostProfiles)
      problems_.refuse(
          profiles.where, "too-many",
          fmt::format("{} profiles, expected at most {}", profiles.entries.size(), kMostProfiles));
    for (const Yaml::Entry& entry : profiles.entries) {
      sweep.top.profiles.push_back(entry.key);
      if (!entry.value.is_map() && !entry.value.is_null()) {
        problems_.add(entry.value.where, "invalid-sweep",
                      fmt::format("profile '{}' must be a map", entry.key));
      } else {
        sweep.overlays.push_back(entry);
      }
    }
  }

  const std::vector<std::filesystem::path>& paths_;
  const Schema& schema_;
  Problems& problems_;
  std::map<std::filesystem::path, Yaml> texts_;  // several stages may use one file
  std::vector<std::filesystem::path> reading_;
  size_t files_ = 0;   // number of files read, counted for each `use`
  size_t values_ = 0;  // number of values on the axes of the stages that were read
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

WrittenSweep read_sweep(const std::filesystem::path& file,
                        const std::vector<std::filesystem::path>& paths, const Schema& schema,
                        Problems& problems) {
  return SweepReader(paths, schema, problems).read(file);
}

void refuse_more_stages(size_t there, const Position& where, Problems& problems) {
  if (there >= kMostStages)
    problems.refuse(where, "too-many", fmt::format("more than {} stages", kMostStages));
}

std::vector<StageSpec*> stages_in_order(SweepSpec& sweep, const std::optional<std::string>& only,
                                        Problems& problems) {
  return StageOrder(sweep, problems).order(only);
}

}  // namespace rethink
