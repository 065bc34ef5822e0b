#include "app/driver/show/cell_parts.h"

#include <gtest/gtest.h>

#include "app/driver/show/rows.h"

namespace rethink {
namespace {

CellPart part_named(const std::string& name, const std::vector<Sample>& samples) {
  CellPart part{name, name, {}};
  part.cell.trials = {"0123456789abcdef0123", "abcdef0123456789abcd"};
  part.cell.trial_seeds = {0, 1};
  part.cell.samples = samples;
  return part;
}

TEST(CellParts, AreATableOfPartsAndSeeds) {
  CellPart whole = part_named("SST-2", {{0, 71.4}, {1, 71.8}});
  CellPart partial = part_named("CoLA", {{0, 12.5}});
  partial.cell.lacking[1] = {MarkKind::missing};
  CellPart none = part_named("RTE", {});
  none.cell.marks = {{MarkKind::missing, "1 of 2 seeds missing"}};
  none.cell.lacking = {{0, {MarkKind::missing, MarkKind::diverged}}, {1, {MarkKind::cancelled}}};
  EXPECT_EQ(format_rows(rows_of({whole, partial, none}), "csv"),
            "part,seed 0,trial,seed 1,trial\n"
            "SST-2,71.4,01234567,71.8,abcdef01\n"
            "CoLA,12.5,01234567,missing,abcdef01\n"
            "RTE,\"missing, diverged\",01234567,cancelled,abcdef01\n");
}

TEST(CellParts, OfAnotherSeedStayEmptyAndSayWhoDiverged) {
  CellPart one = part_named("a", {{0, 1.5}});
  one.cell.lacking[1] = {MarkKind::diverged};
  CellPart other = part_named("b", {{2, 2.5}});
  other.cell.trials = {"0123456789abcdef0123", "1123456789abcdef0123"};
  other.cell.trial_seeds = {2, 2};
  EXPECT_EQ(format_rows(rows_of({one, other}), "csv"),
            "part,seed 0,trial,seed 1,trial,seed 2,trial\n"
            "a,1.5,01234567,diverged,abcdef01,,\n"
            "b,,,,,2.5,01234567 +1\n");
}

}  // namespace
}  // namespace rethink
