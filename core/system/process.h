// Other programs and other processes: running one and collecting what it says, and signals that
// cannot hit a stranger.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/json_fwd.h"
#include "core/system/file.h"

namespace rethink {

struct ProgramRun {
  std::vector<std::string> words{};                  // program (found on PATH) and its arguments
  std::string input{};                               // on its standard input
  std::filesystem::path folder{};                    // to run in; empty = ours
  std::map<std::string, std::string> environment{};  // added to ours
  bool keeps_environment = true;  // false: of ours only what finds programs, files and caches
};

struct ProgramResult {
  int status = 0;  // exit code, or 128 + signal as shells count
  std::string output, error;
};

/// Throws "WHAT: system's text", for what is about no file: ResourceError where a limit is met, else
/// MachineError.
[[noreturn]] void throw_system_error(const std::string& what, int number);

/// A program that is not on PATH.
struct MissingProgram : MachineError {
  using MachineError::MachineError;
};

/// Runs a program to its end. Throws MissingProgram, or MachineError when it cannot be started for
/// another reason.
ProgramResult run_program(const ProgramRun& run);

/// "exit code 3", "signal 9 (Killed)": of a status of waitpid.
std::string how_ended(int status);

/// Which process, for good: process numbers are used again, a number with its start time and boot
/// is not.
struct ProcessIdentity {
  int pid = 0;
  std::string boot_id;
  uint64_t start_time = 0;  // clock ticks since boot
};

Json to_json(const ProcessIdentity& process);
/// Throws ConfigError when `json` is none.
ProcessIdentity process_from_json(const Json& json);

/// This machine's boot, or "" where the kernel does not say.
const std::string& boot_id();
/// This machine's name, or "unknown" where it has none.
std::string host_name();
ProcessIdentity this_process();
/// None when there is no such process (any more).
std::optional<ProcessIdentity> process_of(int pid);

/// A descriptor of the process, readable when it ends; empty where there is none, with errno set. Asks the
/// kernel itself: glibc has pidfd_open(2) from 2.36 on, and clusters have older ones.
FileDescriptor open_pidfd(pid_t pid);

/// A descriptor of exactly that process, readable when it ends; empty when it is gone. Safe: the
/// descriptor is taken first and boot and start time compared afterwards.
FileDescriptor open_process(const ProcessIdentity& process);

/// Sends `signal` to exactly that process; false when it is gone.
bool send_signal(const ProcessIdentity& process, int signal);

/// Sends `signal` to the process behind a descriptor of open_process; false when it is gone.
bool send_signal(const FileDescriptor& process, int signal);

/// How often the kernel has killed a process of our memory cgroup for want of memory; none where it
/// does not say. `root`: where /proc and /sys are.
std::optional<uint64_t> oom_kill_count(const std::filesystem::path& root = "/");

/// Tells a SIGKILL by the kernel for want of memory from any other.
class OomWatch {
 public:
  explicit OomWatch(std::filesystem::path root = "/") : root_(std::move(root)) {}
  /// How many such kills there were so far.
  uint64_t kills() const { return oom_kill_count(root_).value_or(0); }
  /// Whether `status` of waitpid is SIGKILL and one of the kills since construction, and since
  /// there were `before` (when the process began), is left for it: each explains one death.
  bool was_oom(int status, uint64_t before = 0);

 private:
  std::filesystem::path root_;
  uint64_t explained_ = kills();  // the kills up to this one have their deaths
};

}  // namespace rethink
