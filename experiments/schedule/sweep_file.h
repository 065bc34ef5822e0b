// A sweep file as people write it, read into stages with axes, before anything is expanded.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "experiments/schedule/axes.h"
#include "experiments/schedule/conditions.h"
#include "experiments/schedule/plan.h"

namespace rethink {

/// What fills an input slot: a stage, or a folder of imported weights.
struct Need {
  std::string slot;
  std::string stage;
  std::filesystem::path imported;
  Position where;
};

struct StageSpec {
  std::string name;
  Position where;
  std::filesystem::path file;  // that it stands in: relative paths begin beside it
  std::string origin;  // "FILE#stage" whose text it has: by this, two stages that are used are one
  std::string job;
  Position job_where;
  std::optional<std::vector<int64_t>> seeds;
  Position seeds_where;
  std::vector<Need> needs;
  Conditions narrowing;                    // `where`, on the stages it needs
  Yaml options;                            // fixed in the file, nested maps
  std::vector<Axis> axes;                  // cases, grid, zip, random, in this order
  std::map<std::string, Conditions> when;  // by a name of the axis
  std::map<std::string, Position> when_where;
  Conditions exclude;
  Yaml overrides;         // of the profile and --set: over the axes
  Yaml settings;          // resources, retry, limits, keep
  bool left_out = false;  // by the profile or --set
  bool altered = false;   // the profile or --set touched its axes
  bool flawed = false;    // a problem with its axes or needs was added: its points are not known
  bool has_unread_axes = false;  // of some not even the names are known

  Axis* axis_named(const std::string& axis);
  std::vector<std::string> axis_names() const;
  /// What fills an input; null when nothing does.
  const Need* need_of(const std::string& slot) const;
  /// Where the value of `option` ("data.dataset") stands for the point with these labels, or the
  /// map that it is in; the stage's own place where a preset or a default says it.
  Position place_of(const std::string& option,
                    const std::map<std::string, std::string>& labels = {}) const;
};

struct SweepSpec {
  std::string name;
  std::filesystem::path file;
  std::vector<int64_t> seeds = {0};
  std::vector<StageSpec> stages;  // in the file's order; those that `use` brings along come before
  Yaml settings;                  // resources, retry, limits, keep of all stages
  std::vector<std::string> profiles;
  std::set<std::string> unread;  // stages that are named and, after a problem, not in `stages`

  StageSpec* find(const std::string& stage);
  std::set<std::string> left_out() const;
  AxisValues axis_values() const;
};

/// Sweep files by the paths that name them, as they were read: a plan looks at a file once for each
/// profile, and parses it once.
using SweepTexts = std::map<std::filesystem::path, Yaml>;

/// Reads a sweep file and what it uses, and applies profile, --set and --seeds. Problems that leave
/// nothing to go on with are thrown, others added.
SweepSpec read_sweep(const std::filesystem::path& file, const PlanChoices& choices,
                     const Schema& schema, SweepTexts& texts, Problems& problems);

/// Reads one stage's map. Keys that are not the planner's own are options of its job, or input
/// slots of it.
StageSpec read_stage(const std::string& name, const Position& where, const Yaml& given,
                     const std::filesystem::path& file, const Schema& schema, Problems& problems);

/// The stages of `sweep`, each after those it needs: all, or `only` with what it needs.
std::vector<StageSpec*> stages_in_order(SweepSpec& sweep, const std::optional<std::string>& only,
                                        Problems& problems);

/// Lays a profile's or a --set's map over a stage: what it says of an axis replaces the axis.
void alter_stage(StageSpec& stage, const Yaml& overlay, const Schema& schema, Problems& problems);

/// A sweep with more seeds, stages, profiles, trials, labels of trials or candidates of selects, or
/// that reads more files, is a mistake.
constexpr size_t kMostSeeds = 100'000, kMostStages = 1'000, kMostProfiles = 100,
                 kMostTrials = 200'000, kMostLabels = 2'000'000, kMostCandidates = 2'000'000,
                 kMostFiles = 1'000;
/// So is a stage with more stages behind it, a sweep or stage with a longer name, or a stage whose
/// trials hold more text in their options and labels (in bytes).
constexpr size_t kMostStagesBehind = 100, kLongestName = 200, kMostText = 256 << 20;

/// A list of different whole numbers from 0, at most kMostSeeds; empty after a problem.
std::vector<int64_t> read_seeds(const Yaml& given, Problems& problems);

/// What `settings` of a sweep and of one of its stages mean together.
StageResources resources_of(const Yaml& sweep, const Yaml& stage, Problems& problems);

/// Adds a problem for what a stage with these settings asks for and `machine` lacks.
void check_resources(const Yaml& sweep, const Yaml& stage, const Machine& machine,
                     Problems& problems);

/// "FILE:LINE:COLUMN: note: TEXT", for what is no mistake and should be known.
std::string note_at(const Position& where, const std::string& text);

/// The keys of a file, and those of a stage that are the planner's own: job, needs, grid, ...
const std::vector<std::string>& sweep_words();
const std::vector<std::string>& stage_words();

/// The text of a sweep file with the keys of stages that stand among the stages, or beside
/// 'stages', moved to where they are probably meant, each with a problem.
Yaml keys_in_place(Yaml text, const Schema& schema, Problems& problems);

/// The keys that `settings` holds: resources, retry, limits, keep.
bool is_setting(const std::string& key);

}  // namespace rethink
