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

/// Planned seeds that the claim's own `seeds` leave out: "0, 1".
std::string left_out_seeds(const ClaimSpec& claim, const SeedValues& values) {
  std::vector<std::string> left_out;
  for (const int64_t seed : values.planned) {
    if (!claim.seeds.empty() && !std::ranges::binary_search(claim.seeds, seed))
      left_out.push_back(std::to_string(seed));
  }
  return joined(left_out);
}

void remark_on_own_seeds(const ClaimSpec& claim, const SeedValues& values, ClaimResult& result) {
  std::vector<std::string> unplanned;
  for (const int64_t seed : claim.seeds) {
    if (!values.planned.contains(seed)) unplanned.push_back(std::to_string(seed));
  }
  if (!unplanned.empty())
    add_remark(fmt::format("of its own `seeds` not planned: {}", joined(unplanned)), result);
  if (const std::string left_out = left_out_seeds(claim, values); !left_out.empty())
    add_remark(fmt::format("planned seeds that its own `seeds` leave out: {}", left_out), result);
}

/// "the look at 8 seeds: 5 are planned". `left_out`: as left_out_seeds. A look of the file is
/// distinguished from a look at the fewest seeds that give a verdict.
std::string next_look_text(const Look& look, const ClaimSpec& claim, size_t planned,
                           size_t with_values, const std::string& left_out) {
  const std::string seeds = counted(look.seeds, "seed");
  const std::string text =
      claim.looks.empty() ? seeds + " (the fewest that give a verdict)" : "the look at " + seeds;
  if (planned < look.seeds) {
    const std::string none = planned == 0 && !left_out.empty() ? "none" : std::to_string(planned);
    const std::string besides =
        left_out.empty() ? "" : fmt::format(", besides {}, which its `seeds` leave out", left_out);
    return fmt::format("{}: {} {} planned{}", text, none, planned > 1 || none == "0" ? "are" : "is",
                       besides);
  }
  return fmt::format("{}: {} of them {} values", text, with_values,
                     with_values == 1 ? "has" : "have");
}

/// A recorded verdict stays; a remark reports if it would differ today. `against`: why `said` has
/// no judgement.
LookResult keep_recorded_verdict(const RecordedLook& recorded, const Look& look,
                                 const std::vector<int64_t>& seeds, const SeedsResult& said,
                                 const std::string& against, ClaimResult& result) {
  const std::optional<Judgement>& today = said.judgement;
  const std::string of =
      fmt::format("the look at {} of {}", counted(look.seeds, "seed"), recorded.day);
  const Judgement& then = recorded.judgement;
  if (!today) {
    add_remark(of + ": " + (against.empty() ? "values behind it are missing by now" : against),
               result);
  } else if (today->verdict != then.verdict) {
    add_remark(fmt::format("{} stands; by the numbers of today it would say '{}'", of,
                           to_text(today->verdict)),
               result);
  } else if (vary(std::vector<double>{today->gain, then.gain}, std::abs(then.gain))) {
    add_remark(
        fmt::format("{} stands; by the numbers of today the difference is {:.3g}, not {:.3g}", of,
                    today->gain, then.gain),
        result);
  } else {
    // The same numbers in the format of this version.
    return {look, then, seeds, said.why, recorded.decides, "", recorded.day};
  }
  return {look, then, seeds, recorded.why, recorded.decides, "", recorded.day};
}

}  // namespace

std::optional<size_t> seeds_for_width(double deviation, double width, double level) {
  const auto width_of = [&](size_t seeds) {
    const auto n = static_cast<double>(seeds);
    return 2 * student_t_quantile((1 + level) / 2, n - 1) * deviation / std::sqrt(n);
  };
  if (width <= 0 || width_of(kMostSeedsForWidth) > width) return std::nullopt;
  size_t low = 1, high = kMostSeedsForWidth;
  while (high - low > 1) {
    const size_t middle = (low + high) / 2;
    (width_of(middle) <= width ? high : low) = middle;
  }
  return high;
}

void take_looks(const ClaimSpec& claim, const SeedValues& values, ClaimResult& result) {
  const std::vector<int64_t> planned = seeds_of(claim, values);
  std::vector<Look> looks = claim.looks;
  if (looks.empty()) looks = {{std::max(planned.size(), kFewestSeeds), kAlpha}};
  result.planned_seeds = planned.size();
  for (const Look& look : looks) {
    const std::vector<int64_t> seeds(
        planned.begin(),
        planned.begin() + static_cast<std::ptrdiff_t>(std::min(look.seeds, planned.size())));
    const UndecidedReason against = values.against(seeds);
    const auto ready = static_cast<size_t>(std::ranges::count_if(seeds, values.has_value));
    SeedsResult today;
    if (against.why.empty() && ready >= look.seeds) today = values.judge(seeds, look);
    const auto recorded = claim.recorded.find(look.seeds);
    const bool plans_too_few = planned.size() < look.seeds;
    const auto next_look = [&] {
      return next_look_text(look, claim, planned.size(), ready, left_out_seeds(claim, values));
    };
    if (recorded != claim.recorded.end()) {
      result.looks.push_back(
          keep_recorded_verdict(recorded->second, look, seeds, today, against.why, result));
    } else if (!against.why.empty()) {
      result.why = against.why;
      result.decides = against.decides;
      result.plans_too_few = plans_too_few;
      if (plans_too_few) {
        result.decides += "; " + next_look();
      } else if (against.waits) {
        result.awaits = seeds;
      }
      return;
    } else if (ready < look.seeds) {
      result.decides = next_look();
      result.incomplete = ready < seeds.size();
      result.plans_too_few = plans_too_few;
      if (!plans_too_few) result.awaits = seeds;
      std::vector<int64_t> with_values = planned;
      std::erase_if(with_values, [&](int64_t seed) { return !values.has_value(seed); });
      if (result.looks.empty()) result.why = values.describe(with_values);
      return;
    } else if (!today.judgement) {
      result.why = today.why;
      result.decides = today.decides;
      result.incomplete = result.unmeasured = today.lacks;
      return;
    } else {
      result.looks.push_back({look, *today.judgement, seeds, today.why, today.decides});
    }
    const LookResult& taken = result.looks.back();
    result.judgement = taken.judgement;
    result.verdict = taken.judgement.verdict;
    result.seeds = look.seeds;
    if (result.looks.size() == 1) remark_on_own_seeds(claim, values, result);
    if (is_decided(result.verdict)) return;
    result.decides = taken.decides;
  }
  if (!claim.looks.empty())
    result.decides = fmt::format("undecided after {}, its last look; this would decide: {}",
                                 counted(result.seeds, "seed"), result.decides);
}

}  // namespace rethink
