// The rules that decide a claim, and the numbers of seeds at which it is looked at
// (docs/claims.md).
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include "results/statistics/statistics.h"

namespace rethink {

/// The alphas of a claim's looks add up to kAlpha: however often it is looked at, a claim that is not so
/// is called decided in one of 20 stores at most (Bonferroni).
struct Look {
  size_t seeds = 0;
  double alpha = 0;
};

inline constexpr double kAlpha = 0.05;

/// Fewer seeds give no verdict.
inline constexpr size_t kFewestSeeds = 5;

/// The default of the smallest effect of interest: this part of the paper's own difference.
inline constexpr double kSmallestPart = 0.25;

enum class Verdict {
  holds,
  holds_smaller,  // holds, by less than the smallest effect of interest
  fails,
  undecided,
  not_at_this_scale,  // a row or task is left out, or attention does nothing there
};
const char* to_text(Verdict verdict);
/// Returns nothing for other words.
std::optional<Verdict> verdict_named(std::string_view text);

/// Whether it answers the claim's question.
bool is_decided(Verdict verdict);

struct ClaimTest;  // plots/claim/claim_tests.h
/// The first of them: what a claim is held to where it names none.
const ClaimTest& better_test();

/// Bounds for a difference, in the units of the table.
struct Bounds {
  const ClaimTest* test = &better_test();
  double margin = 0;    // where the test has one
  double smallest = 0;  // likewise: the smallest effect of interest
};

/// The numbers beside a judgement of pairs; a trend has none, nor a look that an older version recorded.
struct JudgedNumbers {
  std::optional<double> row = {}, than = {};  // means [as the table shows them]
  std::optional<double> deviation = {};       // of the differences
  std::optional<double> seeds_p = {};         // where items count, too: p over seeds, and
  std::optional<double> items_p = {};         // over items; the judgement has the larger one
  std::optional<Interval> items = {};         // likewise
};

/// Results of one look.
struct Judgement {
  Verdict verdict = Verdict::undecided;
  double gain = 0;                        // of a trend Kendall's tau
  std::optional<Interval> interval = {};  // none of a trend
  double level = 0;                       // of the interval
  /// Of the test that the verdict rests on: at most alpha where there is one. Two-sided against 0, or
  /// against -margin; where it fails against `smallest`; of `alike` the larger one of both one-sided tests, where it
  /// fails two-sided against the nearer margin.
  double p = 1;
  JudgedNumbers numbers = {};
};

/// The verdict that an interval gives. better: it holds beyond 0, fails where it ends below `smallest`
/// and begins at or below 0. not_worse: the same against -margin, where `smallest` is 0. alike: it holds
/// within the margins, fails where it lies wholly beyond one of them. Two one-sided tests need the interval of level
/// 1 - 2 alpha to hold (Schuirmann, 1987); a difference beyond either margin, which may be on both sides, that of 1 - alpha.
Verdict verdict_of(const Interval& interval, const Bounds& bounds);

/// Of differences, positive where they are as the claim has it, by Student's t. None for fewer than two,
/// and where all are equal: nothing says then what chance alone would do. `size`: the magnitude of the
/// numbers that were subtracted.
std::optional<Judgement> judge_gains(std::span<const double> gains, double size,
                                     const Bounds& bounds, double alpha);

/// Of resampled differences, rising: their percentiles, and as p the shares beyond the bounds, the
/// observed difference counted with them. Requires: one.
Judgement judge_resamples(std::span<const double> rising, const Bounds& bounds, double alpha);

}  // namespace rethink
