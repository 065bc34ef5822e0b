#include "experiments/attempt/zygote/zygote_server.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <map>
#include <optional>

#include "core/error.h"
#include "core/json.h"
#include "core/system/kill_point.h"
#include "core/system/process.h"
#include "experiments/attempt/attempt_request.h"
#include "experiments/attempt/build_id.h"
#include "experiments/attempt/run_attempt.h"
#include "experiments/attempt/zygote/line_socket.h"

namespace rethink {
namespace {

#if defined(__SANITIZE_THREAD__)
constexpr nlink_t kThreads = 2;  // the sanitizer has its own thread
#else
constexpr nlink_t kThreads = 1;
#endif

/// Every child would lack a second thread, but keep the locks that this thread held.
void require_one_thread() {
  struct stat tasks {};
  stat("/proc/self/task", &tasks);  // a folder's own two links, and one for each thread
  RETHINK_ASSERT(tasks.st_nlink <= 2 + kThreads,
                 fmt::format("the zygote has {} threads", tasks.st_nlink - 2));
}

/// Closes all descriptors of the parent but the socket, which the child keeps until it has signed
/// the trial's lock. So a driver that sees the end of the socket knows for each trial whether a
/// child runs it. A child that kept the socket longer would hide the zygote's death.
FileDescriptor close_inherited_but(int socket) {
  const int nothing = open("/dev/null", O_RDONLY);
  const int copy = dup(socket);
  const int kept = STDERR_FILENO + 1;
  dup2(nothing, STDIN_FILENO);
  dup2(copy, kept);
  close_range(kept + 1, ~0U, 0);
  return FileDescriptor(kept);
}

class Zygote {
 public:
  explicit Zygote(int socket) : socket_{FileDescriptor(socket)} {
    sigset_t child;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    sigprocmask(SIG_BLOCK, &child, nullptr);
    children_ended_ = FileDescriptor(signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK));
    if (!children_ended_) throw_file_error("signalfd", "cannot open", errno);
  }

  void serve() {
    socket_.send({{"ready", own_build_id()}});
    while (!socket_.closed()) {
      pollfd ends[2] = {{socket_.get(), POLLIN, 0}, {children_ended_.get(), POLLIN, 0}};
      if (poll(ends, 2, -1) < 0) continue;
      if (ends[1].revents) reap();
      if (!ends[0].revents) continue;
      for (const Json& message : socket_.receive()) answer(message);
    }
  }

 private:
  struct Child {
    int64_t ticket = 0;
    uint64_t oom_kills = 0;  // counted before the fork
  };

  void answer(const Json& message) {
    if (message.contains("run")) {
      run(message.at("run"), request_from_json(message.at("request")));
    } else {
      RETHINK_ASSERT(false, message.dump());
    }
  }

  void run(int64_t ticket, const AttemptRequest& request) {
    require_one_thread();
    const uint64_t oom_kills = oom_.kills();
    sigset_t all, before;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all,
                &before);  // run_attempt unblocks all signals but the one that it waits for
    const pid_t pid = fork();
    const int error = errno;
    if (pid == 0) {
      FileDescriptor kept = close_inherited_but(socket_.get());
      const int code = static_cast<int>(run_attempt(request, [&kept] { kept.reset(); }));
      std::fflush(nullptr);
      _exit(code);
    }
    sigprocmask(SIG_SETMASK, &before, nullptr);
    if (pid < 0) {
      socket_.send(
          {{"refused", ticket}, {"message", text_of_resource_error("cannot fork", error)}});
      return;
    }
    set_kill_point_folder(request.store);
    kill_point("after_fork");
    // Nobody has waited for the child, so the number is still valid.
    errno = 0;
    const std::optional<ProcessIdentity> process = process_of(pid);
    if (!process) return take_back(pid, ticket, errno);
    children_[pid] = {ticket, oom_kills};
    socket_.send({{"started", ticket}, {"process", to_json(*process)}});
  }

  /// Ends a child that could not be reported to the driver, since nobody could send it a signal.
  void take_back(pid_t pid, int64_t ticket, int error) {
    kill(pid, SIGKILL);
    while (waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
    }
    socket_.send({{"refused", ticket},
                  {"message",
                   text_of_resource_error(fmt::format("/proc/{}/stat: cannot read", pid), error)}});
  }

  void reap() {
    signalfd_siginfo ignored;
    while (read(children_ended_.get(), &ignored, sizeof ignored) > 0) {
    }
    int status = 0;
    for (pid_t pid; (pid = waitpid(-1, &status, WNOHANG)) > 0;) {
      const auto child = children_.extract(pid);
      if (child.empty()) continue;
      const auto [ticket, oom_kills] = child.mapped();
      socket_.send(
          {{"ended", ticket}, {"status", status}, {"oom", oom_.was_oom(status, oom_kills)}});
    }
  }

  LineSocket socket_;
  FileDescriptor children_ended_;
  std::map<pid_t, Child> children_;
  OomWatch oom_;
};

}  // namespace

void refuse_to_serve(int socket, const std::string& message) {
  LineSocket(FileDescriptor(socket)).send({{"unable", message}});
}

int serve_zygote(int socket) {
  RETHINK_ASSERT(socket == STDIN_FILENO || socket > STDERR_FILENO, std::to_string(socket));
  prepare_attempts();
  Zygote(socket).serve();
  return 0;
}

}  // namespace rethink
