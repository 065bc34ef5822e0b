// A zygote is a process that has loaded LibTorch once and forks a child for each attempt. The
// driver starts it as `rethink-worker serve` with one end of a socket pair as its standard input
// and speaks lines of JSON with it; `ticket` is a number that the driver chooses and every answer
// repeats.
//
//   driver to zygote
//     {"run": ticket, "request": {...}}                run this attempt (attempt_request.h)
//   zygote to driver
//     {"ready": "<build id>"}                          once, first
//     {"unable": "message"}                            instead: the system lacks files or processes
//     {"started": ticket, "process": {"pid": 123, ...}}
//     {"refused": ticket, "message": "..."}            it cannot fork, or watch what it forked
//     {"ended": ticket, "status": of waitpid, "oom": false}
//
// The end of the driver is the end of the socket: the zygote exits, its children work on as
// orphans. The end of the zygote makes its children the driver's own (the driver is a child
// subreaper), which then waits for them itself. Signals go from the driver to the children: a
// zygote that hangs passes nothing on, and is ended when it owes word of an end for too long. A
// child holds the socket, too, until it has signed its trial's lock: at the end of the socket the
// locks tell who works, "started" or not.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/json_fwd.h"
#include "core/system/process.h"
#include "experiments/attempt/attempt_request.h"
#include "experiments/attempt/trial_folder.h"
#include "experiments/attempt/zygote/line_socket.h"

namespace rethink {

/// Serves until the driver is gone; 0 then. Children never return from it. Requires: this process
/// has one thread and `socket` is standard input or above standard error.
int serve_zygote(int socket);

/// Tells the driver why this process cannot become a zygote: the system lacks files or processes.
void refuse_to_serve(int socket, const std::string& message);

/// So many zygotes may die one after the other without a start of an attempt in between.
inline constexpr size_t kMostZygoteDeaths = 5;

/// Something that happened to an attempt.
struct ZygoteEvent {
  enum class Kind { started, ended };
  Kind kind = Kind::started;
  int64_t ticket = 0;
  int pid = 0;
  int status = 0;  // of waitpid, when ended
  // False: an orphan ended, or the zygote died with the answer. Ask result.json and the lock.
  bool status_known = true;
  bool oom_killed = false;  // ended by SIGKILL, and the kernel's counter rose
  bool refused = false;     // it was never started: the system lacks files or processes
  std::string message{};    // why it was never started
};

/// The driver's side: starts the zygote and, when it dies, another. Where the system lacks files or
/// processes for a zygote, the attempts that wait for it are refused, and the next one tries again.
class ZygoteClient {
 public:
  struct Options {
    std::filesystem::path program;  // rethink-worker
    std::vector<std::string> arguments = {"serve"};
    std::string build_id{};  // that it must have; empty = any
  };

  /// Makes this process a child subreaper.
  explicit ZygoteClient(Options options);
  /// Ends the zygote; attempts work on.
  ~ZygoteClient();
  ZygoteClient(const ZygoteClient&) = delete;
  ZygoteClient& operator=(const ZygoteClient&) = delete;

  /// Asks for an attempt and returns its ticket at once. Requires: its trial.json is written.
  int64_t start(const AttemptRequest& request);
  /// Watches a trial that a process of an earlier driver works on: `ended`, with status unknown,
  /// follows.
  int64_t adopt(const TrialFolder& folder);
  /// SIGTERM: checkpoint and end. SIGKILL: end now. Does nothing to an attempt that has ended.
  /// Returns "" or why the process of an adopted attempt was left alone (trial_worker.h).
  std::string stop(int64_t ticket, int signal);
  /// Waits at most `timeout` for something to happen. Throws MachineError when no zygote can be
  /// started or kMostZygoteDeaths died, or when it is another build than it must be.
  std::vector<ZygoteEvent> poll(std::chrono::milliseconds timeout);

  /// Of the zygote that lives now; for tests that kill it.
  int zygote_pid() const { return zygote_; }

 private:
  struct Running {
    int pid = 0;                  // 0: asked for, not answered
    std::filesystem::path trial;  // its folder
    FileDescriptor process{};     // empty: not known yet, or gone
    bool ours = false;            // a child of ours, since its zygote died
    bool by_lock = false;         // adopted: no child of ours
    int signal = 0;               // asked for before its process was known
    double overdue_s = 0;         // a zygote that says nothing of it until then hangs; 0 = may
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
  std::string shortage_{};       // that the zygote named instead of getting ready
  size_t deaths_in_a_row_ = 0;   // since one last started an attempt
  int64_t last_ticket_ = 0;
  std::map<int64_t, Running> running_;
  OomWatch oom_;  // for orphans
  std::vector<ZygoteEvent> events_;
};

}  // namespace rethink
