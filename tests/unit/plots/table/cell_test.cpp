#include "plots/table/cells/cell.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/json.h"
#include "plots/render/sheet.h"
#include "plots/table/cells/derived_table.h"
#include "plots/table/table.h"
#include "results/statistics/statistics.h"
#include "tests/support/throws_code.h"
#include "tests/unit/plots/fixture.h"

namespace rethink::test {
namespace {

using testing::Contains;
using testing::HasSubstr;

TEST(Cell, ShowsMeanSpreadAndSeeds) {
  const Cell cell = example_table().cells[0][0];
  EXPECT_NEAR(*cell.value, 0.51, 1e-12);
  EXPECT_NEAR(*cell.spread, 0.01, 1e-12);
  EXPECT_EQ(cell.samples.size(), 3u);
  EXPECT_EQ(cell.planned(), 3u);
  EXPECT_FALSE(cell.incomplete());
}

TEST(Cell, IsBesideThePapersNumber) {
  const Cell cell = example_table().cells[1][0];
  EXPECT_EQ(cell.paper->text, "0.51*");
  EXPECT_NEAR(*cell.difference, *cell.value - 0.51, 1e-12);
  EXPECT_NEAR(*cell.delta, 0.02 + 0.001 / 3, 1e-12);
  EXPECT_NEAR(*cell.paper_delta, 0.02, 1e-12);
}

TEST(Cell, MeanOfCellsIsMadeSeedBySeed) {
  const Cell cell = example_table().cells[0][2];
  EXPECT_NEAR(*cell.value, 0.56, 1e-12);
  EXPECT_NEAR(*cell.spread, 0.01, 1e-12);
  EXPECT_NEAR(cell.paper->value, 0.55, 1e-12);
}

TEST(Cell, MeanOfCellsIsMissingIfOneIs) {
  TrialRecords records = example_records();
  for (int64_t seed = 0; seed < 3; ++seed) records.erase(trial_named("star", "RTE", seed));
  const Table table = table_of(kExampleSpec, example_plans(), records);
  EXPECT_TRUE(table.cells[1][0].value);
  EXPECT_FALSE(table.cells[1][2].value);
  EXPECT_TRUE(table.cells[1][2].has(MarkKind::missing));
}

TEST(Cell, CanBeARatioAFactAnImportedScoreOrAMeasurement) {
  const std::string columns =
      "[{axis: task}, {label: r, ratio: [RTE, CoLA]}, {label: f, fact: mask/sparsity, where: "
      "{task: CoLA}}, "
      "{label: i, imported: score, where: {task: CoLA}}, {label: p, measurement: parameters, "
      "where: {task: "
      "CoLA}}]";
  std::string text = with(kExampleSpec, "[{axis: task}, {label: Avg., mean_of: task}]", columns);
  text = with(text, ", Avg.: 0.55", "");
  const Table table = table_of(text, example_plans(), example_records());
  EXPECT_NEAR(*table.cells[0][2].value, (0.6 / 0.5 + 0.61 / 0.51 + 0.62 / 0.52) / 3, 1e-12);
  EXPECT_NEAR(*table.cells[0][3].value, 90.51, 1e-12);
  EXPECT_NEAR(*table.cells[0][4].value, 0.52, 1e-12);
  EXPECT_TRUE(table.cells[0][4].has(MarkKind::imported));
  EXPECT_EQ(*table.cells[0][5].value, 1000);
}

const std::string kImportedColumns =
    "[{label: CoLA, imported: score, where: {task: CoLA}}, {label: RTE, imported: score, where: "
    "{task: RTE}}]";

TEST(Cell, OfAnImportedScoreIsOfTheTrialsThatWereSentAndSaysByWhom) {
  std::string text =
      with(kExampleSpec, "[{axis: task}, {label: Avg., mean_of: task}]", kImportedColumns);
  text = with(with(text, ", Avg.: 0.55", ""), "decimals: 3", "decimals: 3\nseeds: 1");
  TrialRecords records = example_records();
  for (auto& [trial, record] : records) record.values.erase("imported/score");
  TrialRecord& sent = records[trial_named("star", "CoLA", 1)];
  sent.values["imported/score"] = 52.5;
  sent.sources["imported/score"] = "gluebenchmark.com, 2026-11-20";
  const Table table = table_of(text, example_plans(), records);
  const Cell& cell = table.cells[1][0];
  EXPECT_EQ(cell.value, 52.5);
  EXPECT_FALSE(cell.incomplete());
  ASSERT_EQ(cell.marks.size(), 1u);
  EXPECT_EQ(cell.marks[0].text, "scored by gluebenchmark.com, 2026-11-20; 1 of 3 trials");
  EXPECT_TRUE(table.cells[1][1].has(MarkKind::not_imported));
  EXPECT_TRUE(table.cells[1][1].incomplete());
  EXPECT_FALSE(table.cells[1][1].waits());
  EXPECT_EQ(table.incomplete_cells, 3u);
  EXPECT_THAT(whole(table.notes),
              Contains("NOT COMPLETE: 3 of 4 cells wait for scores that a server gives: `rethink "
                       "score submission SWEEP NEW_DIR` writes what it takes, `rethink score "
                       "import FILE` reads its answer"));
  EXPECT_TRUE(table.to_run.empty());
}

TEST(Cell, OfAnImportedScoreOfATrialThatHasYetToRunIsMissing) {
  std::string text =
      with(kExampleSpec, "[{axis: task}, {label: Avg., mean_of: task}]", kImportedColumns);
  const Table table = table_of(with(text, ", Avg.: 0.55", ""), example_plans(), {});
  EXPECT_TRUE(table.cells[0][0].has(MarkKind::missing));
  EXPECT_FALSE(table.cells[0][0].has(MarkKind::imported));
  EXPECT_EQ(table.num_to_run(), 12u);
}

TEST(Cell, DerivedFromAnUnplannedCellSaysSoFirst) {
  Plans plans = example_plans(2, "small");
  std::erase_if(plans.at(kSweep).trials, [](const PlannedTrial& planned) {
    return planned.labels.at("arm") == "star" && planned.labels.at("task") == "RTE";
  });
  TrialRecords records = example_records(2);
  records[trial_named("star", "CoLA", 0)].measurements["train_examples"] = 1;
  records[trial_named("star", "CoLA", 0)].measurements["train_examples_official"] = 2;
  std::string text = with(kExampleSpec, "{label: Avg., mean_of: task}",
                          "{label: Avg., mean_of: task}, {label: r, ratio: [CoLA, RTE]}, "
                          "{label: q, ratio: [RTE, CoLA]}");
  const Table table = table_of(text, plans, records);
  const std::vector<MarkKind> expected = {MarkKind::not_planned, MarkKind::few_seeds,
                                          MarkKind::partial_data};
  for (const size_t column : {2u, 3u, 4u}) {
    std::vector<MarkKind> kinds;
    for (const Mark& mark : table.cells[1][column].marks) kinds.push_back(mark.kind);
    EXPECT_EQ(kinds, expected) << column;
  }
}

TEST(Cell, TellsWhatEvenAttentionWouldGive) {
  // Two sequences have 2 and 3 tokens. Uniform attention gives (1 + 1/2 + 1 + 1/2 + 1/3) / 5 to the token itself, and (1/2 + 1/2 + 1/3 + 1/3) / 4 to earlier tokens.
  const double even = 10.0 / 3 / 5, even_before = 5.0 / 3 / 4;
  // All tokens except the first give themselves 0.7.
  const double current = (2 + 3 * 0.7) / 5, before = 3 * 0.3 / 4;
  const auto cell_of = [](double value) {
    MeasuredCell cell;
    cell.samples.push_back({0, value});
    cell.value = value;
    return cell;
  };
  const MeasuredCell a = cell_of(current), b = cell_of(even), c = cell_of(before);
  const MeasuredCell ratio = combine_cells({&a, &b, &c}, CellKind::ratio_if_even, "sd", 1);
  EXPECT_NEAR(*ratio.value, even / even_before, 1e-12);
}

TEST(Cell, OfAPublishedRowHasOnlyThePapersNumber) {
  std::string text =
      with(kExampleSpec, "{axis: arm, labels: {star: Star}}",
           "[{axis: arm, labels: {star: Star}}, {label: Other, published: not run here}]");
  text = with(text, "  Star: {", "  Other: {CoLA: 0.4}\n  Star: {");
  const Table table = table_of(text, example_plans(), example_records());
  EXPECT_FALSE(table.cells[2][0].value);
  EXPECT_EQ(table.cells[2][0].paper->value, 0.4);
  EXPECT_TRUE(table.cells[2][0].has(MarkKind::published));
  EXPECT_EQ(table.incomplete_cells, 0u);
}

TEST(Cell, OfAPublishedColumnHasOnlyThePapersNumber) {
  std::string text = with(kExampleSpec, "{label: Avg., mean_of: task}",
                          "{label: Avg., mean_of: task}, {label: F1, published: not run here}");
  text = with(text, "  Star: {", "  Star: {F1: 0.7, ");
  const Table table = table_of(text, example_plans(), example_records());
  EXPECT_FALSE(table.cells[1][3].value);
  EXPECT_EQ(table.cells[1][3].paper->value, 0.7);
  EXPECT_TRUE(table.cells[0][3].has(MarkKind::published));
  EXPECT_EQ(table.columns[3].direction, Direction::max);
  EXPECT_EQ(table.incomplete_cells, 0u);
}

TEST(Cell, ShowsFractionsInPercentWhereTheTableDoes) {
  const std::string columns =
      "[{axis: task}, {label: Avg., mean_of: task}, {label: f, fact: mask/sparsity, where: {task: "
      "CoLA}}, {label: i, imported: score, where: {task: CoLA}}]\npercent: true";
  std::string text = with(kExampleSpec, "[{axis: task}, {label: Avg., mean_of: task}]", columns);
  text = with(text, "CoLA: 0.51*", "CoLA: 51.0*");
  const Table table = table_of(text, example_plans(), example_records());
  const Table fractions = example_table();
  for (size_t row = 0; row < 2; ++row) {
    for (size_t column = 0; column < 3; ++column) {
      const Cell &cell = table.cells[row][column], &fraction = fractions.cells[row][column];
      EXPECT_NEAR(*cell.value, 100 * *fraction.value, 1e-9);
      EXPECT_NEAR(*cell.spread, 100 * *fraction.spread, 1e-9);
      EXPECT_EQ(cell.tests[0].significant, fraction.tests[0].significant);
    }
  }
  EXPECT_NEAR(*table.cells[1][0].delta, 100 * *fractions.cells[1][0].delta, 1e-9);
  EXPECT_NEAR(*table.cells[1][0].difference, *table.cells[1][0].value - 51, 1e-9);
  EXPECT_NEAR(*table.cells[0][3].value, 90.51, 1e-9);  // in % already
  EXPECT_NEAR(*table.cells[0][4].value, 0.52, 1e-9);   // as given
}

TEST(Cell, ShowsAColumnInItsScale) {
  const std::string text = with(kExampleSpec, "{label: Avg., mean_of: task}",
                                "{label: thousands, measurement: parameters, scale: 0.001, where: "
                                "{task: RTE}}");
  const std::string alone = with(text, ", Avg.: 0.55", "");
  const Table table = table_of(alone, example_plans(), example_records());
  EXPECT_NEAR(*table.cells[0][2].value, 1.0, 1e-12);
  EXPECT_THAT(
      [] {
        table_of(with(kExampleSpec, "mean_of: task", "mean_of: task, scale: 2"), example_plans(),
                 example_records());
      },
      ThrowsCode("misplaced-key"));
}

TEST(Cell, AveragesOverAnAxisSeedBySeed) {
  std::string text = with(kExampleSpec, "[{axis: task}, {label: Avg., mean_of: task}]",
                          "[{label: all}]\nover: [task]");
  text = text.substr(0, text.find("paper:"));
  const Table table = table_of(text, example_plans(), example_records());
  EXPECT_NEAR(*table.cells[0][0].value, 0.56, 1e-12);
  EXPECT_EQ(table.cells[0][0].samples.size(), 3u);
  EXPECT_EQ(table.cells[0][0].trials.size(), 6u);
}

TEST(Cell, OfASelectStageShowsTheWinnersTrials) {
  Plans plans = example_plans(1);
  plans[kSweep].trials[0].trial.seed.reset();
  TrialRecords records = example_records(1);
  TrialRecord select;
  select.state = TrialState::done;
  select.winners = {"w0", "w1"};
  records[trial_named("dense", "CoLA", 0)] = select;
  records["w0"] = done_with(0.7, 0);
  records["w1"] = done_with(0.8, 1);
  const Cell cell = table_of(kExampleSpec, plans, records).cells[0][0];
  EXPECT_NEAR(*cell.value, 0.75, 1e-12);
  EXPECT_THAT(cell.trials, testing::ElementsAre("w0", "w1"));
  EXPECT_FALSE(cell.has(MarkKind::tied));
}

TEST(Cell, OfASelectStageSaysThatCandidatesWereTied) {
  Plans plans = example_plans(1);
  Trial& trial = plans[kSweep].trials[0].trial;
  trial.seed.reset();
  trial.config = {{"by", "dev/score"},
                  {"groups", {Json::object(), Json::object(), Json::object()}}};
  TrialRecords records = example_records(1);
  TrialRecord& select = records[trial_named("dense", "CoLA", 0)];
  select.winners = {"w0"};
  records["w0"] = done_with(0.7, 0);
  const auto has_tie = [&] {
    return table_of(kExampleSpec, plans, records).cells[0][0].has(MarkKind::tied);
  };
  select.tied = 1;
  EXPECT_FALSE(has_tie());
  select.tied = 2;
  ASSERT_TRUE(has_tie());
  const Cell cell = table_of(kExampleSpec, plans, records).cells[0][0];
  EXPECT_THAT(cell.marks, Contains(testing::Field(&Mark::text,
                                                  "2 of 3 candidates are equal by dev/score; the "
                                                  "first in the sweep's order was taken")));
}

struct StateMark {
  std::optional<TrialState> state;
  std::optional<AttemptOutcome> outcome;
  MarkKind mark;
  bool incomplete;
};

class StateMarks : public testing::TestWithParam<StateMark> {};

TEST_P(StateMarks, AreSaid) {
  TrialRecords records = example_records();
  TrialRecord& record = records[trial_named("star", "CoLA", 1)];
  record = {};
  record.state = GetParam().state;
  record.outcome = GetParam().outcome;
  const Table table = table_of(kExampleSpec, example_plans(), records);
  const Cell& cell = table.cells[1][0];
  ASSERT_TRUE(cell.has(GetParam().mark)) << to_text(GetParam().mark);
  EXPECT_TRUE(
      cell.marks[0].text.starts_with(std::string("1 of 3 seeds ") + to_text(GetParam().mark)));
  EXPECT_EQ(cell.incomplete(), GetParam().incomplete);
  EXPECT_EQ(cell.samples.size(), 2u);
  EXPECT_TRUE(cell.has(MarkKind::few_seeds));
}

INSTANTIATE_TEST_SUITE_P(
    All, StateMarks,
    testing::Values(StateMark{{}, {}, MarkKind::missing, true},
                    StateMark{TrialState::ready, {}, MarkKind::missing, true},
                    StateMark{TrialState::running, {}, MarkKind::running, true},
                    StateMark{TrialState::failed, AttemptOutcome::failed, MarkKind::failed, true},
                    StateMark{TrialState::failed, AttemptOutcome::oom, MarkKind::oom, true},
                    StateMark{TrialState::failed, AttemptOutcome::killed, MarkKind::killed, true},
                    StateMark{TrialState::failed, AttemptOutcome::timeout, MarkKind::timeout, true},
                    StateMark{TrialState::cancelled, {}, MarkKind::cancelled, true},
                    StateMark{TrialState::blocked, {}, MarkKind::blocked, true},
                    StateMark{TrialState::done, AttemptOutcome::done, MarkKind::no_value, true},
                    StateMark{TrialState::diverged, AttemptOutcome::diverged, MarkKind::diverged,
                              false}));

/// Seed 1 of star's trial of CoLA diverged.
TrialRecords records_with_a_diverged_seed() {
  TrialRecords records = example_records();
  TrialRecord& record = records[trial_named("star", "CoLA", 1)];
  record = {};
  record.state = TrialState::diverged;
  return records;
}

TEST(Cell, WhoseSeedDivergedIsAMeanOfTheOthersAndSaysSo) {
  const Table table = table_of(kExampleSpec, example_plans(), records_with_a_diverged_seed());
  const Cell& cell = table.cells[1][0];
  EXPECT_NEAR(*cell.value, 0.53, 1e-12);
  EXPECT_EQ(cell.samples.size(), 2u);
  EXPECT_THAT(cell.diverged(), testing::ElementsAre(1));
  EXPECT_EQ(cell.marks[0].text, "1 of 3 seeds diverged; the number is of the others only");
  EXPECT_FALSE(cell.incomplete());
}

TEST(Cell, WhoseSeedDivergedIsNeitherBestNorTestedNorRanked) {
  const Table table = table_of(kExampleSpec, example_plans(), records_with_a_diverged_seed());
  EXPECT_TRUE(example_table().cells[1][0].best);
  EXPECT_TRUE(example_table().cells[1][0].tests[0].p);
  EXPECT_FALSE(table.cells[1][0].best);
  EXPECT_FALSE(table.cells[1][0].tests[0].p);
  EXPECT_TRUE(table.cells[1][1].tests[0].p);
  EXPECT_EQ(table.orders[0].rows, 1u);
  EXPECT_THAT(whole(table.notes),
              Contains(HasSubstr("rows with seeds that diverged are not tested")));
}

TEST(Cell, MeanOfCellsLacksTheSeedsThatDivergedInOneOfThem) {
  TrialRecords records = records_with_a_diverged_seed();
  records[trial_named("star", "RTE", 2)].state = TrialState::diverged;
  const Cell cell = table_of(kExampleSpec, example_plans(), records).cells[1][2];
  EXPECT_NEAR(*cell.value, (0.52 + 0.62) / 2, 1e-12);
  EXPECT_THAT(cell.diverged(), testing::ElementsAre(1, 2));
  EXPECT_EQ(cell.marks[0].text, "2 of 3 seeds diverged; the number is of the others only");
  records[trial_named("star", "CoLA", 0)].state = TrialState::diverged;
  const Cell none = table_of(kExampleSpec, example_plans(), records).cells[1][2];
  EXPECT_FALSE(none.value);
  EXPECT_EQ(none.marks[0].text, "3 of 3 seeds diverged");
}

TEST(Cell, WithAValueThatIsNotFiniteHasDiverged) {
  TrialRecords records = example_records();
  TrialRecord& record = records[trial_named("star", "CoLA", 1)];
  record.values.clear();
  record.not_finite = {"dev/score@last"};
  const Table table = table_of(kExampleSpec, example_plans(), records);
  EXPECT_TRUE(table.cells[1][0].has(MarkKind::diverged));
  EXPECT_EQ(table.incomplete_cells, 0u);
}

TEST(Cell, IsMarkedWhenDataIsPartialOrAResumeInexact) {
  TrialRecords records = example_records();
  TrialRecord& record = records[trial_named("dense", "RTE", 0)];
  record.measurements["train_examples"] = 15130;
  record.measurements["train_examples_official"] = 392702;
  record.inexact = EnvironmentChange{{"build"}, false};
  const Cell cell = table_of(kExampleSpec, example_plans(), records).cells[0][1];
  ASSERT_TRUE(cell.has(MarkKind::partial_data));
  EXPECT_EQ(cell.marks[0].text, "trained on 15,130 of 392,702 examples");
  ASSERT_TRUE(cell.has(MarkKind::inexact));
  EXPECT_EQ(cell.marks[1].text, "1 of 3 trials resumed from a checkpoint made with another build");
}

TEST(Cell, IsMarkedWhenAProgramResumedWithoutProof) {
  TrialRecords records = example_records();
  records[trial_named("dense", "RTE", 0)].resumed_without_proof = true;
  const Cell cell = table_of(kExampleSpec, example_plans(), records).cells[0][1];
  ASSERT_TRUE(cell.has(MarkKind::unproved));
  EXPECT_EQ(footnote_text(cell.marks[0]),
            "resume not verified: 1 of 3 trials resumed from a checkpoint; `rethink selftest "
            "--resume TRIAL` verifies their code");
}

TEST(Cell, IsMarkedWhenAProgramRanCodeThatIsNotKept) {
  TrialRecords records = example_records();
  records[trial_named("dense", "RTE", 0)].outside_code = "lib/model.py";
  const Cell cell = table_of(kExampleSpec, example_plans(), records).cells[0][1];
  ASSERT_TRUE(cell.has(MarkKind::outside_code));
  EXPECT_EQ(footnote_text(cell.marks[0]),
            "code outside the snapshot: 1 of 3 trials loaded lib/model.py, whose changes make no "
            "other trial");
}

TEST(Cell, IsMarkedWhenProgramsRanWithSeveralPackages) {
  TrialRecords records = example_records();
  records[trial_named("dense", "RTE", 0)].environment["program.torch"] = "2.10.0";
  records[trial_named("dense", "RTE", 1)].environment["program.torch"] = "2.11.0";
  const Cell cell = table_of(kExampleSpec, example_plans(), records).cells[0][1];
  ASSERT_TRUE(cell.has(MarkKind::mixed));
  EXPECT_EQ(cell.marks[0].text, "its trials differ in PyTorch; their rounding may, too");
}

TEST(Cell, IsMarkedWhenItsTrialsRanWithSeveralBuilds) {
  TrialRecords records = example_records();
  const auto build_of = [&](const char* task, int64_t seed) -> std::string& {
    return records[trial_named("dense", task, seed)].environment["numeric_build"];
  };
  build_of("RTE", 0) = build_of("RTE", 1) = "0123";
  // The version of seed 2 did not record its build.
  EXPECT_FALSE(table_of(kExampleSpec, example_plans(), records).cells[0][1].has(MarkKind::mixed));
  build_of("RTE", 2) = "4567";
  const Cell cell = table_of(kExampleSpec, example_plans(), records).cells[0][1];
  ASSERT_TRUE(cell.has(MarkKind::mixed));
  EXPECT_EQ(cell.marks[0].text, "its trials differ in build; their rounding may, too");
}

TEST(Cell, MeanOfCellsOfTwoProcessorsIsMarked) {
  TrialRecords records = example_records();
  for (const int64_t seed : {0, 1, 2}) {
    records[trial_named("dense", "CoLA", seed)].environment["processor"] = "EPYC";
    records[trial_named("dense", "RTE", seed)].environment["processor"] = "Xeon";
  }
  const Table table = table_of(kExampleSpec, example_plans(), records);
  EXPECT_FALSE(table.cells[0][0].has(MarkKind::mixed));
  EXPECT_FALSE(table.cells[0][1].has(MarkKind::mixed));
  ASSERT_TRUE(table.cells[0][2].has(MarkKind::mixed));
  EXPECT_EQ(table.cells[0][2].marks[0].text,
            "its trials differ in processor; their rounding may, too");
}

TEST(Cell, IsMarkedWhenOnlyAPartOfItsSplitWasMeasured) {
  TrialRecords records = example_records();
  TrialRecord& record = records[trial_named("dense", "RTE", 0)];
  record.measurements = {{"train_examples", 2490}, {"train_examples_official", 2490},
                         {"dev_examples", 100},    {"dev_examples_official", 277},
                         {"test_examples", 1},     {"test_examples_official", 3000}};
  const Cell cell = table_of(kExampleSpec, example_plans(), records).cells[0][1];
  ASSERT_TRUE(cell.has(MarkKind::partial_data));
  EXPECT_EQ(cell.marks[0].text, "measured on 100 of 277 examples of dev");
  record.measurements["train_examples"] = 64;
  const Cell both = table_of(kExampleSpec, example_plans(), records).cells[0][1];
  EXPECT_EQ(both.marks[0].text,
            "trained on 64 of 2,490 examples, measured on 100 of 277 examples of dev");
}

TEST(Cell, IsMarkedWhenAMaskIsEmpty) {
  TrialRecords records = example_records();
  const auto empty = [&](int64_t seed) {
    records[trial_named("dense", "RTE", seed)].values["mask/sparsity"] = 100;
  };
  const auto mark = [&] {
    const Cell cell = table_of(kExampleSpec, example_plans(), records).cells[0][1];
    return cell.has(MarkKind::faulty_artifact) ? footnote_text(cell.marks[0]) : "";
  };
  EXPECT_EQ(mark(), "");
  empty(0);
  EXPECT_EQ(mark(),
            "empty mask: the mask of 1 of 3 trials has no place (sparsity 100 %): no token attends "
            "to any");
  empty(1), empty(2);
  EXPECT_EQ(mark(), "empty mask: the mask has no place (sparsity 100 %): no token attends to any");
  const Table table = table_of(kExampleSpec, example_plans(), records);
  EXPECT_TRUE(table.cells[0][2].has(MarkKind::faulty_artifact));  // the mean over tasks
  EXPECT_FALSE(table.cells[1][1].has(MarkKind::faulty_artifact));
}

TEST(Cell, ThatRunsOnPartOfTheDataIsCalledRunning) {
  TrialRecords records = example_records(1);
  TrialRecord& record = records[trial_named("dense", "RTE", 0)];
  record.state = TrialState::running;
  record.measurements = {{"train_examples", 10}, {"train_examples_official", 20}};
  const Table table = table_of(kExampleSpec, example_plans(1), records);
  for (const size_t column : {1, 2}) {  // RTE, and the mean over tasks
    EXPECT_EQ(table.cells[0][column].marks.front().kind, MarkKind::running) << column;
    EXPECT_TRUE(table.cells[0][column].has(MarkKind::partial_data)) << column;
  }
}

TEST(Cell, BesideAPapersNumbersIsMarkedWhenItsDataIsNotThePublishedOne) {
  TrialRecords records = example_records();
  records[trial_named("dense", "RTE", 0)].other_data = {"wikitext-2/wiki.train.tokens"};
  const Table table = table_of(kExampleSpec, example_plans(), records);
  ASSERT_TRUE(table.cells[0][1].has(MarkKind::other_data));
  EXPECT_EQ(table.cells[0][1].marks[0].text,
            "wikitext-2/wiki.train.tokens is not the published file");
  EXPECT_FALSE(table.cells[0][0].has(MarkKind::other_data));
  const std::string without_paper = kExampleSpec.substr(0, kExampleSpec.find("paper:"));
  EXPECT_FALSE(
      table_of(without_paper, example_plans(), records).cells[0][1].has(MarkKind::other_data));
}

TEST(Cell, OfARowOutsideTheProfileIsReportedAndNotMissing) {
  const std::string text = with(kExampleSpec, "labels: {star: Star}",
                                "labels: {star: Star}, order: [dense, star, ring]");
  const Table table = table_of(text, example_plans(3, "smoke"), example_records());
  EXPECT_TRUE(table.cells[2][0].has(MarkKind::not_planned));
  EXPECT_EQ(table.incomplete_cells, 0u);
}

}  // namespace
}  // namespace rethink::test
