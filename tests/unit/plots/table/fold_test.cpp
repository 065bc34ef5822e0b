#include "plots/table/lines/fold.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/json.h"
#include "plots/render/renderer.h"
#include "tests/unit/plots/fixture.h"

namespace rethink::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

template <typename Line>
std::vector<std::string> labels_of(const std::vector<Line>& lines) {
  std::vector<std::string> labels;
  for (const Line& line : lines) labels.push_back(line.label);
  return labels;
}

/// Returns the example under a profile that plans only `arms` and `tasks`.
Table narrowed(const std::set<std::string>& arms, const std::set<std::string>& tasks,
               const std::string& spec = kExampleSpec) {
  Plans plans = example_plans(3, "smoke");
  std::erase_if(plans.at(kSweep).trials, [&](const PlannedTrial& trial) {
    return !arms.count(trial.labels.at("arm")) || !tasks.count(trial.labels.at("task"));
  });
  const std::string text = with(with(spec, "{axis: arm, labels: {star: Star}}",
                                     "{axis: arm, order: [dense, star], labels: {star: Star}}"),
                                "{axis: task}", "{axis: task, order: [CoLA, RTE]}");
  return table_of(text, plans, example_records(), {" --profile smoke"});
}

TEST(Folded, LeavesOutColumnsThatTheProfilePlansNothingOf) {
  const Table full = narrowed({"dense", "star"}, {"RTE"}), table = folded(full);
  EXPECT_THAT(labels_of(table.columns),
              ElementsAre("RTE"));  // a mean over tasks has no number either
  EXPECT_THAT(labels_of(table.rows), ElementsAre("dense", "Star"));
  EXPECT_EQ(table.cells[1][0].value, full.cells[1][1].value);
  EXPECT_EQ(whole(table.notes).front(),
            "not shown, as none of their trials are planned: 2 of 3 columns (CoLA; Avg.); to see "
            "them: rethink table example/scores --unplanned --profile smoke");
}

TEST(Folded, LeavesOutRowsAndMovesTheBaseline) {
  const Table table = folded(narrowed({"star"}, {"CoLA", "RTE"}));
  EXPECT_THAT(labels_of(table.rows), ElementsAre("Star"));
  EXPECT_THAT(labels_of(table.columns), ElementsAre("CoLA", "RTE", "Avg."));
  EXPECT_EQ(table.baseline_of(0), std::nullopt);
  EXPECT_THAT(whole(table.notes).front(), HasSubstr(": 1 of 2 rows (dense); to see them"));
  const Table both = folded(narrowed({"dense", "star"}, {"RTE"}));
  EXPECT_EQ(both.baseline_of(0), std::nullopt);
  EXPECT_EQ(both.baseline_of(1), 0u);
}

TEST(Folded, CellsThatGetNoNumberWaitForNothing) {
  Plans plans = example_plans(3, "smoke");
  std::erase_if(plans.at(kSweep).trials,
                [](const PlannedTrial& trial) { return trial.labels.at("task") == "RTE"; });
  const Table table =
      table_of(with(kExampleSpec, "{axis: task}", "{axis: task, order: [CoLA, RTE]}"), plans, {});
  EXPECT_EQ(table.incomplete_cells, 2u);
  EXPECT_TRUE(table.cells[0][2].has(MarkKind::missing));  // the mean over tasks
  EXPECT_THAT(whole(table.notes).front(),
              HasSubstr("NOT COMPLETE: 2 of 2 cells wait for trials, 6 of 6 trials are not done"));
}

TEST(Folded, LeavesOutNotesOfLinesThatItLeavesOut) {
  const std::string notes =
      "notes: [of all, {text: of star, rows: Star}, {text: of one, rows: [dense, star]}, {text: of "
      "the mean, columns: [Avg.]}, {text: of star in RTE, rows: [Star], columns: [RTE]}]";
  const auto notes_of = [&](const std::set<std::string>& arms, const std::set<std::string>& tasks) {
    return whole(
        narrowed(arms, tasks, with(kExampleSpec, "notes: [a note of the spec]", notes)).notes);
  };
  using testing::IsSupersetOf;
  EXPECT_THAT(notes_of({"dense", "star"}, {"CoLA", "RTE"}),
              IsSupersetOf({"of all", "of star", "of one", "of the mean", "of star in RTE"}));
  const Table table = folded(
      narrowed({"dense"}, {"RTE"}, with(kExampleSpec, "notes: [a note of the spec]", notes)));
  EXPECT_THAT(whole(table.notes), IsSupersetOf({"of all", "of one"}));
  for (const char* gone : {"of star", "of the mean", "of star in RTE"})
    EXPECT_THAT(whole(table.notes), Not(testing::Contains(gone)));
}

TEST(Folded, LeavesOutNotesOnThePapersMeans) {
  const std::string spec = with(kExampleSpec, ", Avg.: 0.55", "");
  const auto of_means = testing::Contains(testing::StartsWith("Avg.: the paper prints no such"));
  EXPECT_THAT(whole(folded(narrowed({"dense", "star"}, {"CoLA", "RTE"}, spec)).notes), of_means);
  EXPECT_THAT(whole(narrowed({"dense", "star"}, {"RTE"}, spec).notes), of_means);
  EXPECT_THAT(whole(folded(narrowed({"dense", "star"}, {"RTE"}, spec)).notes), Not(of_means));
}

TEST(Folded, KeepsTrialsThatMustStillRun) {
  const Table full = table_of(kExampleSpec, example_plans(3, "smoke"), {}, {" --profile smoke"});
  const Table table = folded(full);
  EXPECT_EQ(table.rows.size(), 2u);
  EXPECT_EQ(table.columns.size(), 3u);
  EXPECT_EQ(table.notes, full.notes);
}

TEST(Folded, KeepsATableOfWhichNothingIsPlanned) {
  Table table = narrowed({"dense"}, {"CoLA"});
  Cell nothing;
  nothing.marks = {{MarkKind::not_planned, "left out"}};
  for (std::vector<Cell>& row : table.cells) row.assign(row.size(), nothing);
  EXPECT_EQ(folded(table).rows.size(), 2u);
}

TEST(Folded, NamesTheFirstOfManyLines) {
  Table table = narrowed({"dense"}, {"CoLA", "RTE"});
  for (int i = 0; i < 5; ++i) {
    table.rows.push_back({{"arm " + std::to_string(i), ""}, ""});
    table.cells.push_back(table.cells[1]);
  }
  EXPECT_THAT(whole(folded(table).notes).front(),
              HasSubstr(": 6 of 7 rows (Star; arm 0; arm 1; arm 2; and 2 more); "));
}

TEST(Folded, IsForPeopleAndNotForPrograms) {
  for (const std::string& name : renderers().names()) {
    const bool for_programs = name == "csv" || name == "json";
    EXPECT_EQ(renderers().make(name, Json::object())->is_for_people(), !for_programs) << name;
  }
}

}  // namespace
}  // namespace rethink::test
