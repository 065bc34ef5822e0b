// Translations are compared by the counts of their sentences for BLEU.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "datasets/scores/bleu.h"
#include "plots/table/cells/item_metric.h"
#include "plots/table/cells/item_test.h"
#include "tests/unit/plots/fixture.h"

namespace rethink::test {
namespace {

using testing::HasSubstr;

const ItemMetrics kBleu = {{"bleu", {.of_counts = bleu_of_counts}}};

/// Returns 200 sentences of 10 words whose first `right` words equal the reference's; in every other sentence one word less.
ItemOutcomes sentences(int64_t right) {
  ItemOutcomes items;
  for (int64_t i = 0; i < 200; ++i) {
    const int64_t own = right - i % 2;
    items.bleu_counts.push_back({own, own - 1, own - 2, own - 3, 10, 9, 8, 7, 10, 10});
    items.nll.push_back(1);
    items.tokens.push_back(10);
  }
  return items;
}

/// One word of ten is right in star's sentences and wrong in dense's.
TrialRecords translated_records() {
  TrialRecords records = example_records();
  for (auto& [id, record] : records) {
    const ItemOutcomes items = sentences(id.starts_with("dense") ? 7 : 8);
    record.items["test"] = items;
    record.values["test/bleu@best"] = metric_on_all(items, kBleu.at("bleu"));
  }
  return records;
}

Table bleu_table(const TrialRecords& records) {
  const SpecFile file(with(with(kExampleSpec, "metric: dev/score", "metric: test/bleu@best"),
                           "test: {baseline: dense}",
                           "test: {baseline: dense, kind: paired_bootstrap}"));
  const TableSpec spec = read_table_spec(file.path());
  const Plans plans = example_plans();
  return make_table(spec, make_grid(spec, plans), records, kBleu);
}

/// Returns the last mark in star's cell of CoLA.
std::string last_mark_on_cola(const Table& table) {
  return table.cells[1][0].marks.back().text;
}

TEST(BleuItemTest, ComparesTranslationsByTheCountsOfTheirSentences) {
  const Table table = bleu_table(translated_records());
  const Cell& cell = table.cells[1][0];
  ASSERT_TRUE(cell.delta_interval);
  // The numbers of matching n-grams, of 10 words, 9 pairs, 8 triples and 7 quadruples; half of the sentences have one match less.
  const auto bleu = [](double right) {
    return 100 * std::pow(right / 10 * (right - 1) / 9 * (right - 2) / 8 * (right - 3) / 7, 0.25);
  };
  EXPECT_NEAR(*cell.delta, bleu(7.5) - bleu(6.5), 1e-9);
  EXPECT_LT(cell.delta_interval->low, *cell.delta);
  EXPECT_GT(cell.delta_interval->high, *cell.delta);
  EXPECT_LT(cell.delta_interval->high - cell.delta_interval->low, 1);
  EXPECT_TRUE(cell.tests[0].significant);
}

TEST(BleuItemTest, SaysWhatToDoWithTranslationsOfBefore) {
  TrialRecords records = translated_records();
  records[trial_named("star", "CoLA", 2)].items.at("test").bleu_counts.clear();
  const Table table = bleu_table(records);
  ASSERT_TRUE(table.cells[1][0].has(MarkKind::not_comparable));
  EXPECT_EQ(last_mark_on_cola(table),
            "bleu does not follow from these predictions, which an older version left: rm of the "
            "trial and a new run of its sweep make them again; or compare over seeds (kind: "
            "paired_t) (trial star-CoLA-2)");
  EXPECT_TRUE(table.cells[1][1].tests[0].p);
}

TEST(BleuItemTest, ComparesNoTranslationsOfOtherReferences) {
  TrialRecords records = translated_records();
  ItemOutcomes& other = records[trial_named("star", "CoLA", 2)].items.at("test");
  other.bleu_counts[3][9] += 1;  // the number of words is the same, so that BLEU does not change
  other.bleu_counts[4][9] -= 1;
  const Table table = bleu_table(records);
  ASSERT_TRUE(table.cells[1][0].has(MarkKind::not_comparable));
  EXPECT_THAT(last_mark_on_cola(table), HasSubstr("trials were measured on other items of test"));
}

}  // namespace
}  // namespace rethink::test
