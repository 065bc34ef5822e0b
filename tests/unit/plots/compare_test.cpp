#include "plots/compare.h"

#include <gtest/gtest.h>

#include "tests/unit/plots/fixture.h"

namespace rethink::test {
namespace {

TEST(Cell, IsMarkedWhenArmsAreUnlike) {
  TrialRecords records = example_records();
  for (int64_t seed = 0; seed < 3; ++seed) {
    records[trial_named("star", "CoLA", seed)].measurements["parameters"] = 1010;
    records[trial_named("star", "RTE", seed)].device = "cuda";
  }
  const Table table = table_of(kExampleSpec, example_plans(), records);
  ASSERT_TRUE(table.cells[1][0].has(MarkKind::unlike));
  EXPECT_EQ(table.cells[1][0].marks[0].text, "parameters: 1010 against 1000 of dense");
  EXPECT_EQ(table.cells[1][1].marks[0].text, "device: cuda against cpu of dense");
}

TEST(Cell, MadeOfCellsOfUnlikeArmsIsMarkedAsTheyAre) {
  TrialRecords records = example_records();
  for (int64_t seed = 0; seed < 3; ++seed)
    records[trial_named("star", "RTE", seed)].measurements["parameters"] = 1010;
  const std::string text = with(kExampleSpec, "{label: Avg., mean_of: task}]",
                                "{label: Avg., mean_of: task}, {label: r, ratio: [RTE, CoLA]}]");
  const Table table = table_of(text, example_plans(), records);
  EXPECT_FALSE(table.cells[1][0].has(MarkKind::unlike));
  for (const size_t column : {1, 2, 3}) {
    ASSERT_TRUE(table.cells[1][column].has(MarkKind::unlike)) << column;
    EXPECT_EQ(table.cells[1][column].marks[0].text, "parameters: 1010 against 1000 of dense");
    EXPECT_FALSE(table.cells[0][column].has(MarkKind::unlike)) << column;
  }
}

TEST(Cell, IsUnlikeWhenAnyOfItsTrialsIs) {
  TrialRecords records = example_records();
  records[trial_named("star", "CoLA", 2)].measurements["parameters"] = 1010;
  Table table = table_of(kExampleSpec, example_plans(), records);
  ASSERT_TRUE(table.cells[1][0].has(MarkKind::unlike));
  EXPECT_EQ(table.cells[1][0].marks[0].text, "parameters: 1000 and 1010 against 1000 of dense");

  // What the baseline lacks may still come.
  records.erase(trial_named("dense", "CoLA", 0));
  table = table_of(kExampleSpec, example_plans(), records);
  EXPECT_FALSE(table.cells[1][0].has(MarkKind::unlike));
}

}  // namespace
}  // namespace rethink::test
