#include "plots/claim/claim.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "plots/claim/claim_text.h"
#include "plots/render/sheet.h"
#include "tests/support/throws_code.h"
#include "tests/unit/plots/fixture.h"

namespace rethink::test {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

ClaimSpec claim_of(const std::string& test) {
  const SpecFile file(
      "claims: x\nlist:\n  - {claim: c, says: s, table: example/scores, column: CoLA, " + test +
      "}\n");
  return read_claims_spec(file.path()).claims.at(0);
}

/// A verdict needs at least this many seeds.
constexpr int64_t kSeeds = 5;

Table table_of_records(const TrialRecords& records, const std::string& spec = kExampleSpec) {
  return table_of(spec, example_plans(kSeeds), records);
}

Table claimed_table() {
  return table_of_records(example_records(kSeeds));
}

ClaimResult result_of(const std::string& test) {
  return test_claim(claim_of(test), claimed_table());
}

TEST(Claim, HoldsWhenAllOfTheIntervalIsBetter) {
  const ClaimResult result = result_of("test: better, row: Star, than: dense");
  EXPECT_EQ(result.verdict, Verdict::holds);
  EXPECT_THAT(result.why, HasSubstr("5 seeds"));
}

TEST(Claim, FailsWhenAllOfTheIntervalIsWorse) {
  EXPECT_EQ(result_of("test: better, row: dense, than: Star").verdict, Verdict::fails);
}

TEST(Claim, NamesBothSidesWithTheirNumbers) {
  EXPECT_EQ(result_of("test: better, row: Star, than: dense").why,
            "'Star' 0.5402, 'dense' 0.5200: as the claim has it by 0.0202 (95% interval 0.0196 to "
            "0.0208, p 5.8e-08, alpha 0.05, sd 0.00045 over 5 seeds; smallest effect 0.005)");
  EXPECT_EQ(result_of("test: better, row: dense, than: Star").why,
            "'dense' 0.5200, 'Star' 0.5402: against the claim by 0.0202 (95% interval -0.0208 to "
            "-0.0196, p 5.8e-08, alpha 0.05, sd 0.00045 over 5 seeds)");
  EXPECT_EQ(result_of("test: better, row: dense, than: Star").seeds, 5u);
}

TEST(Claim, TakesANameInQuotesForText) {
  Table table = claimed_table();
  table.rows.at(0).label = "first";
  table.rows.at(0).key = "1.0";
  const std::string than = ", than: " + table.rows.at(1).label;
  EXPECT_NO_THROW(test_claim(claim_of("test: better, row: 1" + than), table));
  EXPECT_THAT([&] { test_claim(claim_of("test: better, row: \"1\"" + than), table); },
              ThrowsMessage<ConfigError>(HasSubstr("table example/scores has no row '1'")));
  EXPECT_NO_THROW(test_claim(claim_of("test: better, row: '1.0'" + than), table));
}

TEST(Claim, HasTheRemarksOfRowsThatAreNamedByTheirValue) {
  Table table = claimed_table();
  table.rows.at(1).key = "1";
  table.cells.at(1).at(0).marks.push_back({MarkKind::partial_data, "few examples"});
  const std::string than = ", than: " + table.rows.at(0).label;
  EXPECT_EQ(test_claim(claim_of("test: better, row: 1.0" + than), table).remarks,
            "partial data: few examples");
}

TEST(Claim, RepeatsTheTablesNotesOnItsColumnAndProfile) {
  const std::string spec =
      with(kExampleSpec, "notes: [a note of the spec]",
           "notes:\n  - {text: near its tuning, columns: [CoLA], profiles: [verdict]}\n"
           "  - {text: of another profile, columns: [CoLA], profiles: [small]}\n"
           "  - {text: of the other one, columns: [RTE], profiles: [verdict]}\n"
           "  - {text: of all profiles, columns: [CoLA]}\n");
  Plans plans = example_plans(kSeeds, "verdict");
  plans.at(kSweep).profiles = {"verdict", "small"};
  const Table table = table_of(spec, plans, example_records(kSeeds));
  const ClaimSpec claim = claim_of("test: better, row: Star, than: dense");
  EXPECT_EQ(test_claim(claim, table).remarks, "near its tuning");
}

/// The table's first row, which has fewer parameters, is not compared.
TEST(Claim, RemarksOnUnlikeArmsAmongThoseThatItCompares) {
  TrialRecords records = example_records(kSeeds);
  for (auto& [trial, record] : records) {
    if (trial.starts_with("star")) record.measurements["parameters"] = 2000;
  }
  const std::string of_columns = "test: better, row: Star, than_column: RTE";
  const auto remarks = [&](const std::string& test) {
    return test_claim(claim_of(test), table_of_records(records)).remarks;
  };
  EXPECT_EQ(remarks(of_columns), "");
  EXPECT_EQ(remarks("test: better, row: dense, than: Star"),
            "unlike arms: parameters: 1000 against 2000 of Star");
  for (int64_t seed = 0; seed < kSeeds; ++seed)
    records[trial_named("star", "RTE", seed)].measurements["parameters"] = 3000;
  EXPECT_EQ(remarks(of_columns), "unlike arms: parameters: 2000 against 3000 of RTE");
}

TEST(Claim, RefusesANameThatFitsSeveralRows) {
  Table table = claimed_table();
  for (TableRow& row : table.rows) row.label = "alike";
  EXPECT_THAT(
      [&] {
        test_claim(claim_of("test: better, row: alike, than: " + table.rows.at(1).key), table);
      },
      ThrowsMessage<ConfigError>(
          HasSubstr("table example/scores has 2 rows 'alike'; give the value "
                    "of one as it is written: ")));
}

TEST(Claim, PrintsItsNumbersInItsUnit) {
  const ClaimResult result = result_of(
      "test: better, row: Star, than: dense, unit: {name: logits, times: 100, less: 0.5}");
  EXPECT_EQ(result.why,
            "in logits: 'Star' 4.02, 'dense' 2.00: as the claim has it by 2.02 (95% interval 1.96 "
            "to 2.08, p 5.8e-08, alpha 0.05, sd 0.045 over 5 seeds; smallest effect 0.5)");
  EXPECT_EQ(result.verdict, Verdict::holds);
  EXPECT_EQ(result.unit->times, 100) << "its numbers are the table's:";
  EXPECT_NEAR(result.judgement->gain, 0.0202, 1e-12);
  EXPECT_NEAR(*result.judgement->numbers.row, 0.5402, 1e-12);
  EXPECT_NEAR(*result.judgement->numbers.deviation, 0.00045, 1e-5);
  EXPECT_THAT(
      [] { claim_of("test: better, row: Star, than: dense, unit: {times: 0, les: 1}"); },
      ThrowsMessage<ConfigError>(AllOf(HasSubstr("unit lacks the key 'name'"),
                                       HasSubstr("times: expected a number above 0"),
                                       HasSubstr("unknown key 'les' of a unit; did you mean"))));
}

TEST(Claim, OfDigitsThatAreNotShownSaysTheFirst) {
  const Comparison comparison{.row = 0.5,
                              .than = 0.5,
                              .gain = 1e-7,
                              .interval = Interval{-0.1, 0.1},
                              .deviation = 0.05,
                              .over = "3 seeds"};
  EXPECT_EQ(
      comparison_text(claim_of("test: better, row: Star, than: dense"), std::nullopt, comparison),
      "0.500 against 0.500: as the claim has it by 1e-07 (95% interval -0.100 to 0.100, p "
      "1, alpha 0.05, sd 0.05 over 3 seeds)");
}

TEST(Claim, SaysWhichValuesTrialsThatAreDoneLack) {
  TrialRecords records = example_records(kSeeds);
  records[trial_named("star", "CoLA", 0)].values.erase("dev/score@last");
  const ClaimSpec claim = claim_of("test: better, row: Star, than: dense");
  const ClaimResult one = test_claim(claim, table_of_records(records));
  EXPECT_THAT(one.why, testing::EndsWith(" over 4 seeds; 'Star': 1 of 5 seeds no value"));
  for (int64_t seed = 1; seed < kSeeds; ++seed)
    records[trial_named("star", "CoLA", seed)].values.erase("dev/score@last");
  const ClaimResult all = test_claim(claim, table_of_records(records));
  EXPECT_EQ(all.why, "'Star': 5 of 5 seeds no value");
  for (const ClaimResult& result : {one, all}) {
    EXPECT_EQ(result.verdict, Verdict::undecided);
    EXPECT_TRUE(result.incomplete && result.unmeasured);
  }
}

TEST(Claim, IsUndecidedWhenASeedDiverged) {
  TrialRecords records = example_records(kSeeds);
  records[trial_named("dense", "CoLA", 2)].state = TrialState::diverged;
  const Table table = table_of_records(records);
  const ClaimResult result = test_claim(claim_of("test: better, row: Star, than: dense"), table);
  EXPECT_EQ(result.verdict, Verdict::undecided);
  EXPECT_EQ(result.why, "1 of 5 seeds of dense diverged");
  EXPECT_FALSE(result.incomplete);
}

TEST(Claim, IsUndecidedWhenAllSeedsGainTheSame) {
  const Table table = table_of_records(records_alike_apart(kSeeds));
  const ClaimResult result = test_claim(claim_of("test: better, row: dense, than: Star"), table);
  EXPECT_EQ(result.verdict, Verdict::undecided);
  EXPECT_EQ(result.why,
            "'dense' 0.52, 'Star' 0.54: against the claim by 0.02 for each of 5 seeds: without a "
            "spread there is no interval");
}

TEST(Claim, IsUndecidedWhenTheIntervalHasZero) {
  TrialRecords records = example_records(kSeeds);
  records[trial_named("star", "CoLA", 0)].values["dev/score@last"] = 0.3;
  const Table table = table_of_records(records);
  EXPECT_EQ(test_claim(claim_of("test: better, row: Star, than: dense"), table).verdict,
            Verdict::undecided);
}

TEST(Claim, NotWorseHoldsWithinItsMargin) {
  EXPECT_EQ(result_of("test: not_worse, row: dense, than: Star, margin: 0.05").verdict,
            Verdict::holds);
  EXPECT_EQ(result_of("test: not_worse, row: dense, than: Star, margin: 0.001").verdict,
            Verdict::fails);
  EXPECT_THAT(result_of("test: not_worse, row: dense, than: Star, margin: 0.05").why,
              HasSubstr(": worse by 0.0202, within the margin of 0.05 (95% interval -0.0208 to "));
  EXPECT_THAT(result_of("test: not_worse, row: dense, than: Star, margin: 0.001").why,
              HasSubstr(": worse by 0.0202, beyond the margin of 0.001 (95% "));
  EXPECT_THAT(result_of("test: not_worse, row: Star, than: dense, margin: 0.05").why,
              HasSubstr(": better by 0.0202, and 0.05 worse would do (95% "));
}

TEST(Claim, MayCompareWithAnotherColumn) {
  const std::string rte = "test: better, row: Star, than_column: RTE";
  EXPECT_EQ(result_of(rte).verdict, Verdict::fails);
  EXPECT_EQ(result_of(rte).why,
            "'CoLA' 0.540, 'RTE' 0.640: against the claim by 0.100 (95% interval -0.101 to "
            "-0.099, p 6e-10, alpha 0.05, sd 0.00071 over 5 seeds)");
  EXPECT_THAT(result_of("test: better, row: Star, than: dense, than_column: RTE").why,
              testing::StartsWith("'CoLA' of 'Star' 0.54"));
  ClaimSpec other = claim_of("test: better, row: Star, than: dense, than_column: CoLA");
  other.columns = {"RTE"};
  EXPECT_EQ(test_claim(other, claimed_table()).verdict, Verdict::holds);
  EXPECT_THAT([] { result_of("test: better, row: dense, than_column: RTEE"); },
              ThrowsMessage<ConfigError>(HasSubstr("no column 'RTEE'; did you mean 'RTE'?")));
}

TEST(Claim, IsUndecidedWhereItsConditionDoesNotHold) {
  const std::string columns = "{axis: task}, {label: f, fact: mask/sparsity, where: {task: CoLA}}";
  const std::string text = with(kExampleSpec, "{axis: task}", columns);
  const ClaimSpec claim = claim_of("test: better, row: Star, than: dense, not_below: f");
  TrialRecords records = example_records(kSeeds);
  EXPECT_EQ(test_claim(claim, table_of_records(records, text)).verdict, Verdict::holds);
  for (int64_t seed = 0; seed < kSeeds; ++seed)
    records[trial_named("star", "CoLA", seed)].values["mask/sparsity"] = 80;
  const ClaimResult result = test_claim(claim, table_of_records(records, text));
  EXPECT_EQ(result.verdict, Verdict::undecided);
  EXPECT_EQ(result.why, "not comparable: f 80 of Star is below 90.52 of dense");
  for (int64_t seed = 0; seed < kSeeds; ++seed)
    records[trial_named("star", "CoLA", seed)].values.erase("mask/sparsity");
  EXPECT_EQ(test_claim(claim, table_of_records(records, text)).why, "f of both rows is not known");
}

TEST(Claim, ComparesTheLeastOfSeveralRowsThatIsNotBelow) {
  const std::string columns = "{axis: task}, {label: f, fact: mask/sparsity, where: {task: CoLA}}";
  const std::string text = with(kExampleSpec, "{axis: task}", columns);
  TrialRecords records = example_records(kSeeds);
  for (int64_t seed = 0; seed < kSeeds; ++seed)
    records[trial_named("star", "CoLA", seed)].values["mask/sparsity"] = 95;
  const auto why = [&](const std::string& test) {
    return test_claim(claim_of(test), table_of_records(records, text)).why;
  };
  EXPECT_THAT(
      why("test: better, row: [dense, Star], than: Star, not_below: f"),
      testing::StartsWith("Star (f 95 against 95): 'Star' 0.54, 'Star' 0.54: equal for each "));
  EXPECT_THAT(why("test: better, row: [Star, dense], than: dense, not_below: f"),
              testing::StartsWith("dense (f 90.52 against 90.52): "));
  EXPECT_EQ(why("test: better, row: dense, than: Star, not_below: f"),
            "not comparable: f 90.52 of dense is below 95 of Star");
}

/// Returns a table whose paper numbers have a column f: 70 of dense, `star` of Star.
Table with_printed_condition(const std::string& star) {
  const std::string columns = "{axis: task}, {label: f, fact: mask/sparsity, where: {task: CoLA}}";
  std::string text = with(kExampleSpec, "{axis: task}", columns);
  text = with(text, "dense: {CoLA: 0.49,", "dense: {f: 70, CoLA: 0.49,");
  text = with(text, "Star: {CoLA: 0.51*,", "Star: {f: " + star + ", CoLA: 0.51*,");
  return table_of_records(example_records(kSeeds), text);
}

TEST(Claim, ChoosesAmongThePapersRowsByThePapersNumbers) {
  const ClaimSpec claim = claim_of("test: better, row: [dense, Star], than: dense, not_below: f");
  EXPECT_EQ(test_claim(claim, with_printed_condition("60")).paper,
            "dense (f 70 against 70): 0.49 against 0.49: equal");
  const ClaimSpec other = claim_of("test: better, row: [Star, Star], than: dense, not_below: f");
  EXPECT_EQ(test_claim(other, with_printed_condition("80")).paper,
            "Star (f 80 against 70): 0.51 against 0.49: as the claim has it by 0.02");
  EXPECT_EQ(test_claim(other, with_printed_condition("60")).paper,
            "not comparable: f 60 of Star is below 70 of dense");
}

TEST(Claim, IsUndecidedWhereAMaskHidesEveryPlace) {
  TrialRecords records = example_records(kSeeds);
  records[trial_named("star", "CoLA", 1)].values["mask/sparsity"] = 100;
  const Table table = table_of_records(records);
  const ClaimResult result = test_claim(claim_of("test: better, row: Star, than: dense"), table);
  EXPECT_EQ(result.verdict, Verdict::undecided);
  EXPECT_EQ(
      result.why,
      "Star: the mask of 1 of 5 trials has no place (sparsity 100 %): no token attends to any");
}

TEST(Claim, SaysWhatThePaperPrintsAndOnWhatDataItWasTested) {
  TrialRecords records = example_records(kSeeds);
  auto& measurements = records[trial_named("dense", "CoLA", 0)].measurements;
  measurements[measured::examples("train")] = 64;
  measurements[measured::official_examples("train")] = 8551;
  const Table table = table_of_records(records);
  const ClaimResult result = test_claim(claim_of("test: better, row: Star, than: dense"), table);
  EXPECT_EQ(result.verdict, Verdict::holds);
  EXPECT_EQ(result.remarks, "partial data: trained on 64 of 8,551 examples");
  EXPECT_EQ(result.paper, "0.51 against 0.49: as the claim has it by 0.02");
}

TEST(Claim, TakesTheFirstColumnThatIsPlannedWhole) {
  Table table = claimed_table();
  ClaimSpec claim = claim_of("test: better, row: Star, than: dense");
  claim.columns = {"RTE", "CoLA"};
  EXPECT_THAT(test_claim(claim, table).why, testing::StartsWith("tested on RTE: "));
  const size_t rte = *find_line(table.columns, {"RTE"});
  table.cells[0][rte].marks.push_back({MarkKind::not_planned, ""});
  EXPECT_THAT(test_claim(claim, table).why, testing::StartsWith("tested on CoLA: 'Star' 0.5402"));
  EXPECT_NEAR(test_claim(claim, table).smallest, 0.005, 1e-12) << "of CoLA's paper numbers";
  const size_t cola = *find_line(table.columns, {"CoLA"});
  table.cells[0][cola].marks.push_back({MarkKind::not_planned, ""});
  claim.columns = {"CoLA", "RTE"};
  const ClaimResult none = test_claim(claim, table);
  EXPECT_EQ(none.column, "RTE") << "the last where none is planned whole";
  EXPECT_EQ(none.why, "the sweep without a profile plans no trial of row 'dense' in column 'RTE'");
  EXPECT_EQ(none.smallest, 0) << "RTE's paper numbers are against the claim";
}

TEST(Claim, IsUndecidedWhileTrialsAreMissing) {
  TrialRecords records = example_records(kSeeds);
  records.erase(trial_named("dense", "CoLA", 2));
  const Table table = table_of_records(records);
  const ClaimResult result = test_claim(claim_of("test: better, row: Star, than: dense"), table);
  EXPECT_EQ(result.verdict, Verdict::undecided);
  EXPECT_TRUE(result.incomplete);
}

const char* const kRatesSpec =
    "table: example/scores\nsweep: s.yaml\nstage: lm\nmetric: dev/score\nrows: {axis: rate}\n"
    "columns: [{label: CoLA}]\ndirection: min\n";

/// Returns a row of each rate, whose value at each seed is the rate.
std::pair<Plans, TrialRecords> rates_by_seed(const std::vector<std::string>& rates) {
  Plans plans;
  TrialRecords records;
  for (const std::string& rate : rates) {
    for (int64_t seed = 0; seed < kSeeds; ++seed) {
      PlannedTrial trial;
      trial.trial.id = fmt::format("{}-{}", rate, seed);
      trial.trial.seed = seed;
      trial.stage = "lm";
      trial.labels = {{"rate", rate}};
      plans["s.yaml"].trials.push_back(trial);
      records[trial.trial.id] = done_with(std::stod(rate), seed);
    }
  }
  return {plans, records};
}

// Four of five seeds have equal values in all rows, and the fifth has 3! orders, so p is at least 2 / 6.
TEST(Claim, OfATrendNamesALookThatCannotDecide) {
  auto [plans, records] = rates_by_seed({"0", "1", "2"});
  for (const char* rate : {"0", "1", "2"}) {
    for (int64_t seed = 1; seed < kSeeds; ++seed)
      records[fmt::format("{}-{}", rate, seed)].values["dev/score@last"] = 1;
  }
  const SpecFile file(
      "claims: x\nlooks: {5: 0.05}\nlist:\n  - {claim: c, says: s, table: example/scores, column: "
      "CoLA, test: rises}\n");
  const ClaimResult result =
      test_claim(read_claims_spec(file.path()).claims.at(0), table_of(kRatesSpec, plans, records));
  EXPECT_EQ(result.verdict, Verdict::undecided);
  EXPECT_THAT(result.why,
              testing::EndsWith("; this look cannot decide: no order of these values has "
                                "a p below 0.33"));
  EXPECT_EQ(result.decides,
            "undecided after 5 seeds, its last look; this would decide: more rows, or seeds whose "
            "rows differ");
}

TEST(Claim, OfATrendLooksAtTheOrderOfTheRows) {
  auto [plans, records] = rates_by_seed({"0", "0.5", "1", "2"});
  const Table table = table_of(kRatesSpec, plans, records);
  const ClaimResult rises = test_claim(claim_of("test: rises"), table);
  EXPECT_EQ(rises.verdict, Verdict::holds);
  EXPECT_EQ(rises.why, "Kendall's τ 1, as the claim has it (p 2.5e-07, alpha 0.05, 5 seeds)");
  // Above, all 4 rows are in order at 5 seeds, so p is 2 / 24^5. Here two rows of one seed are swapped.
  std::swap(records["1-1"], records["2-1"]);
  const Table bent = table_of(kRatesSpec, plans, records);
  EXPECT_THAT(test_claim(claim_of("test: rises"), bent).why,
              HasSubstr("τ 0.933, as the claim has it (p 4e-06, alpha 0.05, 5 seeds)"));
  EXPECT_EQ(test_claim(claim_of("test: falls"), table).verdict, Verdict::fails);
  EXPECT_THAT(test_claim(claim_of("test: falls"), table).why, HasSubstr("τ 1, against the claim"));
}

TEST(Claim, RefusesRowsAndTestsThatDoNotExist) {
  EXPECT_THAT([] { result_of("test: better, row: Starr, than: dense"); },
              ThrowsMessage<ConfigError>(HasSubstr("has no row 'Starr'; did you mean 'Star'?")));
  EXPECT_THAT([] { claim_of("test: bettr, row: Star, than: dense"); },
              ThrowsMessage<ConfigError>(AllOf(
                  HasSubstr("got 'bettr', expected one of better, not_worse, alike, rises, falls"),
                  Not(HasSubstr("lacks the key")), Not(HasSubstr("unknown key")))));
  EXPECT_THAT([] { claim_of("test: rises, margin: 1"); },
              ThrowsMessage<ConfigError>(
                  HasSubstr("unknown key 'margin' of a claim; known: claim, says, source, table, "
                            "column, test, over, looks, last_look, seeds, gate")));
  EXPECT_THAT([] { claim_of("row: Star"); }, ThrowsCode("missing-key"));
  EXPECT_THAT(
      [] { claim_of("test: not_worse, row: Star, than: dense, not_below: [x], margin: x"); },
      ThrowsMessage<ConfigError>(
          AllOf(HasSubstr("not_below: expected text"), HasSubstr("margin: got 'x'"),
                Not(HasSubstr("lacks the key")), Not(HasSubstr("needs a margin")))));
  EXPECT_THAT([] { claim_of("test: not_worse, row: Star, than: dense"); },
              ThrowsCode("invalid-value"));
}

TEST(Claim, RefusesARowAgainstItself) {
  for (const char* test :
       {"test: better, row: Star, than: Star", "test: better, row: Star, than: star",
        "test: better, row: [Star, dense], than: [dense, Star]"}) {
    EXPECT_THAT([&] { result_of(test); }, testing::ThrowsMessage<ConfigError>(
                                              testing::HasSubstr("row and than are the same, '")))
        << test;
  }
}

TEST(Claim, OfATrendRefusesATableWithoutNumberedRows) {
  EXPECT_THAT(
      [] { result_of("test: rises"); },
      ThrowsMessage<ConfigError>(AllOf(
          HasSubstr("spec.yaml:3:"),
          HasSubstr("no row of table example/scores has a number for its value, which 'rises' "
                    "could follow"))));
}

TEST(Claim, ComparesMeansOfSeveralRows) {
  // The mean of Star and dense exceeds dense by half of the difference between Star and dense.
  const ClaimResult half = result_of("test: better, row: [Star, dense], than: dense");
  EXPECT_EQ(half.verdict, Verdict::holds);
  EXPECT_THAT(half.why,
              testing::StartsWith("mean of 'Star' and 'dense' 0.5301, 'dense' 0.5200: as the claim "
                                  "has it by 0.0101 (95% interval 0.0098 to 0.0104, "));
  EXPECT_THAT([] { result_of("test: better, row: [Star, dens], than: dense"); },
              ThrowsMessage<ConfigError>(HasSubstr("no row 'dens'; did you mean 'dense'?")));
}

TEST(Claim, OfItemsOutsideTheProfileIsNotAtThisScale) {
  const Plans plans = example_plans(kSeeds, "small");
  Plans without = plans;
  std::erase_if(without.at(kSweep).trials,
                [](const PlannedTrial& trial) { return trial.labels.at("arm") == "star"; });
  const std::string rows =
      with(kExampleSpec, "{axis: arm, labels: {star: Star}}",
           "[{label: dense, where: {arm: dense}}, {label: Star, where: {arm: star}}]");
  const ClaimResult left_out = test_claim(claim_of("test: better, row: Star, than: dense"),
                                          table_of(rows, without, example_records(kSeeds)));
  EXPECT_EQ(left_out.why, "profile small plans no trial of row 'Star' in column 'CoLA'");
  EXPECT_EQ(left_out.verdict, Verdict::not_at_this_scale);
  const std::string with_condition = with(
      rows, "{axis: task}", "{axis: task}, {label: f, fact: mask/sparsity, where: {task: CoLA}}");
  const ClaimSpec conditional = claim_of("test: better, row: Star, than: dense, not_below: f");
  EXPECT_EQ(test_claim(conditional, table_of(with_condition, without, example_records(kSeeds))).why,
            left_out.why);
  const ClaimResult waiting = test_claim(conditional, table_of(with_condition, plans, {}));
  EXPECT_EQ(waiting.verdict, Verdict::undecided);
  EXPECT_EQ(waiting.why, "f of both rows is not known; trials are missing");
  EXPECT_FALSE(left_out.incomplete);
}

TEST(Claim, NamesTheColumnsThatTheProfileLeavesOut) {
  Plans without = example_plans(kSeeds, "small");
  std::erase_if(without.at(kSweep).trials,
                [](const PlannedTrial& trial) { return trial.labels.at("task") == "RTE"; });
  std::string columns =
      with(kExampleSpec, "[{axis: task}, {label: Avg., mean_of: task}]",
           "[{label: CoLA, where: {task: CoLA}}, {label: RTE, where: {task: RTE}}]");
  columns.erase(columns.find("paper:"));
  ClaimSpec claim = claim_of("test: better, row: Star, than: dense");
  const auto why = [&](const std::string& column) {
    claim.columns = {column};
    return test_claim(claim, table_of(columns, without, example_records(kSeeds))).why;
  };
  EXPECT_EQ(why("RTE"), "profile small plans no trial of column 'RTE'");
}

/// Returns a table whose CoLA cells have numbers of heads: 0.1, 0.2, 0.3 for dense, and larger by `more` for star.
Table with_heads(double more, int64_t seeds) {
  Table table = table_of(kExampleSpec, example_plans(seeds), example_records(seeds));
  for (size_t row = 0; row < 2; ++row) {
    for (int64_t seed = 0; seed < seeds; ++seed) {
      const double extra = row == 0 ? 0.0 : more;
      table.cells[row][0].heads[seed] = {0.1 + extra, 0.2 + extra, 0.3 + 1.1 * extra};
    }
  }
  table.columns[0].direction = Direction::unknown;
  table.columns[0].kind = CellKind::places;
  return table;
}

TEST(Claim, OverHeadsPairsTheHeadsOfEachSeed) {
  const std::string better = "test: better, row: Star, than: dense, direction: max, over: heads";
  const ClaimResult one = test_claim(claim_of(better), with_heads(0.01, 1));
  EXPECT_EQ(one.verdict, Verdict::holds);
  EXPECT_EQ(
      one.why,
      "'Star' 0.2103, 'dense' 0.2000: as the claim has it by 0.0103 (95% interval 0.0089 to "
      "0.0118, p 0.001, alpha 0.05, sd 0.00058 over 3 heads of 1 seed; smallest effect 0.005)");
  EXPECT_EQ(one.seeds, 1u);
  EXPECT_THAT(test_claim(claim_of(better), with_heads(0.01, 2)).why,
              testing::EndsWith("over 6 heads of 2 seeds; smallest effect 0.005)"));
  EXPECT_EQ(test_claim(claim_of(better), with_heads(-0.01, 1)).verdict, Verdict::fails);
  Table without = with_heads(0.01, 2);
  for (std::vector<Cell>& row : without.cells) row[0].heads.clear();
  EXPECT_EQ(test_claim(claim_of(better), without).why, "needs 2 heads that both have; there are 0");
  EXPECT_THAT([&] { test_claim(claim_of(better), claimed_table()); },
              ThrowsMessage<ConfigError>(
                  HasSubstr("over: heads goes with a column of places, whose numbers are of heads; "
                            "'CoLA' of table example/scores has none")));
  ClaimSpec least = claim_of(better);
  least.direction = Direction::min;
  EXPECT_EQ(test_claim(least, with_heads(-0.01, 1)).verdict, Verdict::holds);
  EXPECT_THAT([&] { claim_of("test: better, row: [Star, dense], than: dense, over: heads"); },
              ThrowsCode("conflicting-keys"));
}

TEST(Claim, OverHeadsSaysWhereAllAreEqual) {
  const ClaimResult result =
      test_claim(claim_of("test: better, row: Star, than: dense, direction: max, over: heads"),
                 with_heads(0, 2));
  EXPECT_EQ(result.verdict, Verdict::undecided);
  EXPECT_EQ(result.decides, "heads that differ: it is equal in each of these");
}

TEST(Claim, OverHeadsComparesWithANumber) {
  const std::string above = "test: better, row: Star, direction: max, over: heads, than_value: ";
  const ClaimResult holds = test_claim(claim_of(above + "0"), with_heads(1, 1));
  EXPECT_EQ(holds.verdict, Verdict::holds);
  // 1.1, 1.2 and 1.4 have the mean 1.2333 and sd 0.1528; Student's t of 2 degrees of freedom is 4.3027.
  EXPECT_EQ(
      holds.why,
      "'Star' 1.23, the claim's number 0.00: as the claim has it by 1.23 (95% interval 0.85 to "
      "1.61, p 0.0051, alpha 0.05, sd 0.15 over 3 heads of 1 seed; smallest effect 0.128)");
  EXPECT_EQ(test_claim(claim_of(above + "2"), with_heads(1, 1)).verdict, Verdict::fails);
  EXPECT_THAT([] { claim_of("test: better, row: Star, than_value: 0"); },
              ThrowsCode("conflicting-keys"));
  EXPECT_THAT([&] { claim_of(above + "0, than: dense"); }, ThrowsCode("conflicting-keys"));
}

TEST(Claim, NeedsADirectionToCallSomethingBetter) {
  EXPECT_THAT(
      [] { test_claim(claim_of("test: better, row: Star, than: dense"), with_heads(0.1, 2)); },
      ThrowsMessage<ConfigError>(HasSubstr("has no direction, so nothing in it is better")));
}

TEST(Claim, OfATrendOverHeadsLooksAtEachHead) {
  Table table = with_heads(0, 1);
  table.rows.resize(3, table.rows[0]);
  table.cells.resize(3, table.cells[0]);
  const std::vector<std::vector<double>> heads = {{1, 5, 1}, {2, 6, 3}, {3, 7, 4}};
  for (size_t row = 0; row < 3; ++row) {
    table.rows[row].key = fmt::format("{}", row);
    table.cells[row][0].heads = {{0, heads[row]}};
  }
  const ClaimResult rises = test_claim(claim_of("test: rises, over: heads"), table);
  EXPECT_EQ(rises.verdict, Verdict::holds);
  EXPECT_EQ(rises.why,
            "Kendall's τ 1, as the claim has it (p 0.0093, alpha 0.05, 3 heads of 1 seed)");
  EXPECT_EQ(rises.scope, ClaimScope::heads);
  const ClaimResult one_seed = test_claim(claim_of("test: rises"), table);
  EXPECT_EQ(one_seed.verdict, Verdict::undecided);
  EXPECT_EQ(one_seed.decides, "5 seeds (the fewest that give a verdict): 1 is planned");
}

TEST(Claim, WithoutItsTableSaysWhy) {
  const ClaimSpec claim = claim_of("test: better, row: Star, than: dense");
  const ClaimResult result =
      untested_claim(claim, "", "s.yaml:3:1: error: no such file\n  line\n  ^");
  EXPECT_EQ(result.verdict, Verdict::undecided);
  EXPECT_EQ(result.why, "table example/scores cannot be made: s.yaml:3:1: error: no such file");
  EXPECT_FALSE(result.complete());
  EXPECT_FALSE(result.incomplete);  // another run would not change it
  const ClaimResult of_column = untested_claim(claim, "RTE", "no such file");
  EXPECT_EQ(of_column.why, "column 'RTE' of table example/scores cannot be made: no such file");
  EXPECT_FALSE(of_column.complete());
}

}  // namespace
}  // namespace rethink::test
