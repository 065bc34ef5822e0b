// The interface of jobs: the work of a stage in its process. Jobs are one file each, in
// experiments/attempt/jobs (no LibTorch) or experiments/train/jobs.
#pragma once

#include <atomic>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/config/registry.h"
#include "core/error.h"
#include "core/facts/job_facts.h"
#include "core/json.h"
#include "experiments/attempt/trial.h"

namespace rethink {

class CheckpointFolder;
class EventLog;

/// The kind of artifacts with a model.
inline constexpr const char* kWeights = "weights";

/// A file that a done trial left, as its result.json lists it.
struct Artifact {
  std::string name;  // "weights"
  std::string kind;  // "weights", "mask", "predictions", "attention_map", ...
  std::filesystem::path path;
  std::string sha256;
  uint64_t bytes = 0;
  Json facts = Json::object();  // for tables: {"sparsity": 96.1}
  std::optional<int64_t>
      seed;  // seed of the trial that made it; set if a select passes several seeds
};

/// The attempt ran out of memory; it ends as oom, which retry rules may answer with fewer
/// neighbours on the device.
struct OutOfMemoryError : TrialError {
  using TrialError::TrialError;
};

/// Error: another process killed the attempt's program. The attempt ends as killed, as if the
/// worker had been killed.
struct KilledError : TrialError {
  using TrialError::TrialError;
};

/// Settings of this attempt that change no identity.
struct Runtime {
  int threads = 1;
  bool deterministic = true;          // only algorithms that repeat their results bit by bit
  std::string device = "cpu";         // or "cuda"
  std::string attention = "library";  // on a GPU; or "kernels", with the CPU's dropout
  std::filesystem::path data;         // --data
  std::filesystem::path cache;        // token caches, shared by all workers of a user
  bool keep_weights = false;          // a planned stage needs them, or keep: weights
  std::optional<int64_t> checkpoint_every_s;  // seconds between checkpoints; the job has a default
  std::vector<std::string> gpus{};   // for a user's program, as in its CUDA_VISIBLE_DEVICES
  double grace_s = 30;               // for a user's program: seconds from SIGTERM to SIGKILL
  std::filesystem::path checkout{};  // source of a user's program; empty: unknown
  std::optional<double> stall_s{};   // the driver ends the attempt after this time without events
};

/// Everything a job may use. Lives as long as the attempt.
struct JobContext {
  const Trial& trial;
  const Runtime& runtime;
  std::map<std::string, std::vector<Artifact>> inputs;  // artifacts of the trials in each slot
  /// result.json of the trials in each slot. A select is replaced by its winner for the trial's
  /// seed, or by the winners of all seeds if this trial has no seed. Such a result has the member
  /// "via" with the select's id.
  std::map<std::string, std::vector<Json>> parents;
  EventLog& events;
  CheckpointFolder& checkpoints;
  /// Folder for artifacts. It exists from the first call of artifact_file. In a repetition it is
  /// not the trial's `artifacts`, which has the files of the earlier result.
  std::filesystem::path artifacts;
  const std::atomic<bool>& stop;    // set by SIGTERM: checkpoint, then return interrupted
  std::vector<Artifact> published;  // in result.json when done
  std::filesystem::path store{};    // its folder
  std::filesystem::path attempt{};  // this attempt's folder
  /// More members of result.json: "selected"; "directions": {"perplexity": "min"}, which a select
  /// uses.
  Json result = Json::object();

  /// Returns the first artifact in a slot; null for an empty slot.
  const Artifact* input(const std::string& slot) const;

  /// The path below `artifacts` to which the job writes a file before it publishes the file with
  /// add_artifact. Creates the folder.
  std::filesystem::path artifact_file(const std::string& name) const;

  /// Adds a file below `artifacts` to the result: fsyncs it, hashes it, and writes an artifact
  /// event. Result and event have the file's path at the time when the result exists.
  void add_artifact(const std::string& name, const std::string& kind,
                    const std::filesystem::path& file, Json facts = Json::object());
};

enum class JobOutcome { done, diverged, interrupted };

/// Failures are TrialErrors; any other exception also counts as failed.
class Job {
 public:
  virtual ~Job() = default;
  virtual JobOutcome run(JobContext& context) = 0;
};

using JobRegistry = Registry<Job, JobFacts>;
JobRegistry& jobs();

}  // namespace rethink
