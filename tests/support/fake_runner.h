// A runner and a ledger in memory: each trial's attempts follow a script, and time is a FakeClock.
// One class has both roles, since a real worker's folder connects them.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/files/file.h"
#include "experiments/run/attempts/runner.h"
#include "experiments/run/ledger.h"

namespace rethink {

/// A clock that only tests advance.
struct FakeClock {
  double now_s = 0;
};

/// Course of an attempt, unless it is stopped.
struct FakeAttempt {
  AttemptOutcome outcome = AttemptOutcome::done;
  double seconds = 1;
  bool new_checkpoint = false;
  bool free = false;
  MachineFault fault = MachineFault::none;
  bool silent = false;  // writes no events
  bool ignores_term = false;
};

class FakeRunner : public Runner, public Ledger {
 public:
  explicit FakeRunner(FakeClock& clock) : clock_(clock) {}

  /// Sets the attempts of a trial, in order. After the last attempt it repeats. Trials without a
  /// script are done.
  void script(const std::string& trial, std::deque<FakeAttempt> attempts) {
    scripts_[trial] = std::move(attempts);
  }
  /// Adds a running attempt of an earlier driver.
  void orphan(const std::string& trial, FakeAttempt attempt);

  // Recorded events.
  std::vector<std::string> starts, adoptions;       // trials, in order
  std::vector<std::string> gpus;                    // of the starts that got a GPU
  std::vector<std::pair<std::string, bool>> stops;  // trial, at once
  std::map<std::string, TrialState> states;         // as recorded
  size_t most_at_once = 0;
  bool twice_at_once = false;  // a trial ran two attempts at the same time
  uint64_t free_bytes_left = uint64_t{1} << 40, largest_checkpoint = 0;
  std::map<std::string, double> earlier_seconds, orphan_seconds;
  std::map<std::string, std::vector<int>> orphan_cores;
  std::map<std::string, std::string> orphan_gpus;
  std::map<std::string, std::string> out_of_reach;  // why a trial's process cannot be stopped
  bool disk_is_full = false;                        // the driver itself cannot write
  std::string moved_store;                          // why the store is not where it was
  std::function<void()> at_poll = [] {};            // called before each wait

  // Runner
  void start(const std::string& trial, const AttemptRequest& request) override;
  void adopt(const std::string& trial, const std::filesystem::path& folder) override;
  std::string stop(const std::string& trial, bool now) override;
  std::vector<RunnerEvent> poll(std::chrono::milliseconds timeout) override;

  // Ledger
  std::string moved_store_text() override { return moved_store; }
  std::string moved_store_text_soon() override { return moved_store; }
  bool held(const std::string& trial) override { return orphans_.count(trial) > 0; }
  double seconds_before(const std::string& trial) override { return earlier_seconds[trial]; }
  double seconds_of_last(const std::string& trial) override { return orphan_seconds[trial]; }
  Progress progress(const std::string& trial) override;
  bool unsettled(const std::string&) override { return false; }
  EndedAttempt close(const std::string& trial, const Ending& ending) override;
  void record(const std::string& trial, TrialState state, const std::string&) override {
    states[trial] = state;
  }
  void seal(const std::string&, const EndedAttempt&, const Ending&, TrialState) override {}
  void commit() override {
    if (disk_is_full) throw DiskFullError("disk-full", "no room");
  }
  std::optional<uint64_t> peak_gpu_bytes(const std::string&) override { return std::nullopt; }
  uint64_t free_bytes() override { return free_bytes_left; }
  std::vector<int> cores_of_last(const std::string& trial) override { return orphan_cores[trial]; }
  std::optional<std::string> gpu_of_last(const std::string& trial) override {
    const auto known = orphan_gpus.find(trial);
    return known == orphan_gpus.end() ? std::nullopt : std::optional(known->second);
  }
  uint64_t checkpoint_bytes() override { return largest_checkpoint; }

 private:
  struct Running {
    FakeAttempt attempt;
    double since_s = 0, ends_s = 0;
  };
  void run(const std::string& trial, const FakeAttempt& attempt);
  FakeAttempt next_attempt(const std::string& trial);

  FakeClock& clock_;
  std::map<std::string, std::deque<FakeAttempt>> scripts_;
  std::map<std::string, FakeAttempt> orphans_;
  std::map<std::string, Running> running_;
  std::map<std::string, FakeAttempt> ended_;  // waiting for close
};

}  // namespace rethink
