#include "app/driver/show/tables/cell_parts.h"

#include <gtest/gtest.h>

#include "app/driver/show/rows.h"

namespace rethink {
namespace {

CellPart part_named(const std::string& name, const PartOfSeed& first, const PartOfSeed& second) {
  return {name, name, {{0, first}, {1, second}}};
}

const std::string kFirst = "0123456789abcdef0123", kSecond = "abcdef0123456789abcd";

TEST(CellParts, AreATableOfPartsAndSeeds) {
  const CellPart whole = part_named("SST-2", {{kFirst}, {71.4}, {}}, {{kSecond}, {71.8}, {}});
  const CellPart partial =
      part_named("CoLA", {{kFirst}, {12.5}, {}}, {{kSecond}, {}, {MarkKind::missing}});
  const CellPart none = part_named("RTE", {{kFirst}, {}, {MarkKind::missing, MarkKind::diverged}},
                                   {{kSecond}, {}, {MarkKind::cancelled}});
  EXPECT_EQ(format_rows(rows_of({whole, partial, none}), "csv"),
            "part,seed 0,trial,seed 1,trial\n"
            "SST-2,71.4,01234567,71.8,abcdef01\n"
            "CoLA,12.5,01234567,missing,abcdef01\n"
            "RTE,\"missing, diverged\",01234567,cancelled,abcdef01\n");
}

TEST(CellParts, OfAnotherSeedStayEmptyAndSayWhoDiverged) {
  const CellPart one =
      part_named("a", {{kFirst}, {1.5}, {}}, {{kSecond}, {}, {MarkKind::diverged}});
  const CellPart other{"b", "b", {{2, {{kFirst, "1123456789abcdef0123"}, {2.0, 3.0}, {}}}}};
  EXPECT_EQ(format_rows(rows_of({one, other}), "csv"),
            "part,seed 0,trial,seed 1,trial,seed 2,trial\n"
            "a,1.5,01234567,diverged,abcdef01,,\n"
            "b,,,,,2.5,01234567 +1\n");
}

}  // namespace
}  // namespace rethink
