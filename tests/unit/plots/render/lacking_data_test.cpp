// Tables and figures of trials without an id, since the contents of a file that they read are unknown.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plots/render/renderer.h"
#include "plots/table/cells/cell.h"
#include "plots/table/notes.h"
#include "tests/unit/plots/figure_example.h"
#include "tests/unit/plots/fixture.h"

namespace rethink::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

const std::string kAdvice = "`rethink data get glue/cola`";

/// Returns the example's plans, in which trials of CoLA have no id.
Plans plans_without_cola() {
  Plans plans = example_plans();
  for (PlannedTrial& planned : plans.at(kSweep).trials) {
    if (planned.labels.at("task") != "CoLA") continue;
    planned.trial.id.clear();
    planned.lacks = {kAdvice};
  }
  return plans;
}

TEST(LackingData, KeepsThePapersNumbersAndMeasuredValues) {
  const Table table = table_of(kExampleSpec, plans_without_cola(), example_records());
  const Cell &cola = table.cells[1][0], &rte = table.cells[1][1], &mean = table.cells[1][2];
  EXPECT_EQ(cola.paper->text, "0.51*");
  EXPECT_FALSE(cola.value);
  EXPECT_TRUE(cola.incomplete());
  EXPECT_THAT(cola.trials, IsEmpty());
  EXPECT_EQ(cola.planned(), 3u);
  EXPECT_THAT(cola.lacking, ElementsAre(Pair(0, ElementsAre(MarkKind::needs_data)),
                                        Pair(1, ElementsAre(MarkKind::needs_data)),
                                        Pair(2, ElementsAre(MarkKind::needs_data))));
  for (const Cell* cell : {&cola, &mean}) {
    ASSERT_EQ(cell->marks.size(), 1u);
    EXPECT_EQ(footnote_text(cell->marks[0]), "needs data: " + kAdvice);
  }
  EXPECT_TRUE(rte.value);
  EXPECT_EQ(table.incomplete_cells, 4u);
  EXPECT_TRUE(table.to_run.empty());
  EXPECT_EQ(table.num_trials(), 6u);
  EXPECT_EQ(whole(table.notes)[0],
            "NOT COMPLETE: 4 of 6 cells need data that is not here; name its folder with --data or "
            "RETHINK_DATA, or get it: " +
                kAdvice);
  const std::string csv = renderers().make("csv", Json::object())->table(table);
  EXPECT_THAT(csv, HasSubstr("dense,CoLA,dev/score@last,,,sd,0,3,0,0.49,,,,,,,,needs data,,"));
  // As docs/tables.md says: the command is not in csv, but in json.
  const Json json = Json::parse(renderers().make("json", Json::object())->table(table));
  EXPECT_EQ(json.at("rows").at(1).at("cells").at(0).at("marks"),
            Json::array({{{"mark", "needs data"}, {"text", kAdvice}}}));
}

TEST(LackingData, DiffersFromTrialsThatMustStillRun) {
  TrialRecords records = example_records();
  records.erase(trial_named("star", "RTE", 1));
  const Table table = table_of(kExampleSpec, plans_without_cola(), records);
  EXPECT_THAT(whole(table.notes)[0], HasSubstr("NOT COMPLETE: 4 of 6 cells need data"));
  EXPECT_THAT(whole(table.notes)[1],
              HasSubstr("NOT COMPLETE: 2 of 6 cells wait for trials, 1 of 6"));
  EXPECT_EQ(table.cells[1][2].marks.front().kind, MarkKind::needs_data);
}

TEST(LackingData, IsCountedForPlannedTrials) {
  Plans plans = plans_without_cola();
  Plan& plan = plans.at(kSweep);
  plan.profile = "small";
  std::erase_if(plan.trials,
                [](const PlannedTrial& planned) { return planned.labels.at("task") == "RTE"; });
  const Table table =
      table_of(with(kExampleSpec, "[{axis: task}", "[{axis: task, order: [CoLA, RTE]}"), plans, {});
  EXPECT_TRUE(table.cells[0][2].is_unplanned()) << "a mean, of which one part is not planned";
  EXPECT_THAT(whole(table.notes)[0], HasSubstr("NOT COMPLETE: 2 of 2 cells need data"));
}

TEST(LackingData, OfOneTrialOfASeedLeavesTheSeedWithoutANumber) {
  const std::string over_tasks = with(
      with(kExampleSpec, "columns: [{axis: task}, {label: Avg., mean_of: task}]",
           "over: [task]\ncolumns: [{label: all}]"),
      "paper:\n  dense: {CoLA: 0.49, RTE: 0.61, Avg.: 0.55}\n  Star: {CoLA: 0.51*, RTE: 0.60}\n",
      "");
  const Cell cell = table_of(over_tasks, plans_without_cola(), example_records()).cells[0][0];
  EXPECT_FALSE(cell.value);
  EXPECT_EQ(cell.trials.size(), 3u);  // of RTE
  EXPECT_EQ(cell.lacking.size(), 3u);
  EXPECT_TRUE(cell.has(MarkKind::needs_data));
}

TEST(LackingData, OfSomeCommandsNamesEach) {
  Plans plans = plans_without_cola();
  for (PlannedTrial& planned : plans.at(kSweep).trials) {
    if (planned.labels.at("task") != "RTE") continue;
    planned.trial.id.clear();
    planned.lacks = {"`rethink data get glue/rte`"};
  }
  const Table table = table_of(kExampleSpec, plans, {});
  EXPECT_EQ(footnote_text(table.cells[0][2].marks[0]),
            "needs data: " + kAdvice + "; `rethink data get glue/rte`");
  EXPECT_TRUE(table.cells[0][2].paper);
}

const std::string kLineFigure = R"(figure: f
sweep: s.yaml
stage: lm
metric: test/ppl
x: {axis: rate}
series: [{axis: arm}]
paper: {a: {0.1: 3}}
)";

TEST(LackingData, LeavesThePapersPointsOfAFigure) {
  Example example;
  for (const char* rate : {"0.1", "0.2"}) add_trial(example, "a", rate, 0, 5);
  for (PlannedTrial& planned : example.plans.at("s.yaml").trials) {
    planned.trial.id.clear();
    planned.lacks = {kAdvice};
  }
  const Figure figure = figure_of(kLineFigure, example);
  ASSERT_EQ(figure.series.size(), 1u);
  EXPECT_TRUE(figure.series[0].paper);
  EXPECT_FALSE(figure.complete());
  EXPECT_EQ(figure.caption[0], "no profile; nothing of ours has run");
  EXPECT_THAT(figure.caption[1], HasSubstr("NOT COMPLETE: 2 of 2 points need data"));
  const Figure without = figure_of(with(kLineFigure, "paper: {a: {0.1: 3}}\n", ""), example);
  EXPECT_TRUE(without.empty());
  EXPECT_THAT(without.why_empty(), HasSubstr("2 of 2 points need data that is not here"));
}

}  // namespace
}  // namespace rethink::test
