// The rules that decide a claim, and the numbers of seeds of its looks (docs/claims.md).
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include "results/statistics/statistics.h"

namespace rethink {

/// One look at a claim. The alphas of a claim's looks add up to kAlpha: however many looks there
/// are, a false claim is decided in at most one of 20 stores (Bonferroni).
struct Look {
  size_t seeds = 0;
  double alpha = 0;
};

inline constexpr double kAlpha = 0.05;

/// Fewer seeds give no verdict.
inline constexpr size_t kFewestSeeds = 5;

/// The default smallest effect of interest, as a share of the paper's own difference.
inline constexpr double kSmallestPart = 0.25;

enum class Verdict {
  holds,
  holds_smaller,  // holds, by less than the smallest effect of interest
  fails,
  undecided,
  not_at_this_scale,  // a row or task is left out, or attention has no effect there
};
const char* to_text(Verdict verdict);
/// Returns nothing for unknown words.
std::optional<Verdict> verdict_named(std::string_view text);

/// Returns whether the verdict answers the claim's question.
bool is_decided(Verdict verdict);

struct ClaimTest;  // plots/claim/claim_tests.h
/// Returns the first test, which a claim has by default.
const ClaimTest& better_test();

/// Bounds for a difference, in the units of the table.
struct Bounds {
  const ClaimTest* test = &better_test();
  double margin = 0;    // if the test has a margin
  double smallest = 0;  // the smallest effect of interest, if the test has one
};

/// Additional numbers of a judgement of pairs. A trend has none, and neither has a look recorded by an older version.
struct JudgedNumbers {
  std::optional<double> row = {}, than = {};  // means [as the table shows them]
  std::optional<double> deviation = {};       // of the differences
  std::optional<double> seeds_p = {};         // if items count, too: p over seeds, and
  std::optional<double> items_p = {};         // over items; the judgement has the larger p
  std::optional<Interval> items = {};         // likewise
};

/// Results of one look.
struct Judgement {
  Verdict verdict = Verdict::undecided;
  double gain = 0;                        // for a trend, Kendall's tau
  std::optional<Interval> interval = {};  // none for a trend
  double level = 0;                       // of the interval
  /// p of the test behind the verdict: at most alpha if there is one. Two-sided against 0 or
  /// -margin; for a failed claim against `smallest`. For `alike` the larger p of both one-sided
  /// tests; for a failed claim two-sided against the nearer margin.
  double p = 1;
  JudgedNumbers numbers = {};
};

/// Returns the verdict of an interval. better: holds if the interval is above 0, fails if it ends below `smallest` and
/// begins at or below 0. not_worse: the same against -margin, with `smallest` 0. alike: holds within the margins, fails
/// completely beyond one of them. Two one-sided tests need the interval of level 1 - 2 alpha to hold (Schuirmann,
/// 1987); a difference beyond either margin, which may be on both sides, needs level 1 - alpha.
Verdict verdict_of(const Interval& interval, const Bounds& bounds);

/// Judges differences, positive if they support the claim, by Student's t. Returns nothing for
/// fewer than two differences, and if all are equal, since they then show nothing about chance.
/// `size` is the magnitude of the subtracted numbers.
std::optional<Judgement> judge_gains(std::span<const double> gains, double size,
                                     const Bounds& bounds, double alpha);

/// Judges resampled differences, in rising order: by their percentiles, with the shares beyond the
/// bounds as p, which count the observed difference too. Requires: at least one.
Judgement judge_resamples(std::span<const double> rising, const Bounds& bounds, double alpha);

}  // namespace rethink
