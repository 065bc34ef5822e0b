// Shell commands of tests.
#pragma once

#include <string>

namespace rethink {

struct ShellResult {
  std::string output;
  int exit_code = -1;  // 128 + the signal's number, if a signal ended the command
};

/// Runs `line` by sh, and returns its standard output and its exit code.
ShellResult run_shell(const std::string& line);

}  // namespace rethink
