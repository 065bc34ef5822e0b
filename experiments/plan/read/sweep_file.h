// Reads a sweep file into stages with axes, without expanding them.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "experiments/plan/plan.h"
#include "experiments/plan/read/stage_spec.h"

namespace rethink {

/// The sweep has no profile of the name that was chosen.
struct UnknownProfile : ConfigError {
  using ConfigError::ConfigError;
};

/// A --set that names no stage, and a stage that may take it.
struct SpreadSetting {
  std::string setting, stage;
  std::string place;         // what its mistakes in this stage name as their file
  bool passed_over = false;  // it is a list of values, and this stage has no axis for them
};

struct SweepSpec {
  std::string name;
  std::filesystem::path file;
  std::vector<int64_t> seeds = {0};
  std::vector<StageSpec> stages;  // in the file's order; those that `use` brings along come before
  Yaml settings;                  // resources, retry, limits, keep of all stages
  std::vector<std::string> profiles;
  std::set<std::string> unread;  // stages that are named and, after a problem, not in `stages`
  std::vector<std::string>
      of_others;  // of --set: what this sweep cannot take (PlanChoices::of_several)

  std::vector<SpreadSetting> spread;  // of the settings that name no stage

  StageSpec* find(const std::string& stage);
  /// The seeds that `given` lists; as before after a problem.
  void set_seeds(const Yaml& given, Problems& problems);
  /// "FILE#stage", see StageSpec::origin.
  std::string origin_of(const std::string& stage) const;
  std::set<std::string> left_out() const;
  AxisValues axis_values() const;
};

/// Sweep files by the paths that name them, as they were read: a plan looks at a file once for each
/// profile, and parses it once.
using SweepTexts = std::map<std::filesystem::path, Yaml>;

/// Returns a sweep file with the files that it uses, each with its own profile (overlay_profile).
/// Throws for problems after which reading cannot continue, and adds all others.
SweepSpec read_sweep(const std::filesystem::path& file, const PlanChoices& choices,
                     const Schema& schema, SweepTexts& texts, Problems& problems);

/// Returns the stages of `sweep`, each behind the stages that it needs: all, or `only` with the
/// stages that it needs.
std::vector<StageSpec*> stages_in_order(SweepSpec& sweep, const std::optional<std::string>& only,
                                        Problems& problems);

/// A sweep with more stages, profiles, trials, labels of trials or candidates of selects, or that reads
/// more files, is a mistake.
constexpr size_t kMostStages = 1'000, kMostProfiles = 100, kMostTrials = 200'000,
                 kMostLabels = 2'000'000, kMostCandidates = 2'000'000, kMostFiles = 1'000;
/// So is a stage with more stages behind it, a sweep or stage with a longer name, or a stage whose
/// trials hold more text in their options and labels (in bytes).
constexpr size_t kMostStagesBehind = 100, kLongestName = 200, kMostText = 256 << 20;

}  // namespace rethink
