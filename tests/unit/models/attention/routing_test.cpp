// Routing attention compared with its paper's formulas.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/json.h"
#include "tests/support/error_ratio.h"
#include "tests/support/throws_code.h"
#include "tests/unit/models/attention/by_differences.h"
#include "tests/unit/models/attention/routing_by_hand.h"

namespace rethink {
namespace {

using namespace routing_by_hand;

/// Adds exp(score) / sum over `keys` to the row.
void add_softmax(const at::Tensor& row, const Row& query, const std::vector<int64_t>& keys,
                 const std::function<Row(int64_t)>& key_of, double share) {
  double sum = 0;
  const auto exponential = [&](int64_t j) {
    return std::exp(dot(query, key_of(j)) / std::sqrt(double(query.size())));
  };
  for (const int64_t j : keys) sum += exponential(j);
  for (const int64_t j : keys) row[j] += share * exponential(j) / sum;
}

at::Tensor routing_map(const Head& head, const RoutingInput& seen, bool balanced,
                       bool alone = false) {
  const at::NoGradGuard no_gradient;
  at::Tensor map = at::zeros({2, kRoutingTokens, kRoutingTokens}, at::kDouble);
  for (int64_t b = 0; b < 2; ++b) {
    const auto of_queries = head.members("query", seen, b, balanced),
               of_keys = head.members("key", seen, b, balanced);
    for (int64_t i = 0; i < kRoutingTokens; ++i) {
      std::vector<size_t> clusters;
      for (size_t c = 0; c < of_queries.size(); ++c) {
        if (std::ranges::count(of_queries[c], i) > 0) clusters.push_back(c);
      }
      for (const size_t c : clusters) {
        std::vector<int64_t> keys;
        std::ranges::copy_if(of_keys[c], std::back_inserter(keys),
                             [&](int64_t j) { return seen.sees(b, i, j); });
        if (alone && keys.size() > 1) std::erase(keys, i);
        add_softmax(
            map[b][i], head.token("query", seen, b, i), keys,
            [&](int64_t j) { return head.token("key", seen, b, j); },
            1.0 / double(clusters.size()));
      }
    }
  }
  return map;
}

at::Tensor local_map(const Head& head, const RoutingInput& seen) {
  const at::NoGradGuard no_gradient;
  at::Tensor map = at::zeros({2, kRoutingTokens, kRoutingTokens}, at::kDouble);
  for (int64_t b = 0; b < 2; ++b) {
    for (int64_t i = 0; i < kRoutingTokens; ++i) {
      std::vector<int64_t> keys;
      for (int64_t j = 0; j < kRoutingTokens; ++j) {
        if (seen.sees(b, i, j) && std::abs(i - j) < kLocal) keys.push_back(j);
      }
      add_softmax(
          map[b][i], head.channels("query", seen.input[b][i]), keys,
          [&](int64_t j) { return head.channels("key", seen.input[b][j]); }, 1.0);
    }
  }
  return map;
}

at::Tensor recorded_map(Attention& attention, const RoutingInput& seen) {
  const at::NoGradGuard no_gradient;
  Recorder record{.keep_maps = true};
  attention.forward(seen.call(&record));
  return record.maps.at(0);
}

/// Returns the rows of kept queries only, since nobody reads the others.
at::Tensor kept_rows(const at::Tensor& map_BQK, const RoutingInput& seen) {
  return seen.keep.defined() ? map_BQK * seen.keep.unsqueeze(2) : map_BQK;
}

class Routing : public testing::Test {
 protected:
  void SetUp() override { at::manual_seed(23); }
};

TEST_F(Routing, AQueryAttendsToItsOwnCluster) {
  for (const std::string assignment : {"nearest", "balanced"}) {
    for (const std::string own_key : {"seen", "alone"}) {
      auto attention = make_routing({{"assignment", assignment}, {"own_key", own_key}});
      for (const RoutingInput& seen : routing_situations()) {
        const at::Tensor map = recorded_map(*attention, seen).select(1, 1);
        const at::Tensor expected = routing_map(routing_head(*attention, 2, 1), seen,
                                                assignment == "balanced", own_key == "alone");
        EXPECT_LT(worst_difference(kept_rows(map, seen), kept_rows(expected, seen)), 1e-12)
            << assignment << ", " << own_key << (seen.causal ? ", causal" : "");
      }
    }
  }
}

/// A token's score with itself is the greatest one, unless it is hidden.
TEST_F(Routing, ItsOwnKeyIsSeenMostOrHiddenWhereThereIsAnother) {
  const RoutingInput seen{some_input()};
  const auto diagonal_of = [&](const char* own_key) {
    at::manual_seed(3);
    auto attention = make_routing({{"own_key", own_key}}, 1);
    return recorded_map(*attention, seen).select(1, 0);
  };
  const at::Tensor shown = diagonal_of("seen"), hidden = diagonal_of("alone");
  EXPECT_TRUE(shown.argmax(-1).eq(at::arange(kRoutingTokens)).all().item<bool>());
  const at::Tensor own = hidden.diagonal(0, 1, 2), others = hidden.sum(-1) - own;
  EXPECT_TRUE(own.eq(1).logical_or(others.sub(1).abs().lt(1e-12)).all().item<bool>());
  EXPECT_TRUE(others.gt(0.5).any().item<bool>());
}

TEST_F(Routing, TheOtherHeadsSeeTheirNeighbours) {
  auto attention = make_routing();
  for (const RoutingInput& seen : routing_situations()) {
    EXPECT_LT(worst_difference(recorded_map(*attention, seen).select(1, 0),
                               local_map(routing_head(*attention, 2, 0), seen)),
              1e-12);
  }
}

TEST_F(Routing, HalfOfTheHeadsAreRoutingHeadsAndOneOfOne) {
  for (const auto& [heads, routing] : {std::pair{1, 1}, {2, 1}, {4, 2}}) {
    auto attention = make_routing(Json::object(), heads);
    EXPECT_EQ(centroids_of(*attention).sizes(),
              at::IntArrayRef({routing, kClusters, kRoutingWidth / heads}));
    const RoutingInput seen{some_input()};
    const at::Tensor map = recorded_map(*attention, seen);
    for (int64_t head = 0; head < heads; ++head) {
      const int64_t number = head - (heads - routing);
      const Head by_hand = routing_head(*attention, heads, head, number);
      EXPECT_LT(
          worst_difference(map.select(1, head), number < 0 ? local_map(by_hand, seen)
                                                           : routing_map(by_hand, seen, false)),
          1e-12)
          << head << " of " << heads;
    }
  }
  EXPECT_THAT([] { make_routing({{"routing_heads", 3}}); }, ThrowsCode("conflicting-values"));
}

TEST_F(Routing, HasTheGradientsOfDifferences) {
  const auto expect = [](const Json& options, bool causal) {
    auto attention = make_routing(options);
    const at::Tensor input = at::randn({1, 5, kRoutingWidth}, at::kDouble).requires_grad_();
    const RoutingInput seen{input, causal, at::arange(5).ne(3).unsqueeze(0)};
    by_hand::expect_gradients(*attention, input, [&] {
      Recorder record;
      const at::Tensor output = attention->forward(seen.call(&record));
      return (output * fixed_upstream(output)).sum() + record.losses.at("commitment");
    });
  };
  for (const char* assignment : {"nearest", "balanced"}) {
    for (const char* own_key : {"seen", "alone"}) {
      for (const bool causal : {true, false})
        expect({{"assignment", assignment}, {"own_key", own_key}}, causal);
    }
  }
}

TEST_F(Routing, NearestClustersDoNotDependOnLaterTokensAndBalancedOnesDo) {
  const RoutingInput before{some_input()};
  RoutingInput after = before;
  after.input = before.input.clone();
  after.input.narrow(1, 4, 3).add_(some_input().narrow(1, 4, 3));
  for (const char* assignment : {"nearest", "balanced"}) {
    auto attention = make_routing({{"assignment", assignment}});
    const double moved = worst_difference(recorded_map(*attention, before).narrow(2, 0, 4),
                                          recorded_map(*attention, after).narrow(2, 0, 4));
    if (assignment == std::string("nearest")) {
      EXPECT_LT(moved, 1e-12);
    } else {
      EXPECT_GT(moved, 0.01);
    }
  }
}

TEST_F(Routing, BalancedClustersHideLaterTokensOnceTheyAreGiven) {
  auto attention = make_routing({{"assignment", "balanced"}});
  const at::Tensor later = at::ones({kRoutingTokens, kRoutingTokens}, at::kDouble).triu(1);
  const RoutingInput before{some_input()};
  EXPECT_EQ((recorded_map(*attention, before) * later).abs().max().item<double>(), 0.0);
  // Every token is in every cluster, whatever it is.
  auto whole = make_routing({{"assignment", "balanced"}, {"window", kRoutingTokens}});
  RoutingInput after = before;
  after.input = before.input.clone();
  after.input.narrow(1, 4, 3).add_(some_input().narrow(1, 4, 3));
  const at::Tensor first = whole->forward(before.call()), second = whole->forward(after.call());
  EXPECT_LT(worst_difference(first.narrow(1, 0, 4), second.narrow(1, 0, 4)), 1e-12);
  EXPECT_GT(worst_difference(first.narrow(1, 4, 3), second.narrow(1, 4, 3)), 0.01);
}

/// These inputs move too little to change a cluster.
TEST_F(Routing, GivenItsClustersABalancedTokenDoesNotDependOnLaterOnes) {
  auto attention = make_routing({{"assignment", "balanced"}});
  const RoutingInput before{some_input()};
  RoutingInput after = before;
  after.input = before.input.clone();
  after.input.narrow(1, 4, 3).add_(some_input().narrow(1, 4, 3), 1e-7);
  const at::Tensor clusters = recorded_map(*attention, before).ne(0);
  ASSERT_TRUE(at::equal(clusters, recorded_map(*attention, after).ne(0)));
  EXPECT_LT(clusters.sum().item<int64_t>(), at::ones_like(clusters).tril().sum().item<int64_t>())
      << "clusters hide something";
  const at::Tensor first = attention->forward(before.call()),
                   second = attention->forward(after.call());
  EXPECT_LT(worst_difference(first.narrow(1, 0, 4), second.narrow(1, 0, 4)), 1e-14);
  EXPECT_GT(worst_difference(first.narrow(1, 4, 3), second.narrow(1, 4, 3)), 1e-9);
}

TEST_F(Routing, ATokenInNoClusterGetsZeros) {
  auto attention = make_routing({{"assignment", "balanced"}, {"window", 1}});
  const at::Tensor sums = recorded_map(*attention, {some_input()}).select(1, 1).sum(-1);
  EXPECT_LE(sums.ne(0).sum().item<int64_t>(), 2 * kClusters);  // 1 token of each, of 2 sequences
  EXPECT_LT(worst_difference(sums, sums.round()), 1e-12);
}

}  // namespace
}  // namespace rethink
