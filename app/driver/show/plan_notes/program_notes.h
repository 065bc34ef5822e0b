// Notes of `rethink plan` on programs of the user: seeds and settings that nothing reads, and sweeps without a metric.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/config/note.h"
#include "core/config/schema.h"
#include "experiments/plan/plan.h"

namespace rethink {

/// What the text files of a program mention, by the contract of docs/how_to/command.md.
struct ProgramMentions {
  bool seed = false;    // RETHINK_SEED, or a seed beside the module `rethink`
  bool config = false;  // RETHINK_CONFIG, or a config beside the module `rethink`
};

/// Returns the mentions in these files, which are listed by path. Copies of the module `rethink` do not count.
ProgramMentions mentions_in(const std::map<std::string, std::filesystem::path>& files);

/// Returns whether trials of this job run a user's program; false if the schema lacks the job.
bool runs_program(const std::string& job, const Schema& schema);

/// Returns a note for each stage of a program whose trials differ in the seed, and for each key of `config` in which
/// they differ, if the words of `run`, `env` and the program's code do not mention it. A stage whose words name no file
/// of its code has no notes, since the program is unknown. Cost: reads the code of such stages.
std::vector<Note> notes_on_unread_settings(const Plan& plan, const Schema& schema);

/// Returns a note if all trials of the plan are programs and none of them names a metric.
std::vector<Note> notes_on_missing_metrics(const Plan& plan, const Schema& schema);

}  // namespace rethink
