#include "experiments/attempt/zygote/zygote_client.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "core/clock.h"
#include "core/error.h"
#include "core/json.h"
#include "core/message.h"
#include "core/system/log.h"
#include "core/system/spawn.h"
#include "experiments/attempt/trial_files.h"
#include "experiments/attempt/trial_worker.h"

namespace rethink {
namespace {

/// The pause after a zygote died before it was ready, since the cause may be temporary.
constexpr timespec kPauseAfterDeath{0, 200'000'000};
/// How long a zygote may take to report that an attempt has started or ended; a fork takes
/// milliseconds. Ending a healthy zygote costs only a warning, since its children continue.
constexpr double kStartPatience_s = 60, kEndPatience_s = 5;
/// How often a held lock is checked if its owner cannot be watched: the owner has not signed yet,
/// or is on another machine.
constexpr int kLockPollMs = 100;
/// The exit code of a program whose libraries the loader cannot load.
constexpr int kNotLoaded = 127;

std::pair<FileDescriptor, FileDescriptor> socket_pair() {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    throw_system_error("cannot make a socket pair", errno);
  return {FileDescriptor(ends[0]), FileDescriptor(ends[1])};
}

/// This program's environment with settings that make a zygote's forks cheap (docs/performance.md
/// has the figures). Symbols are looked up once instead of in every child. The heap, 50 MB once
/// LibTorch is loaded, gets huge pages, so that a fork copies few page tables.
std::vector<std::string> environment_for_quick_forks() {
  std::vector<std::string> entries = own_environment();
  if (!getenv("GLIBC_TUNABLES")) entries.emplace_back("GLIBC_TUNABLES=glibc.malloc.hugetlb=1");
  std::erase_if(entries,
                [](const std::string& entry) { return entry.starts_with("LD_BIND_NOW="); });
  entries.emplace_back("LD_BIND_NOW=1");
  return entries;
}

/// Runs a program that cannot be loaded once more, and returns the first line of its standard error
/// without the program's name: "error while loading shared libraries: libtorch.so: ..."; "" without
/// output. The first start printed this line elsewhere.
std::string line_of_loader(const std::vector<std::string>& words) {
  std::string command = "LD_BIND_NOW=1";  // as for workers: a symbol may be missing, too
  for (const std::string& word : words) command += " " + for_a_shell(word);
  FILE* said = popen((command + " 2>&1 >/dev/null </dev/null").c_str(), "re");
  if (!said) return "";
  std::array<char, 4096> buffer{};
  std::string line = fgets(buffer.data(), buffer.size(), said) ? buffer.data() : "";
  pclose(said);
  if (line.ends_with('\n')) line.pop_back();
  const std::string own_name = words[0] + ": ";
  return line.starts_with(own_name) ? line.substr(own_name.size()) : line;
}

int wait_for(pid_t pid) {
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

}  // namespace

ZygoteClient::ZygoteClient(Options options) : options_(std::move(options)) {
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  spawn();
}

ZygoteClient::~ZygoteClient() {
  if (zygote_ == 0) return;
  // It has nothing to lose, and a zygote that is still loading LibTorch would delay this process.
  kill(zygote_, SIGKILL);
  wait_for(zygote_);
}

std::vector<std::string> ZygoteClient::words() const {
  std::vector<std::string> words{options_.program.string()};
  words.insert(words.end(), options_.arguments.begin(), options_.arguments.end());
  return words;
}

void ZygoteClient::spawn() {
  ready_ = false;
  shortage_.clear();
  try {
    auto [ours, theirs] = socket_pair();
    zygote_ = rethink::spawn({.words = words(),
                              .environment = environment_for_quick_forks(),
                              .standard = {theirs.get(), STDOUT_FILENO, STDERR_FILENO},
                              .in_own_session = true});
    socket_ = LineSocket(std::move(ours));
  } catch (const ResourceError& error) {
    socket_ = LineSocket();
    refuse_waiting(error.what());
  }
}

/// Ends the attempts that no zygote has started.
void ZygoteClient::refuse_waiting(const std::string& message) {
  std::vector<int64_t> waiting;
  for (const auto& [ticket, running] : running_) {
    if (!running.by_lock && !running.ours) waiting.push_back(ticket);
  }
  for (const int64_t ticket : waiting) end_without_status(ticket, message, /*refused=*/true);
}

int64_t ZygoteClient::fork_attempt(const AttemptRequest& request) {
  const int64_t ticket = ++last_ticket_;
  running_[ticket].trial = request.trial;
  if (zygote_ == 0) spawn();
  if (zygote_ == 0) return ticket;  // refused
  if (ready_) expect_start(running_.at(ticket));
  // If the zygote is dead, the next poll finds this and ends the ticket.
  socket_.post({{"run", ticket}, {"request", to_json(request)}});
  return ticket;
}

void ZygoteClient::expect_start(Running& running) const {
  running.overdue_s = monotonic_seconds() + kStartPatience_s;
}

int64_t ZygoteClient::adopt(const TrialFolder& folder) {
  const int64_t ticket = ++last_ticket_;
  Running& running = running_[ticket];
  running.trial = folder.path();
  running.by_lock = true;
  return ticket;
}

std::string ZygoteClient::stop(int64_t ticket, int signal) {
  const auto found = running_.find(ticket);
  if (found == running_.end()) return "";
  Running& running = found->second;
  if (running.by_lock && !running.process) watch(ticket, running);
  const auto left = running_.find(ticket);
  return left == running_.end() ? "" : send(left->second, signal);
}

/// Sends the signal to the process itself as soon as it is known, so that a hanging zygote does not
/// matter.
std::string ZygoteClient::send(Running& running, int signal) {
  running.signal = signal;
  if (running.by_lock) return signal_worker(TrialFolder(running.trial), signal);
  if (running.process) send_signal(running.process, signal);
  const bool by_zygote = !running.ours;
  if (by_zygote && signal == SIGKILL) running.overdue_s = monotonic_seconds() + kEndPatience_s;
  return "";
}

std::vector<ZygoteEvent> ZygoteClient::poll(std::chrono::milliseconds timeout) {
  const double end = monotonic_seconds() + std::chrono::duration<double>(timeout).count();
  do {
    look_at_orphans();
    const double left_ms = std::max(0.0, (end - monotonic_seconds()) * 1e3);
    wait(events_.empty() ? static_cast<int>(left_ms) + (left_ms > 0) : 0);
  } while (events_.empty() && monotonic_seconds() < end);
  return std::exchange(events_, {});
}

/// Waits for a message of the zygote or an orphan, and handles it.
void ZygoteClient::wait(int timeout_ms) {
  const short wanted = socket_.has_unsent() ? POLLIN | POLLOUT : POLLIN;
  std::vector<pollfd> ends{{socket_.get(), wanted, 0}};
  for (const auto& [ticket, running] : running_) {
    if (running.process && (running.ours || running.by_lock))
      ends.push_back({running.process.get(), POLLIN, 0});
    const bool ask_lock = running.by_lock && !running.process;
    if (ask_lock) timeout_ms = timeout_ms < 0 ? kLockPollMs : std::min(timeout_ms, kLockPollMs);
  }
  if (::poll(ends.data(), ends.size(), timeout_ms) < 0) return;
  if (ends[0].revents & POLLOUT) socket_.flush();
  if (ends[0].revents & ~POLLOUT) {
    for (const Json& message : socket_.receive()) take(message);
    if (socket_.closed()) zygote_died();
  } else {
    look_at_zygote();
  }
  look_at_orphans();
}

/// Ends a zygote whose report on an attempt is overdue; this process adopts its children.
void ZygoteClient::look_at_zygote() {
  const double now_s = monotonic_seconds();
  for (auto& [ticket, running] : running_) {
    if (running.ours || running.by_lock) continue;
    if (running.overdue_s != 0 && now_s > running.overdue_s) {
      log_warning(
          fmt::format("the zygote (process {}) hangs and says nothing of its workers", zygote_));
      kill(zygote_, SIGKILL);
      siginfo_t ignored;
      waitid(P_PID, static_cast<id_t>(zygote_), &ignored, WEXITED | WNOWAIT);
      return;  // the next poll sees the end of the socket after the last message
    }
    pollfd end{running.process.get(), POLLIN, 0};
    const bool has_ended = running.pid != 0 && (!running.process || ::poll(&end, 1, 0) > 0);
    if (has_ended && running.overdue_s == 0) running.overdue_s = now_s + kEndPatience_s;
  }
}

void ZygoteClient::take(const Json& message) {
  if (message.contains("ready")) {
    ready_ = has_been_ready_ = true;
    for (auto& [ticket, running] : running_) {
      if (running.overdue_s == 0) expect_start(running);
    }
    if (!options_.build_id.empty() && message.at("ready") != options_.build_id) {
      throw MachineError("other-build", options_.program.string() +
                                            ": schema.json was written by another build of this "
                                            "program; build them again (make), or "
                                            "install them together");
    }
  } else if (message.contains("unable")) {
    shortage_ = message.at("unable");
  } else if (message.contains("started")) {
    started(message.at("started"), process_from_json(message.at("process")));
  } else if (message.contains("ended")) {
    const int64_t ticket = message.at("ended");
    events_.push_back({.kind = ZygoteEvent::Kind::ended,
                       .ticket = ticket,
                       .pid = running_.at(ticket).pid,
                       .status = message.at("status"),
                       .oom_killed = message.at("oom")});
    running_.erase(ticket);
  } else if (message.contains("refused")) {
    end_without_status(message.at("refused"), message.at("message"), /*refused=*/true);
  }
}

void ZygoteClient::started(int64_t ticket, const ProcessIdentity& process) {
  Running& running = running_.at(ticket);
  deaths_in_a_row_ = 0;
  running.pid = process.pid;
  running.process = open_process(process);
  running.overdue_s = 0;
  if (running.signal) send(running, running.signal);
  events_.push_back({.kind = ZygoteEvent::Kind::started, .ticket = ticket, .pid = process.pid});
}

void ZygoteClient::end_without_status(int64_t ticket, const std::string& message, bool refused) {
  events_.push_back({.kind = ZygoteEvent::Kind::ended,
                     .ticket = ticket,
                     .pid = running_.at(ticket).pid,
                     .status_known = false,
                     .refused = refused,
                     .message = message});
  running_.erase(ticket);
}

/// Handles a zygote that ended by itself before it was ready. A program that was never loaded in
/// this run fails for every trial alike. A program that was loaded before may be loaded again: its
/// libraries are being replaced, or memory is short.
void ZygoteClient::cannot_start(int status) {
  const std::string program = options_.program.string();
  std::string line;
  if (WEXITSTATUS(status) == kNotLoaded) line = line_of_loader(words());
  if (line.empty())
    throw MachineError("worker-failed", fmt::format("{} cannot start: {}; its output is above",
                                                    program, how_ended(status)));
  const std::string text = fmt::format(
      "{} cannot start: {}; put the library back, or name its folder in LD_LIBRARY_PATH (`ldd {}` "
      "lists all); no attempt was counted",
      program, line, for_a_shell(program));
  if (!has_been_ready_) throw MachineError("worker-failed", text);
  socket_ = LineSocket();
  refuse_waiting(text);
}

/// This process adopts the children as soon as the zygote is a zombie, so it waits for the zygote
/// first.
void ZygoteClient::zygote_died() {
  kill(zygote_, SIGKILL);
  const int status = wait_for(std::exchange(zygote_, 0));
  if (!ready_ && !shortage_.empty()) {
    socket_ = LineSocket();
    return refuse_waiting(shortage_);
  }
  if (!ready_ && WIFEXITED(status)) return cannot_start(status);
  if (++deaths_in_a_row_ >= kMostZygoteDeaths) {
    throw MachineError(
        "worker-failed",
        fmt::format(
            "{} died {} times before it could start an attempt: {}; nothing is lost; remove the "
            "cause (little memory, a limit on the job) and give the same command again",
            options_.program.string(), deaths_in_a_row_, how_ended(status)));
  }
  log_warning(fmt::format("the zygote died ({}); starting another", how_ended(status)));
  oom_ = OomWatch();
  std::vector<int64_t> unanswered;
  for (auto& [ticket, running] : running_) {
    if (running.by_lock || running.ours) continue;
    if (running.process) {
      running.ours = true;
    } else if (find_child(running)) {
      if (running.signal) send(running, running.signal);
      events_.push_back({.kind = ZygoteEvent::Kind::started, .ticket = ticket, .pid = running.pid});
    } else if (has_running_worker(TrialFolder(running.trial))) {
      running.by_lock = true;
    } else {
      unanswered.push_back(ticket);
    }
  }
  for (const int64_t ticket : unanswered) end_without_status(ticket, "the zygote died");
  if (!ready_) nanosleep(&kPauseAfterDeath, nullptr);
  spawn();
}

/// Finds a child that a zygote forked but could not report, by the lock that the child signed; the
/// child may have ended since.
bool ZygoteClient::find_child(Running& running) const {
  const auto worker = last_worker(TrialFolder(running.trial));
  if (!worker) return false;
  FileDescriptor process = open_process(*worker);
  siginfo_t ignored;
  if (!process ||
      waitid(P_PIDFD, static_cast<id_t>(process.get()), &ignored, WEXITED | WNOHANG | WNOWAIT) != 0)
    return false;  // it has ended, or is a child of another process
  running.pid = worker->pid;
  running.process = std::move(process);
  running.ours = true;
  return true;
}

void ZygoteClient::look_at_orphans() {
  std::vector<int64_t> tickets;
  for (const auto& [ticket, running] : running_) {
    if (running.ours || running.by_lock) tickets.push_back(ticket);
  }
  for (const int64_t ticket : tickets) look_at_orphan(ticket, running_.at(ticket));
}

void ZygoteClient::look_at_orphan(int64_t ticket, Running& running) {
  if (running.by_lock) return watch(ticket, running);
  int status = 0;
  const pid_t ended = waitpid(running.pid, &status, WNOHANG);
  if (ended == 0) return;
  if (ended < 0) return end_without_status(ticket, "the zygote died with its status");
  events_.push_back({.kind = ZygoteEvent::Kind::ended,
                     .ticket = ticket,
                     .pid = running.pid,
                     .status = status,
                     .oom_killed = oom_.was_oom(status)});
  running_.erase(ticket);
}

void ZygoteClient::watch(int64_t ticket, Running& running) {
  const TrialFolder folder(running.trial);
  if (!has_running_worker(folder)) return end_without_status(ticket, "");
  // The process has ended but the lock is held: another process has signed it, or soon will.
  if (running.process && !send_signal(running.process, 0)) running.process.reset();
  if (running.process) return;
  TrialWorker worker = find_worker(folder);
  running.pid = worker.pid;
  running.process = std::move(worker.process);
  // The signal that was requested before the child had signed the lock.
  if (running.process && running.signal) send_signal(running.process, running.signal);
}

}  // namespace rethink
