#include "plots/table/cells/compared_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/json.h"
#include "tests/unit/plots/fixture.h"

namespace rethink::test {
namespace {

TEST(Cell, WhoseSeedsAllDifferByTheSameHasNoP) {
  const Table table = table_of(kExampleSpec, example_plans(), records_alike_apart());
  EXPECT_FALSE(table.cells[1][0].tests[0].p);
  EXPECT_FALSE(table.cells[1][0].tests[0].significant);
  EXPECT_TRUE(table.cells[1][1].tests[0].p);
  EXPECT_THAT(whole(table.notes),
              testing::Contains("1 cell is without a p: its seeds differ from dense by the "
                                "same, which says nothing of what chance does"));
}

/// Returns the example with a third row, ring. All three rows have the numbers `ours` and `paper`.
Table three_rows(const std::vector<double>& ours, const std::string& paper) {
  Plans plans = example_plans(1);
  TrialRecords records = example_records(1);
  Plan& plan = plans.at(kSweep);
  for (const char* task : {"CoLA", "RTE"}) {
    PlannedTrial ring = plan.trials.front();
    ring.trial.id = trial_named("ring", task, 0);
    ring.labels = {{"arm", "ring"}, {"task", task}};
    plan.trials.push_back(ring);
    records[ring.trial.id] = done_with(0.5, 0);
  }
  size_t arm = 0;
  for (const char* name : {"dense", "star", "ring"})
    records[trial_named(name, "CoLA", 0)].values["dev/score@last"] = ours[arm++];
  std::string text = kExampleSpec.substr(0, kExampleSpec.find("paper:"));
  return table_of(text + paper, plans, records);
}

TEST(Cell, IsNotTheBestWhereAllAreEqualAsPrinted) {
  const std::string paper = "paper: {dense: {CoLA: 0.4}, Star: {CoLA: 0.5}, ring: {CoLA: 0.6}}\n";
  const Table equal = three_rows({0.5, 0.5001, 0.5002}, paper);
  const Table apart = three_rows({0.5, 0.5001, 0.6}, paper);
  EXPECT_FALSE(equal.cells[2][0].best);
  EXPECT_TRUE(apart.cells[2][0].best);
  EXPECT_TRUE(equal.cells[2][0].paper_best);
  EXPECT_FALSE(equal.orders[0].kendall);
  EXPECT_TRUE(apart.orders[0].kendall);
}

TEST(Cell, OfThePaperIsNotTheBestWhereAllOfThePapersAreEqual) {
  const Table table = three_rows(
      {0.5, 0.6, 0.7}, "paper: {dense: {CoLA: 0.4}, Star: {CoLA: 0.4}, ring: {CoLA: 0.40}}\n");
  EXPECT_FALSE(table.cells[0][0].paper_best);
  EXPECT_TRUE(table.cells[2][0].best);
  EXPECT_FALSE(table.orders[0].kendall);
  // Digits that our numbers lack distinguish the paper's.
  EXPECT_TRUE(three_rows({0.5, 0.6, 0.7},
                         "paper: {dense: {CoLA: 0.4}, Star: {CoLA: 0.4}, ring: {CoLA: 0.40001}}\n")
                  .cells[2][0]
                  .paper_best);
}

/// A smoke run's title says that its numbers mean nothing.
TEST(Cell, OfASmokeRunIsNeitherBestNorTested) {
  ASSERT_TRUE(table_of(kExampleSpec, example_plans(), example_records()).cells[1][0].best);
  const Table table = table_of(kExampleSpec, example_plans(3, "smoke"), example_records());
  EXPECT_TRUE(table.tests.empty());
  for (const std::vector<Cell>& row : table.cells) {
    for (const Cell& cell : row) EXPECT_FALSE(cell.best);
  }
  EXPECT_TRUE(table.cells[1][0].value && table.cells[1][0].delta);
  EXPECT_TRUE(table.cells[1][0].paper_best);
}

/// Returns the example with a paper's numbers, in which trials of this seed have not run.
Table without_seed(const std::string& arm, const std::string& task, int64_t seed) {
  TrialRecords records = example_records();
  records.erase(trial_named(arm, task, seed));
  return table_of(kExampleSpec, example_plans(), records);
}

TEST(Cell, OfSomeOfItsSeedsIsNotBestNorCompared) {
  const Table whole = table_of(kExampleSpec, example_plans(), example_records());
  ASSERT_TRUE(whole.cells[1][0].best && whole.cells[1][0].delta && whole.cells[1][0].difference);
  const Cell cell = without_seed("star", "CoLA", 1).cells[1][0];
  EXPECT_TRUE(cell.value);
  EXPECT_TRUE(cell.is_partial());
  EXPECT_FALSE(cell.best);
  EXPECT_FALSE(cell.difference);
  EXPECT_FALSE(cell.delta);
  EXPECT_FALSE(cell.tests[0].p);
  for (const std::optional<SeedsSoFar>& awaits : {cell.difference_awaits, cell.delta_awaits}) {
    ASSERT_TRUE(awaits);
    EXPECT_EQ(awaits->done, 2u);
    EXPECT_EQ(awaits->planned, 3u);
  }
}

/// Returns the example with `shown` of the sweep's three seeds.
Table of_chosen_seeds(int64_t shown) {
  Plans plans = example_plans(shown);
  for (PlannedTrial& planned : plans.at(kSweep).trials) planned.own_seeds = 3;
  return table_of(kExampleSpec, plans, example_records(shown));
}

TEST(Cell, OfOneOfTheSweepsSeedsIsNotBestNorCompared) {
  const Table one = of_chosen_seeds(1);
  for (const std::vector<Cell>& row : one.cells) {
    for (const Cell& cell : row) EXPECT_FALSE(cell.best || cell.delta || cell.difference);
  }
  const Cell& cell = one.cells[1][0];
  ASSERT_TRUE(cell.value && cell.difference_awaits && cell.delta_awaits);
  EXPECT_EQ(cell.difference_awaits->done, 1u);
  EXPECT_EQ(cell.difference_awaits->planned, 3u);
  EXPECT_EQ(cell.delta_awaits->done, 1u);
  EXPECT_EQ(cell.delta_awaits->planned, 3u);
  const Cell& of_two = of_chosen_seeds(2).cells[1][0];
  EXPECT_TRUE(of_two.best && of_two.delta && of_two.difference);
}

TEST(Cell, IsNotComparedWithABaselineOfSomeOfItsSeeds) {
  const Table table = without_seed("dense", "CoLA", 2);
  const Cell& cell = table.cells[1][0];
  EXPECT_FALSE(cell.best) << "no other has all of its seeds";
  EXPECT_TRUE(cell.difference) << "to the paper";
  EXPECT_FALSE(cell.delta);
  ASSERT_TRUE(cell.delta_awaits);
  EXPECT_EQ(cell.delta_awaits->done, 2u);
  EXPECT_FALSE(table.cells[0][0].best);
  EXPECT_TRUE(table.cells[1][1].delta) << "of the other task";
  EXPECT_THAT(whole(table.notes),
              testing::Contains(testing::HasSubstr(" so far; 2 comparisons wait for seeds")));
}

TEST(Cell, IsMarkedWhenArmsAreUnlike) {
  TrialRecords records = example_records();
  for (int64_t seed = 0; seed < 3; ++seed) {
    records[trial_named("star", "CoLA", seed)].measurements["parameters"] = 1010;
    records[trial_named("star", "RTE", seed)].device = "cuda";
  }
  const Table table = table_of(kExampleSpec, example_plans(), records);
  ASSERT_TRUE(table.cells[1][0].has(MarkKind::unlike));
  EXPECT_EQ(table.cells[1][0].marks[0].text, "parameters: 1010 against 1000 of dense");
  EXPECT_EQ(table.cells[1][1].marks[0].text, "device: cuda against cpu of dense");
  const Table meant = table_of(with(kExampleSpec, "direction:", "differ: [parameters]\ndirection:"),
                               example_plans(), records);
  EXPECT_FALSE(meant.cells[1][0].has(MarkKind::unlike));
  EXPECT_TRUE(meant.cells[1][1].has(MarkKind::unlike));
}

TEST(Cell, IsMarkedWhenItsReferenceRanWithAnotherBuild) {
  TrialRecords records = example_records();
  for (int64_t seed = 0; seed < 3; ++seed) {
    records[trial_named("star", "CoLA", seed)].environment["numeric_build"] = "0123";
    records[trial_named("dense", "RTE", seed)].environment["numeric_build"] = "0123";
    records[trial_named("star", "RTE", seed)].environment["numeric_build"] = "4567";
  }
  const Table table = table_of(kExampleSpec, example_plans(), records);
  EXPECT_FALSE(table.cells[1][0].has(MarkKind::unlike));  // dense's build of CoLA is not known
  ASSERT_TRUE(table.cells[1][1].has(MarkKind::unlike));
  EXPECT_EQ(table.cells[1][1].marks[0].text, "ran with another build than 'dense'");
  EXPECT_FALSE(table.cells[0][1].has(MarkKind::unlike));
}

/// Replaces the trials of this arm and task, for each seed, by those of a select stage.
void choose_among(Plans& plans, const std::string& arm, const std::string& task, size_t count) {
  for (PlannedTrial& planned : plans.at(kSweep).trials) {
    if (planned.labels.at("arm") != arm || planned.labels.at("task") != task) continue;
    Json groups = Json::array();
    for (size_t i = 0; i < count; ++i) groups.push_back({{"trials", {"seed 0", "seed 1"}}});
    planned.trial.seed.reset();
    planned.trial.config = {{kCandidatesOption, groups}};
  }
}

TEST(Cell, IsMarkedWhenArmsWereChosenAmongMoreOrFewerCandidates) {
  Plans plans = example_plans(1);
  choose_among(plans, "star", "CoLA", 4);
  choose_among(plans, "star", "RTE", 4);
  choose_among(plans, "dense", "RTE", 2);
  Table table = table_of(kExampleSpec, plans, example_records(1));
  EXPECT_EQ(table.cells[1][0].marks.back().text, "candidates: 4 against 1 of dense");
  EXPECT_EQ(table.cells[1][1].marks.back().text, "candidates: 4 against 2 of dense");

  choose_among(plans, "dense", "CoLA", 4);
  choose_among(plans, "dense", "RTE", 4);
  table = table_of(kExampleSpec, plans, example_records(1));
  EXPECT_FALSE(table.cells[1][0].has(MarkKind::unlike));
  EXPECT_FALSE(table.cells[1][1].has(MarkKind::unlike));
}

TEST(Cell, IsMarkedAsSelectedWhereThereWasAChoice) {
  Plans plans = example_plans(1);
  choose_among(plans, "star", "CoLA", 4);
  choose_among(plans, "star", "RTE", 1);
  for (PlannedTrial& planned : plans.at(kSweep).trials) {
    if (!planned.trial.seed) planned.trial.config["by"] = "dev/score";
  }
  const Table table = table_of(kExampleSpec, plans, example_records(1));
  EXPECT_TRUE(table.cells[1][0].has(MarkKind::selected_on_it));
  EXPECT_FALSE(table.cells[1][1].has(MarkKind::selected_on_it));
}

TEST(Cell, MadeOfCellsOfUnlikeArmsIsMarkedAsTheyAre) {
  TrialRecords records = example_records();
  for (int64_t seed = 0; seed < 3; ++seed)
    records[trial_named("star", "RTE", seed)].measurements["parameters"] = 1010;
  const std::string text = with(kExampleSpec, "{label: Avg., mean_of: task}]",
                                "{label: Avg., mean_of: task}, {label: r, ratio: [RTE, CoLA]}]");
  const Table table = table_of(text, example_plans(), records);
  EXPECT_FALSE(table.cells[1][0].has(MarkKind::unlike));
  for (const size_t column : {1, 2, 3}) {
    ASSERT_TRUE(table.cells[1][column].has(MarkKind::unlike)) << column;
    EXPECT_EQ(table.cells[1][column].marks[0].text, "parameters: 1010 against 1000 of dense");
    EXPECT_FALSE(table.cells[0][column].has(MarkKind::unlike)) << column;
  }
}

TEST(Cell, IsUnlikeWhenAnyOfItsTrialsIs) {
  TrialRecords records = example_records();
  records[trial_named("star", "CoLA", 2)].measurements["parameters"] = 1010;
  Table table = table_of(kExampleSpec, example_plans(), records);
  ASSERT_TRUE(table.cells[1][0].has(MarkKind::unlike));
  EXPECT_EQ(table.cells[1][0].marks[0].text, "parameters: 1000 and 1010 against 1000 of dense");

  // Missing trials of the baseline may still come.
  records.erase(trial_named("dense", "CoLA", 0));
  table = table_of(kExampleSpec, example_plans(), records);
  EXPECT_FALSE(table.cells[1][0].has(MarkKind::unlike));
}

TEST(Cell, IsNotUnlikeForATrialThatDiverged) {
  TrialRecords records = example_records();
  TrialRecord& short_one = records[trial_named("star", "CoLA", 2)];
  short_one.state = TrialState::diverged;
  short_one.outcome = AttemptOutcome::diverged;
  short_one.measurements["tokens_seen"] = 20;
  const Table table = table_of(kExampleSpec, example_plans(), records);
  EXPECT_TRUE(table.cells[1][0].has(MarkKind::diverged));
  EXPECT_FALSE(table.cells[1][0].has(MarkKind::unlike));
}

}  // namespace
}  // namespace rethink::test
