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

std::string measured_text(double row, double than, double deviation) {
  const Comparison comparison{.row = row,
                              .than = than,
                              .gain = row - than,
                              .interval = Interval{-1, 1},
                              .deviation = deviation,
                              .over = "5 seeds"};
  const std::string text = comparison_text(ClaimSpec(), std::nullopt, comparison);
  return text.substr(0, text.find(" ("));
}

/// "76.3, 75.7: by 0.5" would look like a mistake.
TEST(ClaimText, ShowsTheDigitsThatTheDifferenceNeeds) {
  EXPECT_EQ(measured_text(76.3, 75.75, 2.1), "76.30 against 75.75: as the claim has it by 0.55");
  EXPECT_EQ(measured_text(0.0712, 0.07098, 0.012),
            "0.07120 against 0.07098: as the claim has it by 0.00022");
  EXPECT_EQ(measured_text(0.5402, 0.52, 0.00045),
            "0.5402 against 0.5200: as the claim has it by 0.0202");
  EXPECT_EQ(measured_text(6.357426667, 6.357426567, 0.05),
            "6.357 against 6.357: as the claim has it by 1e-07")
      << "far less than the seeds differ";
}

/// With two decimals 76.284 and 75.738 are 0.54 apart, but their difference of 0.546 is 0.55.
TEST(ClaimText, ShowsDigitsThatMatchTheDifferenceOfTheNumbers) {
  EXPECT_EQ(measured_text(76.2842, 75.7384, 1.16),
            "76.284 against 75.738: as the claim has it by 0.546");
  EXPECT_EQ(measured_text(76.30004, 75.75004, 1.16),
            "76.30 against 75.75: as the claim has it by 0.55");
}

TEST(ClaimText, CallsNoDifferenceWithinAMarginThatItIsBeyond) {
  const auto text = [](const ClaimTest* test, double row) {
    ClaimSpec claim;
    claim.test = test;
    claim.margin = 0.5;
    return comparison_text(claim, std::nullopt, {.row = row, .than = 82.5, .gain = row - 82.5});
  };
  const ClaimTest *not_worse = find_claim_test("not_worse"), *alike = find_claim_test("alike");
  EXPECT_EQ(text(not_worse, 83.5), "83.5 against 82.5: better by 1.0, and 0.5 worse would do");
  EXPECT_EQ(text(not_worse, 82.1), "82.1 against 82.5: worse by 0.4, within the margin of 0.5");
  EXPECT_EQ(text(not_worse, 81.5), "81.5 against 82.5: worse by 1.0, beyond the margin of 0.5");
  EXPECT_EQ(text(alike, 83.5), "83.5 against 82.5: better by 1.0, beyond the margin of 0.5");
  EXPECT_EQ(text(alike, 82.9), "82.9 against 82.5: better by 0.4, within the margin of 0.5");
  EXPECT_EQ(text(not_worse, 82.5), "82.5 against 82.5: equal, within the margin of 0.5");
}

/// Three digits of the difference are enough for measured numbers.
TEST(ClaimText, ShowsNoMoreThanThreeDigitsOfTheDifference) {
  EXPECT_EQ(compared_text(2.0 / 3.0, 1.0 / 3.0),
            "0.667 against 0.333: as the claim has it by 0.333");
}

}  // namespace
}  // namespace rethink
