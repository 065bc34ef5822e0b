// The options of the job `command`, which runs any program as a trial (docs/how_to/command.md). The
// planner reads them too: it hashes code and data, and checks the words.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/config/options.h"

namespace rethink {

/// Data that the program reads: a user's file or folder, identified by its content, or a published
/// data set, identified by name and commit, which the program downloads itself.
struct CommandData {
  std::optional<std::string> file, dir, name, revision;

  void fields(Fields& field);
  static std::vector<Rule> rules();
};

struct CommandOptions {
  std::vector<std::string> run;
  std::vector<std::string> code;
  std::int64_t code_version = 0;
  std::map<std::string, CommandData> data;
  std::map<std::string, std::string> env;
  std::vector<std::string> pass;
  std::map<std::string, JsonValue> config;
  std::map<std::string, std::string> metrics;
  std::optional<std::string> score;
  std::map<std::string, std::string> nan;
  std::map<std::string, std::string> stdout_patterns;
  std::string step = "said";
  std::string terminate = "leader";
  std::optional<std::int64_t> stop_at;
  std::string snapshot;

  void fields(Fields& field);
};

/// Returns the metric that is the score of a trial with this configuration: "dev/acc"; "" without a
/// score.
std::string score_of_program(const Json& config);

/// Suffix of a published data set's name in the placeholder and the variable of its commit.
inline constexpr const char* kOfRevision = ".revision";

/// Returns "RETHINK_DATA_MY_CORPUS" for "RETHINK_DATA_" and "my corpus".
std::string program_variable(const std::string& prefix, const std::string& name);

}  // namespace rethink
