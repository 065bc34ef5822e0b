// The rule of core/yaml/written_values.h in every place in which users write a value.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "core/yaml/yaml.h"
#include "experiments/plan/read/conditions.h"
#include "experiments/plan/read/overlay.h"
#include "plots/table/table.h"
#include "results/query/curves.h"
#include "results/query/run_query.h"
#include "results/query/short_query.h"
#include "results/store/rebuild.h"
#include "tests/unit/plots/fixture.h"
#include "tests/unit/results/trial_maker.h"

namespace rethink {
namespace {

using Names = std::set<std::string>;

/// `size` is an axis of cases, `tag` an option that is text, `lr` one that is a number, `stop` one
/// that is a number or null.
struct Arm {
  std::string name, size, tag, lr, stop;
};

const std::vector<Arm> kArms = {{"a", "1", "1", "1e0", "null"},
                                {"b", "1M", "1layer", "10", "2"},
                                {"c", "1 (Transformer)", "1.0", "0.5", "3"},
                                {"d", "-x", ".nan", "0", "4"}};

std::map<std::string, std::string> labels_of(const Arm& arm) {
  return {{"size", arm.size}, {"tag", arm.tag}, {"lr", arm.lr}, {"stop", arm.stop}};
}
Json configuration_of(const Arm& arm) {
  return {{"tag", arm.tag}, {"lr", std::stod(arm.lr)}, {"stop", Json::parse(arm.stop)}};
}

struct Case {
  std::string axis, written;
  Names same;
};

const std::vector<Case> kCases = {
    {"size", "1", {"a"}},    {"size", "1.0", {"a"}}, {"size", "'1'", {"a"}},
    {"size", "'1.0'", {}},   {"size", "0", {}},      {"size", "'1M'", {"b"}},
    {"tag", "1", {"a"}},     {"tag", "1.0", {"c"}},  {"tag", "1e0", {}},
    {"tag", "'1'", {"a"}},   {"tag", "0", {}},       {"tag", ".nan", {"d"}},
    {"lr", "1", {"a"}},      {"lr", "1.0", {"a"}},   {"lr", "1e0", {"a"}},
    {"lr", "'1'", {}},       {"lr", "'1e0'", {}},    {"lr", "0", {"d"}},
    {"lr", "5e-1", {"c"}},   {"size", "1layer", {}}, {"tag", "1layer", {"b"}},
    {"stop", "null", {"a"}}, {"stop", "'null'", {}}, {"stop", "2.0", {"b"}},
};

class ComparedValuesTest : public testing::Test {
 protected:
  ComparedValuesTest() {
    SweepFile sweep{"sizes", "", "", "", {}, {}};
    Plan plan;
    plan.sweep = "sizes";
    for (const Arm& arm : kArms) {
      TrialMaker trial(folder_.path(), arm.name, configuration_of(arm));
      trial.attempt(1, {start_event(1, 0), metric_event("score", 1, 1), end_event("done")})
          .result(1);
      sweep.members.push_back({trial.id(), "train", "", labels_of(arm)});
      PlannedTrial planned;
      planned.trial.id = trial.id();
      planned.trial.seed = 0;
      planned.trial.config = configuration_of(arm);
      planned.stage = "train";
      planned.labels = labels_of(arm);
      plan.trials.push_back(planned);
    }
    write_sweep_file(folder_.path(), sweep);
    rebuild(folder_.path());
    plans_ = {{"sizes.yaml", plan}};
  }

  /// Returns the arm of the trial with this id.
  static std::string arm_of(const std::string& id) { return id.substr(id.size() - 1); }

  Names of_query(const std::string& axis, const std::string& written) {
    Store store(folder_.path(), Store::Access::read);
    Names names;
    for (const auto& row :
         run_query(store, short_query_sql(store, {axis + "=" + written, {}, {}})).rows)
      names.insert(arm_of(row[0]));
    return names;
  }

  Names of_curve(const std::string& axis, const std::string& written) {
    Store store(folder_.path(), Store::Access::read);
    Names names;
    for (const Curve& curve : curves(store, "dev/score", axis + "=" + written, {"trial"}))
      names.insert(arm_of(curve.label));
    return names;
  }

  /// Returns the arms that `when`, `exclude` and the `where` of a need select.
  static Names of_condition(const std::string& axis, const std::string& written) {
    Problems problems;
    Names names;
    for (const Arm& arm : kArms) {
      Conditions conditions(parse_yaml("{" + axis + ": " + written + "}", "test"), problems);
      const bool holds = conditions.hold([&](const std::string& key) {
        const Json configuration = configuration_of(arm);
        const Json* option = find_path(configuration, key);
        return std::optional(
            typed_label(labels_of(arm).at(key),
                        option ? std::optional(recorded_value(*option)) : std::nullopt));
      });
      if (holds) names.insert(arm.name);
    }
    problems.throw_if_any();
    return names;
  }

  /// Returns the arms in the rows of `shows`; none if the specification names a value without a trial.
  Names of_table(
      const std::string& lines,
      const std::function<bool(const GridLine&)>& shows = [](const GridLine&) { return true; }) {
    const test::SpecFile file(
        "table: t\nsweep: sizes.yaml\nstage: train\nmetric: dev/score\nover: [size, tag, lr, "
        "stop]\n"
        "columns: [{label: score}]\ndirection: max\n" +
        lines);
    const TableSpec spec = read_table_spec(file.path());
    Names names;
    try {
      const Grid grid = make_grid(spec, plans_);
      for (size_t row = 0; row < grid.rows.size(); ++row) {
        if (!shows(grid.rows[row])) continue;
        for (const PlannedTrial* trial : grid.trials.at(row).at(0))
          names.insert(arm_of(trial->trial.id));
      }
    } catch (const ConfigError& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr("no trial has"));
    }
    return names;
  }
  Names of_where(const std::string& axis, const std::string& written) {
    return of_table("rows: [{label: row}]\nwhere: {" + axis + ": " + written + "}\n");
  }
  Names of_order(const std::string& axis, const std::string& written) {
    return of_table("rows: [{axis: " + axis + ", order: [" + written + "]}]\n");
  }
  /// Returns the arms of the rows with the label of `written`, a key of the map.
  Names of_labels(const std::string& axis, const std::string& written) {
    return of_table("rows: [{axis: " + axis + ", labels: {" + written + ": found}}]\n",
                    [](const GridLine& row) { return row.label == "found"; });
  }

  const TempFolder folder_;
  Plans plans_;
};

TEST_F(ComparedValuesTest, AreTheSameInEveryPlace) {
  const std::map<std::string, std::function<Names(const std::string&, const std::string&)>> places =
      {{"query --where",
        [this](const auto& axis, const auto& value) { return of_query(axis, value); }},
       {"curve --where",
        [this](const auto& axis, const auto& value) { return of_curve(axis, value); }},
       {"when, exclude", of_condition},
       {"where of a table",
        [this](const auto& axis, const auto& value) { return of_where(axis, value); }},
       {"order of a table",
        [this](const auto& axis, const auto& value) { return of_order(axis, value); }},
       {"labels of a table",
        [this](const auto& axis, const auto& value) { return of_labels(axis, value); }}};
  for (const auto& [axis, written, same] : kCases) {
    for (const auto& [place, names_of] : places) {
      if (written == "null" && place == "labels of a table") continue;  // no key of a map is null
      EXPECT_EQ(names_of(axis, written), same) << place << ": " << axis << " = " << written;
    }
  }
}

TEST_F(ComparedValuesTest, RowsAndColumnsAreFoundByTheirValues) {
  struct Line {
    std::string label, key;
    ValueType type = ValueType::label;
  };
  const std::vector<Line> lines = {{"first", "1.0"}, {"second", "1"}, {"third", "1M"}, {"1k", "0"}};
  EXPECT_EQ(find_line(lines, {"1"}), 1u) << "as it is written, before one that is the same number";
  EXPECT_EQ(find_line(lines, {"1e0"}), std::nullopt) << "may be the first or the second";
  EXPECT_EQ(lines_called(lines, {"1e0"}), (std::vector<size_t>{0, 1}));
  EXPECT_EQ(trouble_of_several(lines, {"1e0"}, "row"),
            "has 2 rows '1e0'; give the value of one as it is written: 1.0, 1");
  EXPECT_EQ(find_line(lines, {"1M"}), 2u);
  EXPECT_EQ(find_line(lines, {"1k"}), 3u);
  EXPECT_EQ(find_line(lines, {"1x"}), std::nullopt);
  const std::vector<Line> numbers = {{"first", "1.0"}};
  EXPECT_EQ(find_line(numbers, {"1"}), 0u);
  EXPECT_EQ(find_line(numbers, {"1", /*quoted=*/true}), std::nullopt) << "text is not a number";
  EXPECT_EQ(find_line(lines, {"1", /*quoted=*/true}), 1u);
  const std::vector<Line> typed = {{"a", "1", ValueType::number}, {"b", "2", ValueType::text}};
  EXPECT_EQ(find_line(typed, {"1", /*quoted=*/true}), std::nullopt) << "text is not a number";
  EXPECT_EQ(find_line(typed, {"2", /*quoted=*/true}), 1u);
  EXPECT_EQ(find_line(typed, {"2.0"}), std::nullopt) << "text is compared letter by letter";
  const std::vector<Line> twins = {{"a", "a"}, {"a", "a"}};
  EXPECT_EQ(trouble_of_several(twins, {"a"}, "column"),
            "has 2 columns 'a'; give each a label of its own");
}

TEST_F(ComparedValuesTest, KeysOfThePaperKeepTheirQuotes) {
  const test::SpecFile file(
      "table: t\nsweep: sizes.yaml\nstage: train\nmetric: dev/score\nover: [size, tag, stop]\n"
      "columns: [{label: score}]\ndirection: max\nrows: [{axis: lr, labels: {1: one, 10: ten}}]\n"
      "paper: {1: {score: 5}, \"10\": {\"score\": 6}}\n");
  const TableSpec spec = read_table_spec(file.path());
  const Grid grid = make_grid(spec, plans_);
  ASSERT_EQ(spec.paper.size(), 2u);
  EXPECT_TRUE(find_line(grid.rows, spec.paper[0].row.written()));
  EXPECT_FALSE(find_line(grid.rows, spec.paper[1].row.written())) << "text is not a number";
  EXPECT_TRUE(find_line(grid.columns, spec.paper[1].column.written()));
}

TEST_F(ComparedValuesTest, ALineOfATableMeansOneValue) {
  const auto refuses = [&](const std::string& lines, const std::string& message) {
    const test::SpecFile file(
        "table: t\nsweep: sizes.yaml\nstage: train\nmetric: dev/score\nover: [size, tag, lr, "
        "stop]\n"
        "columns: [{label: score}]\n" +
        lines);
    const TableSpec spec = read_table_spec(file.path());
    EXPECT_THAT([&] { make_grid(spec, plans_); },
                testing::ThrowsMessage<ConfigError>(testing::HasSubstr(message)));
  };
  refuses("rows: [{axis: lr, order: [1, 10, 1.0]}]\n",
          "spec.yaml:7:34: error: order: '1.0' names lr '1e0' a second time");
  plans_.at("sizes.yaml").trials[1].labels.at("size") = "1.0";
  refuses("rows: [{axis: size, order: [1e0]}]\n",
          "order: size '1e0' fits 2 values; write one of them: 1, 1.0");
  EXPECT_EQ(of_order("size", "1.0"), Names{"b"}) << "as one of them is written";
}

TEST_F(ComparedValuesTest, LinesHaveTheTypeOfTheirValues) {
  for (const Case& one : kCases) {
    if (one.written == "'1e0'" || one.written == "'null'") continue;  // a row's label is text
    const test::SpecFile file(
        "table: t\nsweep: sizes.yaml\nstage: train\nmetric: dev/score\nover: [size, tag, lr, "
        "stop]\n"
        "columns: [{label: score}]\ndirection: max\nrows: [{axis: " +
        one.axis + "}]\n");
    const TableSpec spec = read_table_spec(file.path());
    const Grid grid = make_grid(spec, plans_);
    Names names;
    for (const size_t row : lines_called(grid.rows, written_value(one.written)))
      names.insert(arm_of(grid.trials.at(row).at(0).at(0)->trial.id));
    EXPECT_EQ(names, one.same) << one.axis << " = " << one.written;
  }
}

}  // namespace
}  // namespace rethink
