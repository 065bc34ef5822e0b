#include "plots/item_test.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/unit/plots/fixture.h"

namespace rethink::test {
namespace {

using testing::HasSubstr;

const ItemMetrics kMetrics = {{"perplexity", {false, "exp"}}, {"line_perplexity", {true, "exp"}}};

const std::string kSpec =
    with(with(kExampleSpec, "metric: dev/score", "metric: test/perplexity@best"),
         "test: {baseline: dense}", "test: {baseline: dense, kind: paired_bootstrap}");

/// 400 items of 1 to 4 tokens; every item of this trial is harder by `shift` nats a token.
ItemLosses items_with(double shift) {
  ItemLosses items;
  for (int i = 0; i < 400; ++i) {
    const double tokens = 1 + i % 4;
    items.nll.push_back(tokens * (1 + 0.1 * (i % 7) + shift * (1 + 0.5 * (i % 3))));
    items.tokens.push_back(static_cast<int64_t>(tokens));
  }
  return items;
}

void give_items(TrialRecord& record, const ItemLosses& items) {
  record.items["test"] = items;
  record.values["test/perplexity@best"] = resample_items(items, kMetrics.at("perplexity")).on_all;
}

/// star is better by about 0.02 nats on CoLA, and the same as dense on RTE.
TrialRecords records_with_items() {
  TrialRecords records = example_records();
  for (int64_t seed = 0; seed < 3; ++seed) {
    const double own = 0.001 * static_cast<double>(seed);
    give_items(records[trial_named("dense", "CoLA", seed)], items_with(0.02 + own));
    give_items(records[trial_named("star", "CoLA", seed)], items_with(own));
    give_items(records[trial_named("dense", "RTE", seed)], items_with(own));
    give_items(records[trial_named("star", "RTE", seed)], items_with(own));
  }
  return records;
}

Table table_with(const TrialRecords& records, const ItemMetrics& metrics = kMetrics) {
  const SpecFile file(with(kSpec, "direction: max", "direction: min"));
  const TableSpec spec = read_table_spec(file.path());
  const Plans plans = example_plans();
  return make_table(spec, make_grid(spec, plans), records, metrics);
}

TEST(ItemTest, TakesThePerplexityOfAllItemsAsTheMetricDoes) {
  const ItemLosses items{{1.0, 6.0, 0.0}, {1, 3, 0}};
  EXPECT_DOUBLE_EQ(resample_items(items, {false, "exp"}).on_all, std::exp(7.0 / 4));
  EXPECT_DOUBLE_EQ(resample_items(items, {true, "exp"}).on_all, std::exp((1.0 + 2.0) / 2));
  EXPECT_DOUBLE_EQ(resample_items(items, {false, "bits"}).on_all, 7.0 / 4 / std::log(2.0));
  EXPECT_DOUBLE_EQ(resample_items(items, {false, "nats"}).on_all, 7.0 / 4);
}

TEST(ItemTest, GivesEqualResamplesToEqualNumbersOfItems) {
  const ResampledMetric one = resample_items(items_with(0), {false, "exp"});
  EXPECT_EQ(one.resampled, resample_items(items_with(0), {false, "exp"}).resampled);
  EXPECT_EQ(one.resampled.size(), static_cast<size_t>(kItemResamples));
}

TEST(ItemTest, FindsADifferenceThatThreeSeedsAloneCannotShow) {
  const Table table = table_with(records_with_items());
  const Cell& cola = table.cells[1][0];
  ASSERT_TRUE(cola.delta_interval);
  EXPECT_LT(cola.delta_interval->high, 0);
  EXPECT_LT(cola.delta_interval->low, *cola.delta);
  EXPECT_GT(cola.delta_interval->high, *cola.delta);
  EXPECT_TRUE(cola.significant);
}

TEST(ItemTest, FindsNoDifferenceWhereThereIsNone) {
  const Table table = table_with(records_with_items());
  const Cell& rte = table.cells[1][1];
  ASSERT_TRUE(rte.delta_interval);
  EXPECT_DOUBLE_EQ(rte.delta_interval->low, 0);
  EXPECT_DOUBLE_EQ(rte.delta_interval->high, 0);
  EXPECT_DOUBLE_EQ(*rte.p, 1);
  EXPECT_FALSE(rte.significant);
}

TEST(ItemTest, IsLabelledAsATestOverItems) {
  const Table table = table_with(records_with_items());
  EXPECT_THAT(testing::PrintToString(table.notes), HasSubstr("paired bootstrap over test items"));
  EXPECT_THAT(testing::PrintToString(table.notes), HasSubstr("it says nothing about other seeds"));
  EXPECT_THAT(testing::PrintToString(table.notes), testing::Not(HasSubstr("permutation")));
}

TEST(ItemTest, MarksWhatCannotBeCompared) {
  TrialRecords records = records_with_items();
  records[trial_named("star", "CoLA", 1)].items.clear();
  Table table = table_with(records);
  ASSERT_TRUE(table.cells[1][0].has(MarkKind::not_comparable));
  EXPECT_EQ(table.cells[1][0].marks.back().text, "a trial left no predictions");
  EXPECT_FALSE(table.cells[1][0].p);
  EXPECT_TRUE(table.cells[1][1].p);

  records[trial_named("star", "CoLA", 1)].items_problem = "predictions.safetensors: it is cut off";
  table = table_with(records);
  EXPECT_EQ(table.cells[1][0].marks.back().text, "predictions.safetensors: it is cut off");
}

TEST(ItemTest, RefusesPredictionsOfAnotherStep) {
  TrialRecords records = records_with_items();
  records[trial_named("star", "CoLA", 0)].values["test/perplexity@best"] *= 1.01;
  const Table table = table_with(records);
  ASSERT_TRUE(table.cells[1][0].has(MarkKind::not_comparable));
  EXPECT_EQ(table.cells[1][0].marks.back().text,
            "the predictions do not give test/perplexity@best: of another step, or changed since");
}

TEST(ItemTest, KnowsOnlyMetricsThatFollowFromLosses) {
  const Table table = table_with(records_with_items(), {});
  ASSERT_TRUE(table.cells[1][0].has(MarkKind::not_comparable));
  EXPECT_EQ(table.cells[1][0].marks.back().text, "perplexity does not follow from losses of items");
}

/// The spec's metric is `score`, which is each trial's `metric`.
Table score_table(const std::map<std::string, std::string>& metric_of_arm) {
  TrialRecords records = records_with_items();
  for (auto& [id, record] : records) {
    const std::string& metric = metric_of_arm.at(id.substr(0, id.find('-')));
    record.values["test/score@best"] = metric_on_all(record.items.at("test"), kMetrics.at(metric));
  }
  std::string text = with(kSpec, "test/perplexity@best", "test/score@best");
  const SpecFile file(with(text, "direction: max", "direction: min"));
  const TableSpec spec = read_table_spec(file.path());
  const Plans plans = example_plans();
  return make_table(spec, make_grid(spec, plans), records, kMetrics);
}

TEST(ItemTest, TakesTheScoreForTheMetricThatItIs) {
  const Table score = score_table({{"dense", "perplexity"}, {"star", "perplexity"}});
  const Table named = table_with(records_with_items());
  ASSERT_TRUE(score.cells[1][0].delta_interval);
  EXPECT_EQ(score.cells[1][0].delta_interval->low, named.cells[1][0].delta_interval->low);
  EXPECT_EQ(score.cells[1][0].delta_interval->high, named.cells[1][0].delta_interval->high);

  const Table lines = score_table({{"dense", "line_perplexity"}, {"star", "line_perplexity"}});
  ASSERT_TRUE(lines.cells[1][0].delta_interval);
  EXPECT_NE(lines.cells[1][0].delta_interval->low, named.cells[1][0].delta_interval->low);
}

TEST(ItemTest, ComparesNoScoresOfDifferentMetrics) {
  const Table table = score_table({{"dense", "perplexity"}, {"star", "line_perplexity"}});
  ASSERT_TRUE(table.cells[1][0].has(MarkKind::not_comparable));
  EXPECT_EQ(table.cells[1][0].marks.back().text,
            "score is line_perplexity of some trials, perplexity of others");
}

}  // namespace
}  // namespace rethink::test
