#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <utility>

#include "plots/table/lines/value_check.h"
#include "tests/unit/plots/fixture.h"

namespace rethink::test {
namespace {

using testing::HasSubstr;

/// Returns the example's table with another column, explained by two measurements and a fact.
Table explained(const std::string& column) {
  const SpecFile file(with(kExampleSpec, "{axis: task}",
                           "{axis: task}, {label: m, " + column +
                               ", where: {task: CoLA}}, {label: mean of m, mean_of: [m, CoLA]}"));
  const TableSpec spec = read_table_spec(file.path());
  const Plans plans = example_plans();
  const Grid grid = make_grid(spec, plans);
  const TrialRecords records = example_records();
  ComparedTable compared = compared_cells(spec, grid, records);
  TableFindings findings{.unrecorded = {}, .notes = {{"a note of the store"}}};
  for (const StageWithoutValues& stage : stages_without_values(compared, grid)) {
    EXPECT_EQ(stage.trials.size(), 6u);
    const std::optional<UnrecordedValue> value = unrecorded_value(
        stage, {{"parameters", "tokens_seen"}, {"mask/bytes", "mask/sparsity"}}, compared);
    if (value) findings.unrecorded.push_back(*value);
  }
  TrialsToRun to_run = trials_to_run(compared, spec, grid, records);
  return annotated_table(std::move(compared), std::move(to_run), findings, spec, grid, {});
}

std::string no_value_text(const Table& table, const std::string& column) {
  for (const Mark& mark : table.cells.at(0).at(*find_line(table.columns, {column})).marks) {
    if (mark.kind == MarkKind::no_value) return mark.text;
  }
  return "";
}

TEST(Unrecorded, SaysWhichMeasurementsThereAre) {
  const std::string text =
      "no trial of stage 'finetune' has recorded measurement 'paramters'; did you mean "
      "'parameters'?; recorded are: parameters, tokens_seen";
  const Table table = explained("measurement: paramters");
  EXPECT_EQ(no_value_text(table, "m"), text);
  EXPECT_EQ(no_value_text(table, "mean of m"), text);
  EXPECT_EQ(no_value_text(table, "CoLA"), "");
}

TEST(Unrecorded, IsCalledWhatItIsInTheNoteBelowTheTable) {
  const Table table = explained("measurement: paramters");
  EXPECT_THAT(whole(table.notes).at(0),
              AllOf(HasSubstr("done without measurement paramters; name a measurement that they"),
                    testing::Not(HasSubstr("metric"))));
}

TEST(Unrecorded, NotesOfTheStoreFollowTheTablesOwn) {
  const Table table = explained("measurement: paramters");
  ASSERT_GT(table.notes.size(), 1u);
  EXPECT_EQ(whole(table.notes).back(), "a note of the store");
}

TEST(Unrecorded, SaysWhichFactsThereAre) {
  EXPECT_THAT(no_value_text(explained("fact: mask/sparsty"), "m"),
              HasSubstr("has recorded fact 'mask/sparsty'; did you mean 'mask/sparsity'?; recorded "
                        "are: mask/bytes, mask/sparsity"));
}

TEST(Unrecorded, LeavesAloneWhatSomeTrialHas) {
  EXPECT_EQ(no_value_text(explained("measurement: parameters"), "m"), "");
}

}  // namespace
}  // namespace rethink::test
