#include "experiments/run/scheduler.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/error.h"
#include "core/files/file.h"
#include "core/json.h"
#include "core/store_files/trial_folder.h"
#include "core/system/log.h"
#include "core/system/machine_fault.h"
#include "experiments/attempt/checkpoint_folder.h"

namespace rethink {
namespace {

/// The interval between attempts to stop an earlier driver's worker that could not be reached.
constexpr double kUnreachable_s = 2;
/// The interval between checks of trials that other pilots run.
constexpr double kBetweenLooks_s = 2;

}  // namespace

Scheduler::Scheduler(Ledger& ledger, Runner& runner, Slots& slots, SchedulerListener& listener,
                     SchedulerOptions options, NowSeconds now)
    : ledger_(ledger),
      runner_(runner),
      slots_(slots),
      listener_(listener),
      options_(options),
      now_(std::move(now)) {}

Demand demand_of(const Trial& trial, const StageResources& resources,
                 const std::vector<std::string>& beside_memory) {
  Demand demand;
  demand.threads = resources.threads;
  demand.gpu = resources.device == "cuda";
  demand.alone = resources.alone;
  demand.gpu_bytes = resources.gpu_memory_bytes;
  if (demand.gpu) {
    demand.most_per_gpu = resources.most_per_gpu;
    demand.whole_gpus = resources.gpus;
    Json shape = trial.config;
    for (const std::string& option : beside_memory) shape.erase(option);
    demand.shape = trial.job + canonical_json(shape);
  }
  return demand;
}

void Scheduler::add(const PlannedTrial& trial, TrialState before, TrialOutlook outlook) {
  const StageResources& resources = *outlook.resources_of(trial);
  const auto [queue, is_new] =
      queues_.try_emplace(demand_of(trial.trial, resources, outlook.beside_memory), queues_.size());
  if (is_new) demands_.push_back(&queue->first);
  outlook.queue = queue->second;
  board_.add(trial, before, outlook);
}

/// The only place that makes a worker's request from a trial.
AttemptRequest Scheduler::request(size_t index, const Placement& placement) const {
  const Trial& trial = board_.trial(index).trial;
  const StageResources& resources = board_.resources(index);
  AttemptRequest request;
  request.trial = trial_folder(options_.store, id_of(index));
  request.store = options_.store;
  request.runtime = {.threads = resources.threads,
                     .deterministic = resources.deterministic,
                     .device = resources.device,
                     .attention = resources.attention,
                     .data = options_.data,
                     .cache = options_.cache,
                     .keep_weights = keeps_weights(index),
                     .checkpoint_every_s = resources.checkpoint_every_s,
                     .gpus = placement.visible_gpus,
                     .grace_s = resources.grace_s,
                     .stall_s = resources.stall_limit_s};
  request.cores = placement.cores;
  request.gpu = placement.gpu;
  request.without_libtorch = options_.light_jobs.contains(trial.job);
  if (request.without_libtorch) {
    const auto checkout = checkouts_.find(trial.config.value("snapshot", ""));
    if (checkout != checkouts_.end()) request.runtime.checkout = checkout->second;
  }
  return request;
}

bool Scheduler::keeps_weights(size_t index) const {
  return board_.resources(index).keep_weights || keep_weights_.contains(index);
}

bool Scheduler::runs_without_weights(const std::string& trial) const {
  const auto running = running_.find(board_.index_of(trial));
  return running != running_.end() && !running->second.keeps_weights;
}

void Scheduler::run(const std::function<void()>& between) {
  try {
    work(between);
  } catch (const std::exception& error) {
    const bool has_cause = machine_fault(error) != MachineFault::none;
    // Other failures may follow from this one.
    const std::string moved =
        has_cause ? ledger_.moved_store_text() : ledger_.moved_store_text_soon();
    if (has_cause || !moved.empty()) stop_after_fault();
    if (!moved.empty()) throw MachineError("store-moved", moved);
    throw;
  }
}

void Scheduler::require_store() {
  if (const std::string moved = ledger_.moved_store_text(); !moved.empty())
    throw MachineError("store-moved", moved);
}

/// Stops running trials and writes nothing more, since the machine would refuse it.
void Scheduler::stop_after_fault() {
  drain();
  double grace = 0;
  for (const auto& [index, running] : running_) grace = std::max(grace, grace_s(index));
  for (const double until_s = now_() + grace; !running_.empty() && now_() < until_s;) {
    for (const RunnerEvent& event : runner_.poll(options_.tick))
      running_.erase(board_.index_of(event.trial));
  }
  listener_.finished();
}

void Scheduler::work(const std::function<void()>& between) {
  board_.connect();
  listener_.begun(board_);
  adopt_orphans();
  record_changes();
  for (;;) {
    start_ready();
    record_changes();
    if (board_.finished() || (running_.empty() && may_begin_no_more()) || only_unreachable_run() ||
        only_other_pilots_run())
      break;
    if (nothing_fits_in_time()) {
      out_of_time_ = true;
      break;
    }
    if (running_.empty() && !waits_) {
      if (const std::optional<size_t> index = next()) wait_for_gpu(*index);
    }
    for (const RunnerEvent& event : runner_.poll(options_.tick)) handle(event);
    if (const double now_s = now_();
        now_s - last_tick_s_ >= 1e-3 * static_cast<double>(options_.tick.count())) {
      last_tick_s_ = now_s;
      watch();
      read_trials_of_other_pilots();
      between();
      listener_.tick();
    }
  }
  record_changes();
  listener_.finished();
}

/// Waits while other programs use the GPUs; throws if no GPU is left.
void Scheduler::wait_for_gpu(size_t index) {
  if (slots_.may_fit_later(demand(index))) {
    if (!waits_for_gpu_)
      listener_.limited("no trial at the moment: other programs use the GPUs' memory");
    waits_for_gpu_ = true;
    return;
  }
  std::string lost;
  for (const std::string& gpu : lost_gpus_) lost += fmt::format("{} no longer answers; ", gpu);
  if (!lost.empty()) {
    throw MachineError(
        "no-gpu",
        fmt::format("{}no GPU is left for trial {}: `nvidia-smi` and `dmesg` show more; reset the "
                    "GPU or restart "
                    "the machine and give the same command again, or choose --device cpu",
                    lost, id_of(index)));
  }
  throw MachineError("no-gpu",
                     "trial " + id_of(index) +
                         " fits on no slot of this machine: it requests a GPU, and no GPU here has "
                         "enough memory; choose --device cpu or set gpu_memory");
}

/// Adopts trials that were added since the last call.
void Scheduler::adopt_orphans() {
  if (ledger_.is_shared()) return;
  for (; num_adopted_ < board_.size(); ++num_adopted_) adopt_orphan(num_adopted_);
}

void Scheduler::adopt_orphan(size_t index) {
  if (is_final(board_.state(index)) || adopt_if_held(index) || !ledger_.unsettled(id_of(index)))
    return;
  board_.mark_running(index);
  finish_abandoned_attempt(index);
}

void Scheduler::extend() {
  board_.connect();
  adopt_orphans();
  record_changes();
}

bool Scheduler::adopt_if_held(size_t index) {
  if (!ledger_.held(id_of(index))) return false;
  board_.mark_running(index);
  slots_.take_adopted(id_of(index), demand(index), ledger_.cores_of_last(id_of(index)),
                      ledger_.gpu_of_last(id_of(index)));
  const double now_s = now_();
  Running& running = running_[index];
  running.last_sign_s = now_s;
  running.since_s = now_s - ledger_.seconds_of_last(id_of(index));
  running.before_s = ledger_.seconds_before(id_of(index));
  running.keeps_weights =
      board_.resources(index).keep_weights;  // its former driver had the same plan
  runner_.adopt(id_of(index), trial_folder(options_.store, id_of(index)));
  listener_.adopted(board_.trial(index));
  return true;
}

void Scheduler::finish_abandoned_attempt(size_t index) {
  Ending ending;
  ending.driver_gone = true;
  ending.seconds = ledger_.seconds_of_last(id_of(index));
  finish(index, ending);
}

/// In a shared store: whether this driver may begin the trial; otherwise the board gets the trial's
/// state.
bool Scheduler::may_take(size_t index) {
  const TrialLook look = ledger_.look(id_of(index));
  switch (look.kind) {
    case TrialLook::Kind::mine:
      board_.charge(index, look.charged);
      fruitless_s_[index] = look.fruitless_s;
      // It may have got a checkpoint since it was ranked.
      return !rank_by_kind(index, look.begun_on) && fits_in_time(index, seconds_left());
    case TrialLook::Kind::elsewhere:
      board_.set_recorded(index, TrialState::running);
      elsewhere_.insert(index);
      return false;
    case TrialLook::Kind::left_behind:
      board_.mark_running(index);
      finish_abandoned_attempt(index);
      return false;
    case TrialLook::Kind::ended:
      board_.set_recorded(index, look.state);
      return false;
  }
  return false;
}

/// Runs failed and cancelled trials again after a user's `retry` or `run`, which their folders record.
void Scheduler::retry_on_request() {
  for (const TrialState state : {TrialState::failed, TrialState::cancelled}) {
    for (const size_t index : board_.in(state)) {
      if (ledger_.look(id_of(index)).kind == TrialLook::Kind::mine) retry(index);
    }
  }
}

/// Reads the states of trials that other pilots run.
void Scheduler::read_trials_of_other_pilots() {
  if (!ledger_.is_shared() || now_() - last_look_s_ < kBetweenLooks_s) return;
  last_look_s_ = now_();
  retry_on_request();
  for (auto place = elsewhere_.begin(); place != elsewhere_.end();) {
    const size_t index = *place;
    const TrialLook look = ledger_.look(id_of(index));
    if (look.kind == TrialLook::Kind::elsewhere) {
      ++place;
      continue;
    }
    if (look.kind == TrialLook::Kind::mine) {
      board_.set_recorded(index, std::nullopt);
      fruitless_s_[index] = look.fruitless_s;
      rank_by_kind(index, look.begun_on);
    }
    if (look.kind == TrialLook::Kind::ended) board_.set_recorded(index, look.state);
    if (look.kind == TrialLook::Kind::left_behind) finish_abandoned_attempt(index);
    place = elsewhere_.erase(place);
  }
}

bool Scheduler::rank_by_kind(size_t index, const std::string& begun_on) {
  if (!options_.is_other_kind) return false;
  const bool is_new = begun_on.empty();
  const int rank = is_new ? 0 : options_.is_other_kind(begun_on, demand(index).gpu) ? 1 : -1;
  if (rank == board_.rank(index)) return false;
  board_.set_rank(index, rank);
  return true;
}

std::optional<double> Scheduler::seconds_left() const {
  return options_.seconds_left ? options_.seconds_left() : std::nullopt;
}

double Scheduler::needed_s(size_t index) const {
  constexpr double kMargin = 1.05;  // an attempt that just did not fit does not fit again
  const auto fruitless = fruitless_s_.find(index);
  const double least_s = fruitless == fruitless_s_.end() ? 0 : kMargin * fruitless->second;
  if (board_.makes_checkpoints(index)) return least_s;
  if (board_.expected_s(index) > 0) return std::max(least_s, board_.expected_s(index));
  const auto took = took_s_.find(board_.trial(index).stage);
  return took == took_s_.end() ? least_s
                               : std::max(least_s, took->second.first / took->second.second);
}

bool Scheduler::fits_in_time(size_t index, std::optional<double> left_s) const {
  return !left_s || needed_s(index) <= *left_s;
}

/// Whether all that may start here takes longer than the job has left. Trials of other pilots may let shorter ones start.
bool Scheduler::nothing_fits_in_time() const {
  if (!seconds_left() || !running_.empty()) return false;
  const bool may_get_others = !elsewhere_.empty() && board_.count(TrialState::waiting) > 0;
  return !may_get_others && board_.next() && !next();
}

/// Whether this process has nothing to begin: no trial waits for trials of other drivers, and none of those trials may
/// have been left by a dead worker. Only a pilot that stays finds out, since it has to watch for a while.
bool Scheduler::only_other_pilots_run() {
  if (elsewhere_.empty() || !running_.empty()) return false;
  if (board_.draining()) return true;
  if (board_.next() || board_.count(TrialState::waiting) > 0) return false;
  if (now_() - last_doubt_s_ >= kBetweenLooks_s) {
    last_doubt_s_ = now_();
    others_may_be_dead_ = std::ranges::any_of(
        elsewhere_, [&](const size_t index) { return ledger_.may_be_dead(id_of(index)); });
  }
  return !others_may_be_dead_;
}

bool Scheduler::may_begin_no_more() const {
  return options_.max_trials && started_ >= *options_.max_trials;
}

std::optional<size_t> Scheduler::next(const std::set<size_t>& full,
                                      const std::set<size_t>& skip) const {
  const std::optional<double> left_s = seconds_left();
  const auto allows = [&](size_t index) {
    return !skip.contains(index) && fits_in_time(index, left_s);
  };
  if (!may_begin_no_more()) return board_.next(full, allows);
  for (const size_t index : begun_) {
    if (!board_.draining() && board_.state(index) == TrialState::ready && allows(index) &&
        !full.contains(board_.queue(index)))
      return index;
  }
  return std::nullopt;
}

bool Scheduler::runs_alone(size_t index) const {
  return demand(index).alone ||
         (!demand(index).gpu && board_.charged(index, AttemptOutcome::oom) > 0);
}

void Scheduler::start_ready() {
  std::set<size_t> full;  // queues
  std::set<size_t> skip;  // trials that ran out of memory beside other trials
  for (const auto& [index, running] : running_) {
    if (runs_alone(index)) return;
  }
  while (may_start()) {
    const auto index = next(full, skip);
    if (!index) return;
    // A worker that found the lock taken ended as fenced; the owner of the lock is watched instead.
    if (fenced_.erase(*index) && !ledger_.is_shared() && adopt_if_held(*index)) continue;
    if (runs_alone(*index) && !running_.empty()) {
      if (demand(*index).alone)
        full.insert(board_.queue(*index));
      else
        skip.insert(*index);
      continue;
    }
    const auto placement = slots_.take(id_of(*index), demand(*index));
    if (!placement) {
      // A trial that fits nowhere now must not delay smaller trials or trials of a GPU.
      full.insert(board_.queue(*index));
      continue;
    }
    if (ledger_.is_shared() && !may_take(*index)) {
      slots_.give_back(id_of(*index));
      continue;
    }
    if (!room_on_disk()) {
      slots_.give_back(id_of(*index));
      // Running trials may free space when they end, since their checkpoints are removed.
      if (running_.empty()) drain();
      return;
    }
    start_attempt(*index, *placement);
    if (runs_alone(*index)) return;
  }
}

/// Reports at the first start after a wait how many trials may now run.
bool Scheduler::may_start() {
  waits_ = !limit_.allows(running_.size(), now_());
  if (waits_) return false;
  if (limit_.most() != 0 && limit_.most() < reported_most_) {
    listener_.limited(fmt::format(
        "{} at once from now on: {}",
        limit_.most() == 1 ? "one trial" : fmt::format("no more than {} trials", limit_.most()),
        refusal_));
  }
  reported_most_ = limit_.most() == 0 ? std::numeric_limits<size_t>::max() : limit_.most();
  return true;
}

bool Scheduler::room_on_disk() {
  require_store();
  const uint64_t needed = std::max(options_.least_free_bytes, 2 * ledger_.checkpoint_bytes());
  const uint64_t free = ledger_.free_bytes();
  machine_problem_.clear();
  if (free >= needed) return true;
  constexpr double kGibibyte = 1 << 30;
  fault_ = MachineFault::disk_full;
  machine_problem_ = fmt::format(
      "{:.2f} GiB are free on the store's disk, but trials start only with {:.2f} GiB or more",
      static_cast<double>(free) / kGibibyte, static_cast<double>(needed) / kGibibyte);
  return false;
}

void Scheduler::start_attempt(size_t index, const Placement& placement) {
  const PlannedTrial& trial = board_.trial(index);
  const double now_s = now_();
  Running& running = running_[index];
  running.since_s = running.last_sign_s = now_s;
  running.keeps_weights = keeps_weights(index);
  if (board_.resources(index).time_limit_s) running.before_s = ledger_.seconds_before(id_of(index));
  board_.mark_running(index);
  if (begun_.insert(index).second) started_++;
  waits_for_gpu_ = waits_for_gpu_ && !placement.gpu;
  AttemptRequest attempt = request(index, placement);
  attempt.claim = ledger_.claim(id_of(index));
  runner_.start(id_of(index), attempt);
  listener_.started(trial, placement);
}

void Scheduler::handle(const RunnerEvent& event) {
  const size_t index = board_.index_of(event.trial);
  const auto place = running_.find(index);
  if (place == running_.end()) return;
  // An attempt may end between two checks; its last progress is still reported.
  listener_.progressed(board_.trial(index), ledger_.progress(event.trial));
  const Running running = place->second;
  running_.erase(place);
  Ending ending;
  ending.lost_gpu = lost_gpu_of(index, event);
  slots_.give_back(event.trial);
  ending.status_known = event.status_known;
  ending.status = event.status;
  ending.oom_killed = event.oom_killed;
  ending.zygote_gone = event.zygote_gone;
  ending.refused = event.refused;
  ending.message = running.ordered ? running.why : event.message;
  ending.ordered = running.ordered;
  // The user interrupted twice, so the kill counts as an interruption.
  if (running.killed && stops_ > 1 && !running.ordered)
    ending.ordered = AttemptOutcome::interrupted;
  ending.seconds = now_() - running.since_s;
  finish(index, ending);
}

/// "" if the attempt succeeded, or its GPU is not the cause.
std::string Scheduler::lost_gpu_of(size_t index, const RunnerEvent& event) {
  if (!demand(index).gpu || (event.status_known && event.status == 0)) return "";
  const std::optional<Gpu> lost = slots_.lost_gpu_of(event.trial);
  if (!lost) return "";
  return *lost_gpus_.insert(fmt::format("{} ({})", lost->uuid, lost->name)).first;
}

/// Handles the end of an attempt.
void Scheduler::finish(size_t index, const Ending& ending) {
  const PlannedTrial& trial = board_.trial(index);
  require_store();
  EndedAttempt left = ledger_.close(id_of(index), ending);
  require_store();
  if (left.outcome == AttemptOutcome::oom && demand(index).gpu)
    slots_.ran_out_of_memory(demand(index));
  if (left.outcome == AttemptOutcome::fenced) fenced_.insert(index);
  const std::optional<int64_t> stopped_at =
      left.outcome == AttemptOutcome::interrupted
          ? step_at_stop(trial.trial.config,
                         TrialFolder(options_.store, id_of(index)).checkpoints())
          : std::nullopt;
  if (stopped_at) left.message = fmt::format("stopped at step {} by `stop_at`", *stopped_at);
  const TrialState after = board_.end(index, {.outcome = left.outcome,
                                              .new_checkpoint = left.new_checkpoint,
                                              .free = left.free,
                                              .held = stopped_at.has_value()});
  if (is_final(after)) begun_.erase(index);
  const bool was_stopped =
      left.outcome == AttemptOutcome::interrupted || left.outcome == AttemptOutcome::timeout;
  if (is_final(after)) {
    last_ends_.erase(index);
  } else if (!was_stopped) {
    last_ends_[index] = left.message;
  }
  if (after == TrialState::done) {
    take_peak_memory(index);
    auto& [sum_s, number] = took_s_[trial.stage];
    sum_s += ending.seconds;
    ++number;
  }
  if (after == TrialState::failed || after == TrialState::diverged) messages_[index] = left.message;
  ledger_.seal(id_of(index), left, ending, after);
  listener_.ended(trial, left, after, ending.seconds);
  handle_machine_fault(left);
  if (after == TrialState::failed && options_.fail_fast) drain();
}

/// A trial reports its peak memory with each checkpoint.
void Scheduler::take_peak_memory(size_t index) {
  if (!demand(index).gpu) return;
  if (const auto peak = ledger_.peak_gpu_bytes(id_of(index)))
    slots_.measured(demand(index).shape, *peak);
}

/// Handles faults of the machine that ended an attempt, and their effect on other trials.
void Scheduler::handle_machine_fault(const EndedAttempt& left) {
  if (left.outcome == AttemptOutcome::done) disk_errors_ = 0;
  if (left.fault == MachineFault::disk) ++disk_errors_;
  if (left.fault != MachineFault::resources) limit_.relax();
  if (left.fault == MachineFault::resources) {
    limit_.refuse(running_.size(), now_());
    refusal_ = left.message;
  }
  const bool ends = left.fault == MachineFault::disk_full || disk_errors_ > 1 ||
                    (left.fault == MachineFault::resources && limit_.is_hopeless());
  if (!ends) return;
  fault_ = left.fault;
  machine_problem_ = left.message;
  drain();
}

void Scheduler::watch() {
  require_store();
  const double now_s = now_();
  for (auto& [index, running] : running_) watch(index, running, now_s);
  ledger_.commit();
}

/// The limit for all attempts together; every forgiven timeout adds the same time again. 0 = no
/// limit.
double Scheduler::time_limit_s(size_t index) const {
  const int timeouts = board_.charged(index, AttemptOutcome::timeout);
  return board_.resources(index).time_limit_s.value_or(0) * (1 + timeouts);
}

/// ", in several attempts; the attempt before ended: sh: ended by signal 2 (Interrupt)". Empty if no
/// attempt of this run ended by itself.
std::string Scheduler::earlier_end_text(size_t index) const {
  const auto last = last_ends_.find(index);
  if (last == last_ends_.end() || last->second.empty()) return "";
  return ", in several attempts; the attempt before ended: " + last->second;
}

void Scheduler::watch(size_t index, Running& running, double now_s) {
  const StageResources& limits = board_.resources(index);
  const Progress progress = ledger_.progress(id_of(index));
  if (progress.bytes != running.bytes) {
    running.bytes = progress.bytes, running.last_sign_s = now_s;
    take_peak_memory(index);
  }
  listener_.progressed(board_.trial(index), progress);
  const double limit_s = time_limit_s(index);
  const bool too_long = limit_s > 0 && running.before_s + now_s - running.since_s > limit_s;
  const bool stalled = limits.stall_limit_s && now_s - running.last_sign_s > *limits.stall_limit_s;
  // A stopped attempt may take its time for the last checkpoint; a stall is not a timeout.
  const bool is_stopped = running.term_s != 0;
  if ((stalled || (too_long && !is_stopped)) && !running.ordered) {
    running.ordered = is_stopped ? AttemptOutcome::interrupted : AttemptOutcome::timeout;
    running.why =
        too_long
            ? fmt::format("worked longer than {:g} s, its limits.time{}{}", limit_s,
                          limit_s > *limits.time_limit_s ? " and as much for each retry" : "",
                          earlier_end_text(index))
            : fmt::format(
                  "no sign of life for {:g} s, its limits.stall; the log may say where it hung",
                  *limits.stall_limit_s);
    if (!is_stopped) {
      running.term_s = now_s;
      signal_to_end(index, running, false);
    }
  }
  if (!running.problem.empty()) signal_to_end(index, running, running.killed);
  const bool must_end = running.ordered || board_.cancel_wanted(index);
  if (must_end && !running.killed && now_s - running.term_s > grace_s(index)) {
    running.killed = true;
    signal_to_end(index, running, true);
  }
}

/// From SIGTERM to SIGKILL. The worker of a user's program kills that program after the program's
/// grace, and must then record it.
double Scheduler::grace_s(size_t index) const {
  constexpr double kToSay_s = 10;
  const bool is_light = options_.light_jobs.contains(board_.trial(index).trial.job);
  return board_.resources(index).grace_s + (is_light ? kToSay_s : 0);
}

/// A process that cannot be stopped is reported once.
void Scheduler::signal_to_end(size_t index, Running& running, bool now) {
  const std::string problem = runner_.stop(id_of(index), now);
  if (!problem.empty() && running.problem.empty())
    log_warning(fmt::format("trial {} goes on: {}", id_of(index), problem));
  running.problem = problem;
}

/// Whether all processes that should end, and still run, cannot be reached.
bool Scheduler::only_unreachable_run() const {
  if (!board_.draining() || running_.empty()) return false;
  return std::ranges::all_of(running_, [&](const auto& entry) {
    const Running& running = entry.second;
    return !running.problem.empty() && (stops_ > 1 || now_() - running.term_s > kUnreachable_s);
  });
}

void Scheduler::drain() {
  board_.drain();
  for (auto& [index, running] : running_) {
    if (running.term_s != 0) continue;
    running.term_s = now_();
    signal_to_end(index, running, false);
  }
}

void Scheduler::stop() {
  if (++stops_ == 1) return drain();
  for (auto& [index, running] : running_) {
    running.killed = true;
    signal_to_end(index, running, true);
  }
}

std::string Scheduler::cancel(const std::string& trial) {
  const std::optional<size_t> index = board_.find(trial);
  if (!index) return "";
  board_.cancel(*index);
  const auto running = running_.find(*index);
  if (running == running_.end()) return "";
  if (running->second.term_s == 0) {
    running->second.term_s = now_();
    signal_to_end(*index, running->second, false);
  }
  return running->second.problem;
}

void Scheduler::retry(const std::string& trial) {
  if (const std::optional<size_t> index = board_.find(trial)) retry(*index);
}

void Scheduler::retry(size_t index) {
  messages_.erase(index);
  board_.retry(index);
}

std::string Scheduler::message(size_t index) const {
  const auto message = messages_.find(index);
  return message == messages_.end() ? "" : message->second;
}

void Scheduler::record_changes() {
  for (const size_t index : board_.take_changed()) {
    ledger_.record(id_of(index), board_.state(index), message(index));
  }
  ledger_.commit();
}

}  // namespace rethink
