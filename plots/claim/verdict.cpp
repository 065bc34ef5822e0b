#include "plots/claim/verdict.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "core/error.h"

namespace rethink {

const char* to_text(Verdict verdict) {
  switch (verdict) {
    case Verdict::holds:
      return "holds";
    case Verdict::holds_smaller:
      return "holds, smaller than claimed";
    case Verdict::fails:
      return "fails";
    case Verdict::undecided:
      return "undecided";
    case Verdict::not_at_this_scale:
      return "not at this scale";
  }
  return "";
}

std::optional<Verdict> verdict_named(std::string_view text) {
  for (const Verdict verdict : {Verdict::holds, Verdict::holds_smaller, Verdict::fails,
                                Verdict::undecided, Verdict::not_at_this_scale}) {
    if (text == to_text(verdict)) return verdict;
  }
  return std::nullopt;
}

const char* to_text(ClaimTest test) {
  switch (test) {
    case ClaimTest::better:
      return "better";
    case ClaimTest::not_worse:
      return "not_worse";
    case ClaimTest::alike:
      return "alike";
    case ClaimTest::rises:
      return "rises";
    case ClaimTest::falls:
      return "falls";
  }
  return "";
}

bool is_decided(Verdict verdict) {
  return verdict == Verdict::holds || verdict == Verdict::holds_smaller ||
         verdict == Verdict::fails;
}

Verdict verdict_of(const Interval& interval, const Bounds& bounds) {
  const auto& [low, high] = interval;
  if (bounds.test == ClaimTest::alike) {
    if (low > -bounds.margin && high < bounds.margin) return Verdict::holds;
    const bool is_beyond = low > bounds.margin || high < -bounds.margin;
    return is_beyond ? Verdict::fails : Verdict::undecided;
  }
  const double bar = bounds.test == ClaimTest::not_worse ? -bounds.margin : 0;
  const double smallest = bounds.test == ClaimTest::better ? bounds.smallest : bar;
  if (low > bar) return high < smallest ? Verdict::holds_smaller : Verdict::holds;
  return high < smallest ? Verdict::fails : Verdict::undecided;
}

namespace {

/// The p of a verdict. `above`, `below`: one-sided, of a difference so far above or below a bar.
double p_of(Verdict verdict, const Bounds& bounds, const std::function<double(double bar)>& above,
            const std::function<double(double bar)>& below) {
  const auto apart_from = [&](double bar) {
    return std::min(1.0, 2 * std::min(above(bar), below(bar)));
  };
  const bool fails = verdict == Verdict::fails;
  switch (bounds.test) {
    case ClaimTest::better:
      return apart_from(fails ? bounds.smallest : 0);
    case ClaimTest::not_worse:
      return apart_from(-bounds.margin);
    case ClaimTest::alike:
      return fails ? std::min(1.0, 2 * std::min(above(bounds.margin), below(-bounds.margin)))
                   : std::max(above(-bounds.margin), below(bounds.margin));
    case ClaimTest::rises:
    case ClaimTest::falls:
      RETHINK_ASSERT(false, "a trend has no gains");
  }
  return 1;
}

/// Fills level, interval and verdict. `interval_of`: at a level.
void take_interval(const Bounds& bounds, double alpha,
                   const std::function<Interval(double level)>& interval_of, Judgement& judgement) {
  const auto take = [&](double level) {
    judgement.level = level;
    judgement.interval = interval_of(level);
    judgement.verdict = verdict_of(*judgement.interval, bounds);
  };
  take(bounds.test == ClaimTest::alike ? 1 - 2 * alpha : 1 - alpha);
  // It may have been beyond the other margin as well.
  if (bounds.test == ClaimTest::alike && judgement.verdict == Verdict::fails) take(1 - alpha);
}

}  // namespace

std::optional<Judgement> judge_gains(std::span<const double> gains, double size,
                                     const Bounds& bounds, double alpha) {
  if (gains.size() < 2 || !vary(gains, size)) return std::nullopt;
  Judgement judgement;
  judgement.gain = mean(gains);
  const auto interval_of = [&](double level) {
    const double half = *confidence(gains, level);
    return Interval{judgement.gain - half, judgement.gain + half};
  };
  take_interval(bounds, alpha, interval_of, judgement);
  const double error = *standard_error(gains);
  const auto degrees = static_cast<double>(gains.size() - 1);
  judgement.p = p_of(
      judgement.verdict, bounds,
      [&](double bar) { return student_t_cdf((bar - judgement.gain) / error, degrees); },
      [&](double bar) { return student_t_cdf((judgement.gain - bar) / error, degrees); });
  return judgement;
}

Judgement judge_resamples(std::span<const double> rising, const Bounds& bounds, double alpha) {
  Judgement judgement{.gain = mean(rising)};
  take_interval(
      bounds, alpha, [&](double level) { return percentile_interval(rising, level); }, judgement);
  const auto share = [&](std::ptrdiff_t beyond) {
    return static_cast<double>(beyond + 1) / static_cast<double>(rising.size() + 1);
  };
  judgement.p = p_of(
      judgement.verdict, bounds,
      [&](double bar) { return share(std::ranges::upper_bound(rising, bar) - rising.begin()); },
      [&](double bar) { return share(rising.end() - std::ranges::lower_bound(rising, bar)); });
  return judgement;
}

}  // namespace rethink
