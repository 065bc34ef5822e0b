// Trends of scores of tasks, and of rows that diverged.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "datasets/scores/labelled_metrics.h"
#include "plots/claim/claim.h"
#include "plots/table/cells/item_metric.h"
#include "tests/unit/plots/fixture.h"

namespace rethink::test {
namespace {

using testing::HasSubstr;

constexpr int64_t kTrendSeeds = 5;
constexpr int kTrendItems = 200;

std::string rates_spec(const std::string& direction) {
  return "table: example/scores\nsweep: s.yaml\nstage: lm\nmetric: dev/score\nrows: {axis: rate}\n"
         "columns: [{label: CoLA}]\ndirection: " +
         direction + "\n";
}

ItemMetrics accuracy_of_items() {
  ItemMetrics all;
  all["accuracy"].of_labels = find_labelled_metric("accuracy").value;
  return all;
}

/// Returns rows in which the first wrong[k] of 200 answers of row k are wrong, at each seed.
std::pair<Plans, TrialRecords> rows_with_wrong(const std::vector<int>& wrong) {
  Plans plans;
  TrialRecords records;
  for (size_t row = 0; row < wrong.size(); ++row) {
    for (int64_t seed = 0; seed < kTrendSeeds; ++seed) {
      PlannedTrial trial;
      trial.trial.id = fmt::format("{}-{}", row, seed);
      trial.trial.seed = seed;
      trial.stage = "lm";
      trial.labels = {{"rate", fmt::format("{}", row)}};
      plans["s.yaml"].trials.push_back(trial);
      TrialRecord record = done_with(0, seed);
      ItemOutcomes& items = record.items["dev"];
      for (int item = 0; item < kTrendItems; ++item) {
        items.expected.push_back(item % 2);
        items.predicted.push_back(item < wrong[row] ? 1 - item % 2 : item % 2);
      }
      record.values["dev/score@last"] = metric_on_all(items, accuracy_of_items().at("accuracy"));
      records[trial.trial.id] = record;
    }
  }
  return {plans, records};
}

ClaimResult trend_of(const Plans& plans, const TrialRecords& records, const std::string& test,
                     const std::string& direction = "max", bool with_items = true) {
  const SpecFile file(
      "claims: x\nlist:\n  - {claim: c, says: s, table: example/scores, test: " + test + "}\n");
  const Table table = table_of(rates_spec(direction), plans, records);
  const ItemMetrics metrics = accuracy_of_items();
  ItemGains items(table, records, metrics, kItemResamples);
  return test_claim(read_claims_spec(file.path()).claims.at(0), table,
                    with_items ? &items : nullptr);
}

/// The wrong answers of a row are among those of the row before it, so every resample has the rows in this order.
TEST(TrendOfATask, HoldsWhereSeedsAndItemsAgree) {
  const auto [plans, records] = rows_with_wrong({60, 40, 20});
  const ClaimResult rises = trend_of(plans, records, "rises");
  EXPECT_EQ(rises.verdict, Verdict::holds);
  const JudgedNumbers& numbers = rises.judgement->numbers;
  EXPECT_EQ(numbers.items->low, 1);
  EXPECT_EQ(numbers.items->high, 1);
  EXPECT_NEAR(*numbers.seeds_p, 2 / std::pow(6, 5), 1e-12);
  EXPECT_DOUBLE_EQ(*numbers.items_p, 2.0 / (kItemResamples + 1));
  EXPECT_EQ(rises.judgement->p, *numbers.items_p);
  EXPECT_THAT(rises.why, HasSubstr("; over items 95% interval 1 to 1 as the claim has it"));
  EXPECT_EQ(trend_of(plans, records, "falls").verdict, Verdict::fails);
}

/// The rows differ in two items. A share of 0.134 of the draws of 200 items has neither item, and tau is then 0.
TEST(TrendOfATask, IsUndecidedWhereTheRowsDifferInAnItemOrTwo) {
  const auto [plans, records] = rows_with_wrong({42, 41, 40});
  const ClaimResult result = trend_of(plans, records, "rises");
  EXPECT_EQ(result.verdict, Verdict::undecided);
  EXPECT_EQ(result.judgement->numbers.items->low, 0);
  EXPECT_EQ(result.judgement->numbers.items->high, 1);
  EXPECT_NEAR(*result.judgement->numbers.items_p, 2 * 0.134, 0.05);
  EXPECT_EQ(result.decides, "more items in the split");
  EXPECT_EQ(trend_of(plans, records, "rises", "max", false).verdict, Verdict::holds)
      << "by seeds alone";
}

TEST(TrendOfATask, TakesNoLookWithoutPredictions) {
  auto [plans, records] = rows_with_wrong({60, 40, 20});
  records["1-3"].items.clear();
  const ClaimResult result = trend_of(plans, records, "rises");
  EXPECT_EQ(result.verdict, Verdict::undecided);
  EXPECT_TRUE(result.looks.empty());
  EXPECT_TRUE(result.unmeasured);
  EXPECT_THAT(result.why, HasSubstr("undecided without an interval over items: no predictions"));
}

/// A diverged row is the worst row of its seed. At one of five seeds the last row therefore comes first.
TEST(Trend, CountsARowThatDivergedAsTheWorstOfItsSeed) {
  auto [plans, records] = rows_with_wrong({60, 40, 20});
  records["2-1"].state = TrialState::diverged;
  const ClaimResult better_is_more = trend_of(plans, records, "rises", "max", false);
  // One of that seed's three pairs is in order, so tau is -1/3.
  EXPECT_NEAR(better_is_more.judgement->gain, (4 - 1.0 / 3) / 5, 1e-12);
  EXPECT_THAT(better_is_more.remarks,
              HasSubstr("1 of 5 seeds of 2 diverged, where it counts as the worst row"));
  const ClaimResult better_is_less = trend_of(plans, records, "rises", "min", false);
  EXPECT_NEAR(better_is_less.judgement->gain, 1, 1e-12);
}

}  // namespace
}  // namespace rethink::test
