// The SQLite index of a store; `rebuild` makes it again from the trials' folders, which hold the original data. One
// writer (the process that holds the store's lock), any number of readers (mode=ro).
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/json.h"
#include "core/trial_state.h"
#include "results/folders/sweep_files.h"

namespace SQLite {
class Database;
class Statement;
}  // namespace SQLite

namespace rethink {

struct TrialRow {
  std::string id, job;
  TrialState state = TrialState::waiting;
  Json config;
  std::optional<int64_t> seed;
  std::string message;  // of the last failure
  bool begun = false;   // by a driver, which may be dead, and not ended since
};

struct MetricRow {
  std::string trial, split, name;
  int64_t step = 0;
  std::optional<double> value;  // none: not a finite number
  bool operator==(const MetricRow&) const = default;
};

struct AttemptRow {
  std::string trial;
  int64_t number = 0;
  std::optional<AttemptOutcome> outcome;  // none while it runs
  std::string message;
  Json facts = Json::object();  // threads, device, versions, exit signal
};

/// The newest tick of a trial, from any attempt, with this attempt's `resume_step`: 0 if it started
/// from the beginning or does not know it yet.
struct TrialProgress {
  int64_t attempt = 0, resume_step = 0, step = 0, of = 0;
  std::optional<double> loss, steps_per_s;
};

/// Returns known facts of an attempt with `added`, which takes precedence. Of two running times the
/// longer counts, since a driver that took over an attempt did not see its start.
Json facts_with(Json facts, const Json& added);

class Store {
 public:
  enum class Access { read, write };

  /// Opens the database of `folder`. With Access::write it makes the database (from the trials' folders, whole or not
  /// at all) or migrates it (a copy is kept). A snapshot file instead of a folder can be read too. Throws ConfigError
  /// if there is no store. Throws MachineError as is_store(), for a database that is damaged or from a newer version,
  /// and if a driver is running and SQLite may not make its -shm (read_aside.h). Requires for Access::write: this
  /// process holds the StoreLock.
  Store(const std::filesystem::path& folder, Access access);
  /// Makes a new database for the folders of `folder` in the file `at`, which nobody reads yet;
  /// empty: in a temporary file that SQLite removes. Not durable. Throws MachineError.
  Store(const std::filesystem::path& folder, const std::filesystem::path& at);
  ~Store();

  /// The given path: the store's folder, or a snapshot.
  const std::filesystem::path& folder() const;

  /// While another program holds the database's write lock, a writer asks `may_wait` several times a
  /// second; false ends the wait, as MachineError.
  void wait_while(std::function<bool()> may_wait);

  SQLite::Database& database();  // with the aggregates of sql_functions.h registered

  /// Adds a column for each label and each final metric to the view `runs`: for this connection
  /// and, with Access::write, in the file. Cost: reads all labels and the names of all curves.
  void widen_runs();

  /// Deletes every row. Requires: a transaction is open.
  void clear();

  /// All calls of the functions below between begin and commit are one transaction (BEGIN
  /// IMMEDIATE). A transaction that is open when the store is destroyed is rolled back.
  void begin();
  void commit();
  void rollback();

  /// Stores the state in the trial's folder, or that a driver began the trial. Waiting, ready and blocked are not
  /// stored, since they follow from the needed trials; cancelled also follows from the sweeps.
  void put_trial(const Json& trial_json, TrialState state);
  void set_state(const std::string& trial, TrialState state, const std::string& message = "");
  /// Replaces the members and cancellations of this sweep under this profile.
  void put_sweep(const Sweep& sweep);
  void put_sweep(const std::string& sweep, const std::string& profile,
                 const std::vector<SweepMember>& members);
  /// Adds or replaces the given values: a missing outcome, an empty message and missing facts leave the old values.
  /// Only for facts that the folders lack (yet), since ingest_events makes the rows of all attempts.
  void put_attempt(const AttemptRow& attempt);

  std::optional<TrialRow> trial(const std::string& id) const;
  /// Returns the states of those `ids` that the store knows.
  std::map<std::string, TrialState> states(const std::vector<std::string>& ids) const;
  std::vector<AttemptRow> attempts(const std::string& trial) const;
  /// Returns final and curve values at all steps, in order. `name` is "perplexity", "perplexity@best", ...
  std::vector<MetricRow> metrics(const std::string& trial, const std::string& split,
                                 const std::string& name) const;
  /// Returns the last value of "split/name", also of a tail (sql_expressions.h), for each trial
  /// that has one. Cost: one query.
  std::map<std::string, double> last_values(const std::vector<std::string>& trials,
                                            const std::string& split,
                                            const std::string& name) const;
  std::map<std::string, double> measurements(const std::string& trial) const;  // the last ones
  std::optional<TrialProgress> progress(const std::string& trial) const;
  /// Returns the size of the trial's largest checkpoint [bytes]; 0 without one.
  uint64_t largest_checkpoint(const std::string& trial) const;

  /// Returns whether an attempt of the trial continued from events that are not in the database.
  /// They may not matter any more; trial_events_are_whole decides.
  bool lacks_events(const std::string& trial) const;
  /// Returns whether every event up to the final offset of the trial's result.json is in the
  /// database. Only then may the trial become done. False without a result.json.
  bool result_reached(const std::filesystem::path& trial_folder) const;

 private:
  friend class Ingest;
  friend class WriteScope;
  friend void run_once(const Store& store, SQLite::Statement& statement);
  /// Returns a cached statement, reset, with only `values` as parameters. Requires: it is not in use.
  SQLite::Statement& prepared(const char* sql) const;
  template <typename... Values>
  SQLite::Statement& prepared(const char* sql, const Values&... values) const;
  /// Runs run_once of the cached statement.
  template <typename... Values>
  void run(const char* sql, const Values&... values);
  void add_trial(const Json& trial_json, TrialState state);
  /// Returns the facts in the form of the database.
  Json facts_of(const AttemptRow& attempt) const;
  void note_configuration(const Json& configuration);
  void read_keys();
  void open_for_reading();
  void open_for_writing(const std::filesystem::path& file, const char* settings);
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace rethink
