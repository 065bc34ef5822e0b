// Checks that the self test and the crash tests find the faults for which they exist.
#include "experiments/run/selftest/chaos.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>

#include "core/json.h"
#include "core/store_files/event.h"
#include "core/store_files/trial_folder.h"
#include "tests/support/attempt_store.h"
#include "tests/support/temp_folder.h"

namespace rethink {
namespace {

constexpr const char* kTrial = "0123456789abcdef0123";

class OverlappingAttempts : public testing::Test {
 protected:
  OverlappingAttempts() { write_text(folder_.trial(), "{}"); }

  /// Adds an attempt that began at `begun` and wrote its last event `written_s` seconds after 1970.
  void add(int64_t number, const std::string& begun, time_t written_s) const {
    const Json start{{"event", "start"}, {"resume_step", 0}, {"at", begun}};
    write_text(folder_.events(number),
               event_line(start) + event_line({{"event", "tick"}, {"step", 1}}));
    const timespec times[2] = {{written_s, 0}, {written_s, 0}};
    ASSERT_EQ(utimensat(AT_FDCWD, folder_.events(number).c_str(), times, 0), 0);
  }

  TempFolder store_;
  const TrialFolder folder_{store_.path(), kTrial};
};

TEST_F(OverlappingAttempts, AreNotThoseThatFollowEachOther) {
  add(1, "1970-01-01T00:00:01.000Z", 20);
  add(2, "1970-01-01T00:00:20.000Z", 30);
  add(3, "1970-01-01T00:00:31.500Z", 32);
  EXPECT_THAT(overlapping_attempts(store_.path()), testing::IsEmpty());
}

TEST_F(OverlappingAttempts, BeganBeforeAnEarlierOneHadEnded) {
  add(1, "1970-01-01T00:00:01.000Z", 25);
  add(2, "1970-01-01T00:00:20.000Z", 22);
  add(3, "1970-01-01T00:00:24.999Z", 30);
  add(4, "1970-01-01T00:00:30.000Z", 31);
  EXPECT_THAT(
      overlapping_attempts(store_.path()),
      testing::ElementsAre(std::string(kTrial) + " attempt 2", std::string(kTrial) + " attempt 3"));
}

TEST(Overlaps, AreFoundInWhatRealWorkersWrite) {
  const AttemptStore store;
  const Trial trial = store.add("noop", {{"fail_at", 1}}, 0);
  const auto worker = std::filesystem::path(RETHINK_BINARY_DIR) / "noop/rethink-worker";
  for (int attempt = 0; attempt < 2; ++attempt) run_attempt_of(worker, store.request(trial));
  EXPECT_THAT(overlapping_attempts(store.path()), testing::IsEmpty());
  // This is as if the first wrote an event a minute later.
  const timespec later{time(nullptr) + 60, 0}, times[2] = {later, later};
  ASSERT_EQ(utimensat(AT_FDCWD, store.folder(trial).events(1).c_str(), times, 0), 0);
  EXPECT_THAT(overlapping_attempts(store.path()), testing::ElementsAre(trial.id + " attempt 2"));
}

TEST(UnexplainedEnd, IsAnyThatNoKillOfOursLeadsTo) {
  const auto exited = [](int code) { return code << 8; };
  EXPECT_EQ(unexplained_end(exited(0), {}), "");
  EXPECT_EQ(unexplained_end(exited(1), {}), "");
  EXPECT_EQ(unexplained_end(SIGKILL, {.driver = true}), "");
  EXPECT_EQ(unexplained_end(SIGKILL, {.zygotes = 9}), "signal 9 (Killed)");
  EXPECT_EQ(unexplained_end(SIGABRT, {.driver = true}), "signal 6 (Aborted)");
  EXPECT_EQ(unexplained_end(exited(3), {.driver = true, .zygotes = 4}), "exit code 3");
  EXPECT_EQ(unexplained_end(exited(3), {.zygotes = 5}), "");
  EXPECT_EQ(unexplained_end(exited(2), {.zygotes = 5}), "exit code 2");
}

TEST(Chaos, FindsADriverThatCrashes) {
  setenv("RETHINK_PROGRAMS", (std::filesystem::path(RETHINK_BINARY_DIR) / "noop").c_str(), 1);
  const TempFolder folder;
  const auto rethink = std::filesystem::path(RETHINK_BINARY_DIR) / "bin/rethink";
  // The quiet run succeeds, and every other run ends because of a fault of the machine.
  write_text(folder / "faulty", fmt::format("#!/bin/sh\ncase \"$*\" in *quiet*) exec {} \"$@\";; "
                                            "esac\nexit 3\n",
                                            rethink.string()));
  std::filesystem::permissions(folder / "faulty", std::filesystem::perms::owner_all);
  const ChaosReport report =
      run_chaos({.rethink = folder / "faulty", .folder = folder / "chaos", .kills = 3});
  EXPECT_FALSE(report.good());
  EXPECT_THAT(report.crashed, testing::ElementsAre(testing::StartsWith(
                                  "run 1 ended with exit code 3, which no kill explains; see ")));
}

}  // namespace
}  // namespace rethink
