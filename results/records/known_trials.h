// Reads a few columns of many trials in one query: of a plan's trials, of unfinished trials; and
// the totals of a store.
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

/// Returns the done trials of `job`, by id. Cost: one query, about 2 us per trial.
std::vector<DoneTrial> done_trials(Store& store, const std::string& job);

/// Returns the trials with an attempt. Cost: one query.
std::set<std::string> attempted_trials(Store& store);

/// Returns the needs of these trials, by trial and slot, in the plan's order. Cost: one query.
std::map<std::string, std::map<std::string, std::vector<std::string>>> needs_of_done(
    Store& store, const std::string& job);

/// Returns the configurations, as text, of those `trials` that the store knows. Cost: one query.
std::map<std::string, std::string> configurations_of(Store& store,
                                                     const std::vector<std::string>& trials);

/// Returns those done `trials` whose curves of test have fewer points than those of dev: test waited for the end of
/// training. Cost: one query.
std::vector<std::string> tested_at_the_end(Store& store, const std::vector<std::string>& trials);

/// Returns the SHA-256 of data files that trials read, by the trials' names of them;
/// "data.path=NAME" if an option named the file. "" for a file with several contents.
std::map<std::string, std::string> recorded_data(Store& store);

/// Totals over trials, and over the trials whose attempts recorded their time.
struct TrialCosts {
  size_t trials = 0;
  double seconds = 0;           // of all attempts of these trials
  double evaluation_share = 0;  // share of their computing time, 0 to 1; 0 if not measured
  double bytes = 0;             // of their artifacts
  double checkpoint_bytes = 0;  // of the largest checkpoint
};
TrialCosts trial_costs(Store& store, const std::vector<std::string>& trials);

struct MeasuredRate {
  double flops_per_s = 0;  // FLOPs of done trials divided by their training time
  double most_flops = 0;   // FLOPs of the largest of these trials
};
/// Returns nothing if no trial trained. Cost: one query over measurements.
std::optional<MeasuredRate> measured_rate(Store& store);

/// Returns the size of the largest checkpoint [bytes]; 0 without checkpoints.
uint64_t largest_checkpoint(Store& store);

/// Returns the trials of the stages of this name in one sweep, or in all sweeps ("").
std::set<std::string> trials_of_stage(Store& store, const std::string& stage,
                                      const std::string& sweep);

/// A trial that has not ended.
struct IncompleteTrial {
  std::string id, job;
  Json configuration;
};

/// Returns waiting, ready and running trials: the first of each job and configuration, at most
/// `most`. Throws Json::exception if a configuration is not JSON.
std::vector<IncompleteTrial> incomplete_trials(Store& store, int most);

/// Totals of a store, for the head of a page.
struct StoreSummary {
  int64_t done = 0;    // number of done trials
  std::string newest;  // end of the last of them, "2026-01-31T12:34:56.789Z"; empty: unknown
};
StoreSummary summary_of(Store& store);

}  // namespace rethink
