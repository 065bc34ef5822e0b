// One stage of a sweep file: reads it, and applies changes by a profile or --set.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "experiments/plan/plan.h"
#include "experiments/plan/read/axes.h"
#include "experiments/plan/read/conditions.h"

namespace rethink {

/// Source of an input slot: a stage, or a folder of imported weights.
struct Need {
  std::string slot;
  std::string stage;
  std::filesystem::path imported;  // as written, later resolved (read/written_path.h)
  Position where;
  std::string waits_for = {};  // what is missing before the stage may run; empty: nothing
  std::filesystem::path published =
      {};  // published facts of missing weights (experiments/weights/*.json); empty: none
};

struct StageSpec {
  std::string name;
  Position where;
  std::filesystem::path file;  // file of the stage, beside which its relative paths begin
  std::string origin;  // "FILE#stage" of its text: two used stages of equal origin are one stage
  std::string job;
  Position job_where;
  std::optional<std::vector<int64_t>> seeds;
  Position seeds_where;
  /// For a stage that `use` takes into a sweep without seeds: the file, and the seeds of its sweep,
  /// which do not apply here.
  std::filesystem::path used_file = {};
  std::vector<int64_t> used_seeds = {};
  size_t own_seeds = 0;  // how many the file and its profile give it, without --seeds and --set
  std::vector<Need> needs;
  Conditions narrowing;                    // `where`, on the needed stages
  Yaml options;                            // options in the file, nested maps
  std::vector<Axis> axes;                  // cases, grid, zip, random, in this order
  std::map<std::string, Conditions> when;  // by name of the axis
  std::map<std::string, Position> when_where;
  Conditions exclude;
  Yaml overrides;                // of the profile and --set; they override the axes
  Yaml settings;                 // resources, retry, limits, keep
  bool left_out = false;         // by the profile or --set
  bool altered = false;          // the profile or --set changed its axes
  bool flawed = false;           // its axes or needs have a problem: its points are unknown
  bool has_unread_axes = false;  // even the names of some axes are unknown

  Axis* axis_named(const std::string& axis);
  std::vector<std::string> axis_names() const;
  /// Returns the source of an input; null without one.
  const Need* need_of(const std::string& slot) const;
  /// Returns the position of the value of `option` ("data.dataset") for the point with these
  /// labels, or of the map that contains it; the stage's position if a preset or a default gives
  /// the value.
  Position place_of(const std::string& option,
                    const std::map<std::string, std::string>& labels = {}) const;
};

/// Reads one stage's map. Keys that are not the planner's own are options of its job or the job's
/// input slots.
StageSpec read_stage(const std::string& name, const Position& where, const Yaml& given,
                     const std::filesystem::path& file, const Schema& schema, Problems& problems);

/// Merges a profile's or a --set's map over a stage. An axis in the map replaces the stage's axis.
void alter_stage(StageSpec& stage, const Yaml& overlay, const Schema& schema, Problems& problems);

/// Limit on the seeds of a sweep.
constexpr size_t kMostSeeds = 100'000;

/// Returns a list of different whole numbers from 0, at most kMostSeeds; empty after a problem.
std::vector<int64_t> read_seeds(const Yaml& given, Problems& problems);

}  // namespace rethink
