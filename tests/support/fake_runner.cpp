#include "tests/support/fake_runner.h"

#include <algorithm>

namespace rethink {

void FakeRunner::orphan(const std::string& trial, FakeAttempt attempt) {
  orphans_[trial] = attempt;
}

FakeAttempt FakeRunner::next_attempt(const std::string& trial) {
  std::deque<FakeAttempt>& script = scripts_[trial];
  if (script.empty()) return {};
  const FakeAttempt attempt = script.front();
  if (script.size() > 1) script.pop_front();
  return attempt;
}

void FakeRunner::run(const std::string& trial, const FakeAttempt& attempt) {
  twice_at_once = twice_at_once || running_.count(trial) > 0;
  running_[trial] = {attempt, clock_.now_s, clock_.now_s + attempt.seconds};
  most_at_once = std::max(most_at_once, running_.size());
}

void FakeRunner::start(const std::string& trial, const AttemptRequest& request) {
  starts.push_back(trial);
  if (request.gpu) gpus.push_back(*request.gpu);
  // The lock decides, like in a real trial's folder.
  if (orphans_.count(trial))
    return run(trial, {.outcome = AttemptOutcome::fenced, .seconds = 0, .free = true});
  run(trial, next_attempt(trial));
}

void FakeRunner::adopt(const std::string& trial, const std::filesystem::path&) {
  adoptions.push_back(trial);
  run(trial, orphans_.at(trial));
}

std::string FakeRunner::stop(const std::string& trial, bool now) {
  stops.emplace_back(trial, now);
  if (const auto reason = out_of_reach.find(trial); reason != out_of_reach.end())
    return reason->second;
  const auto running = running_.find(trial);
  if (running == running_.end() || (running->second.attempt.ignores_term && !now)) return "";
  FakeAttempt& attempt = running->second.attempt;
  attempt.outcome = now ? AttemptOutcome::killed : AttemptOutcome::interrupted;
  running->second.ends_s = clock_.now_s;
  return "";
}

std::vector<RunnerEvent> FakeRunner::poll(std::chrono::milliseconds timeout) {
  at_poll();
  double until_s = clock_.now_s + 1e-3 * static_cast<double>(timeout.count());
  for (const auto& [trial, running] : running_)
    until_s = std::min(until_s, std::max(running.ends_s, clock_.now_s));
  clock_.now_s = until_s;
  std::vector<RunnerEvent> events;
  for (auto running = running_.begin(); running != running_.end();) {
    if (running->second.ends_s > clock_.now_s) {
      ++running;
      continue;
    }
    RunnerEvent event;
    event.trial = running->first;
    event.status = running->second.attempt.outcome == AttemptOutcome::done ? 0 : 1 << 8;
    events.push_back(event);
    ended_[running->first] = running->second.attempt;
    if (running->second.attempt.outcome != AttemptOutcome::fenced) orphans_.erase(running->first);
    running = running_.erase(running);
  }
  return events;
}

Progress FakeRunner::progress(const std::string& trial) {
  Progress progress;
  const auto running = running_.find(trial);
  if (running == running_.end() || running->second.attempt.silent) return progress;
  progress.bytes = static_cast<uint64_t>(1000 * (clock_.now_s - running->second.since_s));
  return progress;
}

EndedAttempt FakeRunner::close(const std::string& trial, const Ending& ending) {
  const FakeAttempt attempt = ended_.at(trial);
  EndedAttempt left;
  left.outcome = ending.ordered.value_or(attempt.outcome);
  left.new_checkpoint = attempt.new_checkpoint;
  left.free = attempt.free;
  left.fault = attempt.fault;
  if (!ending.lost_gpu.empty()) left.outcome = AttemptOutcome::lost, left.free = true;
  if (left.outcome == AttemptOutcome::failed) left.message = trial + " failed";
  if (left.fault != MachineFault::none) left.message = "no room for " + trial;
  return left;
}

}  // namespace rethink
