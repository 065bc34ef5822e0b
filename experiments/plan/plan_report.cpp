#include "experiments/plan/plan_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/config/configuration.h"
#include "core/config/schema.h"
#include "core/error.h"
#include "core/json.h"
#include "core/trial_state.h"
#include "experiments/attempt/trial.h"
#include "experiments/plan/estimated_flops.h"
#include "experiments/plan/read/overlay.h"
#include "experiments/plan/trial_changes.h"
#include "results/records/known_trials.h"

namespace rethink {
namespace {

/// The number of changes that a report names; further changes are counted.
constexpr size_t kChangesShown = 3;

constexpr size_t kShortId = 8;
constexpr std::string_view kStale = "stale: ";  // before the reason

std::string short_id(const std::string& id) {
  return id.substr(0, kShortId);
}

bool is_need(const Change& change) {
  return change.key.starts_with("needs.");
}

/// Shortens ids and hashes to the length that other parts of a plan use.
Change shortened(Change change) {
  if (is_need(change) || change.key.starts_with("imported.") ||
      change.key.starts_with("contents of ")) {
    for (std::optional<Json>* value : {&change.before, &change.after}) {
      if (*value) *value = short_id((*value)->get<std::string>());
    }
  }
  return change;
}

/// Returns the changes as text. Of candidates, and of the trials of a slot that takes several, the
/// text only says that they changed, since they are too many to list.
std::string nearest_text(const std::vector<Change>& changes) {
  const auto has_blank = [](const std::optional<Json>& value) {
    return value && value->is_string() &&
           value->get_ref<const std::string&>().find(' ') != std::string::npos;
  };
  const bool other_candidates =
      std::ranges::any_of(changes, [](const Change& c) { return c.key == kCandidatesOption; });
  std::vector<Change> shown;
  std::vector<std::string> texts;
  if (other_candidates) texts.push_back("candidates changed");
  for (const Change& change : changes) {
    if (change.key == kCandidatesOption || (is_need(change) && other_candidates)) continue;
    if (is_need(change) && (has_blank(change.before) || has_blank(change.after)))
      texts.push_back(change.key + " changed");
    else
      shown.push_back(shortened(change));
  }
  if (!shown.empty()) texts.insert(texts.begin(), text_of(shown, kChangesShown));
  return joined(texts);
}

/// The facts on which a trial's identity rests, beside its configuration.
struct Provenance {
  Json revisions, data;
};

/// The code of users' programs by its SHA-256, in plans and in the store.
struct CodeOfPlans {
  std::map<std::string, const CodeSnapshot*> planned;
  std::filesystem::path store;

  std::string changes(const std::string& before, const std::string& now) const {
    const auto found = planned.find(now);
    return found == planned.end() ? ""
                                  : changes_of_code(*found->second, code_folder(store, before));
  }
};

/// Returns "under another revision: ..." or "with other data: ..."; "" if a trial with the facts
/// `old` counts as `trial`.
std::string outdated_by(const Provenance& old, const Trial& trial, const CodeOfPlans& code) {
  std::vector<Change> revisions = changes_between(old.revisions, Json(trial.revisions));
  for (Change& change : revisions) {
    if (!change.before) change.before = 1;  // revisions are recorded only if they are above 1
    if (!change.after) change.after = 1;
  }
  if (!revisions.empty()) return "under another revision: " + text_of(revisions, kChangesShown);
  for (const auto& [file, hash] : trial.data) {
    const std::string before = old.data.value(file, hash);
    if (before == hash) continue;
    if (const std::string changes = file == "code" ? code.changes(before, hash) : "";
        !changes.empty())
      return "with other code: " + changes;
    return fmt::format("with other data: {} was {}, is {}", file,
                       short_id(old.data.value(file, "")), short_id(hash));
  }
  return "";
}

/// Compares the done trials of a job with trials that the store lacks, by the parts of their
/// identities.
class DoneTrialsOfJob {
 public:
  /// Requires: `code` outlives this.
  DoneTrialsOfJob(Store& store, const std::string& job, const Schema& schema,
                  const CodeOfPlans& code);

  /// Returns why a done trial of the same configuration does not count; "" if no done trial has the
  /// configuration.
  std::string stale_because(const Trial& trial);

  /// Returns the done trials of the same configuration, with any seeds.
  const std::vector<const DoneTrial*>& alike(const Trial& trial);

  /// The trial among `ids` whose identity differs least, in at most `most` values: options, seed,
  /// needs, imported weights, data and revisions, as `diff` counts them. `of` follows its id in the
  /// text. "" if there is none.
  std::string nearest_to(const Trial& trial, const std::set<std::string>& ids, size_t most,
                         const std::string& of);

 private:
  const Json& identity_of(const DoneTrial& trial);
  const Json& parts_of(const DoneTrial& known);

  Store& store_;
  const Schema& schema_;
  const CodeOfPlans& code_;
  const PluginSchema& job_;
  std::vector<DoneTrial> trials_;
  std::optional<std::map<std::string, std::map<std::string, std::vector<std::string>>>> needs_;
  std::unordered_map<std::string, Json> parts_;  // parts of identities beside the options, by id
  std::map<std::pair<std::string, std::string>, Provenance> provenances_;  // by their texts
  std::unordered_map<std::string_view, Json> identities_;  // by the text of the configuration
  std::unordered_map<std::string, std::vector<const DoneTrial*>> by_identity_;
};

DoneTrialsOfJob::DoneTrialsOfJob(Store& store, const std::string& job, const Schema& schema,
                                 const CodeOfPlans& code)
    : store_(store),
      schema_(schema),
      code_(code),
      job_(*schema.find("job", job)),
      trials_(done_trials(store, job)) {
  for (const DoneTrial& trial : trials_) {
    const auto [place, is_new] = provenances_.try_emplace({trial.revisions, trial.data});
    if (is_new) place->second = {Json::parse(trial.revisions), Json::parse(trial.data)};
  }
}

std::string DoneTrialsOfJob::stale_because(const Trial& trial) {
  const bool any = std::ranges::any_of(provenances_, [&](const auto& one) {
    return !outdated_by(one.second, trial, code_).empty();
  });
  if (!any) return "";
  for (const DoneTrial* old : alike(trial)) {
    if (old->seed != trial.seed) continue;
    const std::string why = outdated_by(provenances_.at({old->revisions, old->data}), trial, code_);
    if (!why.empty()) return fmt::format("{}done as {} {}", kStale, short_id(old->id), why);
  }
  return "";
}

const std::vector<const DoneTrial*>& DoneTrialsOfJob::alike(const Trial& trial) {
  if (by_identity_.empty()) {
    for (const DoneTrial& known : trials_)
      by_identity_[canonical_json(identity_of(known))].push_back(&known);
  }
  return by_identity_[config_identity(trial, schema_)];
}

std::string DoneTrialsOfJob::nearest_to(const Trial& trial, const std::set<std::string>& ids,
                                        size_t most, const std::string& of) {
  const Json identity = hashed_part(trial.config, job_.options, schema_),
             parts = identity_parts(trial);
  std::vector<Change> fewest;
  const DoneTrial* nearest = nullptr;
  for (const DoneTrial& known : trials_) {
    if (!ids.count(known.id)) continue;
    std::vector<Change> changes = changes_between(identity_of(known), identity);
    std::ranges::move(changes_between(parts_of(known), parts), std::back_inserter(changes));
    if (nearest && changes.size() >= fewest.size()) continue;
    nearest = &known;
    fewest = std::move(changes);
  }
  if (!nearest || fewest.size() > most) return "";
  if (std::ranges::all_of(fewest, is_need))
    return fmt::format("needs other trials than {}{}, which has the same configuration",
                       short_id(nearest->id), of);
  return fmt::format("{} (against {}{})", nearest_text(fewest), short_id(nearest->id), of);
}

/// Computed once for all seeds.
const Json& DoneTrialsOfJob::identity_of(const DoneTrial& trial) {
  const auto [place, is_new] = identities_.try_emplace(trial.configuration);
  if (!is_new) return place->second;
  Json whole = Json::parse(trial.configuration);
  try {
    place->second = hashed_part(whole, job_.options, schema_);
  } catch (const std::exception&) {
    place->second = std::move(whole);  // of options or plug-ins that no longer exist
  }
  return place->second;
}

const Json& DoneTrialsOfJob::parts_of(const DoneTrial& known) {
  const auto [place, is_new] = parts_.try_emplace(known.id);
  if (!is_new) return place->second;
  if (!needs_) needs_ = needs_of_done(store_, job_.name);
  Trial trial;
  trial.seed = known.seed;
  if (const auto needs = needs_->find(known.id); needs != needs_->end())
    trial.needs = needs->second;
  trial.data = Json::parse(known.data);
  trial.imported = Json::parse(known.imported);
  trial.revisions = Json::parse(known.revisions);
  return place->second = identity_parts(trial);
}

constexpr double kCheckpointsKept = 2;
constexpr size_t kAnyNumber = static_cast<size_t>(-1);

/// A trial that has ended, and a planned trial of its configuration.
struct EndedTrial {
  std::string id;
  const PlannedTrial* planned = nullptr;
};

class Reporter {
 public:
  Reporter(const Schema& schema, const StoreFacts& known, size_t explained,
           const std::filesystem::path& data)
      : schema_(schema), known_(known), explained_(explained), texts_(data) {
    if (known_.store) attempted_ = attempted_trials(*known_.store);
  }

  PlanReport report;

  void add_code(const Plan& plan) {
    for (const CodeSnapshot& code : plan.code) code_.planned[code.sha256] = &code;
    if (known_.store) code_.store = known_.store->folder();
  }

  void add(const Plan& plan, const PlannedTrial& planned) {
    StageReport& stage = stage_of(plan, planned);
    ++stage.planned;
    const std::string& id = planned.trial.id;
    if (!seen_.insert(id).second) return;
    ++stage.distinct;
    const auto known = known_.states.find(id);
    std::optional<TrialState> state;
    if (known != known_.states.end()) state = known->second;
    const auto again = known_.again.find(id);
    const std::string key = stage.sweep + "\n" + stage.stage;
    if (again != known_.again.end()) repeated_[key].push_back(id);
    if (again != known_.again.end() || (state && has_result(*state)))
      finished_[key].push_back({id, &planned});
    if (again != known_.again.end()) {
      ++stage.to_run;
      report.to_run.push_back({&planned, false, again->second});
    } else if (state && (is_final(*state) || *state == TrialState::running)) {
      ++stage.states[*state];
    } else {
      ++stage.to_run;
      report.to_run.push_back(!state ? reason_for(plan.sweep, planned) : why_unfinished(planned));
      if (report.to_run.back().stale) ++stage.stale;
      waiting_[key].push_back(&planned);
    }
  }

  void estimate() {
    for (StageReport& stage : report.stages) {
      if (stage.to_run == 0) continue;
      const std::string key = stage.sweep + "\n" + stage.stage;
      std::vector<EndedTrial> known = finished_[key];
      TrialCosts costs = costs_of(ids_of(known));
      const TrialCosts before = costs_of(repeated_[key]);
      if (costs.trials == 0) {
        known = done_with_other_seeds(stage);
        costs = costs_of(ids_of(known));
      }
      if (costs.trials == 0) {
        stage.unknown = stage.to_run;
        stage.flops = flops_of(waiting_[key], estimated_flops);
        if (stage.flops)
          stage.evaluation_flops = flops_of(waiting_[key], estimated_evaluation_flops);
        stage.disk = disk_of(waiting_[key]);
        continue;
      }
      const double share =
          static_cast<double>(stage.to_run - before.trials) / static_cast<double>(costs.trials);
      // The done trials of a stage may be small and the waiting ones large.
      const std::optional<double> done = flops_of(planned_trials(known), estimated_flops),
                                  waiting = flops_of(waiting_[key], estimated_flops);
      const bool scales = done && waiting && *done > 0 && before.trials == 0;
      stage.seconds = costs.seconds * (scales ? *waiting / *done : share) + before.seconds;
      stage.evaluation_share = costs.evaluation_share;
      // A repeated trial keeps weights that the first run did not keep. They are no larger than a
      // checkpoint, which contains them.
      stage.bytes = costs.bytes * share + before.bytes +
                    static_cast<double>(before.trials) * costs.checkpoint_bytes;
      stage.checkpoint_bytes = kCheckpointsKept * costs.checkpoint_bytes;
    }
    const bool is_estimated = std::ranges::any_of(
        report.stages, [](const StageReport& stage) { return stage.flops.has_value(); });
    if (known_.store && is_estimated) report.rate = measured_rate(*known_.store);
  }

 private:
  /// Returns nothing if a configuration does not determine the cost.
  std::optional<double> flops_of(const std::vector<const PlannedTrial*>& trials,
                                 decltype(estimated_flops)& estimate) {
    double sum = 0;
    for (const PlannedTrial* planned : trials) {
      const Trial& trial = planned->trial;
      const auto flops = estimate(trial.config, *schema_.find("job", trial.job), schema_, texts_);
      if (!flops) return std::nullopt;
      sum += *flops;
    }
    return sum;
  }

  /// Like flops_of.
  static std::optional<EstimatedDisk> disk_of(const std::vector<const PlannedTrial*>& trials) {
    EstimatedDisk sum;
    for (const PlannedTrial* planned : trials) {
      const auto disk = estimated_disk(planned->trial.config);
      if (!disk) return std::nullopt;
      if (planned->resources->keep_weights) sum.weights += disk->weights;
      sum.checkpoint = std::max(sum.checkpoint, kCheckpointsKept * disk->checkpoint);
    }
    return sum;
  }

  TrialCosts costs_of(const std::vector<std::string>& trials) const {
    return trials.empty() ? TrialCosts() : trial_costs(*known_.store, trials);
  }

  static std::vector<std::string> ids_of(const std::vector<EndedTrial>& known) {
    std::vector<std::string> ids;
    for (const EndedTrial& one : known) ids.push_back(one.id);
    return ids;
  }

  static std::vector<const PlannedTrial*> planned_trials(const std::vector<EndedTrial>& known) {
    std::vector<const PlannedTrial*> trials;
    for (const EndedTrial& one : known) trials.push_back(one.planned);
    return trials;
  }

  /// Done trials that differ only in their seeds from the stage's trials that would run.
  std::vector<EndedTrial> done_with_other_seeds(const StageReport& stage) {
    std::map<std::string, const PlannedTrial*> found;
    for (const RunReason& reason : report.to_run) {
      const Trial& trial = reason.trial->trial;
      if (!known_.store || reason.trial->stage != stage.stage || trial.job != stage.job) continue;
      for (const DoneTrial* known : done_of_job(trial.job).alike(trial))
        found.emplace(known->id, reason.trial);
    }
    std::vector<EndedTrial> all;
    for (const auto& [id, planned] : found) all.push_back({id, planned});
    return all;
  }

  StageReport& stage_of(const Plan& plan, const PlannedTrial& planned) {
    // Trials of a stage follow each other, so the last stage is usually the right one.
    const auto is_stage = [&](const StageReport& stage) {
      return stage.stage == planned.stage && stage.sweep == plan.sweep;
    };
    const auto found = std::find_if(report.stages.rbegin(), report.stages.rend(), is_stage);
    if (found != report.stages.rend()) return *found;
    StageReport stage;
    stage.sweep = plan.sweep;
    stage.stage = planned.stage;
    stage.job = planned.trial.job;
    report.stages.push_back(std::move(stage));
    return report.stages.back();
  }

  RunReason why_unfinished(const PlannedTrial& planned) {
    const std::string& id = planned.trial.id;
    if (known_.begun.contains(id) || attempted_.contains(id))
      return {&planned, false, "was begun and not finished"};
    const std::string stale = done_of_job(planned.trial.job).stale_because(planned.trial);
    if (!stale.empty()) return {&planned, true, stale};
    return {&planned, false, "was planned before and never started"};
  }

  DoneTrialsOfJob& done_of_job(const std::string& name) {
    return jobs_.try_emplace(name, *known_.store, name, schema_, code_).first->second;
  }

  RunReason reason_for(const std::string& sweep, const PlannedTrial& planned) {
    RunReason reason{&planned, false, "new"};
    if (!known_.store) return reason;
    DoneTrialsOfJob& job = done_of_job(planned.trial.job);
    const std::string stale = job.stale_because(planned.trial);
    reason.stale = !stale.empty();
    if (reason.stale) reason.why = stale;
    if (reason.stale || report.to_run.size() >= explained_) return reason;
    std::string nearest =
        job.nearest_to(planned.trial, trials_of(planned.stage, sweep), kAnyNumber, "");
    // A stage of the same name in another sweep may be unrelated to this stage, so few changes are
    // shown. Selects are compared only within the sweep.
    if (nearest.empty() && !planned.trial.config.contains(kCandidatesOption))
      nearest = job.nearest_to(planned.trial, trials_of(planned.stage, ""), kChangesShown,
                               " of another sweep");
    if (!nearest.empty()) reason.why = "new: " + nearest;
    return reason;
  }

  /// Trials in the store of the stages with this name, in one sweep or in all sweeps ("").
  const std::set<std::string>& trials_of(const std::string& stage, const std::string& sweep) {
    const auto [place, is_new] = of_stage_.try_emplace({stage, sweep});
    if (is_new) place->second = trials_of_stage(*known_.store, stage, sweep);
    return place->second;
  }

  const Schema& schema_;
  const StoreFacts& known_;
  const size_t explained_;
  TrainingTexts texts_;
  std::set<std::string> seen_;
  std::set<std::string> attempted_;
  CodeOfPlans code_;
  std::map<std::string, DoneTrialsOfJob> jobs_;
  // Ids in the store, by stage and sweep.
  std::map<std::pair<std::string, std::string>, std::set<std::string>> of_stage_;
  // By sweep and stage: trials that have ended, and those ended trials that run again.
  std::map<std::string, std::vector<EndedTrial>> finished_;
  std::map<std::string, std::vector<std::string>> repeated_;
  std::map<std::string, std::vector<const PlannedTrial*>>
      waiting_;  // trials without an ended attempt, by sweep and stage
};

}  // namespace

std::map<std::string, std::string> stale_trials(const Plan& plan, const Schema& schema,
                                                Store& store) {
  std::vector<std::string> ids;
  for (const PlannedTrial& planned : plan.trials) ids.push_back(planned.trial.id);
  const std::map<std::string, TrialState> known = store.states(ids);
  CodeOfPlans code;
  code.store = store.folder();
  for (const CodeSnapshot& snapshot : plan.code) code.planned[snapshot.sha256] = &snapshot;
  const std::set<std::string> attempted = attempted_trials(store);
  std::map<std::string, DoneTrialsOfJob> jobs;
  std::map<std::string, std::string> stale;
  for (const PlannedTrial& planned : plan.trials) {
    const Trial& trial = planned.trial;
    const auto state = known.find(trial.id);
    const bool is_begun = state != known.end() && state->second != TrialState::waiting &&
                          state->second != TrialState::ready;
    if (trial.id.empty() || is_begun) continue;
    DoneTrialsOfJob& job =
        jobs.try_emplace(trial.job, store, trial.job, schema, code).first->second;
    std::string why = job.stale_because(trial);
    // A run that was stopped has recorded trials that it never began.
    if (!why.empty() && (state == known.end() || !attempted.contains(trial.id)))
      stale.emplace(trial.id, std::move(why));
  }
  return stale;
}

std::string stale_text(const std::map<std::string, std::string>& stale) {
  if (stale.empty()) return "";
  const auto& [id, why] = *stale.begin();
  const std::string done = why.substr(kStale.size());
  return stale.size() == 1
             ? fmt::format("1 trial is {}{}", kStale, done)
             : fmt::format("{} trials are stale, such as {}: {}", stale.size(), short_id(id), done);
}

size_t StageReport::in(TrialState state) const {
  const auto found = states.find(state);
  return found == states.end() ? 0 : static_cast<size_t>(found->second);
}

StageReport PlanReport::total() const {
  StageReport sum;
  for (const StageReport& stage : stages) {
    sum.planned += stage.planned;
    sum.distinct += stage.distinct;
    for (const auto& [state, trials] : stage.states) sum.states[state] += trials;
    sum.to_run += stage.to_run;
    sum.stale += stage.stale;
    sum.unknown += stage.unknown;
    if (stage.seconds) {
      const double before = sum.seconds.value_or(0), all = before + *stage.seconds;
      if (all > 0)
        sum.evaluation_share =
            (before * sum.evaluation_share + *stage.seconds * stage.evaluation_share) / all;
      sum.seconds = all;
    }
    if (stage.bytes) sum.bytes = sum.bytes.value_or(0) + *stage.bytes;
    if (stage.checkpoint_bytes)
      sum.checkpoint_bytes = std::max(sum.checkpoint_bytes.value_or(0), *stage.checkpoint_bytes);
  }
  return sum;
}

PlanReport report_plans(const std::vector<Plan>& plans, const Schema& schema,
                        const StoreFacts& known, size_t explained,
                        const std::filesystem::path& data) {
  Reporter reporter(schema, known, explained, data);
  for (const Plan& plan : plans) {
    reporter.add_code(plan);
    for (const PlannedTrial& planned : plan.trials) reporter.add(plan, planned);
  }
  reporter.estimate();
  return std::move(reporter.report);
}

}  // namespace rethink
