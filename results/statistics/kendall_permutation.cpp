#include "results/statistics/kendall_permutation.h"

#include <algorithm>
#include <map>

#include "core/error.h"
#include "results/statistics/statistics.h"

namespace rethink {
namespace {

/// The probability of each of the numbers 0, 1, 2, ...
using CountDistribution = std::vector<double>;

CountDistribution convolved(const CountDistribution& a, const CountDistribution& b) {
  CountDistribution sum(a.size() + b.size() - 1);
  for (size_t i = 0; i < a.size(); ++i) {
    for (size_t k = 0; k < b.size(); ++k) sum[i + k] += a[i] * b[k];
  }
  return sum;
}

/// Inversions between `a` equal values and `b` equal values of another size, in a random order: the
/// coefficients of the Gaussian binomial (a + b choose b) over their sum. Pascal's rule: the last
/// position has a larger value with the probability of their share, and then makes no inversion.
CountDistribution inversions_between(size_t a, size_t b) {
  std::vector<CountDistribution> row(b + 1, {1});  // [k]: of i and k values, starting with i = 0
  for (size_t i = 1; i <= a; ++i) {
    for (size_t k = 1; k <= b; ++k) {
      const double share = static_cast<double>(k) / static_cast<double>(i + k);
      CountDistribution next(i * k + 1);
      // If the last value is a larger one, all inversions are among the others.
      for (size_t n = 0; n < row[k - 1].size(); ++n) next[n] += share * row[k - 1][n];
      // If the last value is a smaller one, each of the k larger values is before it.
      for (size_t n = 0; n < row[k].size(); ++n) next[n + k] += (1 - share) * row[k][n];
      row[k] = std::move(next);
    }
  }
  return row[b];
}

/// Inversions of values with these numbers of equal values, in a random order.
CountDistribution inversions_of(const std::vector<size_t>& group_sizes) {
  CountDistribution inversions{1};
  size_t before = 0;
  for (const size_t size : group_sizes) {
    inversions = convolved(inversions, inversions_between(before, size));
    before += size;
  }
  return inversions;
}

/// Pairs of rows that x and y order differently, and the distribution of their number.
struct Discordance {
  size_t pairs = 0;
  CountDistribution by_chance;
};

Discordance discordance_of(const TrendLine& line) {
  Discordance result;
  for (size_t i = 0; i < line.x.size(); ++i) {
    for (size_t k = 0; k < line.x.size(); ++k)
      result.pairs += line.x[i] < line.x[k] && line.y[i] > line.y[k];
  }
  std::map<double, size_t> equal;
  for (const double value : line.y) ++equal[value];
  std::vector<size_t> sizes;
  for (const auto& [value, count] : equal) sizes.push_back(count);
  result.by_chance = inversions_of(sizes);
  return result;
}

}  // namespace

std::optional<TrendTest> trend_test(std::span<const TrendLine> lines) {
  TrendTest test;
  CountDistribution by_chance{1};
  size_t discordant = 0;
  std::vector<double> taus;
  for (const TrendLine& line : lines) {
    RETHINK_ASSERT(line.x.size() == line.y.size() && line.x.size() <= kMostTrendRows,
                   "rows of a trend");
    if (line.x.size() < 2) continue;
    taus.push_back(kendall_tau(line.x, line.y).value_or(0));
    const Discordance own = discordance_of(line);
    discordant += own.pairs;
    by_chance = convolved(by_chance, own.by_chance);
  }
  if (taus.empty()) return std::nullopt;
  test.tau = mean(taus);
  // The distribution is symmetric: equally many orders have n discordant pairs and all but n.
  const size_t most = by_chance.size() - 1, rarer = std::min(discordant, most - discordant);
  double tail = 0;
  for (size_t n = 0; n <= rarer; ++n) tail += by_chance[n];
  test.p = std::min(1.0, 2 * tail);
  test.smallest_p = std::min(1.0, 2 * by_chance.front());
  return test;
}

}  // namespace rethink
