#include "plots/table/table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/config/schema.h"
#include "core/facts/dataset_facts.h"
#include "core/json.h"
#include "plots/render/sheet.h"
#include "plots/table/notes.h"
#include "plots/text_format.h"
#include "results/statistics/statistics.h"
#include "tests/support/throws_code.h"
#include "tests/unit/plots/fixture.h"

namespace rethink::test {
namespace {

using testing::Contains;
using testing::HasSubstr;

TEST(WantedValues, HaveTheHashesThatDataSetsPin) {
  Schema schema;
  schema.plugins["dataset"]["a"].facts =
      DatasetFacts{.sources = {{.files = {{.file = "a/train", .member = "train", .sha256 = "12ab"},
                                          {.file = "a/test", .member = "test"}}}}};
  schema.plugins["dataset"]["b"].facts = DatasetFacts{};
  const SpecFile file(kExampleSpec);
  EXPECT_EQ(wanted_values(read_table_spec(file.path()), schema).published_data,
            (std::map<std::string, std::string>{{"a/train", "12ab"}}));
}

TEST(Table, SaysWhatIsMissingAndHowToRunIt) {
  TrialRecords records = example_records();
  records.erase(trial_named("star", "CoLA", 1));
  const Table table =
      table_of(kExampleSpec, example_plans(3, "small"), records, {" --profile small", "s"});
  EXPECT_EQ(table.incomplete_cells, 2u);  // the cell and the mean over it
  EXPECT_THAT(table.to_run.at(kSweep), testing::ElementsAre(trial_named("star", "CoLA", 1)));
  EXPECT_EQ(whole(table.notes)[0],
            "NOT COMPLETE: 2 of 6 cells wait for trials, 1 of 12 trials are not done; run them "
            "with: rethink "
            "table example/scores --run --profile small --store s");
}

TEST(Table, ShowsTheDigitsOfSmallNumbersWhereTheSpecGivesNoDecimals) {
  const std::string open = with(kExampleSpec, "decimals: 3\n", "");
  const auto shown = [&](const std::string& spec, double scale) {
    TrialRecords records = example_records();
    for (auto& [id, record] : records) record.values["dev/score@last"] *= scale;
    const Table table = table_of(spec, example_plans(), records);
    return fixed(*table.cells[0][0].value, table.columns[0].decimals);
  };
  EXPECT_EQ(shown(open, 1), "0.51");
  EXPECT_EQ(shown(open, 100), "51.00");
  EXPECT_EQ(shown(open, 0.002), "0.0010");
  EXPECT_EQ(shown(open, 0), "0.00");
  EXPECT_EQ(shown(kExampleSpec, 0.002), "0.001");
  TrialRecords records = example_records();
  for (int64_t seed = 0; seed < 3; ++seed)
    records[trial_named("star", "RTE", seed)].values["dev/score@last"] = 0.0012;
  const Table table = table_of(open, example_plans(), records);
  EXPECT_EQ(table.columns[0].decimals, 2) << "a column has its own";
  EXPECT_EQ(fixed(*table.cells[0][1].value, table.columns[1].decimals), "0.610");
  EXPECT_EQ(fixed(*table.cells[1][1].value, table.columns[1].decimals), "0.001");
}

TEST(Table, CountsWhatItsMissingTrialsNeedToo) {
  Plans plans = example_plans(3, "small");
  for (PlannedTrial& planned : plans.at(kSweep).trials) {
    const std::string arm = planned.labels.at("arm");
    planned.trial.needs = {{"init", {"pretrain-" + arm}}};
  }
  for (const char* arm : {"dense", "star"}) {
    PlannedTrial parent;
    parent.trial.id = std::string("pretrain-") + arm;
    parent.trial.needs = {{"init", {"base"}}};
    parent.stage = "pretrain";
    plans.at(kSweep).trials.push_back(parent);
  }
  TrialRecords records = example_records();
  const auto first_note = [&] { return whole(table_of(kExampleSpec, plans, records).notes)[0]; };
  for (const char* task : {"CoLA", "RTE"}) records.erase(trial_named("star", task, 1));
  EXPECT_THAT(first_note(), testing::HasSubstr(" 2 of 12 trials are not done, nor are 2 that they "
                                               "need; run them with: rethink table"));
  records["base"].state = TrialState::done;
  EXPECT_THAT(first_note(), testing::HasSubstr("are not done, nor is 1 that they need; run"));
  records["pretrain-star"].state = TrialState::done;
  records.erase("base");  // finished trials do not need it
  EXPECT_THAT(first_note(), testing::HasSubstr(" 2 of 12 trials are not done; run them with"));
  records["pretrain-star"].state = TrialState::failed;
  EXPECT_THAT(first_note(), testing::HasSubstr(" 2 of 12 trials are not done; run them with"));
  const SpecFile file(kExampleSpec);
  const Grid grid = make_grid(read_table_spec(file.path()), plans);
  EXPECT_THAT(needed_trials(grid), testing::ElementsAre("base", "pretrain-dense", "pretrain-star"));
}

TEST(Table, RefusesANoteOfALineThatThereIsNot) {
  const auto table = [](const std::string& note, const std::string& profile = "") {
    return table_of(with(kExampleSpec, "a note of the spec", note), example_plans(3, profile),
                    example_records());
  };
  EXPECT_THAT([&] { table("{text: t, rows: [Stars]}"); },
              testing::ThrowsMessage<ConfigError>(
                  HasSubstr("spec.yaml:14:26: error: notes: the table has no row 'Stars'; did you "
                            "mean 'Star'?; it has: dense, Star")));
  EXPECT_THAT([&] { table("{text: t, columns: [Mean]}"); }, ThrowsCode("unknown-name"));
  // A profile may leave out what there is.
  EXPECT_THAT(whole(table("{text: of Ring, rows: [Ring]}", "small").notes),
              testing::Not(testing::Contains("of Ring")));
}

TEST(Table, SaysANoteOfAProfileUnderThatOne) {
  const auto notes = [](const std::string& note, const std::string& profile) {
    Plans plans = example_plans(3, profile);
    plans.at(kSweep).profiles = {"small", "smoke"};
    return whole(
        table_of(with(kExampleSpec, "a note of the spec", note), plans, example_records()).notes);
  };
  const std::string of_small = "{text: of six layers, profiles: [small, none]}";
  EXPECT_THAT(notes(of_small, "small"), testing::Contains("of six layers"));
  EXPECT_THAT(notes(of_small, ""), testing::Contains("of six layers"));
  EXPECT_THAT(notes(of_small, "smoke"), testing::Not(testing::Contains("of six layers")));
  EXPECT_THAT(notes("{text: of star, rows: Star, profiles: smoke}", "small"),
              testing::Not(testing::Contains("of star")));
  EXPECT_THAT([&] { notes("{text: t, profiles: [smal]}", "smoke"); },
              ThrowsMistake("14:30 unknown-profile"));
}

TEST(Table, SaysHowFailedTrialsRunAgain) {
  TrialRecords records = example_records();
  records[trial_named("star", "CoLA", 1)].state = TrialState::failed;
  const Table table =
      table_of(kExampleSpec, example_plans(3, "small"), records, {" --profile small", "s"});
  EXPECT_EQ(
      whole(table.notes)[1],
      "failed trials run again only on request: rethink retry example --profile small --store s");
}

TEST(Table, SaysHowCancelledAndBlockedTrialsRun) {
  TrialRecords records = example_records();
  const auto note = [&](TrialState state) {
    records[trial_named("star", "CoLA", 1)].state = state;
    return whole(table_of(kExampleSpec, example_plans(), records).notes)[1];
  };
  const auto advises_run = [&] {
    return testing::Value(whole(table_of(kExampleSpec, example_plans(), records).notes)[0],
                          HasSubstr("run them with"));
  };
  EXPECT_EQ(note(TrialState::cancelled),
            "cancelled trials run again only on request: rethink retry example");
  EXPECT_EQ(note(TrialState::blocked),
            "blocked trials run again only on request: rethink retry example");
  EXPECT_FALSE(advises_run()) << "--run would start nothing";
  records[trial_named("star", "CoLA", 0)].state = TrialState::failed;
  EXPECT_EQ(note(TrialState::cancelled),
            "failed and cancelled trials run again only on request: rethink retry example");
  EXPECT_FALSE(advises_run());
  records.erase(trial_named("star", "RTE", 1));
  EXPECT_TRUE(advises_run());
}

TEST(Table, IsNamedInItsCommandsAsOnTheCommandLine) {
  const Table table = table_of(kExampleSpec, example_plans(), {},
                               CommandWords{" --profile small", "s"}.for_spec("my plots/t.yaml"));
  EXPECT_THAT(
      whole(table.notes)[0],
      testing::EndsWith(
          "run them with: rethink table 'my plots/t.yaml' --run --profile small --store s"));
}

TEST(Table, SaysWhichValueItsTrialsDidNotMeasure) {
  TrialRecords records = example_records();
  records[trial_named("star", "CoLA", 1)].values.clear();
  const Table table = table_of(kExampleSpec, example_plans(), records);
  EXPECT_EQ(whole(table.notes)[0],
            "NOT COMPLETE: 2 of 6 cells have trials that are done without dev/score@last; name a "
            "metric that "
            "they have (rethink show TRIAL), or have the sweep evaluate it");
}

TEST(Table, OfANarrowedSweepSaysByWhatAndLacksRowsWithoutAMistake) {
  Plans plans = example_plans();
  Plan& plan = plans.at(kSweep);
  plan.choice = "--set arm=star";
  std::erase_if(plan.trials,
                [](const PlannedTrial& trial) { return trial.labels.at("arm") == "dense"; });
  const std::string text =
      with(kExampleSpec, "labels: {star: Star}", "labels: {star: Star}, order: [dense, star]");
  const Table table = table_of(text, plans, example_records());
  EXPECT_TRUE(table.cells[0][0].has(MarkKind::not_planned));
  EXPECT_THAT(whole(table.notes)[0], testing::StartsWith("--set arm=star; mean"));

  // With a single value the axis disappears, and the trials record the value.
  for (PlannedTrial& trial : plan.trials) {
    trial.labels.erase("arm");
    trial.trial.config = {{"arm", "star"}};
  }
  const Table one = table_of(kExampleSpec, plans, example_records());
  ASSERT_EQ(one.rows.size(), 1u);
  EXPECT_EQ(one.rows[0].label, "Star");
  EXPECT_NEAR(*one.cells[0][0].value, 0.53, 1e-3);
  plan.choice = "";
  EXPECT_THROW(table_of(text, plans, example_records()), ConfigError);
}

TEST(Table, TestsAgainstTheBaselineWithHolmsCorrection) {
  const Table table = example_table();
  const std::vector<double> dense = {0.50, 0.51, 0.52}, star = {0.52, 0.531, 0.54};
  const std::vector<double> dense_rte = {0.60, 0.61, 0.62}, star_rte = {0.62, 0.63, 0.641};
  std::vector<double> dense_mean, star_mean;
  for (size_t i = 0; i < 3; ++i) {
    dense_mean.push_back((dense[i] + dense_rte[i]) / 2);
    star_mean.push_back((star[i] + star_rte[i]) / 2);
  }
  const std::vector<double> p = holm(std::vector<double>{
      *paired_t(star, dense), *paired_t(star_rte, dense_rte), *paired_t(star_mean, dense_mean)});
  for (size_t column = 0; column < 3; ++column) {
    EXPECT_NEAR(*table.cells[1][column].tests[0].p, p[column], 1e-9);
    EXPECT_TRUE(table.cells[1][column].tests[0].significant);
    EXPECT_FALSE(table.cells[0][column].tests[0].p);
  }
}

TEST(Table, HasTwoTestsWithAMarkAndALineEach) {
  const Table table = table_of(two_tests_spec(), example_plans(), example_records());
  // Student's t of 4 degrees of freedom: p = 1 - sin(a) (1 + cos(a)^2 / 2), tan(a) = t / 2.
  const std::vector<double> p = {0.06761154580562156, 0.07210766578653349, 0.06974708347878639};
  const std::vector<bool> shown = {true, false, true};
  for (size_t column = 0; column < 3; ++column) {
    const Cell& cell = table.cells[1][column];
    EXPECT_EQ(cell.tests.at(0).p, example_table().cells[1][column].tests.at(0).p);
    EXPECT_NEAR(*cell.tests.at(1).p, p[column], 1e-9);
    EXPECT_EQ(cell.tests.at(1).significant, shown[column]);
    EXPECT_FALSE(table.cells[0][column].tests.at(1).p);
  }
  EXPECT_THAT(
      whole(table.notes),
      testing::IsSupersetOf(
          {"*: differs from dense with p < 0.05 (paired t-test over seeds, Holm's correction "
           "over 3 comparisons)",
           "†: differs from dense with p < 0.07 (Student's t-test of two samples over seeds, "
           "not corrected for several comparisons)"}));
}

TEST(Table, SaysWhichOfTwoTestsHasCellsWithoutAP) {
  const std::string text = with(two_tests_spec(), "alpha: 0.07", "alpha: 0.01");
  const Table table = table_of(text, example_plans(), records_alike_apart());
  EXPECT_FALSE(table.cells[1][0].tests.at(0).p);
  EXPECT_TRUE(table.cells[1][0].tests.at(1).p);
  EXPECT_THAT(joined(whole(table.notes)),
              AllOf(HasSubstr("1 cell is without a p of the paired t-test over seeds: its seeds"),
                    HasSubstr("nothing differs from dense with p < 0.01 (Student's t-test")));
}

TEST(Table, ComparesEachGroupOfRowsWithItsOwnBaseline) {
  std::string text = with(kExampleSpec, "rows: {axis: arm, labels: {star: Star}}",
                          "rows:\n"
                          "  - {label: before, where: {arm: star}}\n"
                          "  - {label: first, where: {arm: dense}}\n"
                          "  - {label: second, where: {arm: star}}\n"
                          "  - {label: other, where: {arm: star}}\n"
                          "  - {label: last, where: {arm: dense}}");
  text = with(text, "baseline: dense", "baseline: [other, first]");
  text = with(text, "dense: {CoLA: 0.49, RTE: 0.61, Avg.: 0.55}", "first: {CoLA: 0.49}");
  text = with(text, "Star: {CoLA: 0.51*, RTE: 0.60}", "second: {CoLA: 0.52}");
  const Table table = table_of(text, example_plans(), example_records());
  const auto delta = [&](size_t row) { return table.cells[row][0].delta; };
  const double apart = *table.cells[2][0].value - *table.cells[1][0].value;
  EXPECT_EQ(delta(0), std::nullopt);
  EXPECT_EQ(delta(1), std::nullopt);
  EXPECT_NEAR(*delta(2), apart, 1e-12);
  EXPECT_EQ(delta(3), std::nullopt);
  EXPECT_NEAR(*delta(4), -apart, 1e-12);
  EXPECT_NEAR(*table.cells[2][0].paper_delta, 0.03, 1e-12);
  EXPECT_EQ(table.cells[3][0].tests[0].p, std::nullopt);
  EXPECT_TRUE(table.cells[4][0].tests[0].p.has_value());
  EXPECT_THAT(joined(whole(table.notes)),
              AllOf(HasSubstr("Δ: difference to first or other, the one above a row"),
                    HasSubstr("*: differs from first or other, the one above a row with p < ")));
}

TEST(Table, NamesTheTestAndTheLeastPOfFewSeeds) {
  const auto notes = [](const std::string& kind) {
    return joined(
        whole(table_of(with(kExampleSpec, "baseline: dense", "baseline: dense, kind: " + kind),
                       example_plans(), example_records())
                  .notes));
  };
  const auto smallest = HasSubstr(
      "with 3 seeds no two-sided permutation test gives p below 0.25; in the spec, test: {kind: "
      "paired_bootstrap}");
  EXPECT_THAT(notes("paired_permutation"),
              AllOf(HasSubstr("(paired permutation test over seeds"), smallest));
  const auto assumes = HasSubstr(
      "the t-test assumes normal differences; a permutation test, which does not, gives no p below "
      "0.25 with 3 seeds; in the spec, test: {kind: paired_bootstrap}");
  EXPECT_THAT(notes("paired_t"), AllOf(HasSubstr("(paired t-test over seeds"), assumes));
  EXPECT_THAT(notes("welch"), AllOf(HasSubstr("(Welch's t-test over seeds"), assumes));
}

TEST(Table, OffersToCompareOverItemsOnlyWhereAMetricFollowsFromThem) {
  const auto notes = [](const std::string& text, const ItemMetrics& metrics) {
    const SpecFile file(text);
    const TableSpec spec = read_table_spec(file.path());
    const Plans plans = example_plans();
    return joined(
        whole(make_table(spec, make_grid(spec, plans), example_records(), metrics).notes));
  };
  const auto offer = HasSubstr("{kind: paired_bootstrap} compares over test items instead");
  const std::string counted =
      with(kExampleSpec, "[{axis: task}, {label: Avg., mean_of: task}]",
           "[{axis: task, measurement: parameters, direction: max}, {label: Avg., mean_of: task}]");
  EXPECT_THAT(notes(kExampleSpec, kExampleMetrics), offer);
  EXPECT_THAT(notes(kExampleSpec, {}),
              AllOf(HasSubstr("gives no p below 0.25 with 3 seeds"), Not(offer)));
  EXPECT_THAT(notes(counted, kExampleMetrics), Not(offer));
}

TEST(Table, ComparesItsOrderWithThePapers) {
  std::string text =
      with(kExampleSpec, "{axis: arm, labels: {star: Star}}",
           "[{axis: arm, labels: {star: Star}}, {label: again, where: {arm: dense}}]");
  text = with(text, "paper:\n", "paper:\n  again: {CoLA: 0.48}\n");
  const Table table = table_of(text, example_plans(), example_records());
  EXPECT_EQ(table.orders[0].rows, 3u);
  EXPECT_NEAR(
      *table.orders[0].kendall,
      *kendall_tau(std::vector<double>{0.51, 0.53, 0.51}, std::vector<double>{0.49, 0.51, 0.48}),
      1e-12);
}

TEST(Table, ComparesNoOrderOfRowsWhoseModelsGiveAlwaysTheSameAnswer) {
  std::string text = with(
      kExampleSpec, "{axis: arm, labels: {star: Star}}",
      "[{axis: arm, labels: {star: Star}}, {label: again, where: {arm: dense}}, {label: third, "
      "where: {arm: star}}, {label: fourth, where: {arm: star}}]");
  text = with(text, "paper:\n",
              "paper:\n  again: {CoLA: 0.48}\n  third: {CoLA: 0.6}\n  fourth: {CoLA: 0.7}\n");
  TrialRecords records = example_records();
  const auto order = [&] {
    const Table table = table_of(text, example_plans(), records);
    EXPECT_EQ(table.orders[0].kendall.has_value(), table.orders[0].rows == 5);
    return joined(whole(table.notes));
  };
  EXPECT_THAT(order(), HasSubstr("CoLA: order of 5 rows against"));
  for (int64_t seed = 0; seed < 3; ++seed)
    records[trial_named("dense", "CoLA", seed)].measurements["dev_answers@last"] = 1;
  EXPECT_THAT(order(), Not(HasSubstr("CoLA: order")));  // of three equal values
}

TEST(Table, SaysOfWhichRowsItComparesNoOrder) {
  Table table = example_table();
  table.orders[0].kendall = 0.5;
  table.orders[0].rows = 3;
  table.orders[0].left_out = 2;
  const SpecFile file(kExampleSpec);
  EXPECT_THAT(whole(notes_of(table, read_table_spec(file.path()), Grid())),
              Contains("CoLA: order of 3 rows (not of 2 that give always the same answer) against "
                       "the paper's: Kendall's τ = 0.50"));
}

TEST(Sheet, WritesNumbersWithTheirSign) {
  EXPECT_EQ(fixed(0.126, 2, true), "+0.13");
  EXPECT_EQ(fixed(-0.001, 2, true), "0.00");
  EXPECT_EQ(fixed(-1.5, 1), "-1.5");
  EXPECT_EQ(fixed(110'000'000, 0), "110000000");
  EXPECT_EQ(fixed(1.5957e92, 2, true), "+1.6e+92");
  EXPECT_EQ(width_of("0.51 ± 0.01"), 11u);
}

TEST(Sheet, KeepsEveryTextOnOneLine) {
  const std::string text = with(with(kExampleSpec, "star: Star", "star: \"St\\tar\\n2\""),
                                "  Star: {CoLA", "  \"St\\tar\\n2\": {CoLA");
  const Table table = table_of(with(text, "{axis: task}", "{axis: task, labels: {RTE: \"R\\tE\"}}"),
                               example_plans(), {});
  EXPECT_EQ(table.rows[1].label, "St\tar\n2");
  const Sheet sheet = make_sheet(table);
  EXPECT_EQ(sheet.labels[1], "St ar 2");
  EXPECT_THAT(sheet.headers, Contains(testing::Field(&SheetHeader::group, "R E ↑")));
}

TEST(Sheet, HasAColumnForSeedsWhereTheyDiffer) {
  TrialRecords records = example_records();
  records.erase(trial_named("star", "CoLA", 1));
  const Sheet sheet = make_sheet(table_of(kExampleSpec, example_plans(), records));
  EXPECT_EQ(sheet.headers[1].text, "n");
  EXPECT_EQ(sheet.rows[1][1].text, "2");
  EXPECT_EQ(make_sheet(example_table()).headers[1].text, "paper");
}

TEST(Table, PlansNothingOfAStageThatTheProfileLeavesOut) {
  Plans plans = example_plans();
  plans.at(kSweep).left_out = {"pretrain"};
  const std::string text = with(kExampleSpec, "{label: Avg., mean_of: task}",
                                "{label: loss, stage: pretrain, where: {task: none}}");
  const Table table = table_of(with(text, ", Avg.: 0.55", ""), plans, example_records());
  const size_t loss = *find_line(table.columns, {"loss"});
  EXPECT_TRUE(table.cells[0][loss].is_unplanned());
  EXPECT_TRUE(table.cells[0][0].value);
}

/// 0.51 and 0.60; of dense the paper prints its own.
TEST(Table, LeavesOutAMeanWhereTheProfilePlansNoTrialThatItsWhereAsksFor) {
  for (const auto& [task, planned] : {std::pair{"RTE", true}, std::pair{"QNLI", false}}) {
    const std::string text = with(kExampleSpec, "mean_of: task",
                                  fmt::format("mean_of: task, where: {{task: {}}}", task));
    const Cell cell = table_of(text, example_plans(), example_records()).cells[0][2];
    EXPECT_EQ(cell.value.has_value(), planned);
    EXPECT_EQ(cell.is_unplanned(), !planned);
    EXPECT_FALSE(cell.incomplete());
  }
  const std::string axis = with(kExampleSpec, "mean_of: task", "mean_of: task, where: {tusk: RTE}");
  EXPECT_THROW(table_of(axis, example_plans(), example_records()), ConfigError);
}

TEST(Table, HasThePapersMeanWhereThePaperPrintsItsParts) {
  const Table table = example_table();
  EXPECT_EQ(table.cells[0][2].paper->text, "0.55");
  EXPECT_FALSE(table.cells[0][2].paper->computed);
  EXPECT_EQ(table.cells[1][2].paper->text, "(0.555)");
  EXPECT_TRUE(table.cells[1][2].paper->computed);
  EXPECT_NEAR(*table.cells[1][2].paper_delta, 0.005, 1e-12);
  EXPECT_THAT(whole(table.notes),
              testing::Contains(testing::StartsWith("Avg.: the paper prints no such")));

  const Table partly =
      table_of(with(kExampleSpec, "CoLA: 0.51*, ", ""), example_plans(), example_records());
  EXPECT_FALSE(partly.cells[1][2].paper);
  EXPECT_THAT(whole(partly.notes),
              testing::Not(testing::Contains(testing::HasSubstr("no such mean"))));
}

}  // namespace
}  // namespace rethink::test
