#include "results/records/first_signs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "results/store/rebuild.h"
#include "tests/unit/results/trial_maker.h"

namespace rethink {
namespace {

Json of_training(const std::string& name, int64_t step, const Json& value) {
  Json event = metric_event(name, step, value);
  event["split"] = "train";
  return event;
}

/// Returns events of ten steps with a loss of about 4 and a gradient norm of about 1, then `last`.
std::vector<Json> ten_steps_and(const std::vector<Json>& last) {
  std::vector<Json> events = {start_event(1, 0)};
  for (int64_t step = 1; step <= 10; ++step) {
    events.push_back(of_training("step_loss", step, 4.0 + 0.1 * static_cast<double>(step % 3)));
    events.push_back(
        of_training("step_gradient_norm", step, 1.0 + 0.1 * static_cast<double>(step % 2)));
  }
  events.insert(events.end(), last.begin(), last.end());
  return events;
}

class FirstSigns : public ::testing::Test {
 protected:
  std::vector<FirstSign> of(const std::string& outcome, std::vector<Json> events) {
    events.push_back(end_event(outcome));
    TrialMaker(folder_.path(), "a").attempt(1, events).result(1, outcome);
    rebuild(folder_.path());
    Store store(folder_.path(), Store::Access::read);
    return first_signs(store, id_of("a"));
  }

 private:
  TempFolder folder_;
};

TEST_F(FirstSigns, AreOrderedByStep) {
  const std::vector<FirstSign> signs =
      of("diverged",
         ten_steps_and({of_training("step_gradient_norm", 11, 50.0),
                        of_training("step_loss", 12, 9.0), of_training("step_loss", 13, "nan")}));
  ASSERT_EQ(signs.size(), 2u);
  EXPECT_EQ(signs[0].name, "step_gradient_norm");
  EXPECT_EQ(signs[0].step, 11);
  EXPECT_EQ(signs[0].value, 50.0);
  EXPECT_NEAR(signs[0].usual.value(), 1.05, 1e-12);
  EXPECT_EQ(signs[1].name, "step_loss");
  EXPECT_EQ(signs[1].step, 12);
}

TEST_F(FirstSigns, CountNaNAsASignAtOnce) {
  const std::vector<FirstSign> signs =
      of("diverged", {start_event(1, 0), of_training("loss", 1, "nan")});
  ASSERT_EQ(signs.size(), 1u);
  EXPECT_FALSE(signs[0].value);
  EXPECT_FALSE(signs[0].usual);
}

TEST_F(FirstSigns, NeedOneEarlierValueAlone) {
  const std::vector<FirstSign> signs =
      of("diverged", {start_event(1, 0), of_training("parameter_norm", 1, 10.0),
                      of_training("parameter_norm", 2, 500.0)});
  ASSERT_EQ(signs.size(), 1u);
  EXPECT_EQ(signs[0].step, 2);
  EXPECT_EQ(signs[0].usual, 10.0);
}

TEST_F(FirstSigns, CompareAMeanOfStepsWithTheFirstStep) {
  const std::vector<FirstSign> signs =
      of("diverged", {start_event(1, 0), of_training("step_loss", 1, 9.0),
                      of_training("loss", 10, 700.0), of_training("step_loss", 60, 800.0)});
  ASSERT_EQ(signs.size(), 1u);
  EXPECT_EQ(signs[0].name, "loss");
  EXPECT_EQ(signs[0].step, 10);
  EXPECT_EQ(signs[0].usual, 9.0);
}

TEST_F(FirstSigns, SayWhichMayHaveComeFirst) {
  const std::vector<FirstSign> signs =
      of("diverged",
         ten_steps_and(
             {of_training("attention_logit_1", 0, 2.0), of_training("attention_logit_1", 10, 3.0),
              of_training("step_loss", 12, 9.0), of_training("attention_logit_1", 20, 900.0)}));
  ASSERT_EQ(signs.size(), 2u);
  EXPECT_EQ(signs[0].name, "step_loss");
  EXPECT_EQ(signs[1].from, 11);
  EXPECT_EQ(signs[1].step, 20);
  EXPECT_EQ(open_order(signs),
            "train/attention_logit_1 (between steps 11 and 20) may have come first");
  EXPECT_EQ(open_order({signs[1]}), "");
}

TEST_F(FirstSigns, AreEmptyForADoneTrial) {
  EXPECT_TRUE(of("done", ten_steps_and({of_training("step_loss", 11, 100.0)})).empty());
}

TEST_F(FirstSigns, AreEmptyIfNoSeriesIsUnusual) {
  EXPECT_TRUE(of("diverged", ten_steps_and({of_training("step_loss", 11, 5.0)})).empty());
}

}  // namespace
}  // namespace rethink
