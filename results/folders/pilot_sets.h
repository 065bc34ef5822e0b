// pilots/<set>/ of a store: one submission of pilots to a site (experiments/run/pilots/site_run.h), without a database.
//
//   plan.json        what the pilots run (experiments/run/pilots/pilot_plan.h), before the submission
//   jobs.json        {"jobs": ["123", ...], "site": {...}}, as the engine named the jobs, after the submission
//   closed           no pilot may begin: the command that submitted was killed before it knew the jobs
//   <job>.pilot      by the pilot, when it begins: {"job", "restart", "node", "process", "since"}
//   <job>.changes    by the pilot: a line with the id of each trial that began or ended there
//   <name>.machine   by a pilot, when it begins on this machine: {"name", "processor", "gpus"}
//   <job>.failed     by a pilot that could not go on: {"message"}
//   logs/<job>.log   output of the pilot
//   taken.json       {"taken": {"<job>.changes": bytes}}: what the index has of the changes
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/json_fwd.h"
#include "core/system/process.h"

namespace rethink {

/// A pilot that has begun.
struct StartedPilot {
  std::string job;
  int restart = 0;   // how often the queue had started the job again
  std::string node;  // the machine's name
  ProcessIdentity process{};
  std::string since{};
};

class PilotSet {
 public:
  explicit PilotSet(std::filesystem::path folder) : folder_(std::move(folder)) {}
  /// Creates a new set. Durable: its folders.
  static PilotSet make(const std::filesystem::path& store);
  /// Returns the sets of a store, sorted by name; none if `pilots` is missing or not a folder.
  static std::vector<PilotSet> all(const std::filesystem::path& store);

  const std::filesystem::path& folder() const { return folder_; }
  std::string name() const { return folder_.filename().string(); }
  std::filesystem::path plan() const { return folder_ / "plan.json"; }
  std::filesystem::path logs() const { return folder_ / "logs"; }
  std::filesystem::path log(const std::string& job) const { return logs() / (job + ".log"); }
  std::filesystem::path changes(const std::string& job) const;

  /// Durable.
  void record_jobs(const std::vector<std::string>& jobs, const Json& site) const;
  /// Returns the jobs of jobs.json; nothing before the submission is recorded.
  std::optional<std::vector<std::string>> recorded_jobs() const;
  /// Returns the site of jobs.json, as experiments/site writes it; an empty object before the submission
  /// is recorded.
  Json recorded_site() const;
  void announce(const StartedPilot& pilot) const;
  /// The kind of a machine on which pilots began (experiments/run/pilots/pilot.cpp).
  struct Machine {
    std::string name, processor, gpus;
  };
  void record_machine(const Machine& machine) const;
  std::vector<Machine> machines() const;
  std::vector<StartedPilot> started() const;
  void record_failure(const std::string& job, const std::string& message) const;
  /// Returns the message of each pilot that recorded a failure.
  std::vector<std::string> failures() const;
  /// Records that the job has ended, as the driver's machine read in the queue. A pilot in a container may be
  /// unable to ask the queue.
  void record_end(const std::string& job) const;
  /// Returns whether record_end was called for the start number `restart` of the job, or for a
  /// later start.
  bool is_end_recorded(const std::string& job, int restart) const;
  /// Returns recorded and started jobs.
  std::vector<std::string> jobs() const;
  /// Closes the set. A pilot announces itself and then checks whether the set is closed, so a pilot that has not
  /// announced itself by now never runs.
  void close() const;
  bool is_closed() const;

  /// Returns the trials in lines that the index has not read, each once.
  std::vector<std::string> new_changes();
  /// Records that the index has read the changes that new_changes() returned.
  void changes_are_taken() const;
  void remove() const;

 private:
  std::filesystem::path folder_;
  std::map<std::string, uint64_t> read_{};  // bytes of each file of changes
};

}  // namespace rethink
