// The settings under which a sweep was run before, from the store's record: what a table, a figure or claims say where
// they are asked for under other settings, and what --like-last-run takes.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/driver/command.h"
#include "app/driver/show/rendering.h"
#include "results/folders/sweep_files.h"

namespace rethink {

/// Declares --like-last-run.
void declare_like_last_run(po::options_description& options);

/// Throws ConfigError if --like-last-run is beside --profile, --set or --seeds.
void require_no_settings_beside_last_run(const po::variables_map& given);

/// The choices of `chosen` or, with --like-last-run, those of the newest run of any of `sweeps` (files), which standard
/// error then says in its first line. Throws ConfigError where --like-last-run stands beside other choices, or where no
/// run of them is on record.
RenderingChoices choices_for(const CommandContext& context, const po::variables_map& given,
                             const RenderingChoices& chosen,
                             const std::vector<std::filesystem::path>& sweeps);

/// The same of the sweeps of a spec, or of a sweep, as sweep_files_named finds them.
RenderingChoices choices_of_named(const CommandContext& context, const po::variables_map& given,
                                  const RenderingChoices& chosen, const std::string& kind,
                                  const std::string& name);

/// The files of planned sweeps.
std::vector<std::filesystem::path> files_of(const Plans& plans);

/// Says on standard error which trials of `sweeps` (files) are done under other settings than those of `chosen`, newest
/// first, each with the command that shows them: `words` ("table mine.yaml") and the settings. Each sentence once.
void say_other_settings(const CommandContext& context, const RenderingChoices& chosen,
                        const std::vector<std::filesystem::path>& sweeps, const std::string& words);

}  // namespace rethink
