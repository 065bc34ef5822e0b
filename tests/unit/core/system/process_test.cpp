#include "core/system/process.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/files/lock.h"
#include "core/json.h"
#include "tests/support/temp_folder.h"
#include "tests/support/throws_code.h"

namespace rethink {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(RunProgram, CollectsWhatItSaysAndHowItEnds) {
  const ProgramResult result =
      run_program({.words = {"sh", "-c", "cat; echo bad >&2; exit 3"}, .input = "good"});
  EXPECT_EQ(result.output, "good");
  EXPECT_EQ(result.error, "bad\n");
  EXPECT_EQ(result.status, 3);
}

TEST(RunProgram, MovesMoreThanAPipeHolds) {
  const std::string input(1 << 20, 'x');
  EXPECT_EQ(run_program({.words = {"cat"}, .input = input}).output, input);
}

TEST(RunProgram, AProgramNeedNotReadItsInput) {
  EXPECT_EQ(run_program({.words = {"true"}, .input = std::string(1 << 20, 'x')}).status, 0);
}

TEST(RunProgram, AProgramMayReadOnWhenItHasNoMoreToSay) {
  const ProgramRun run{.words = {"sh", "-c", "exec >&- 2>&-; cat > /dev/null"},
                       .input = std::string(1 << 20, 'x')};
  EXPECT_EQ(run_program(run).status, 0);
}

TEST(RunProgram, AProgramDiesOfSigpipeAsUsual) {
  const ProgramResult result =
      run_program({.words = {"sh", "-c", "grep SigIgn /proc/self/status"}});
  const uint64_t ignored = std::stoull(result.output.substr(result.output.find('\t')), nullptr, 16);
  EXPECT_EQ(ignored >> (SIGPIPE - 1) & 1, 0u) << result.output;
}

TEST(RunProgram, SetsFolderAndEnvironment) {
  const TempFolder folder;
  const ProgramResult result = run_program({.words = {"sh", "-c", "pwd; echo $COLOUR"},
                                            .folder = folder.path(),
                                            .environment = {{"COLOUR", "blue"}}});
  EXPECT_EQ(result.output, folder.path().string() + "\nblue\n");
}

TEST(RunProgram, ASignalCountsAsInShells) {
  EXPECT_EQ(run_program({.words = {"sh", "-c", "kill -9 $$"}}).status, 128 + SIGKILL);
}

TEST(RunProgram, SaysWhichProgramIsMissing) {
  EXPECT_THAT(
      [] { run_program({.words = {"no-such-program"}}); },
      ThrowsMessage<MachineError>("cannot start 'no-such-program': No such file or directory"));
}

TEST(ProcessIdentity, IsTheSameWhenAskedTwice) {
  const ProcessIdentity self = this_process();
  EXPECT_EQ(self.pid, getpid());
  EXPECT_EQ(to_json(process_from_json(to_json(self))), to_json(*process_of(getpid())));
}

TEST(ProcessIdentity, AStrangerWithTheSameNumberIsNotSignalled) {
  ProcessIdentity stranger = this_process();
  stranger.start_time += 1;
  EXPECT_FALSE(open_process(stranger));
  EXPECT_FALSE(send_signal(stranger, SIGKILL));
  ProcessIdentity before_reboot = this_process();
  before_reboot.boot_id = "another";
  EXPECT_FALSE(send_signal(before_reboot, SIGKILL));
}

TEST(ProcessIdentity, SignalsTheProcessThatIsMeant) {
  const pid_t child = fork();
  if (child == 0) {
    pause();
    _exit(0);
  }
  EXPECT_TRUE(send_signal(*process_of(child), SIGTERM));
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
  EXPECT_FALSE(process_of(child));
}

TEST(ProcessIdentity, RefusesAnotherKindOfJson) {
  EXPECT_THAT([] { process_from_json({{"pid", 1}}); }, ThrowsCode("invalid-value"));
}

TEST(OomWatch, AKillThatTheKernelDidNotCountIsNotOom) {
  OomWatch watch;
  EXPECT_FALSE(watch.was_oom(SIGKILL));
  EXPECT_FALSE(watch.was_oom(0));
}

/// Files of a kernel in a folder: a cgroup of version 2 or 1, or one without a count.
class OomCount : public testing::TestWithParam<std::pair<const char*, const char*>> {
 protected:
  void kernel_has_killed(int times) const {
    const auto [group, counter] = GetParam();
    write_text(root_ / "proc/self/cgroup", std::string("7:pids:/job\n") + group + "\n");
    write_text(root_ / counter, "low 9\noom 8\noom_kill " + std::to_string(times) + "\n");
  }

  TempFolder root_;
};

TEST_P(OomCount, TellsTheKernelsKillFromAnyOther) {
  kernel_has_killed(3);
  EXPECT_EQ(oom_kill_count(root_.path()), 3u);
  OomWatch watch(root_.path());
  EXPECT_FALSE(watch.was_oom(SIGKILL));
  kernel_has_killed(4);
  EXPECT_FALSE(watch.was_oom(SIGTERM));
  EXPECT_TRUE(watch.was_oom(SIGKILL));
  EXPECT_FALSE(watch.was_oom(SIGKILL));
}

TEST_P(OomCount, ExplainsOneDeathByEachKill) {
  kernel_has_killed(3);
  OomWatch watch(root_.path());
  kernel_has_killed(5);
  EXPECT_TRUE(watch.was_oom(SIGKILL));
  EXPECT_TRUE(watch.was_oom(SIGKILL));
  EXPECT_FALSE(watch.was_oom(SIGKILL));
}

TEST_P(OomCount, ExplainsNothingThatBeganLater) {
  kernel_has_killed(3);
  OomWatch watch(root_.path());
  kernel_has_killed(5);  // of other processes
  const uint64_t before = watch.kills();
  EXPECT_FALSE(watch.was_oom(SIGKILL, before));
  kernel_has_killed(6);
  EXPECT_TRUE(watch.was_oom(SIGKILL, before));
  EXPECT_FALSE(watch.was_oom(SIGKILL));
}

INSTANTIATE_TEST_SUITE_P(, OomCount,
                         testing::Values(std::pair("0::/job", "sys/fs/cgroup/job/memory.events"),
                                         std::pair("9:memory:/job",
                                                   "sys/fs/cgroup/memory/job/memory.oom_control"),
                                         std::pair("0::/job", "proc/vmstat")));

TEST(OomWatch, CountsNothingWhereTheKernelDoesNotSay) {
  const TempFolder root;
  EXPECT_EQ(oom_kill_count(root.path()), std::nullopt);
  EXPECT_FALSE(OomWatch(root.path()).was_oom(SIGKILL));
}

/// Runs `work` in a forked child and returns its exit code.
template <typename Work>
int in_child(Work work) {
  const pid_t child = fork();
  if (child == 0) _exit(work());
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(FileLock, ExcludesOtherProcessesUntilItIsReleased) {
  const TempFolder folder;
  const auto path = folder / "lock";
  const FileDescriptor file = open_file(path, O_RDWR | O_CREAT);
  const auto locked_for_child = [&] {
    return in_child([&] {
      const FileDescriptor own = open_file(path, O_RDWR);
      return FileLock::try_take(own.get(), path) ? 0 : 1;
    });
  };
  EXPECT_FALSE(is_locked(path));
  {
    const auto lock = FileLock::try_take(file.get(), path);
    ASSERT_TRUE(lock);
    EXPECT_EQ(locked_for_child(), 1);
    EXPECT_EQ(in_child([&] { return is_locked(path) ? 1 : 0; }), 1);
  }
  EXPECT_EQ(locked_for_child(), 0);
  EXPECT_FALSE(is_locked(path));
}

TEST(FileLock, EndsWithAKilledProcess) {
  const TempFolder folder;
  const auto path = folder / "lock";
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  const pid_t child = fork();
  if (child == 0) {
    const FileDescriptor own = open_file(path, O_RDWR | O_CREAT);
    const auto lock = FileLock::try_take(own.get(), path);
    if (write(ready[1], "x", 1) != 1) _exit(1);
    pause();
    _exit(0);
  }
  char byte;
  ASSERT_EQ(read(ready[0], &byte, 1), 1);
  EXPECT_TRUE(is_locked(path));
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  EXPECT_FALSE(is_locked(path));
}

TEST(FileLock, AFileThatIsNotThereIsNotLocked) {
  EXPECT_FALSE(is_locked("/nowhere/lock"));
}

TEST(FileLock, AFileOpenForReadingCannotBeLocked) {
  EXPECT_THAT(
      [] {
        const FileDescriptor file = open_file("/dev/null", O_RDONLY);
        FileLock::try_take(file.get(), "/dev/null");
      },
      ThrowsMessage<MachineError>(HasSubstr("/dev/null: cannot lock")));
}

}  // namespace
}  // namespace rethink
