// The engine `local`: jobs are processes of this machine.
#include "experiments/site/local_engine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <functional>

#include "core/error.h"
#include "core/files/file.h"
#include "core/files/temporary_folder.h"
#include "core/json.h"
#include "core/system/process.h"

namespace rethink {
namespace {

/// Waits at most 20 s for `holds`.
bool comes(const std::function<bool()>& holds) {
  for (int look = 0; look < 2000; ++look) {
    if (holds()) return true;
    usleep(10'000);
  }
  return false;
}

bool becomes(Engine& engine, const std::string& job, JobState state) {
  return comes([&] { return engine.states({job}).at(job).state == state; });
}

TEST(LocalEngine, RunsJobsThatEndOrAreCancelled) {
  const ScratchFolder logs;
  LocalEngine engine({.name = "here", .setup = "WORD=set", .wrap = "env WRAPPED=yes"});
  const auto jobs = engine.submit(
      {.words = {"sh", "-c", "echo $WRAPPED; exec sleep 600"}, .logs = logs.path(), .name = "x"},
      2);
  ASSERT_EQ(jobs.size(), 2U);
  EXPECT_NE(jobs[0], jobs[1]);
  // A job counts as running before it has printed anything, so the test waits for its output and then cancels it.
  for (const std::string& job : jobs) {
    EXPECT_TRUE(becomes(engine, job, JobState::running));
    EXPECT_TRUE(comes([&] { return read_file(logs.path() / (job + ".log")) == "yes\n"; }));
  }
  engine.cancel({jobs[0]});
  EXPECT_TRUE(becomes(engine, jobs[0], JobState::ended));
  EXPECT_EQ(engine.states(jobs).at(jobs[1]).state, JobState::running);
  engine.cancel(jobs);  // one of these jobs has already ended
  EXPECT_TRUE(becomes(engine, jobs[1], JobState::ended));
}

TEST(LocalEngine, CallsAJobThatItNeverHadEnded) {
  LocalEngine engine({.name = "here"});
  EXPECT_EQ(engine.states({"1.1", "words", "7"}).at("1.1").state, JobState::ended);
}

/// As in a container whose first process reaps nobody.
TEST(LocalEngine, CallsAJobEndedThatNobodyReaps) {
  const ScratchFolder folder;
  const std::filesystem::path file = folder.path() / "pid";
  LocalEngine parent({.name = "here"});
  const auto parents = parent.submit(
      {.words = {"sh", "-c", "sleep 1 & echo $! > '" + file.string() + "'; exec sleep 600"},
       .logs = folder.path(),
       .name = "x"},
      1);
  ASSERT_TRUE(
      comes([&] { return std::filesystem::exists(file) && read_file(file).ends_with('\n'); }));
  const int pid = std::stoi(read_file(file));
  const std::optional<ProcessIdentity> child = process_of(pid);
  ASSERT_TRUE(child);
  const std::string job = std::to_string(pid) + "." + std::to_string(child->start_time);
  LocalEngine engine({.name = "here"});
  EXPECT_TRUE(becomes(engine, job, JobState::ended));
  EXPECT_EQ(kill(pid, 0), 0);  // its entry is still there
  parent.cancel(parents);
}

TEST(Site, IsReadAsItWasWritten) {
  const Site site{.name = "a",
                  .engine = "local",
                  .options = {"--x"},
                  .pilots = 3,
                  .setup = "true",
                  .wrap = "env",
                  .file = "sites.yaml"};
  EXPECT_EQ(to_json(site_from_json(to_json(site))), to_json(site));
  EXPECT_THROW(site_from_json({{"name", "a"}}), ConfigError);
  EXPECT_THROW(make_engine({.name = "a", .engine = "lokal"}), ConfigError);
}

}  // namespace
}  // namespace rethink
