// The driver's side of a zygote (zygote_server.h describes the messages).
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/json_fwd.h"
#include "core/store_files/trial_folder.h"
#include "core/system/process.h"
#include "experiments/attempt/attempt_request.h"
#include "experiments/attempt/zygote/line_socket.h"

namespace rethink {

/// Largest number of zygotes that may die in a row without a started attempt in between.
inline constexpr size_t kMostZygoteDeaths = 5;

/// Something that happened to an attempt.
struct ZygoteEvent {
  enum class Kind { started, ended };
  Kind kind = Kind::started;
  int64_t ticket = 0;
  int pid = 0;
  int status = 0;  // of waitpid, when ended
  // False: an orphan ended, or the zygote died before it reported the status. Read result.json and the lock.
  bool status_known = true;
  bool oom_killed = false;  // ended by SIGKILL, and the kernel's counter rose
  bool refused = false;     // it was never started: the system lacks files or processes
  std::string message{};    // why it was never started
};

/// Starts the zygote, and starts another if it dies. If the system lacks files or processes for a
/// zygote, the waiting attempts are refused, and the next attempt tries again.
class ZygoteClient {
 public:
  struct Options {
    std::filesystem::path program;  // rethink-worker
    std::vector<std::string> arguments = {"serve"};
    std::string build_id{};  // required build id; empty = any
  };

  /// Makes this process a child subreaper.
  explicit ZygoteClient(Options options);
  /// Ends the zygote; attempts continue.
  ~ZygoteClient();
  ZygoteClient(const ZygoteClient&) = delete;
  ZygoteClient& operator=(const ZygoteClient&) = delete;

  /// Requests an attempt and returns its ticket at once. Requires: its trial.json is written.
  int64_t fork_attempt(const AttemptRequest& request);
  /// Watches a trial that a process of an earlier driver runs. Its event `ended` has an unknown
  /// status.
  int64_t adopt(const TrialFolder& folder);
  /// Sends SIGTERM (checkpoint and end) or SIGKILL (end now). Does nothing to an ended attempt.
  /// Returns "", or why the process of an adopted attempt was left alone (trial_worker.h).
  std::string stop(int64_t ticket, int signal);
  /// Waits at most `timeout` for an event. Throws MachineError if no zygote can be started, if
  /// kMostZygoteDeaths died, or if the zygote is of another build.
  std::vector<ZygoteEvent> poll(std::chrono::milliseconds timeout);

  /// Pid of the present zygote, for tests that kill it.
  int zygote_pid() const { return zygote_; }

 private:
  struct Running {
    int pid = 0;                  // 0: requested, not answered
    std::filesystem::path trial;  // its folder
    FileDescriptor process{};     // empty: not known yet, or closed
    bool ours = false;            // a child of this process, since its zygote died
    bool by_lock = false;         // adopted: not a child of this process
    int signal = 0;               // requested before the process was known
    double overdue_s = 0;         // a zygote without a report until then hangs; 0 = no limit
  };

  std::vector<std::string> words() const;
  void spawn();
  void refuse_waiting(const std::string& message);
  void expect_start(Running& running) const;
  void look_at_zygote();
  void take(const Json& message);
  void started(int64_t ticket, const ProcessIdentity& process);
  static std::string send(Running& running, int signal);
  void zygote_died();
  void cannot_start(int status);
  bool find_child(Running& running) const;
  void end_without_status(int64_t ticket, const std::string& message, bool refused = false);
  void look_at_orphans();
  void look_at_orphan(int64_t ticket, Running& running);
  void watch(int64_t ticket, Running& running);
  void wait(int timeout_ms);

  Options options_;
  LineSocket socket_;
  pid_t zygote_ = 0;
  bool ready_ = false;
  bool has_been_ready_ = false;  // this zygote, or one before it
  std::string shortage_{};       // why the zygote could not start, as it reported
  size_t deaths_in_a_row_ = 0;   // since one last started an attempt
  int64_t last_ticket_ = 0;
  std::map<int64_t, Running> running_;
  OomWatch oom_;  // for orphans
  std::vector<ZygoteEvent> events_;
};

}  // namespace rethink
