// Statistics of tables, figures and `rethink query`: plain functions. Sums are taken in long double;
// nothing depends on the order of threads.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/philox.h"

namespace rethink {

/// Requires: not empty.
double mean(std::span<const double> values);
/// The middle value, or the mean of the two in the middle. Requires: not empty.
double median(std::span<const double> values);
/// Interquartile mean: the mean without the floor(n/4) smallest and as many largest values.
/// Requires: not empty.
double iqm(std::span<const double> values);

/// Of a sample (n - 1 below); none for fewer than two values.
std::optional<double> standard_deviation(std::span<const double> values);
/// standard_deviation / sqrt(n); none for fewer than two values.
std::optional<double> standard_error(std::span<const double> values);
/// Half of the confidence interval of the mean by Student's t, at `level` between 0 and 1; none for
/// fewer than two values.
std::optional<double> confidence(std::span<const double> values, double level);
/// The same at 95%.
std::optional<double> confidence95(std::span<const double> values);

/// The largest magnitude; 0 of none.
double largest(std::span<const double> values);
/// Whether they differ by more than what rounding leaves of numbers as large as `size`.
bool vary(std::span<const double> values, double size);

/// Two-sided p of Student's t-test on the differences a[i] - b[i]; none for fewer than two pairs,
/// and where all differences are equal: nothing says then what chance alone would do. On a coarse
/// scale, such as the accuracy of 277 examples, few seeds are often so. Requires: equal lengths.
std::optional<double> paired_t(std::span<const double> a, std::span<const double> b);
/// Two-sided p of Student's t-test of two samples (equal variances); none when a sample has fewer than two
/// values, or neither varies.
std::optional<double> student_t(std::span<const double> a, std::span<const double> b);
/// Two-sided p of Welch's t-test (unequal variances, Welch-Satterthwaite degrees of freedom); none
/// when a sample has fewer than two values, or neither varies.
std::optional<double> welch(std::span<const double> a, std::span<const double> b);
/// Two-sided p of the sign-flip permutation test on the mean of a[i] - b[i]: exact for up to 20
/// pairs, beyond by 100,000 flips drawn with Philox (the observed one counted with them). None
/// without a pair. Requires: equal lengths.
std::optional<double> paired_permutation(std::span<const double> a, std::span<const double> b);
/// The smallest two-sided p that paired_permutation can give: 2^(1-n); 0.25 for 3 pairs.
double smallest_permutation_p(size_t pairs);

struct Interval {
  double low = 0, high = 0;
};
/// Of resampled numbers, rising: the two that cut (1 - level) / 2 of them off at either end. Requires: one.
Interval percentile_interval(std::span<const double> rising, double level);

/// Which of `places.size()` values the resample with this number draws, with replacement: uniform, and equal on
/// every machine for equal keys.
void draw_places(PhiloxKey key, uint64_t resample, std::vector<size_t>& places);

/// Percentile bootstrap of the mean; none for fewer than two values. Equal values and seed give
/// equal bounds on any machine (Philox).
std::optional<Interval> bootstrap(std::span<const double> values, double level = 0.95,
                                  int resamples = 10000, uint64_t seed = 0);

/// Kendall's tau-b (ties allowed); none for fewer than two pairs or when one side is constant.
/// Requires: equal lengths.
std::optional<double> kendall_tau(std::span<const double> a, std::span<const double> b);

/// Holm's step-down correction: adjusted p values in the order given, at most 1.
std::vector<double> holm(std::span<const double> p);

/// The false discovery rates at which each would be among those that are declared (Benjamini and
/// Hochberg, 1995): adjusted p values in the order given, at most 1.
std::vector<double> benjamini_hochberg(std::span<const double> p);

/// P(T <= t) of Student's t with `degrees` > 0 degrees of freedom, and its inverse for 0 < p < 1.
double student_t_cdf(double t, double degrees);
double student_t_quantile(double p, double degrees);

/// "0.512 ± 0.013": the mean to the second significant digit of its 95% half-width; without one,
/// six digits. What would take more than a dozen digits is written as "1.6e+92 ± 4.1e+92". `decimals`: both with so many.
std::string mean_ci(std::span<const double> values, std::optional<int> decimals = {});

}  // namespace rethink
