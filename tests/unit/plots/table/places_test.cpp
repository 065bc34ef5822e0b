// Kinds of places in attention matrices, compared with written-out sums.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "core/config/schema.h"
#include "core/error.h"
#include "core/format/safetensors.h"
#include "plots/table/cells/attention_matrix.h"
#include "tests/unit/plots/fixture.h"

namespace rethink::test {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::ThrowsMessage;

/// Every cell has another number, 0 to 24, so that each place is recognised.
Matrix five_by_five() {
  Matrix matrix{5, 5, {}};
  for (int cell = 0; cell < 25; ++cell) matrix.cells.push_back(cell);
  return matrix;
}

double only(const std::vector<double>& values) {
  EXPECT_EQ(values.size(), 1u);
  return values.at(0);
}

TEST(Places, AreMeansOverTheirKind) {
  const std::vector<Matrix> heads = {five_by_five()};
  EXPECT_DOUBLE_EQ(only(of_places(heads, "diagonal")), (0 + 6 + 12 + 18 + 24) / 5.0);
  EXPECT_DOUBLE_EQ(only(of_places(heads, "inner_diagonal")), (6 + 12 + 18) / 3.0);
  const double ends = 1 + 2 + 3 + 4 + 5 + 10 + 15 + 20 + 9 + 14 + 19 + 21 + 22 + 23;
  EXPECT_DOUBLE_EQ(only(of_places(heads, "ends")), ends / 14);
  EXPECT_DOUBLE_EQ(only(of_places(heads, "neighbours")), (7 + 11 + 13 + 17) / 4.0);
  EXPECT_DOUBLE_EQ(only(of_places(heads, "others")), (8 + 16) / 2.0);
  EXPECT_DOUBLE_EQ(only(of_places(heads, "others_sd")), std::sqrt(32.0));
  EXPECT_DOUBLE_EQ(only(of_places(heads, "sparsity")), 4);  // one zero of 25
}

TEST(Places, HaveTheirSparsityAtTheLengthsOfTasks) {
  // The matrix has zeros from the 12th token on, in rows and columns. CoLA's 12 tokens see only one row and one column of zeros.
  Matrix matrix{30, 30, std::vector<double>(900, 1)};
  for (size_t row = 0; row < 30; ++row) {
    for (size_t column = 0; column < 30; ++column) {
      if (row >= 11 || column >= 11) matrix.cells[30 * row + column] = 0;
    }
  }
  const double of_12 = 100 * (144 - 121) / 144.0, of_25 = 100 * (625 - 121) / 625.0;
  EXPECT_DOUBLE_EQ(only(of_places({matrix}, "sparsity_at_task_lengths")), (of_12 + of_25) / 2)
      << "the other tasks are longer";
  EXPECT_THAT(of_places({five_by_five()}, "sparsity_at_task_lengths"), IsEmpty());
}

TEST(Places, HaveTheRangeOfTheirMeans) {
  Matrix matrix{5, 5, std::vector<double>(25, 0.5)};
  for (size_t i = 0; i < 5; ++i) matrix.cells[6 * i] = 0.125;
  matrix.cells[7] = 0.75;  // a neighbour of four
  EXPECT_DOUBLE_EQ(only(of_places({matrix}, "range")), 0.5625 - 0.125);
}

TEST(Places, OfHeadsThatDifferAreCountedAgainstEachOther) {
  const Matrix first{2, 2, {1, 0, 0, 1}}, second{2, 2, {1, 1, 0, 1}}, third{2, 2, {0, 1, 1, 0}};
  // First and second differ in 1 of 4 places, first and third in 4, second and third in 3.
  EXPECT_THAT(of_places({first, second, third}, "apart"), ElementsAre(62.5, 50, 87.5));
  EXPECT_THAT(of_places({first, first}, "apart"), ElementsAre(0, 0));
  EXPECT_THAT(of_places({first}, "apart"), IsEmpty());
}

TEST(Places, AreNoneWhereAMatrixIsTooSmall) {
  const Matrix two{2, 2, {1, 0, 0, 1}};
  EXPECT_THAT(of_places({two}, "neighbours"), IsEmpty());
  EXPECT_THAT(of_places({two}, "range"), IsEmpty());
  EXPECT_THAT(of_places({two, two}, "diagonal"), ElementsAre(1, 1));
}

const std::string kPlaces =
    "table: t\nsweep: sweeps/example.yaml\nstage: finetune\nrows: {axis: arm}\n"
    "columns: [{label: d, places: P/diagonal, where: {task: CoLA}}]\n";

TEST(Places, GiveATableMeansAndHeads) {
  const TempFolder folder;
  const std::vector<float> cells = {0.25F, 1, 1, 0.25F, 0.75F, 1, 1, 0.75F};
  write_safetensors(folder / "P.safetensors",
                    {{"P", {Dtype::f32, {2, 2, 2}, std::as_bytes(std::span(cells))}}}, {});
  TrialRecords records = example_records(2);
  TrialRecord& dense = records.at(trial_named("dense", "CoLA", 1));
  add_places(dense, {"P", "diagonal"}, folder / "P.safetensors");
  const Table table = table_of(kPlaces, example_plans(2), records);
  const Cell& cell = table.cells[0][0];
  ASSERT_EQ(cell.samples.size(), 1u);
  EXPECT_THAT(cell.samples[0].value, DoubleNear(0.5, 1e-12));
  EXPECT_THAT(cell.heads.at(1), ElementsAre(0.25, 0.75));
  EXPECT_TRUE(cell.has(MarkKind::no_value));  // of seed 0
  EXPECT_TRUE(table.cells[1][0].heads.empty());
}

TEST(Places, OfADamagedFileAreMarkedThoughTheTrialSaidTheMeanItself) {
  TrialRecords records = example_records(2);
  for (const int seed : {0, 1}) {
    TrialRecord& dense = records.at(trial_named("dense", "CoLA", seed));
    dense.values["P/diagonal"] = 0.5;
    dense.damaged["P/diagonal"] =
        seed == 0 ? "trials/a/P is damaged; rm a" : "trials/b/P is missing";
  }
  const Table table = table_of(kPlaces, example_plans(2), records);
  const Cell& cell = table.cells[0][0];
  EXPECT_FALSE(cell.value);
  EXPECT_TRUE(cell.incomplete());
  EXPECT_FALSE(cell.waits());
  ASSERT_TRUE(cell.has(MarkKind::damaged));
  EXPECT_EQ(std::ranges::find(cell.marks, MarkKind::damaged, &Mark::kind)->text,
            "trials/a/P is damaged; rm a; and 1 more file (db check --hashes)");
}

TEST(Places, AreAskedOfTheStoreTooForWhereFilesAreNot) {
  const SpecFile file(kPlaces);
  const TableSpec spec = read_table_spec(file.path());
  const ValueName diagonal{"P", "diagonal"};
  EXPECT_THAT(wanted_places(spec), ElementsAre(diagonal));
  EXPECT_THAT(wanted_values(spec, Schema()).facts,
              ElementsAre(ValueName{"mask", "sparsity"}, diagonal));
}

TEST(Places, AreOfAKnownKind) {
  EXPECT_THAT([] { table_of(with(kPlaces, "P/diagonal", "P/diagonl"), example_plans(), {}); },
              ThrowsMessage<ConfigError>(HasSubstr("did you mean 'diagonal'?")));
  EXPECT_THAT([] { table_of(with(kPlaces, "P/diagonal", "diagonal"), example_plans(), {}); },
              ThrowsMessage<ConfigError>(HasSubstr("got 'diagonal', expected")));
}

}  // namespace
}  // namespace rethink::test
