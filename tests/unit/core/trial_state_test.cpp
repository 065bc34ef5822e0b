#include "core/trial_state.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"

namespace rethink {
namespace {

using testing::StartsWith;
using testing::ThrowsMessage;

TEST(TrialState, IsKnownByItsWord) {
  std::vector<std::string> words;
  for (const TrialState state : kTrialStates) {
    EXPECT_EQ(trial_state_named(to_text(state)), state);
    words.emplace_back(to_text(state));
  }
  EXPECT_EQ(trial_state_names(), words);
  EXPECT_THAT([] { trial_state_named("runing"); },
              ThrowsMessage<ConfigError>(
                  StartsWith("unknown state 'runing'; did you mean 'running'?; known: waiting, ")));
}

TEST(TrialState, HasAResultOrIsFinal) {
  EXPECT_TRUE(has_result(TrialState::diverged));
  EXPECT_FALSE(has_result(TrialState::failed));
  EXPECT_TRUE(is_final(TrialState::blocked));
  EXPECT_FALSE(is_final(TrialState::running));
  EXPECT_TRUE(is_recorded_in_folder(TrialState::cancelled));
  EXPECT_FALSE(is_recorded_in_folder(TrialState::blocked));
}

TEST(AttemptOutcome, IsKnownByItsWord) {
  for (const AttemptOutcome outcome : kAttemptOutcomes)
    EXPECT_EQ(attempt_outcome_named(to_text(outcome)), outcome);
  EXPECT_THAT([] { attempt_outcome_named("gone"); },
              ThrowsMessage<ConfigError>(StartsWith("unknown outcome 'gone'")));
}

}  // namespace
}  // namespace rethink
