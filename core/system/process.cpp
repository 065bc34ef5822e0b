#include "core/system/process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <set>
#include <sstream>
#include <utility>

#include "core/json.h"
#include "core/system/machine_fault.h"
#include "core/system/spawn.h"

namespace rethink {
namespace {

/// LD_LIBRARY_PATH is for a program that is installed beside its libraries.
const std::set<std::string> kPlaces = {"PATH", "HOME", "TMPDIR", "XDG_CACHE_HOME",
                                       "LD_LIBRARY_PATH"};

std::vector<std::string> environment_of(const ProgramRun& run) {
  std::vector<std::string> all;
  for (std::string& entry : own_environment()) {
    const std::string name = entry.substr(0, entry.find('='));
    const bool is_kept = run.keeps_environment || kPlaces.contains(name);
    if (is_kept && !run.environment.contains(name)) all.push_back(std::move(entry));
  }
  for (const auto& [name, value] : run.environment) all.push_back(name + "=" + value);
  return all;
}

/// Appends available bytes to `text`. Closes the pipe's end after the last byte.
void drain(FileDescriptor& end, std::string& text) {
  char bytes[1 << 16];
  const ssize_t got = read(end.get(), bytes, sizeof bytes);
  if (got > 0) text.append(bytes, static_cast<size_t>(got));
  if (got == 0 || (got < 0 && errno != EINTR && errno != EAGAIN)) end.reset();
}

/// Writes as much of `input` as fits. Closes the pipe's end after the last byte, or if nobody
/// reads.
void feed(FileDescriptor& end, std::string_view& input) {
  const ssize_t put = write(end.get(), input.data(), input.size());
  if (put > 0) input.remove_prefix(static_cast<size_t>(put));
  if (input.empty() || (put < 0 && errno != EINTR && errno != EAGAIN)) end.reset();
}

/// A program that does not read its input must not end this process by SIGPIPE.
class IgnoredSigpipe {
 public:
  IgnoredSigpipe() { old_ = signal(SIGPIPE, SIG_IGN); }
  ~IgnoredSigpipe() { signal(SIGPIPE, old_); }

 private:
  void (*old_)(int);
};

std::optional<uint64_t> number_after(const std::filesystem::path& file, const std::string& key) {
  std::ifstream lines(file);
  std::string name;
  uint64_t value = 0;
  while (lines >> name >> value) {
    if (name == key) return value;
  }
  return std::nullopt;
}

}  // namespace

ProgramResult run_program(const ProgramRun& run) {
  RETHINK_ASSERT(!run.words.empty(), "no program");
  const IgnoredSigpipe quiet;
  Pipe in = make_pipe(), out = make_pipe(), error = make_pipe();
  const pid_t pid = spawn({.words = run.words,
                           .environment = environment_of(run),
                           .standard = {in.read.get(), out.write.get(), error.write.get()},
                           .folder = run.folder});
  in.read.reset();
  out.write.reset();
  error.write.reset();
  std::string_view input = run.input;
  if (input.empty()) in.write.reset();
  if (in.write) fcntl(in.write.get(), F_SETFL, O_NONBLOCK);
  ProgramResult result;
  while (out.read || error.read) {
    // poll ignores closed ends: their descriptor is -1.
    pollfd ends[3] = {
        {in.write.get(), POLLOUT, 0}, {out.read.get(), POLLIN, 0}, {error.read.get(), POLLIN, 0}};
    if (poll(ends, 3, -1) < 0 && errno != EINTR) break;
    if (ends[0].revents) feed(in.write, input);
    if (ends[1].revents) drain(out.read, result.output);
    if (ends[2].revents) drain(error.read, result.error);
  }
  in.write.reset();  // the program may have closed its outputs and still read its input
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

void throw_system_error(const std::string& what, int number) {
  if (machine_fault(number) == MachineFault::resources)
    throw ResourceError("no-resources", text_of_resource_error(what, number));
  throw MachineError("system-error", fmt::format("{}: {}", what, std::strerror(number)));
}

std::string how_ended(int status) {
  if (!WIFSIGNALED(status)) return fmt::format("exit code {}", WEXITSTATUS(status));
  const int signal = WTERMSIG(status);
  return fmt::format("signal {} ({})", signal, strsignal(signal));
}

Json to_json(const ProcessIdentity& process) {
  return {{"pid", process.pid}, {"boot_id", process.boot_id}, {"start_time", process.start_time}};
}

ProcessIdentity process_from_json(const Json& json) {
  try {
    return {json.at("pid"), json.at("boot_id"), json.at("start_time")};
  } catch (const Json::exception&) {
    throw ConfigError("invalid-value", "got " + json.dump() +
                                           ", expected a process with pid, boot_id and start_time");
  }
}

const std::string& boot_id() {
  static const std::string id = [] {
    std::ifstream file("/proc/sys/kernel/random/boot_id");
    std::string text;
    file >> text;
    return text;
  }();
  return id;
}

std::string host_name() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown";
}

ProcessIdentity this_process() {
  errno = 0;
  const auto process = process_of(getpid());
  if (process) return *process;
  if (errno == EMFILE || errno == ENFILE) throw_system_error("/proc/self/stat: cannot open", errno);
  throw MachineError("system-error", "/proc/self/stat cannot be read: is /proc mounted?");
}

std::optional<ProcessIdentity> process_of(int pid) {
  std::ifstream file(fmt::format("/proc/{}/stat", pid));
  std::string text;
  if (!std::getline(file, text)) return std::nullopt;
  // The second word is the program's name in parentheses and may hold anything; start time is word
  // 22.
  std::istringstream words(text.substr(text.rfind(')') + 1));
  std::string word;
  for (int i = 3; i < 22; ++i) words >> word;
  ProcessIdentity process{pid, boot_id(), 0};
  if (!(words >> process.start_time)) return std::nullopt;
  return process;
}

FileDescriptor open_pidfd(pid_t pid) {
  return FileDescriptor(static_cast<int>(syscall(SYS_pidfd_open, pid, 0)));
}

FileDescriptor open_process(const ProcessIdentity& process) {
  if (process.pid <= 0 || process.boot_id != boot_id()) return {};
  FileDescriptor descriptor = open_pidfd(process.pid);
  if (!descriptor && errno == ENOSYS)
    throw MachineError("system-error", "pidfd_open: Linux 5.3 or later is needed");
  if (!descriptor && errno != ESRCH && errno != EINVAL) throw_system_error("pidfd_open", errno);
  const auto now = process_of(process.pid);
  if (!descriptor || !now || now->start_time != process.start_time) return {};
  return descriptor;
}

bool send_signal(const FileDescriptor& process, int signal) {
  return process && syscall(SYS_pidfd_send_signal, process.get(), signal, nullptr, 0) == 0;
}

bool send_signal(const ProcessIdentity& process, int signal) {
  return send_signal(open_process(process), signal);
}

std::optional<uint64_t> oom_kill_count(const std::filesystem::path& root) {
  std::ifstream groups(root / "proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    // "0::/path" (version 2) or "9:memory:/path" (version 1).
    const size_t first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1),
                      path = line.substr(second + 1);
    if (controllers.empty()) {
      if (const auto count =
              number_after(root / ("sys/fs/cgroup" + path) / "memory.events", "oom_kill"))
        return count;
    }
    if (controllers == "memory") {
      if (const auto count = number_after(
              root / ("sys/fs/cgroup/memory" + path) / "memory.oom_control", "oom_kill")) {
        return count;
      }
    }
  }
  return number_after(root / "proc/vmstat", "oom_kill");
}

bool OomWatch::was_oom(int status, uint64_t before) {
  if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGKILL) return false;
  const uint64_t explained = std::max(explained_, before);
  if (kills() <= explained) return false;
  explained_ = explained + 1;
  return true;
}

}  // namespace rethink
