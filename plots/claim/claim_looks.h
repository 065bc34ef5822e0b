// The looks of a claim at the seeds of its table. Used by test_claim only.
#pragma once

#include <functional>
#include <set>

#include "plots/claim/claim.h"

namespace rethink {

/// Results of the seeds of one look; texts as in LookResult.
struct SeedsResult {
  std::optional<Judgement> judgement = {};  // none if the seeds have no spread
  std::string why = {}, decides = {};
  bool lacks = false;  // the judgement is missing because done trials left no predictions
};

/// The reason why seeds do not decide, such as a diverged seed, and what would decide. Empty if they decide.
struct UndecidedReason {
  std::string why = {}, decides = {};
  bool waits = false;  // missing trials may change it
};
inline constexpr const char* kNoneDiverges = "seeds of which none diverges";

/// The numbers of a claim, seed by seed.
struct SeedValues {
  std::set<int64_t> planned;  // seeds that all its rows plan, including seeds that do not decide
  std::function<bool(int64_t seed)> has_value;  // in all its rows
  std::function<UndecidedReason(const std::vector<int64_t>& seeds)> against;
  std::function<SeedsResult(const std::vector<int64_t>& seeds, const Look& look)> judge;
  /// Returns a description of seeds that are too few for a look.
  std::function<std::string(const std::vector<int64_t>& seeds)> describe;
};

/// Takes look after look until one decides. Sets the result's looks, judgement, verdict, seeds,
/// planned_seeds, incomplete and decides, and `why` if it differs from that of the last look.
void take_looks(const ClaimSpec& claim, const SeedValues& values, ClaimResult& result);

inline constexpr size_t kMostSeedsForWidth = 10'000;

/// Returns how many seeds make an interval at `level` no wider than `width`; nothing if this takes
/// more than kMostSeedsForWidth.
std::optional<size_t> seeds_for_width(double deviation, double width, double level);

}  // namespace rethink
