// The pass "read" of planning: sweep files as written, and the sweep that the pass "overlay" makes
// of them (sweep_overlay.h).
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "experiments/plan/plan.h"
#include "experiments/plan/read/stage_spec.h"

namespace rethink {

/// A --set that names no stage, and a stage that may take it.
struct SpreadSetting {
  std::string setting, stage;
  std::string place;         // the file's name in messages on mistakes of this stage
  bool passed_over = false;  // a list of values for which this stage has no axis: skipped
};

/// A sweep's stages with their axes, which the pass "expand" turns into points.
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

struct WrittenSweep;

/// A stage as its file writes it: its own text, or a stage of another file with changes.
struct WrittenStage {
  std::string name;
  Position where;
  StageSpec own{};                             // without `use`
  std::shared_ptr<const WrittenSweep> used{};  // the file that `use` names; null: no `use`
  std::string used_stage{};
  Position use_where{};
  Yaml beside_use{};  // the stage's map: `use` and the changes
};

/// A sweep file as written, with the files that it uses. No profile and no option of the command
/// line has changed it.
struct WrittenSweep {
  SweepSpec top;  // the keys above the stages; `top.stages` is empty
  bool lists_seeds = false;
  std::vector<WrittenStage> stages;   // in the file's order
  std::vector<Yaml::Entry> overlays;  // the profiles, by name
};

/// Returns a sweep file with the files that it uses, which are searched beside it and in `paths`.
/// Throws for problems after which reading cannot continue, and adds all others. Each file is
/// parsed once.
WrittenSweep read_sweep(const std::filesystem::path& file,
                        const std::vector<std::filesystem::path>& paths, const Schema& schema,
                        Problems& problems);

/// Adds a problem and throws if a sweep with `there` stages has no room for another at `where`.
void refuse_more_stages(size_t there, const Position& where, Problems& problems);

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
