// Rows of values that `order` does not name: `others`, and the note on values without a row.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "plots/render/renderer.h"
#include "tests/unit/plots/fixture.h"

namespace rethink {
namespace {

using test::SpecFile;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::Pair;

/// The example, whose arms are the rates.
Plans plans_of_rates(const std::vector<std::string>& rates) {
  Plan plan;
  plan.sweep = "example";
  for (const std::string& rate : rates) {
    PlannedTrial trial;
    trial.trial.id = "trial-" + rate;
    trial.trial.seed = 0;
    trial.stage = "finetune";
    trial.labels = {{"rate", rate}};
    plan.trials.push_back(trial);
  }
  return {{test::kSweep, plan}};
}

Table table_with(const std::string& rows, const std::vector<std::string>& rates) {
  return test::table_of(
      "table: rates\nsweep: sweeps/example.yaml\nstage: finetune\nmetric: dev/score\nrows: " +
          rows + "\n",
      plans_of_rates(rates), {});
}

std::vector<std::string> labels_of(const Table& table) {
  return line_labels(table.rows);
}

TEST(OtherValues, HaveRowsWhereTheirNumbersPutThem) {
  const Table table =
      table_with("{axis: rate, order: [0.5, 1, 2], labels: {1: one}, others: \"rate {}\"}",
                 {"2", "0.5", "10", "1", "0.7", "0.1"});
  EXPECT_THAT(labels_of(table), ElementsAre("rate 0.1", "0.5", "rate 0.7", "one", "2", "rate 10"));
  EXPECT_EQ(table.num_to_run(), 6u);
}

TEST(OtherValues, FollowAnOrderThatIsNotNumeric) {
  EXPECT_THAT(
      labels_of(table_with("{axis: rate, order: [2, 1], others: \"{}\"}", {"1", "0.5", "2"})),
      ElementsAre("2", "1", "0.5"));
  EXPECT_THAT(
      labels_of(table_with("{axis: rate, order: [1, 2], others: \"{}\"}", {"new", "2", "1"})),
      ElementsAre("1", "2", "new"));
}

TEST(OtherValues, AreNamedBelowTheTableWhereTheyHaveNoRow) {
  const std::string note = "planned, and in no row: rate 0.7, 3; ";
  const Table table = table_with("{axis: rate, order: [1, 2]}", {"1", "0.7", "2", "3"});
  EXPECT_THAT(whole(table.notes), Contains(HasSubstr(note)));
  const auto renderer = renderers().make("latex", Json::object());
  EXPECT_THAT(renderer->table(table), HasSubstr("\nplanned, and in no row: rate 0.7, 3.\n"))
      << "without its hint";
  EXPECT_THAT(whole(table_with("[{axis: rate, order: [1, 2]}, {axis: rate, order: [0.7, 3]}]",
                               {"1", "0.7", "2", "3"})
                        .notes),
              Not(Contains(HasSubstr("in no row"))));
  EXPECT_THAT(whole(table_with("{axis: rate}", {"1", "0.7"}).notes),
              Not(Contains(HasSubstr("in no row"))));
}

TEST(OtherValues, AreNamedWhereRowsChooseByWhereAndTheCommandLineAddsThem) {
  const auto notes_with = [](const std::string& rows, const std::string& settings) {
    Plans plans = plans_of_rates({"1", "0.7", "2", "3"});
    plans.at(test::kSweep).choice = settings;
    return whole(
        test::table_of(
            "table: rates\nsweep: sweeps/example.yaml\nstage: finetune\nmetric: dev/score\n"
            "rows: " +
                rows + "\n",
            plans, {})
            .notes);
  };
  const std::string one_and_two = "[{label: a, where: {rate: 1}}, {label: b, where: {rate: 2}}]";
  const std::string set = "--set stages.finetune.grid.rate=[0.7, 1, 2, 3]";
  EXPECT_THAT(
      notes_with(one_and_two, set),
      Contains("planned, and in no row: rate 0.7, 3; a row with `where: {rate: 0.7}` shows it"));
  EXPECT_THAT(notes_with("[{label: a, where: {rate: 1}}, {axis: rate, order: [2, 3, 0.7]}]", set),
              Not(Contains(HasSubstr("in no row"))));
  EXPECT_THAT(notes_with(one_and_two, ""), Not(Contains(HasSubstr("in no row"))))
      << "the file's rows choose on purpose";
  EXPECT_THAT(notes_with(one_and_two, "--set stages.finetune.crate=1"),
              Not(Contains(HasSubstr("in no row"))));
}

TEST(OtherValues, AreNotTakenByRowsOfAnotherStage) {
  Plans plans = plans_of_rates({"1", "2"});
  Plan& plan = plans.at(test::kSweep);
  plan.choice = "--set stages.finetune.grid.rate=[1, 2]";
  plan.trials.push_back(plan.trials.back());
  plan.trials.back().stage = "other";
  plan.trials.back().trial.id = "other-2";
  EXPECT_THAT(
      whole(
          test::table_of(
              "table: rates\nsweep: sweeps/example.yaml\nstage: finetune\nmetric: dev/score\n"
              "rows: [{label: a, where: {rate: 1}}, {label: b, stage: other, where: {rate: 2}}]\n",
              plans, {})
              .notes),
      Contains(HasSubstr("in no row: rate 2; ")));
}

TEST(OtherValues, AreNamedWhereRowsChooseByWhereAmongThoseOfAUsersOwnCopy) {
  const TempFolder folder;
  write_text(folder / "theirs/tables/rates.yaml",
             "table: rates\nsweep: sweeps/example.yaml\nstage: finetune\nmetric: dev/score\n"
             "rows: [{label: a, where: {rate: 1}}, {label: b, where: {rate: 2}}]\n");
  const TableSpec spec = read_table_spec(folder / "theirs/tables/rates.yaml");
  const auto values_of_sweep_in = [&](const char* place) {
    Plans plans = plans_of_rates({"1", "0.7", "2"});
    plans.at(test::kSweep).file = folder / place / "sweeps/example.yaml";
    return make_grid(spec, plans).values_beside_where;
  };
  EXPECT_THAT(values_of_sweep_in("mine"),
              ElementsAre(Pair(Pair(test::kSweep, "rate"), ElementsAre("0.7"))));
  EXPECT_THAT(values_of_sweep_in("theirs"), IsEmpty());
}

TEST(OtherValues, AreMeantByANoteThatNamesEveryValueOfTheOrder) {
  const auto bound_rows = [](const std::string& named) {
    const Table table = table_with(
        "{axis: rate, order: [1, 2], others: \"rate {}\"}\nnotes: [{text: t, rows: " + named + "}]",
        {"1", "2", "0.7"});
    std::vector<std::string> rows;
    for (const Word& name : table.bound_notes.at(0).lines.at("rows")) rows.push_back(name.text);
    return rows;
  };
  EXPECT_THAT(bound_rows("[1, 2]"), ElementsAre("1", "2", "rate 0.7"));
  EXPECT_THAT(bound_rows("[1]"), ElementsAre("1"));
}

/// Changes the example's rates as --set 'stages.finetune.grid.model.depth=[3, 6]' would.
Plans plans_with_added_axis(const std::string& settings) {
  Plan plan = plans_of_rates({"1", "2"}).at(test::kSweep);
  plan.choice = settings;
  std::vector<PlannedTrial> deep;
  for (const char* depth : {"3", "6"}) {
    PlannedTrial trial = plan.trials.front();
    trial.trial.id += std::string("-") + depth;
    trial.labels["model.depth"] = depth;
    deep.push_back(trial);
  }
  plan.trials.erase(plan.trials.begin());
  plan.trials.insert(plan.trials.begin(), deep.begin(), deep.end());
  return {{test::kSweep, plan}};
}

TEST(OtherValues, SplitTheirRowsByAxesThatTheCommandLineAdds) {
  const auto table = [](const std::string& others, const std::string& settings) {
    return test::table_of(
        "table: rates\nsweep: sweeps/example.yaml\nstage: finetune\nmetric: dev/score\n"
        "rows: {axis: rate, order: [1, 2], labels: {1: one}" +
            others + "}\n",
        plans_with_added_axis(settings), {});
  };
  const std::string set = "--set stages.finetune.grid.model.depth=[3, 6]";
  const Table split = table(", others: \"{}\"", set);
  EXPECT_THAT(labels_of(split), ElementsAre("one", "one, depth=3", "one, depth=6", "2"));
  EXPECT_EQ(split.num_to_run(), 3u);
  EXPECT_THAT([&] { table("", set); }, testing::ThrowsMessage<ConfigError>(
                                           HasSubstr("axis 'model.depth' is in neither rows")));
  EXPECT_THAT([&] { table(", others: \"{}\"", ""); },
              testing::ThrowsMessage<ConfigError>(HasSubstr("axis 'model.depth' is in neither")));
}

TEST(OtherValues, NeedAPlaceForTheValueAndAnAxis) {
  const auto read = [](const std::string& rows) {
    const SpecFile file("table: rates\nsweep: sweeps/example.yaml\nstage: finetune\nrows: " + rows +
                        "\n");
    read_table_spec(file.path());
  };
  EXPECT_THAT([&] { read("{axis: rate, others: rate}"); },
              testing::ThrowsMessage<ConfigError>(
                  HasSubstr("spec.yaml:4:7: error: others: got 'rate', expected a text with {}")));
  EXPECT_THAT(
      [&] { read("[{label: a, others: \"{}\"}]"); },
      testing::ThrowsMessage<ConfigError>(HasSubstr("order, labels and others go with an axis")));
}

}  // namespace
}  // namespace rethink
