// Tests whether a metric follows the numbers of a table's rows. Used by test_claim only.
#pragma once

#include "plots/claim/claim.h"

namespace rethink {

/// Sets the verdict and its numbers. `items` is as in test_claim. Throws ConfigError if two rows
/// have the same number.
void judge_trend(const ClaimSpec& claim, const Table& table, size_t column, ItemGains* items,
                 ClaimResult& result);

}  // namespace rethink
