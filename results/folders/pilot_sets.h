// pilots/<set>/ of a store: one submission of pilots to a site (experiments/run/pilots/site_run.h), without a database.
//
//   plan.json        what the pilots run (experiments/run/pilots/pilot_plan.h), before the submission
//   jobs.json        {"jobs": ["123", ...], "site": {...}}, as the engine named the jobs, after the submission
//   closed           no pilot begins any more: the command that submitted was killed before it knew the jobs
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
  /// A new one. Durable: its folders.
  static PilotSet make(const std::filesystem::path& store);
  /// Those of a store, by name; none where `pilots` is missing or no folder.
  static std::vector<PilotSet> all(const std::filesystem::path& store);

  const std::filesystem::path& folder() const { return folder_; }
  std::string name() const { return folder_.filename().string(); }
  std::filesystem::path plan() const { return folder_ / "plan.json"; }
  std::filesystem::path logs() const { return folder_ / "logs"; }
  std::filesystem::path log(const std::string& job) const { return logs() / (job + ".log"); }
  std::filesystem::path changes(const std::string& job) const;

  /// Durable.
  void record_jobs(const std::vector<std::string>& jobs, const Json& site) const;
  /// Of jobs.json; nothing while the submission is not on record.
  std::optional<std::vector<std::string>> recorded_jobs() const;
  /// Of jobs.json, as the engine's room writes it; an empty object while the submission is not on record.
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
  /// Of each pilot that recorded one.
  std::vector<std::string> failures() const;
  /// What the driver's machine read in the queue: the job has ended. Pilots in a container may be unable to ask.
  void record_end(const std::string& job) const;
  /// Whether that was recorded of the job as it began for the time `restart`, or of a later time.
  bool is_end_recorded(const std::string& job, int restart) const;
  /// Recorded and started jobs.
  std::vector<std::string> jobs() const;
  /// A pilot announces itself and then looks whether the set is closed: a pilot that is not announced by now never runs.
  void close() const;
  bool is_closed() const;

  /// Ids in lines that the index lacks, each once.
  std::vector<std::string> new_changes();
  /// The index has what new_changes() returned.
  void changes_are_taken() const;
  void remove() const;

 private:
  std::filesystem::path folder_;
  std::map<std::string, uint64_t> read_{};  // bytes of each file of changes
};

}  // namespace rethink
