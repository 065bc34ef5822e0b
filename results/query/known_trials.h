// Reads a few columns of many trials in one query: of a plan's trials, of unfinished trials, and
// two counts.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/json.h"
#include "results/store/store.h"

namespace rethink {

struct DoneTrial {
  std::string id;
  std::optional<int64_t> seed;
  std::string configuration, data, imported, revisions;  // JSON as text
};

/// The done trials of `job`, by id. Cost: one query, some 2 us a trial.
std::vector<DoneTrial> done_trials(Store& store, const std::string& job);

/// What these trials need: by trial and slot, in the plan's order. Cost: one query.
std::map<std::string, std::map<std::string, std::vector<std::string>>> needs_of_done(
    Store& store, const std::string& job);

/// The configurations of those of `trials` that the store knows, as text. Cost: one query.
std::map<std::string, std::string> configurations_of(Store& store,
                                                     const std::vector<std::string>& trials);

/// SHA-256 of the data files that trials read: by the names that trials give them, "data.path=NAME"
/// where an option named one. Empty for one that had several contents.
std::map<std::string, std::string> recorded_data(Store& store);

/// Of trials together; of those whose attempts say how long they took.
struct TrialCosts {
  size_t trials = 0;
  double seconds = 0;           // of all their attempts
  double evaluation_share = 0;  // of the time that they computed, 0 to 1; 0 where none measured it
  double bytes = 0;             // of their artifacts
  double checkpoint_bytes = 0;  // of the largest checkpoint
};
TrialCosts trial_costs(Store& store, const std::vector<std::string>& trials);

struct MeasuredRate {
  double flops_per_s = 0;  // FLOPs of done trials over the seconds that they trained
  double of_at_most = 0;   // FLOPs of the largest of these trials
};
/// Nothing where none trained. Cost: one query over measurements.
std::optional<MeasuredRate> measured_rate(Store& store);

/// The largest checkpoint that any trial wrote [bytes]; 0 = there was none.
uint64_t largest_checkpoint(Store& store);

/// The trials of the stages of this name in one sweep, or in whatever sweep ("").
std::set<std::string> trials_of_stage(Store& store, const std::string& stage,
                                      const std::string& sweep);

/// A trial that has yet to run or to end.
struct UnendedTrial {
  std::string id, job;
  Json configuration;
};

/// Trials that a driver began and that had not ended when it was last there.
std::set<std::string> begun_trials(Store& store);

/// Trials that wait, are ready or run: the first of each job and configuration, `most` at most. Throws
/// Json::exception where a configuration is not JSON.
std::vector<UnendedTrial> unended_trials(Store& store, int most);

/// A store in two numbers, for the head of a page.
struct StoreSummary {
  int64_t done = 0;    // trials
  std::string newest;  // when the last of them ended, "2026-01-31T12:34:56.789Z"; empty: none says
};
StoreSummary summary_of(Store& store);

}  // namespace rethink
