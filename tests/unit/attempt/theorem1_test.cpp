// The construction of SparseBERT's Theorem 1 compared with the paper's own expressions, and the results
// of the analysis for small grids.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <atomic>

#include "core/error.h"
#include "core/json.h"
#include "experiments/attempt/analyses/selective_shift.h"
#include "experiments/attempt/checkpoint_folder.h"
#include "experiments/attempt/event_log.h"
#include "experiments/attempt/job.h"
#include "tests/support/attempt_store.h"
#include "tests/support/throws_code.h"

namespace rethink {
namespace {

/// Returns all values in units of delta, in which they are whole numbers.
std::vector<Exact> in_deltas(const SelectiveShift& attention, const ShiftGrid& grid) {
  std::vector<Exact> values = attention.values();
  for (Exact& value : values) {
    EXPECT_TRUE(value % grid.unit() == 0);
    value /= grid.unit();
  }
  return values;
}

SelectiveShift shifted(const ShiftGrid& grid, const std::vector<int64_t>& input) {
  SelectiveShift attention(grid, input);
  for (int64_t level = 0; level < grid.levels(); ++level) attention.shift(level);
  return attention;
}

/// Returns SparseBERT, section 3.2 (n = 3, d = 1), multiplied by 1/delta.
std::vector<Exact> papers_shift(Exact l1, Exact l2, Exact l3, Exact m) {
  return {l1 + m * (l3 - l2), l2 + m * (l1 - l3) + m * m * (l3 - l2),
          l3 + m * (l2 - l1) + m * m * (l1 + l2 - 2 * l3) + m * m * m * (l3 - l2)};
}

TEST(SelectiveShift, GivesThePapersExpressionsForThreeTokens) {
  for (const int64_t m : {3, 4, 8, 11}) {
    const ShiftGrid grid{3, 1, m};
    const Exact factor = Exact{m - 1} * (m * m * m + m + 1);
    EXPECT_TRUE(grid.global_factor() == factor);
    for (int64_t l1 = 0; l1 < m; ++l1) {
      for (int64_t l2 = l1 + 1; l2 < m; ++l2) {
        for (int64_t l3 = l2 + 1; l3 < m; ++l3) {
          SelectiveShift attention = shifted(grid, {l1, l2, l3});
          const std::vector<Exact> s = papers_shift(l1, l2, l3, m);
          EXPECT_TRUE(in_deltas(attention, grid) == s);
          attention.shift_all();
          attention.shift_all();
          const std::vector<Exact> end = {s[0] + factor * (s[1] + s[2]) + factor * factor * s[2],
                                          s[1] + factor * (s[0] + s[2]) + factor * factor * s[2],
                                          s[2] + 2 * factor * s[1] + factor * factor * s[2]};
          EXPECT_TRUE(in_deltas(attention, grid) == end);
        }
      }
    }
  }
}

/// Returns Appendix A.2.2: l~_i from the earlier ones; in units of delta, N = delta^-d.
std::vector<Exact> papers_recursion(const std::vector<int64_t>& l, Exact levels) {
  const size_t n = l.size();
  std::vector<Exact> shifted;
  shifted.push_back(l[0] + levels * (l[n - 1] - l[1]));
  for (size_t i = 1; i < n; ++i) {
    const Exact least = i + 1 < n ? Exact{l[i + 1]} : shifted[0];
    shifted.push_back(l[i] + levels * (shifted[i - 1] - least));
  }
  return shifted;
}

RC_GTEST_PROP(SelectiveShift, GivesTheAppendixRecursionForEveryGrid, ()) {
  const ShiftGrid grid{*rc::gen::inRange<int64_t>(3, 6), *rc::gen::inRange<int64_t>(1, 3),
                       *rc::gen::inRange<int64_t>(3, 5)};
  RC_PRE(grid.levels() >= grid.tokens);
  std::vector<int64_t> input = *rc::gen::unique<std::vector<int64_t>>(
      static_cast<size_t>(grid.tokens), rc::gen::inRange<int64_t>(0, grid.levels()));
  std::sort(input.begin(), input.end());
  RC_ASSERT(in_deltas(shifted(grid, input), grid) == papers_recursion(input, grid.levels()));
}

RC_GTEST_PROP(SelectiveShift, DoesNotCareForTheOrderOfTokens, ()) {
  const ShiftGrid grid{4, 1, 9};
  const std::vector<int64_t> input =
      *rc::gen::container<std::vector<int64_t>>(4, rc::gen::inRange<int64_t>(0, 9));
  std::vector<int64_t> sorted = input;
  std::sort(sorted.begin(), sorted.end());
  SelectiveShift a = shifted(grid, input), b = shifted(grid, sorted);
  for (SelectiveShift* attention : {&a, &b}) attention->shift_all(), attention->shift_all();
  std::vector<Exact> of_input = a.values(), of_sorted = b.values();
  std::sort(of_input.begin(), of_input.end());
  std::sort(of_sorted.begin(), of_sorted.end());
  RC_ASSERT(of_input == of_sorted);
}

TEST(SelectiveShift, ChangesTheFirstNumberOfATokenOnly) {
  const ShiftGrid narrow{3, 1, 9}, wide{3, 2, 3};
  const std::vector<int64_t> input = {1, 5, 7};
  EXPECT_EQ(wide.levels(), 9);
  EXPECT_TRUE(shifted(narrow, input).values() == shifted(wide, input).values());
}

TEST(SelectiveShift, DoesNothingToTwoTokens) {
  const ShiftGrid grid{2, 1, 8};
  EXPECT_TRUE(in_deltas(shifted(grid, {2, 5}), grid) == (std::vector<Exact>{2, 5}));
}

TEST(SelectiveShift, RefusesNumbersBeyondItsBits) {
  const ShiftGrid grid{8, 1, 1000};
  EXPECT_THAT(
      [&] {
        shifted(grid, {0, 1, 2, 3, 4, 5, 6, 999}).shift_all();
      },
      ThrowsCode("too-large"));
  EXPECT_THAT([] { (ShiftGrid{3, 8, 10}.levels()); }, ThrowsCode("too-large"));
}

class Theorem1 : public testing::Test {
 protected:
  /// Runs the analysis; returns its metrics without split and ending.
  std::map<std::string, double> run(int64_t n, int64_t d, int64_t inverse_delta,
                                    bool stop = false) {
    const Json analysis{{"kind", "theorem1"}, {"n", n}, {"d", d}, {"inverse_delta", inverse_delta}};
    const Trial trial = store_.add("analyze", {{"analysis", analysis}}, 0);
    const TrialFolder folder = store_.folder(trial);
    EventLog events(folder.path() / "events.jsonl");
    CheckpointFolder checkpoints(folder.checkpoints(), events);
    const Runtime runtime;
    const std::atomic<bool> stopped = stop;
    JobContext context{.trial = trial,
                       .runtime = runtime,
                       .inputs = {},
                       .parents = {},
                       .events = events,
                       .checkpoints = checkpoints,
                       .artifacts = folder.artifacts(),
                       .stop = stopped,
                       .published = {}};
    outcome_ = jobs().make("analyze", trial.config)->run(context);
    const Json last = events.last_metrics();
    std::map<std::string, double> metrics;
    for (const auto& [name, value] : last.items()) {
      EXPECT_TRUE(name.starts_with("theorem1/") && name.ends_with("@last")) << name;
      metrics[name.substr(9, name.size() - 14)] = value.get<double>();
    }
    return metrics;
  }

  AttemptStore store_;
  JobOutcome outcome_ = JobOutcome::done;
};

TEST_F(Theorem1, HoldsForThreeTokens) {
  auto found = run(3, 1, 8);
  EXPECT_EQ(found["inputs"], 56);  // 8 choose 3
  EXPECT_EQ(found["layers"], 10);
  for (const char* none : {"ordering_violations", "bound_violations", "collisions_last",
                           "collisions_within", "collisions_between", "overlaps"})
    EXPECT_EQ(found[none], 0) << none;
  // These are the 10 multisets of 3 of 8 without those that have no repetition.
  EXPECT_EQ(found["equal_inputs"], 120 - 56);
  EXPECT_EQ(found["equal_collisions"], 64);
}

/// A program with fractions in place of integers also counts 15 and 15.
TEST_F(Theorem1, HoldsForFourTokensThoughTheProofsLastNumberRepeats) {
  auto found = run(4, 1, 8);
  EXPECT_EQ(found["inputs"], 70);
  EXPECT_EQ(found["ordering_violations"], 0);
  EXPECT_EQ(found["collisions_last"], 15);
  EXPECT_EQ(found["overlaps"], 15);
  EXPECT_EQ(found["collisions_within"], 0);
  EXPECT_EQ(found["collisions_between"], 0);
}

/// These numbers are in docs/fidelity.md.
TEST_F(Theorem1, HoldsForMoreTokensWithIntervalsThatMeet) {
  for (const auto& [n, inverse_delta, inputs, overlaps] :
       {std::tuple(4, 16, 1820, 1001), std::tuple(5, 16, 4368, 0), std::tuple(6, 12, 924, 84)}) {
    auto found = run(n, 1, inverse_delta);
    EXPECT_EQ(found["inputs"], inputs) << n;
    EXPECT_EQ(found["overlaps"], overlaps) << n;
    EXPECT_EQ(found["collisions_within"], 0) << n;
    EXPECT_EQ(found["collisions_between"], 0) << n;
  }
}

/// Raising l_1 and l_3 by the same step does not change l~_4, which depends only on l_3 - l_1.
TEST(SelectiveShift, HasTheSameLastNumberForTwoInputsOfFourTokens) {
  const ShiftGrid grid{4, 1, 6};
  const std::vector<Exact> a = in_deltas(shifted(grid, {0, 2, 3, 5}), grid);
  const std::vector<Exact> b = in_deltas(shifted(grid, {1, 2, 4, 5}), grid);
  EXPECT_TRUE(a[3] == b[3]);
  EXPECT_TRUE(a[0] != b[0] && a[2] != b[2]);
}

TEST_F(Theorem1, NeedsMoreThanTwoTokens) {
  auto found = run(2, 1, 8);
  EXPECT_EQ(found["inputs"], 28);
  EXPECT_EQ(found["ordering_violations"], 28);
  EXPECT_GT(found["collisions_last"], 0);
}

TEST_F(Theorem1, SaysTheSameOfEqualNumbersOfLevels) {
  EXPECT_EQ(run(3, 1, 9), run(3, 2, 3));
}

TEST_F(Theorem1, StopsOnRequest) {
  EXPECT_TRUE(run(3, 1, 8, /*stop=*/true).empty());
  EXPECT_EQ(outcome_, JobOutcome::interrupted);
}

TEST_F(Theorem1, RefusesGridsThatAreTooSmallOrTooLarge) {
  EXPECT_THAT([&] { run(5, 1, 4); }, ThrowsCode("invalid-value"));
  EXPECT_THAT([&] { run(6, 1, 64); }, ThrowsCode("too-large"));
}

}  // namespace
}  // namespace rethink
