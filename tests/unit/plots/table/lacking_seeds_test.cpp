// Marks in cells of seeds that have no number.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plots/table/cells/cell.h"
#include "tests/unit/plots/fixture.h"

namespace rethink::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

const std::string kOverTasks = R"(table: t
sweep: sweeps/example.yaml
stage: finetune
metric: dev/score
over: [task]
rows: {axis: arm}
columns: [{label: all}]
)";

TEST(LackingSeeds, WaitForTheTrialsThatHaveYetToRunWhenAnotherDiverged) {
  TrialRecords records = example_records();
  TrialRecord& diverged = records[trial_named("star", "CoLA", 1)];
  diverged = {};
  diverged.state = TrialState::diverged;
  records.erase(trial_named("star", "RTE", 1));
  const Table table = table_of(kOverTasks, example_plans(), records);
  const Cell& cell = table.cells[1][0];
  EXPECT_TRUE(cell.waits());
  EXPECT_EQ(table.incomplete_cells, 1u);
  EXPECT_THAT(cell.diverged(), ElementsAre(1));
  EXPECT_THAT(cell.lacking,
              ElementsAre(Pair(1, ElementsAre(MarkKind::missing, MarkKind::diverged))));
  EXPECT_EQ(cell.marks[0].text, "1 of 3 seeds missing");
  EXPECT_EQ(cell.marks[1].text, "1 of 3 seeds diverged; the number is of the others only");
  EXPECT_THAT(whole(table.notes)[0],
              HasSubstr("NOT COMPLETE: 1 of 2 cells wait for trials, 1 of 12"));
}

TEST(LackingSeeds, HaveEachTheirOwnReason) {
  TrialRecords records = example_records();
  records[trial_named("star", "CoLA", 0)] = {};
  records[trial_named("star", "CoLA", 0)].state = TrialState::cancelled;
  records.erase(trial_named("star", "CoLA", 1));
  const Cell cell = table_of(kExampleSpec, example_plans(), records).cells[1][0];
  EXPECT_THAT(cell.lacking, ElementsAre(Pair(0, ElementsAre(MarkKind::cancelled)),
                                        Pair(1, ElementsAre(MarkKind::missing))));
}

TEST(LackingSeeds, OfAnImportedScoreAreNotImported) {
  const std::string text = with(kOverTasks, "columns: [{label: all}]",
                                "columns: [{label: sent, imported: score, where: {task: RTE}}]");
  TrialRecords records = example_records();
  records[trial_named("star", "RTE", 1)].values.erase("imported/score");
  const Cell cell = table_of(text, example_plans(), records).cells[1][0];
  EXPECT_EQ(cell.samples.size(), 2u);
  EXPECT_FALSE(cell.incomplete());
  EXPECT_THAT(cell.lacking, ElementsAre(Pair(1, ElementsAre(MarkKind::not_imported))));
  records.erase(trial_named("star", "RTE", 1));
  const Table table = table_of(text, example_plans(), records);
  EXPECT_THAT(table.cells[1][0].lacking, ElementsAre(Pair(1, ElementsAre(MarkKind::missing))));
  EXPECT_EQ(table.incomplete_cells, 0u);
  EXPECT_TRUE(table.to_run.empty()) << "no cell waits for it";
}

TEST(FewSeeds, AreThoseThatAllPartsOfAMeanHave) {
  Plans plans = example_plans(5);
  std::erase_if(plans.at(kSweep).trials, [](const PlannedTrial& planned) {
    const bool is_rte = planned.labels.at("task") == "RTE";
    return is_rte ? *planned.trial.seed < 2 : *planned.trial.seed > 2;
  });
  const Table table = table_of(kExampleSpec, plans, example_records(5));
  const std::vector<Cell>& cells = table.cells[0];
  EXPECT_EQ(cells[0].samples.size(), 3u);
  EXPECT_FALSE(cells[0].has(MarkKind::few_seeds));
  EXPECT_EQ(cells[2].samples.size(), 1u);
  EXPECT_THAT(cells[2].marks, Contains(testing::Field(&Mark::text, "got 1 seed, wanted 3")));
  EXPECT_THAT(whole(table.notes), Contains("too few seeds in 2 of 6 cells: got 1, wanted 3"));
}

}  // namespace
}  // namespace rethink::test
