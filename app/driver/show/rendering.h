// The common parts of the commands table, figure, claims, report and why: which tables and figures
// a command line names, their plans, and their output.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "app/driver/command.h"
#include "experiments/plan/plan.h"
#include "plots/render/renderer.h"
#include "plots/table/lines/grid.h"

namespace rethink {

/// Declares --all, --run, which trials are meant (declare_trial_choices) and how they are run
/// (declare_machine_choices).
void declare_rendering_choices(po::options_description& options);

/// Choices of the command line, for the planner and for commands in messages.
struct RenderingChoices {
  PlanChoices plan;
  CommandWords again;
  std::string folders = "";  // of `again`: " --path DIR --data DIR"
};
/// Throws ConfigError as plan_choices does.
RenderingChoices rendering_choices(const CommandContext& context, const po::variables_map& given);

/// Returns the names in the arguments, or with --all every spec of `kind` (tables, figures,
/// claims). Throws ConfigError without both.
std::vector<std::string> chosen_specs(const CommandContext& context, const po::variables_map& given,
                                      const std::string& kind);

/// Does `make` for one spec after the other and returns the worst exit code. One of several that is
/// broken is named on standard error, and the others go on, as they do where one has not the profile
/// that another has (kSomeFailed); no room on the disk, and the codes with which a run of what is missing
/// ends early, end all.
int for_each_spec(const std::vector<std::string>& names,
                  const std::function<int(const std::string& name)>& make);

/// Returns the plans of the sweeps that a spec names, by their path in the spec. A setting applies
/// to the sweeps that have it; a setting that no sweep has is a ConfigError.
Plans plans_of_spec(const CommandContext& context, const std::vector<Word>& sweeps,
                    const PlanChoices& choices);

/// Plans of a table's sweeps. A sweep that cannot be planned costs its own columns alone: they move to
/// spec.left_out. Throws the first sweep's error where no table is left.
Plans plans_of_columns(const CommandContext& context, TableSpec& spec, PlanChoices choices);

/// Fits the output to the terminal's width, if standard output is a terminal.
void fit_to_terminal(Renderer& renderer);

/// Runs exactly these trials and those they need that are missing, by run_or_queue. `plan_choices`: those that `plans`
/// were made with. Returns the exit code that `run` would give.
int run_missing(const CommandContext& context, const po::variables_map& given, const Plans& plans,
                const PlanChoices& plan_choices,
                const std::map<std::string, std::vector<std::string>>& to_run);

/// Makes a folder below --out. Throws ConfigError if it cannot be made, and MachineError if the
/// disk is full.
void make_out_folder(const std::filesystem::path& folder);

/// Writes `text` to the file `name` below --out, makes missing folders, and reports it on standard
/// error.
void write_rendering(const CommandContext& context, const std::string& name,
                     const std::string& text);

/// "table2" of "bet/table2".
std::string last_part_of(const std::string& name);

}  // namespace rethink
