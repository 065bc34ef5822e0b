// The pair of rows that a claim compares. Used by test_claim only.
#pragma once

#include "plots/claim/claim_cells.h"

namespace rethink {

/// Returns which direction is better, by the claim, else by its column.
Direction claim_direction(const ClaimSpec& claim, const Table& table, size_t column);

/// The paper's difference of a pair, positive if it supports the claim, and its text. It has no
/// number if the paper does not print both numbers.
struct PaperComparison {
  std::optional<double> gain;
  std::string text;
};
PaperComparison paper_comparison(const ClaimSpec& claim, const Table& table, size_t column);

/// Sets the verdict and its numbers. `smallest` is the smallest effect of interest.
void judge_pair(const Comparable& compared, const Table& table, size_t column, ItemGains* items,
                ClaimResult& result);

/// Sets the verdict on a claim whose plan lacks what `why` says.
void leave_out(const std::string& why, ClaimResult& result);

/// The message of cells on values that done trials lack: the text, and the names of the cells.
using MissingValues = std::map<std::string, std::vector<std::string>>;
void take_lack(const MeasuredCell& cell, const std::string& name, MissingValues& lacks);
/// Returns "'Star': 1 of 3 seeds no value"; "" if no value is missing.
std::string lacks_text(const MissingValues& lacks);

/// Returns what would decide an undecided claim over heads.
std::string decides_over_heads(bool is_incomplete);

/// Returns "2 of 5 seeds of Star diverged"; "" if none of `seeds` did.
std::string diverged_text(const MeasuredCell& cell, const std::string& row,
                          const std::vector<int64_t>& seeds);

}  // namespace rethink
