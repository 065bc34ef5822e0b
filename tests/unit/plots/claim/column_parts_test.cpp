// Names in a spec that must mean exactly one row or column.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "plots/claim/claim.h"
#include "plots/table/lines/grid.h"
#include "tests/support/throws_code.h"
#include "tests/unit/plots/fixture.h"

namespace rethink::test {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

const std::string kSpec = R"(table: t
sweep: sweeps/example.yaml
stage: finetune
metric: dev/score
rows: {axis: arm, labels: {star: Star}}
columns: [{axis: task}, {label: made, PARTS}]
)";

const std::string kTwoAlike =
    "[{label: A, where: {task: CoLA}}, {label: A, where: {task: RTE}}, {label: B, where: {task: "
    "RTE}}, {label: made, PARTS}]";

Table made_of(const std::string& parts,
              const std::string& columns = "[{axis: task}, {label: made, PARTS}]",
              const Plans& plans = example_plans()) {
  const std::string text = with(kSpec, "[{axis: task}, {label: made, PARTS}]", columns);
  return table_of(with(text, "PARTS", parts), plans, example_records());
}

/// Returns the example's plans with tasks called 1e-3 and 0.01.
Plans plans_of_rates() {
  Plans plans = example_plans();
  for (PlannedTrial& planned : plans.at(kSweep).trials) {
    std::string& task = planned.labels.at("task");
    task = task == "CoLA" ? "1e-3" : "0.01";
  }
  return plans;
}

TEST(ColumnParts, AreRefusedWhereANameMeansSeveralColumns) {
  const auto refuses = [](const std::string& parts, const std::string& columns,
                          const std::string& message) {
    EXPECT_THAT([&] { made_of(parts, columns); }, ThrowsMessage<ConfigError>(HasSubstr(message)))
        << parts;
  };
  const std::string of_axis = "[{axis: task}, {label: made, PARTS}]";
  refuses("ratio: [task, CoLA]", of_axis,
          "spec.yaml:6:47: error: ratio: axis 'task' has 2 columns, expected one; name the column: "
          "CoLA, RTE");
  refuses("ratio: [B, A]", kTwoAlike,
          "error: ratio: the table has 2 columns 'A'; give each a label of its own");
  refuses("mean_of: [A, B]", kTwoAlike, "error: mean_of: the table has 2 columns 'A'");
  refuses("mean_of: task", "[{axis: task}, {label: task, where: {task: RTE}}, {label: m, PARTS}]",
          "mean_of: 'task' is a column and an axis of columns; give the column another label");
  refuses("mean_of: [CoLA, mean]",
          "[{axis: task}, {label: mean, mean_of: task}, {label: m, PARTS}]",
          "mean_of: column 'mean' is a mean or a ratio itself");
  refuses("mean_of: [CoLA, RTA]", of_axis,
          "mean_of: no column or axis of columns is called 'RTA'; did you mean 'RTE'?; there are: "
          "CoLA, RTE");
  refuses("mean_of: []", of_axis, "mean_of: expected an axis of columns, or a list");
}

TEST(ColumnParts, CountEachColumnOnceInAMean) {
  const auto refuses_twice = [](const std::string& parts, const std::string& columns) {
    EXPECT_THAT([&] { made_of(parts, columns); },
                ThrowsMessage<ConfigError>(
                    HasSubstr("mean_of: column 'RTE' is in the mean twice, the second time by '")))
        << parts;
  };
  const std::string of_axis = "[{axis: task}, {label: made, PARTS}]";
  refuses_twice("mean_of: [RTE, CoLA, RTE]", of_axis);
  refuses_twice("mean_of: [task, RTE]", of_axis);
  refuses_twice("mean_of: task",
                "[{axis: task}, {axis: task, order: [RTE]}, {label: made, PARTS}]");
  const Table of_two_values = made_of(
      "mean_of: task", "[{axis: task}, {axis: task, fact: mask/sparsity}, {label: made, PARTS}]");
  EXPECT_THAT(of_two_values.columns.back().parts, testing::ElementsAre(0, 1, 2, 3));
}

TEST(ColumnParts, AreFoundByTheOneRuleOfEquality) {
  const std::string columns = "[{axis: task}, {label: made, PARTS}]";
  const Plans plans = plans_of_rates();
  const Table mean = made_of("mean_of: [0.001, 1e-2]", columns, plans);
  EXPECT_THAT(mean.columns.back().parts, testing::ElementsAre(0, 1));
  EXPECT_NEAR(*mean.cells[0][2].value, 0.56, 1e-12);
  const Table ratio = made_of("ratio: [1e-2, 0.001]", columns, plans);
  EXPECT_THAT(ratio.columns.back().parts, testing::ElementsAre(1, 0));
  EXPECT_THAT([&] { made_of("mean_of: ['0.001', 1e-2]", columns, plans); },
              ThrowsMessage<ConfigError>(
                  HasSubstr("mean_of: no column or axis of columns is called '0.001'")))
      << "quotes make text";
}

TEST(ClaimRows, CountOnceInAMean) {
  const Table four = table_of(
      with(kExampleSpec, "{axis: arm, labels: {star: Star}}",
           "[{axis: arm, labels: {star: Star}}, {label: a, where: {arm: star}}, {label: b, where: "
           "{arm: dense}}]"),
      example_plans(), example_records());
  const SpecFile several(
      "claims: x\nlist:\n  - {claim: c, says: s, table: example/scores, column: CoLA, test: "
      "better, "
      "row: [Star, dense, a, b], than: dense}\n");
  EXPECT_THAT(
      test_claim(read_claims_spec(several.path()).claims.at(0), four).why,
      testing::StartsWith("mean of 4 rows 0.5202, 'dense' 0.5100: as the claim has it by 0.0102"));
  const SpecFile file(
      "claims: x\nlist:\n  - {claim: c, says: s, table: example/scores, column: CoLA, test: "
      "better, "
      "row: [Star, star], than: dense}\n");
  const ClaimSpec claim = read_claims_spec(file.path()).claims.at(0);
  EXPECT_THAT([&] { test_claim(claim, example_table()); },
              ThrowsMessage<ConfigError>(
                  HasSubstr("spec.yaml:3:5: error: 'Star' and 'star' are the same row of table "
                            "example/scores; a mean counts each row once")));
}

TEST(PaperNames, GiveACellOneNumber) {
  EXPECT_THAT(
      [&] {
        table_of(with(kExampleSpec, "  Star: {", "  star: {CoLA: 0.7}\n  Star: {"), example_plans(),
                 example_records());
      },
      ThrowsMistake("14:10 duplicate-value"));
}

TEST(PaperNames, AreRefusedUnderAProfileTooWhereTheyFitSeveralLines) {
  const std::string alike = with(kExampleSpec, "{star: Star}", "{star: Star, dense: Star}");
  EXPECT_THAT(
      [&] {
        table_of(with(alike, "test: {baseline: dense}\n", ""), example_plans(3, "small"),
                 example_records());
      },
      ThrowsMessage<ConfigError>(HasSubstr("error: paper: the table has 2 rows 'Star'")));
}

}  // namespace
}  // namespace rethink::test
