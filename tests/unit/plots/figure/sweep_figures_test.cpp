#include "plots/figure/sweep_figures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/facts/job_facts.h"
#include "plots/figure/drawing/gnuplot.h"
#include "tests/support/throws_code.h"
#include "tests/unit/plots/figure_example.h"

namespace rethink::test {
namespace {

using testing::HasSubstr;

const std::string kBars = R"(figure: example/scores
kind: bars
sweep: s.yaml
stage: lm
metric: test/ppl
series:
  - {label: first, where: {arm: scaled, rate: 1}}
  - {label: second, where: {arm: scaled, rate: 2}}
)";

Example example_of_bars() {
  Example made;
  for (int64_t seed = 0; seed < 2; ++seed) {
    const double s = static_cast<double>(seed);
    add_trial(made, "scaled", "1", seed, 100 + s);
    add_trial(made, "scaled", "2", seed, 110 + s);
  }
  return made;
}

TEST(Bars, AreOneForEachSeriesFromTheTop) {
  const Figure figure = figure_of(kBars, example_of_bars());
  ASSERT_EQ(figure.series.size(), 1u);
  const std::vector<FigurePoint>& bars = figure.series[0].points;
  ASSERT_EQ(bars.size(), 2u);
  EXPECT_EQ(bars[0].label, "first");
  EXPECT_NEAR(bars[0].y, 100.5, 1e-12);
  EXPECT_EQ(bars[1].x, 1);
  EXPECT_EQ(bars[1].n, 2u);
  const std::string script = figure_script(figure, "scores");
  EXPECT_THAT(script, HasSubstr("set ytics (\"first\" 1, \"second\" 0)"));
  EXPECT_THAT(script, HasSubstr("set xrange [0:"));
  EXPECT_THAT(script, HasSubstr("with boxxyerror"));
}

/// Returns the script of kBars after `change` of each trial of one rate.
template <typename Change>
std::string script_where(const std::string& rate, Change change) {
  Example made = example_of_bars();
  for (auto& [id, record] : made.records) {
    if (id.starts_with("scaled-" + rate)) change(record);
  }
  const Figure figure = figure_of(kBars, made);
  EXPECT_EQ(figure.series.at(0).points.size(), 1u);
  return figure_script(figure, "scores");
}

TEST(Bars, SayWhyASeriesHasNoBars) {
  const auto diverges = [](TrialRecord& record) {
    record.values.clear();
    record.state = TrialState::diverged;
  };
  const std::string first = script_where("1", diverges);
  EXPECT_THAT(first, HasSubstr("set ytics (\"second\" 0, \"first\" 1)"));
  EXPECT_THAT(first, HasSubstr("set label \"diverged\" at graph 0, first 1 "));
  const std::string last = script_where("2", diverges);
  EXPECT_THAT(last, HasSubstr("set ytics (\"first\" 1, \"second\" 0)"));
  EXPECT_THAT(last, HasSubstr("set label \"diverged\" at graph 0, first 0 "));
  const auto waits = [](TrialRecord& record) {
    record.values.clear();
    record.state = TrialState::ready;
  };
  EXPECT_THAT(script_where("1", waits), HasSubstr("set label \"missing\" "));
}

TEST(Bars, RefuseKeysOfOtherKinds) {
  EXPECT_THAT([] { figure_spec_of(kBars + "x: {label: rate}\n"); }, ThrowsCode("misplaced-key"));
  EXPECT_THAT([] { figure_spec_of(kBars + "y: {log: true}\n"); }, ThrowsCode("misplaced-key"));
}

/// One trial per arm, of a job with a loss and a score.
Plan plan_of_arms(Schema& schema) {
  schema.plugins["job"]["noop"] = {
      .registry = "job",
      .name = "noop",
      .summary = "",
      .options = {},
      .facts =
          JobFacts{.metrics = JobMetrics{.always = {"train/loss", "dev/score", "dev/score@last"},
                                         .score = "dev/score",
                                         .directions = {{"score", "max"}}}}};
  Plan plan;
  plan.sweep = "mine";
  for (const char* arm : {"plain", "star"}) {
    PlannedTrial& planned = plan.trials.emplace_back();
    planned.trial.id = arm;
    planned.trial.seed = 0;
    planned.trial.job = "noop";
    planned.stage = "train";
    planned.labels = {{"arm", arm}};
  }
  return plan;
}

TEST(SweepFigures, AreCurvesOfTheLossAndBarsOfTheScore) {
  Schema schema;
  const Plan plan = plan_of_arms(schema);
  const std::vector<FigureText> figures = figure_specs_of_sweep(plan, "mine.yaml", "train", schema);
  ASSERT_EQ(figures.size(), 2u);
  EXPECT_EQ(figures[0].name, "mine/train_curves");
  EXPECT_THAT(figures[0].text, HasSubstr("kind: curves\nsweep: mine.yaml\nstage: train\n"
                                         "metric: train/loss\nseries:\n"
                                         "  - {label: plain, where: {arm: plain}}\n"));
  EXPECT_EQ(figures[1].name, "mine/train_scores");
  EXPECT_THAT(figures[1].text, HasSubstr("kind: bars"));
  EXPECT_THAT(figures[1].text, HasSubstr("metric: dev/score@last"));
  for (const FigureText& figure : figures)
    EXPECT_EQ(figure_spec_of(figure.text).name(), figure.name);
}

}  // namespace
}  // namespace rethink::test
