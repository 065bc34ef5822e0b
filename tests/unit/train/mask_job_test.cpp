// The job `mask`: which positions pruning by P removes, and how the diagonal of a learned mask is changed.
#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "core/json.h"
#include "models/masks/mask.h"
#include "models/tensors/tensor_file.h"
#include "tests/support/throws_code.h"
#include "tests/unit/train/encoder_fixture.h"

namespace rethink {
namespace {

constexpr int64_t kPlaces = 32 * 32;

Mask made_of(const char* slot, const std::vector<Artifact>& artifacts, const Json& options,
             int64_t seed = 0) {
  AttemptFixture attempt(options, seed, "mask");
  attempt.inputs[slot] = artifacts;
  EXPECT_EQ(attempt.run(), JobOutcome::done);
  const Artifact made = only(of_kind(attempt, "mask"));
  const Mask mask = read_mask(made.path);
  EXPECT_DOUBLE_EQ(made.facts.at("sparsity"), 100.0 * sparsity(mask));
  return mask;
}

class PruningTest : public testing::Test {
 protected:
  Mask pruned(const std::string& order, int64_t seed) {
    return made_of("importance", of_kind(*base_, "importance"), {{"ratio", 0.75}, {"order", order}},
                   seed);
  }

  const std::unique_ptr<AttemptFixture> base_ = pretrained(tiny_pretraining(
      {{"kind", "importance"}, {"length", 32}, {"deviation", 0.5}}, {{"steps", 3}}));
};

TEST_F(PruningTest, RemovesTheLeastImportantPlacesOfEachHead) {
  const Mask mask = pruned("least", 0);
  const SafetensorsFile file(only(of_kind(*base_, "importance")).path);
  const at::Tensor all_HNN = tensor_over(file.at("importance")).contiguous();
  ASSERT_EQ(mask.heads, 2);
  for (int64_t head = 0; head < mask.heads; ++head) {
    const float* importance = all_HNN[head].const_data_ptr<float>();
    float most_removed = 0.0f, least_kept = 1.0f;
    int64_t kept = 0;
    for (int64_t place = 0; place < kPlaces; ++place) {
      if (mask.head(head)[place]) {
        least_kept = std::min(least_kept, importance[place]);
        ++kept;
      } else {
        most_removed = std::max(most_removed, importance[place]);
      }
    }
    EXPECT_EQ(kept, kPlaces / 4);
    EXPECT_LE(most_removed, least_kept);
    EXPECT_GT(least_kept, 0.5f);  // P is above this value at half of the positions
  }
}

TEST_F(PruningTest, RandomPruningRemovesAsManyAndDependsOnTheSeed) {
  const Mask least = pruned("least", 0), random = pruned("random", 0), other = pruned("random", 1);
  EXPECT_EQ(random.cells, pruned("random", 0).cells);
  EXPECT_NE(random.cells, least.cells);
  EXPECT_NE(random.cells, other.cells);
  for (int64_t head = 0; head < 2; ++head)
    EXPECT_EQ(std::count(random.head(head), random.head(head) + kPlaces, 1), kPlaces / 4);
  EXPECT_FALSE(std::equal(random.head(0), random.head(0) + kPlaces, random.head(1)));
}

TEST(MaskJob, AddsOrTakesAwayTheDiagonalOfALearnedMask) {
  const auto base = pretrained(tiny_pretraining({{"kind", "dam"}, {"length", 32}}, {{"steps", 3}}));
  const std::vector<Artifact> learned = of_kind(*base, "mask");
  const Mask as_it_is = made_of("learned", learned, Json::object());
  EXPECT_EQ(as_it_is.cells, read_mask(only(learned).path).cells);
  for (const char* diagonal : {"with", "without"}) {
    const Mask made = made_of("learned", learned, {{"diagonal", diagonal}});
    for (int64_t head = 0; head < 2; ++head) {
      for (int64_t place = 0; place < kPlaces; ++place) {
        const bool is_diagonal = place / 32 == place % 32;
        const int expected =
            is_diagonal ? diagonal == std::string("with") : as_it_is.head(head)[place];
        ASSERT_EQ(made.head(head)[place], expected) << diagonal << ", place " << place;
      }
    }
  }
}

TEST(MaskJob, RefusesMissingInputs) {
  AttemptFixture attempt(Json::object(), 0, "mask");
  EXPECT_THAT([&] { attempt.run(); }, ThrowsCode("missing-need"));
}

}  // namespace
}  // namespace rethink
