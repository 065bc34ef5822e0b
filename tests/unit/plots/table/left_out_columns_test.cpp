#include "plots/table/lines/left_out_columns.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/plots/fixture.h"

namespace rethink::test {
namespace {

using testing::ElementsAre;
using testing::Pair;

const std::string kTwoSweeps = R"(table: t
sweep: sweeps/gone.yaml
stage: finetune
metric: dev/score
rows: [{label: dense, where: {arm: dense}}, {label: star, where: {arm: star}}]
columns:
  - {label: first}
  - {label: CoLA, sweep: sweeps/example.yaml, where: {task: CoLA}}
  - {label: RTE, sweep: sweeps/example.yaml, where: {task: RTE}}
  - {label: mean, mean_of: [first, CoLA]}
  - {label: tasks, mean_of: [CoLA, RTE]}
  - {label: copied, published: not run}
direction: max
test: {baseline: dense}
paper: {dense: {first: 1, CoLA: 0.49}, star: {mean: 2}}
notes: [{text: about first, columns: [first]}, {text: about CoLA, columns: [CoLA]}, {text: of one, profiles: [gone]}]
)";

TableSpec spec_of(const std::string& text) {
  const SpecFile file(text);
  return read_table_spec(file.path());
}

std::vector<std::string> labels_of(const TableSpec& spec) {
  std::vector<std::string> labels;
  for (const LineSpec& column : spec.columns) labels.push_back(column.label);
  return labels;
}

const RefusedSweeps kGone = {{"sweeps/gone.yaml", "no trees"}};

TEST(LeftOutColumns, AreThoseOfRefusedSweepsAndTheirMeans) {
  TableSpec spec = spec_of(kTwoSweeps);
  ASSERT_TRUE(leave_out_columns(spec, kGone));
  EXPECT_THAT(labels_of(spec), ElementsAre("CoLA", "RTE", "tasks", "copied"));
  EXPECT_THAT(spec.left_out, ElementsAre(Pair("first", "no trees"), Pair("mean", "no trees")));
}

TEST(LeftOutColumns, LeaveATableOfTheOthers) {
  TableSpec spec = spec_of(kTwoSweeps);
  ASSERT_TRUE(leave_out_columns(spec, kGone));
  const Plans plans = example_plans();
  const Table table = make_table(spec, make_grid(spec, plans), example_records());
  EXPECT_NEAR(*table.cells[0][0].value, 0.51, 1e-12);
  EXPECT_NEAR(*table.cells[0][2].value, 0.56, 1e-12);
  EXPECT_EQ(table.cells[0][0].paper->text, "0.49");
  EXPECT_THAT(whole(table.notes), testing::Contains("about CoLA"));
  EXPECT_THAT(whole(table.notes), testing::Not(testing::Contains("about first")));
}

TEST(LeftOutColumns, OfAnAxisHaveTheNamesOfItsValues) {
  TableSpec spec = spec_of(
      with(kTwoSweeps, "{label: first}",
           "{axis: task, sweep: sweeps/gone.yaml, order: [first, 2], labels: {2: second}}"));
  ASSERT_TRUE(leave_out_columns(spec, kGone));
  EXPECT_THAT(labels_of(spec), ElementsAre("CoLA", "RTE", "tasks", "copied"));
  EXPECT_TRUE(spec.left_out.contains("second"));
}

TEST(LeftOutColumns, AreEmptyIfNoTableIsLeft) {
  TableSpec all = spec_of(kTwoSweeps);
  EXPECT_FALSE(leave_out_columns(
      all, {{"sweeps/gone.yaml", "no trees"}, {"sweeps/example.yaml", "no text"}}));
  TableSpec row = spec_of(
      with(kTwoSweeps, "{label: star, where", "{label: star, sweep: sweeps/gone.yaml, where"));
  EXPECT_FALSE(leave_out_columns(row, kGone));
  TableSpec axis = spec_of(
      with(kTwoSweeps, "[{label: dense, where: {arm: dense}}, {label: star, where: {arm: star}}]",
           "{axis: arm}"));
  EXPECT_FALSE(leave_out_columns(axis, kGone));
}

}  // namespace
}  // namespace rethink::test
