// The looks that a claim takes at the seeds of its table. Used by test_claim only.
#pragma once

#include <functional>
#include <set>

#include "plots/claim/claim.h"

namespace rethink {

/// Results of the seeds of one look; texts as in LookResult.
struct SeedsSay {
  std::optional<Judgement> judgement = {};  // none where they have no spread
  std::string why = {}, decides = {};
  bool lacks = false;  // there is none since trials that are done left no predictions
};

/// Why seeds say nothing, as that one diverged, and what would decide; without a text they do.
struct Against {
  std::string why = {}, decides = {};
  bool waits = false;  // trials that are missing may change it
};
inline constexpr const char* kNoneDiverges = "seeds of which none diverges";

/// The numbers of a claim, seed by seed.
struct SeedValues {
  std::set<int64_t> planned;  // seeds that all its rows plan, also such as do not decide it
  std::function<bool(int64_t seed)> has_value;  // in all its rows
  std::function<Against(const std::vector<int64_t>& seeds)> against;
  std::function<SeedsSay(const std::vector<int64_t>& seeds, const Look& look)> judge;
  /// The numbers of seeds that are too few for a look.
  std::function<std::string(const std::vector<int64_t>& seeds)> describe;
};

/// Takes look after look until one decides, and fills the result's looks, judgement, verdict, seeds,
/// planned_seeds, incomplete and decides; `why` where it is not that of the last look.
void take_looks(const ClaimSpec& claim, const SeedValues& values, ClaimResult& result);

inline constexpr size_t kMostSeedsForWidth = 10'000;

/// Returns how many seeds make an interval at `level` no wider than `width`; nothing if this takes
/// more than kMostSeedsForWidth.
std::optional<size_t> seeds_for_width(double deviation, double width, double level);

}  // namespace rethink
