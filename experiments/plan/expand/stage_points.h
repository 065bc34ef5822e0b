// An expanded stage: the points of its axes for each point of its dependencies, before seeds make
// them trials.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/config/configuration.h"
#include "core/facts/job_facts.h"
#include "core/json.h"
#include "experiments/plan/read/sweep_file.h"

namespace rethink {

using Labels = std::map<std::string, std::string>;

/// A point of a stage: indices of the expanded stage and of its point.
struct PointId {
  size_t stage = 0, point = 0;
  auto operator<=>(const PointId&) const = default;
};

struct StagePoint {
  Labels own;                      // labels of its own axes: "arm"
  Labels inherited;                // "pretrain.arm"
  std::vector<PointId> ancestors;  // sorted; at most one per stage
  std::vector<std::vector<size_t>>
      sources;  // for each need: the points that fill it (several for a job that gathers)
  std::vector<Labels> candidates;     // for a job that gathers: the labels of each source in `over`
  Json config;                        // with the word `seed` in `own_draws`
  std::vector<SeedOption> own_draws;  // options that take each trial's own seed
  std::vector<size_t> trials;         // for each seed: its index in Plan::trials
};

struct ExpandedStage {
  StageSpec* spec = nullptr;  // not const: its conditions record what matched
  const PluginSchema* job = nullptr;
  std::vector<int64_t> seeds;             // empty: the job has no seeds
  std::map<int64_t, size_t> seed_places;  // positions in `seeds`
  std::set<size_t> behind;                // stages that it needs, directly or indirectly
  std::vector<StagePoint> points;
  Shared<StageResources> resources;
  bool altered = false;     // the profile or --set changed its axes, or those of a needed stage
  bool sample = false;      // only the points that show every label once
  bool has_seeds = false;   // the needed stages have their own seeds
  bool has_trials = false;  // each point has all of its trials
  std::vector<size_t>
      need_stages;  // for each need: index of its stage; kNoStage for imported weights

  /// Returns the slot that takes all trials of a stage ("from" of select), if the job has one.
  std::optional<size_t> gathers() const;
  const JobFacts& job_facts() const;
  std::string input_kind(const std::string& slot) const;
};

/// An input of this name continues this option of the stage that fills it.
constexpr const char *kInheritedOption = "model", *kInheritedSlot = "init";

constexpr size_t kNoStage = static_cast<size_t>(-1);
/// Returns kNoStage if no stage has the name.
size_t index_of(const std::vector<ExpandedStage>& stages, const std::string& name);

/// Returns the stage whose trials a child of `stage` gets: for a select, the stage of its
/// candidates.
const ExpandedStage& stage_behind_selects(const std::vector<ExpandedStage>& stages,
                                          const ExpandedStage& stage);

/// Finds the stages that `child` needs, and adds a problem if they do not match its inputs.
void resolve_needs(const std::vector<ExpandedStage>& stages, ExpandedStage& child,
                   Problems& problems);

/// Points that fill the needs of one point of a child.
using Parents = StagePoint;

/// Returns every combination of points of the needed stages, joined on common ancestors and
/// restricted by `where`. For a job that gathers, it returns one per group of points that differ
/// only in `over`.
std::vector<Parents> join_parents(const std::vector<ExpandedStage>& stages, ExpandedStage& child,
                                  const std::vector<std::string>& over, Problems& problems);

/// Returns the value of an axis or option at a point of `stages`: "arm", "pretrain.arm",
/// "optimizer.lr", "pretrain.model.layers". An axis that sets an option has the option's type once
/// the point has a configuration.
std::optional<RecordedValue> value_at(const std::vector<ExpandedStage>& stages,
                                      const StagePoint& point, const std::string& key);

}  // namespace rethink
