// Statistics for tables, figures and `rethink query`, as plain functions. Sums are computed in long
// double, and no result depends on the order of threads.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/philox.h"

namespace rethink {

/// Returns the mean. Requires: not empty.
double mean(std::span<const double> values);
/// Returns the middle value, or the mean of the two middle values. Requires: not empty.
double median(std::span<const double> values);
/// Returns the interquartile mean: the mean without the floor(n/4) smallest and as many largest
/// values. Requires: not empty.
double iqm(std::span<const double> values);

/// Returns the standard deviation of a sample (divisor n - 1); nothing for fewer than two values.
std::optional<double> standard_deviation(std::span<const double> values);
/// Returns standard_deviation / sqrt(n); nothing for fewer than two values.
std::optional<double> standard_error(std::span<const double> values);
/// Returns half of the confidence interval of the mean by Student's t, at `level` between 0 and 1;
/// nothing for fewer than two values.
std::optional<double> confidence(std::span<const double> values, double level);
/// Returns the same at 95%.
std::optional<double> confidence95(std::span<const double> values);

/// Returns the largest magnitude; 0 without values.
double largest(std::span<const double> values);
/// Returns whether the values differ by more than the rounding errors of numbers as large as `size`.
bool vary(std::span<const double> values, double size);

/// Returns the two-sided p of Student's t-test on the differences a[i] - b[i]. Returns nothing for
/// fewer than two pairs, and if all differences are equal, since they then show nothing about
/// chance. On a coarse scale, such as the accuracy of 277 examples, few seeds are often equal.
/// Requires: equal lengths.
std::optional<double> paired_t(std::span<const double> a, std::span<const double> b);
/// Returns the two-sided p of Student's t-test of two samples (equal variances); nothing if a
/// sample has fewer than two values, or if neither varies.
std::optional<double> student_t(std::span<const double> a, std::span<const double> b);
/// Returns the two-sided p of Welch's t-test (unequal variances, Welch-Satterthwaite degrees of
/// freedom); nothing if a sample has fewer than two values, or if neither varies.
std::optional<double> welch(std::span<const double> a, std::span<const double> b);
/// Returns the two-sided p of the sign-flip permutation test on the mean of a[i] - b[i]: exact for
/// up to 20 pairs, else by 100,000 flips drawn by Philox, which include the observed one. Returns
/// nothing without a pair. Requires: equal lengths.
std::optional<double> paired_permutation(std::span<const double> a, std::span<const double> b);
/// Returns the smallest two-sided p of paired_permutation: 2^(1-n); 0.25 for 3 pairs.
double smallest_permutation_p(size_t pairs);

struct Interval {
  double low = 0, high = 0;
};
/// Returns the two bounds of sorted resampled numbers that cut off (1 - level) / 2 of them at
/// either end. Requires: at least one number.
Interval percentile_interval(std::span<const double> rising, double level);

/// Sets `places` to the positions that a resample draws, with replacement, from `places.size()`
/// values. Uniform, and equal on every machine for equal keys.
void draw_places(PhiloxKey key, uint64_t resample, std::vector<size_t>& places);

/// Returns the percentile bootstrap of the mean; nothing for fewer than two values. Equal values
/// and seed give equal bounds on any machine (Philox).
std::optional<Interval> bootstrap(std::span<const double> values, double level = 0.95,
                                  int resamples = 10000, uint64_t seed = 0);

/// Returns Kendall's tau-b (ties allowed); nothing for fewer than two pairs, or if one side is
/// constant. Requires: equal lengths.
std::optional<double> kendall_tau(std::span<const double> a, std::span<const double> b);

/// Returns the p values adjusted by Holm's step-down correction, in the order given, at most 1.
std::vector<double> holm(std::span<const double> p);

/// Returns the adjusted p values by Benjamini and Hochberg (1995), in the given order, at most 1:
/// the false discovery rate at which each would be declared.
std::vector<double> benjamini_hochberg(std::span<const double> p);

/// Return P(T <= t) of Student's t with `degrees` > 0 degrees of freedom, and its inverse for 0 < p < 1.
double student_t_cdf(double t, double degrees);
double student_t_quantile(double p, double degrees);

/// Returns "0.512 ± 0.013": the mean to the second significant digit of its 95% half-width, or six
/// digits without a half-width. If this takes more than a dozen digits, the form is "1.6e+92 ±
/// 4.1e+92". `decimals` sets the decimals of both.
std::string mean_ci(std::span<const double> values, std::optional<int> decimals = {});

}  // namespace rethink
