// The analysis of SparseBERT's Theorem 1: tests whether the proof's attention without a diagonal
// maps the inputs of a grid to different numbers. All inputs with l_1 < ... < l_n are run, as the
// proof assumes; other orders of the same tokens give the same numbers in that order. Equal tokens
// stay equal under attention, so inputs with equal tokens are counted separately.
//
// Metrics (split theorem1): `inputs`; `layers`; `ordering_violations`, inputs in which a layer
// changes another token than the proof says, or breaks its order of tokens; `bound_violations`,
// inputs that break 0 < l~_1, l~_n < delta^-n (d = 1; else delta^(1-(n+1)d)); `collisions_last`,
// inputs whose l~_n also occurs in another input; `collisions_within`, inputs with two equal
// numbers at the end; `collisions_between`, numbers that two inputs share; `overlaps`, inputs whose
// interval of numbers meets the next interval; `equal_inputs`, inputs with equal tokens;
// `equal_collisions`, those of them with two equal numbers at the end.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/error.h"
#include "experiments/attempt/analyses/selective_shift.h"
#include "experiments/attempt/event_log.h"
#include "experiments/attempt/jobs/analyze.h"

namespace rethink {
namespace {

constexpr double kMostInputs = 1e6;

struct Theorem1Options {
  int64_t n = 3, d = 1, inverse_delta = 4;
  void fields(Fields& field) {
    field("n", n, "tokens of an input; the theorem needs more than 2").min(2).max(16);
    field("d", d, "width of a token").min(1).max(16);
    field("inverse_delta", inverse_delta, "1/delta: number of grid points in [0, 1)")
        .min(2)
        .max(4096);
  }
};

/// The next ascending levels in lexical order; false after the last.
bool next(std::vector<int64_t>& levels, int64_t bound) {
  for (size_t i = levels.size(); i-- > 0;) {
    if (levels[i] + 1 == bound) continue;
    std::fill(levels.begin() + static_cast<int64_t>(i), levels.end(), levels[i] + 1);
    return true;
  }
  return false;
}

bool has_equal(std::vector<Exact> values) {
  std::sort(values.begin(), values.end());
  return std::adjacent_find(values.begin(), values.end()) != values.end();
}

/// The number of values minus the number of distinct values.
int64_t repeats(std::vector<Exact> values) {
  const auto all = std::ssize(values);
  std::sort(values.begin(), values.end());
  return all - (std::unique(values.begin(), values.end()) - values.begin());
}

/// Whether the tokens after the phases of the first `shifted` ones ascend as in the proof: l_(i+1)
/// < ... < l_n < l~_1 < ... < l~_i.
bool is_ordered(std::vector<Exact> values, size_t shifted) {
  std::rotate(values.begin(), values.begin() + static_cast<int64_t>(shifted), values.end());
  return std::adjacent_find(values.begin(), values.end(), std::greater_equal<>()) == values.end();
}

struct Counts {
  int64_t inputs = 0, ordering = 0, bound = 0, within = 0, equal_inputs = 0, equal_within = 0;
  std::vector<Exact> last, numbers;                // of all inputs; a number counts once per input
  std::vector<std::pair<Exact, Exact>> intervals;  // of each input
};

class Theorem1 : public Analysis {
 public:
  explicit Theorem1(const Theorem1Options& options)
      : grid_{options.n, options.d, options.inverse_delta} {}

  JobOutcome run(JobContext& context) override {
    const int64_t levels = grid_.levels();
    if (levels < grid_.tokens) {
      throw TrialError("invalid-value",
                       fmt::format("{} levels are too few for {} different tokens; take a smaller "
                                   "delta or more width",
                                   levels, grid_.tokens));
    }
    if (num_inputs(levels) > kMostInputs) {
      throw TrialError("too-large",
                       fmt::format("the grid has {:.3g} inputs, expected at most {:.0g}; take a "
                                   "greater delta, fewer tokens or less width",
                                   num_inputs(levels), kMostInputs));
    }
    Counts counts;
    std::vector<int64_t> input(static_cast<size_t>(grid_.tokens), 0);
    do {
      if (context.stop) return JobOutcome::interrupted;
      const bool equal = std::adjacent_find(input.begin(), input.end()) != input.end();
      equal ? look_at_equal(input, counts) : look_at(input, counts);
    } while (next(input, levels));
    report(context, counts);
    return JobOutcome::done;
  }

 private:
  void look_at(const std::vector<int64_t>& input, Counts& counts) const {
    SelectiveShift attention(grid_, input);
    bool ordered = true;
    size_t shifted = 0;
    for (int64_t level = 0; level < grid_.levels(); ++level) {
      const std::vector<Exact> before = attention.values();
      attention.shift(level);
      std::vector<Exact> after = attention.values();
      if (shifted < input.size() && input[shifted] == level) {
        ++shifted;
        ordered = ordered && is_ordered(after, shifted);
        after[shifted - 1] = before[shifted - 1];
      }
      ordered = ordered && after == before;  // no other token
    }
    const std::vector<Exact> shift = attention.values();
    attention.shift_all();
    attention.shift_all();
    const std::vector<Exact> numbers = attention.values();
    ++counts.inputs;
    counts.ordering += ordered ? 0 : 1;
    counts.bound += shift.front() > 0 && shift.back() < bound() ? 0 : 1;
    counts.within += has_equal(numbers) ? 1 : 0;
    counts.last.push_back(shift.back());
    const std::set<Exact> distinct(numbers.begin(), numbers.end());
    counts.numbers.insert(counts.numbers.end(), distinct.begin(), distinct.end());
    counts.intervals.emplace_back(*distinct.begin(), *distinct.rbegin());
  }

  void look_at_equal(const std::vector<int64_t>& input, Counts& counts) const {
    SelectiveShift attention(grid_, input);
    for (int64_t level = 0; level < grid_.levels(); ++level) attention.shift(level);
    attention.shift_all();
    attention.shift_all();
    ++counts.equal_inputs;
    counts.equal_within += has_equal(attention.values()) ? 1 : 0;
  }

  /// Including inputs with equal tokens.
  double num_inputs(int64_t levels) const {
    double inputs = 1;
    for (int64_t i = 1; i <= grid_.tokens; ++i)
      inputs *= static_cast<double>(levels - 1 + i) / static_cast<double>(i);
    return inputs;
  }

  /// delta^(1-(n+1)d) in units.
  Exact bound() const {
    Exact bound = grid_.unit();
    for (int64_t i = 0; i <= grid_.tokens; ++i) bound *= grid_.levels();
    return bound;
  }

  static int64_t overlaps(std::vector<std::pair<Exact, Exact>> intervals) {
    std::sort(intervals.begin(), intervals.end());
    int64_t count = 0;
    Exact reached = 0;
    for (size_t i = 0; i < intervals.size(); ++i) {
      if (i > 0 && intervals[i].first <= reached) ++count;
      reached = i > 0 ? std::max(reached, intervals[i].second) : intervals[i].second;
    }
    return count;
  }

  void report(JobContext& context, const Counts& counts) const {
    const std::pair<const char*, int64_t> metrics[] = {
        {"inputs", counts.inputs},
        {"layers", grid_.levels() + 2},
        {"ordering_violations", counts.ordering},
        {"bound_violations", counts.bound},
        {"collisions_last", repeats(counts.last)},
        {"collisions_within", counts.within},
        {"collisions_between", repeats(counts.numbers)},
        {"overlaps", overlaps(counts.intervals)},
        {"equal_inputs", counts.equal_inputs},
        {"equal_collisions", counts.equal_within}};
    for (const auto& [name, value] : metrics)
      context.events.metric("theorem1", fmt::format("{}@last", name), 0,
                            static_cast<double>(value));
  }

  ShiftGrid grid_;
};

RETHINK_REGISTERED = analyses().add<Theorem1Options>(
    {.name = "theorem1",
     .summary = "tests whether the proof's attention without diagonal maps two inputs of a grid to "
                "the same output (SparseBERT, Theorem 1)"},
    [](const Theorem1Options& options) { return std::make_shared<Theorem1>(options); });

}  // namespace
}  // namespace rethink
