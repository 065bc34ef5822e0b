// Starts other programs with given words, environment, folder and standard streams.
#pragma once

#include <sys/types.h>

#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "core/files/file.h"

namespace rethink {

struct Spawn {
  std::vector<std::string> words;           // the program, found on PATH, and its arguments
  std::vector<std::string> environment;     // NAME=VALUE; the program's whole environment
  std::array<int, 3> standard = {0, 1, 2};  // our descriptors for its input, output and error
  std::filesystem::path folder{};           // to run in; empty = ours
  bool in_own_session = false;  // Ctrl-C does not reach it, and no signal is blocked or ignored
};

/// Starts the program and returns at once. Throws MissingProgram if the program does not exist, or
/// MachineError (core/system/process.h).
pid_t spawn(const Spawn& program);

/// Returns our environment as NAME=VALUE.
std::vector<std::string> own_environment();

/// Returns the arguments of `exec` and `posix_spawn`: pointers to `words`, with a null at the end.
std::vector<char*> pointers_to(std::vector<std::string>& words);

struct Pipe {
  FileDescriptor read, write;  // closed in programs that are started
};
/// Throws MachineError.
Pipe make_pipe();

}  // namespace rethink
