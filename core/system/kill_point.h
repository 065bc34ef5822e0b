// Places where the tests kill a process to see that nothing is lost: between any two durable steps.
//
//   kill_point("after_checkpoint_rename");
//
// RETHINK_KILL_AT=NAME:K: at the K-th time (from 1) that a process of the store reaches NAME, the
// process is killed with SIGKILL. Later hits kill no process. Hits are counted in the locked file
// "kill_point" of the store's folder, or of the folder that RETHINK_KILL_FOLDER names.
// With RETHINK_KILL_LIST=FILE no process is killed: every process appends the name of each point
// that it reaches. tests/support/kill_point_names.h lists all names from the sources.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace rethink {

/// Requires: called before threads start. The environment variable RETHINK_KILL_FOLDER takes precedence.
void set_kill_point_folder(const std::filesystem::path& folder);

/// Whether RETHINK_KILL_AT or RETHINK_KILL_LIST is set; decided once, when the program starts.
extern const bool kKillPointsArmed;

/// Counts a hit of `name`, or lists it. Requires: kKillPointsArmed.
void hit_kill_point(const char* name);

/// Marks a kill point. Cost: one load if no kill point is armed.
inline void kill_point(const char* name) {
  if (kKillPointsArmed) hit_kill_point(name);
}

/// Returns our environment (NAME=VALUE) without the variables of kill points, for a program that
/// must not kill itself unless it gets a new kill point.
std::vector<std::string> environment_without_kill_points();

}  // namespace rethink
