// A program and all processes that it starts.
#include "experiments/attempt/command/process_tree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "core/system/process.h"

namespace rethink {
namespace {

using ::testing::HasSubstr;

ProcessTree::Start shell(const std::string& text) {
  return {.words = {"sh", "-c", text},
          .environment = {{"PATH", std::getenv("PATH")}, {"GIVEN", "here"}},
          .folder = std::filesystem::temp_directory_path()};
}

/// Returns the output until it is silent for a second, or has ended.
std::string output_of(const ProcessTree& tree) {
  std::string text;
  char bytes[4096];
  for (pollfd end{tree.output().get(), POLLIN, 0}; ::poll(&end, 1, 1000) > 0;) {
    const ssize_t got = read(end.fd, bytes, sizeof bytes);
    if (got <= 0) break;
    text.append(bytes, static_cast<size_t>(got));
    if (text.ends_with("ready\n")) break;
  }
  return text;
}

int status_of(ProcessTree& tree) {
  pollfd end{tree.leader().get(), POLLIN, 0};
  ::poll(&end, 1, 10'000);
  int status = -1;
  EXPECT_TRUE(tree.has_ended(status));
  return status;
}

TEST(ProcessTree, HasItsOwnEnvironmentAndNoInput) {
  ProcessTree tree(shell("echo $GIVEN ${HOME:-no home}; cat; exit 3"));
  EXPECT_EQ(output_of(tree), "here no home\n");
  EXPECT_EQ(how_ended(status_of(tree)), "exit code 3");
}

TEST(ProcessTree, SaysWhatCannotBeStarted) {
  ProcessTree::Start start = shell("");
  start.words = {"no-such-program"};
  EXPECT_THROW(ProcessTree{start}, MissingProgram);
  start.words = {"/etc/hostname"};
  EXPECT_THROW(ProcessTree{start}, MissingProgram);
}

TEST(ProcessTree, TellsTheLeadingProcessAloneToEnd) {
  ProcessTree tree(
      shell("trap 'echo told; exit 75' TERM; (trap 'echo child told' TERM; sleep 30) & echo ready; "
            "wait"));
  EXPECT_EQ(output_of(tree), "ready\n");
  tree.terminate_leader();
  EXPECT_EQ(how_ended(status_of(tree)), "exit code 75");
  EXPECT_THAT(output_of(tree), testing::Not(HasSubstr("child told")));
}

/// torchrun starts its ranks in this way.
TEST(ProcessTree, KillsProcessesInSessionsOfTheirOwn) {
  ProcessTree tree(
      shell("setsid sleep 100 & (sleep 100 & sleep 100) & sleep 0.3; echo ready; wait"));
  EXPECT_EQ(output_of(tree), "ready\n");
  EXPECT_GE(tree.kill_all(), 3u);
  EXPECT_TRUE(WIFSIGNALED(status_of(tree)));
  EXPECT_EQ(tree.kill_all(), 0u);
}

/// Some processes start others while they are killed, and none remains to wait for.
TEST(ProcessTree, LeavesNoProcessWhenItHasKilledAll) {
  ProcessTree tree(
      shell("for i in 1 2 3 4; do (for j in $(seq 200); do setsid sleep 100 & done) & done; sleep "
            "0.05; echo ready; wait"));
  EXPECT_EQ(output_of(tree), "ready\n");
  EXPECT_GE(tree.kill_all(), 4u);
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
  EXPECT_TRUE(WIFSIGNALED(status_of(tree)));
}

TEST(ProcessTree, IsFoundByItsTrialWhenItsParentHasEnded) {
  ProcessTree::Start start = shell("sleep 100 & echo ready; wait");
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / "0123456789abcdef0123";
  start.environment[kTrialVariable] = mark_of(folder);
  ProcessTree tree(start);
  EXPECT_EQ(output_of(tree), "ready\n");
  kill_programs_of("/elsewhere/0123456789abcdef0123");
  int status = 0;
  EXPECT_FALSE(tree.has_ended(status));
  kill_programs_of(folder);
  EXPECT_TRUE(WIFSIGNALED(status_of(tree)));
}

}  // namespace
}  // namespace rethink
