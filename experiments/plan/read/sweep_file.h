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

/// Error: the sweep lacks the chosen profile.
struct UnknownProfile : ConfigError {
  using ConfigError::ConfigError;
};

/// A --set that names no stage, and a stage that may take it.
struct SpreadSetting {
  std::string setting, stage;
  std::string place;         // the file's name in messages on mistakes of this stage
  bool passed_over = false;  // a list of values for which this stage has no axis: skipped
};

struct SweepSpec {
  std::string name;
  std::filesystem::path file;
  std::vector<int64_t> seeds = {0};
  std::vector<StageSpec> stages;  // in the file's order, after the stages that `use` adds
  Yaml settings;                  // resources, retry, limits, keep for all stages
  std::vector<std::string> profiles;
  std::set<std::string> unread;  // named stages that are not in `stages` because of a problem
  std::vector<std::string>
      of_others;  // of --set: settings that this sweep lacks (PlanChoices::of_several)

  std::vector<SpreadSetting> spread;  // of settings that name no stage

  StageSpec* find(const std::string& stage);
  /// Sets the seeds that `given` lists; leaves them unchanged after a problem.
  void set_seeds(const Yaml& given, Problems& problems);
  /// Returns "FILE#stage", see StageSpec::origin.
  std::string origin_of(const std::string& stage) const;
  std::set<std::string> left_out() const;
  AxisValues axis_values() const;
};

/// Parsed sweep files by path. A plan reads a file once for each profile, and parses it only once.
using SweepTexts = std::map<std::filesystem::path, Yaml>;

/// Returns a sweep file with the files that it uses, each with its own profile (overlay_profile).
/// Throws for problems after which reading cannot continue, and adds all others.
SweepSpec read_sweep(const std::filesystem::path& file, const PlanChoices& choices,
                     const Schema& schema, SweepTexts& texts, Problems& problems);

/// Returns the stages of `sweep`, each behind the stages that it needs: all, or `only` with the
/// stages that it needs.
std::vector<StageSpec*> stages_in_order(SweepSpec& sweep, const std::optional<std::string>& only,
                                        Problems& problems);

/// Limits on stages, profiles, trials, labels of trials and candidates of selects in a sweep, and
/// on the files that it reads. More are a mistake.
constexpr size_t kMostStages = 1'000, kMostProfiles = 100, kMostTrials = 200'000,
                 kMostLabels = 2'000'000, kMostCandidates = 2'000'000, kMostFiles = 1'000;
/// Limits on the stages behind a stage, on the length of a name of a sweep or stage, and on the
/// text in a stage's options and labels [bytes].
constexpr size_t kMostStagesBehind = 100, kLongestName = 200, kMostText = 256 << 20;

}  // namespace rethink
