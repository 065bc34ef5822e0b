#include "core/system/spawn.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "core/system/process.h"

namespace rethink {

std::vector<std::string> own_environment() {
  std::vector<std::string> entries;
  for (char** entry = environ; *entry; ++entry) entries.emplace_back(*entry);
  return entries;
}

std::vector<char*> pointers_to(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

Pipe make_pipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw_system_error("cannot make a pipe", errno);
  return {FileDescriptor(ends[0]), FileDescriptor(ends[1])};
}

pid_t spawn(const Spawn& program) {
  std::vector<std::string> words = program.words, environment = program.environment;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (int number = 0; number < 3; ++number) {
    const int given = program.standard[static_cast<size_t>(number)];
    if (given != number) posix_spawn_file_actions_adddup2(&actions, given, number);
  }
  if (!program.folder.empty())
    posix_spawn_file_actions_addchdir_np(&actions, program.folder.c_str());
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t usual, none;
  sigemptyset(&none);
  sigemptyset(&usual);
  sigaddset(&usual, SIGPIPE);  // some of our programs ignore this signal
  short flags = POSIX_SPAWN_SETSIGDEF;
  if (program.in_own_session) {
    sigfillset(&usual);
    flags |= POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK;
  }
  posix_spawnattr_setsigdefault(&attributes, &usual);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, flags);
  pid_t pid = 0;
  const int error = posix_spawnp(&pid, words[0].c_str(), &actions, &attributes,
                                 pointers_to(words).data(), pointers_to(environment).data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  const std::string what = fmt::format("cannot start '{}'", words[0]);
  // A missing folder also gives ENOENT.
  if (error == ENOENT && (program.folder.empty() || std::filesystem::is_directory(program.folder)))
    throw MissingProgram("missing-program", fmt::format("{}: {}", what, std::strerror(ENOENT)));
  if (error) throw_system_error(what, error);
  return pid;
}

}  // namespace rethink
