// What the analysis attended_tokens leaves of a trial: sentences, and which of their tokens each
// layer of a language model attended to.
#pragma once

#include <cstddef>
#include <filesystem>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace rethink {

struct AttendedSentence {
  using Attended = std::vector<std::pair<size_t, double>>;  // place and weight, most first

  std::vector<std::string> tokens;
  std::set<size_t> unknown;                   // places of tokens that the vocabulary has not
  size_t target = 0;                          // place of the token that is predicted; above 0
  std::vector<std::vector<Attended>> layers;  // [layer][place], less the last place
};

/// Throws ConfigError "PATH: ..." when it is not of that form, MachineError when it cannot be read.
std::vector<AttendedSentence> read_attended_tokens(const std::filesystem::path& file);

}  // namespace rethink
