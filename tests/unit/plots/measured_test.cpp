// Measurements of the job bench in cells and figures.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "plots/render/sheet.h"
#include "tests/unit/plots/figure_example.h"

namespace rethink::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

TEST(Cell, OfATrialThatWasToEndAtALimitSaysSoAndIsNotIncomplete) {
  TrialRecords records = example_records(1);
  records[trial_named("star", "CoLA", 0)].measurements = {{"limit", 1}};
  records[trial_named("star", "RTE", 0)].measurements = {{"limit", 2}};
  const Table table =
      table_of(with(with(kExampleSpec, "[{axis: task}, {label: Avg., mean_of: task}]",
                         "[{axis: task, measurement: forward_ms}]"),
                    ", Avg.: 0.55", ""),
               example_plans(1), records);
  EXPECT_TRUE(table.cells[0][0].has(MarkKind::no_value));
  EXPECT_TRUE(table.cells[1][0].has(MarkKind::memory_limit));
  EXPECT_TRUE(table.cells[1][1].has(MarkKind::time_limit));
  EXPECT_FALSE(table.cells[1][0].incomplete());
  EXPECT_EQ(table.incomplete_cells, 2u);
}

TEST(Cell, OfAMeasurementThatIsEqualOnEverySeedShowsNoSpread) {
  TrialRecords records = example_records();
  for (auto& [id, record] : records) record.measurements = {{"parameters", 325460}};
  const auto table = [&] {
    return table_of(with(with(kExampleSpec, "[{axis: task}, {label: Avg., mean_of: task}]",
                              "[{axis: task, measurement: parameters}]"),
                         ", Avg.: 0.55", ""),
                    example_plans(), records);
  };
  const auto text = [&] { return make_sheet(table()).rows[0][0].text; };
  EXPECT_THAT(text(), AllOf(StartsWith("325460"), Not(HasSubstr("±"))));
  EXPECT_THAT(joined(whole(table().notes)),
              AllOf(HasSubstr("; mean over 3 seeds"), Not(HasSubstr("mean ±"))));
  records[trial_named("dense", "CoLA", 0)].measurements["parameters"] = 325461;
  EXPECT_THAT(text(), HasSubstr("±"));
}

TEST(Cell, OfATimeSaysWhetherOtherTrialsMayRunBeside) {
  TrialRecords records = example_records(1);
  for (auto& [id, record] : records) record.measurements = {{"step_ms", 3}, {"parameters", 7}};
  const auto mark_of = [&](const std::string& measurement, Plans plans) {
    const Table table =
        table_of(with(with(kExampleSpec, "[{axis: task}, {label: Avg., mean_of: task}]",
                           "[{axis: task, measurement: " + measurement + "}]"),
                      ", Avg.: 0.55", ""),
                 plans, records);
    return table.cells[0][0].has(MarkKind::not_alone);
  };
  EXPECT_TRUE(mark_of("step_ms", example_plans(1)));
  EXPECT_FALSE(mark_of("parameters", example_plans(1)));
  Plans kept_alone = example_plans(1);
  for (auto& [sweep, plan] : kept_alone) {
    StageResources alone;
    alone.alone = true;
    for (PlannedTrial& planned : plan.trials) planned.resources = alone;
  }
  EXPECT_FALSE(mark_of("step_ms", kept_alone));
}

const std::string kMeasured = R"(figure: example/speed
sweep: s.yaml
stage: lm
measurement: forward_ms
bars: [forward_low_ms, forward_high_ms]
x: {axis: rate}
series: {axis: arm}
)";

/// Arms A and B at rates 1 and 2; B ends before 2.
Example timed() {
  Example made;
  for (const char* arm : {"A", "B"}) {
    for (const char* rate : {"2", "1"}) add_trial(made, arm, rate, 0, 0);
  }
  for (auto& [id, record] : made.records)
    record.measurements = {{"forward_ms", 10}, {"forward_low_ms", 9}, {"forward_high_ms", 13}};
  made.records["B-2-0"].measurements = {{"limit", 1}};
  return made;
}

TEST(Figure, OfAMeasurementHasTheBarsThatItNames) {
  const Figure figure = figure_of(kMeasured, timed());
  EXPECT_EQ(figure.y.label, "forward_ms");
  ASSERT_EQ(figure.series.size(), 2u);
  const FigureSeries& a = figure.series[0];
  ASSERT_EQ(a.points.size(), 2u);
  EXPECT_EQ(a.points[1].y, 10);
  EXPECT_EQ(a.points[1].low(), 9);
  EXPECT_EQ(a.points[1].high(), 13);
  const Figure bare =
      figure_of(with(kMeasured, "bars: [forward_low_ms, forward_high_ms]\n", ""), timed());
  EXPECT_FALSE(bare.series[0].points[1].has_bar());
}

TEST(Figure, EndsACurveWhereItsTrialsMetALimit) {
  const Figure figure = figure_of(kMeasured, timed());
  EXPECT_TRUE(figure.complete());
  EXPECT_EQ(figure.series[0].points.back().label, "");
  ASSERT_EQ(figure.series[1].points.size(), 1u);
  EXPECT_EQ(figure.series[1].points[0].label, "memory limit");
  EXPECT_THAT(figure.caption,
              testing::Contains("not measured, beyond a limit: B from 2 on (memory limit)"));
}

TEST(Figure, RefusesAYThatItCannotRead) {
  const auto message = [](const std::string& from, const std::string& to) {
    try {
      figure_of(with(kMeasured, from, to), timed());
    } catch (const ConfigError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_THAT(message("measurement: forward_ms\nbars: [forward_low_ms, forward_high_ms]\n", ""),
              HasSubstr("a figure needs a metric: SPLIT/NAME, or a measurement: NAME"));
  EXPECT_THAT(
      message("measurement: forward_ms\nbars: [forward_low_ms, forward_high_ms]\n", "metric:\n"),
      HasSubstr("spec.yaml:4:1: error: a figure needs a metric: SPLIT/NAME"));
  EXPECT_THAT(message("measurement:", "metric: test/ppl\nmeasurement:"),
              HasSubstr("spec.yaml:5:14: error: y is a metric or a measurement, not both"));
  EXPECT_THAT(message("stage: lm", "stage: lm\nkind: curves"),
              HasSubstr("measurement goes with a figure of kind line"));
  EXPECT_THAT(message(", forward_high_ms", ""),
              HasSubstr("spec.yaml:5:8: error: bars: expected two measurements, [LOW, HIGH]"));
}

}  // namespace
}  // namespace rethink::test
