// Which trials a sweep has: the only answer to that question in the program. Which of them run is
// decided by prepare in experiments/run/sweep_batch.cpp; plan_report.h gives the reasons.
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
#include "experiments/attempt/trial.h"
#include "experiments/plan/expand/code_snapshot.h"

namespace rethink {

/// SHA-256 of data files from what was read before (recorded_data in results/query/known_trials.h).
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
  std::string device = "auto";              // --device: before what the sweep says, unless auto
  std::function<bool()> has_gpu = nullptr;  // asked only where a GPU is asked for
  std::function<size_t()> gpus = nullptr;   // that a user's program can have at once; likewise
  /// Memory of the largest GPU, 0 without a GPU. Called only if a sweep says how much it needs.
  std::function<uint64_t()> most_gpu_bytes = nullptr;
};

/// Choices of the command line beside the sweep file.
struct PlanChoices {
  std::string profile;                // empty = none
  std::vector<std::string> settings;  // --set K=V, in order
  bool of_several =
      false;  // sweeps: a setting that this one cannot take is another's (Plan::of_others)
  std::optional<std::string> only_stage;  // with what it needs
  std::optional<std::vector<int64_t>> seeds;
  std::filesystem::path data;  // --data; empty = RETHINK_DATA is not set
  std::vector<std::filesystem::path>
      paths;                         // --path: folders searched for sweeps and presets, in order
  RecordedFiles recorded = nullptr;  // data files of trials that were; null = all must be here
  bool may_lack_files =
      false;  // trials of files that nobody knows have no id (PlannedTrial::lacks)
  std::optional<Machine> machine;  // none: nothing shall run, only what was is looked at

  /// Choices that make other trials than the profile alone: "--set lr=1 --seeds 0,1"; "" = none.
  std::string text() const;
};

/// The options of PlanChoices::text, in which values have no quotation marks, and their values: {"--set", "lr=1"}.
std::vector<std::pair<std::string, std::string>> options_of_choice(const std::string& text);

/// How trials of a stage run: no part of what they are.
struct StageResources {
  int threads = 1;
  bool deterministic = true;
  std::string device =
      "auto";          // as the sweep says it; of a trial that is about to run, cpu or cuda
  bool alone = false;  // no other trial of the run beside it
  std::string attention = "library";  // on a GPU; or "kernels" (docs/gpu.md)
  std::optional<uint64_t> gpu_memory_bytes;
  std::optional<int> most_per_gpu;  // trials of the run on the GPU of one of these
  std::optional<int> gpus;          // of a user's program, whole; none: a share of one
  std::optional<double> time_limit_s, stall_limit_s;
  double grace_s = 30;               // from SIGTERM to SIGKILL
  std::map<std::string, int> retry;  // outcome: how often
  bool keep_weights = false;         // a stage needs them, or
  bool keep_asked = false;           // keep: weights
  std::optional<int64_t> checkpoint_every_s;
  bool operator==(const StageResources&) const = default;
};

/// A planned trial: its identity, its names for people, and how it runs.
struct PlannedTrial {
  Trial trial;  // its id is empty, as that of each trial that needs it, where it lacks a file
  /// Commands that get missing files that this trial, or a trial behind it, reads, if their hash is
  /// unknown: "`rethink data get glue/cola`". Only with PlanChoices::may_lack_files.
  std::set<std::string> lacks{};
  std::set<std::string> to_bring{};  // likewise, of files of its own whose contents are known
  std::string stage;
  /// Axis label or key: the text of its value; a parent's as "pretrain.arm". Never hashed.
  std::map<std::string, std::string> labels;
  std::set<std::string>
      own_draws{};  // options that have the trial's own seed, since a sweep says so
  std::set<int64_t>
      candidate_seeds{};  // of a select: those of the trials that it chooses among, through other selects
  Shared<StageResources> resources;
  std::string
      score{};  // of a trial that is about to run: its score's metric, "test/perplexity@best"; empty: unknown
  /// Seeds of its stage (of a select: of its candidates' stage) without --seeds and --set.
  size_t own_seeds = 0;
};

/// Values in the file by stage and axis, including values whose points `exclude` drops.
using AxisValues = std::map<std::string, std::map<std::string, std::set<std::string>>>;

struct Plan {
  std::string sweep;  // its name in the file
  std::string profile;
  std::vector<std::string> profiles;  // that the file has
  std::string choice;                 // PlanChoices::text
  std::filesystem::path file;
  std::vector<PlannedTrial>
      trials;  // in dependency order; a trial that two stages share stands in both
  std::vector<CodeSnapshot> code;  // that its trials run, which a run keeps in the store
  std::set<std::string> left_out;  // stages that the profile or --set leaves out
  AxisValues axis_values;
  /// Axes of draws, such as "model.attention.mask.seed" and "pretrain.model.attention.mask.seed":
  /// they set an option that may follow the seed.
  std::set<std::string> draw_axes;
  std::vector<std::string>
      of_others;            // settings that this sweep cannot take (PlanChoices::of_several)
  std::vector<Note> notes;  // settings that are valid but probably unintended
  size_t distinct() const;  // after sharing

  /// The planned trials of one stage.
  std::vector<const PlannedTrial*> of_stage(const std::string& stage) const;
};

/// Returns the plan of a sweep file. Throws ConfigError with every problem (up to 20) and its
/// position. The file's other profiles are checked too, without --set: in each stage, every value
/// of every axis once. Cost: 10,000 trials in less than a second.
Plan make_plan(const std::filesystem::path& sweep_file, const PlanChoices& choices,
               const Schema& schema);

/// Takes out the trials that have no id (PlannedTrial::lacks), which cannot run here. Returns how many; `lacks` gets what
/// brings their files.
size_t take_out_lacking(Plan& plan, std::set<std::string>& lacks);

/// "finetune arm=Star task=CoLA seed 0"
std::string title_of(const std::string& stage, const std::map<std::string, std::string>& labels,
                     std::optional<int64_t> seed);
std::string title_of(const PlannedTrial& planned);

}  // namespace rethink
