// Lock files of trials name a process that is not the trial's worker; this process must not be killed.
#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <thread>

#include "core/files/lock.h"
#include "core/json.h"
#include "experiments/attempt/trial_files.h"
#include "tests/crash/driver.h"

namespace rethink {
namespace {

using testing::HasSubstr;

/// A process that has nothing to do with any store.
class Sleeper {
 public:
  /// `prepare` runs in the process before the program does.
  explicit Sleeper(
      const std::string& program, const std::function<void()>& prepare = [] {})
      : pid_(fork()) {
    if (pid_ == 0) {
      prepare();
      execlp(program.c_str(), program.c_str(), "1000", nullptr);
      _exit(1);
    }
  }
  ~Sleeper() {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  pid_t pid() const { return pid_; }
  std::string program() const {
    std::error_code gone;
    return std::filesystem::read_symlink(fmt::format("/proc/{}/exe", pid_), gone).filename();
  }
  bool is_alive() const { return waitpid(pid_, nullptr, WNOHANG) == 0; }

 private:
  const pid_t pid_;
};

/// A process that has the trial's lock.
struct LockHolder {
  explicit LockHolder(const TrialFolder& trial)
      : file(open_file(trial.lock(), O_RDWR)), lock(FileLock::try_take(file.get(), trial.lock())) {}
  FileDescriptor file;
  std::optional<FileLock> lock;
};

class Stranger : public DriverTest {
 protected:
  /// Returns a trial without a worker, which its index calls running.
  TrialFolder left_trial() const {
    const TrialFolder trial = leave_an_orphan();
    EXPECT_TRUE(send_signal(*last_worker(trial), SIGKILL));
    wait_until([&] { return !has_running_worker(trial); });
    return trial;
  }
  static void sign(const TrialFolder& trial, pid_t pid) {
    write_text(trial.lock(), to_json(*process_of(pid)).dump());
  }
  /// Starts a process with the worker's name, which runs `prepare` first and does not lock the trial.
  void expect_left_alone(const TrialFolder& trial, const std::function<void()>& prepare) {
    const std::string program = (folder_ / "rethink-worker").string();
    std::filesystem::copy_file("/bin/sleep", program);
    const Sleeper sleeper(program, prepare);
    wait_until([&] { return sleeper.program() == "rethink-worker"; });
    const LockHolder holder(trial);
    sign(trial, sleeper.pid());
    const ProgramResult cancel = rethink({"cancel", "endless"});
    EXPECT_EQ(cancel.status, 1) << cancel.error;
    EXPECT_THAT(cancel.output, HasSubstr(fmt::format("its lock names process {} ({} 1000), which "
                                                     "does not hold that lock and was left alone",
                                                     sleeper.pid(), program)));
    EXPECT_TRUE(sleeper.is_alive());
  }
};

TEST_F(Stranger, ThatALockNamesIsNotSignalled) {
  const TrialFolder trial = left_trial();
  const Sleeper sleeper("sleep");
  wait_until([&] { return sleeper.program() != "test_crash"; });
  const LockHolder holder(trial);
  sign(trial, sleeper.pid());
  const ProgramResult cancel = rethink({"cancel", "endless"});
  EXPECT_EQ(cancel.status, 1) << cancel.error;
  EXPECT_EQ(cancel.output,
            fmt::format("cancelled 1 trial; trial {} goes on: its lock names process {} (sleep "
                        "1000), which is not a rethink-worker and was left alone; `fuser {}` (as "
                        "root where another user's process may be it) names who holds the lock: "
                        "end that process\n",
                        trial.path().filename().string(), sleeper.pid(), trial.lock().string()));
  EXPECT_TRUE(sleeper.is_alive());
}

TEST_F(Stranger, WithAWorkersNameAndWithoutTheLockIsNotSignalled) {
  expect_left_alone(left_trial(), [] {});
}

TEST_F(Stranger, WithAWorkersNameAndTheLockFileOpenButNotLockedIsNotSignalled) {
  const TrialFolder trial = left_trial();
  expect_left_alone(trial, [&] {
    if (open(trial.lock().c_str(), O_RDWR) < 0) _exit(1);
    if (open(trial.path().c_str(), O_RDONLY | O_DIRECTORY) < 0) _exit(1);
  });
}

TEST_F(Stranger, OfAnotherUserIsNotSignalled) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can run a program as another user";
  constexpr uid_t kOther = 63001;
  const TrialFolder trial = left_trial();
  const Sleeper sleeper("sleep", [] {
    if (setuid(kOther) != 0) _exit(1);
  });
  wait_until([&] { return sleeper.program() == "sleep"; });
  const LockHolder holder(trial);
  sign(trial, sleeper.pid());
  const ProgramResult cancel = rethink({"cancel", "endless"});
  EXPECT_EQ(cancel.status, 1) << cancel.error;
  EXPECT_THAT(cancel.output,
              HasSubstr(fmt::format("its lock names process {} (sleep 1000), which belongs to user "
                                    "{}; end it as that user",
                                    sleeper.pid(), kOther)));
  EXPECT_TRUE(sleeper.is_alive());
}

TEST_F(Stranger, IsNotSignalledByADriverThatAdoptsItsTrial) {
  const TrialFolder trial = left_trial();
  const Sleeper sleeper("sleep");
  wait_until([&] { return sleeper.program() != "test_crash"; });
  const LockHolder holder(trial);
  sign(trial, sleeper.pid());
  for (const bool twice : {false, true}) {
    std::jthread driver([&] {
      const ProgramResult result = run("endless.yaml");
      EXPECT_EQ(result.status, 130);
      EXPECT_THAT(result.error, HasSubstr(fmt::format("goes on: its lock names process {} (sleep "
                                                      "1000), which is not a rethink-worker",
                                                      sleeper.pid())));
    });
    wait_until([&] { return store_owner(folder_ / "store").has_value(); });
    wait_until([&] { return rethink({"status"}).output.find("1 running") != std::string::npos; });
    if (twice) {
      const ProgramResult cancel = rethink({"cancel", "endless"});
      EXPECT_EQ(cancel.status, 1) << cancel.error;
      EXPECT_THAT(cancel.output, HasSubstr("which is not a rethink-worker and was left alone"));
    }
    signal_driver(SIGINT);
    if (twice) signal_driver(SIGINT);
    driver.join();
    EXPECT_TRUE(sleeper.is_alive());
  }
}

TEST_F(Stranger, IsNotAWorkerIfItsProgramWasReplaced) {
  std::filesystem::copy(kPrograms, folder_ / "programs");
  programs_ = folder_ / "programs";
  const TrialFolder trial = leave_an_orphan();
  std::filesystem::remove(programs_ / "rethink-worker");
  const ProgramResult cancel = rethink({"cancel", "endless"});
  EXPECT_EQ(cancel.status, 0) << cancel.error;
  EXPECT_EQ(cancel.output, "cancelled 1 trial; stopped 1 worker whose driver has ended\n");
  EXPECT_FALSE(has_running_worker(trial));
}

}  // namespace
}  // namespace rethink
