#include "experiments/run/pilots/pilot_jobs.h"

#include <gtest/gtest.h>

#include "core/json.h"
#include "tests/support/temp_folder.h"

namespace rethink {
namespace {

/// Sites whose queues say the same of every job.
Site site_whose_jobs(const std::string& state) {
  return {.name = state,
          .engine = "commands",
          .commands = {.submit = "true",
                       .states = "for job in {jobs}; do echo $job " + state + "; done",
                       .cancel = "true",
                       .job = "$JOB"}};
}

class PilotJobsTest : public testing::Test {
 protected:
  PilotSet submitted(const Site& site, const std::string& job) const {
    PilotSet set = PilotSet::make(store_);
    set.record_jobs({job}, to_json(site));
    return set;
  }
  bool has_ended(const std::string& job, int restart = 0, const std::string& own = "ended") const {
    PilotJobs jobs(store_, site_whose_jobs(own));
    return jobs.has_ended({.job = job, .restart = restart, .node = "n1", .worker = {}});
  }

  TempFolder folder_;
  const std::filesystem::path store_ = folder_ / "store";
};

TEST_F(PilotJobsTest, AsksTheSiteThatHasTheJob) {
  submitted(site_whose_jobs("running"), "1");
  submitted(site_whose_jobs("ended"), "2");
  EXPECT_FALSE(has_ended("1"));
  EXPECT_TRUE(has_ended("2"));
  EXPECT_TRUE(has_ended("2", 0, "running"));
}

TEST_F(PilotJobsTest, OfJobsWithOneNameAtTwoSitesAllMustHaveEnded) {
  const PilotSet first = submitted(site_whose_jobs("running"), "1");
  const PilotSet second = submitted(site_whose_jobs("pending"), "1");
  first.record_end("1");
  EXPECT_FALSE(has_ended("1"));
  second.record_end("1");
  EXPECT_TRUE(has_ended("1"));
  EXPECT_FALSE(has_ended("1", 1));  // the next start of the job
}

TEST_F(PilotJobsTest, AQueueOrASetThatDoesNotAnswerProvesNothing) {
  Site away = site_whose_jobs("running");
  away.commands.states = "false";
  submitted(away, "1");
  EXPECT_FALSE(has_ended("1"));
  const PilotSet damaged = submitted(site_whose_jobs("ended"), "2");
  EXPECT_TRUE(has_ended("2"));
  damaged.record_jobs({"2"}, {{"name", "a site of another version"}});
  EXPECT_FALSE(has_ended("2"));
}

TEST_F(PilotJobsTest, OfAJobOfNoSetTheOwnSiteIsAsked) {
  EXPECT_TRUE(has_ended("3"));
  EXPECT_FALSE(has_ended("3", 0, "running"));
}

}  // namespace
}  // namespace rethink
