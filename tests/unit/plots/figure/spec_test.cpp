#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "plots/figure/figure.h"
#include "plots/table/table_spec.h"
#include "tests/support/throws_code.h"
#include "tests/unit/plots/fixture.h"

namespace rethink::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::ThrowsMessage;

auto refuses(const std::string& text) {
  return ThrowsMessage<ConfigError>(HasSubstr(text));
}

/// Matches an error with a single message that contains this text.
auto refuses_once(const std::string& text) {
  return ThrowsMessage<ConfigError>(
      AllOf(HasSubstr(text), Not(testing::ContainsRegex("error: (.|\n)*error: "))));
}

void read(const std::string& text) {
  const SpecFile file(text);
  read_table_spec(file.path());
}

TEST(TableSpec, ReadsEveryKey) {
  const SpecFile file(kExampleSpec);
  const TableSpec spec = read_table_spec(file.path());
  EXPECT_EQ(spec.name, "example/scores");
  EXPECT_EQ(spec.metric->text(), "dev/score@last");
  EXPECT_EQ(spec.rows.at(0).axis.text, "arm");
  EXPECT_EQ(*spec.columns.at(1).kind, CellKind::mean_of);
  EXPECT_EQ(spec.tests.at(0).kind, "paired_t");
  EXPECT_EQ(spec.paper.at(3).value.text, "0.51*");
  EXPECT_DOUBLE_EQ(spec.paper.at(3).value.value, 0.51);
}

TEST(TableSpec, GivesThePositionOfAnUnknownKey) {
  EXPECT_THAT([] { read(with(kExampleSpec, "direction", "dirction")); },
              refuses("unknown key 'dirction'"));
  EXPECT_THAT([] { read(with(kExampleSpec, "direction", "dirction")); },
              refuses("spec.yaml:8:1: error"));
  EXPECT_THAT([] { read(with(kExampleSpec, "direction", "dirction")); },
              refuses("did you mean 'direction'?"));
  EXPECT_THAT(
      [] { read(with(kExampleSpec, "direction:", "differ: [parameter]\ndirection:")); },
      refuses("spec.yaml:8:10: error: differ: got 'parameter'; did you mean 'parameters'?"));
}

TEST(TableSpec, ReadsWhichLinesANoteIsAbout) {
  const auto notes = [](const std::string& given) {
    const SpecFile file(with(kExampleSpec, "[a note of the spec]", given));
    return read_table_spec(file.path()).notes;
  };
  EXPECT_EQ(notes("one").at(0).text, "one");
  const std::vector<NoteSpec> two = notes("[one, {text: two, rows: Star, columns: [CoLA, RTE]}]");
  EXPECT_TRUE(two.at(0).lines.empty());
  EXPECT_EQ(two.at(1).text, "two");
  EXPECT_EQ(texts_of(two.at(1).lines.at("rows")), std::vector<std::string>{"Star"});
  EXPECT_EQ(two.at(1).lines.at("columns").size(), 2u);
  EXPECT_THAT([&] { notes("[{text: t, row: Star}]"); },
              refuses("unknown key 'row' of a note; did you mean 'rows'?"));
  EXPECT_THAT([&] { notes("[{rows: Star}]"); }, refuses("note lacks the key 'text'"));
}

TEST(TableSpec, RefusesAMetricWithoutASplit) {
  EXPECT_THAT([] { read(with(kExampleSpec, "dev/score", "score")); },
              refuses_once("got 'score', expected a name like test/perplexity@best"));
}

TEST(TableSpec, RefusesALineWithAxisAndLabel) {
  EXPECT_THAT([] { read(with(kExampleSpec, "{axis: task}", "{axis: task, label: x}")); },
              refuses("a column has either an axis or a label"));
}

TEST(TableSpec, RefusesAColumnOfTwoKinds) {
  EXPECT_THAT(
      [] { read(with(kExampleSpec, "mean_of: task", "mean_of: task, fact: mask/sparsity")); },
      refuses("a column is of one kind"));
}

TEST(TableSpec, RefusesAPublishedColumnWithAValueOfItsOwn) {
  for (const char* with_it :
       {"label: x, metric: dev/f1", "axis: task", "label: x, where: {task: RTE}"}) {
    EXPECT_THAT(
        [&] {
          read(with(kExampleSpec, "{axis: task}",
                    std::string("{published: not run, ") + with_it + "}"));
        },
        refuses("a published column has only the paper's numbers, and a label"))
        << with_it;
  }
}

TEST(TableSpec, RefusesATestWithoutADirection) {
  EXPECT_THAT([] { read(with(kExampleSpec, "direction: max\n", "")); },
              refuses("add direction: min or max to the table or to a column"));
}

TEST(TableSpec, TakesWhatIsBetterFromTheColumnsAlone) {
  const SpecFile file(with(with(kExampleSpec, "direction: max\n", ""), "{axis: task}",
                           "{axis: task, direction: min}"));
  EXPECT_EQ(read_table_spec(file.path()).columns.front().direction, Direction::min);
}

TEST(TableSpec, SaysOneMistakeOfATestOnce) {
  const auto with_test = [](const std::string& test, const std::string& direction = "max") {
    read(with(with(kExampleSpec, "test: {baseline: dense}", "test: " + test), "direction: max",
              "direction: " + direction));
  };
  EXPECT_THAT([&] { with_test("{basline: dense}"); },
              refuses_once("spec.yaml:10:8: error: unknown key 'basline' of a test; did you mean "
                           "'baseline'?"));
  EXPECT_THAT([&] { with_test("{baseline: []}"); },
              refuses_once("spec.yaml:10:18: error: baseline: expected a row's label, or several"));
  EXPECT_THAT([&] { with_test("{kind: welch}"); },
              refuses_once("spec.yaml:10:7: error: test lacks the key 'baseline'"));
  EXPECT_THAT([&] { with_test("{baseline: dense, kind: welsh}", "none"); },
              refuses_once("spec.yaml:10:31: error: kind: got 'welsh'"));
  EXPECT_THAT([&] { with_test("{baseline: dense}", "mox"); },
              refuses_once("spec.yaml:8:12: error: direction: got 'mox'"));
  EXPECT_THAT([&] { with_test("{baseline: dense}", "none"); },
              refuses_once("spec.yaml:10:18: error: a test needs to know what is better"));
}

TEST(TableSpec, ReadsTwoTestsOfOneBaseline) {
  const auto tests = [](const std::string& given) {
    const SpecFile file(with(kExampleSpec, "test: {baseline: dense}", "test: " + given));
    return read_table_spec(file.path()).tests;
  };
  const std::string first = "{baseline: dense, kind: paired_bootstrap}";
  const std::vector<TestSpec> two =
      tests("[" + first + ", {baseline: dense, kind: student_t, correction: none}]");
  ASSERT_EQ(two.size(), 2u);
  EXPECT_EQ(two[0].kind, kPairedBootstrap);
  EXPECT_EQ(two[1].kind, "student_t");
  EXPECT_EQ(two[1].correction, "none");
  EXPECT_EQ(tests("[" + first + "]").size(), 1u);
  EXPECT_THAT([&] { tests("[" + first + ", {baseline: Star}]"); },
              refuses_once("baseline: both tests need the same one, dense"));
  EXPECT_THAT([&] { tests("[" + first + ", " + first + "]"); },
              refuses_once("kind: both tests are paired_bootstrap"));
  EXPECT_THAT([&] { tests("[]"); }, refuses_once("test: got 0 tests, expected 1 or 2"));
  EXPECT_THAT([&] { tests("[" + first + ", {baseline: dense}, {baseline: dense, kind: welch}]"); },
              refuses_once("test: got 3 tests, expected 1 or 2"));
}

TEST(TableSpec, SaysOnceThatAKeyIsMisspeltOrOfAWrongKind) {
  EXPECT_THAT([] { read(with(kExampleSpec, "stage:", "stge:")); },
              refuses_once("unknown key 'stge' of a table; did you mean 'stage'?"));
  EXPECT_THAT([] { read(with(kExampleSpec, "{axis: arm, labels: {star: Star}}", "arm")); },
              refuses_once("rows: expected a list of maps, such as [{axis: task}]"));
}

TEST(TableSpec, RefusesAPaperValueThatIsNotANumber) {
  EXPECT_THAT([] { read(with(kExampleSpec, "0.49", "high")); },
              refuses("got 'high', expected the paper's number"));
}

TEST(TableSpec, RefusesARatioOfThree) {
  EXPECT_THAT([] { read(with(kExampleSpec, "mean_of: task", "ratio: [a, b, c]")); },
              refuses("ratio: got 3 labels, expected two"));
}

TEST(TableSpec, SaysWhichKeysAreMissing) {
  EXPECT_THAT([] { read("title: x\n"); }, refuses("table lacks the key 'rows'"));
  EXPECT_THAT([] { read("title: x\n"); }, refuses("table lacks the key 'sweep'"));
}

TEST(Grid, PointsAtTheLineThatLacksAnAxis) {
  const auto made = [](const std::string& from, const std::string& to) {
    table_of(with(kExampleSpec, from, to), example_plans(), example_records());
  };
  EXPECT_THAT(
      [&] {
        made("[{axis: task}, {label: Avg., mean_of: task}]", "[{label: all}, {label: more}]");
      },
      refuses_once(
          "spec.yaml:7:11: error: axis 'task' is in neither rows, columns, where nor over; "
          "add a line {axis: task}, where: {task: VALUE}, or over: [task] to average over "
          "it"));
  EXPECT_THAT(
      [&] {
        made("{axis: arm, labels: {star: Star}}",
             "[{label: dense, where: {arm: dense}}, {label: x}]");
      },
      refuses_once("spec.yaml:6:45: error: axis 'arm' is in neither"));
}

TEST(Grid, PointsAtTheWordThatTheSweepDoesNotHave) {
  const auto made = [](const std::string& from, const std::string& to) {
    table_of(with(kExampleSpec, from, to), example_plans(), {});
  };
  const std::string rows = "{axis: arm, labels: {star: Star}}";
  EXPECT_THAT([&] { made("axis: arm", "axis: arms"); },
              refuses_once("spec.yaml:6:14: error: stage 'finetune' has no axis 'arms'; did you "
                           "mean 'arm'?; it has arm, task\n"));
  EXPECT_THAT([&] { made("finetune", "finetun"); },
              refuses_once("spec.yaml:4:8: error: sweep example has no trials of a stage "
                           "'finetun'; did you mean 'finetune'?"));
  EXPECT_THAT([&] { made("stage: finetune", "stage: finetune\nwhere: {tusk: CoLA}"); },
              refuses_once("spec.yaml:5:9: error: stage 'finetune' has no axis 'tusk'"));
  EXPECT_THAT([&] { made(rows, "[{label: s, where: {arm: stor}}]"); },
              refuses_once("spec.yaml:6:32: error: no trial has arm 'stor'; did you mean 'star'?"));
  EXPECT_THAT([&] { made(rows, "{axis: arm, order: [dense, stor]}"); },
              refuses_once("spec.yaml:6:34: error: no trial has arm 'stor'; did you mean 'star'?"));
  EXPECT_THAT([&] { made(rows, "{axis: arm, labels: {stor: Star}}"); },
              refuses_once("spec.yaml:6:28: error: no trial has arm 'stor'; did you mean 'star'?"));
}

TEST(Grid, KnowsAValueThatTheSweepExcludes) {
  Plans plans = example_plans(1);
  Plan& plan = plans.at(kSweep);
  plan.axis_values["finetune"]["arm"] = {"dense", "star", "guided"};
  const std::string rows = "{axis: arm, labels: {star: Star}}";
  const auto with_row = [&](const std::string& arm) {
    return table_of(
        with(kExampleSpec, rows,
             "[{label: dense, where: {arm: dense}}, {label: Star, where: {arm: " + arm + "}}]"),
        plans, {});
  };
  EXPECT_TRUE(with_row("guided").cells.at(1).at(0).is_unplanned());
  EXPECT_THAT([&] { with_row("guide"); }, refuses("no trial has arm 'guide'"));
}

TEST(Grid, SaysThatAStageHasNoAxes) {
  Plans plans = example_plans(1);
  for (PlannedTrial& trial : plans.at(kSweep).trials) trial.labels.clear();
  EXPECT_THAT([&] { table_of(with(kExampleSpec, "axis: arm", "axis: seed"), plans, {}); },
              refuses("stage 'finetune' has no axis 'seed'; it has none\n"));
}

TEST(Grid, LabelsAValueHoweverItIsWritten) {
  Plans plans = example_plans(1);
  for (PlannedTrial& trial : plans.at(kSweep).trials)
    trial.labels["arm"] = trial.labels["arm"] == "star" ? "0.5" : "1";
  const std::string spec = with(with(kExampleSpec, "{star: Star}", "{0.50: Star, 1.0: dense}"),
                                "test: {baseline: dense}", "");
  const Table table = table_of(spec, plans, {});
  EXPECT_EQ(table.rows.at(0).label, "dense");
  EXPECT_EQ(table.rows.at(1).label, "Star");
}

TEST(Grid, FindsEqualValuesInThePlansOrderAndSpeltOnesBefore) {
  const std::string spec =
      "table: t\nsweep: s.yaml\nstage: a\nmetric: dev/score\nover: [tag]\n"
      "columns: [{label: x}]\n"
      "rows: [{label: r, where: {rate: 1.00, tag: a}}, {label: q, where: {rate: 1e0}}]\n";
  Plan plan;
  for (const char* rate : {"1", "1.0", "2", "1e0", "1"}) {
    PlannedTrial trial;
    trial.trial.id = std::to_string(plan.trials.size());
    trial.stage = "a";
    trial.labels = {{"rate", rate}, {"tag", trial.trial.id == "4" ? "b" : "a"}};
    plan.trials.push_back(trial);
  }
  const SpecFile file(spec);
  const TableSpec read = read_table_spec(file.path());
  const Plans plans{{"s.yaml", plan}};
  const Grid grid = make_grid(read, plans);
  const auto ids = [&](size_t row) {
    std::vector<std::string> found;
    for (const PlannedTrial* trial : grid.trials.at(row).at(0)) found.push_back(trial->trial.id);
    return found;
  };
  EXPECT_THAT(ids(0), testing::ElementsAre("0", "1", "3"));
  EXPECT_THAT(ids(1), testing::ElementsAre("3"));
}

TEST(Grid, SaysOnceWhichValueOfALineNoTrialHas) {
  EXPECT_THAT(
      [] {
        table_of(
            with(kExampleSpec, "rows: {axis: arm, labels: {star: Star}}",
                 "rows: [{label: dense, where: {arm: dence}}, {label: Star, where: {arm: star}}]"),
            example_plans(), {});
      },
      refuses_once("no trial has arm 'dence'; did you mean 'dense'?; it has: dense, star"));
}

TEST(Table, RefusesAnUnknownPaperRowOrColumnOnce) {
  EXPECT_THAT(
      [] { table_of(with(kExampleSpec, "dense: {CoLA", "dence: {CoLA"), example_plans(), {}); },
      refuses_once("spec.yaml:12:3: error: paper: the table has no row 'dence'; did you mean "
                   "'dense'?; it has: dense, Star"));
  const std::string spec = with(kExampleSpec, "{CoLA: 0.49, RTE: 0.61", "{CoLA: 0.49, RTA: 0.61");
  EXPECT_THAT([&] { table_of(with(spec, "RTE: 0.60", "RTA: 0.60"), example_plans(), {}); },
              refuses_once("spec.yaml:12:23: error: paper: the table has no column 'RTA'; did you "
                           "mean 'RTE'?; it has: CoLA, RTE, Avg."));
}

TEST(Table, RefusesAMeanOfNothing) {
  EXPECT_THAT(
      [] { table_of(with(kExampleSpec, "mean_of: task", "mean_of: tusk"), example_plans(), {}); },
      refuses_once(
          "spec.yaml:7:48: error: mean_of: no column or axis of columns is called 'tusk'"));
}

TEST(Table, RefusesABaselineThatIsNotARow) {
  EXPECT_THAT(
      [] {
        table_of(with(kExampleSpec, "baseline: dense", "baseline: dence"), example_plans(), {});
      },
      refuses_once(
          "spec.yaml:10:18: error: the test's baseline 'dence' is not a row of the table; did "
          "you mean 'dense'?"));
}

TEST(Table, RefusesANameThatFitsSeveralRows) {
  const std::string alike = with(kExampleSpec, "{star: Star}", "{star: Star, dense: Star}");
  EXPECT_THAT(
      [&] { table_of(with(alike, "baseline: dense", "baseline: Star"), example_plans(), {}); },
      ThrowsMessage<ConfigError>(testing::HasSubstr(
          "spec.yaml:10:18: error: the test's baseline: the table has 2 rows 'Star'; give "
          "the value of one as it is written: ")));
  EXPECT_THAT([&] { table_of(with(alike, "test: {baseline: dense}", ""), example_plans(), {}); },
              ThrowsMessage<ConfigError>(
                  testing::HasSubstr("spec.yaml:13:3: error: paper: the table has 2 rows 'Star'")));
}

TEST(Table, RefusesMoreColumnsThanAnybodyReads) {
  std::string columns = "columns: [{label: x}";
  for (int i = 0; i < 1000; ++i) columns += ", {label: x}";
  EXPECT_THAT(
      [&] {
        table_of("table: t\nsweep: s.yaml\nstage: a\nrows: {axis: steps}\n" + columns + "]\n",
                 Plans{}, TrialRecords{});
      },
      ThrowsMistake("5:10 too-many"));
}

TEST(Table, RefusesMoreCellsThanAnybodyReads) {
  const std::string spec =
      "table: t\nsweep: s.yaml\nstage: a\nmetric: dev/score\n"
      "rows: {axis: r}\ncolumns: {axis: c}\n";
  Plan plan;
  for (int i = 0; i < 317; ++i) {
    PlannedTrial trial;
    trial.trial.id = std::to_string(i);
    trial.stage = "a";
    trial.labels = {{"r", std::to_string(i)}, {"c", std::to_string(i)}};
    plan.trials.push_back(trial);
  }
  EXPECT_THAT([&] { table_of(spec, Plans{{"s.yaml", plan}}, {}); }, ThrowsMistake("5:7 too-many"));
}

TEST(Table, RefusesMoreTrialsInItsCellsThanAnybodyWaitsFor) {
  std::string spec =
      "table: t\nsweep: s.yaml\nstage: a\nmetric: dev/score\nover: [r]\ncolumns: [{label: x}]\n"
      "rows:\n";
  for (int i = 0; i < 1000; ++i) spec += fmt::format("  - {{label: x{}}}\n", i);
  Plan plan;
  for (int i = 0; i < 2001; ++i) {
    PlannedTrial trial;
    trial.trial.id = std::to_string(i);
    trial.stage = "a";
    trial.labels = {{"r", std::to_string(i)}};
    plan.trials.push_back(trial);
  }
  EXPECT_THAT([&] { table_of(spec, Plans{{"s.yaml", plan}}, {}); }, ThrowsCode("too-many"));
}

TEST(Figure, RefusesMoreSeriesOrLinesThanAnybodyReads) {
  std::string many = "[{label: x}";
  for (int i = 0; i < 1000; ++i) many += ", {label: x}";
  for (const char* key : {"series", "lines"}) {
    const SpecFile file("figure: f\nsweep: s.yaml\nstage: a\nmetric: dev/score\n" +
                        std::string(key) + ": " + many + "]\n");
    EXPECT_THAT([&] { read_figure_spec(file.path()); },
                ThrowsMessage<ConfigError>(testing::HasSubstr(": error: 1001 " + std::string(key) +
                                                              ", expected at most 1000")));
  }
}

}  // namespace
}  // namespace rethink::test
