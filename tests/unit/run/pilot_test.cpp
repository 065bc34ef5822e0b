#include "experiments/run/pilots/pilot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>

#include "core/error.h"
#include "core/json.h"
#include "experiments/run/pilots/pilot_plan.h"
#include "experiments/run/pilots/store_pilots.h"
#include "experiments/site/site.h"
#include "tests/support/temp_folder.h"
#include "tests/unit/plan/sample_schema.h"

namespace rethink {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

class PilotTest : public testing::Test {
 protected:
  TempFolder folder_;
  const PilotSet set_ = PilotSet::make(folder_ / "store");
};

TEST_F(PilotTest, RunsNothingThatAnotherBuildPlanned) {
  write_pilot_plan(set_.plan(), {.build = "another", .site = {.name = "here", .engine = "local"}});
  SchedulerListener listener;
  const std::atomic<int> signals = 0;
  EXPECT_THAT([&] { run_pilot(set_, folder_ / "store", "/", sample::schema(), listener, signals); },
              ThrowsMessage<MachineError>(HasSubstr("was planned by another build of rethink")));
  EXPECT_THAT(set_.failures(), ElementsAre(HasSubstr("start this pilot with the program that")));
}

TEST_F(PilotTest, ADamagedPlanIsInTheWayOnlyWhilePilotsMayUseIt) {
  write_pilot_plan(set_.plan(), {.build = "one", .site = {.name = "here", .engine = "local"}});
  const std::string text = read_text(set_.plan());
  const auto read = [&] {
    Engines engines;
    return plan_of_set(set_, engines);
  };
  EXPECT_EQ(read().build, "one");
  write_text(set_.plan(), text.substr(0, text.size() / 2));
  EXPECT_THAT(read, ThrowsMessage<ConfigError>(HasSubstr("is damaged")));  // nobody knows its jobs
  const Site site{.name = "here", .engine = "local"};
  set_.record_jobs({own_job()}, to_json(site));
  EXPECT_THAT(read, ThrowsMessage<ConfigError>(HasSubstr("is damaged")));
  set_.record_jobs({"999999.1"}, to_json(site));
  EXPECT_THAT(read().trials, testing::IsEmpty());
}

}  // namespace
}  // namespace rethink
