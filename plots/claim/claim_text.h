// Describes the difference of two numbers of a claim in words that name both.
#pragma once

#include "plots/claim/claim.h"
#include "results/statistics/statistics.h"

namespace rethink {

/// Two numbers that a claim compares, as its table shows them.
struct Comparison {
  double row = 0, than = 0;
  double gain = 0;                        // positive: `row` is better
  std::optional<Interval> interval = {};  // of the gain
  double level = 0.95;                    // of the interval
  double p = 1;                           // of the judgement with the interval
  double alpha = kAlpha;                  // likewise
  double smallest = 0;                    // the effect of interest; 0: none
  double deviation = 0;                   // of the gains; 0: one gain, or all are equal
  std::string over = {};                  // "3 seeds"; empty: no interval
};

/// Returns "97.5% interval 0.02 to 0.11", in the claim's unit if it has one.
std::string interval_text(const ClaimSpec& claim, const Interval& interval, double level);

/// Names of both numbers: "'Star'", "mean of 8 rows"; for two columns the columns' names. Throws
/// ConfigError if the table lacks the row or column.
struct SideNames {
  std::string row, than;
};
SideNames side_names(const ClaimSpec& claim, const Table& table, size_t column, size_t than_column);

/// Returns "'Star' 0.530, 'dense' 0.510: as the claim has it by 0.020 (95% interval ..., p ..., alpha 0.05, sd ... over
/// 3 seeds; smallest effect 0.01)"; the interval is positive if the claim holds. Without names: "0.53 against 0.51:
/// against the claim by 0.02". The difference has two significant digits, or three if its deviation is that precise,
/// and the numbers have the same decimals; in the claim's unit if it has one.
std::string comparison_text(const ClaimSpec& claim, const std::optional<SideNames>& names,
                            const Comparison& comparison);

}  // namespace rethink
