// Marks of cells that few tables have: constant answers, and missing facts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/config/schema.h"
#include "core/error.h"
#include "plots/render/sheet.h"
#include "plots/table/lines/wanted_values.h"
#include "tests/support/throws_code.h"
#include "tests/unit/plots/fixture.h"

namespace rethink::test {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

TEST(Cell, OfModelsThatAlwaysGiveTheSameAnswerSaysSo) {
  TrialRecords records = example_records();
  const auto footnote = [&] {
    const Cell cell = table_of(kExampleSpec, example_plans(), records).cells[0][1];
    return cell.has(MarkKind::constant) ? footnote_text(cell.marks.front()) : "";
  };
  for (int64_t seed = 0; seed < 3; ++seed) {
    std::map<std::string, double>& measured =
        records[trial_named("dense", "RTE", seed)].measurements;
    measured["dev_answers@last"] = 2;
    measured["dev_answers@best"] = 1;  // the table shows the last
  }
  EXPECT_EQ(footnote(), "");
  records[trial_named("dense", "RTE", 1)].measurements["dev_answers@last"] = 1;
  EXPECT_EQ(footnote(), "always the same answer, in 1 of 3 trials");
  for (const int64_t seed : {0, 2})
    records[trial_named("dense", "RTE", seed)].measurements["dev_answers@last"] = 1;
  EXPECT_EQ(footnote(), "always the same answer");
  const Table table = table_of(kExampleSpec, example_plans(), records);
  EXPECT_TRUE(table.cells[0][2].has(MarkKind::constant));  // the mean over tasks
  EXPECT_FALSE(table.cells[1][1].has(MarkKind::constant));
  EXPECT_EQ(table.incomplete_cells, 0u);
}

TEST(Table, AsksHowManyAnswersItsTrialsGave) {
  const SpecFile file(with(kExampleSpec, "dev/score", "dev+dev_mismatched/score@best"));
  const WantedValues wanted = wanted_values(read_table_spec(file.path()), Schema());
  EXPECT_THAT(wanted.measurements, Contains("dev_answers@best"));
  EXPECT_THAT(wanted.measurements, Contains("dev_mismatched_answers@best"));
}

/// The example's spec with the sparsity of each arm's mask.
const std::string kSparsity =
    with(with(kExampleSpec, "{label: Avg., mean_of: task}",
              "{label: Sparsity, fact: mask/sparsity, where: {task: CoLA}}"),
         ", Avg.: 0.55", "");

TEST(Cell, OfAFactThatOnlyOtherArmsHaveIsNotApplicable) {
  TrialRecords records = example_records();
  for (int64_t seed = 0; seed < 3; ++seed)
    records[trial_named("dense", "CoLA", seed)].values.erase("mask/sparsity");
  const Table table = table_of(kSparsity, example_plans(), records);
  EXPECT_TRUE(table.cells[0][2].has(MarkKind::not_applicable));
  EXPECT_EQ(table.incomplete_cells, 0u);
  EXPECT_THAT(testing::PrintToString(whole(table.notes)), Not(HasSubstr("NOT COMPLETE")));
  const Sheet sheet = make_sheet(table);
  EXPECT_THAT(sheet.rows[0], Contains(testing::Field(&SheetBox::text, "–")));
  ASSERT_EQ(sheet.footnotes.size(), 1u);
  EXPECT_EQ(sheet.footnotes[0].second, "not applicable: its trials leave no mask/sparsity");
}

TEST(Cell, OfPlacesThatOnlyOtherArmsHaveIsNotApplicable) {
  const std::string spec =
      with(kSparsity, "fact: mask/sparsity", "places: mask/sparsity_at_task_lengths");
  TrialRecords records = example_records();
  for (int64_t seed = 0; seed < 3; ++seed)
    records[trial_named("star", "CoLA", seed)].values["mask/sparsity_at_task_lengths"] = 0.5;
  const Table table = table_of(spec, example_plans(), records);
  EXPECT_TRUE(table.cells[0][2].has(MarkKind::not_applicable));
  EXPECT_EQ(table.incomplete_cells, 0u);
}

TEST(Cell, OfAFactThatNoArmHasLacksIt) {
  TrialRecords records = example_records();
  for (auto& [trial, record] : records) record.values.erase("mask/sparsity");
  const Table table = table_of(kSparsity, example_plans(), records);
  EXPECT_TRUE(table.cells[0][2].has(MarkKind::no_value));
  EXPECT_EQ(table.incomplete_cells, 2u);
}

TEST(Cell, OfAFactWaitsForTrialsThatHaveYetToRun) {
  TrialRecords records = example_records();
  records.erase(trial_named("dense", "CoLA", 0));
  for (const int64_t seed : {1, 2})
    records[trial_named("dense", "CoLA", seed)].values.erase("mask/sparsity");
  const Table table = table_of(kSparsity, example_plans(), records);
  EXPECT_FALSE(table.cells[0][2].has(MarkKind::not_applicable));
  EXPECT_TRUE(table.cells[0][2].waits());
}

/// The example's plan, each arm's trials after a pretraining of the same seed that left a mask.
Plans plans_with_pretraining() {
  Plans plans = example_plans();
  Plan& plan = plans.at(kSweep);
  std::vector<PlannedTrial> parents;
  for (PlannedTrial& planned : plan.trials) {
    const std::string id =
        fmt::format("pretrain-{}-{}", planned.labels.at("arm"), *planned.trial.seed);
    planned.trial.needs = {{"init", {id}}};
    PlannedTrial parent;
    parent.trial.id = id;
    parent.trial.seed = planned.trial.seed;
    parent.stage = "pretrain";
    if (planned.labels.at("task") == "CoLA") parents.push_back(parent);
  }
  plan.trials.insert(plan.trials.begin(), parents.begin(), parents.end());
  return plans;
}

TEST(Cell, FromAnEarlierStageHasTheValueOfItsTrials) {
  TrialRecords records;  // nothing is fine-tuned yet
  for (int64_t seed = 0; seed < 3; ++seed) {
    records[fmt::format("pretrain-star-{}", seed)] = done_with(0.5, seed);
    records[fmt::format("pretrain-star-{}", seed)].values["mask/sparsity"] = 96;
  }
  const std::string text = with(kSparsity, "where: {task: CoLA}", "from: [mask, pretrain]");
  Plans plans = plans_with_pretraining();
  plans.at(kSweep).left_out.insert("mask");
  const Table table = table_of(text, plans, records);
  const Cell& cell = table.cells[1][2];
  EXPECT_EQ(cell.value, 96.0);
  EXPECT_THAT(cell.trials,
              testing::ElementsAre("pretrain-star-0", "pretrain-star-1", "pretrain-star-2"));
  EXPECT_TRUE(table.cells[0][2].has(MarkKind::missing));
}

TEST(Cell, FromAStageThatThereIsNotIsRefused) {
  EXPECT_THAT(
      [] {
        table_of(with(kSparsity, "where: {task: CoLA}", "from: pretrian"), plans_with_pretraining(),
                 {});
      },
      ThrowsCode("unknown-stage"));
  EXPECT_THAT(
      [] {
        table_of(with(kExampleSpec, "mean_of: task", "mean_of: task, from: pretrain"),
                 plans_with_pretraining(), {});
      },
      ThrowsCode("misplaced-key"));
}

TEST(Sheet, SaysOnceThatThereAreTooFewSeeds) {
  const auto sheet_of = [](int64_t seeds) {
    return make_sheet(table_of(kExampleSpec, example_plans(seeds), example_records(seeds)));
  };
  const Sheet two = sheet_of(2);
  EXPECT_TRUE(two.footnotes.empty());
  EXPECT_THAT(whole(two.notes), Contains("too few seeds: got 2, wanted 3"));
  EXPECT_THAT(testing::PrintToString(whole(sheet_of(3).notes)), Not(HasSubstr("too few seeds")));
}

TEST(Sheet, ShowsADigitOfEveryDifferenceWithAStar) {
  TrialRecords records = example_records();
  for (int64_t seed = 0; seed < 3; ++seed) {
    const double apart = 1e-5 * static_cast<double>(40 + seed);
    records[trial_named("star", "CoLA", seed)].values["dev/score@last"] =
        records[trial_named("dense", "CoLA", seed)].values["dev/score@last"] - apart;
  }
  Table table = table_of(kExampleSpec, example_plans(), records);
  Cell& cell = table.cells[1][0];
  ASSERT_TRUE(cell.tests[0].significant);
  EXPECT_THAT(make_sheet(table).rows[1], Contains(testing::Field(&SheetBox::text, "-0.0004")));
  cell.delta_interval = Interval{-0.0006, -0.00002};
  EXPECT_THAT(make_sheet(table).rows[1],
              Contains(testing::Field(&SheetBox::text, "-0.00060 to -0.00002")));
  cell.tests[0].significant = false;
  EXPECT_THAT(make_sheet(table).rows[1],
              Contains(testing::Field(&SheetBox::text, "-0.001 to 0.000")));
}

}  // namespace
}  // namespace rethink::test
