#include "experiments/site/local_engine.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>

#include <charconv>

#include "core/error.h"
#include "core/files/file.h"
#include "core/files/unique_names.h"
#include "core/system/kill_point.h"
#include "core/system/process.h"
#include "core/system/spawn.h"
#include "experiments/site/job_script.h"

namespace rethink {
namespace {

std::string job_of(const ProcessIdentity& process) {
  return fmt::format("{}.{}", process.pid, process.start_time);
}

/// Nothing if `job` is not an id of this engine.
std::optional<ProcessIdentity> process_of_job(const std::string& job) {
  ProcessIdentity process;
  process.boot_id = boot_id();
  const char* const end = job.data() + job.size();
  const auto pid = std::from_chars(job.data(), end, process.pid);
  if (pid.ec != std::errc() || pid.ptr == end || *pid.ptr != '.') return std::nullopt;
  const auto time = std::from_chars(pid.ptr + 1, end, process.start_time);
  return time.ec == std::errc() && time.ptr == end ? std::optional(process) : std::nullopt;
}

/// An ended process keeps its number until its parent asks for its status.
void reap(int pid) {
  waitpid(pid, nullptr, WNOHANG);  // fails for a process that is not our child
}

/// A process that nobody reaps, as in a container without an init, has ended all the same.
bool is_running(const ProcessIdentity& process) {
  const FileDescriptor found = open_process(process);
  pollfd end{.fd = found.get(), .events = POLLIN, .revents = 0};
  return found && poll(&end, 1, 0) == 0;
}

}  // namespace

std::vector<std::string> LocalEngine::submit(const PilotCommand& pilot, int count) {
  std::vector<std::string> jobs;
  for (int i = 0; i < count; ++i) {
    const std::filesystem::path log = pilot.logs / (new_uuid() + ".log");
    const FileDescriptor output = open_file(log, O_WRONLY | O_CREAT | O_APPEND);
    const FileDescriptor input = open_file("/dev/null", O_RDONLY);
    Spawn program;
    program.words = {"sh", "-c", job_script(site_, pilot, "")};
    program.environment = own_environment();
    std::erase_if(program.environment,
                  [](const std::string& text) { return text.starts_with("RETHINK_JOB="); });
    program.standard = {input.get(), output.get(), output.get()};
    program.in_own_session = true;
    const pid_t pid = spawn(program);
    const std::optional<ProcessIdentity> process = process_of(pid);
    if (!process)
      throw MachineError("system-error", fmt::format("process {}: cannot be found in /proc", pid));
    jobs.push_back(job_of(*process));
    std::filesystem::rename(log, pilot.logs / (jobs.back() + ".log"));
  }
  return jobs;
}

std::map<std::string, JobStatus> LocalEngine::states(const std::vector<std::string>& jobs) {
  std::map<std::string, JobStatus> states;
  for (const std::string& job : jobs) {
    const std::optional<ProcessIdentity> process = process_of_job(job);
    if (process) reap(process->pid);
    const bool runs = process && is_running(*process);
    states[job] = {runs ? JobState::running : JobState::ended};
  }
  return states;
}

void LocalEngine::cancel(const std::vector<std::string>& jobs) {
  for (const std::string& job : jobs) {
    if (const auto process = process_of_job(job)) send_signal(*process, SIGTERM);
  }
}

std::string local_job() {
  return job_of(this_process());
}

}  // namespace rethink
