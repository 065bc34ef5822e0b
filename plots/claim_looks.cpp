#include "plots/claim_looks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/counted.h"

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

/// "the look at 8 seeds: 5 are planned".
std::string next_look_text(const Look& look, size_t planned, size_t with_values) {
  std::string text = fmt::format("the look at {}", counted(look.seeds, "seed"));
  if (planned < look.seeds)
    return text + fmt::format(": {} {} planned", planned, planned == 1 ? "is" : "are");
  return text +
         fmt::format(": {} of them {} values", with_values, with_values == 1 ? "has" : "have");
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
    if (const std::string against = values.against(seeds); !against.empty()) {
      result.why = against;
      return seeds;
    }
    const auto ready = static_cast<size_t>(std::ranges::count_if(seeds, values.has_value));
    if (ready < look.seeds) {
      result.decides = next_look_text(look, planned.size(), ready);
      result.incomplete = ready < seeds.size();
      return looked_at;
    }
    looked_at = seeds;
    const std::optional<Judgement> judgement = values.judge(seeds, look);
    if (!judgement) return looked_at;
    const auto recorded = claim.recorded.find(look.seeds);
    result.verdict =
        recorded == claim.recorded.end() ? judgement->verdict : recorded->second.verdict;
    if (result.verdict != judgement->verdict) {
      result.remarks =
          fmt::format("the look at {} of {} said '{}', which stands; by the numbers of today: '{}'",
                      counted(look.seeds, "seed"), recorded->second.day, to_text(result.verdict),
                      to_text(judgement->verdict));
    }
    result.looks.push_back({look, *judgement, result.verdict});
    result.judgement = judgement;
    result.seeds = look.seeds;
    if (is_decided(result.verdict)) return looked_at;
  }
  return looked_at;
}

}  // namespace rethink
