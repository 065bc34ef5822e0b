// The settings of a sweep's earlier runs, from the store's record. Tables, figures and claims
// mention them if they are shown with other settings; --like-last-run uses them.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "app/driver/command.h"
#include "app/driver/show/tables/rendering.h"
#include "plots/table/table_spec.h"
#include "results/folders/sweep_files.h"

namespace rethink {

/// Declares --like-last-run.
void declare_like_last_run(po::options_description& options);

/// Throws ConfigError if --like-last-run is used with --profile, --set or --seeds.
void require_no_settings_beside_last_run(const po::variables_map& given);

/// Returns the choices of `chosen` or, with --like-last-run, those of the newest run of any of
/// `sweeps` (files), which the first line on standard error then shows. Throws ConfigError if
/// --like-last-run is used with other choices, or if no such run is recorded.
RenderingChoices choices_for(const CommandContext& context, const po::variables_map& given,
                             const RenderingChoices& chosen,
                             const std::vector<std::filesystem::path>& sweeps);

/// Does the same for the sweeps of a spec, or for a sweep, as in sweep_files_named.
RenderingChoices choices_of_named(const CommandContext& context, const po::variables_map& given,
                                  const RenderingChoices& chosen, const std::string& kind,
                                  const std::string& name);

/// Returns the files of planned sweeps.
std::vector<std::filesystem::path> files_of(const Plans& plans);
/// Returns the ids of all their trials.
std::set<std::string> trials_of(const Plans& plans);

/// Writes to standard error which trials of `sweeps` (files) are done with other settings than `chosen`, newest first,
/// each with the command that shows them: `words` ("table mine.yaml") and the settings. Writes each sentence once.
/// A run whose trials are all among `shown_trials` is left out. Only trials of `stages` count; empty: of all stages.
void print_other_settings(const CommandContext& context, const RenderingChoices& chosen,
                          const std::vector<std::filesystem::path>& sweeps,
                          const std::string& words, const std::set<std::string>& shown_trials = {},
                          const std::set<std::string>& stages = {});
/// Returns the stages from which rows and columns take their trials.
std::set<std::string> stages_of(const std::vector<const TableSpec*>& specs);

}  // namespace rethink
