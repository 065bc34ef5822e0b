#include "experiments/schedule/scheduler.h"

#include <fmt/format.h>

#include "core/error.h"

namespace rethink {

Scheduler::Scheduler(Ledger& ledger, Runner& runner, Slots& slots, SchedulerListener& listener,
                     SchedulerOptions options, NowSeconds now)
    : ledger_(ledger),
      runner_(runner),
      slots_(slots),
      listener_(listener),
      options_(options),
      now_(std::move(now)) {}

void Scheduler::add(ScheduledTrial trial) {
  board_.add(trial.board, trial.before);
  trials_.try_emplace(trial.board.id, std::move(trial));
}

void Scheduler::run(const std::function<void()>& between) {
  board_.settle();
  adopt_orphans();
  record_changes();
  for (;;) {
    start_ready();
    record_changes();
    if (board_.finished() || (running_.empty() && options_.max_trials && started_ >= *options_.max_trials))
      break;
    for (const RunnerEvent& event : runner_.poll(options_.tick)) handle(event);
    if (const double now_s = now_();
        now_s - last_tick_s_ >= 1e-3 * static_cast<double>(options_.tick.count())) {
      last_tick_s_ = now_s;
      watch();
      between();
      listener_.tick();
    }
  }
  record_changes();
  listener_.tick();
}

void Scheduler::adopt_orphans() {
  for (const auto& [id, trial] : trials_) {
    if (!is_final(board_.state(id))) adopt_if_held(id);
  }
}

bool Scheduler::adopt_if_held(const std::string& id) {
  if (!ledger_.held(id)) return false;
  board_.start(id);
  slots_.take_unplaced(id);
  const double now_s = now_();
  running_[id] = {.since_s = now_s, .last_sign_s = now_s, .before_s = ledger_.seconds_before(id)};
  runner_.adopt(id, trials_.at(id).request);
  listener_.adopted(trials_.at(id));
  return true;
}

void Scheduler::start_ready() {
  std::set<std::string> skip;
  while (!options_.max_trials || started_ < *options_.max_trials) {
    const auto id = board_.next(skip);
    if (!id) return;
    // A worker that found the lock taken ended as fenced: whoever holds it is watched instead.
    if (fenced_.erase(*id) && adopt_if_held(*id)) continue;
    const auto placement = slots_.take(*id, trials_.at(*id).demand);
    if (!placement) {
      // A trial that fits in no hole now must not hold up smaller ones, but on CPU slots nothing fits if one
      // does not.
      if (!trials_.at(*id).demand.gpu && trials_.at(*id).demand.threads == 1) return;
      skip.insert(*id);
      continue;
    }
    if (!room_on_disk()) {
      slots_.give_back(*id);
      return drain();
    }
    start(*id, *placement);
  }
}

bool Scheduler::room_on_disk() {
  const uint64_t needed = std::max(options_.least_free_bytes, 2 * ledger_.checkpoint_bytes());
  if (ledger_.free_bytes() >= needed) return true;
  disk_full_ = true;
  return false;
}

void Scheduler::start(const std::string& id, const Placement& placement) {
  ScheduledTrial& trial = trials_.at(id);
  trial.request.cores = placement.cores;
  trial.request.gpu = placement.gpu;
  ledger_.prepare(id);
  const double now_s = now_();
  running_[id] = {.since_s = now_s,
                  .last_sign_s = now_s,
                  .before_s = trial.time_limit_s ? ledger_.seconds_before(id) : 0};
  board_.start(id);
  started_++;
  runner_.start(id, trial.request);
  listener_.started(trial, placement);
}

void Scheduler::handle(const RunnerEvent& event) {
  const auto place = running_.find(event.trial);
  if (event.kind != RunnerEvent::Kind::ended || place == running_.end()) return;
  const Running running = place->second;
  running_.erase(place);
  slots_.give_back(event.trial);
  const ScheduledTrial& trial = trials_.at(event.trial);
  const double seconds = now_() - running.since_s;
  const Left left = ledger_.close(event.trial, {.status_known = event.status_known,
                                                .status = event.status,
                                                .oom_killed = event.oom_killed,
                                                .ordered = running.ordered,
                                                .seconds = seconds});
  if (left.outcome == AttemptOutcome::oom) slots_.ran_out_of_memory(trial.demand.shape);
  if (left.peak_gpu_bytes) slots_.measured(trial.demand.shape, *left.peak_gpu_bytes);
  if (left.outcome == AttemptOutcome::fenced) fenced_.insert(event.trial);
  // Killed because the user asked twice: that is an interruption, and free.
  const bool interrupted = stops_ > 0 && running.killed && !running.ordered;
  const State after = board_.end(
      event.trial,
      {.outcome = left.outcome, .new_checkpoint = left.new_checkpoint, .free = left.free || interrupted});
  if (after == State::failed) messages_[event.trial] = left.message;
  listener_.ended(trial, left, after, seconds);
  if (left.disk_full) {
    disk_full_ = true;
    drain();
  }
  if (after == State::failed && options_.fail_fast) drain();
}

void Scheduler::watch() {
  const double now_s = now_();
  for (auto& [id, running] : running_) watch(id, running, now_s);
  ledger_.commit();
}

void Scheduler::watch(const std::string& id, Running& running, double now_s) {
  const ScheduledTrial& trial = trials_.at(id);
  const Progress progress = ledger_.progress(id);
  if (progress.bytes != running.bytes) running.bytes = progress.bytes, running.last_sign_s = now_s;
  listener_.progressed(trial, progress);
  const bool too_long =
      trial.time_limit_s && running.before_s + now_s - running.since_s > *trial.time_limit_s;
  const bool stalled = trial.stall_limit_s && now_s - running.last_sign_s > *trial.stall_limit_s;
  if ((too_long || stalled) && !running.ordered) {
    running.ordered = AttemptOutcome::timeout;
    if (running.term_s == 0) {
      running.term_s = now_s;
      runner_.stop(id, false);
    }
  }
  if (running.ordered && !running.killed && now_s - running.term_s > options_.grace_s) {
    running.killed = true;
    runner_.stop(id, true);
  }
}

void Scheduler::drain() {
  board_.drain();
  for (auto& [id, running] : running_) {
    if (running.term_s != 0) continue;
    running.term_s = now_();
    runner_.stop(id, false);
  }
}

void Scheduler::stop() {
  if (++stops_ == 1) return drain();
  for (auto& [id, running] : running_) {
    running.killed = true;
    runner_.stop(id, true);
  }
}

void Scheduler::cancel(const std::string& trial) {
  if (!board_.has(trial)) return;
  board_.cancel(trial);
  const auto running = running_.find(trial);
  if (running == running_.end() || running->second.term_s != 0) return;
  running->second.term_s = now_();
  runner_.stop(trial, false);
}

void Scheduler::retry(const std::string& trial) {
  if (!board_.has(trial)) return;
  messages_.erase(trial);
  board_.retry(trial);
}

void Scheduler::record_changes() {
  for (const std::string& id : board_.take_changed()) {
    const auto message = messages_.find(id);
    ledger_.record(id, board_.state(id), message == messages_.end() ? "" : message->second);
  }
  ledger_.commit();
}

}  // namespace rethink
