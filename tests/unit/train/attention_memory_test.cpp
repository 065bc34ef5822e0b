// Peak memory of the variants of triplet attention over a forward and a backward pass.
#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "core/json.h"
#include "experiments/train/jobs/bench_measures.h"
#include "models/attention/attention.h"

namespace rethink {
namespace {

constexpr int64_t kWidth = 12, kHeads = 2;  // 4 triplet heads

/// With `padded`, a quarter of the tokens of one of the two sequences is padding.
uint64_t peak_bytes(const std::string& variant, Json options, int64_t tokens, bool padded) {
  AttentionSite site{.d_model = kWidth, .heads = kHeads, .dropout = 0.1};
  site.place = AttentionPlace::encoder_self;
  options["triplet_heads"] = kHeads;
  auto attention = attentions().make(variant, options, site);
  at::Tensor keep;
  if (padded) {
    const at::Tensor place = at::arange(tokens);
    keep = at::stack({place.lt(tokens), place.lt(tokens - tokens / 4)});
  }
  const at::Tensor input = at::randn({2, tokens, kWidth}).requires_grad_();
  const CountedMemory memory(uint64_t{1} << 32);
  attention->forward({.query_input = input, .key_input = input, .key_keep = keep}).sum().backward();
  return memory.peak_bytes();
}

/// Returns the bytes of a table with a float for each pair of tokens.
uint64_t table_bytes(int64_t tokens) {
  return static_cast<uint64_t>(tokens * tokens) * sizeof(float);
}

TEST(AttentionMemory, TripletAllocatesNoMatrixOfPairs) {
  constexpr int64_t kTokens = 2048;
  for (const bool padded : {false, true}) {
    for (const std::string permutation : {"random", "next", "swap"}) {
      EXPECT_LT(peak_bytes("triplet", {{"permutations", {permutation}}}, kTokens, padded),
                table_bytes(kTokens))
          << permutation << (padded ? ", padded" : "");
    }
  }
  // Absolute scores are not a product of vectors, so this variant allocates a matrix of pairs.
  EXPECT_GT(peak_bytes("triplet", {{"absolute", true}}, kTokens, false), table_bytes(kTokens));
}

TEST(AttentionMemory, FavorGrowsLinearlyWithTheLength) {
  for (const bool padded : {false, true}) {
    for (const char* features : {"cosine", "positive"}) {
      const auto peak_at = [&](int64_t tokens) {
        return static_cast<double>(
            peak_bytes("triplet_favor", {{"features", features}}, tokens, padded));
      };
      EXPECT_LT(peak_at(2048), 2.2 * peak_at(1024)) << features << (padded ? ", padded" : "");
    }
  }
}

TEST(AttentionMemory, CubicAllocatesAllTriples) {
  constexpr int64_t kTokens = 64;
  const uint64_t peak = peak_bytes("triplet_cubic", {{"reduce", "max"}}, kTokens, false);
  EXPECT_GE(peak, 2 * 4 * kTokens * table_bytes(kTokens));
}

}  // namespace
}  // namespace rethink
