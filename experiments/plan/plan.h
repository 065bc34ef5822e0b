// The trials of a sweep. No other code decides which trials it has. prepare in experiments/run/sweep_batch.cpp
// decides which trials run; plan_report.h gives the reasons.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/config/note.h"
#include "core/config/schema.h"
#include "core/error.h"
#include "core/trial_state.h"
#include "experiments/attempt/trial.h"
#include "experiments/plan/expand/code_snapshot.h"

namespace rethink {

/// Returns the SHA-256 of data files from earlier runs (recorded_data in results/records/known_trials.h).
using RecordedFiles = std::function<std::map<std::string, std::string>()>;

/// The option in which the planner writes the candidates of a stage that chooses among trials.
constexpr const char* kCandidatesOption = "groups";

/// An immutable value that its copies share, so that common parts of thousands of trials exist
/// once.
template <typename Value>
class Shared {
 public:
  Shared() : value_(usual()) {}
  Shared(Value value) : value_(std::make_shared<const Value>(std::move(value))) {}

  const Value& operator*() const { return *value_; }
  const Value* operator->() const { return value_.get(); }

 private:
  static const std::shared_ptr<const Value>& usual() {
    static const auto kUsual = std::make_shared<const Value>();
    return kUsual;
  }

  std::shared_ptr<const Value> value_;
};

/// The machine on which trials will run. It is a problem of the plan if a stage requests what the
/// machine lacks.
struct Machine {
  size_t cores = 1;
  std::string device = "auto";              // --device; overrides the sweep unless auto
  std::function<bool()> has_gpu = nullptr;  // called only if a stage requests a GPU
  std::function<size_t()> gpus =
      nullptr;  // GPUs for a single program of a user; called only if a stage requests a GPU
  /// Memory of the largest GPU, 0 without a GPU. Called only if a sweep says how much it needs.
  std::function<uint64_t()> most_gpu_bytes = nullptr;
};

/// Choices of the command line beside the sweep file.
struct PlanChoices {
  std::string profile;                // empty = none
  std::vector<std::string> settings;  // --set K=V, in order
  bool of_several = false;  // several sweeps: a setting may be for another sweep (Plan::of_others)
  std::optional<std::string> only_stage;  // with the stages that it needs
  std::optional<std::vector<int64_t>> seeds;
  std::filesystem::path data;  // --data; empty = RETHINK_DATA is not set
  std::vector<std::filesystem::path>
      paths;                         // --path: folders searched for sweeps and presets, in order
  RecordedFiles recorded = nullptr;  // data files of earlier trials; null = all files must exist
  bool may_lack_files =
      false;  // trials with files of unknown content have no id (PlannedTrial::lacks)
  std::optional<Machine> machine;  // none: nothing will run; the store is only read

  /// Returns the choices that change trials, apart from the profile: "--set lr=1 --seeds 0,1"; "" without such choices.
  std::string text() const;
};

/// Splits a text of PlanChoices::text, whose values have no quotation marks, into options and
/// values: {"--set", "lr=1"}.
std::vector<std::pair<std::string, std::string>> options_of_choice(const std::string& text);

/// How trials of a stage run. It is not part of their identity.
struct StageResources {
  int threads = 1;
  bool deterministic = true;
  std::string device = "auto";        // as in the sweep; on the board of a run, cpu or cuda
  bool alone = false;                 // no other trial of the run at the same time
  std::string attention = "library";  // on a GPU; or "kernels" (docs/gpu.md)
  std::optional<uint64_t> gpu_memory_bytes;
  std::optional<int> most_per_gpu;  // largest number of trials of the run on its GPU
  std::optional<int> gpus;          // whole GPUs of a user's program; none: a share of one GPU
  std::optional<double> time_limit_s, stall_limit_s;
  double grace_s = 30;                  // from SIGTERM to SIGKILL
  std::map<AttemptOutcome, int> retry;  // number of retries
  bool keep_weights = false;            // another stage needs the weights, or
  bool keep_asked = false;              // the sweep has keep: weights
  std::optional<int64_t> checkpoint_every_s;
  bool operator==(const StageResources&) const = default;
};

/// A planned trial: its identity, its names for people, and how it runs. It is passed on whole and
/// unchanged; what a run knows beside it is TrialOutlook (experiments/run/board.h).
struct PlannedTrial {
  Trial trial;  // its id is empty if it, or a trial that it needs, lacks a file
  /// Commands that get the missing files that this trial, or a trial behind it, reads, if the hash of
  /// one of them is unknown: "`rethink data get glue/cola`". Only with PlanChoices::may_lack_files.
  std::set<std::string> lacks{};
  std::set<std::string>
      to_bring{};  // the same for the trial's own missing files whose hash is known
  std::string stage;
  /// Axis label or key: the text of its value; a parent's as "pretrain.arm". Never hashed.
  std::map<std::string, std::string> labels;
  std::set<std::string> own_draws{};  // options that take the trial's own seed, by the sweep
  std::set<int64_t>
      candidate_seeds{};  // of a select: seeds of its candidates, also through other selects
  Shared<StageResources> resources;
  /// Seeds of its stage (of a select: of its candidates' stage) without --seeds and --set.
  size_t own_seeds = 0;
};

/// Values in the file by stage and axis, including values whose points `exclude` drops.
using AxisValues = std::map<std::string, std::map<std::string, std::set<std::string>>>;

struct Plan {
  std::string sweep;  // its name in the file
  std::string profile;
  std::vector<std::string> profiles;  // profiles in the file
  std::string choice;                 // PlanChoices::text
  std::filesystem::path file;
  std::vector<PlannedTrial>
      trials;  // in dependency order; a trial that two stages share appears twice
  std::vector<CodeSnapshot> code;  // code of its trials, which a run keeps in the store
  std::set<std::string> left_out;  // stages that the profile or --set leaves out
  AxisValues axis_values;
  /// Axes of draws, such as "model.attention.mask.seed" and "pretrain.model.attention.mask.seed":
  /// they set an option that may follow the seed.
  std::set<std::string> draw_axes;
  std::vector<std::string> of_others;  // settings that this sweep lacks (PlanChoices::of_several)
  std::vector<Note> notes;             // settings that are valid but probably unintended
  size_t distinct() const;             // number of different trials

  /// The planned trials of one stage.
  std::vector<const PlannedTrial*> of_stage(const std::string& stage) const;
};

/// Returns the plan of a sweep file. Throws ConfigError with every problem (up to 20) and its
/// position. The file's other profiles are checked too, without --set: in each stage, every value
/// of every axis once. Cost: 10,000 trials in less than a second.
Plan make_plan(const std::filesystem::path& sweep_file, const PlanChoices& choices,
               const Schema& schema);

/// Removes the trials without an id (PlannedTrial::lacks), which cannot run here, and returns their
/// number. `lacks` gets the commands that bring their files.
size_t remove_trials_without_files(Plan& plan, std::set<std::string>& lacks);

/// Returns "finetune arm=Star task=CoLA seed 0".
std::string title_of(const std::string& stage, const std::map<std::string, std::string>& labels,
                     std::optional<int64_t> seed);
std::string title_of(const PlannedTrial& planned);

}  // namespace rethink
