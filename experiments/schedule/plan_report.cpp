#include "experiments/schedule/plan_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "core/utf8.h"
#include "experiments/schedule/overlay.h"
#include "results/known_trials.h"

namespace rethink {
namespace {

constexpr double kCheckpointsKept = 2;
constexpr size_t kShortId = 8;
constexpr size_t kChangesShown = 3;

std::map<std::string, std::string> leaves_of(const Json& object) {
  std::map<std::string, std::string> leaves;
  each_leaf(object,
            [&](const std::string& key, const Json& value) { leaves[key] = text_of(value); });
  return leaves;
}

/// The trials of one job in the store, to compare those with that it does not have.
class KnownJob {
 public:
  KnownJob(Store& store, const std::string& job) : trials_(known_trials(store, job)) {
    for (size_t i = 0; i < trials_.size(); ++i) {
      if (trials_[i].state == "done")
        by_config_.emplace(key(trials_[i].configuration, trials_[i].seed), i);
    }
  }

  /// Why a done trial of the same configuration does not count; "" when there is none.
  std::string stale_because(const Trial& trial) const {
    const auto [begin, end] = by_config_.equal_range(key(trial.config.dump(), trial.seed));
    for (auto candidate = begin; candidate != end; ++candidate) {
      const KnownTrial& old = trials_[candidate->second];
      std::vector<Change> revisions =
          changes_between(Json::parse(old.revisions), Json(trial.revisions));
      for (Change& change : revisions) {
        if (change.before == "nothing")
          change.before = "1";  // revisions are noted where they are above 1
        if (change.after == "nothing") change.after = "1";
      }
      if (!revisions.empty()) {
        return fmt::format("stale: done as {} under another revision: {}", short_id(old.id),
                           text_of(revisions, kChangesShown));
      }
      for (const auto& [file, hash] : trial.data) {
        const Json data = Json::parse(old.data);
        if (data.value(file, hash) == hash) continue;
        return fmt::format("stale: done as {} with other data: {} was {}, is {}", short_id(old.id),
                           file, data.value(file, "").substr(0, kShortId),
                           hash.substr(0, kShortId));
      }
    }
    return "";
  }

  /// The done trial among `ids` whose configuration differs least.
  std::string nearest_to(const Trial& trial, const std::set<std::string>& ids) {
    if (configs_.empty()) {
      for (const KnownTrial& known : trials_) configs_.push_back(Json::parse(known.configuration));
    }
    std::vector<Change> fewest;
    const KnownTrial* nearest = nullptr;
    for (size_t i = 0; i < trials_.size(); ++i) {
      if (trials_[i].state != "done" || !ids.count(trials_[i].id)) continue;
      std::vector<Change> changes = changes_between(configs_[i], trial.config);
      if (trials_[i].seed != trial.seed) {
        const auto text = [](std::optional<int64_t> seed) {
          return seed ? std::to_string(*seed) : "nothing";
        };
        changes.push_back({"seed", text(trials_[i].seed), text(trial.seed)});
      }
      if (nearest && changes.size() >= fewest.size()) continue;
      nearest = &trials_[i];
      fewest = std::move(changes);
    }
    if (!nearest) return "";
    if (fewest.empty())
      return fmt::format("needs other trials than {}, which has the same configuration",
                         short_id(nearest->id));
    const bool other_candidates = std::erase_if(fewest, [](const Change& change) {
                                    return change.key == kCandidatesOption;
                                  }) > 0;
    std::string text = text_of(fewest, kChangesShown);
    if (other_candidates) text += text.empty() ? "candidates changed" : ", candidates changed";
    return fmt::format("{} (against {})", text, short_id(nearest->id));
  }

 private:
  static std::string key(const std::string& configuration, std::optional<int64_t> seed) {
    return configuration + (seed ? std::to_string(*seed) : "-");
  }
  static std::string short_id(const std::string& id) { return id.substr(0, kShortId); }

  std::vector<KnownTrial> trials_;
  std::vector<Json> configs_;  // of trials_, parsed when first needed
  std::unordered_multimap<std::string, size_t> by_config_;
};

class Reporter {
 public:
  Reporter(Store* store, const std::map<std::string, TrialState>& states, size_t explained,
           const std::map<std::string, std::string>& again)
      : store_(store), states_(states), explained_(explained), again_(again) {}

  PlanReport report;

  void add(const Plan& plan, const PlannedTrial& planned) {
    StageReport& stage = stage_of(plan, planned);
    ++stage.planned;
    const std::string& id = planned.trial.id;
    if (!seen_.insert(id).second) return;
    ++stage.distinct;
    const auto known = states_.find(id);
    const TrialState state = known == states_.end() ? "" : known->second;
    const auto again = again_.find(id);
    const std::string key = stage.sweep + "\n" + stage.stage;
    if (again != again_.end()) repeated_[key].push_back(id);
    if (again != again_.end() || state == "done" || state == "diverged")
      finished_[key].push_back(id);
    if (again != again_.end()) {
      ++stage.to_run;
      report.to_run.push_back({&planned, false, again->second});
    } else if (state == "done" || state == "diverged") {
      ++(state == "done" ? stage.done : stage.diverged);
    } else if (state == "running") {
      ++stage.running;
    } else if (state == "failed" || state == "cancelled") {
      ++(state == "failed" ? stage.failed : stage.cancelled);
    } else {
      ++stage.to_run;
      report.to_run.push_back(state.empty()
                                  ? reason_for(plan.sweep, planned)
                                  : RunReason{&planned, false, why_unfinished(id, state)});
      if (report.to_run.back().stale) ++stage.stale;
    }
  }

  void estimate() {
    for (StageReport& stage : report.stages) {
      if (stage.to_run == 0) continue;
      const std::string key = stage.sweep + "\n" + stage.stage;
      const TrialCosts costs = costs_of(finished_[key]), before = costs_of(repeated_[key]);
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
    return trials.empty() ? TrialCosts() : trial_costs(*store_, trials);
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

  std::string why_unfinished(const std::string& id, const TrialState& state) const {
    if (state == "blocked") return "waits for a trial that failed";
    return store_->attempts(id).empty() ? "was planned before and never started"
                                        : "was begun and not finished";
  }

  RunReason reason_for(const std::string& sweep, const PlannedTrial& planned) {
    RunReason reason{&planned, false, "new"};
    if (!store_) return reason;
    const std::string& name = planned.trial.job;
    KnownJob& job = jobs_.try_emplace(name, *store_, name).first->second;
    const std::string stale = job.stale_because(planned.trial);
    reason.stale = !stale.empty();
    if (reason.stale) reason.why = stale;
    if (reason.stale || report.to_run.size() >= explained_) return reason;
    // What there is to choose among is another thing in every sweep.
    const bool chooses = planned.trial.config.contains(kCandidatesOption);
    const auto key = std::make_pair(planned.stage, chooses ? sweep : "");
    auto of_stage = of_stage_.find(key);
    if (of_stage == of_stage_.end())
      of_stage = of_stage_.emplace(key, trials_of_stage(*store_, key.first, key.second)).first;
    const std::string nearest = job.nearest_to(planned.trial, of_stage->second);
    if (!nearest.empty()) reason.why = "new: " + nearest;
    return reason;
  }

  Store* store_;
  const std::map<std::string, TrialState>& states_;
  const size_t explained_;
  const std::map<std::string, std::string>& again_;
  std::set<std::string> seen_;
  std::map<std::string, KnownJob> jobs_;
  // Ids in the store, by stage and sweep.
  std::map<std::pair<std::string, std::string>, std::set<std::string>> of_stage_;
  // Ids by sweep and stage: those that have ended, and those of them that run again.
  std::map<std::string, std::vector<std::string>> finished_, repeated_;
};

}  // namespace

std::vector<Change> changes_between(const Json& before, const Json& after) {
  const std::map<std::string, std::string> old_leaves = leaves_of(before),
                                           new_leaves = leaves_of(after);
  std::vector<Change> changes;
  for (const auto& [key, value] : old_leaves) {
    const auto other = new_leaves.find(key);
    const std::string now = other == new_leaves.end() ? "nothing" : other->second;
    if (now != value) changes.push_back({key, value, now});
  }
  for (const auto& [key, value] : new_leaves) {
    if (!old_leaves.count(key)) changes.push_back({key, "nothing", value});
  }
  return changes;
}

std::string text_of(const std::vector<Change>& changes, size_t shown) {
  std::string text;
  for (size_t i = 0; i < std::min(shown, changes.size()); ++i) {
    text += fmt::format("{}{} {} -> {}", i ? ", " : "", changes[i].key, one_line(changes[i].before),
                        one_line(changes[i].after));
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

std::map<std::string, TrialState> states_of(const std::vector<Plan>& plans, const Store* store) {
  if (!store) return {};
  std::vector<std::string> ids;
  for (const Plan& plan : plans) {
    for (const PlannedTrial& planned : plan.trials) ids.push_back(planned.trial.id);
  }
  return store->states(ids);
}

PlanReport report_plans(const std::vector<Plan>& plans,
                        const std::map<std::string, TrialState>& states, Store* store,
                        size_t explained, const std::map<std::string, std::string>& again) {
  Reporter reporter(store, states, explained, again);
  for (const Plan& plan : plans) {
    for (const PlannedTrial& planned : plan.trials) reporter.add(plan, planned);
  }
  reporter.estimate();
  return std::move(reporter.report);
}

}  // namespace rethink
