#include "results/statistics/statistics.h"

#include <boost/math/distributions/students_t.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/error.h"
#include "core/philox.h"

namespace rethink {
namespace {

constexpr double kMostInFull = 1e12;  // greater numbers are written with an exponent
constexpr size_t kExactPairs = 20;    // 2^20 sums take milliseconds
constexpr int kRandomFlips = 100000;

long double sum(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0L);
}

long double variance(std::span<const double> values) {
  const long double center = sum(values) / static_cast<long double>(values.size());
  long double squares = 0;
  for (const double value : values) squares += (value - center) * (value - center);
  return squares / static_cast<long double>(values.size() - 1);
}

std::vector<double> sorted(std::span<const double> values) {
  std::vector<double> copy(values.begin(), values.end());
  std::sort(copy.begin(), copy.end());
  return copy;
}

std::vector<double> differences(std::span<const double> a, std::span<const double> b) {
  RETHINK_ASSERT(a.size() == b.size(), fmt::format("{} and {} values", a.size(), b.size()));
  std::vector<double> result(a.size());
  std::transform(a.begin(), a.end(), b.begin(), result.begin(), std::minus<>());
  return result;
}

double two_sided_p(long double difference, long double error, double degrees) {
  return 2 * student_t_cdf(-std::abs(static_cast<double>(difference / error)), degrees);
}

/// Returns for how many of the 2^n sign choices for values[from...] |sum| is at least `least`.
uint64_t count_flips(std::span<const double> values, size_t from, long double total,
                     long double least) {
  if (from == values.size()) return std::abs(total) >= least ? 1 : 0;
  return count_flips(values, from + 1, total + values[from], least) +
         count_flips(values, from + 1, total - values[from], least);
}

uint64_t count_random_flips(std::span<const double> values, long double least) {
  uint64_t count = 0, block = 0;
  for (int draw = 0; draw < kRandomFlips; ++draw) {
    long double total = 0;
    PhiloxBlock random{};
    for (size_t i = 0; i < values.size(); ++i) {
      if (i % 128 == 0) random = philox({0, 0}, block++);
      const bool flip = (random.word[i % 128 / 32] >> (i % 32)) & 1;
      total += flip ? -values[i] : values[i];
    }
    if (std::abs(total) >= least) ++count;
  }
  return count;
}

}  // namespace

double mean(std::span<const double> values) {
  RETHINK_ASSERT(!values.empty(), "the mean of no values");
  return static_cast<double>(sum(values) / static_cast<long double>(values.size()));
}

double median(std::span<const double> values) {
  RETHINK_ASSERT(!values.empty(), "the median of no values");
  const std::vector<double> ordered = sorted(values);
  const size_t middle = ordered.size() / 2;
  return ordered.size() % 2 ? ordered[middle] : std::midpoint(ordered[middle - 1], ordered[middle]);
}

double iqm(std::span<const double> values) {
  const std::vector<double> ordered = sorted(values);
  const size_t cut = ordered.size() / 4;
  return mean(std::span(ordered).subspan(cut, ordered.size() - 2 * cut));
}

std::optional<double> standard_deviation(std::span<const double> values) {
  if (values.size() < 2) return std::nullopt;
  return static_cast<double>(std::sqrt(variance(values)));
}

std::optional<double> standard_error(std::span<const double> values) {
  if (values.size() < 2) return std::nullopt;
  return static_cast<double>(std::sqrt(variance(values) / static_cast<long double>(values.size())));
}

Interval percentile_interval(std::span<const double> rising, double level) {
  const auto at = [&](double share) {
    return rising[static_cast<size_t>(std::lround(share * static_cast<double>(rising.size() - 1)))];
  };
  return {at((1 - level) / 2), at((1 + level) / 2)};
}

std::optional<double> confidence(std::span<const double> values, double level) {
  const std::optional<double> error = standard_error(values);
  if (!error) return std::nullopt;
  return student_t_quantile((1 + level) / 2, static_cast<double>(values.size() - 1)) * *error;
}

std::optional<double> confidence95(std::span<const double> values) {
  return confidence(values, 0.95);
}

double largest(std::span<const double> values) {
  double size = 0;
  for (const double value : values) size = std::max(size, std::abs(value));
  return size;
}

bool vary(std::span<const double> values, double size) {
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  return least != values.end() && *most - *least > 1e-12 * size;
}

std::optional<double> paired_t(std::span<const double> a, std::span<const double> b) {
  const std::vector<double> apart = differences(a, b);
  if (apart.size() < 2 || !vary(apart, std::max(largest(a), largest(b)))) return std::nullopt;
  return two_sided_p(mean(apart), *standard_error(apart), static_cast<double>(apart.size() - 1));
}

std::optional<double> student_t(std::span<const double> a, std::span<const double> b) {
  if (a.size() < 2 || b.size() < 2) return std::nullopt;
  if (!vary(a, largest(a)) && !vary(b, largest(b))) return std::nullopt;
  const long double na = static_cast<long double>(a.size()),
                    nb = static_cast<long double>(b.size()), degrees = na + nb - 2;
  const long double pooled = ((na - 1) * variance(a) + (nb - 1) * variance(b)) / degrees;
  const long double difference = sum(a) / na - sum(b) / nb;
  return two_sided_p(difference, std::sqrt(pooled * (1 / na + 1 / nb)),
                     static_cast<double>(degrees));
}

std::optional<double> welch(std::span<const double> a, std::span<const double> b) {
  if (a.size() < 2 || b.size() < 2) return std::nullopt;
  if (!vary(a, largest(a)) && !vary(b, largest(b))) return std::nullopt;
  const long double na = static_cast<long double>(a.size()),
                    nb = static_cast<long double>(b.size());
  const long double va = variance(a) / na, vb = variance(b) / nb, both = va + vb;
  const long double difference = sum(a) / na - sum(b) / nb;
  const long double degrees = both * both / (va * va / (na - 1) + vb * vb / (nb - 1));
  return two_sided_p(difference, std::sqrt(both), static_cast<double>(degrees));
}

std::optional<double> paired_permutation(std::span<const double> a, std::span<const double> b) {
  const std::vector<double> apart = differences(a, b);
  if (apart.empty()) return std::nullopt;
  long double size = 0;
  for (const double value : apart) size += std::abs(value);
  // Sums that are equal in exact arithmetic may differ in the last bits.
  const long double least = std::abs(sum(apart)) - 1e-12L * size;
  if (apart.size() > kExactPairs) {
    return static_cast<double>(count_random_flips(apart, least) + 1) / (kRandomFlips + 1);
  }
  return static_cast<double>(count_flips(apart, 0, 0, least)) /
         std::ldexp(1.0, static_cast<int>(apart.size()));
}

double smallest_permutation_p(size_t pairs) {
  return pairs == 0 ? 1 : std::ldexp(1.0, 1 - static_cast<int>(pairs));
}

void draw_places(PhiloxKey key, uint64_t resample, std::vector<size_t>& places) {
  const uint64_t count = places.size(), first_block = resample * ((count + 3) / 4);
  PhiloxBlock random{};
  for (uint64_t i = 0; i < count; ++i) {
    if (i % 4 == 0) random = philox(key, first_block + i / 4);
    places[i] = static_cast<size_t>((random.word[i % 4] * count) >> 32);
  }
}

std::optional<Interval> bootstrap(std::span<const double> values, double level, int resamples,
                                  uint64_t seed) {
  if (values.size() < 2) return std::nullopt;
  std::vector<double> means;
  std::vector<size_t> places(values.size());
  for (int i = 0; i < resamples; ++i) {
    draw_places({seed, 0}, static_cast<uint64_t>(i), places);
    long double total = 0;
    for (const size_t place : places) total += values[place];
    means.push_back(static_cast<double>(total / static_cast<long double>(values.size())));
  }
  std::sort(means.begin(), means.end());
  const auto at = [&](double share) {
    const double place = share * static_cast<double>(means.size() - 1);
    const size_t below = static_cast<size_t>(place);
    const size_t above = std::min(below + 1, means.size() - 1);
    return std::lerp(means[below], means[above], place - static_cast<double>(below));
  };
  return Interval{at((1 - level) / 2), at((1 + level) / 2)};
}

std::optional<double> kendall_tau(std::span<const double> a, std::span<const double> b) {
  RETHINK_ASSERT(a.size() == b.size(), fmt::format("{} and {} values", a.size(), b.size()));
  const auto sign = [](double x) { return (x > 0) - (x < 0); };
  long double agree = 0, untied_a = 0, untied_b = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    for (size_t k = i + 1; k < a.size(); ++k) {
      const int in_a = sign(a[i] - a[k]), in_b = sign(b[i] - b[k]);
      agree += in_a * in_b;
      untied_a += in_a != 0;
      untied_b += in_b != 0;
    }
  }
  if (untied_a == 0 || untied_b == 0) return std::nullopt;
  return static_cast<double>(agree / std::sqrt(untied_a * untied_b));
}

std::vector<double> holm(std::span<const double> p) {
  std::vector<size_t> order(p.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return p[a] < p[b]; });
  std::vector<double> adjusted(p.size());
  double largest = 0;
  for (size_t rank = 0; rank < order.size(); ++rank) {
    largest =
        std::max(largest, std::min(1.0, p[order[rank]] * static_cast<double>(p.size() - rank)));
    adjusted[order[rank]] = largest;
  }
  return adjusted;
}

std::vector<double> benjamini_hochberg(std::span<const double> p) {
  std::vector<size_t> order(p.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return p[a] > p[b]; });
  std::vector<double> adjusted(p.size());
  double least = 1;
  for (size_t i = 0; i < order.size(); ++i) {
    const auto rank = static_cast<double>(p.size() - i);  // for the smallest p: 1
    least = std::min(least, p[order[i]] * static_cast<double>(p.size()) / rank);
    adjusted[order[i]] = least;
  }
  return adjusted;
}

std::string mean_ci(std::span<const double> values, std::optional<int> decimals) {
  const std::optional<double> half = confidence95(values);
  if (decimals && std::abs(mean(values)) < kMostInFull && half.value_or(0) < kMostInFull) {
    return fmt::format("{:.{}f}", mean(values), *decimals) +
           (half ? fmt::format(" ± {:.{}f}", *half, *decimals) : "");
  }
  if (!half || *half == 0 || !std::isfinite(*half)) return fmt::format("{:.6g}", mean(values));
  const int digits = std::max(0, 1 - static_cast<int>(std::floor(std::log10(*half))));
  if (digits > 12 || std::abs(mean(values)) >= kMostInFull || *half >= kMostInFull) {
    return fmt::format("{:.4g} ± {:.2g}", mean(values), *half);
  }
  return fmt::format("{:.{}f} ± {:.{}f}", mean(values), digits, *half, digits);
}

double student_t_cdf(double t, double degrees) {
  return boost::math::cdf(boost::math::students_t(degrees), t);
}

double student_t_quantile(double p, double degrees) {
  RETHINK_ASSERT(p > 0 && p < 1 && degrees > 0, "outside of the domain");
  return boost::math::quantile(boost::math::students_t(degrees), p);
}

}  // namespace rethink
