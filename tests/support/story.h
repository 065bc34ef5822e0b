// Stories: commands with their exact output, which a test runs in an empty folder of its own.
//
//   # a comment
//   === sweep.yaml            the lines up to the next === become a file
//   ...
//   ===
//   $ command                 run by sh; standard error goes where standard output goes;
//                             $FIXTURES is tests/fixtures, $RECIPES has the files of
//                             CONTRIBUTING.md and programs with them, `ulimit -t $CPU_SECONDS` ends what
//                             takes more than 16 s of processor time; what takes more than
//                             command_seconds() is killed and fails with the code 124
//   expected line             exactly, but: <t> a duration, <id> a trial's id or its beginning,
//                             <n> a number, <any> anything
//   ...                       any lines, maybe none
//   [exit 2]                  the exit code; without this line it must be 0
//
// "# only with FILE: why" skips a story if the build has no such file.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace rethink {

/// Conditions under which a story runs.
struct StoryCondition {
  std::string name;
  std::string folder;   // holds the story's files
  std::string prelude;  // run by the shell before each command
};

/// Returns the stories below `folder` of the checkout that this build can run, sorted. Stories in a
/// folder `lm` need the real worker.
std::vector<std::filesystem::path> stories_below(const std::string& folder);
bool needs_real_worker(const std::filesystem::path& story);

/// Returns the most seconds that a command of a story may take: $RETHINK_STORY_SECONDS, or 300.
int command_seconds();

/// Fails the running test at the first command whose output or exit code differs. `folder` is empty.
void tell_story(const std::filesystem::path& story, const StoryCondition& condition,
                const std::filesystem::path& folder);

}  // namespace rethink
