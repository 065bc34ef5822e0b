#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "models/attention/attention.h"

namespace rethink {
namespace {

class BareProjections : public ProjectedAttention {
 public:
  using ProjectedAttention::heads_of;
  using ProjectedAttention::joined_heads;
  using ProjectedAttention::joins_products;
  explicit BareProjections(const AttentionSite& site) : ProjectedAttention(site) {}
  at::Tensor forward(const AttentionCall& call) override { return call.query_input; }
};

TEST(JoinedHeads, AreThoseOfThreeProductsAndSoAreTheGradients) {
  at::manual_seed(5);
  BareProjections attention({.d_model = 12, .heads = 3});
  const at::Tensor input = at::randn({2, 5, 12}).requires_grad_();
  const auto gradients_of = [&](const QueriesKeysValues& heads) {
    attention.zero_grad();
    input.mutable_grad().reset();
    (heads.query.sin().sum() + heads.key.square().sum() + heads.value.exp().sum()).backward();
    std::vector<at::Tensor> all = {input.grad().clone()};
    for (const at::Tensor& parameter : attention.parameters()) {
      if (parameter.grad().defined()) all.push_back(parameter.grad().clone());
    }
    return all;
  };
  const QueriesKeysValues apart{attention.heads_of("query", input),
                                attention.heads_of("key", input),
                                attention.heads_of("value", input)};
  const QueriesKeysValues joined = attention.joined_heads(input);
  EXPECT_TRUE(at::allclose(joined.query, apart.query, 1e-5, 1e-6));
  EXPECT_TRUE(at::allclose(joined.key, apart.key, 1e-5, 1e-6));
  EXPECT_TRUE(at::allclose(joined.value, apart.value, 1e-5, 1e-6));
  const std::vector<at::Tensor> expected = gradients_of(apart), found = gradients_of(joined);
  ASSERT_EQ(found.size(), 7u);
  for (size_t i = 0; i < found.size(); ++i)
    EXPECT_TRUE(at::allclose(found[i], expected[i], 1e-4, 1e-5)) << i;
}

TEST(JoinedHeads, AreNotForACpu) {
  const at::Tensor input = at::randn({1, 2, 4});
  EXPECT_FALSE(BareProjections::joins_products({.query_input = input, .key_input = input}));
}

}  // namespace
}  // namespace rethink
