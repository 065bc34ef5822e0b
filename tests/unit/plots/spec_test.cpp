#include "plots/spec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "tests/unit/plots/fixture.h"

namespace rethink::test {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

auto refuses(const std::string& text) {
  return ThrowsMessage<ConfigError>(HasSubstr(text));
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
  EXPECT_EQ(spec.rows.at(0).axis, "arm");
  EXPECT_EQ(*spec.columns.at(1).kind, CellKind::mean_of);
  EXPECT_EQ(spec.test->kind, "paired_t");
  EXPECT_EQ(spec.paper.at(3).value.text, "0.51*");
  EXPECT_DOUBLE_EQ(spec.paper.at(3).value.value, 0.51);
}

TEST(TableSpec, SaysWhereAnUnknownKeyStands) {
  EXPECT_THAT([] { read(with(kExampleSpec, "direction", "dirction")); },
              refuses("unknown key 'dirction'"));
  EXPECT_THAT([] { read(with(kExampleSpec, "direction", "dirction")); },
              refuses("spec.yaml:8:1: error"));
  EXPECT_THAT([] { read(with(kExampleSpec, "direction", "dirction")); },
              refuses("did you mean 'direction'?"));
}

TEST(TableSpec, RefusesAMetricWithoutASplit) {
  EXPECT_THAT([] { read(with(kExampleSpec, "dev/score", "score")); },
              refuses("got 'score', expected a name like test/perplexity@best"));
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

TEST(TableSpec, RefusesATestThatDoesNotKnowWhatIsBetter) {
  EXPECT_THAT([] { read(with(kExampleSpec, "direction: max\n", "")); },
              refuses("add direction: min or max"));
}

TEST(TableSpec, RefusesAPaperValueThatIsNoNumber) {
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

TEST(Grid, RefusesAnAxisThatNothingCovers) {
  EXPECT_THAT(
      [] {
        table_of(
            with(kExampleSpec, "[{axis: task}, {label: Avg., mean_of: task}]", "[{label: all}]"),
            example_plans(), example_records());
      },
      refuses("axis 'task' is in neither rows, columns, where nor over; add it to one of them"));
}

TEST(Grid, RefusesAnAxisThatTheStageDoesNotHave) {
  EXPECT_THAT([] { table_of(with(kExampleSpec, "axis: arm", "axis: arms"), example_plans(), {}); },
              refuses("stage 'finetune' has no axis 'arms'; did you mean 'arm'?"));
}

TEST(Grid, RefusesAStageThatTheSweepDoesNotHave) {
  EXPECT_THAT([] { table_of(with(kExampleSpec, "finetune", "finetun"), example_plans(), {}); },
              refuses("has no trials of a stage 'finetun'; did you mean 'finetune'?"));
}

TEST(Grid, RefusesAValueThatNoTrialHasWhereNoProfileNarrows) {
  const std::string spec =
      with(kExampleSpec, "{axis: arm, labels: {star: Star}}", "[{label: s, where: {arm: stor}}]");
  EXPECT_THAT([&] { table_of(spec, example_plans(), {}); },
              refuses("no trial has arm 'stor'; did you mean 'star'?"));
}

TEST(Table, RefusesAPaperRowThatIsNoRow) {
  EXPECT_THAT(
      [] { table_of(with(kExampleSpec, "Star: {CoLA", "Starr: {CoLA"), example_plans(), {}); },
      refuses("the table has no row 'Starr'; did you mean 'Star'?"));
}

TEST(Table, RefusesAMeanOfNothing) {
  EXPECT_THAT(
      [] { table_of(with(kExampleSpec, "mean_of: task", "mean_of: tusk"), example_plans(), {}); },
      refuses("no column or axis of columns is called 'tusk'"));
}

TEST(Table, RefusesABaselineThatIsNoRow) {
  EXPECT_THAT(
      [] {
        table_of(with(kExampleSpec, "baseline: dense", "baseline: dence"), example_plans(), {});
      },
      refuses("baseline 'dence' is no row of the table; did you mean 'dense'?"));
}

}  // namespace
}  // namespace rethink::test
