#include "models/tensors/random.h"

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

/// Beyond these limits two steps, or two parts of a step, would have the same numbers.
TEST(TrainingKey, RefusesStepsAndPartsThatItHasNoBitsFor) {
  EXPECT_DEATH(training_key(0, kTrainingSteps, 0), "step 16777216, part 0");
  EXPECT_DEATH(training_key(0, 1, kTrainingParts), "step 1, part 4096");
}

TEST(EvaluationKey, DiffersByStepHoweverManyBatchesThereAre) {
  const PhiloxKey second = evaluation_key(3, 2, 0);
  EXPECT_EQ(step_of(second), 2);
  EXPECT_NE(evaluation_key(3, 1, 65536).stream, second.stream);
  EXPECT_EQ(step_of(evaluation_key(3, kTrainingSteps - 1, 100'000)), kTrainingSteps - 1);
  EXPECT_NE(evaluation_key(3, 1, 65535).stream, evaluation_key(3, 1, 0).stream);
  EXPECT_DEATH(evaluation_key(0, kTrainingSteps, 0), "step 16777216");
}

TEST(SiteKey, RefusesSitesThatItHasNoBitsFor) {
  EXPECT_EQ(site_key(training_key(0, 1, 0), 65535).stream & 65535, 65535u);
  EXPECT_DEATH(site_key(training_key(0, 1, 0), 65536), "site 65536");
}

}  // namespace
}  // namespace rethink
