// A score of a task is decided by seeds and by the items of its split.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "datasets/scores/labelled_metrics.h"
#include "plots/claim/claim.h"
#include "plots/table/item_metric.h"
#include "tests/unit/plots/fixture.h"

namespace rethink::test {
namespace {

using testing::HasSubstr;

constexpr int64_t kItemSeeds = 5;
constexpr int kAnswers = 200;

ItemMetrics accuracy_metric() {
  ItemMetrics all;
  all["accuracy"].of_labels = [](std::span<const double> predicted,
                                 std::span<const double> expected) {
    return labelled_metric("accuracy", predicted, expected);
  };
  return all;
}

/// Half of the items are of class 1; from the item `first` on `wrong` answers are wrong.
ItemOutcomes answers(int first, int wrong) {
  ItemOutcomes items;
  for (int item = 0; item < kAnswers; ++item) {
    const double expected = item % 2;
    items.expected.push_back(expected);
    items.predicted.push_back(item >= first && item < first + wrong ? 1 - expected : expected);
  }
  return items;
}

/// dense has 40 to 42 answers wrong, Star `fewer` less and of other items.
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
}

/// All seeds gain an item or two of 200: they are sure of it, other items are not.
TEST(ClaimItems, TakeAVerdictBackThatSeedsAloneWouldGive) {
  const TrialRecords records = records_with_answers(1);
  const ClaimResult result = answered(records, kStarBeatsDense);
  EXPECT_EQ(result.verdict, Verdict::undecided);
  EXPECT_THAT(result.why, testing::EndsWith(", which does not decide it"));
  EXPECT_EQ(result.decides, "more items in the split");
  const SpecFile file("claims: x\nlist:\n  - {claim: c, says: s, table: example/scores, " +
                      kStarBeatsDense + "}\n");
  const Table table = table_of(kExampleSpec, example_plans(kItemSeeds), records);
  EXPECT_EQ(test_claim(read_claims_spec(file.path()).claims.at(0), table).verdict, Verdict::holds)
      << "by seeds alone";
}

TEST(ClaimItems, OfTrialsThatLeftNoneLeaveTheClaimUndecided) {
  TrialRecords records = records_with_answers(20);
  records[trial_named("dense", "CoLA", 3)].items.clear();
  const ClaimResult result = answered(records, kStarBeatsDense);
  EXPECT_EQ(result.verdict, Verdict::undecided);
  EXPECT_THAT(result.why, HasSubstr("undecided without an interval over items: no predictions"));
}

TEST(ItemGains, KnowWhichColumnsAreOfTasks) {
  const TrialRecords records = records_with_answers(1);
  const Table table = table_of(kExampleSpec, example_plans(kItemSeeds), records);
  const ItemMetrics all = accuracy_metric(), losses = {{"loss", {false, "nats"}}};
  EXPECT_TRUE(ItemGains(table, records, all, kItemResamples).is_of_tasks(0));
  EXPECT_TRUE(ItemGains(table, records, all, kItemResamples).is_of_tasks(2)) << "a mean of scores";
  EXPECT_FALSE(ItemGains(table, records, losses, kItemResamples).is_of_tasks(0));
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
  EXPECT_DOUBLE_EQ(*items.constant_score(0, 0), 110.0 / kAnswers);
  EXPECT_FALSE(items.constant_score(0, 1)) << "no labels are on record";
}

}  // namespace
}  // namespace rethink::test
