// The SQLite index of a store. The trials' folders are the truth; `rebuild` makes the same rows from them again.
// One writer (the process that holds the store's lock), any number of readers (mode=ro).
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/json.h"

namespace SQLite {
class Database;
}

namespace rethink {

/// Trial states of attempts.md 4: waiting ready running done diverged failed cancelled blocked.
using TrialState = std::string;

/// A trial as one sweep sees it.
struct SweepMember {
  std::string trial, stage, profile;
  std::map<std::string, std::string> labels;
};

struct TrialRow {
  std::string id, job;
  TrialState state;
  Json config;
  std::optional<int64_t> seed;
  std::string message;  // of the last failure
};

struct MetricRow {
  std::string trial, split, name;
  int64_t step = 0;
  std::optional<double> value;  // none: not a finite number
};

struct AttemptRow {
  std::string trial;
  int64_t number = 0;
  std::string outcome;  // empty while it runs
  std::string message;
  Json facts = Json::object();  // threads, device, versions, exit signal
};

class Store {
 public:
  enum class Access { read, write };

  /// Opens `folder`/rethink.db; with Access::write creates or migrates it (a copy is kept). Throws MachineError: not
  /// a store, written by a newer version, a folder that cannot be written without a -shm file (use db snapshot).
  Store(const std::filesystem::path& folder, Access access);
  ~Store();

  SQLite::Database& database();  // with the statistics of statistics.h registered

  /// Everything the functions below do between begin and commit is one transaction (BEGIN IMMEDIATE).
  void begin();
  void commit();

  void put_trial(const Json& trial_json, TrialState state);
  void set_state(const std::string& trial, const TrialState& state, const std::string& message = "");
  void put_sweep(const std::string& sweep, const std::string& profile, const std::vector<SweepMember>& members);
  void put_attempt(const AttemptRow& attempt);

  std::optional<TrialRow> trial(const std::string& id) const;
  /// States of those of `ids` that the store knows.
  std::map<std::string, TrialState> states(const std::vector<std::string>& ids) const;
  std::vector<AttemptRow> attempts(const std::string& trial) const;
  /// Final and curve values: name is "perplexity", "perplexity@best", ...; all steps, in order.
  std::vector<MetricRow> metrics(const std::string& trial, const std::string& split, const std::string& name) const;
  /// The last value of "split/name" for each trial that has one. Cost: one query.
  std::map<std::string, double> last_values(const std::vector<std::string>& trials, const std::string& split,
                                            const std::string& name) const;
  std::map<std::string, double> measurements(const std::string& trial) const;

  /// Reads what is new in the trial's attempts (attempts.md 3): rows and offset in one transaction. Returns false
  /// when the trial is damaged and must run again. Requires: Access::write.
  bool ingest(const std::filesystem::path& trial_folder);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The database's place: in the store's folder, or on a network file system below $XDG_STATE_HOME.
std::filesystem::path database_path(const std::filesystem::path& store_folder);

}  // namespace rethink
