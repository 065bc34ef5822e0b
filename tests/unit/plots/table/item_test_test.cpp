#include "plots/table/cells/item_test.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "datasets/scores/labelled_metrics.h"
#include "plots/render/sheet.h"
#include "plots/table/cells/item_metric.h"
#include "tests/unit/plots/fixture.h"

namespace rethink::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

const ItemMetrics kMetrics = {{"perplexity", {false, "exp"}}, {"line_perplexity", {true, "exp"}}};

const std::string kItemTestSpec =
    with(with(kExampleSpec, "metric: dev/score", "metric: test/perplexity@best"),
         "test: {baseline: dense}", "test: {baseline: dense, kind: paired_bootstrap}");

/// Returns 400 items of 1 to 4 tokens; every item of this trial is harder by `shift` nats per token.
ItemOutcomes items_with(double shift) {
  ItemOutcomes items;
  for (int i = 0; i < 400; ++i) {
    const double tokens = 1 + i % 4;
    items.nll.push_back(tokens * (1 + 0.1 * (i % 7) + shift * (1 + 0.5 * (i % 3))));
    items.tokens.push_back(static_cast<int64_t>(tokens));
  }
  return items;
}

void give_items(TrialRecord& record, const ItemOutcomes& items) {
  record.items["test"] = items;
  record.values["test/perplexity@best"] = metric_on_all(items, kMetrics.at("perplexity"));
}

/// star is better by about 0.02 nats on CoLA, and equals dense on RTE.
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
  const SpecFile file(with(kItemTestSpec, "direction: max", "direction: min"));
  const TableSpec spec = read_table_spec(file.path());
  const Plans plans = example_plans();
  return make_table(spec, make_grid(spec, plans), records, metrics);
}

/// Returns the last mark of the second row's cell.
std::string last_mark_in_column(const Table& table, size_t column) {
  return table.cells[1][column].marks.back().text;
}

/// Advice to compare over items would be useless here.
TEST(ItemTest, HasNoItemsOfACurvesTail) {
  Table table;
  table.columns.resize(1);
  table.columns[0].direction = Direction::min;
  table.columns[0].value = "train/loss@tail";
  const ItemMetrics metrics = {{"loss", {false, "nats"}}};
  EXPECT_FALSE(has_item_metric(table, metrics));
  table.columns[0].value = "test/loss@best";
  EXPECT_TRUE(has_item_metric(table, metrics));
}

TEST(ItemTest, FindsADifferenceThatThreeSeedsAloneCannotShow) {
  const Table table = table_with(records_with_items());
  const Cell& cola = table.cells[1][0];
  ASSERT_TRUE(cola.delta_interval);
  EXPECT_LT(cola.delta_interval->high, 0);
  EXPECT_LT(cola.delta_interval->low, *cola.delta);
  EXPECT_GT(cola.delta_interval->high, *cola.delta);
  EXPECT_TRUE(cola.tests[0].significant);
}

/// 2,000 resamples give no p below 0.06 here, however large the difference is.
TEST(ItemTest, FindsADifferenceInATableOfManyComparisons) {
  std::string columns = "[{label: CoLA, where: {task: CoLA}}";
  for (int i = 1; i < 60; ++i) columns += fmt::format(", {{label: r{}, where: {{task: RTE}}}}", i);
  std::string text = with(kItemTestSpec, "direction: max", "direction: min");
  text = with(text, "[{axis: task}, {label: Avg., mean_of: task}]", columns + "]");
  const SpecFile file(text.substr(0, text.find("paper:")));
  const TableSpec spec = read_table_spec(file.path());
  const Plans plans = example_plans();
  const Table table = make_table(spec, make_grid(spec, plans), records_with_items(), kMetrics);
  EXPECT_EQ(table.item_resamples, 60000u);
  EXPECT_TRUE(table.cells[1][0].tests[0].significant);
  EXPECT_FALSE(table.cells[1][1].tests[0].significant);
  EXPECT_THAT(testing::PrintToString(whole(table.notes)),
              AllOf(HasSubstr("over 60 comparisons"), HasSubstr("60000 resamples")));
}

TEST(ItemTest, FindsNoDifferenceWhereThereIsNone) {
  const Table table = table_with(records_with_items());
  const Cell& rte = table.cells[1][1];
  ASSERT_TRUE(rte.delta_interval);
  EXPECT_DOUBLE_EQ(rte.delta_interval->low, 0);
  EXPECT_DOUBLE_EQ(rte.delta_interval->high, 0);
  EXPECT_DOUBLE_EQ(*rte.tests[0].p, 1);
  EXPECT_FALSE(rte.tests[0].significant);
}

TEST(ItemTest, IsLabelledAsATestOverItems) {
  const Table table = table_with(records_with_items());
  EXPECT_THAT(testing::PrintToString(whole(table.notes)),
              HasSubstr("paired bootstrap over test items"));
  EXPECT_THAT(testing::PrintToString(whole(table.notes)),
              HasSubstr("it says nothing about other seeds"));
  EXPECT_THAT(testing::PrintToString(whole(table.notes)), testing::Not(HasSubstr("permutation")));
}

TEST(ItemTest, MarksWhatCannotBeCompared) {
  TrialRecords records = records_with_items();
  records[trial_named("star", "CoLA", 1)].items.clear();
  Table table = table_with(records);
  ASSERT_TRUE(table.cells[1][0].has(MarkKind::not_comparable));
  EXPECT_EQ(last_mark_in_column(table, 0),
            "no predictions of the items of test; compare over seeds (kind: paired_t) (trial "
            "star-CoLA-1)");
  EXPECT_FALSE(table.cells[1][0].tests[0].p);
  EXPECT_TRUE(table.cells[1][1].tests[0].p);

  records[trial_named("star", "CoLA", 1)].items_problem = "predictions.safetensors: it is cut off";
  table = table_with(records);
  EXPECT_EQ(last_mark_in_column(table, 0),
            "predictions.safetensors: it is cut off (trial star-CoLA-1)");
}

/// A changed database may have such trials.
TEST(ItemTest, ComparesNoTrialsWhoseSeedIsNotOnRecord) {
  TrialRecords records = records_with_items();
  for (int64_t seed = 0; seed < 3; ++seed)
    records[trial_named("star", "CoLA", seed)].seed = std::nullopt;
  const Table table = table_with(records);
  ASSERT_TRUE(table.cells[1][0].has(MarkKind::not_comparable));
  EXPECT_THAT(last_mark_in_column(table, 0), HasSubstr("the database names no trial of seed 1"));
}

TEST(ItemTest, RefusesPredictionsOfAnotherStep) {
  TrialRecords records = records_with_items();
  records[trial_named("star", "CoLA", 0)].values["test/perplexity@best"] *= 1.01;
  const Table table = table_with(records);
  ASSERT_TRUE(table.cells[1][0].has(MarkKind::not_comparable));
  EXPECT_THAT(last_mark_in_column(table, 0),
              AllOf(HasSubstr("the predictions do not give test/perplexity@best: "
                              "they are of another step; ask for that step's value"),
                    HasSubstr("(trial star-CoLA-0)")));
}

TEST(ItemTest, KnowsOnlyMetricsThatFollowFromItems) {
  const Table table = table_with(records_with_items(), {});
  ASSERT_TRUE(table.cells[1][0].has(MarkKind::not_comparable));
  EXPECT_EQ(last_mark_in_column(table, 0),
            "perplexity does not follow from what predictions say of each item; compare over seeds "
            "(kind: paired_t)");
}

/// The spec's metric is `score`, which is each trial's `metric`.
Table score_table(const std::map<std::string, std::string>& metric_of_arm) {
  TrialRecords records = records_with_items();
  for (auto& [id, record] : records) {
    const std::string& metric = metric_of_arm.at(id.substr(0, id.find('-')));
    record.values["test/score@best"] = metric_on_all(record.items.at("test"), kMetrics.at(metric));
  }
  std::string text = with(kItemTestSpec, "test/perplexity@best", "test/score@best");
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
  EXPECT_EQ(last_mark_in_column(table, 0),
            "score is line_perplexity of some trials, perplexity of others; name the metric");
}

ItemMetrics label_metrics() {
  ItemMetrics metrics;
  for (const LabelledMetric& metric : labelled_metrics())
    metrics[metric.name].of_labels = metric.value;
  metrics["f1"].own_score = "f1";
  return metrics;
}

/// Returns 400 examples of two classes. The answer to every `wrong`-th example is the other class.
ItemOutcomes classes(int wrong) {
  ItemOutcomes items;
  for (int i = 0; i < 400; ++i) {
    items.expected.push_back(i % 3 == 0 ? 1 : 0);
    items.predicted.push_back(i % wrong == 0 ? 1 - items.expected.back() : items.expected.back());
  }
  return items;
}

/// Metrics of `split`, as the trial records them; `score` is the last of them.
void give_labels(TrialRecord& record, const std::string& split, const ItemOutcomes& items,
                 const std::vector<std::string>& metrics) {
  record.items[split] = items;
  for (const std::string& name : metrics) {
    const double value = metric_on_all(items, label_metrics().at(name));
    record.values[split + "/" + name + "@last"] = record.values[split + "/score@last"] = value;
  }
}

/// 10 % of dense's answers are wrong, and 5 % of Star's. All wrong answers of Star are also wrong answers of dense.
TrialRecords labelled_records() {
  TrialRecords records = example_records();
  for (auto& [id, record] : records) {
    const int wrong = id.starts_with("dense") ? 10 : 20;
    if (id.find("CoLA") != std::string::npos)
      give_labels(record, "dev", classes(wrong), {"accuracy", "mcc"});
    else
      give_labels(record, "dev", classes(wrong), {"accuracy"});
  }
  return records;
}

Table labelled_table(const TrialRecords& records, const std::string& columns,
                     const std::string& value = "dev/score") {
  std::string text =
      with(kExampleSpec, "baseline: dense", "baseline: dense, kind: paired_bootstrap");
  text =
      with(with(text, "dev/score", value), "[{axis: task}, {label: Avg., mean_of: task}]", columns);
  const SpecFile file(text.substr(0, text.find("paper:")));
  const TableSpec spec = read_table_spec(file.path());
  const Plans plans = example_plans();
  return make_table(spec, make_grid(spec, plans), records, label_metrics());
}

const std::string kTasks = "[{axis: task}, {label: Avg., mean_of: task}]";
constexpr size_t kCola = 0, kRte = 1, kAverage = 2;

double item_width(const Table& table, size_t column) {
  return table.cells[1][column].delta_interval->high - table.cells[1][column].delta_interval->low;
}

TEST(ItemTest, ComparesTheScoresOfFineTunings) {
  const Table table = labelled_table(labelled_records(), kTasks);
  const Cell& rte = table.cells[1][kRte];
  ASSERT_TRUE(rte.delta_interval);
  const double b = 0.05, error = std::sqrt((b - b * b) / 400);  // McNemar's
  EXPECT_NEAR(*rte.delta, b, 1e-12);
  EXPECT_NEAR(rte.delta_interval->low, b - 1.96 * error, 0.3 * error);
  EXPECT_NEAR(rte.delta_interval->high, b + 1.96 * error, 0.3 * error);
  EXPECT_TRUE(rte.tests[0].significant);
  EXPECT_TRUE(table.cells[1][kCola].tests[0].significant);
}

TEST(ItemTest, TakesScoreForTheMetricThatAllTrialsOfAComparisonHave) {
  TrialRecords records = labelled_records();
  ItemOutcomes constant = classes(10);
  std::fill(constant.predicted.begin(), constant.predicted.end(), 0.0);  // F1 and correlation: 0
  give_labels(records[trial_named("dense", "CoLA", 0)], "dev", constant, {"accuracy", "mcc"});
  const Table score = labelled_table(records, "[{label: CoLA, where: {task: CoLA}}]");
  const Table mcc = labelled_table(records, "[{label: CoLA, where: {task: CoLA}}]", "dev/mcc");
  ASSERT_TRUE(score.cells[1][0].delta_interval);
  EXPECT_EQ(score.cells[1][0].delta_interval->low, mcc.cells[1][0].delta_interval->low);
  EXPECT_EQ(score.cells[1][0].delta_interval->high, mcc.cells[1][0].delta_interval->high);
}

TEST(ItemTest, ResamplesTheTasksOfAMeanEachForItself) {
  TrialRecords records = labelled_records();
  for (auto& [id, record] : records)
    give_labels(record, "dev", classes(id.starts_with("dense") ? 10 : 20), {"accuracy"});
  const Table table = labelled_table(records, kTasks);
  ASSERT_TRUE(table.cells[1][kAverage].tests[0].p);
  EXPECT_NEAR(*table.cells[1][kAverage].delta, 0.05, 1e-12);
  EXPECT_NEAR(item_width(table, kAverage), item_width(table, kRte) / std::sqrt(2.0),
              0.1 * item_width(table, kRte));
}

TEST(ItemTest, ResamplesTheMetricsOfOneTaskTogether) {
  const Table table = labelled_table(labelled_records(),
                                     "[{label: one, metric: dev/accuracy, where: {task: RTE}}, "
                                     "{label: two, metric: dev/accuracy, where: {task: RTE}}, "
                                     "{label: both, mean_of: [one, two]}]");
  EXPECT_DOUBLE_EQ(item_width(table, 2), item_width(table, 0));
}

TEST(ItemTest, ResamplesTheSplitsOfAMeanEachForItself) {
  TrialRecords records = labelled_records();
  for (auto& [id, record] : records) {
    give_labels(record, "dev_mismatched", record.items.at("dev"), {"accuracy"});
    give_labels(record, "dev", record.items.at("dev"), {"accuracy"});
    record.values["dev+dev_mismatched/score@last"] = record.values.at("dev/score@last");
  }
  const Table both = labelled_table(records, kTasks, "dev+dev_mismatched/score");
  ASSERT_TRUE(both.cells[1][kRte].tests[0].p);
  const double one = item_width(labelled_table(records, kTasks), kRte);
  EXPECT_NEAR(item_width(both, kRte), one / std::sqrt(2.0), 0.1 * one);
}

TEST(ItemTest, ComparesQuestionsByTheScoresOfTheirAnswers) {
  TrialRecords records = example_records();
  for (auto& [id, record] : records) {
    std::vector<double>& scores = record.items["dev"].scores["f1"];
    for (int i = 0; i < 400; ++i) scores.push_back(i % (id.starts_with("dense") ? 10 : 20) ? 1 : 0);
    record.values["dev/f1@last"] = id.starts_with("dense") ? 0.9 : 0.95;
  }
  EXPECT_TRUE(labelled_table(records, kTasks, "dev/f1").cells[1][kRte].tests[0].significant);

  // As in SQuAD v2.0, the value depends on a threshold.
  records[trial_named("star", "RTE", 1)].values["dev/f1@last"] = 0.96;
  const Table table = labelled_table(records, kTasks, "dev/f1");
  EXPECT_TRUE(table.cells[1][kCola].tests[0].p);
  EXPECT_FALSE(table.cells[1][kRte].tests[0].p);
  EXPECT_EQ(last_mark_in_column(table, kRte),
            "dev/f1@last is not the mean of the questions' own scores: the threshold for no answer "
            "is chosen on all of them; compare over seeds (kind: paired_t) (trial "
            "star-RTE-1)");
  EXPECT_EQ(last_mark_in_column(table, kAverage), last_mark_in_column(table, kRte));
}

TEST(ItemTest, ComparesNoTrialsOfOtherItems) {
  TrialRecords records = labelled_records();
  ItemOutcomes other = classes(20);
  std::rotate(other.expected.begin(), other.expected.begin() + 1, other.expected.end());
  for (int64_t seed = 0; seed < 3; ++seed)
    give_labels(records[trial_named("star", "RTE", seed)], "dev", other, {"accuracy"});
  const Table table = labelled_table(records, kTasks);
  EXPECT_EQ(last_mark_in_column(table, kRte),
            "trials were measured on other items of dev than those that they are compared with; "
            "compare trials of the same data (trial dense-RTE-0)");
}

TEST(ItemTest, SaysOnceWhatKeepsManyCellsFromBeingCompared) {
  TrialRecords records = labelled_records();
  for (auto& [id, record] : records) record.items.clear();
  const Table table = labelled_table(records, kTasks);
  EXPECT_EQ(last_mark_in_column(table, kCola),
            "no predictions of the items of dev; compare over seeds (kind: paired_t) (trial "
            "star-CoLA-0 and 1 more)");
  EXPECT_EQ(last_mark_in_column(table, kRte), last_mark_in_column(table, kCola));
  EXPECT_EQ(last_mark_in_column(table, kAverage), last_mark_in_column(table, kCola));
  EXPECT_EQ(make_sheet(table).footnotes.size(), 1u);
}

TEST(ItemTest, RefusesAMeanOfColumnsThatAreNotMetrics) {
  const Table table =
      labelled_table(labelled_records(),
                     "[{label: RTE, where: {task: RTE}}, {label: size, measurement: parameters, "
                     "where: {task: RTE}}, {label: both, mean_of: [RTE, size]}]");
  EXPECT_TRUE(table.cells[1][0].tests[0].p);
  EXPECT_EQ(last_mark_in_column(table, 2),
            "both is a mean with size, which is no metric of a trial; compare over seeds (kind: "
            "paired_t)");
}

}  // namespace
}  // namespace rethink::test
