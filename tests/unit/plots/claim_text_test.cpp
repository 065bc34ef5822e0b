#include "plots/claim/claim_text.h"

#include <gtest/gtest.h>

namespace rethink {
namespace {

std::string compared_text(double row, double than) {
  ClaimSpec claim;
  return comparison_text(claim, std::nullopt, {.row = row, .than = than, .gain = row - than});
}

TEST(ClaimText, KeepsTheDigitsOfBothSidesWhereTheirDifferenceIsRound) {
  EXPECT_EQ(compared_text(87.6, 86.6), "87.6 against 86.6: as the claim has it by 1.0");
  EXPECT_EQ(compared_text(83.55, 82.05), "83.55 against 82.05: as the claim has it by 1.50");
  EXPECT_EQ(compared_text(90, 86), "90 against 86: as the claim has it by 4");
}

/// Three digits of the difference say enough of numbers that were measured.
TEST(ClaimText, ShowsNoMoreThanThreeDigitsOfTheDifference) {
  EXPECT_EQ(compared_text(2.0 / 3.0, 1.0 / 3.0),
            "0.667 against 0.333: as the claim has it by 0.333");
}

}  // namespace
}  // namespace rethink
