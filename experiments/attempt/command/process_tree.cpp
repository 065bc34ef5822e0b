#include "experiments/attempt/command/process_tree.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <set>
#include <sstream>

#include "core/clock.h"
#include "core/system/log.h"
#include "core/system/process.h"
#include "core/system/process_list.h"
#include "core/system/spawn.h"
#include "core/text.h"

namespace rethink {
namespace {

constexpr timespec kLookPause{0, 1'000'000};  // between checks of killed processes

/// Never returns; reports a failure as errno through `failure`.
[[noreturn]] void become_program(const char* program, char* const* words, char* const* environment,
                                 const char* folder, const std::array<int, 3>& standard,
                                 int failure) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  setsid();
  for (int number = 1; number < NSIG; ++number) signal(number, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  bool is_well = chdir(folder) == 0;
  for (int number = 0; number < 3; ++number)
    is_well = is_well && dup2(standard[static_cast<size_t>(number)], number) == number;
  if (is_well) execve(program, words, environment);
  const int why = errno;
  (void)!write(failure, &why, sizeof why);
  _exit(127);
}

std::filesystem::path program_of(const ProcessTree::Start& start) {
  const auto path = start.environment.find("PATH");
  const std::filesystem::path program = program_on_path(
      start.words[0], path == start.environment.end() ? "/usr/bin:/bin" : path->second);
  if (!program.empty()) return program;
  throw MissingProgram("missing-program",
                       fmt::format("cannot start '{}': it is not on PATH", start.words[0]));
}

/// "; its first line names the interpreter /opt/python, which does not exist" if that is why the
/// system finds no such file.
std::string missing_interpreter_text(const std::filesystem::path& program) {
  std::ifstream file(program);
  std::string line;
  if (!std::getline(file, line) || !line.starts_with("#!")) return "";
  constexpr const char* kBlanks = " \t";
  const size_t begin = std::min(line.find_first_not_of(kBlanks, 2), line.size());
  const std::string word = line.substr(begin, line.find_first_of(kBlanks, begin) - begin);
  std::error_code ignored;
  if (word.empty() || std::filesystem::exists(word, ignored)) return "";
  return fmt::format("; its first line names the interpreter '{}', which does not exist",
                     visible_controls(word));
}

/// The process that a folder of /proc is about.
std::optional<pid_t> process_number(const std::string& name) {
  pid_t number = 0;
  const char* end = name.data() + name.size();
  const auto read = std::from_chars(name.data(), end, number);
  return read.ec == std::errc() && read.ptr == end ? std::optional(number) : std::nullopt;
}

}  // namespace

std::filesystem::path program_on_path(const std::string& word, const std::string& path) {
  if (word.find('/') != std::string::npos) return word;
  std::istringstream folders(path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    const std::filesystem::path program =
        std::filesystem::path(folder.empty() ? "." : folder) / word;
    if (access(program.c_str(), X_OK) == 0 && !std::filesystem::is_directory(program))
      return program;
  }
  return {};
}

ProcessTree::ProcessTree(const Start& start) {
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  const std::filesystem::path program = program_of(start);
  Pipe output = make_pipe(), error = make_pipe(), failure = make_pipe();
  for (const Pipe* pipe : {&output, &error}) fcntl(pipe->read.get(), F_SETFL, O_NONBLOCK);
  const FileDescriptor nothing = open_file("/dev/null", O_RDONLY);
  std::vector<std::string> words = start.words, entries;
  for (const auto& [name, value] : start.environment) entries.push_back(name + "=" + value);
  const std::vector<char*> arguments = pointers_to(words), environment = pointers_to(entries);
  leader_ = fork();
  if (leader_ < 0) throw_system_error(fmt::format("cannot start '{}'", words[0]), errno);
  if (leader_ == 0) {
    // Only system calls are allowed between fork and exec of a process with threads.
    become_program(program.c_str(), arguments.data(), environment.data(), start.folder.c_str(),
                   {nothing.get(), output.write.get(), error.write.get()}, failure.write.get());
  }
  failure.write.reset();
  pollfd said{failure.read.get(), POLLIN, 0};
  ::poll(&said, 1, -1);  // an error number, or the end of the pipe once the program runs
  int number = 0;
  if (read(failure.read.get(), &number, sizeof number) == sizeof number) {
    waitpid(leader_, nullptr, 0);
    if (number == ENOENT || number == EACCES || number == ENOEXEC) {
      const std::string more =
          number == ENOENT ? missing_interpreter_text(start.folder / program) : "";
      throw MissingProgram("missing-program", fmt::format("cannot start '{}': {}{}", words[0],
                                                          std::strerror(number), more));
    }
    throw_system_error(fmt::format("cannot start '{}'", words[0]), number);
  }
  process_ = open_pidfd(leader_);
  output_ = std::move(output.read);
  error_ = std::move(error.read);
}

ProcessTree::~ProcessTree() {
  kill_all();
  int status = 0;
  has_ended(status);
}

bool ProcessTree::has_ended(int& status) {
  if (!ended_) ended_ = waitpid(leader_, &status_, WNOHANG) == leader_;
  status = status_;
  return ended_;
}

void ProcessTree::terminate_leader() const {
  if (!ended_) kill(leader_, SIGTERM);
}

void ProcessTree::terminate_all() const {
  for (const Process& process : descendants()) kill(process.pid, SIGTERM);
}

size_t ProcessTree::kill_all() {
  std::set<pid_t> met;
  // A process may have started another one before it was killed.
  while (any_left()) {
    for (const Process& process : descendants()) {
      kill(process.pid, SIGKILL);
      met.insert(process.pid);
    }
    nanosleep(&kLookPause, nullptr);
  }
  met.erase(leader_);
  return met.size();
}

/// Takes the statuses of ended processes, and returns whether this process still has a child. Every
/// descendant of a subreaper is below one of its children, so the kernel's answer is exact. A list
/// from /proc may miss a process, since processes start and end while it is read.
bool ProcessTree::any_left() {
  while (true) {
    siginfo_t ended{};
    if (waitid(P_ALL, 0, &ended, WEXITED | WNOHANG | WNOWAIT) != 0) return errno != ECHILD;
    if (ended.si_pid == 0) return true;
    int status = 0;
    if (ended.si_pid == leader_) {
      has_ended(status);  // keeps the status
    } else {
      waitpid(ended.si_pid, &status, WNOHANG);
    }
  }
}

std::string mark_of(const std::filesystem::path& trial_folder) {
  std::error_code gone;
  const auto real = std::filesystem::canonical(trial_folder, gone);
  return gone ? std::filesystem::absolute(trial_folder).string() : real.string();
}

namespace {

/// Kills other processes with this entry in their environment, and returns their number. An ended
/// process that was not waited for has no environment.
size_t kill_marked(const std::string& mark) {
  size_t found = 0;
  std::error_code gone;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", gone)) {
    const std::optional<pid_t> process = process_number(entry.path().filename());
    if (!process || *process == getpid()) continue;
    const auto identity = process_of(*process);
    std::ifstream file(entry.path() / "environ", std::ios::binary);
    for (std::string text; std::getline(file, text, '\0');) {
      if (text != mark) continue;
      if (identity && send_signal(*identity, SIGKILL)) ++found;
      break;
    }
  }
  return found;
}

}  // namespace

void kill_programs_of(const std::filesystem::path& trial_folder) {
  constexpr double kPatience_s = 10;
  const std::string mark = std::string(kTrialVariable) + "=" + mark_of(trial_folder);
  const double begun_s = monotonic_seconds();
  // A killed process may have started another one, and takes a moment to end.
  while (const size_t left = kill_marked(mark)) {
    if (monotonic_seconds() - begun_s > kPatience_s) {
      log_warning(fmt::format("{}: {} processes of an earlier attempt do not end after SIGKILL",
                              trial_folder.string(), left));
      return;
    }
    nanosleep(&kLookPause, nullptr);
  }
}

}  // namespace rethink
