#include "experiments/run/attempts/first_attempt_settings.h"

#include <gtest/gtest.h>

#include "core/json.h"
#include "core/store_files/trial_folder.h"
#include "experiments/attempt/trial_files.h"
#include "results/store/ingest.h"
#include "tests/unit/results/trial_maker.h"

namespace rethink {
namespace {

class FirstAttemptSettingsTest : public testing::Test {
 protected:
  static Json start(int64_t attempt, bool deterministic, const std::string& device) {
    Json event = start_event(attempt, 0);
    event["deterministic"] = deterministic;
    event["device"] = device;
    return event;
  }
  std::map<std::string, FirstAttemptSettings> begun() {
    ingest_events(index_, trial_.folder());
    return first_attempt_settings(index_, folder_.path(), {trial_.id()});
  }

  const TempFolder folder_;
  TrialMaker trial_{folder_.path(), "a"};
  Store index_{folder_.path(), Store::Access::write};
};

TEST_F(FirstAttemptSettingsTest, ATrialWithACheckpointStaysOnItsDevice) {
  trial_.attempt(1, {start(1, true, "cuda")});
  EXPECT_TRUE(begun().empty());
  write_text(trial_.folder() / "checkpoints/checkpoint-4", "x");
  ASSERT_EQ(begun().size(), 1u);
  EXPECT_EQ(begun().at(trial_.id()).device, "cuda");
}

TEST_F(FirstAttemptSettingsTest, AnAttemptThatEndedBeforeItBeganChangesNothing) {
  trial_.attempt(1, {start(1, true, "cuda")});
  write_text(trial_.folder() / "checkpoints/checkpoint-4", "x");
  Json event = start(2, true, "cpu");
  event["begun"] = false;
  trial_.attempt(2, {event, end_event("failed")});
  EXPECT_EQ(begun().at(trial_.id()).device, "cuda");
}

TEST_F(FirstAttemptSettingsTest, WhatIsMadeAgainIsMadeAsItsResultWas) {
  trial_.attempt(1, {start(1, false, "cpu"), end_event("done")}).result(1);
  EXPECT_TRUE(begun().empty());
  run_again(TrialFolder(trial_.folder()));
  trial_.attempt(2, {start(2, true, "cuda")});
  ASSERT_EQ(begun().size(), 1u);
  EXPECT_EQ(begun().at(trial_.id()).device, "cpu");
  EXPECT_FALSE(begun().at(trial_.id()).deterministic);
}

TEST_F(FirstAttemptSettingsTest, SaysWhatIsKept) {
  EXPECT_EQ(kept_settings({1, true, "cpu"}, {2, true, "cuda"}),
            "threads 1, not 2, device cpu, not cuda");
  EXPECT_EQ(kept_settings({1, false, "cpu"}, {1, false, "cpu"}), "");
}

}  // namespace
}  // namespace rethink
