// Looks: the numbers of seeds at which a claim is judged, and the level of each.
#pragma once

#include <cstddef>

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

/// The smallest effect of interest, where a claim names none: this part of the paper's own difference.
inline constexpr double kSmallestPart = 0.25;

}  // namespace rethink
