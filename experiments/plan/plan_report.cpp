#include "experiments/plan/plan_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/config/schema.h"
#include "core/json.h"
#include "core/text.h"
#include "experiments/plan/known_job.h"
#include "experiments/plan/needed_files.h"
#include "experiments/plan/read/overlay.h"
#include "results/query/known_trials.h"
#include "results/store/settle.h"

namespace rethink {
namespace {

constexpr double kCheckpointsKept = 2;
constexpr size_t kAnyNumber = static_cast<size_t>(-1);

std::map<std::string, Json> leaves_by_name(const Json& object) {
  std::map<std::string, Json> leaves;
  each_leaf(object, [&](const std::string& key, const Json& value) { leaves[key] = value; });
  return leaves;
}

/// Whether a trial that it needs has ended and cannot be what it needs.
bool has_lost_need(const Trial& trial, const Schema& schema,
                   const std::map<std::string, TrialState>& states) {
  if (trial.needs.empty()) return false;
  const std::set<std::string> may = slots_that_may_diverge(trial, schema);
  for (const auto& [slot, ids] : trial.needs) {
    for (const std::string& id : ids) {
      const auto known = states.find(id);
      if (known != states.end() &&
          need_state(known->second, may.count(slot) > 0) == NeedState::lost)
        return true;
    }
  }
  return false;
}

class Reporter {
 public:
  Reporter(const Schema& schema, const StoreFacts& known, size_t explained)
      : schema_(schema), known_(known), explained_(explained) {}

  PlanReport report;

  void add(const Plan& plan, const PlannedTrial& planned) {
    StageReport& stage = stage_of(plan, planned);
    ++stage.planned;
    const std::string& id = planned.trial.id;
    if (!seen_.insert(id).second) return;
    ++stage.distinct;
    const auto known = known_.states.find(id);
    const TrialState state = known == known_.states.end() ? "" : known->second;
    const auto again = known_.again.find(id);
    const std::string key = stage.sweep + "\n" + stage.stage;
    if (again != known_.again.end()) repeated_[key].push_back(id);
    if (again != known_.again.end() || state == "done" || state == "diverged")
      finished_[key].push_back(id);
    if (again != known_.again.end()) {
      ++stage.to_run;
      report.to_run.push_back({&planned, false, again->second});
    } else if (state == "done" || state == "diverged") {
      ++(state == "done" ? stage.done : stage.diverged);
    } else if (state == "running") {
      ++stage.running;
    } else if (state == "failed" || state == "cancelled") {
      ++(state == "failed" ? stage.failed : stage.cancelled);
    } else if (state == "blocked") {
      ++stage.blocked;
    } else {
      ++stage.to_run;
      report.to_run.push_back(state.empty() ? reason_for(plan.sweep, planned)
                                            : RunReason{&planned, false, why_unfinished(id)});
      if (report.to_run.back().stale) ++stage.stale;
    }
  }

  void estimate() {
    for (StageReport& stage : report.stages) {
      if (stage.to_run == 0) continue;
      const std::string key = stage.sweep + "\n" + stage.stage;
      TrialCosts costs = costs_of(finished_[key]);
      const TrialCosts before = costs_of(repeated_[key]);
      if (costs.trials == 0) costs = costs_of_other_seeds(stage);
      if (costs.trials == 0) stage.unknown = stage.to_run;
      if (costs.trials == 0) continue;
      const double share =
          static_cast<double>(stage.to_run - before.trials) / static_cast<double>(costs.trials);
      stage.seconds = costs.seconds * share + before.seconds;
      // What is made again is weights, of which the first time kept none: a checkpoint holds them.
      stage.bytes = costs.bytes * share + before.bytes +
                    static_cast<double>(before.trials) * costs.checkpoint_bytes;
      stage.checkpoint_bytes = kCheckpointsKept * costs.checkpoint_bytes;
    }
  }

 private:
  TrialCosts costs_of(const std::vector<std::string>& trials) const {
    return trials.empty() ? TrialCosts() : trial_costs(*known_.store, trials);
  }

  /// Of done trials that differ in their seeds alone from those of the stage that would run.
  TrialCosts costs_of_other_seeds(const StageReport& stage) {
    std::set<std::string> ids;
    for (const RunReason& reason : report.to_run) {
      const Trial& trial = reason.trial->trial;
      if (!known_.store || reason.trial->stage != stage.stage || trial.job != stage.job) continue;
      for (const KnownTrial* known : known_job(trial.job).alike(trial)) ids.insert(known->id);
    }
    return costs_of({ids.begin(), ids.end()});
  }

  StageReport& stage_of(const Plan& plan, const PlannedTrial& planned) {
    // Trials of a stage follow each other, so the last stage is nearly always the one.
    const auto is_it = [&](const StageReport& stage) {
      return stage.stage == planned.stage && stage.sweep == plan.sweep;
    };
    const auto found = std::find_if(report.stages.rbegin(), report.stages.rend(), is_it);
    if (found != report.stages.rend()) return *found;
    StageReport stage;
    stage.sweep = plan.sweep;
    stage.stage = planned.stage;
    stage.job = planned.trial.job;
    report.stages.push_back(std::move(stage));
    return report.stages.back();
  }

  std::string why_unfinished(const std::string& id) const {
    const bool was_begun = known_.begun.contains(id) || !known_.store->attempts(id).empty();
    return was_begun ? "was begun and not finished" : "was planned before and never started";
  }

  KnownJob& known_job(const std::string& name) {
    return jobs_.try_emplace(name, *known_.store, name, schema_).first->second;
  }

  RunReason reason_for(const std::string& sweep, const PlannedTrial& planned) {
    RunReason reason{&planned, false, "new"};
    if (!known_.store) return reason;
    KnownJob& job = known_job(planned.trial.job);
    const std::string stale = job.stale_because(planned.trial);
    reason.stale = !stale.empty();
    if (reason.stale) reason.why = stale;
    if (reason.stale || report.to_run.size() >= explained_) return reason;
    std::string nearest =
        job.nearest_to(planned.trial, trials_of(planned.stage, sweep), kAnyNumber, "");
    // A stage of the same name in another sweep may be another thing altogether; what there is to
    // choose among always is.
    if (nearest.empty() && !planned.trial.config.contains(kCandidatesOption))
      nearest = job.nearest_to(planned.trial, trials_of(planned.stage, ""), kChangesShown,
                               " of another sweep");
    if (!nearest.empty()) reason.why = "new: " + nearest;
    return reason;
  }

  /// In the store, of the stages of this name in one sweep, or in whatever sweep ("").
  const std::set<std::string>& trials_of(const std::string& stage, const std::string& sweep) {
    const auto [place, is_new] = of_stage_.try_emplace({stage, sweep});
    if (is_new) place->second = trials_of_stage(*known_.store, stage, sweep);
    return place->second;
  }

  const Schema& schema_;
  const StoreFacts& known_;
  const size_t explained_;
  std::set<std::string> seen_;
  std::map<std::string, KnownJob> jobs_;
  // Ids in the store, by stage and sweep.
  std::map<std::pair<std::string, std::string>, std::set<std::string>> of_stage_;
  // Ids by sweep and stage: those that have ended, and those of them that run again.
  std::map<std::string, std::vector<std::string>> finished_, repeated_;
};

}  // namespace

std::vector<Change> changes_between(const Json& before, const Json& after) {
  const std::map<std::string, Json> old_leaves = leaves_by_name(before),
                                    new_leaves = leaves_by_name(after);
  std::vector<Change> changes;
  for (const auto& [key, value] : old_leaves) {
    const auto other = new_leaves.find(key);
    if (other == new_leaves.end())
      changes.push_back({key, value, std::nullopt});
    else if (other->second != value)
      changes.push_back({key, value, other->second});
  }
  for (const auto& [key, value] : new_leaves) {
    if (!old_leaves.count(key)) changes.push_back({key, std::nullopt, value});
  }
  return changes;
}

std::string values_of(const Change& change) {
  const auto text = [](const std::optional<Json>& value) {
    return value ? one_line(text_of(*value)) : "nothing";
  };
  return text(change.before) + " -> " + text(change.after);
}

std::string text_of(const std::vector<Change>& changes, size_t shown) {
  std::string text;
  for (size_t i = 0; i < std::min(shown, changes.size()); ++i) {
    text += fmt::format("{}{} {}", i ? ", " : "", changes[i].key, values_of(changes[i]));
  }
  if (changes.size() > shown) text += fmt::format(" and {} more", changes.size() - shown);
  return text;
}

StageReport PlanReport::total() const {
  StageReport sum;
  for (const StageReport& stage : stages) {
    sum.planned += stage.planned;
    sum.distinct += stage.distinct;
    sum.done += stage.done;
    sum.diverged += stage.diverged;
    sum.running += stage.running;
    sum.failed += stage.failed;
    sum.cancelled += stage.cancelled;
    sum.blocked += stage.blocked;
    sum.to_run += stage.to_run;
    sum.stale += stage.stale;
    sum.unknown += stage.unknown;
    if (stage.seconds) sum.seconds = sum.seconds.value_or(0) + *stage.seconds;
    if (stage.bytes) sum.bytes = sum.bytes.value_or(0) + *stage.bytes;
    if (stage.checkpoint_bytes)
      sum.checkpoint_bytes = std::max(sum.checkpoint_bytes.value_or(0), *stage.checkpoint_bytes);
  }
  return sum;
}

std::map<std::string, TrialState> states_of(const std::vector<Plan>& plans, const Schema& schema,
                                            const Store* store) {
  if (!store) return {};
  std::vector<std::string> ids;
  for (const Plan& plan : plans) {
    for (const PlannedTrial& planned : plan.trials) ids.push_back(planned.trial.id);
  }
  std::map<std::string, TrialState> states = store->states(ids);
  // As a run works it out: from the needs, whatever the state was when it ended.
  for (const Plan& plan : plans) {
    for (const PlannedTrial& planned : plan.trials) {
      const auto known = states.find(planned.trial.id);
      const TrialState before = known == states.end() ? "" : known->second;
      if (!before.empty() && before != "waiting" && before != "ready" && before != "blocked")
        continue;
      if (has_lost_need(planned.trial, schema, states)) {
        states[planned.trial.id] = "blocked";
      } else if (before == "blocked") {
        known->second = "waiting";
      }
    }
  }
  return states;
}

PlanReport report_plans(const std::vector<Plan>& plans, const Schema& schema,
                        const StoreFacts& known, size_t explained) {
  Reporter reporter(schema, known, explained);
  for (const Plan& plan : plans) {
    for (const PlannedTrial& planned : plan.trials) reporter.add(plan, planned);
  }
  reporter.estimate();
  return std::move(reporter.report);
}

}  // namespace rethink
