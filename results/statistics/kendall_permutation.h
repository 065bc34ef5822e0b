// An exact permutation test of Kendall's tau: whether a value rises or falls with a number.
#pragma once

#include <optional>
#include <span>
#include <vector>

namespace rethink {

/// Numbers x of several rows and their values y, for one seed, or for one head of a seed.
struct TrendLine {
  std::vector<double> x, y;  // equal lengths; x without repetitions
};

struct TrendTest {
  double tau = 0;         // mean over the lines of Kendall's tau-b
  double p = 1;           // two-sided, exact
  double smallest_p = 1;  // smallest possible p of these lines, with the ties of their y
};

/// Limit on the rows of a line, since the exact distribution takes time with the fourth power of their number.
constexpr size_t kMostTrendRows = 100;

/// Returns the permutation test of a trend. The statistic is S: the number of pairs of rows that x
/// and y order equally, minus the pairs that they order differently, summed over the lines
/// (Kendall, 1938). Its distribution is taken over all orders of each line's y, with independent
/// lines; values of one line may depend on its seed in any way. A line has tau 0 if all its y are
/// equal. Returns nothing without a line of two rows. Requires: at most kMostTrendRows rows in each
/// line.
std::optional<TrendTest> trend_test(std::span<const TrendLine> lines);

}  // namespace rethink
