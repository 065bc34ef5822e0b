#include "plots/claim/verdict.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "plots/claim/claim_tests.h"

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

const ClaimTest& better_test() {
  return claim_tests().front();
}

bool is_decided(Verdict verdict) {
  return verdict == Verdict::holds || verdict == Verdict::holds_smaller ||
         verdict == Verdict::fails;
}

Verdict verdict_of(const Interval& interval, const Bounds& bounds) {
  return bounds.test->verdict(interval, bounds);
}

namespace {

/// Fills level, interval and verdict. `interval_of`: the interval at a level.
void take_interval(const Bounds& bounds, double alpha,
                   const std::function<Interval(double level)>& interval_of, Judgement& judgement) {
  const auto take = [&](double level) {
    judgement.level = level;
    judgement.interval = interval_of(level);
    judgement.verdict = verdict_of(*judgement.interval, bounds);
  };
  take(bounds.test->is_within ? 1 - 2 * alpha : 1 - alpha);
  // The interval may be beyond the other margin as well.
  if (bounds.test->is_within && judgement.verdict == Verdict::fails) take(1 - alpha);
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
  const OneSided one_sided{
      [&](double bar) { return student_t_cdf((bar - judgement.gain) / error, degrees); },
      [&](double bar) { return student_t_cdf((judgement.gain - bar) / error, degrees); }};
  judgement.p = bounds.test->p(judgement.verdict, bounds, one_sided);
  return judgement;
}

Judgement judge_resamples(std::span<const double> rising, const Bounds& bounds, double alpha) {
  Judgement judgement{.gain = mean(rising)};
  take_interval(
      bounds, alpha, [&](double level) { return percentile_interval(rising, level); }, judgement);
  const auto share = [&](std::ptrdiff_t beyond) {
    return static_cast<double>(beyond + 1) / static_cast<double>(rising.size() + 1);
  };
  const OneSided one_sided{
      [&](double bar) { return share(std::ranges::upper_bound(rising, bar) - rising.begin()); },
      [&](double bar) { return share(rising.end() - std::ranges::lower_bound(rising, bar)); }};
  judgement.p = bounds.test->p(judgement.verdict, bounds, one_sided);
  return judgement;
}

}  // namespace rethink
