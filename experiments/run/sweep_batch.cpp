#include "experiments/run/sweep_batch.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/clock.h"
#include "core/config/schema.h"
#include "core/error.h"
#include "core/facts/job_facts.h"
#include "core/files/file.h"
#include "core/files/lock.h"
#include "core/files/store_file.h"
#include "core/json.h"
#include "core/message.h"
#include "core/store_files/result_file.h"
#include "core/store_files/trial_folder.h"
#include "core/system/kill_point.h"
#include "core/system/log.h"
#include "core/text.h"
#include "experiments/attempt/checkpoint_folder.h"
#include "experiments/attempt/trial_files.h"
#include "experiments/plan/expand/input_hashes.h"
#include "experiments/plan/needed_files.h"
#include "experiments/plan/plan.h"
#include "experiments/plan/planned_states.h"
#include "experiments/run/attempts/attempt_history.h"
#include "experiments/run/attempts/first_attempt_settings.h"
#include "experiments/run/attempts/libtorch_here.h"
#include "experiments/run/attempts/zygote_runner.h"
#include "experiments/run/folder_ledger.h"
#include "experiments/run/gpu.h"
#include "experiments/run/requests.h"
#include "results/database/database_place.h"
#include "results/folders/foreign_parts.h"
#include "results/folders/store_lock.h"
#include "results/folders/stored_trial.h"
#include "results/folders/sweep_files.h"
#include "results/records/known_trials.h"
#include "results/store/ingest.h"
#include "results/store/left_running.h"
#include "results/store/rebuild.h"
#include "results/upkeep/removed_trials.h"

namespace rethink {
namespace {

constexpr uint64_t kLeastRoom = 256 << 20;  // [bytes]; caches are smaller than their data sets

/// Why `cache` cannot be used; empty if it can.
std::string trouble_of_cache(const std::filesystem::path& cache) {
  if (find_invalid_utf8(cache.string()) != std::string::npos) return "its name is not UTF-8";
  try {
    make_folder_durably(cache);
    const LockProbe locks = probe_locks(cache);
    if (locks.support == LockSupport::not_tried) return locks.problem;
    if (locks.support != LockSupport::works) return "its disk " + locks.problem;
    if (free_disk_bytes(cache) < kLeastRoom)
      return fmt::format("less than {} MiB are free there", kLeastRoom >> 20);
  } catch (const DiskFullError&) {
    return "its disk is full";
  } catch (const MachineError& error) {
    return error.what();
  } catch (const std::filesystem::filesystem_error& error) {
    return error.what();
  }
  return "";
}

/// If only the store's own cache is left, it must be usable.
std::filesystem::path own_cache_folder(const std::filesystem::path& store) {
  const std::filesystem::path own = store / "cache";
  if (const std::string problem = store_folder_problem(own); !problem.empty())
    throw MachineError("store-unusable", problem);
  return own;
}

/// Called before trials run again that are done in the database and whose folders have no attempt
/// any more. Keeps a copy of the database, names these trials (`titles`), and says that their disk
/// may not be mounted. Does nothing without titles. Throws MachineError.
void keep_numbers_of_vanished(const std::filesystem::path& store,
                              const std::vector<std::string>& titles) {
  if (titles.empty()) return;
  constexpr size_t kShown = 5;
  const bool are_all_shown = titles.size() <= kShown;
  const std::vector<std::string> shown(titles.begin(),
                                       are_all_shown ? titles.end() : titles.begin() + kShown);
  const std::filesystem::path copy = keep_database(store);
  log_warning(fmt::format(
      "the folders of {} that the database calls done are missing ({}{}): they run again. If their "
      "disk is not mounted, stop this run, mount it and run `{}`. The database with their numbers "
      "was copied to {}, which --store reads and `{}` removes",
      counted(titles.size(), "trial"), joined(shown), are_all_shown ? "" : ", ...",
      store_command("db rebuild", store), copy.string(), store_command("gc", store)));
}

}  // namespace

std::set<std::string> light_jobs(const Schema& schema) {
  std::set<std::string> light;
  for (const std::string& job : schema.names("job")) {
    if (runs_without_libtorch(job, schema.find("job", job)->facts.as<JobFacts>()))
      light.insert(job);
  }
  return light;
}

std::set<std::string> requested_with_needs(const std::vector<Plan>& plans,
                                           const std::optional<std::set<std::string>>& asked) {
  std::set<std::string> chosen;
  // A sweep's trials are in dependency order, so a pass from the end sees every child before its
  // needs.
  for (const Plan& plan : plans) {
    for (auto planned = plan.trials.rbegin(); planned != plan.trials.rend(); ++planned) {
      const std::string& id = planned->trial.id;
      if (asked && !asked->count(id) && !chosen.count(id)) continue;
      chosen.insert(id);
      for (const auto& [slot, ids] : planned->trial.needs) chosen.insert(ids.begin(), ids.end());
    }
  }
  return chosen;
}

std::filesystem::path log_of_last_attempt(const TrialFolder& folder) {
  const std::vector<int64_t> attempts = folder.attempts();
  if (attempts.empty()) return {};
  // A program writes the reason of its failure to standard error.
  const std::filesystem::path errors = folder.errors(attempts.back());
  for (const std::filesystem::path& log : {errors, folder.log(attempts.back())}) {
    if (std::filesystem::exists(log)) return log;
  }
  return {};
}

SweepBatch::SweepBatch(const std::vector<Plan>& plans, const Schema& schema,
                       const RunChoices& choices, std::filesystem::path store, Store& index)
    : plans_(plans), schema_(schema), choices_(choices), store_(std::move(store)), index_(index) {
  const std::set<std::string> chosen = requested_with_needs(plans_, choices_.trials);
  for (const Plan& plan : plans_) {
    for (const PlannedTrial& planned : plan.trials) {
      const std::string& id = planned.trial.id;
      if (chosen.count(id) && places_.try_emplace(id, trials_.size()).second)
        trials_.push_back(&planned);
    }
  }
  before_.resize(trials_.size(), TrialState::waiting);
}

bool SweepBatch::may_run(size_t place) const {
  return !is_recorded_in_folder(before_[place]);
}

bool SweepBatch::is_settled() const {
  return std::ranges::all_of(before_, is_recorded_in_folder);
}

size_t SweepBatch::num_to_run() const {
  return static_cast<size_t>(
      std::ranges::count_if(before_, [](TrialState state) { return !is_final(state); }));
}

bool SweepBatch::is_unfinished(const Board& board) const {
  return std::ranges::any_of(trials_, [&](const PlannedTrial* planned) {
    const std::string& id = planned->trial.id;
    return board.has(id) && !is_final(board.state(id)) && !board.is_held(id);
  });
}

bool SweepBatch::records(const Plan& plan) const {
  return std::ranges::any_of(plans_, [&](const Plan& own) {
    return own.sweep == plan.sweep && own.profile == plan.profile && own.choice == plan.choice &&
           whole_path(own.file) == whole_path(plan.file);
  });
}

std::vector<std::string> SweepBatch::ids() const {
  std::vector<std::string> all;
  for (const PlannedTrial* planned : trials_) all.push_back(planned->trial.id);
  return all;
}

std::set<std::string> SweepBatch::unfinished_ids() const {
  const auto known = index_.states(ids());
  std::set<std::string> unfinished;
  for (const PlannedTrial* planned : trials_) {
    const auto state = known.find(planned->trial.id);
    if (state == known.end() || !is_recorded_in_folder(state->second))
      unfinished.insert(planned->trial.id);
  }
  return unfinished;
}

std::string SweepBatch::job_with_libtorch() const {
  for (size_t place = 0; place < trials_.size(); ++place) {
    const std::string& job = trials_[place]->trial.job;
    if (may_run(place) && !runs_without_libtorch(job, facts_of(*trials_[place]))) return job;
  }
  return "";
}

SchedulerOptions SweepBatch::scheduler_options() const {
  SchedulerOptions options{.max_trials = choices_.max_trials, .fail_fast = choices_.fail_fast};
  options.store = store_;
  if (!choices_.data.empty()) options.data = std::filesystem::absolute(choices_.data);
  options.cache = usable_cache_folder(store_);
  options.light_jobs = light_jobs(schema_);
  return options;
}

void SweepBatch::record() {
  for (const Plan& plan : plans_) {
    for (const CodeSnapshot& code : plan.code) keep_code(code, store_);
  }
  for (const PlannedTrial* planned : trials_) {
    const std::string& id = planned->trial.id;
    const std::string foreign = foreign_part(trial_folder(store_, id));
    if (!foreign.empty()) {
      foreign_[id] = foreign;
      continue;
    }
    try {
      write_trial(TrialFolder(store_, id), planned->trial);
    } catch (const MachineError& error) {
      // Other trials still run; the state of this trial shows whether it must run.
      if (unwritable_part(trial_folder(store_, id)).empty()) throw;
      log_warning(error.what());
    }
  }
  kill_point("after_trials_written");
  sync_disk(store_);
  for (const PlannedTrial* planned : trials_) cancelled_.insert(planned->trial.id);
  std::vector<SweepFile> files = read_sweep_files(store_);
  for (const Plan& plan : plans_) record_sweep(plan, files);
  kill_point("after_sweeps_written");
  index_.begin();
  put_trials();
  put_sweeps(std::move(files));
  kill_point("before_plan_commit");
  index_.commit();
  kill_point("after_plan_commit");
}

/// Writes new trials, and known trials with other options that are not part of an identity.
void SweepBatch::put_trials() {
  const auto configurations = configurations_of(index_, ids());
  for (const PlannedTrial* planned : trials_) {
    const Trial& trial = planned->trial;
    const auto known = configurations.find(trial.id);
    if (known == configurations.end()) {
      index_.put_trial(to_json(trial), TrialState::waiting);
    } else if (known->second != canonical_json(trial.config)) {
      index_.put_trial(to_json(trial), index_.trial(trial.id)->state);
    }
  }
}

/// `files`: all files of the store. A copy of their members would be the peak of the driver's
/// memory.
void SweepBatch::put_sweeps(std::vector<SweepFile> files) {
  std::erase_if(files, [&](const SweepFile& file) {
    return std::ranges::none_of(plans_, [&](const Plan& plan) {
      return plan.sweep == file.sweep && plan.profile == file.profile;
    });
  });
  for (const Sweep& sweep : united(std::move(files))) index_.put_sweep(sweep);
}

namespace {

/// Gives the record of a run of some trials the command of the record that it replaces. If that was
/// `run`, which takes every trial, it still resumes all of them; if it was `reproduce`, the command
/// of a later `reproduce` stays.
void take_command(const SweepFile& before, SweepFile& file) {
  const auto is_entry = [](const std::string& word) { return word.starts_with(kCommandEntry); };
  const auto entry = std::ranges::find_if(before.with, is_entry);
  if (entry == before.with.end()) {
    std::erase_if(file.with, is_entry);
  } else if (std::ranges::none_of(file.with, is_entry)) {
    file.with.push_back(*entry);
  }
}

}  // namespace

void SweepBatch::record_sweep(const Plan& plan, std::vector<SweepFile>& known) {
  SweepFile file;
  file.sweep = plan.sweep;
  file.profile = plan.profile;
  file.choice = plan.choice;
  file.with = choices_.with;
  file.source = whole_path(plan.file).string();
  std::set<std::string> given_up;
  if (const auto before = sweep_among(known, plan.sweep, plan.profile)) {
    given_up = before->cancelled;
    for (const SweepFile& other : before->files) {
      if (other.choice == file.choice)
        given_up.insert(other.cancelled.begin(), other.cancelled.end());
    }
  }
  for (const PlannedTrial& planned : plan.trials) {
    const std::string& id = planned.trial.id;
    file.members.push_back({id, planned.stage, plan.profile, planned.labels});
    if (given_up.count(id)) {
      file.cancelled.insert(id);
    } else {
      cancelled_.erase(id);
    }
  }
  const auto replaced = std::ranges::find_if(
      known, [&](const SweepFile& other) { return is_same_plan(file, other); });
  if (choices_.trials && replaced != known.end()) take_command(*replaced, file);
  replace_sweep_file(store_, std::move(file), known);
}

/// Whether this user may not write the folder of a trial that must run; the trial then fails.
bool SweepBatch::is_left_alone(size_t place) {
  const std::string problem = unwritable_part(trial_folder(store_, id_at(place)));
  if (problem.empty()) return false;
  foreign_[id_at(place)] = problem;
  before_[place] = TrialState::failed;
  return true;
}

/// Runs a trial that no sweep wanted any more.
void SweepBatch::take_state_of_board(size_t place, Scheduler& scheduler) {
  const std::string& id = id_at(place);
  if (scheduler.board().state(id) == TrialState::cancelled && !cancelled_.count(id)) {
    clear_trial_state(TrialFolder(store_, id).path());
    scheduler.retry(id);
  }
  before_[place] = scheduler.board().state(id);
}

void SweepBatch::prepare(Scheduler* scheduler) {
  const auto is_on_board = [&](const std::string& id) {
    return scheduler && scheduler->board().has(id);
  };
  std::set<std::string> new_ones;
  for (const PlannedTrial* planned : trials_) {
    if (!is_on_board(planned->trial.id)) new_ones.insert(planned->trial.id);
  }
  // This reads trials of all sweeps. For a queued batch (with a scheduler) the first batch has done so.
  if (!scheduler) take_over(index_, store_, left_running(index_, store_, new_ones));
  const auto known = index_.states(ids());
  std::vector<std::string> vanished, wrongly_recorded;
  const auto state_before = [&](const std::string& need) -> std::optional<TrialState> {
    const auto place = places_.find(need);
    return place == places_.end() ? std::nullopt : std::optional(before_[place->second]);
  };
  for (size_t place = 0; place < trials_.size(); ++place) {
    if (is_on_board(id_at(place))) {
      take_state_of_board(place, *scheduler);
      continue;
    }
    const std::string& id = id_at(place);
    const TrialFolder folder(store_, id);
    const auto found = known.find(id);
    TrialState state = found == known.end() ? TrialState::waiting : found->second;
    const bool is_recorded = has_result(state);
    if (foreign_.count(id)) {
      // A done trial needs no check of its folder, which another user may have closed.
      const bool is_left = is_recorded && is_unreadable(folder.path());
      if (is_left)
        log_warning(fmt::format("{}; the trial stays {}", foreign_.at(id), to_text(state)));
      before_[place] = is_left ? state : TrialState::failed;
      continue;
    }
    // The folder decides: a removed or damaged result is made again.
    const bool is_lost = is_recorded && !sound_result(folder.result());
    const bool is_wanted_again = state == TrialState::cancelled && !cancelled_.count(id);
    const bool is_open = !is_recorded_in_folder(state);
    if ((is_lost || is_wanted_again || is_open) && is_left_alone(place)) continue;
    if (is_lost && folder.attempts().empty()) vanished.push_back(title_of(*trials_[place]));
    if (is_lost) note_lost_result(folder);
    if (is_wanted_again) clear_trial_state(folder.path());
    // The scheduler reports a running trial once it has found its worker.
    if (is_lost || is_wanted_again || state == TrialState::running) {
      state = TrialState::waiting;
      wrongly_recorded.push_back(id);
    }
    before_[place] =
        planned_state(trials_[place]->trial, state, cancelled_.contains(id), state_before);
  }
  keep_numbers_of_vanished(store_, vanished);
  for (const std::string& id : wrongly_recorded) index_.set_state(id, TrialState::waiting);
  // Removes the rows of attempts whose files were removed, before new attempts get the same
  // numbers.
  for (size_t place = 0; place < trials_.size(); ++place) {
    const TrialFolder folder(store_, id_at(place));
    if (!is_final(before_[place]) && new_ones.contains(id_at(place)) &&
        index_.attempts(id_at(place)).size() > folder.attempts().size())
      ingest_events(index_, folder.path());
  }
  make_lost_weights_again(scheduler);
}

std::set<std::string> SweepBatch::weights_to_keep() const {
  std::set<std::string> kept = trials_to_keep(plans_, schema_);
  const auto needed = files_needed(plans_, schema_, [](const std::string&) { return true; });
  for (const auto& [id, kinds] : needed) {
    if (kinds.count("weights")) kept.insert(id);
  }
  return kept;
}

std::string SweepBatch::weights_to_wait_for(Scheduler& scheduler) {
  std::string title;
  for (const std::string& id : weights_to_keep()) {
    const Board& board = scheduler.board();
    if (!board.has(id) || is_final(board.state(id))) continue;
    scheduler.keep_weights(id);
    if (title.empty() && scheduler.runs_without_weights(id)) title = title_of(board.trial(id));
  }
  return title;
}

void SweepBatch::make_lost_weights_again(Scheduler* scheduler) {
  keep_weights_ = weights_to_keep();
  const auto state_of = [&](const std::string& id) -> std::optional<TrialState> {
    const auto place = places_.find(id);
    return place == places_.end() ? std::nullopt : std::optional(before_[place->second]);
  };
  const auto again = files_to_make_again(
      plans_, schema_, store_,
      [&](const std::string& id) {
        return state_of(id) == TrialState::done && !foreign_.count(id);
      },
      [&](const std::string& id) { return state_of(id) && !is_final(*state_of(id)); });
  for (const auto& [id, why] : again) {
    const size_t place = places_.at(id);
    if (is_left_alone(place)) continue;
    set_result_aside(TrialFolder(store_, id));
    index_.set_state(id, TrialState::waiting);
    before_[place] = TrialState::waiting;
    if (!scheduler || !scheduler->board().has(id)) continue;
    scheduler->keep_weights(id);
    scheduler->repeat(id);
  }
}

/// From done trials of the same stage; nothing for stages that never ran.
std::map<std::string, double> SweepBatch::expected_seconds() const {
  std::map<std::string, std::pair<double, int>> by_stage;
  for (size_t place = 0; place < trials_.size(); ++place) {
    if (before_[place] != TrialState::done) continue;
    const auto measured = index_.measurements(id_at(place));
    const auto seconds = measured.find("attempt_s");
    if (seconds == measured.end()) continue;
    auto& [sum, count] = by_stage[trials_[place]->stage];
    sum += seconds->second;
    count++;
  }
  std::map<std::string, double> expected;
  for (const auto& [stage, known] : by_stage) expected[stage] = known.first / known.second;
  return expected;
}

/// The trial's own resources with the settings of its first attempt.
StageResources SweepBatch::with_settings(const PlannedTrial& planned,
                                         const FirstAttemptSettings& begun) const {
  StageResources resources = *planned.resources;
  resources.threads = begun.threads;
  resources.deterministic = begun.deterministic;
  resources.device = begun.device;
  resources.keep_weights |= keep_weights_.contains(planned.trial.id);
  return resources;
}

/// Equal ones are one.
Shared<StageResources> SweepBatch::resources_with(const PlannedTrial& planned,
                                                  const FirstAttemptSettings& begun) {
  StageResources resources = with_settings(planned, begun);
  for (const Shared<StageResources>& known : resources_) {
    if (*known == resources) return known;
  }
  return resources_.emplace_back(std::move(resources));
}

/// The winners of done selects among a trial's needs, which the trial needs too.
std::set<std::string> SweepBatch::winners_among_needs(size_t place) const {
  return winners_of_needs(trials_[place]->trial, store_, [&](const std::string& need) {
    return may_run(place) && forwards_files(trials_[places_.at(need)]->trial);
  });
}

const JobFacts& SweepBatch::facts_of(const PlannedTrial& planned) const {
  return schema_.find("job", planned.trial.job)->facts.as<JobFacts>();
}

/// Whether the trial has a GPU and a use for it; otherwise it takes none from others.
bool SweepBatch::may_use_gpu(const PlannedTrial& planned, const UsableGpu& usable) const {
  const JobFacts& facts = facts_of(planned);
  return facts.device != "cpu" && planned.resources->gpus != 0 &&
         (facts.runs_program ? usable.of_programs : usable.of_jobs);
}

/// The settings with which a trial would begin today.
FirstAttemptSettings SweepBatch::wanted(const PlannedTrial& planned,
                                        const UsableGpu& usable) const {
  const StageResources& asked = *planned.resources;
  const std::string device = choices_.device == "auto" ? asked.device : choices_.device;
  const bool on_cpu = facts_of(planned).device == "cpu" || asked.gpus == 0;
  const bool gpu =
      !on_cpu && (device == "cuda" || (device == "auto" && may_use_gpu(planned, usable)));
  return {asked.threads, asked.deterministic, gpu ? "cuda" : "cpu"};
}

/// The same for a machine that is not known yet: auto stays.
FirstAttemptSettings SweepBatch::wanted_elsewhere(const PlannedTrial& planned) const {
  const StageResources& asked = *planned.resources;
  const bool on_cpu = facts_of(planned).device == "cpu" || asked.gpus == 0;
  const std::string device = choices_.device == "auto" ? asked.device : choices_.device;
  return {asked.threads, asked.deterministic, on_cpu ? "cpu" : device};
}

TrialOutlook SweepBatch::outlook_of(size_t place,
                                    const std::map<std::string, double>& expected) const {
  const PlannedTrial& planned = *trials_[place];
  const auto known = expected.find(planned.stage);
  return {.winners = winners_among_needs(place),
          .expected_s = known == expected.end() ? 0 : known->second,
          .beside_memory = facts_of(planned).beside_memory,
          .held = is_at_stop(planned)};
}

/// Returns whether the trial's worker writes a checkpoint when it is stopped. Our own training jobs do; a program does
/// if a trial of its stage has written one.
bool SweepBatch::makes_checkpoints(const PlannedTrial& planned) const {
  const JobFacts& facts = facts_of(planned);
  if (!facts.runs_program)
    return std::ranges::find(facts.outputs, "weights") != facts.outputs.end();
  return std::ranges::any_of(trials_, [&](const PlannedTrial* other) {
    return other->stage == planned.stage && index_.largest_checkpoint(other->trial.id) > 0;
  });
}

PilotPlan SweepBatch::pilot_plan() const {
  PilotPlan plan;
  if (!choices_.data.empty()) plan.data = std::filesystem::absolute(choices_.data);
  plan.fail_fast = choices_.fail_fast;
  for (const Plan& of : plans_) {
    for (const CodeSnapshot& code : of.code) plan.checkouts[code.sha256] = checkout_of(code.folder);
  }
  const auto expected = expected_seconds();
  std::set<std::string> unfinished;
  for (size_t place = 0; place < trials_.size(); ++place) {
    if (may_run(place)) unfinished.insert(id_at(place));
  }
  const auto begun = first_attempt_settings(index_, store_, unfinished);
  std::map<std::string, bool> makes_checkpoints_of;  // stages
  for (size_t place = 0; place < trials_.size(); ++place) {
    if (before_[place] == TrialState::done) continue;
    PilotTrial one{.planned = *trials_[place],
                   .before = before_[place],
                   .outlook = outlook_of(place, expected)};
    const auto [known, is_new] = makes_checkpoints_of.try_emplace(one.planned.stage);
    if (is_new) known->second = makes_checkpoints(one.planned);
    const auto first = begun.find(id_at(place));
    one.goes_on = first != begun.end();
    one.outlook.makes_checkpoints = known->second || one.goes_on;
    one.outlook.resources = with_settings(
        one.planned, first == begun.end() ? wanted_elsewhere(one.planned) : first->second);
    plan.trials.push_back(std::move(one));
  }
  return plan;
}

bool SweepBatch::is_at_stop(const PlannedTrial& planned) const {
  const TrialFolder folder(store_, planned.trial.id);
  return step_at_stop(planned.trial.config, folder.checkpoints()).has_value();
}

void SweepBatch::fill(Scheduler& scheduler, const UsableGpu& usable, int rank, size_t turn) {
  const auto expected = expected_seconds();
  std::set<std::string> unfinished;
  for (size_t place = 0; place < trials_.size(); ++place) {
    if (may_run(place)) unfinished.insert(id_at(place));
  }
  const auto begun = first_attempt_settings(index_, store_, unfinished);
  for (const Plan& plan : plans_) {
    for (const CodeSnapshot& code : plan.code)
      scheduler.add_checkout(code.sha256, checkout_of(code.folder));
  }
  std::vector<std::string> kept;
  for (size_t place = 0; place < trials_.size(); ++place) {
    const PlannedTrial& planned = *trials_[place];
    if (scheduler.board().has(planned.trial.id)) {
      scheduler.prefer(planned.trial.id, rank);
      // Its next attempts get the options of this command, such as `stop_at`.
      scheduler.replace_plan(planned, is_at_stop(planned));
      continue;
    }
    const FirstAttemptSettings now = wanted(planned, usable);
    auto first = begun.find(planned.trial.id);
    if (first != begun.end() && first->second.device == "cuda" && !may_use_gpu(planned, usable))
      first = begun.end();
    const FirstAttemptSettings& with = first == begun.end() ? now : first->second;
    const std::string differs = kept_settings(with, now);
    if (!differs.empty()) kept.push_back(fmt::format("{} ({})", title_of(planned), differs));
    TrialOutlook outlook = outlook_of(place, expected);
    outlook.resources = resources_with(planned, with);
    outlook.rank = rank;
    outlook.turn = turn;
    scheduler.add(planned, before_[place], std::move(outlook));
    if (!may_run(place)) continue;
    scheduler.charge(planned.trial.id, history_of(TrialFolder(store_, planned.trial.id)).charged);
  }
  note_kept(std::move(kept));
}

BadEnd SweepBatch::bad_end(const PlannedTrial& planned, TrialState state) const {
  const std::string& id = planned.trial.id;
  const TrialFolder folder(store_, id);
  BadEnd bad{.trial = id, .title = title_of(planned), .message = "", .state = state, .log = {}};
  if (const auto foreign = foreign_.find(id); foreign != foreign_.end()) {
    bad.message = foreign->second;
    return bad;
  }
  if (const auto row = index_.trial(id)) bad.message = row->message;
  bad.log = log_of_last_attempt(folder);
  return bad;
}

RunReport SweepBatch::report_of(const std::function<TrialState(size_t)>& state_at) const {
  RunReport report;
  report.trials = trials_.size();
  for (size_t place = 0; place < trials_.size(); ++place) {
    const TrialState state = state_at(place);
    report.states[state]++;
    if (is_final(state) && state != TrialState::done)
      report.bad.push_back(bad_end(*trials_[place], state));
  }
  return report;
}

RunReport SweepBatch::report(const Board& board) const {
  RunReport report = report_of([&](size_t place) {
    return board.has(id_at(place)) ? board.state(id_at(place)) : TrialState::done;
  });
  report.held = board.num_held();
  return report;
}

RunReport SweepBatch::report(const Scheduler* scheduler) const {
  RunReport report = report_of([&](size_t place) {
    return scheduler ? scheduler->board().state(id_at(place)) : before_[place];
  });
  if (!scheduler) return report;
  report.held = scheduler->board().num_held();
  report.interrupted = scheduler->stopped();
  report.machine_problem = scheduler->machine_problem();
  report.fault = scheduler->fault();
  return report;
}

std::filesystem::path usable_cache_folder(const std::filesystem::path& store) {
  const std::filesystem::path memory = hash_memory_folder();
  if (memory.empty()) return own_cache_folder(store);
  const std::string trouble = trouble_of_cache(memory.parent_path());
  if (trouble.empty()) return memory.parent_path();
  const std::filesystem::path own = own_cache_folder(store);
  log_info(fmt::format(
      "the cache {} cannot be used ({}): prepared data sets go to {}; XDG_CACHE_HOME can name "
      "another folder",
      memory.parent_path().string(), trouble, own.string()));
  return own;
}

}  // namespace rethink
