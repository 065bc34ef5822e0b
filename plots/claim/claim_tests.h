// The tests that a claim can name: one entry each in the table of claim_tests.cpp.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "plots/claim/verdict.h"

namespace rethink {

/// One-sided p values of a difference, for being above and for being below a bound.
struct OneSided {
  std::function<double(double bar)> above, below;
  /// Returns the two-sided p for the difference from `bar`.
  double apart_from(double bar) const;
};

struct ClaimTest {
  std::string name;           // as in files of claims: "not_worse"
  bool compares_rows = true;  // it compares rows, and is not a trend
  bool has_margin = false;    // the key `margin`
  bool has_smallest = false;  // the key `smallest`
  bool says_more = true;      // it claims more than "not worse"
  /// It holds between two bounds, by two one-sided tests, and fails beyond either bound.
  bool is_within = false;
  double sign = 1;  // for a trend: the sign of the claimed Kendall's tau
  /// For pairs: returns the verdict of an interval, its p, and "better by 0.02" for a gain shown as `by`.
  Verdict (*verdict)(const Interval& interval, const Bounds& bounds) = nullptr;
  double (*p)(Verdict verdict, const Bounds& bounds, const OneSided& one_sided) = nullptr;
  std::string (*relation)(double gain, const std::string& by, double margin) = nullptr;
};

/// Returns all tests, in the order of messages.
const std::vector<ClaimTest>& claim_tests();
/// Returns null for an unknown name.
const ClaimTest* find_claim_test(const std::string& name);

}  // namespace rethink
