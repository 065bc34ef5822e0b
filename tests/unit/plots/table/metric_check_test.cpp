#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/config/schema.h"
#include "core/error.h"
#include "core/facts/job_facts.h"
#include "plots/table/lines/fold.h"
#include "plots/table/lines/value_check.h"
#include "tests/unit/plots/fixture.h"

namespace rethink::test {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

/// Returns a schema with a job that records its loss and the requested splits, and a job that chooses.
Schema example_schema() {
  Schema schema;
  PluginSchema& lm = schema.plugins["job"]["lm"];
  lm.name = "lm";
  lm.facts =
      JobFacts{.outputs = {"mask", "importance"},
               .metrics = JobMetrics{.always = {"train/loss"},
                                     .splits = "splits",
                                     .of = "metric",
                                     .finals = {{"@last", std::nullopt}, {"@best", std::nullopt}}}};
  PluginSchema& select = schema.plugins["job"]["select"];
  select.name = "select";
  select.facts = JobFacts{.chooses_by = "by"};
  return schema;
}

/// Returns the trials of example_plans as jobs "lm". With `chosen`, a select stage is between them and the table.
Plans plans_of_lm(bool chosen) {
  Plans plans = example_plans(1);
  std::vector<PlannedTrial>& trials = plans.at(kSweep).trials;
  for (PlannedTrial& planned : trials) {
    planned.trial.job = "lm";
    planned.trial.config["splits"] = std::vector<std::string>{"dev"};
  }
  if (!chosen) return plans;
  std::vector<PlannedTrial> choices = trials;
  for (PlannedTrial& planned : choices) {
    planned.trial.needs = {{"from", {planned.trial.id}}};
    planned.trial.id += "-best";
    planned.trial.job = "select";
    planned.trial.config = {{"by", "dev/score"}};
    planned.trial.seed.reset();
  }
  for (PlannedTrial& planned : trials) planned.stage = "candidates";
  trials.insert(trials.end(), choices.begin(), choices.end());
  return plans;
}

void check(const std::string& text, const Plans& plans, const Schema& schema = example_schema()) {
  const SpecFile file(text);
  const TableSpec spec = read_table_spec(file.path());
  Grid grid = make_grid(spec, plans);
  check_metrics(spec, grid, plans, schema);
}

TEST(MetricCheck, TakesWhatTheTrialsWillRecord) {
  EXPECT_NO_THROW(check(kExampleSpec, plans_of_lm(false)));
  EXPECT_NO_THROW(check(with(kExampleSpec, "dev/score", "dev/score@best"), plans_of_lm(true)));
}

TEST(MetricCheck, TakesACurveOfEachLayer) {
  Schema schema = example_schema();
  JobFacts facts = schema.find("job", "lm")->facts.as<JobFacts>();
  facts.metrics->numbered = {"train/attention_entropy"};
  schema.plugins["job"]["lm"].facts = facts;
  EXPECT_NO_THROW(check(with(kExampleSpec, "dev/score", "train/attention_entropy_12@tail"),
                        plans_of_lm(false), schema));
  for (const char* name : {"train/attention_entropy_@tail", "train/attention_entropy_1a@tail"}) {
    EXPECT_THAT([&] { check(with(kExampleSpec, "dev/score", name), plans_of_lm(false), schema); },
                ThrowsMessage<ConfigError>(HasSubstr("which stage")));
  }
}

TEST(MetricCheck, RefusesAMetricThatNoTrialWillHave) {
  for (const bool chosen : {false, true}) {
    EXPECT_THAT(
        [&] { check(with(kExampleSpec, "dev/score", "dev/scor@best"), plans_of_lm(chosen)); },
        ThrowsMessage<ConfigError>(testing::AllOf(
            HasSubstr("spec.yaml:5:"), HasSubstr("got 'dev/scor@best', which stage"),
            HasSubstr("did you mean 'dev/score@best'?; it will have: dev/score@best\n"))));
  }
  EXPECT_THAT([&] { check(with(kExampleSpec, "dev/score", "test/score"), plans_of_lm(false)); },
              ThrowsMessage<ConfigError>(HasSubstr("got 'test/score@last'")));
  EXPECT_THAT([&] { check(with(kExampleSpec, "dev/score", "dev+test/score"), plans_of_lm(false)); },
              ThrowsMessage<ConfigError>(HasSubstr("got 'test/score@last'")));
}

TEST(MetricCheck, RefusesACurveThatHasNoFinalValue) {
  for (const std::string metric : {"train/loss", "train/loss@best"}) {
    const std::string asked = metric == "train/loss" ? metric + "@last" : metric;
    EXPECT_THAT([&] { check(with(kExampleSpec, "dev/score", metric), plans_of_lm(false)); },
                ThrowsMessage<ConfigError>(HasSubstr(
                    "spec.yaml:5:9: error: metric: got '" + asked +
                    "', which stage 'finetune' (job lm) will not have: train/loss is a curve "
                    "without a final value, for a figure of kind curves or, in a table, "
                    "train/loss@tail; it "
                    "will have: dev/score" +
                    asked.substr(asked.find('@')) + "\n")));
  }
}

TEST(MetricCheck, TakesTheTailOfACurveThatTheTrialsWillRecord) {
  EXPECT_NO_THROW(check(with(kExampleSpec, "dev/score", "train/loss@tail"), plans_of_lm(false)));
  EXPECT_THAT([&] { check(with(kExampleSpec, "dev/score", "train/los@tail"), plans_of_lm(false)); },
              ThrowsMessage<ConfigError>(HasSubstr(
                  "metric: got 'train/los@tail', which stage 'finetune' (job lm) will not have")));
}

TEST(MetricCheck, NamesTheFinalValuesThatAMetricHas) {
  EXPECT_THAT(
      [&] { check(with(kExampleSpec, "dev/score", "dev/score@min"), plans_of_lm(false)); },
      ThrowsMessage<ConfigError>(HasSubstr("it will have: dev/score@best, dev/score@last")));
}

TEST(MetricCheck, LooksAtTheMetricsOfColumnsToo) {
  const std::string text = with(kExampleSpec, "{axis: task}", "{axis: task, metric: dev/los}");
  EXPECT_THAT([&] { check(text, plans_of_lm(false)); },
              ThrowsMessage<ConfigError>(HasSubstr("spec.yaml:7:32: error: metric: got "
                                                   "'dev/los@last'")));
}

TEST(MetricCheck, RefusesAnArtifactThatNoTrialLeaves) {
  const auto with_column = [](const std::string& column) {
    return with(kExampleSpec, "{axis: task}", "{label: c, " + column + ", where: {task: CoLA}}");
  };
  for (const bool chosen : {false, true}) {
    EXPECT_NO_THROW(check(with_column("fact: mask/sparsity"), plans_of_lm(chosen)));
    EXPECT_THAT([&] { check(with_column("fact: maks/sparsity"), plans_of_lm(chosen)); },
                ThrowsMessage<ConfigError>(testing::AllOf(
                    HasSubstr("spec.yaml:7:28: error: artifact: got 'maks', which stage"),
                    HasSubstr("did you mean 'mask'?; it leaves: mask, importance\n"))));
    EXPECT_THAT([&] { check(with_column("places: P/diagonal"), plans_of_lm(chosen)); },
                ThrowsMessage<ConfigError>(HasSubstr("(job lm) does not leave; it leaves: mask")));
  }
}

TEST(MetricCheck, TakesANameOfItsOwnBesideWeights) {
  Schema schema = example_schema();
  PluginSchema& lm = schema.plugins["job"]["lm"];
  JobFacts facts = lm.facts.as<JobFacts>();
  facts.outputs = {"weights", "mask"};
  lm.facts = facts;
  const auto with_fact = [](const std::string& fact) {
    return with(kExampleSpec, "{axis: task}",
                "{label: c, fact: " + fact + ", where: {task: CoLA}}");
  };
  EXPECT_NO_THROW(check(with_fact("vocab/bytes"), plans_of_lm(false), schema));
  EXPECT_THAT([&] { check(with_fact("masks/sparsity"), plans_of_lm(false), schema); },
              ThrowsMessage<ConfigError>(HasSubstr("did you mean 'mask'?")));
}

TEST(MetricCheck, AColumnThatMayBeUnplannedLosesTrialsWithoutIt) {
  const SpecFile file(
      with(kExampleSpec, "{axis: task}", "{axis: task, metric: test/score, unplanned: dev alone}"));
  const TableSpec spec = read_table_spec(file.path());
  const Plans plans = plans_of_lm(false);
  Grid grid = make_grid(spec, plans);
  EXPECT_FALSE(grid.trials.at(0).at(0).empty());
  check_metrics(spec, grid, plans, example_schema());
  EXPECT_TRUE(grid.trials.at(0).at(0).empty());
  const Table table = folded(make_table(spec, grid, {}));
  EXPECT_EQ(table.columns.at(0).label, "CoLA");
  EXPECT_TRUE(table.cells.at(0).at(0).is_unplanned());
  EXPECT_EQ(table.cells.at(0).at(0).marks.at(0).text, "dev alone");
}

TEST(MetricCheck, SaysThatAProgramReportsMetricsAndMeasuresNothing) {
  Schema schema = example_schema();
  PluginSchema& command = schema.plugins["job"]["command"];
  command.name = "command";
  command.facts = JobFacts{.runs_program = true};
  Plans plans = example_plans(1);
  for (PlannedTrial& planned : plans.at(kSweep).trials) {
    planned.trial.job = "command";
    planned.trial.config["metrics"] = {{"dev/acc", "max"}};
  }
  const auto refused = [&](const std::string& measurement) -> std::string {
    try {
      check(with(with(kExampleSpec, "[{axis: task}, {label: Avg., mean_of: task}]",
                      "[{axis: task, measurement: " + measurement + "}]"),
                 ", Avg.: 0.55", ""),
            plans, schema);
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(refused("attempt_s"), "");
  EXPECT_THAT(refused("acc"), HasSubstr("measurement: got 'acc', but what a program reports is a "
                                        "metric: write metric: dev/acc; measured of the programs "
                                        "of stage 'finetune' are: attempt_s, peak_memory_bytes"));
  EXPECT_THAT(refused("tokens_per_s"), HasSubstr("write metric: SPLIT/tokens_per_s;"));
}

}  // namespace
}  // namespace rethink::test
