// The ledger of a real store: writes trials' folders first, then their index.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/store_files/line_ends.h"
#include "core/store_files/trial_folder.h"
#include "experiments/run/attempts/attempt_history.h"
#include "experiments/run/ledger.h"
#include "results/folders/store_lock.h"
#include "results/store/store.h"

namespace rethink {

class FolderLedger : public Ledger {
 public:
  /// `index` and `lock` must outlive the ledger. Requires: this process holds the store's lock;
  /// only tests pass no lock.
  FolderLedger(std::filesystem::path store, Store& index, const StoreLock* lock = nullptr);

  std::string moved_store_text() override { return lock_ ? lock_->moved_store_text() : ""; }
  std::string moved_store_text_soon() override;
  bool held(const std::string& trial) override;
  bool unsettled(const std::string& trial) override;
  double seconds_before(const std::string& trial) override;
  double seconds_of_last(const std::string& trial) override;
  Progress progress(const std::string& trial) override;
  EndedAttempt close(const std::string& trial, const Ending& ending) override;
  void seal(const std::string& trial, const EndedAttempt& left, const Ending& ending,
            TrialState after) override;
  void record(const std::string& trial, TrialState state, const std::string& message) override;
  void commit() override;
  uint64_t free_bytes() override;
  uint64_t checkpoint_bytes() override { return checkpoint_bytes_; }
  std::vector<int> cores_of_last(const std::string& trial) override;
  std::optional<std::string> gpu_of_last(const std::string& trial) override;
  std::optional<uint64_t> peak_gpu_bytes(const std::string& trial) override;

 private:
  struct Read {
    int64_t attempt = 0;
    LineEnds line_ends{};
  };
  void begin();
  bool ingest(const std::string& trial);
  std::vector<std::string> warnings_of_last(const std::string& trial, const TrialFolder& folder);

  std::filesystem::path store_;
  Store& index_;
  const StoreLock* lock_;
  std::map<std::string, Read> read_;  // of running attempts
  uint64_t checkpoint_bytes_;
  bool open_ = false;  // whether a transaction is open
};

}  // namespace rethink
