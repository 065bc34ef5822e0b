// Words in commands that a message tells people to type.
#pragma once

#include <string>

namespace rethink {

/// `word` as a shell has to be given it: in quotes where the shell would read something into it.
std::string for_a_shell(const std::string& word);

}  // namespace rethink
