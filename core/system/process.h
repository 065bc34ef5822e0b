// Runs other programs and collects their output. Identifies processes, so that a signal cannot reach a process that
// reuses a process number.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/files/file.h"
#include "core/json_fwd.h"

namespace rethink {

struct ProgramRun {
  std::vector<std::string> words{};                  // program (found on PATH) and its arguments
  std::string input{};                               // on its standard input
  std::filesystem::path folder{};                    // to run in; empty = ours
  std::map<std::string, std::string> environment{};  // added to ours
  bool keeps_environment = true;  // false: only our variables that find programs, files and caches
};

struct ProgramResult {
  int status = 0;  // exit code, or 128 + signal as shells count
  std::string output, error;
};

/// Throws "WHAT: system's text" for an error without a file: ResourceError for a reached limit,
/// else MachineError.
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

/// A permanent identification of a process. Process numbers are reused; a number with its start
/// time and boot is not.
struct ProcessIdentity {
  int pid = 0;
  std::string boot_id;
  uint64_t start_time = 0;  // clock ticks since boot
};

Json to_json(const ProcessIdentity& process);
/// Throws ConfigError if `json` is not a process.
ProcessIdentity process_from_json(const Json& json);

/// Returns the id of this machine's boot, or "" if the kernel does not say.
const std::string& boot_id();
/// Returns this machine's name, or "unknown".
std::string host_name();
ProcessIdentity this_process();
/// Returns nothing if the process does not exist any more.
std::optional<ProcessIdentity> process_of(int pid);

/// Returns a descriptor of the process, readable when it ends; empty without the process, with
/// errno set. It calls the kernel directly, since glibc has pidfd_open(2) only from 2.36 on.
FileDescriptor open_pidfd(pid_t pid);

/// Returns a descriptor of exactly that process, readable when it ends; empty if it has ended. This
/// is safe, since boot and start time are compared after the descriptor is taken.
FileDescriptor open_process(const ProcessIdentity& process);

/// Sends `signal` to exactly that process. Returns false if it has ended.
bool send_signal(const ProcessIdentity& process, int signal);

/// Sends `signal` to the process behind a descriptor of open_process. Returns false if it has
/// ended.
bool send_signal(const FileDescriptor& process, int signal);

/// Returns how often the kernel has killed a process of our memory cgroup because memory ran out;
/// nothing if it does not say. `root` is the parent of /proc and /sys.
std::optional<uint64_t> oom_kill_count(const std::filesystem::path& root = "/");

/// Distinguishes a SIGKILL by the kernel because memory ran out from other SIGKILLs.
class OomWatch {
 public:
  explicit OomWatch(std::filesystem::path root = "/") : root_(std::move(root)) {}
  /// Returns the number of such kills so far.
  uint64_t kills() const { return oom_kill_count(root_).value_or(0); }
  /// Returns whether the process with this waitpid `status` was killed because memory ran out: the status is SIGKILL,
  /// and the count of such kills has grown since construction and beyond `before`, the count when the process started.
  /// Each kill is attributed to one process.
  bool was_oom(int status, uint64_t before = 0);

 private:
  std::filesystem::path root_;
  uint64_t explained_ = kills();  // the kills up to this one have their deaths
};

}  // namespace rethink
