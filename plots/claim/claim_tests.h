// The tests that a claim can name: one entry each in the table of claim_tests.cpp.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "plots/claim/verdict.h"

namespace rethink {

/// One-sided p of a difference so far above, or below, a bound.
struct OneSided {
  std::function<double(double bar)> above, below;
  /// Two-sided against the bar.
  double apart_from(double bar) const;
};

struct ClaimTest {
  std::string name;           // as files of claims have it: "not_worse"
  bool is_of_pairs = true;    // it compares rows, rather than follows them
  bool has_margin = false;    // the key `margin`
  bool has_smallest = false;  // the key `smallest`
  bool says_more = true;      // than that one is not worse
  /// It holds within two bounds, by two one-sided tests, and fails beyond either.
  bool is_within = false;
  double sign = 1;  // of a trend: of the Kendall's tau that it claims
  /// Of pairs: the verdict that an interval gives, its p, and "better by 0.02" of a gain that is shown as `by`.
  Verdict (*verdict)(const Interval& interval, const Bounds& bounds) = nullptr;
  double (*p)(Verdict verdict, const Bounds& bounds, const OneSided& one_sided) = nullptr;
  std::string (*relation)(double gain, const std::string& by, double margin) = nullptr;
};

/// All, in the order in which messages name them.
const std::vector<ClaimTest>& claim_tests();
/// Returns null for an unknown name.
const ClaimTest* find_claim_test(const std::string& name);

}  // namespace rethink
