// The commands that every worker program has, whatever jobs it links: rethink-worker and the tests'
// noop_worker.
//
//   serve                  a zygote on standard input (zygote/zygote_server.h)
//   attempt REQUEST        one attempt in this process; REQUEST is an AttemptRequest in JSON
//   schema [--out FILE]    what jobs, plug-ins and options this program has, as JSON
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace rethink {

/// Runs one of the commands above and returns its exit code; none if `words` starts with another
/// word. Throws ConfigError, MachineError. After an attempt it ends the process itself, since
/// exit() takes 160 ms with LibTorch. `numeric_build` is the hash of a program that computes
/// (experiments/train/numeric_build.h); the schema then contains it.
std::optional<int> run_worker_command(const std::vector<std::string>& words,
                                      const std::string& numeric_build = "");

/// A whole main: calls `run(words)`, prints errors to standard error, and returns the exit code (2
/// for ConfigError, 3 for any other error).
int run_main(int count, char** words,
             const std::function<int(const std::vector<std::string>&)>& run);

/// The main of `rethink serve`: a zygote of a program without LibTorch, for attempts that run a user's program.
int serve_programs(int count, char** words);

}  // namespace rethink
