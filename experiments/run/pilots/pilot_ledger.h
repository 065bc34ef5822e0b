// The ledger of a pilot: trials' folders alone, which other pilots work on too, and a file that lists the trials that this
// pilot changed. No database.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/store_files/lease.h"
#include "core/store_files/line_ends.h"
#include "core/store_files/trial_folder.h"
#include "experiments/run/ledger.h"

namespace rethink {

class PilotLedger : public Ledger {
 public:
  /// Returns whether the job of a lease has certainly ended.
  using HasEnded = std::function<bool(const Lease&)>;

  /// `job` and `restart` are written in the claims of this pilot. `changes`: the file that gets a line with the id of
  /// each trial that begins or ends here. `now` returns the seconds of a monotonic clock.
  PilotLedger(std::filesystem::path store, std::string job, int restart,
              std::filesystem::path changes, HasEnded has_ended, std::function<double()> now);

  bool is_shared() const override { return true; }
  TrialLook look(const std::string& trial) override;
  bool may_be_dead(const std::string& trial) override;
  /// Returns the machine that wrote the trial's last checkpoint; empty: no checkpoint, or not
  /// recorded.
  std::string begun_on(const std::string& trial) const;
  std::optional<AttemptClaim> claim(const std::string& trial) override;
  std::string moved_store_text() override;
  std::string moved_store_text_soon() override { return moved_store_text(); }
  bool held(const std::string& /*trial*/) override { return false; }
  bool unsettled(const std::string& /*trial*/) override { return false; }
  double seconds_before(const std::string& trial) override;
  double seconds_of_last(const std::string& trial) override;
  Progress progress(const std::string& trial) override;
  EndedAttempt close(const std::string& trial, const Ending& ending) override;
  void seal(const std::string& trial, const EndedAttempt& left, const Ending& ending,
            TrialState after) override;
  void record(const std::string& trial, TrialState state, const std::string& message) override;
  void commit() override {}
  uint64_t free_bytes() override;
  uint64_t checkpoint_bytes() override { return checkpoint_bytes_; }
  std::vector<int> cores_of_last(const std::string& /*trial*/) override { return {}; }
  std::optional<std::string> gpu_of_last(const std::string& /*trial*/) override { return {}; }
  std::optional<uint64_t> peak_gpu_bytes(const std::string& trial) override;

 private:
  /// The part of the events that was read, for an attempt of this pilot.
  struct Read {
    int64_t attempt = 0;
    uint64_t offset = 0;
    LineEnds line_ends{};
    Progress progress{};
    std::optional<uint64_t> peak_gpu_bytes{};
    std::vector<std::string> warnings{};
  };
  struct Silence {
    uint64_t bytes = 0;
    double since_s = 0;
  };

  bool is_ours(const TrialFolder& folder, int64_t attempt) const;
  /// Returns the number of the attempt that `ending` describes; 0 if it ended before it had a
  /// folder.
  int64_t attempt_of(const std::string& trial, const TrialFolder& folder,
                     const Ending& ending) const;
  bool is_alive(const TrialFolder& folder, int64_t attempt);
  bool is_silent(const TrialFolder& folder, int64_t attempt);
  void read_events_of(const TrialFolder& folder, Read& read);
  void take_event(const Json& event, Read& read);

  std::filesystem::path store_;
  std::string job_;
  int restart_;
  std::filesystem::path changes_;
  HasEnded has_ended_;
  std::function<double()> now_;
  std::map<std::string, Read> read_;                   // of trials that this pilot has begun, by id
  std::map<std::filesystem::path, Silence> silences_;  // of events of attempts of other pilots
  uint64_t checkpoint_bytes_ = 0;
};

}  // namespace rethink
