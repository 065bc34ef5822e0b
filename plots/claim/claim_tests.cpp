#include "plots/claim/claim_tests.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace rethink {
namespace {

/// The claim holds if the interval is beyond `bar`, and holds by less than the smallest effect if
/// the interval ends below `smallest`. It fails if the interval ends there and begins at or below
/// the bar.
Verdict verdict_beyond(const Interval& interval, double bar, double smallest) {
  if (interval.low > bar) return interval.high < smallest ? Verdict::holds_smaller : Verdict::holds;
  return interval.high < smallest ? Verdict::fails : Verdict::undecided;
}

Verdict verdict_of_better(const Interval& interval, const Bounds& bounds) {
  return verdict_beyond(interval, 0, bounds.smallest);
}

double p_of_better(Verdict verdict, const Bounds& bounds, const OneSided& one_sided) {
  return one_sided.apart_from(verdict == Verdict::fails ? bounds.smallest : 0);
}

std::string relation_of_better(double gain, const std::string& by, double /*margin*/) {
  return gain == 0 ? "equal"
                   : (gain > 0 ? "as the claim has it by " : "against the claim by ") + by;
}

Verdict verdict_of_not_worse(const Interval& interval, const Bounds& bounds) {
  return verdict_beyond(interval, -bounds.margin, -bounds.margin);
}

double p_of_not_worse(Verdict /*verdict*/, const Bounds& bounds, const OneSided& one_sided) {
  return one_sided.apart_from(-bounds.margin);
}

std::string relation_of_alike(double gain, const std::string& by, double margin) {
  return fmt::format("{}, {} the margin of {:.4g}",
                     gain == 0 ? "equal" : (gain > 0 ? "better by " : "worse by ") + by,
                     std::abs(gain) < margin ? "within" : "beyond", margin);
}

std::string relation_of_not_worse(double gain, const std::string& by, double margin) {
  if (gain > 0) return fmt::format("better by {}, and {:.4g} worse would do", by, margin);
  return relation_of_alike(gain, by, margin);
}

Verdict verdict_of_alike(const Interval& interval, const Bounds& bounds) {
  const auto& [low, high] = interval;
  if (low > -bounds.margin && high < bounds.margin) return Verdict::holds;
  const bool is_beyond = low > bounds.margin || high < -bounds.margin;
  return is_beyond ? Verdict::fails : Verdict::undecided;
}

double p_of_alike(Verdict verdict, const Bounds& bounds, const OneSided& one_sided) {
  const double margin = bounds.margin;
  return verdict == Verdict::fails
             ? std::min(1.0, 2 * std::min(one_sided.above(margin), one_sided.below(-margin)))
             : std::max(one_sided.above(-margin), one_sided.below(margin));
}

}  // namespace

double OneSided::apart_from(double bar) const {
  return std::min(1.0, 2 * std::min(above(bar), below(bar)));
}

const std::vector<ClaimTest>& claim_tests() {
  static const std::vector<ClaimTest> tests = {
      {.name = "better",
       .has_smallest = true,
       .verdict = verdict_of_better,
       .p = p_of_better,
       .relation = relation_of_better},
      {.name = "not_worse",
       .has_margin = true,
       .says_more = false,
       .verdict = verdict_of_not_worse,
       .p = p_of_not_worse,
       .relation = relation_of_not_worse},
      {.name = "alike",
       .has_margin = true,
       .says_more = false,
       .is_within = true,
       .verdict = verdict_of_alike,
       .p = p_of_alike,
       .relation = relation_of_alike},
      {.name = "rises", .compares_rows = false},
      {.name = "falls", .compares_rows = false, .sign = -1},
  };
  return tests;
}

const ClaimTest* find_claim_test(const std::string& name) {
  const auto found = std::ranges::find(claim_tests(), name, &ClaimTest::name);
  return found == claim_tests().end() ? nullptr : &*found;
}

}  // namespace rethink
