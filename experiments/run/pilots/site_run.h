// The work of `rethink run SWEEP --site NAME` without its output: records the sweeps, reads what
// pilots did, submits missing pilots, and reports what is left. It runs no trial itself.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/config/schema.h"
#include "experiments/plan/plan.h"
#include "experiments/run/pilots/pilot_plan.h"
#include "experiments/run/pilots/store_pilots.h"
#include "experiments/run/sweep_run.h"
#include "experiments/site/site.h"
#include "results/store/store.h"

namespace rethink {

/// A pilot's job that has not ended.
struct PilotJob {
  std::string job;
  JobStatus status{};
};

struct SiteState {
  RunReport report;
  bool has_ended = false;                // nothing is left to run
  std::vector<std::string> submitted{};  // jobs submitted by this look
  std::vector<PilotJob> pilots{};        // on these trials at this site, without new submissions
  std::vector<StorePilot> others{};      // on some of them: at other sites, or of an older plan
};

class SiteRun {
 public:
  /// `words` are the program that a job runs and its arguments; the name of the pilots' set is
  /// appended. Everything but the words and the site must outlive the object.
  SiteRun(const std::vector<Plan>& plans, const Schema& schema, const RunChoices& choices,
          Site site, std::vector<std::string> words);

  /// Records trials and sweeps, then writes a plan for the pilots, then submits their jobs; each is
  /// durable. Throws MachineError if the store is in use, or if the pilots of an earlier submission
  /// ended without running a trial, and as Engine::submit.
  SiteState look();
  /// Reads what pilots changed, unless another command uses the store.
  void take_in();
  /// Returns how many pilots on these trials have not ended, by the engine's answer.
  size_t num_alive();

 private:
  struct Set;
  std::vector<Set> look_at_sets();
  std::map<std::string, JobStatus> states_of(const Site& site,
                                             const std::vector<std::string>& jobs);
  void take_in_sets(Store& index, const std::vector<Set>& sets);
  bool covers(const Set& set, const std::set<std::string>& trials) const;
  void add_others(const Set& set, const std::set<std::string>& trials,
                  std::vector<StorePilot>& others) const;
  void submit(PilotPlan plan, int count, SiteState& state);

  const std::vector<Plan>& plans_;
  const Schema& schema_;
  const RunChoices& choices_;
  const std::filesystem::path store_;
  Site site_;
  std::vector<std::string> words_;
  Engines engines_;
  std::vector<std::string> alive_;  // jobs, by the last look
  bool has_warned_ = false;         // of the store's disk
};

}  // namespace rethink
