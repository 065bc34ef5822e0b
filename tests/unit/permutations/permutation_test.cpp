#include "models/permutations/permutation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace rethink {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Permutation, ShiftsReversesAndSwapsAsTheSlidesSay) {
  EXPECT_THAT(permutation("next", 5, {}), ElementsAre(1, 2, 3, 4, 0));
  EXPECT_THAT(permutation("next_two", 5, {}), ElementsAre(2, 3, 4, 0, 1));
  EXPECT_THAT(permutation("reverse", 5, {}), ElementsAre(4, 3, 2, 1, 0));
  EXPECT_THAT(permutation("swap", 5, {}), ElementsAre(1, 0, 3, 2, 4));
  EXPECT_THAT(permutation("swap", 4, {}), ElementsAre(1, 0, 3, 2));
}

TEST(Permutation, ShiftsBackwardAsTheReleasedCode) {
  EXPECT_THAT(permutation("next", 5, {.backward = true}), ElementsAre(4, 0, 1, 2, 3));
  EXPECT_THAT(permutation("next_two", 5, {.backward = true}), ElementsAre(3, 4, 0, 1, 2));
}

TEST(Permutation, IsOneOfEveryLength) {
  for (const std::string& name : permutation_names()) {
    for (const bool backward : {false, true}) {
      EXPECT_THAT(permutation(name, 0, {.backward = backward}), IsEmpty());
      for (int64_t n = 1; n < 20; ++n) {
        std::vector<int64_t> places = permutation(name, n, {.backward = backward});
        std::ranges::sort(places);
        for (int64_t t = 0; t < n; ++t) EXPECT_EQ(places[static_cast<size_t>(t)], t) << name;
      }
    }
  }
}

TEST(Permutation, RandomOnesAreFixedBySeedLayerAndLength) {
  const PermutationRule rule{.seed = 3, .layer = 2};
  EXPECT_EQ(permutation("random", 30, rule), permutation("random", 30, rule));
  EXPECT_NE(permutation("random", 30, rule), permutation("random", 30, {.seed = 4, .layer = 2}));
  EXPECT_NE(permutation("random", 30, rule), permutation("random", 30, {.seed = 3, .layer = 1}));
}

TEST(Permutation, RandomOnesAreAsLikely) {
  constexpr int64_t kDraws = 6000;
  std::map<std::vector<int64_t>, int64_t> counts;
  for (int64_t seed = 0; seed < kDraws; ++seed) ++counts[permutation("random", 3, {.seed = seed})];
  ASSERT_EQ(counts.size(), 6u);
  for (const auto& [places, count] : counts)
    EXPECT_NEAR(static_cast<double>(count), kDraws / 6.0, 120);  // four standard deviations
}

}  // namespace
}  // namespace rethink
