// Sites, where pilots run: this machine, or the queue of a cluster. An engine submits pilots, asks for the state of
// their jobs and cancels them. A pilot (`rethink pilot`) runs trials of a store until nothing is left.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/config/problems.h"
#include "core/json_fwd.h"

namespace rethink {

/// The commands of a queue that sites.yaml describes itself.
struct QueueCommands {
  std::string submit{}, states{}, cancel{};
  std::string job{};  // what the job's shell expands to its id: "${PBS_JOBID%%.*}"
};

/// A site, as a user's sites.yaml describes it (experiments/site/sites_file.h).
struct Site {
  std::string name;                    // "a100"
  std::string engine = "local";        // slurm, commands or local
  std::vector<std::string> options{};  // words for sbatch, as written: "--partition=gpu"
  int pilots = 1;                      // at most so many at once
  int trials_per_pilot = 0;  // a pilot ends after so many trials; 0: when no trial is left
  std::string setup{};       // lines of a shell script before the pilot starts: "module load cuda"
  std::string wrap{};        // shell words before the pilot's own: "apptainer exec image.sif"
  double ask_every_s = 30;   // least time between two questions to the queue
  QueueCommands commands{};  // of the engine `commands`
  std::filesystem::path file{};           // sites.yaml; empty: the site is built in
  Position where{};                       // of the site's name in `file`
  std::vector<Position> options_where{};  // of each of `options`; none in a site from a plan file
};
/// Convert a site to and from the form in plan files of pilots, without positions. Throw ConfigError.
Json to_json(const Site& site);
Site site_from_json(const Json& json);

enum class JobState {
  pending,  // submitted, and not begun
  running,
  ended,   // however it ended, and also a job that the engine knew once and no longer knows
  unknown  // the engine did not answer: no conclusion may be drawn
};

struct JobStatus {
  JobState state = JobState::unknown;
  std::string reason{};  // in the engine's words, such as why it waits; may be empty
};

/// The program that each job of a set runs.
struct PilotCommand {
  std::vector<std::string> words;  // the program's absolute path, and its arguments
  std::filesystem::path
      logs;            // existing folder for the jobs' output; a job's file is logs/<job>.log
  std::string name;    // for the queue's lists: "rethink demo/noop"
  bool brief = false;  // ends within a minute, so that the queue may start it sooner
};

class Engine {
 public:
  virtual ~Engine() = default;
  /// Submits `count` jobs, and returns their ids. Each job has its id in the environment variable RETHINK_JOB. Throws
  /// ConfigError, with the engine's message, if the site refuses the options, and MachineError if the engine cannot be
  /// reached. Jobs that were submitted before the error are cancelled.
  virtual std::vector<std::string> submit(const PilotCommand& pilot, int count) = 0;
  /// Returns the state of each of `jobs`. Cost: one call of the engine for all jobs. If the engine fails, or does not
  /// list a job, the job's state is unknown, with the reason; errors of the engine are not thrown.
  virtual std::map<std::string, JobStatus> states(const std::vector<std::string>& jobs) = 0;
  /// Ends the jobs: sends TERM to running pilots, and removes waiting jobs from the queue. Ended jobs are skipped.
  /// Throws MachineError if the engine cannot be reached.
  virtual void cancel(const std::vector<std::string>& jobs) = 0;
  /// Returns the time at which the job must end [s since 1970]; nothing without a limit. Called once, by the pilot.
  virtual std::optional<double> end_time(const std::string& /*job*/) { return std::nullopt; }
  /// Puts the running job back into the queue, with the same id. Called by the job's pilot. Returns false if the
  /// queue cannot do this.
  virtual bool requeue(const std::string& /*job*/) { return false; }
};

/// Returns whether the site's jobs are processes of this machine.
bool runs_on_this_machine(const Site& site);

/// Throws ConfigError if the engine is unknown.
std::unique_ptr<Engine> make_engine(const Site& site);

/// Engines of several sites, each constructed once.
class Engines {
 public:
  /// Throws ConfigError, as make_engine.
  Engine& of(const Site& site);

 private:
  std::map<std::string, std::unique_ptr<Engine>> engines_;  // by the site's contents
};

/// Returns the id of the job in which this process runs: RETHINK_JOB, else the id of a pilot on
/// this machine.
std::string own_job();
/// Returns how often the queue has restarted this job; 0 if unknown.
int own_restart();
/// Returns the number of this machine's processors that the queue gave to this job; if unknown, the number
/// of all.
size_t cpus_of_job();

}  // namespace rethink
