#include "plots/claim/claim_looks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/message.h"

namespace rethink {
namespace {

std::vector<int64_t> seeds_of(const ClaimSpec& claim, const SeedValues& values) {
  std::vector<int64_t> seeds(values.planned.begin(), values.planned.end());
  if (!claim.seeds.empty()) {
    std::erase_if(seeds,
                  [&](int64_t seed) { return !std::ranges::binary_search(claim.seeds, seed); });
  }
  return seeds;
}

/// "the look at 8 seeds: 5 are planned". `is_chosen`: by the file, not the fewest that give a verdict.
std::string next_look_text(const Look& look, bool is_chosen, size_t planned, size_t with_values) {
  const std::string seeds = counted(look.seeds, "seed");
  const std::string text =
      is_chosen ? "the look at " + seeds : seeds + " (the fewest that give a verdict)";
  if (planned < look.seeds)
    return fmt::format("{}: {} {} planned", text, planned, planned == 1 ? "is" : "are");
  return fmt::format("{}: {} of them {} values", text, with_values,
                     with_values == 1 ? "has" : "have");
}

/// What is on record stands; a remark says where the numbers of today say otherwise.
void stand_by(const RecordedLook& recorded, const std::string& look,
              const std::optional<Judgement>& today, ClaimResult& result) {
  result.judgement = recorded.judgement;
  result.verdict = recorded.judgement.verdict;
  result.why = recorded.why;
  if (!today) {
    result.remarks =
        fmt::format("{} of {}: values behind it are missing by now", look, recorded.day);
  } else if (today->verdict != result.verdict) {
    result.remarks = fmt::format("{} of {} stands; by the numbers of today it would say '{}'", look,
                                 recorded.day, to_text(today->verdict));
  }
}

}  // namespace

std::optional<size_t> seeds_for_width(double deviation, double width, double level) {
  constexpr size_t kMost = 10'000;
  const auto width_of = [&](size_t seeds) {
    const auto n = static_cast<double>(seeds);
    return 2 * student_t_quantile((1 + level) / 2, n - 1) * deviation / std::sqrt(n);
  };
  if (width <= 0 || width_of(kMost) > width) return std::nullopt;
  size_t low = 1, high = kMost;
  while (high - low > 1) {
    const size_t middle = (low + high) / 2;
    (width_of(middle) <= width ? high : low) = middle;
  }
  return high;
}

std::vector<int64_t> take_looks(const ClaimSpec& claim, const SeedValues& values,
                                ClaimResult& result) {
  const std::vector<int64_t> planned = seeds_of(claim, values);
  std::vector<int64_t> looked_at = planned;
  std::erase_if(looked_at, [&](int64_t seed) { return !values.has_value(seed); });
  std::vector<Look> looks = claim.looks;
  if (looks.empty()) looks = {{std::max(planned.size(), kFewestSeeds), kAlpha}};
  result.planned_seeds = looks.back().seeds;
  for (const Look& look : looks) {
    const std::vector<int64_t> seeds(
        planned.begin(),
        planned.begin() + static_cast<std::ptrdiff_t>(std::min(look.seeds, planned.size())));
    const std::string against = values.against(seeds);
    const auto ready = static_cast<size_t>(std::ranges::count_if(seeds, values.has_value));
    std::optional<Judgement> today;
    if (against.empty() && ready >= look.seeds) today = values.judge(seeds, look);
    const auto recorded = claim.recorded.find(look.seeds);
    if (recorded != claim.recorded.end()) {
      stand_by(recorded->second, "the look at " + counted(look.seeds, "seed"), today, result);
    } else {
      if (!against.empty()) {
        result.why = against;
        return seeds;
      }
      if (ready < look.seeds) {
        result.decides = next_look_text(look, !claim.looks.empty(), planned.size(), ready);
        result.incomplete = ready < seeds.size();
        result.plans_too_few = planned.size() < look.seeds;
        return looked_at;
      }
      result.why.clear();
      if (!today) return seeds;
      result.judgement = today;
      result.verdict = today->verdict;
    }
    looked_at = seeds;
    result.looks.push_back({look, *result.judgement, seeds});
    result.seeds = look.seeds;
    if (is_decided(result.verdict)) return looked_at;
  }
  return looked_at;
}

}  // namespace rethink
