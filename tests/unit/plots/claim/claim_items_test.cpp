// A score of a task is decided by seeds and by the items of its split.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "datasets/scores/labelled_metrics.h"
#include "plots/claim/claim.h"
#include "plots/table/cells/item_metric.h"
#include "tests/unit/plots/fixture.h"

namespace rethink::test {
namespace {

using testing::HasSubstr;

constexpr int64_t kItemSeeds = 5;
constexpr int kAnswers = 200;

ItemMetrics accuracy_metric() {
  ItemMetrics all;
  all["accuracy"].of_labels = find_labelled_metric("accuracy").value;
  return all;
}

/// Returns answers to items, half of which are of class 1. Answers to `wrong` items, from the item `first` on, are wrong.
ItemOutcomes answers(int first, int wrong) {
  ItemOutcomes items;
  for (int item = 0; item < kAnswers; ++item) {
    const double expected = item % 2;
    items.expected.push_back(expected);
    items.predicted.push_back(item >= first && item < first + wrong ? 1 - expected : expected);
  }
  return items;
}

/// dense has 40 to 42 wrong answers. Star has about `fewer` wrong answers less than dense, on other items.
TrialRecords records_with_answers(int fewer) {
  TrialRecords records = example_records(kItemSeeds);
  for (int64_t seed = 0; seed < kItemSeeds; ++seed) {
    for (const char* arm : {"dense", "star"}) {
      const bool is_star = std::string(arm) == "star";
      const int wrong = 40 + static_cast<int>(seed % 3) - (is_star ? fewer + (seed == 0) : 0);
      TrialRecord& record = records[trial_named(arm, "CoLA", seed)];
      record.items["dev"] = answers(is_star ? kAnswers / 2 : 0, wrong);
      record.values["dev/score@last"] =
          metric_on_all(record.items["dev"], accuracy_metric().at("accuracy"));
    }
  }
  return records;
}

ClaimResult answered(const TrialRecords& records, const std::string& test) {
  const SpecFile file("claims: x\nlist:\n  - {claim: c, says: s, table: example/scores, " + test +
                      "}\n");
  const Table table = table_of(kExampleSpec, example_plans(kItemSeeds), records);
  const ItemMetrics all = accuracy_metric();
  ItemGains items(table, records, all, kItemResamples);
  return test_claim(read_claims_spec(file.path()).claims.at(0), table, &items);
}

const std::string kStarBeatsDense = "column: CoLA, test: better, row: Star, than: dense";

TEST(ClaimItems, AgreeWithSeedsWhereTheDifferenceIsLarge) {
  const ClaimResult result = answered(records_with_answers(20), kStarBeatsDense);
  EXPECT_EQ(result.verdict, Verdict::holds);
  EXPECT_THAT(result.why, HasSubstr("; smallest effect 0.005); over items 95% interval 0."));
  const JudgedNumbers& numbers = result.judgement->numbers;
  EXPECT_NEAR(*numbers.row - *numbers.than, result.judgement->gain, 1e-12);
  EXPECT_GT(numbers.items->low, 0);
  EXPECT_EQ(result.judgement->p, std::max(*numbers.items_p, *numbers.seeds_p));
}

/// All seeds gain an item or two of 200, so the seeds agree, but other items may not.
TEST(ClaimItems, TakeAVerdictBackThatSeedsAloneWouldGive) {
  const TrialRecords records = records_with_answers(1);
  const ClaimResult result = answered(records, kStarBeatsDense);
  EXPECT_EQ(result.verdict, Verdict::undecided);
  EXPECT_THAT(result.why, testing::EndsWith(", undecided"));
  EXPECT_EQ(result.decides, "more items in the split");
  EXPECT_GT(result.judgement->p, 0.05) << "of the items, which are less sure";
  const SpecFile file("claims: x\nlist:\n  - {claim: c, says: s, table: example/scores, " +
                      kStarBeatsDense + "}\n");
  const Table table = table_of(kExampleSpec, example_plans(kItemSeeds), records);
  EXPECT_EQ(test_claim(read_claims_spec(file.path()).claims.at(0), table).verdict, Verdict::holds)
      << "by seeds alone";
}

TEST(ClaimItems, AreReportedIfTheSeedsLeaveTheClaimUndecided) {
  TrialRecords records = records_with_answers(20);
  TrialRecord& worse = records[trial_named("star", "CoLA", 0)];
  worse.items["dev"] = answers(kAnswers / 2, 90);
  worse.values["dev/score@last"] =
      metric_on_all(worse.items["dev"], accuracy_metric().at("accuracy"));
  const ClaimResult result = answered(records, kStarBeatsDense + ", smallest: 0.05");
  EXPECT_EQ(result.verdict, Verdict::undecided);
  EXPECT_THAT(result.why, HasSubstr("; over items 95% interval "));
  EXPECT_THAT(result.decides,
              testing::EndsWith("seeds, by the deviation of these, and more items in the split"));
  EXPECT_GT(result.judgement->p, 0.05);
}

TEST(ClaimItems, LeaveTheClaimUndecidedIfTheyAreMissing) {
  TrialRecords records = records_with_answers(20);
  records[trial_named("dense", "CoLA", 3)].items.clear();
  const ClaimResult result = answered(records, kStarBeatsDense);
  EXPECT_EQ(result.verdict, Verdict::undecided);
  EXPECT_THAT(result.why, HasSubstr("undecided without an interval over items: no predictions"));
  EXPECT_EQ(result.decides, "predictions of all its trials");
  EXPECT_TRUE(result.looks.empty()) << "to be taken when they are there";
  EXPECT_FALSE(result.judgement);
  EXPECT_THAT(result.why, testing::Not(HasSubstr("% interval"))) << "no look was taken";
  EXPECT_TRUE(result.incomplete);
  EXPECT_TRUE(result.unmeasured);
}

/// The interval over seeds is 0.102 to 0.104, which is below 0.15. The interval over items reaches 0.176.
TEST(ClaimItems, LeaveAHoldingClaimAsLargeAsClaimedWhereTheyMayBe) {
  const TrialRecords records = records_with_answers(20);
  const std::string test = kStarBeatsDense + ", smallest: 0.15";
  const ClaimResult result = answered(records, test);
  EXPECT_EQ(result.verdict, Verdict::holds);
  EXPECT_GT(result.judgement->numbers.items->high, 0.15);
  EXPECT_LT(result.judgement->interval->high, 0.15);
  EXPECT_EQ(answered(records, kStarBeatsDense + ", smallest: 0.25").verdict,
            Verdict::holds_smaller);
}

/// An item's gain is the mean over seeds of the difference, drawn 200 times. The distribution of
/// the sum is the 200-fold convolution of the items' distribution (computed exactly by another
/// program).
TEST(ItemGains, HaveTheQuantilesOfTheExactDistribution) {
  const TrialRecords records = records_with_answers(20);
  const Table table = table_of(kExampleSpec, example_plans(kItemSeeds), records);
  const ItemMetrics all = accuracy_metric();
  ItemGains items(table, records, all, 40'000);
  const size_t star = 1, dense = 0;
  const auto of_level = [&](double level) {
    return percentile_interval(items.gain({star}, {dense}, 0, {0, 1, 2, 3, 4}, 1).resamples, level);
  };
  constexpr double kNear = 0.002;  // three standard errors of a quantile of 40,000
  EXPECT_NEAR(of_level(0.95).low, 0.026, kNear);
  EXPECT_NEAR(of_level(0.95).high, 0.176, kNear);
  EXPECT_NEAR(of_level(0.975).low, 0.016, kNear);
  EXPECT_NEAR(of_level(0.975).high, 0.187, kNear);
}

/// Whether an interval "begins at or below 0" must not depend on the last bits of a sum.
TEST(ItemGains, AreZeroWhereExactArithmeticHasZero) {
  const TrialRecords records = records_with_answers(1);
  const Table table = table_of(kExampleSpec, example_plans(kItemSeeds), records);
  const ItemMetrics all = accuracy_metric();
  ItemGains items(table, records, all, 40'000);
  size_t zeros = 0;
  for (const double gain : items.gain({1}, {0}, 0, {0, 1, 2, 3, 4}, 1).resamples) {
    EXPECT_TRUE(gain == 0 || std::abs(gain) > 0.999 / (kItemSeeds * kAnswers)) << gain;
    if (gain == 0) ++zeros;
  }
  EXPECT_GT(zeros, 100u);
}

TEST(ItemGains, KnowWhichColumnsAreOfTasks) {
  const TrialRecords records = records_with_answers(1);
  const Table table = table_of(kExampleSpec, example_plans(kItemSeeds), records);
  const ItemMetrics all = accuracy_metric(), losses = {{"loss", {false, "nats"}}};
  EXPECT_TRUE(ItemGains(table, records, all, kItemResamples).is_task_score(0));
  EXPECT_TRUE(ItemGains(table, records, all, kItemResamples).is_task_score(2))
      << "a mean of scores";
  EXPECT_FALSE(ItemGains(table, records, losses, kItemResamples).is_task_score(0));
}

TEST(ItemGains, HaveTheScoreOfTheBestConstantAnswer) {
  TrialRecords records = records_with_answers(1);
  for (int64_t seed = 0; seed < kItemSeeds; ++seed) {
    for (const char* arm : {"dense", "star"}) {
      TrialRecord& record = records[trial_named(arm, "CoLA", seed)];
      for (int item = 0; item < 20; item += 2) record.items["dev"].expected[item] = 1;
      record.values["dev/score@last"] =
          metric_on_all(record.items["dev"], accuracy_metric().at("accuracy"));
    }
  }
  const Table table = table_of(kExampleSpec, example_plans(kItemSeeds), records);
  const ItemMetrics all = accuracy_metric();
  const ItemGains items(table, records, all, kItemResamples);
  EXPECT_DOUBLE_EQ(*items.constant_score(0, 0).value, 110.0 / kAnswers);
  const ItemGains::ConstantScore unknown = items.constant_score(0, 1);
  EXPECT_FALSE(unknown.value);
  EXPECT_THAT(unknown.problem, HasSubstr("no predictions of the items of dev (trial "));
}

/// Star, the row with attention, has 181 to 179 of 200 items right, dense 20 fewer.
GateResult gate_of(const TrialRecords& records) {
  const Table table = table_of(kExampleSpec, example_plans(kItemSeeds), records);
  const ItemMetrics all = accuracy_metric();
  const ItemGains items(table, records, all, kItemResamples);
  return pass_gate(
      {.table = "example/scores", .at = {}, .table_at = {}, .row = "Star", .than = "dense"}, table,
      &items, {"CoLA"}, 0);
}

TEST(Gate, IsClosedWhereOneAnswerForAllItemsIsAsGood) {
  TrialRecords records = records_with_answers(20);
  EXPECT_EQ(gate_of(records).state, GateState::passed) << "one answer has half of the items right";
  for (int64_t seed = 0; seed < kItemSeeds; ++seed) {
    for (const char* arm : {"dense", "star"}) {
      TrialRecord& record = records[trial_named(arm, "CoLA", seed)];
      ItemOutcomes& items = record.items["dev"];
      // As many items are right as before, but now 190 of 200 items are of class 0.
      for (int item = 0; item < kAnswers; ++item) {
        const bool is_right = items.predicted[item] == items.expected[item];
        items.expected[item] = item < 10;
        items.predicted[item] = is_right ? items.expected[item] : 1 - items.expected[item];
      }
    }
  }
  const GateResult gate = gate_of(records);
  EXPECT_EQ(gate.state, GateState::closed);
  EXPECT_EQ(gate.why,
            "its gate is closed on CoLA: 'Star' has 0.897, and one answer for all items 0.95");
}

/// All seeds at chance have the same difference, and no interval; more pilots would give the same.
TEST(Gate, IsClosedAtChanceAlsoWhereAllSeedsHaveTheSameDifference) {
  TrialRecords records = records_with_answers(20);
  for (int64_t seed = 0; seed < kItemSeeds; ++seed) {
    for (const char* arm : {"dense", "star"}) {
      TrialRecord& record = records[trial_named(arm, "CoLA", seed)];
      std::ranges::fill(record.items["dev"].predicted, 0);
      record.values["dev/score@last"] = 0.5;
    }
  }
  const GateResult gate = gate_of(records);
  EXPECT_EQ(gate.state, GateState::closed);
  EXPECT_EQ(gate.why,
            "its gate is closed on CoLA: 'Star' has 0.5, and one answer for all items 0.5");
}

TEST(Gate, WaitsWhereNobodyKnowsWhatOneAnswerHas) {
  TrialRecords records = records_with_answers(20);
  records[trial_named("star", "CoLA", 2)].items.clear();
  const GateResult gate = gate_of(records);
  EXPECT_EQ(gate.state, GateState::waits);
  EXPECT_THAT(gate.why,
              testing::StartsWith("its gate waits on CoLA: what one answer for all items "
                                  "has is not known: no predictions of the items of dev"));
}

}  // namespace
}  // namespace rethink::test
