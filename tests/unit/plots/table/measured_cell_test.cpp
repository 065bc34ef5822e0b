#include "plots/table/cells/measured_cell.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plots/table/cells/trial_marks.h"

namespace rethink::test {
namespace {

using testing::ElementsAre;

PlannedTrial planned_trial(const std::string& id) {
  PlannedTrial planned;
  planned.trial.id = id;
  return planned;
}

/// Returns two trials of seed 0. Two trials of a select stage chose the first one.
MeasuredCell two_trials() {
  MeasuredCell cell;
  cell.trials = {"winner", "other"};
  cell.numbers = {{.seed = 0, .number = 1.5, .chosen_by = {"select", "another"}},
                  {.seed = 0, .lack = MarkKind::running}};
  return cell;
}

TEST(PartOfACell, HasTheTrialsThatItsSelectsChose) {
  const PlannedTrial select = planned_trial("select"), another = planned_trial("another");
  const auto one = part_by_seed(two_trials(), {&select});
  ASSERT_EQ(one.size(), 1u);
  EXPECT_THAT(one.at(0).trials, ElementsAre("winner"));
  EXPECT_EQ(one.at(0).value(), 1.5);
  EXPECT_THAT(part_by_seed(two_trials(), {&select, &another}).at(0).numbers, ElementsAre(1.5, 1.5));
}

TEST(PartOfACell, SaysWhyItHasNoNumber) {
  const PlannedTrial other = planned_trial("other"), third = planned_trial("third");
  const auto part = part_by_seed(two_trials(), {&other});
  EXPECT_FALSE(part.at(0).value());
  EXPECT_THAT(part.at(0).lacking, ElementsAre(MarkKind::running));
  EXPECT_TRUE(part_by_seed(two_trials(), {&third}).empty());
}

TEST(MeasuredCellTest, SaysHowRepetitionsEndedWhoseEarlierResultsCount) {
  MeasuredCell cell = two_trials();
  Repetitions repetitions;
  TrialRecord record;
  for (const TrialState state : {TrialState::cancelled, TrialState::failed}) {
    record.repetition = state;
    repetitions.add(record, /*has_number=*/true);
  }
  repetitions.mark(cell);
  const std::string rest = " when repeated for their files; their earlier results are shown";
  ASSERT_EQ(cell.marks.size(), 2u);
  EXPECT_EQ(cell.marks[0].text, "1 of 2 trials failed" + rest);
  EXPECT_EQ(cell.marks[1].text, "1 of 2 trials were cancelled" + rest);
}

TEST(PartOfACell, OfImportedScoresForgivesTrialsThatNobodySent) {
  MeasuredCell cell = two_trials();
  cell.kind = CellKind::imported;
  const PlannedTrial select = planned_trial("select"), other = planned_trial("other");
  EXPECT_EQ(part_by_seed(cell, {&select, &other}).at(0).value(), 1.5);
}

}  // namespace
}  // namespace rethink::test
