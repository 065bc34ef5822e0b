#include "models/random.h"

#include <gtest/gtest.h>

namespace rethink {
namespace {

TEST(TrainingKey, DiffersByStepAndPart) {
  const PhiloxKey first = training_key(3, 1, 0), last = training_key(3, kTrainingSteps - 1, 0),
                  part = training_key(3, 1, kTrainingParts - 1);
  EXPECT_EQ(step_of(first), 1);
  EXPECT_EQ(step_of(last), kTrainingSteps - 1);
  EXPECT_EQ(step_of(part), 1);
  EXPECT_NE(first.stream, part.stream);
}

/// Beyond these two steps, or two parts of a step, would have the same numbers.
TEST(TrainingKey, RefusesStepsAndPartsThatItHasNoBitsFor) {
  EXPECT_DEATH(training_key(0, kTrainingSteps, 0), "step 268435456, part 0");
  EXPECT_DEATH(training_key(0, 1, kTrainingParts), "step 1, part 4096");
}

}  // namespace
}  // namespace rethink
