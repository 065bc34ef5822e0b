// Student's t distribution, from the incomplete beta function.
#include <cmath>
#include <limits>

#include "core/error.h"
#include "results/statistics/statistics.h"

namespace rethink {
namespace {

/// The continued fraction of I_x(a, b) by Lentz's method; converges quickly for x < (a + 1) / (a +
/// b + 2).
double beta_fraction(double a, double b, double x) {
  constexpr double kTiny = 1e-300, kPrecise = 1e-16;
  constexpr int kTerms = 10000;
  double c = 1, d = 1 - (a + b) * x / (a + 1);
  d = 1 / (std::abs(d) < kTiny ? kTiny : d);
  double value = d;
  for (int m = 1; m <= kTerms; ++m) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    double step = 1;
    for (const double term : {even, odd}) {
      d = 1 + term * d;
      d = 1 / (std::abs(d) < kTiny ? kTiny : d);
      c = 1 + term / c;
      if (std::abs(c) < kTiny) c = kTiny;
      step = c * d;
      value *= step;
    }
    if (std::abs(step - 1) < kPrecise) break;
  }
  return value;
}

}  // namespace

double incomplete_beta(double a, double b, double x) {
  RETHINK_ASSERT(a > 0 && b > 0 && x >= 0 && x <= 1, "outside of the domain");
  if (x == 0 || x == 1) return x;
  const double front = std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) +
                                a * std::log(x) + b * std::log1p(-x));
  if (x < (a + 1) / (a + b + 2)) return front * beta_fraction(a, b, x) / a;
  return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

double student_t_cdf(double t, double degrees) {
  if (std::isinf(t)) return t > 0 ? 1 : 0;
  // Near 0 degrees / (degrees + t^2) rounds to 1: the other side of the beta function keeps the
  // digits.
  const double square = t * t;
  const double tail =
      square < degrees ? 0.5 * (1 - incomplete_beta(0.5, degrees / 2, square / (degrees + square)))
                       : 0.5 * incomplete_beta(degrees / 2, 0.5, degrees / (degrees + square));
  return t > 0 ? 1 - tail : tail;
}

double student_t_quantile(double p, double degrees) {
  RETHINK_ASSERT(p > 0 && p < 1 && degrees > 0, "outside of the domain");
  if (p == 0.5) return 0;
  if (p > 0.5) return -student_t_quantile(1 - p, degrees);
  double low = -1, high = 0;
  while (student_t_cdf(low, degrees) > p) low *= 2;
  for (double middle = low / 2; low < middle && middle < high; middle = low + (high - low) / 2) {
    (student_t_cdf(middle, degrees) < p ? low : high) = middle;
  }
  return low + (high - low) / 2;
}

}  // namespace rethink
