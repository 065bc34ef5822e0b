// The common parts of the commands table, figure, claims, report and why: which tables and figures
// a command line names, their plans, and their output.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "app/driver/cli/plan_choices.h"
#include "app/driver/command.h"
#include "experiments/plan/plan.h"
#include "plots/render/renderer.h"
#include "plots/table/lines/grid.h"

namespace rethink {

/// Declares --all, --run, the choice of trials (declare_trial_choices) and the options of runs
/// (declare_machine_choices).
void declare_rendering_choices(po::options_description& options);

/// Choices of the command line, for the planner and for commands in messages.
struct RenderingChoices {
  PlanChoices plan;
  CommandWords again;
  std::string folders = "";  // part of `again`: " --path DIR --data DIR"
  std::shared_ptr<SharedPlans> plans = std::make_shared<SharedPlans>();  // copies share them
};
/// Returns the choices. Throws ConfigError as plan_choices. Says on standard error that the store is
/// missing, unless the command makes it: with --run, or by itself (`makes_store`).
RenderingChoices rendering_choices(const CommandContext& context, const po::variables_map& given,
                                   bool makes_store = false);

/// Returns the names in the arguments, or with --all every spec of `kind` (tables, figures,
/// claims). Throws ConfigError without both.
std::vector<std::string> chosen_specs(const CommandContext& context, const po::variables_map& given,
                                      const std::string& kind);

/// Calls `make` for one spec after the other and returns the worst exit code. If one of several
/// specs is broken, or lacks a profile that another spec has, it is reported on standard error and
/// the loop continues (kSomeFailed). A full disk, or the exit code of a run that ended early, ends
/// the loop.
int for_each_spec(const std::vector<std::string>& names,
                  const std::function<int(const std::string& name)>& make);

/// Returns the plans of the sweeps that a spec names, by their path in the spec. A setting applies
/// to the sweeps that have it; a setting that no sweep has is a ConfigError.
Plans plans_of_spec(const CommandContext& context, const std::vector<Word>& sweeps,
                    const RenderingChoices& chosen);

/// Returns the plans of a table's sweeps. The columns of a sweep that cannot be planned move to
/// spec.left_out. Throws the first sweep's error if no table remains.
Plans plans_of_columns(const CommandContext& context, TableSpec& spec, PlanChoices choices,
                       SharedPlans& shared);

/// Fits the output to the terminal's width, if standard output is a terminal.
void fit_to_terminal(Renderer& renderer);

/// Runs the missing trials among these and the trials that they need, by run_or_queue.
/// `plan_choices` made `plans`. `shown` are all trials that the command is about: its progress also
/// counts those that ended before, as a resumed `run` does. `command`, such as "reproduce bet", is
/// recorded as the command that resumes them. Returns the exit code that `run` would return.
int run_missing(const CommandContext& context, const po::variables_map& given, const Plans& plans,
                const PlanChoices& plan_choices,
                const std::map<std::string, std::vector<std::string>>& to_run,
                const std::set<std::string>& shown, const std::string& command);

/// Returns the words that resume `command --run` for one spec or sweep, from every folder: "table bet/table2 --run".
std::string resuming_words(const std::string& command, const std::string& name,
                           const po::variables_map& given);

/// Makes a folder below --out. Throws ConfigError if it cannot be made, and MachineError if the
/// disk is full.
void make_out_folder(const std::filesystem::path& folder);

/// Writes `text` to the file `name` below --out, makes missing folders, and reports it on standard
/// error.
void write_rendering(const CommandContext& context, const std::string& name,
                     const std::string& text);

/// Returns "table2" for "bet/table2".
std::string last_part_of(const std::string& name);

}  // namespace rethink
