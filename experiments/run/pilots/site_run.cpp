#include "experiments/run/pilots/site_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/error.h"
#include "core/json.h"
#include "core/message.h"
#include "core/store_files/trial_folder.h"
#include "core/system/kill_point.h"
#include "experiments/run/board.h"
#include "experiments/run/pilots/pilot_plan.h"
#include "experiments/run/pilots/store_pilots.h"
#include "experiments/run/requests.h"
#include "experiments/run/sweep_batch.h"
#include "experiments/site/job_log.h"
#include "results/folders/pilot_sets.h"
#include "results/folders/store_lock.h"
#include "results/store/left_running.h"
#include "results/store/pilot_changes.h"

namespace rethink {

/// A submission with the state of its jobs.
struct SiteRun::Set {
  PilotSet files;
  PilotPlan plan;
  std::vector<PilotJob> alive{};
};

namespace {

std::vector<std::string> ids_of(const PilotPlan& plan) {
  std::vector<std::string> ids;
  for (const PilotTrial& one : plan.trials) ids.push_back(one.planned.trial.id);
  return ids;
}

std::set<std::string> ids_among(const PilotPlan& plan, const std::set<std::string>& trials) {
  std::set<std::string> found;
  for (const std::string& id : ids_of(plan)) {
    if (trials.contains(id)) found.insert(id);
  }
  return found;
}

std::vector<std::string> sweep_names(const std::vector<Plan>& plans) {
  std::vector<std::string> names;
  for (const Plan& plan : plans) names.push_back(plan.sweep);
  return names;
}

/// Whether the pilots ended because they cannot work there: one reports this, or none of them
/// began. A killed pilot reports nothing and may be replaced.
bool all_failed_to_run(const PilotSet& set) {
  return !set.failures().empty() || set.started().empty();
}

/// Throws the reason why pilots ended while trials are left: their own words, else the end of one of their logs.
[[noreturn]] void throw_pilots_failed(const PilotSet& set, const Site& site) {
  std::string said = joined(set.failures(), "; ");
  for (const std::string& job : set.jobs()) {
    if (said.empty()) said = end_of_job_log(set.log(job));
  }
  if (said.empty()) said = "they left no log, so that their nodes may not see the store";
  set.remove();
  throw MachineError(
      "pilots-failed",
      fmt::format(
          "site '{}': the pilots have ended, and trials are left: {}; correct the cause and "
          "give the same command again",
          site.name, said));
}

}  // namespace

SiteRun::SiteRun(const std::vector<Plan>& plans, const Schema& schema, const RunChoices& choices,
                 Site site, std::vector<std::string> words)
    : plans_(plans),
      schema_(schema),
      choices_(choices),
      store_(std::filesystem::absolute(choices.store)),
      site_(std::move(site)),
      words_(std::move(words)) {}

std::map<std::string, JobStatus> SiteRun::states_of(const Site& site,
                                                    const std::vector<std::string>& jobs) {
  return jobs.empty() ? std::map<std::string, JobStatus>() : engines_.of(site).states(jobs);
}

/// A set without recorded jobs is from a driver that was killed while it submitted: pilots that
/// have begun count, and no further pilot begins.
std::vector<SiteRun::Set> SiteRun::look_at_sets() {
  std::vector<Set> sets;
  const std::vector<PilotSet> all = PilotSet::all(store_);
  ask_queues(engines_, all);
  for (const PilotSet& files : all) {
    if (!std::filesystem::exists(files.plan())) {
      files.remove();
      continue;
    }
    if (!files.recorded_jobs() && !files.is_closed()) files.close();
    Set set{.files = files, .plan = plan_of_set(files, engines_)};
    for (const auto& [job, status] : states_of(set.plan.site, files.jobs())) {
      if (status.state == JobState::ended)
        files.record_end(job);
      else
        set.alive.push_back({job, status});
    }
    sets.push_back(std::move(set));
  }
  return sets;
}

/// A killed pilot may not have listed its last change, so each unfinished trial is checked.
void SiteRun::take_in_sets(Store& index, const std::vector<Set>& sets) {
  std::set<std::string> unlisted;
  for (const Set& set : sets) {
    if (!set.alive.empty()) continue;
    for (const auto& [trial, state] : index.states(ids_of(set.plan))) {
      if (!is_recorded_in_folder(state)) unlisted.insert(trial);
    }
  }
  take_in_pilots(index, store_, unlisted);
}

bool SiteRun::covers(const Set& set, const std::set<std::string>& trials) const {
  if (set.plan.site.name != site_.name || set.plan.build != schema_.build_id) return false;
  const std::vector<std::string> ids = ids_of(set.plan);
  return std::ranges::includes(std::set(ids.begin(), ids.end()), trials);
}

void SiteRun::submit(PilotPlan plan, int count, SiteState& state) {
  plan.build = schema_.build_id;
  plan.site = site_;
  plan.slots = choices_.slots;
  const PilotSet set = PilotSet::make(store_);
  write_pilot_plan(set.plan(), plan);
  kill_point("after_pilot_plan");
  PilotCommand command{
      .words = words_, .logs = set.logs(), .name = "rethink " + plans_.front().sweep};
  command.words.push_back(set.name());
  try {
    state.submitted = engines_.of(site_).submit(command, count);
  } catch (const std::exception&) {
    set.remove();
    throw;
  }
  kill_point("after_pilots_submitted");
  set.record_jobs(state.submitted, to_json(site_));
  kill_point("after_pilots_recorded");
}

/// Pilots of `set`, which `covers` leaves out, that have some of `trials` in their plan.
void SiteRun::add_others(const Set& set, const std::set<std::string>& trials,
                         std::vector<StorePilot>& others) const {
  if (ids_among(set.plan, trials).empty()) return;
  for (const PilotJob& pilot : set.alive)
    others.push_back({set.plan.site.name, pilot.job, pilot.status});
}

SiteState SiteRun::look() {
  const StoreLock lock =
      StoreLock::take_for_a_look(store_, "run", sweep_names(plans_), schema_.build_id);
  Store index = open_store_to_run(store_);
  if (!std::exchange(has_warned_, true)) warn_of_disk(store_);
  answer_requests(store_, index, nullptr);
  SweepBatch batch(plans_, schema_, choices_, store_, index);
  batch.record();
  const std::vector<Set> sets = look_at_sets();
  take_in_sets(index, sets);
  std::vector<std::string> running;
  for (const auto& [trial, state] : index.states(batch.ids())) {
    if (state == TrialState::running) running.push_back(trial);
  }
  batch.prepare(nullptr);
  for (const std::string& trial : running) index.set_state(trial, TrialState::running);
  PilotPlan plan = batch.pilot_plan();
  Board board;
  std::set<std::string> left;
  for (const PilotTrial& one : plan.trials) board.add(one.planned, one.before, one.outlook);
  board.connect();
  for (const PilotTrial& one : plan.trials) {
    const std::string& id = one.planned.trial.id;
    if (!is_final(board.state(id)) && !board.is_held(id)) left.insert(id);
  }
  for (const std::string& trial : running) {
    if (left.contains(trial)) board.set_recorded(board.index_of(trial), TrialState::running);
  }
  SiteState state;
  state.report = batch.report(board);
  alive_.clear();
  if (left.empty()) {
    state.has_ended = true;
    for (const Set& set : sets) {
      if (set.alive.empty()) set.files.remove();
      cancel_waiting(set.files, set.plan, index, engines_);
    }
    index.widen_runs();
    return state;
  }
  std::set<std::string> have_pilots;  // trials, at any site
  for (const Set& set : sets) {
    if (!set.alive.empty()) have_pilots.merge(ids_among(set.plan, left));
    if (covers(set, left))
      state.pilots.insert(state.pilots.end(), set.alive.begin(), set.alive.end());
    else
      add_others(set, left, state.others);
  }
  for (const Set& set : sets) {
    const bool has_failed = set.alive.empty() && set.files.recorded_jobs() &&
                            all_failed_to_run(set.files) && covers(set, left);
    if (has_failed && state.pilots.empty()) throw_pilots_failed(set.files, site_);
  }
  // Another pilot is useful for trials that nobody runs. A trial whose pilots have all ended may be recorded as running.
  const auto to_begin = static_cast<size_t>(std::ranges::count_if(left, [&](const auto& trial) {
    return board.state(trial) != TrialState::running || !have_pilots.contains(trial);
  }));
  const auto each = static_cast<size_t>(std::max(1, site_.trials_per_pilot));
  const auto waiting = static_cast<size_t>(std::ranges::count(
      state.pilots, JobState::pending, [](const PilotJob& one) { return one.status.state; }));
  const size_t useful = (to_begin + each - 1) / each;
  const size_t wanted = useful - std::min(useful, waiting);
  const size_t most = static_cast<size_t>(site_.pilots);
  const size_t missing =
      state.pilots.size() >= most ? 0 : std::min(most - state.pilots.size(), wanted);
  if (missing > 0) submit(std::move(plan), static_cast<int>(missing), state);
  alive_ = state.submitted;
  for (const PilotJob& pilot : state.pilots) alive_.push_back(pilot.job);
  return state;
}

void SiteRun::take_in() {
  const std::optional<StoreLock> lock = StoreLock::try_take_briefly(store_, "run");
  if (!lock) return;
  Store index = open_store_to_run(store_);
  answer_requests(store_, index, nullptr);
  take_in_pilots(index, store_);
}

size_t SiteRun::num_alive() {
  const auto states = states_of(site_, alive_);
  return static_cast<size_t>(std::ranges::count_if(
      states, [](const auto& entry) { return entry.second.state != JobState::ended; }));
}

}  // namespace rethink
