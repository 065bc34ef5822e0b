#include "plots/table/sweep_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "core/facts/job_facts.h"
#include "core/facts/metric_facts.h"
#include "plots/spec_text.h"
#include "plots/stage_layout.h"
#include "plots/table/score_names.h"
#include "tests/support/throws_code.h"
#include "tests/unit/plots/fixture.h"

namespace rethink::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::ThrowsMessage;

using Labels = std::map<std::string, std::string>;

/// Returns a schema with a job that measures evaluate.metric, one that chooses, and one without a score.
Schema schema_of_jobs() {
  Schema schema;
  const auto add_job = [&](const std::string& name, const JobFacts& facts) {
    schema.plugins["job"][name] = {
        .registry = "job", .name = name, .summary = name, .options = {}, .facts = facts};
  };
  add_job("train",
          {.metrics = JobMetrics{.splits = "evaluate.splits",
                                 .of = "metric",
                                 .finals = {{"@last", std::nullopt}, {"@best", std::nullopt}}}});
  add_job("select", {.chooses_by = "by"});
  add_job("bench", {});
  const auto add_metric = [&](const std::string& name, const MetricFacts& facts) {
    schema.plugins["metric"][name] = {
        .registry = "metric", .name = name, .summary = name, .options = {}, .facts = facts};
  };
  add_metric("perplexity", {.direction = "min", .least = 1});
  add_metric("mcc", {.direction = "max", .least = -1, .most = 1});
  return schema;
}

/// One trial of stage "train" for each of `labels` and of two seeds.
Plan plan_of(const std::vector<Labels>& labels, const std::string& metric = "perplexity") {
  Plan plan;
  plan.sweep = "mine";
  for (const Labels& each : labels) {
    for (const int64_t seed : {0, 1}) {
      PlannedTrial& planned = plan.trials.emplace_back();
      planned.trial.id = fmt::format("t{}", plan.trials.size());
      planned.trial.seed = seed;
      planned.trial.job = "train";
      planned.trial.config = {
          {"evaluate", {{"metric", metric}, {"splits", {"dev", "test"}}, {"keep", "best"}}}};
      planned.stage = "train";
      planned.labels = each;
    }
  }
  return plan;
}

std::string spec_of(const Plan& plan) {
  return table_spec_of_sweep(plan, "mine.yaml", "train", schema_of_jobs());
}

/// The labels of the rows and columns that the spec gives, and of every cell the number of its trials.
struct Filled {
  std::vector<std::string> rows, columns;
  std::vector<std::vector<size_t>> trials;
};

Filled filled(const Plan& plan) {
  const SpecFile file(spec_of(plan));
  const TableSpec spec = read_table_spec(file.path());
  const Plans plans = {{"mine.yaml", plan}};
  const Grid grid = make_grid(spec, plans);
  Filled found;
  for (const GridLine& row : grid.rows) found.rows.push_back(row.label);
  for (const GridLine& column : grid.columns) found.columns.push_back(column.label);
  for (const auto& row : grid.trials) {
    std::vector<size_t>& counts = found.trials.emplace_back();
    for (const CellTrials& cell : row) counts.push_back(cell.size());
  }
  return found;
}

TEST(SweepTable, HasARowForEachValueOfItsOnlyAxis) {
  const Plan plan = plan_of({{{"rate", "0.5"}}, {{"rate", "1"}}});
  EXPECT_THAT(spec_of(plan), HasSubstr("metric: test/perplexity@best\nrows: {axis: rate}\n"
                                       "direction: min\ndecimals: 2\nseeds: 2\n"));
  const Filled table = filled(plan);
  EXPECT_THAT(table.rows, ElementsAre("0.5", "1"));
  EXPECT_THAT(table.columns, ElementsAre("test/perplexity@best"));
  EXPECT_THAT(table.trials, ElementsAre(ElementsAre(2), ElementsAre(2)));
}

TEST(SweepTable, HasTheFastestOfSeveralAxesInItsColumns) {
  const Filled table = filled(plan_of({{{"arm", "dense"}, {"lr", "0.1"}},
                                       {{"arm", "dense"}, {"lr", "0.2"}},
                                       {{"arm", "star"}, {"lr", "0.1"}},
                                       {{"arm", "star"}, {"lr", "0.2"}}}));
  EXPECT_THAT(table.rows, ElementsAre("dense", "star"));
  EXPECT_THAT(table.columns, ElementsAre("lr=0.1", "lr=0.2"));
  EXPECT_THAT(table.trials, ElementsAre(ElementsAre(2, 2), ElementsAre(2, 2)));
}

TEST(SweepTable, NamesEveryRemainingCombination) {
  const Filled table = filled(plan_of({{{"arm", "dense"}, {"lr", "0.1"}, {"task", "a"}},
                                       {{"arm", "dense"}, {"lr", "0.1"}, {"task", "b"}},
                                       {{"arm", "dense"}, {"lr", "0.2"}, {"task", "a"}},
                                       {{"arm", "dense"}, {"lr", "0.2"}, {"task", "b"}},
                                       {{"arm", "star"}, {"lr", "0.1"}, {"task", "a"}}}));
  EXPECT_THAT(table.rows, ElementsAre("dense, lr=0.1", "dense, lr=0.2", "star, lr=0.1"));
  EXPECT_THAT(table.columns, ElementsAre("a", "b"));
  EXPECT_THAT(table.trials, ElementsAre(ElementsAre(2, 2), ElementsAre(2, 2), ElementsAre(2, 0)));
}

TEST(SweepTable, HasRowsAloneWhereAnAxisIsNotOfEveryTrial) {
  const Filled table = filled(plan_of({{{"arm", "dense"}},
                                       {{"arm", "star"}, {"rate", "0.1"}},
                                       {{"arm", "star"}, {"rate", "0.2"}}}));
  EXPECT_THAT(table.rows, ElementsAre("dense", "star, rate=0.1", "star, rate=0.2"));
  EXPECT_THAT(table.trials, ElementsAre(ElementsAre(2), ElementsAre(2), ElementsAre(2)));
}

TEST(SweepTable, HasRowsAloneWhereAxesChangeTogether) {
  const Filled table =
      filled(plan_of({{{"lr", "0.1"}, {"steps", "10"}}, {{"lr", "0.2"}, {"steps", "20"}}}));
  EXPECT_THAT(table.rows, ElementsAre("lr=0.1, steps=10", "lr=0.2, steps=20"));
}

TEST(SweepTable, HasRowsAloneForRandomDraws) {
  const Filled table = filled(plan_of({{{"lr", "0.1"}, {"rate", "7"}},
                                       {{"lr", "0.2"}, {"rate", "4"}},
                                       {{"lr", "0.3"}, {"rate", "4"}},
                                       {{"lr", "0.2"}, {"rate", "9"}}}));
  EXPECT_THAT(table.rows,
              ElementsAre("lr=0.1, rate=7", "lr=0.2, rate=4", "lr=0.3, rate=4", "lr=0.2, rate=9"));
  EXPECT_THAT(table.trials,
              ElementsAre(ElementsAre(2), ElementsAre(2), ElementsAre(2), ElementsAre(2)));
}

TEST(SweepTable, KeepsItsColumnsWhereTheSweepLeavesOutFewPoints) {
  const Filled table = filled(plan_of({{{"arm", "dense"}, {"lr", "0.1"}},
                                       {{"arm", "dense"}, {"lr", "0.2"}},
                                       {{"arm", "star"}, {"lr", "0.1"}}}));
  EXPECT_THAT(table.rows, ElementsAre("dense", "star"));
  EXPECT_THAT(table.columns, ElementsAre("lr=0.1", "lr=0.2"));
}

TEST(SweepTable, NamesItsAxesInTheTitle) {
  EXPECT_THAT(spec_of(plan_of({{{"arm", "dense"}, {"lr", "0.1"}, {"rate", "1"}},
                               {{"arm", "star"}, {"lr", "0.2"}, {"rate", "2"}}})),
              HasSubstr("title: \"test/perplexity@best by arm, lr and rate\"\n"));
}

TEST(SweepTable, SelectsValuesThatAllTrialsShare) {
  const Plan plan =
      plan_of({{{"arm", "dense"}, {"task", "a: b"}}, {{"arm", "star"}, {"task", "a: b"}}});
  EXPECT_THAT(spec_of(plan), HasSubstr("where: {task: \"a: b\"}\nrows: {axis: arm}\n"));
  EXPECT_THAT(filled(plan).trials, ElementsAre(ElementsAre(2), ElementsAre(2)));
}

TEST(SweepTable, HasOneRowWithoutAnAxis) {
  const Filled table = filled(plan_of({{}}));
  EXPECT_THAT(table.rows, ElementsAre("train"));
  EXPECT_THAT(table.trials, ElementsAre(ElementsAre(2)));
}

TEST(SweepTable, SaysTheMetricOfEachDataSet) {
  Plan plan = plan_of({{{"arm", "dense"}, {"task", "CoLA"}},
                       {{"arm", "dense"}, {"task", "text"}},
                       {{"arm", "star"}, {"task", "CoLA"}},
                       {{"arm", "star"}, {"task", "text"}}});
  for (PlannedTrial& planned : plan.trials) {
    const bool is_cola = planned.labels.at("task") == "CoLA";
    planned.trial.config["data"] = {{"dataset", is_cola ? "glue/cola" : "kjv"}};
    planned.trial.config["evaluate"]["metric"] = is_cola ? "mcc" : "perplexity";
  }
  EXPECT_THAT(spec_of(plan),
              HasSubstr("  - {label: CoLA test/mcc@best, where: {task: CoLA}, metric: "
                        "test/mcc@best, decimals: 4, direction: max}\n"
                        "  - {label: text test/perplexity@best, where: {task: text}, metric: "
                        "test/perplexity@best, decimals: 2, direction: min}\n"));
  EXPECT_THAT(filled(plan).trials, ElementsAre(ElementsAre(2, 2), ElementsAre(2, 2)));
}

TEST(SweepTable, HasAScoreWithoutANameWhereRowsMixMetrics) {
  Plan plan = plan_of({{{"task", "CoLA"}}, {{"task", "text"}}});
  for (PlannedTrial& planned : plan.trials) {
    if (planned.labels.at("task") == "CoLA") planned.trial.config["evaluate"]["metric"] = "mcc";
  }
  EXPECT_THAT(spec_of(plan),
              HasSubstr("metric: test/score@best\nrows: {axis: task}\ndecimals: 4\n"));
}

TEST(SweepTable, RefusesAStageWithoutAScore) {
  Plan plan = plan_of({{}});
  for (PlannedTrial& planned : plan.trials) planned.trial.job = "bench";
  EXPECT_THAT([&] { spec_of(plan); }, ThrowsCode("no-score"));
  EXPECT_THAT([&] { stage_to_show(plan, "", schema_of_jobs()); }, ThrowsCode("no-score"));
}

TEST(SweepTable, ShowsTheFirstStageThatNoOtherNeeds) {
  Plan plan = plan_of({{{"lr", "0.1"}}, {{"lr", "0.2"}}});
  PlannedTrial chosen = plan.trials.front();
  chosen.stage = "best";
  chosen.labels.clear();
  chosen.trial.job = "select";
  chosen.trial.id = "best";
  chosen.trial.needs = {{"from", {"t1", "t3"}}};
  plan.trials.push_back(chosen);
  const Schema schema = schema_of_jobs();
  EXPECT_EQ(stage_to_show(plan, "", schema), "best");
  EXPECT_EQ(stage_to_show(plan, "train", schema), "train");
  EXPECT_THAT([&] { stage_to_show(plan, "trian", schema); },
              ThrowsMessage<ConfigError>(HasSubstr("did you mean 'train'?")));
  EXPECT_EQ(layout_of(plan, "best", schema).scores.front()->metric, "test/perplexity@best");
  EXPECT_THAT(table_spec_of_sweep(plan, "mine.yaml", "best", schema), Not(HasSubstr("axis")));
}

TEST(ScoreNames, AreSaidWhereATableShowsAScore) {
  Plan plan = plan_of({{{"task", "CoLA"}}, {{"task", "text"}}});
  const auto note = [&] {
    const SpecFile file(
        "table: t\nsweep: mine.yaml\nstage: train\nmetric: test/score\n"
        "rows: [{label: all}]\ncolumns: {axis: task}\n");
    const TableSpec spec = read_table_spec(file.path());
    const Plans plans = {{"mine.yaml", plan}};
    const Grid grid = make_grid(spec, plans);
    return note_on_score_names(make_table(spec, grid, {}).columns, grid, schema_of_jobs());
  };
  EXPECT_EQ(note(), "score: perplexity");
  for (PlannedTrial& planned : plan.trials) {
    if (planned.labels.at("task") == "CoLA") planned.trial.config["evaluate"]["metric"] = "mcc";
  }
  EXPECT_EQ(note(), "score: mcc (CoLA), perplexity (text)");
}

TEST(SpecWord, IsReadBackAsItWas) {
  for (const std::string text :
       {"dense",       "0.1", "-1e-05", "a b", "a: b", "[1, 2]",    "#x",  "'4'",
        "\"",          "*",   "-",      "- a", "",     "no wonder", "x,y", "\xC3\xA9",
        "tab\tline\n", "&a",  "!b",     "%c",  "{",    "?",         "a#b", "a #b"}) {
    Problems problems;
    const Yaml read = parse_yaml("{key: " + spec_word(text) + "}", "t", problems);
    ASSERT_NE(read.find("key"), nullptr) << text;
    EXPECT_EQ(read.find("key")->scalar, text);
  }
  EXPECT_FALSE(parse_yaml("{key: " + spec_word("1") + "}", "t").find("key")->quoted);
}

}  // namespace
}  // namespace rethink::test
