#include "experiments/run/sweep_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "core/clock.h"
#include "core/config/schema.h"
#include "core/error.h"
#include "core/format/result_file.h"
#include "core/format/trial_folder.h"
#include "core/json.h"
#include "core/message.h"
#include "core/system/file.h"
#include "core/system/kill_point.h"
#include "core/system/lock.h"
#include "core/system/log.h"
#include "core/system/store_file.h"
#include "core/text.h"
#include "experiments/attempt/checkpoint_folder.h"
#include "experiments/attempt/trial_files.h"
#include "experiments/plan/expand/input_hashes.h"
#include "experiments/plan/needed_files.h"
#include "experiments/plan/plan.h"
#include "experiments/run/attempt_history.h"
#include "experiments/run/begun_with.h"
#include "experiments/run/folder_ledger.h"
#include "experiments/run/gpu.h"
#include "experiments/run/requests.h"
#include "experiments/run/zygote_runner.h"
#include "results/database/database_place.h"
#include "results/folders/foreign_parts.h"
#include "results/folders/store_lock.h"
#include "results/folders/stored_trial.h"
#include "results/folders/sweep_files.h"
#include "results/query/known_trials.h"
#include "results/store/left_running.h"
#include "results/store/rebuild.h"
#include "results/upkeep/removed_trials.h"

namespace rethink {
namespace {

constexpr uint64_t kLeastRoom = 256 << 20;  // [bytes]; caches take less than their data sets

/// Why `cache` cannot be used; empty: it can.
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

/// Where only the store's own is left, it must be one.
std::filesystem::path own_cache_folder(const std::filesystem::path& store) {
  const std::filesystem::path own = store / "cache";
  if (const std::string problem = store_folder_problem(own); !problem.empty())
    throw MachineError(problem);
  return own;
}

/// The user's cache, $XDG_CACHE_HOME/rethink or ~/.cache/rethink; STORE/cache where there is none, or
/// where it cannot be made, written or locked or has little room, which a line of the log says. Throws
/// MachineError where STORE/cache is needed and is no folder.
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

/// Before trials run again that are done in the database and whose folders have no attempt any more, and
/// their rows go: keeps a copy of the database, and says which trials they are (`titles`) and that their
/// disk may only not be mounted. Nothing without titles. Throws MachineError.
void keep_numbers_of_vanished(const std::filesystem::path& store,
                              const std::vector<std::string>& titles) {
  if (titles.empty()) return;
  constexpr size_t kShown = 5;
  const bool are_all_shown = titles.size() <= kShown;
  const std::vector<std::string> shown(titles.begin(),
                                       are_all_shown ? titles.end() : titles.begin() + kShown);
  const std::filesystem::path copy = keep_database(store);
  log_warning(fmt::format(
      "the folders of {} that the database calls done are gone ({}{}): they run again. If their "
      "disk is not mounted, stop this run, mount it and run `{}`. The database with their numbers "
      "was copied to {}, which --store reads and `{}` removes",
      counted(titles.size(), "trial"), joined(shown), are_all_shown ? "" : ", ...",
      store_command("db rebuild", store), copy.string(), store_command("gc", store)));
}

Store open_index(const std::filesystem::path& store) {
  set_kill_point_folder(store);
  for (const std::string& trouble : finish_earlier_removals(store))
    log_warning("left by an earlier rm: " + trouble);
  return Store(store, Store::Access::write);
}

/// Nobody else would notice: a lock that the disk grants to everybody looks like one that is held.
void warn_of_locks_granted_twice(const std::filesystem::path& store) {
  const LockProbe locks = probe_locks(store);
  if (locks.support != LockSupport::keeps_nobody_out) return;
  log_warning(fmt::format(
      "{}: its disk {}: commands that run at the same time may run one trial twice and "
      "damage the database (`{}` makes it again); put the store on a local disk (--store)",
      store.string(), locks.problem, store_command("db rebuild", store)));
}

/// One run, from the lock to the report.
class SweepRun {
 public:
  SweepRun(const std::vector<Plan>& plans, const Schema& schema, const RunChoices& choices)
      : plans_(plans),
        schema_(schema),
        choices_(choices),
        store_(std::filesystem::absolute(choices.store)),
        lock_(StoreLock::take(store_, "run")),
        index_(open_index(store_)) {
    if (const std::string trouble = trouble_of_database_place(store_); !trouble.empty())
      log_warning(trouble);
    warn_of_locks_granted_twice(store_);
    const std::set<std::string> chosen = chosen_trials();
    for (const Plan& plan : plans_) {
      for (const PlannedTrial& planned : plan.trials) {
        const std::string& id = planned.trial.id;
        if (chosen.count(id) && planned_.try_emplace(id, &planned).second) order_.push_back(id);
      }
    }
  }

  RunReport run(SchedulerListener& listener, const std::atomic<int>& signals) {
    index_.wait_while([&signals] { return signals.load() < 2; });  // Ctrl-C twice
    for (const std::string& text : answer_requests(store_, index_, nullptr)) listener.told(text);
    record_plans();
    take_over(index_, store_, left_running(index_, store_, {order_.begin(), order_.end()}));
    prepare_states();
    const std::vector<Gpu> gpus = find_gpus().gpus;
    Slots slots(choices_.slots, usable_cores(), gpus, usable_cpus());
    FolderLedger ledger(store_, index_, &lock_);
    // A run with nothing to do needs no worker.
    if (std::ranges::none_of(order_, [&](const std::string& id) { return may_run(id); }))
      return report(nullptr);
    cache_ = usable_cache_folder(store_);
    std::optional<ZygoteRunner> processes;
    if (!choices_.runner) processes.emplace(choices_.programs / "rethink-worker", schema_.build_id);
    Scheduler scheduler(ledger, processes ? *processes : *choices_.runner, slots, listener,
                        {.max_trials = choices_.max_trials, .fail_fast = choices_.fail_fast},
                        monotonic_seconds);
    fill(scheduler,
         !gpus.empty() && std::filesystem::exists(choices_.programs / "librethink_cuda.so"));
    int seen = 0;
    scheduler.run([&] {
      for (; seen < std::min(signals.load(), 2); ++seen) scheduler.stop();
      ledger.commit();
      for (const std::string& text : answer_requests(store_, index_, &scheduler))
        listener.told(text);
    });
    return report(&scheduler);
  }

 private:
  /// What is blocked may be so no longer.
  bool may_run(const std::string& id) const { return !folder_says(before_.at(id)); }

  std::set<std::string> chosen_trials() const;
  Trial recorded(const std::string& id) const;
  void record_plans();
  void put_trials();
  void record_sweep(const Plan& plan, std::vector<SweepFile>& known);
  void prepare_states();
  bool is_left_alone(const std::string& id);
  void make_lost_weights_again();
  std::map<std::string, double> expected_seconds() const;
  void fill(Scheduler& scheduler, bool any_gpu);
  BegunWith wanted(const PlannedTrial& planned, bool any_gpu) const;
  ScheduledTrial scheduled(const PlannedTrial& planned, const BegunWith& begun) const;
  RunReport report(const Scheduler* scheduler) const;
  BadEnd bad_end(const std::string& id, TrialState state) const;

  const std::vector<Plan>& plans_;
  const Schema& schema_;
  const RunChoices& choices_;
  std::filesystem::path store_;
  StoreLock lock_;
  Store index_;
  std::filesystem::path cache_;  // of prepared data, once something may run
  std::map<std::string, const PlannedTrial*> planned_;
  std::vector<std::string> order_;
  std::map<std::string, TrialState> before_;
  std::set<std::string> cancelled_;  // that no sweep of this run wants
  std::set<std::string> keep_weights_;
  std::map<std::string, std::string> foreign_;  // trials that are left alone, and why
};

/// Those that were asked for, with what they need.
std::set<std::string> SweepRun::chosen_trials() const {
  std::set<std::string> chosen;
  // A sweep's trials stand in dependency order: from the last to the first, every child is seen
  // before what it needs.
  for (const Plan& plan : plans_) {
    for (auto planned = plan.trials.rbegin(); planned != plan.trials.rend(); ++planned) {
      const std::string& id = planned->trial.id;
      if (choices_.trials && !choices_.trials->count(id) && !chosen.count(id)) continue;
      chosen.insert(id);
      for (const auto& [slot, ids] : planned->trial.needs) chosen.insert(ids.begin(), ids.end());
    }
  }
  return chosen;
}

/// As its folder has it.
Trial SweepRun::recorded(const std::string& id) const {
  Trial trial = planned_.at(id)->trial;
  trial.may_diverge = slots_that_may_diverge(trial, schema_);
  return trial;
}

void SweepRun::record_plans() {
  for (const std::string& id : order_) {
    const std::string foreign = foreign_part(trial_folder(store_, id));
    if (!foreign.empty()) {
      foreign_[id] = foreign;
      continue;
    }
    try {
      write_trial(TrialFolder(store_, id), recorded(id));
    } catch (const MachineError& error) {
      // Other trials run all the same; whether this one has to, its state says.
      if (unwritable_part(trial_folder(store_, id)).empty()) throw;
      log_warning(error.what());
    }
  }
  kill_point("after_trials_written");
  sync_disk(store_);
  for (const std::string& id : order_) cancelled_.insert(id);
  std::vector<SweepFile> files = read_sweep_files(store_);
  for (const Plan& plan : plans_) record_sweep(plan, files);
  kill_point("after_sweeps_written");
  index_.begin();
  put_trials();
  for (const Plan& plan : plans_)
    index_.put_sweep(sweep_among(files, plan.sweep, plan.profile).value());
  kill_point("before_plan_commit");
  index_.commit();
  kill_point("after_plan_commit");
}

/// New ones, and known ones in which options changed that are no part of an identity.
void SweepRun::put_trials() {
  const auto configurations = configurations_of(index_, order_);
  for (const std::string& id : order_) {
    const auto known = configurations.find(id);
    if (known == configurations.end()) {
      index_.put_trial(to_json(recorded(id)), TrialState::waiting);
    } else if (known->second != canonical_json(planned_.at(id)->trial.config)) {
      index_.put_trial(to_json(recorded(id)), index_.trial(id)->state);
    }
  }
}

void SweepRun::record_sweep(const Plan& plan, std::vector<SweepFile>& known) {
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
  replace_sweep_file(store_, std::move(file), known);
}

/// Of a trial that has to run: whether this user may not write its folder, which makes it a failed one.
bool SweepRun::is_left_alone(const std::string& id) {
  const std::string problem = unwritable_part(trial_folder(store_, id));
  if (problem.empty()) return false;
  foreign_[id] = problem;
  before_[id] = TrialState::failed;
  return true;
}

void SweepRun::prepare_states() {
  const auto known = index_.states(order_);
  std::vector<std::string> vanished, told_wrongly;
  for (const std::string& id : order_) {
    const TrialFolder folder(store_, id);
    const auto found = known.find(id);
    TrialState state = found == known.end() ? TrialState::waiting : found->second;
    const bool is_recorded = has_result(state);
    if (foreign_.count(id)) {
      // What is done needs no look into a folder that somebody else keeps to himself.
      const bool is_left = is_recorded && is_unreadable(folder.path());
      if (is_left)
        log_warning(fmt::format("{}; the trial stays {}", foreign_.at(id), to_text(state)));
      before_[id] = is_left ? state : TrialState::failed;
      continue;
    }
    // The folder is the truth: a result that somebody removed or damaged is made again.
    const bool is_lost = is_recorded && !sound_result(folder.result());
    const bool is_wanted_again = state == TrialState::cancelled && !cancelled_.count(id);
    const bool is_open = !folder_says(state);
    if ((is_lost || is_wanted_again || is_open) && is_left_alone(id)) continue;
    if (is_lost && folder.attempts().empty()) vanished.push_back(title_of(*planned_.at(id)));
    if (is_lost) note_lost_result(folder);
    if (is_wanted_again) clear_trial_state(folder.path());
    // Of what runs, the scheduler says so again once it has found its worker.
    if (is_lost || is_wanted_again || state == TrialState::running) {
      state = TrialState::waiting;
      told_wrongly.push_back(id);
    }
    if (cancelled_.count(id) && !is_final(state)) state = TrialState::cancelled;
    before_[id] = state;
  }
  keep_numbers_of_vanished(store_, vanished);
  for (const std::string& id : told_wrongly) index_.set_state(id, TrialState::waiting);
  // Attempts that somebody removed: their rows go before others come under the same numbers.
  for (const std::string& id : order_) {
    const TrialFolder folder(store_, id);
    if (!is_final(before_.at(id)) && index_.attempts(id).size() > folder.attempts().size())
      index_.ingest(folder.path());
  }
  make_lost_weights_again();
}

void SweepRun::make_lost_weights_again() {
  keep_weights_ = trials_to_keep(plans_, schema_);
  const auto needed = files_needed(plans_, schema_, [](const std::string&) { return true; });
  for (const auto& [id, kinds] : needed) {
    if (kinds.count("weights")) keep_weights_.insert(id);
  }
  const auto again = files_to_make_again(
      plans_, schema_, store_,
      [&](const std::string& id) {
        return before_.count(id) && before_.at(id) == TrialState::done && !foreign_.count(id);
      },
      [&](const std::string& id) { return before_.count(id) && !is_final(before_.at(id)); });
  for (const auto& [id, why] : again) {
    if (is_left_alone(id)) continue;
    set_result_aside(TrialFolder(store_, id));
    index_.set_state(id, TrialState::waiting);
    before_[id] = TrialState::waiting;
  }
}

/// From done trials of the same stage; nothing for stages that never ran.
std::map<std::string, double> SweepRun::expected_seconds() const {
  std::map<std::string, std::pair<double, int>> by_stage;
  for (const std::string& id : order_) {
    if (before_.at(id) != TrialState::done) continue;
    const auto measured = index_.measurements(id);
    const auto seconds = measured.find("attempt_s");
    if (seconds == measured.end()) continue;
    auto& [sum, count] = by_stage[planned_.at(id)->stage];
    sum += seconds->second;
    count++;
  }
  std::map<std::string, double> expected;
  for (const auto& [stage, known] : by_stage) expected[stage] = known.first / known.second;
  return expected;
}

ScheduledTrial SweepRun::scheduled(const PlannedTrial& planned, const BegunWith& begun) const {
  const Trial& trial = planned.trial;
  ScheduledTrial scheduled;
  scheduled.board.id = trial.id;
  scheduled.board.stage = planned.stage;
  const std::set<std::string> needs = needs_with_winners(trial, store_, [&](const std::string& id) {
    return may_run(trial.id) && passes_files_on(planned_.at(id)->trial, schema_);
  });
  for (const std::string& slot : slots_that_may_diverge(trial, schema_)) {
    const std::vector<std::string>& ids = trial.needs.at(slot);
    scheduled.board.may_diverge.insert(ids.begin(), ids.end());
  }
  scheduled.board.needs.assign(needs.begin(), needs.end());
  scheduled.board.retry = planned.resources.retry;
  scheduled.before = before_.at(trial.id);
  scheduled.title = title_of(planned);
  scheduled.demand.threads = begun.threads;
  scheduled.demand.gpu = begun.device == "cuda";
  scheduled.demand.alone = planned.resources.alone;
  if (scheduled.demand.gpu) {
    Json shape = trial.config;
    for (const char* unrelated : {"optimizer", "schedule", "evaluate"}) shape.erase(unrelated);
    scheduled.demand.shape = trial.job + canonical_json(shape);
  }
  scheduled.demand.gpu_bytes = planned.resources.gpu_memory_bytes;
  scheduled.time_limit_s = planned.resources.time_limit_s;
  scheduled.stall_limit_s = planned.resources.stall_limit_s;
  scheduled.request.trial = TrialFolder(store_, trial.id).path();
  scheduled.request.store = store_;
  Runtime& runtime = scheduled.request.runtime;
  runtime.threads = begun.threads;
  runtime.deterministic = begun.deterministic;
  runtime.device = begun.device;
  runtime.data =
      choices_.data.empty() ? std::filesystem::path() : std::filesystem::absolute(choices_.data);
  runtime.cache = cache_;
  runtime.keep_weights = planned.resources.keep_weights || keep_weights_.count(trial.id);
  runtime.checkpoint_every_s = planned.resources.checkpoint_every_s;
  return scheduled;
}

/// What a trial would begin with today.
BegunWith SweepRun::wanted(const PlannedTrial& planned, bool any_gpu) const {
  const StageResources& asked = planned.resources;
  const std::string device = choices_.device == "auto" ? asked.device : choices_.device;
  // The job's fact: nothing in it could use a GPU, so it takes none from others.
  const bool on_cpu = schema_.find("job", planned.trial.job)->facts.value("device", "") == "cpu";
  const bool gpu = !on_cpu && (device == "cuda" || (device == "auto" && any_gpu));
  return {asked.threads, asked.deterministic, gpu ? "cuda" : "cpu"};
}

void SweepRun::fill(Scheduler& scheduler, bool any_gpu) {
  const auto expected = expected_seconds();
  std::set<std::string> unfinished;
  for (const std::string& id : order_) {
    if (may_run(id)) unfinished.insert(id);
  }
  const auto begun = begun_with(index_, store_, unfinished, any_gpu);
  std::vector<std::string> kept;
  for (const std::string& id : order_) {
    const PlannedTrial& planned = *planned_.at(id);
    const BegunWith now = wanted(planned, any_gpu);
    const auto first = begun.find(id);
    const BegunWith& with = first == begun.end() ? now : first->second;
    const std::string differs = kept_of(with, now);
    if (!differs.empty()) kept.push_back(fmt::format("{} ({})", title_of(planned), differs));
    ScheduledTrial trial = scheduled(planned, with);
    if (const auto known = expected.find(planned.stage); known != expected.end()) {
      trial.board.expected_s = known->second;
    }
    scheduler.add(std::move(trial));
    if (!may_run(id)) continue;
    scheduler.charge(id, history_of(TrialFolder(store_, id)).charged);
  }
  note_kept(std::move(kept));
}

BadEnd SweepRun::bad_end(const std::string& id, TrialState state) const {
  const TrialFolder folder(store_, id);
  BadEnd bad{
      .trial = id, .title = title_of(*planned_.at(id)), .message = "", .state = state, .log = {}};
  if (const auto foreign = foreign_.find(id); foreign != foreign_.end()) {
    bad.message = foreign->second;
    return bad;
  }
  if (const auto row = index_.trial(id)) bad.message = row->message;
  const std::vector<int64_t> attempts = folder.attempts();
  if (!attempts.empty()) bad.log = folder.log(attempts.back());
  return bad;
}

RunReport SweepRun::report(const Scheduler* scheduler) const {
  RunReport report;
  report.trials = order_.size();
  for (const std::string& id : order_) {
    const TrialState state = scheduler ? scheduler->board().state(id) : before_.at(id);
    report.states[state]++;
    if (is_final(state) && state != TrialState::done) report.bad.push_back(bad_end(id, state));
  }
  if (!scheduler) return report;
  report.interrupted = scheduler->stopped();
  report.machine_problem = scheduler->machine_problem();
  report.fault = scheduler->fault();
  return report;
}

}  // namespace

size_t RunReport::count(TrialState state) const {
  const auto found = states.find(state);
  return found == states.end() ? 0 : found->second;
}

RunReport run_sweeps(const std::vector<Plan>& plans, const Schema& schema,
                     const RunChoices& choices, SchedulerListener& listener,
                     const std::atomic<int>& signals) {
  return SweepRun(plans, schema, choices).run(listener, signals);
}

}  // namespace rethink
