// Tables and figures of the same `over` show the same mean, spread and number of seeds.
#include <gtest/gtest.h>

#include "plots/table/cells/cell.h"
#include "results/statistics/statistics.h"
#include "tests/unit/plots/figure_example.h"

namespace rethink::test {
namespace {

const std::string kTable =
    "table: t\nsweep: s.yaml\nstage: lm\nmetric: test/ppl\nover: [rate]\nspread: sem\nrows: {axis: "
    "arm}\n";
const std::string kCurves =
    "figure: c\nkind: curves\nsweep: s.yaml\nstage: lm\nmetric: train/loss\nover: [rate]\nspread: "
    "sem\nseries: {axis: arm}\n";

/// Returns one arm with rates 1 and 2 of three seeds; each curve ends at the table's value.
Example averaged() {
  Example made;
  for (int64_t seed = 0; seed < 3; ++seed) {
    for (const char* rate : {"1", "2"}) {
      const double value = static_cast<double>(seed * seed) + (*rate == '1' ? 10 : 13);
      add_trial(made, "arm", rate, seed, value);
      made.curves[fmt::format("arm-{}-{}", rate, seed)] = {{1, value}};
    }
  }
  return made;
}

Cell cell_of_table(const Example& made) {
  const SpecFile file(kTable);
  const TableSpec spec = read_table_spec(file.path());
  return make_table(spec, make_grid(spec, made.plans), made.records).cells[0][0];
}

void expect_same(const Example& made, size_t seeds) {
  const Cell cell = cell_of_table(made);
  const Figure figure = figure_of(kCurves, made);
  ASSERT_EQ(figure.series.size(), 1u);
  ASSERT_EQ(figure.series[0].points.size(), 1u);
  const FigurePoint& point = figure.series[0].points[0];
  EXPECT_EQ(cell.samples.size(), seeds);
  EXPECT_EQ(point.n, seeds);
  EXPECT_EQ(point.y, *cell.value);
  EXPECT_EQ(point.spread, cell.spread);
  EXPECT_NE(figure.caption[0].find(fmt::format("over {} seeds", seeds)), std::string::npos)
      << figure.caption[0];
}

TEST(SeedMean, IsTheSameInTablesAndCurves) {
  const Example made = averaged();
  expect_same(made, 3);
  const std::vector<double> means = {11.5, 12.5, 15.5};
  EXPECT_DOUBLE_EQ(*cell_of_table(made).value, mean(means));
  EXPECT_DOUBLE_EQ(*cell_of_table(made).spread, *standard_error(means));
}

TEST(SeedMean, LeavesOutASeedThatLacksATrial) {
  Example made = averaged();
  made.records.erase("arm-2-1");
  made.curves.erase("arm-2-1");
  expect_same(made, 2);
  EXPECT_DOUBLE_EQ(*cell_of_table(made).value, 13.5);
}

TEST(SeedMean, OfCurvesSaysThatNoSeedIsWhole) {
  Example made = averaged();
  for (int64_t seed = 0; seed < 3; ++seed) {
    made.records.erase(fmt::format("arm-1-{}", seed));
    made.curves.erase(fmt::format("arm-1-{}", seed));
  }
  const Figure figure = figure_of(kCurves, made);
  ASSERT_TRUE(figure.empty());
  EXPECT_FALSE(figure.complete());
  EXPECT_EQ(figure.why_empty(), "no seed has all of its trials yet");
}

TEST(SeedMean, OfEqualValuesIsThatValue) {
  EXPECT_EQ(mean_of_trials({0.1, 0.1, 0.1}), 0.1);
}

}  // namespace
}  // namespace rethink::test
