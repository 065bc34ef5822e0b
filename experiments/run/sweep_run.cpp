#include "experiments/run/sweep_run.h"

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
#include "results/store/ingest.h"
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

std::vector<std::string> names_of(const std::vector<Plan>& plans) {
  std::vector<std::string> names;
  for (const Plan& plan : plans) names.push_back(plan.sweep);
  return names;
}

/// Whether there is a GPU that trials may use. Our own jobs need the plug-in; a user's program brings its own CUDA.
struct UsableGpu {
  bool of_jobs = false, of_programs = false;
};

/// One run, from the lock to the report.
class SweepRun {
 public:
  SweepRun(std::vector<Plan>& plans, const Schema& schema, const RunChoices& choices)
      : plans_(plans),
        schema_(schema),
        choices_(choices),
        store_(std::filesystem::absolute(choices.store)),
        lock_(StoreLock::take(store_, "run", names_of(plans))),
        index_(open_index(store_)) {
    if (const std::string trouble = trouble_of_database_place(store_); !trouble.empty())
      log_warning(trouble);
    warn_of_locks_granted_twice(store_);
    const std::set<std::string> chosen = chosen_trials();
    for (Plan& plan : plans_) {
      for (PlannedTrial& planned : plan.trials) {
        const std::string& id = planned.trial.id;
        if (chosen.count(id) && places_.try_emplace(id, trials_.size()).second)
          trials_.push_back(&planned);
      }
    }
    before_.resize(trials_.size(), TrialState::waiting);
  }

  RunReport run(SchedulerListener& listener, const std::atomic<int>& signals) {
    index_.wait_while([&signals] { return signals.load() < 2; });  // Ctrl-C twice
    for (const std::string& text : answer_requests(store_, index_, nullptr)) listener.told(text);
    record_plans();
    const std::vector<std::string> all = ids();
    take_over(index_, store_, left_running(index_, store_, {all.begin(), all.end()}));
    prepare_states();
    const VisibleGpus visible = find_gpus();
    Slots slots(choices_.slots, usable_cores(), visible.gpus, usable_cpus());
    if (!visible.gpus.empty()) slots.read_gpus_by(gpus_at_most_old());
    FolderLedger ledger(store_, index_, &lock_);
    // A run with nothing to do needs no worker.
    if (std::ranges::all_of(before_, folder_says)) return report(nullptr);
    const SchedulerOptions options = scheduler_options();
    std::optional<ZygoteRunner> processes;
    if (!choices_.runner) {
      processes.emplace(choices_.programs / "rethink-worker", schema_.build_id);
      if (needs_libtorch()) processes->prepare();
    }
    Scheduler scheduler(ledger, processes ? *processes : *choices_.runner, slots, listener, options,
                        monotonic_seconds);
    fill(scheduler, {.of_jobs = can_use_gpu(visible, choices_.programs),
                     .of_programs = !visible.gpus.empty()});
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
  bool may_run(size_t place) const { return !folder_says(before_[place]); }
  const std::string& id_at(size_t place) const { return trials_[place]->trial.id; }
  std::vector<std::string> ids() const;
  bool needs_libtorch() const;
  SchedulerOptions scheduler_options() const;

  std::set<std::string> chosen_trials() const;
  void record_plans();
  void put_trials();
  void put_sweeps(std::vector<SweepFile> files);
  void record_sweep(const Plan& plan, std::vector<SweepFile>& known);
  void prepare_states();
  bool is_left_alone(size_t place);
  void make_lost_weights_again();
  std::map<std::string, double> expected_seconds() const;
  void fill(Scheduler& scheduler, const UsableGpu& usable);
  const JobFacts& facts_of(const PlannedTrial& planned) const;
  bool may_use_gpu(const PlannedTrial& planned, const UsableGpu& usable) const;
  BegunWith wanted(const PlannedTrial& planned, const UsableGpu& usable) const;
  Shared<StageResources> resources_with(const PlannedTrial& planned, const BegunWith& begun);
  std::set<std::string> winners_among_needs(size_t place) const;
  RunReport report(const Scheduler* scheduler) const;
  BadEnd bad_end(const PlannedTrial& planned, TrialState state) const;

  std::vector<Plan>& plans_;
  const Schema& schema_;
  const RunChoices& choices_;
  std::filesystem::path store_;
  StoreLock lock_;
  Store index_;
  std::vector<PlannedTrial*> trials_;                    // of the plans, each once, in their order
  std::unordered_map<std::string_view, size_t> places_;  // of ids, in trials_
  std::vector<TrialState> before_;                       // of trials_, before anything started
  std::vector<Shared<StageResources>> resources_;        // that the trials run with, each once
  std::set<std::string> cancelled_;                      // that no sweep of this run wants
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

std::vector<std::string> SweepRun::ids() const {
  std::vector<std::string> all;
  for (const PlannedTrial* planned : trials_) all.push_back(planned->trial.id);
  return all;
}

/// Whether a trial that may run has a job that needs it.
bool SweepRun::needs_libtorch() const {
  for (size_t place = 0; place < trials_.size(); ++place) {
    if (may_run(place) && !facts_of(*trials_[place]).runs_program) return true;
  }
  return false;
}

SchedulerOptions SweepRun::scheduler_options() const {
  SchedulerOptions options{.max_trials = choices_.max_trials, .fail_fast = choices_.fail_fast};
  options.store = store_;
  if (!choices_.data.empty()) options.data = std::filesystem::absolute(choices_.data);
  options.cache = usable_cache_folder(store_);
  for (const Plan& plan : plans_) {
    for (const CodeSnapshot& code : plan.code)
      options.checkouts[code.sha256] = checkout_of(code.folder);
  }
  for (const std::string& job : schema_.names("job")) {
    if (schema_.find("job", job)->facts.as<JobFacts>().runs_program) options.programs.insert(job);
  }
  return options;
}

void SweepRun::record_plans() {
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
      // Other trials run all the same; whether this one has to, its state says.
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

/// New ones, and known ones in which options changed that are no part of an identity.
void SweepRun::put_trials() {
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

/// `files`: all of the store. A copy of their members would be the peak of the driver's memory.
void SweepRun::put_sweeps(std::vector<SweepFile> files) {
  std::erase_if(files, [&](const SweepFile& file) {
    return std::ranges::none_of(plans_, [&](const Plan& plan) {
      return plan.sweep == file.sweep && plan.profile == file.profile;
    });
  });
  for (const Sweep& sweep : united(std::move(files))) index_.put_sweep(sweep);
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
bool SweepRun::is_left_alone(size_t place) {
  const std::string problem = unwritable_part(trial_folder(store_, id_at(place)));
  if (problem.empty()) return false;
  foreign_[id_at(place)] = problem;
  before_[place] = TrialState::failed;
  return true;
}

void SweepRun::prepare_states() {
  const auto known = index_.states(ids());
  std::vector<std::string> vanished, told_wrongly;
  for (size_t place = 0; place < trials_.size(); ++place) {
    const std::string& id = id_at(place);
    const TrialFolder folder(store_, id);
    const auto found = known.find(id);
    TrialState state = found == known.end() ? TrialState::waiting : found->second;
    const bool is_recorded = has_result(state);
    if (foreign_.count(id)) {
      // What is done needs no look into a folder that somebody else keeps to himself.
      const bool is_left = is_recorded && is_unreadable(folder.path());
      if (is_left)
        log_warning(fmt::format("{}; the trial stays {}", foreign_.at(id), to_text(state)));
      before_[place] = is_left ? state : TrialState::failed;
      continue;
    }
    // The folder is the truth: a result that somebody removed or damaged is made again.
    const bool is_lost = is_recorded && !sound_result(folder.result());
    const bool is_wanted_again = state == TrialState::cancelled && !cancelled_.count(id);
    const bool is_open = !folder_says(state);
    if ((is_lost || is_wanted_again || is_open) && is_left_alone(place)) continue;
    if (is_lost && folder.attempts().empty()) vanished.push_back(title_of(*trials_[place]));
    if (is_lost) note_lost_result(folder);
    if (is_wanted_again) clear_trial_state(folder.path());
    // Of what runs, the scheduler says so again once it has found its worker.
    if (is_lost || is_wanted_again || state == TrialState::running) {
      state = TrialState::waiting;
      told_wrongly.push_back(id);
    }
    if (cancelled_.count(id) && !is_final(state)) state = TrialState::cancelled;
    before_[place] = state;
  }
  keep_numbers_of_vanished(store_, vanished);
  for (const std::string& id : told_wrongly) index_.set_state(id, TrialState::waiting);
  // Attempts that somebody removed: their rows go before others come under the same numbers.
  for (size_t place = 0; place < trials_.size(); ++place) {
    const TrialFolder folder(store_, id_at(place));
    if (!is_final(before_[place]) &&
        index_.attempts(id_at(place)).size() > folder.attempts().size())
      ingest_events(index_, folder.path());
  }
  make_lost_weights_again();
}

void SweepRun::make_lost_weights_again() {
  keep_weights_ = trials_to_keep(plans_, schema_);
  const auto needed = files_needed(plans_, schema_, [](const std::string&) { return true; });
  for (const auto& [id, kinds] : needed) {
    if (kinds.count("weights")) keep_weights_.insert(id);
  }
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
  }
}

/// From done trials of the same stage; nothing for stages that never ran.
std::map<std::string, double> SweepRun::expected_seconds() const {
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

/// The trial's own resources with what it begins, or has begun, with. Equal ones are one.
Shared<StageResources> SweepRun::resources_with(const PlannedTrial& planned,
                                                const BegunWith& begun) {
  StageResources resources = *planned.resources;
  resources.threads = begun.threads;
  resources.deterministic = begun.deterministic;
  resources.device = begun.device;
  resources.keep_weights |= keep_weights_.contains(planned.trial.id);
  for (const Shared<StageResources>& known : resources_) {
    if (*known == resources) return known;
  }
  return resources_.emplace_back(std::move(resources));
}

/// What the done selects among a trial's needs chose: it needs these, too.
std::set<std::string> SweepRun::winners_among_needs(size_t place) const {
  return winners_of_needs(trials_[place]->trial, store_, [&](const std::string& need) {
    return may_run(place) && passes_files_on(trials_[places_.at(need)]->trial);
  });
}

const JobFacts& SweepRun::facts_of(const PlannedTrial& planned) const {
  return schema_.find("job", planned.trial.job)->facts.as<JobFacts>();
}

/// Whether there is a GPU for it, and something in it could use one: else it takes none from others.
bool SweepRun::may_use_gpu(const PlannedTrial& planned, const UsableGpu& usable) const {
  const JobFacts& facts = facts_of(planned);
  return facts.device != "cpu" && (facts.runs_program ? usable.of_programs : usable.of_jobs);
}

/// What a trial would begin with today.
BegunWith SweepRun::wanted(const PlannedTrial& planned, const UsableGpu& usable) const {
  const StageResources& asked = *planned.resources;
  const std::string device = choices_.device == "auto" ? asked.device : choices_.device;
  const bool on_cpu = facts_of(planned).device == "cpu" || asked.gpus == 0;
  const bool gpu =
      !on_cpu && (device == "cuda" || (device == "auto" && may_use_gpu(planned, usable)));
  return {asked.threads, asked.deterministic, gpu ? "cuda" : "cpu"};
}

void SweepRun::fill(Scheduler& scheduler, const UsableGpu& usable) {
  const auto expected = expected_seconds();
  std::set<std::string> unfinished;
  for (size_t place = 0; place < trials_.size(); ++place) {
    if (may_run(place)) unfinished.insert(id_at(place));
  }
  const auto begun = begun_with(index_, store_, unfinished);
  std::vector<std::string> kept;
  for (size_t place = 0; place < trials_.size(); ++place) {
    PlannedTrial& planned = *trials_[place];
    const BegunWith now = wanted(planned, usable);
    auto first = begun.find(planned.trial.id);
    if (first != begun.end() && first->second.device == "cuda" && !may_use_gpu(planned, usable))
      first = begun.end();
    const BegunWith& with = first == begun.end() ? now : first->second;
    const std::string differs = kept_of(with, now);
    if (!differs.empty()) kept.push_back(fmt::format("{} ({})", title_of(planned), differs));
    planned.resources = resources_with(planned, with);
    const auto known = expected.find(planned.stage);
    scheduler.add(planned, before_[place],
                  {.winners = winners_among_needs(place),
                   .expected_s = known == expected.end() ? 0 : known->second,
                   .beside_memory = facts_of(planned).beside_memory});
    if (!may_run(place)) continue;
    scheduler.charge(planned.trial.id, history_of(TrialFolder(store_, planned.trial.id)).charged);
  }
  note_kept(std::move(kept));
}

BadEnd SweepRun::bad_end(const PlannedTrial& planned, TrialState state) const {
  const std::string& id = planned.trial.id;
  const TrialFolder folder(store_, id);
  BadEnd bad{.trial = id, .title = title_of(planned), .message = "", .state = state, .log = {}};
  if (const auto foreign = foreign_.find(id); foreign != foreign_.end()) {
    bad.message = foreign->second;
    return bad;
  }
  if (const auto row = index_.trial(id)) bad.message = row->message;
  const std::vector<int64_t> attempts = folder.attempts();
  if (attempts.empty()) return bad;
  // A program says on its standard error what was wrong.
  const std::filesystem::path errors = folder.errors(attempts.back());
  bad.log = std::filesystem::exists(errors) ? errors : folder.log(attempts.back());
  return bad;
}

RunReport SweepRun::report(const Scheduler* scheduler) const {
  RunReport report;
  report.trials = trials_.size();
  for (size_t place = 0; place < trials_.size(); ++place) {
    const TrialState state = scheduler ? scheduler->board().state(id_at(place)) : before_[place];
    report.states[state]++;
    if (is_final(state) && state != TrialState::done)
      report.bad.push_back(bad_end(*trials_[place], state));
  }
  if (!scheduler) return report;
  report.interrupted = scheduler->stopped();
  report.machine_problem = scheduler->machine_problem();
  report.fault = scheduler->fault();
  return report;
}

}  // namespace

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

size_t RunReport::count(TrialState state) const {
  const auto found = states.find(state);
  return found == states.end() ? 0 : found->second;
}

RunReport run_sweeps(std::vector<Plan>& plans, const Schema& schema, const RunChoices& choices,
                     SchedulerListener& listener, const std::atomic<int>& signals) {
  return SweepRun(plans, schema, choices).run(listener, signals);
}

}  // namespace rethink
