#include "app/driver/show/terminal_plot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace rethink {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(TerminalPlot, DrawsARisingLineFromCornerToCorner) {
  EXPECT_EQ(terminal_plot({{"up", {{0, 0.0, 1}, {10, 1.0, 1}}}}, 4, 2),
            "         1 │  ⡠⠊1\n"
            "         0 │⡠⠊⠁ \n"
            "           └────\n"
            "            0 10\n"
            "1 up  1 at step 10\n");
}

TEST(TerminalPlot, NamesEachCurveWithItsLastValue) {
  const std::string text = terminal_plot(
      {{"rate 0", {{1, 5.0, 2}, {2, 3.0, 2}}}, {"rate 1", {{1, 5.0, 2}, {2, 4.0, 2}}}});
  EXPECT_THAT(text, HasSubstr("1 rate 0  3 at step 2\n2 rate 1  4 at step 2\n"));
}

TEST(TerminalPlot, LeavesOutValuesThatAreNotFinite) {
  const double infinite = std::numeric_limits<double>::infinity();
  const std::string text = terminal_plot({{"a", {{1, 1.0, 1}, {2, infinite, 1}, {3, 2.0, 1}}}});
  EXPECT_THAT(text, Not(HasSubstr("inf")));
  EXPECT_THAT(text, HasSubstr("2 at step 3"));
  EXPECT_EQ(terminal_plot({{"a", {{1, infinite, 1}}}}), "no finite value\n");
}

TEST(TerminalPlot, ShowsOnePointInTheMiddle) {
  const std::string text = terminal_plot({{"one", {{5, 7.0, 1}}}}, 9, 3);
  EXPECT_THAT(text, HasSubstr("7 at step 5"));
}

}  // namespace
}  // namespace rethink
