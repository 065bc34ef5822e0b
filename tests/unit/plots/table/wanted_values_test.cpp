#include "plots/table/lines/wanted_values.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plots/table/lines/grid.h"

namespace rethink {
namespace {

using testing::IsEmpty;
using testing::Pair;
using testing::UnorderedElementsAre;

TrialRecord trained_on(double used, double whole) {
  TrialRecord record;
  record.measurements = {{"train_examples", used}, {"train_examples_official", whole}};
  return record;
}

TEST(TrainingData, OfAnUntrainedTrialComesFromTheNearestTrainedAncestor) {
  Grid grid;
  grid.needs = {{"analysis", {"mask"}},         {"mask", {"finetuned"}},
                {"finetuned", {"pretrained"}},  {"trained", {"pretrained"}},
                {"of_nothing", {"unfinished"}}, {"unfinished", {}}};
  const TrialRecords needed = {{"mask", {}},
                               {"finetuned", trained_on(64, 8551)},
                               {"pretrained", trained_on(10, 100)},
                               {"unfinished", {}}};
  TrialRecords records = {{"analysis", {}}, {"trained", trained_on(7, 7)}, {"of_nothing", {}}};
  take_training_data(grid, needed, records);
  EXPECT_EQ(records.at("analysis").measurements, trained_on(64, 8551).measurements);
  EXPECT_EQ(records.at("trained").measurements, trained_on(7, 7).measurements);
  EXPECT_THAT(records.at("of_nothing").measurements, IsEmpty());
}

/// These data sets have no known whole size, or the trial is older.
TEST(TrainingData, WithoutAPublishedSizeIsTakenAsItIs) {
  Grid grid;
  grid.needs = {{"analysis", {"trained"}}};
  TrialRecord trained;
  trained.measurements = {{"train_examples", 5}, {"parameters", 9}};
  TrialRecords records = {{"analysis", {}}};
  take_training_data(grid, {{"trained", trained}}, records);
  EXPECT_THAT(records.at("analysis").measurements,
              UnorderedElementsAre(Pair("train_examples", 5.0)));
}

}  // namespace
}  // namespace rethink
