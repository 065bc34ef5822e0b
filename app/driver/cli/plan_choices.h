// The options that `plan`, `run` and every other command on sweeps share.
#pragma once

#include <exception>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/driver/command.h"
#include "experiments/plan/plan.h"
#include "experiments/run/sweep_run.h"
#include "results/folders/sweep_files.h"

namespace rethink {

/// Declares --profile, --set and --seeds.
void declare_trial_choices(po::options_description& options);
/// Declares --device, --max-trials, --slots, --fail-fast and --priority.
void declare_machine_choices(po::options_description& options);
/// Declares all of these, --only and --skip-missing-data; `plan` shows what `run` does with them.
void declare_run_choices(po::options_description& options);

/// Returns the value of --device: "cpu", "cuda" or "auto". Throws ConfigError.
std::string device_choice(const po::variables_map& given);

/// Returns how to run, by these options. Requires: declare_machine_choices. Throws ConfigError.
RunChoices run_choices(const CommandContext& context, const po::variables_map& given);

/// Purpose of a plan: to run trials on this machine, or to look at trials that ran on any machine.
/// For looking, a missing data file counts as the file that the store's trials read.
enum class Purpose { run, look };

/// Returns the given options for the planner, with the data folder and search paths of `context`.
/// Requires: declare_machine_choices to run. Throws ConfigError if --seeds is not like "0..4" or
/// "0,1,5".
PlanChoices plan_choices(const CommandContext& context, const po::variables_map& given,
                         Purpose purpose);

/// Returns the choices of Purpose::look, without options of the command line.
PlanChoices choices_for_looking(const CommandContext& context);

/// Returns the same with the profile, the settings and the folder of data sets of the run that wrote `file`.
PlanChoices choices_on_record(const CommandContext& context, const SweepFile& file);

/// Returns the plan of a sweep. If planning fails and other profiles can be planned, the
/// ConfigError ends with their names, since they need only existing files.
Plan make_plan_with_hints(const std::filesystem::path& file, const PlanChoices& choices,
                          const Schema& schema);

/// The plans of one command. Its tables, figures and claims share sweeps, and planning takes most of
/// their time.
class SharedPlans {
 public:
  /// Returns what make_plan_with_hints returned for the first call with this file and these choices, or
  /// throws what it threw. The folders of data and sweeps, and the machine, are a command's, so they
  /// are the same in every call.
  const Plan& plan(const std::filesystem::path& file, const PlanChoices& choices,
                   const Schema& schema);

 private:
  struct Made {
    Plan plan;
    std::exception_ptr refused;  // null: there is a plan
  };
  std::map<std::string, Made> made_;  // by file and choices
};

/// Returns the plans of sweeps that are used together. A setting applies to the sweeps that have
/// it. If no sweep has it, the ConfigError lists what each sweep has.
std::vector<Plan> plans_of_sweeps(const std::vector<std::filesystem::path>& files,
                                  PlanChoices choices, const Schema& schema, SharedPlans& shared);

/// Returns the plans of the sweeps in the arguments, each a file or a name such as
/// bet/diag_discount, to be run on this machine. Requires: declare_run_choices. Throws ConfigError
/// if no sweep is given, or with every problem found in one of the sweeps.
std::vector<Plan> plans_of_arguments(const CommandContext& context, const po::variables_map& given);

/// Returns the `rethink run` command with the sweeps and options that were given, on this store.
std::string run_as_given(const po::variables_map& given, const std::filesystem::path& store);

/// Returns "to repeat failed and cancelled trials: rethink retry SWEEP && rethink run SWEEP".
/// `diverged`: whether trials of the sweeps diverged, which the retry then leaves out.
std::string how_to_retry(const po::variables_map& given, bool diverged,
                         const std::filesystem::path& store);

/// With --skip-missing-data: removes trials without an id from the plans, since they or trials that they need read
/// missing files. Writes their number, and the commands that get the files, to standard error. Returns their number.
size_t leave_out_trials_without_files(std::vector<Plan>& plans);

/// Writes notes on the plans and `slots` (--slots or 0) to standard error, also why trials that
/// could run on a GPU here do not.
void print_notes(const std::vector<Plan>& plans, const CommandContext& context,
                 const po::variables_map& given, int slots);

/// Returns "0..4", "3" or "0,1,5" as a list. Throws ConfigError.
std::vector<int64_t> seeds_named(const std::string& text);

}  // namespace rethink
