// The looks that a claim takes at the seeds of its table. Used by test_claim only.
#pragma once

#include <functional>
#include <set>

#include "plots/claim/claim.h"

namespace rethink {

/// The numbers of a claim, seed by seed.
struct SeedValues {
  std::set<int64_t> planned;                    // seeds that all its rows plan
  std::function<bool(int64_t seed)> has_value;  // in all its rows
  /// Why these seeds say nothing, as that one diverged; empty: they do.
  std::function<std::string(const std::vector<int64_t>& seeds)> against;
  /// Nothing where they have no spread.
  std::function<std::optional<Judgement>(const std::vector<int64_t>& seeds, const Look& look)>
      judge;
};

/// Takes look after look until one decides, and fills the result's looks, judgement, verdict, seeds,
/// planned_seeds, incomplete and decides; `why` where seeds say nothing, or a look on record says it. Returns
/// the seeds that the last look was at; without a look those that have values.
std::vector<int64_t> take_looks(const ClaimSpec& claim, const SeedValues& values,
                                ClaimResult& result);

/// How many seeds make an interval at `level` no wider than `width`, by which every claim is decided;
/// none where that takes more than 10,000.
std::optional<size_t> seeds_for_width(double deviation, double width, double level);

}  // namespace rethink
