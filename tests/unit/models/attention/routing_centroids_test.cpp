// Updates of the centroids of routing attention, and their terms of the loss.
#include <ATen/autocast_mode.h>
#include <gtest/gtest.h>

#include "models/decoder.h"
#include "tests/support/error_ratio.h"
#include "tests/unit/models/attention/routing_by_hand.h"

namespace rethink {
namespace {

using namespace routing_by_hand;

/// Runs a pass as in a training step. Returns its loss.
at::Tensor train(Attention& attention, const RoutingInput& seen) {
  Recorder record;
  attention.train();
  attention.forward(seen.call(&record));
  return record.losses.at("commitment");
}

class RoutingCentroids : public testing::Test {
 protected:
  void SetUp() override { at::manual_seed(23); }
};

/// Returns the centroids of the only routing head, the second head, after a step.
at::Tensor learned_by_hand(const Attention& attention, const RoutingInput& seen, double decay) {
  const Head head = routing_head(attention, 2, 1);
  at::Tensor centroids = centroids_of(attention).clone() * decay;
  const std::vector<std::string> parts =
      seen.causal ? std::vector<std::string>{"query"} : std::vector<std::string>{"query", "key"};
  for (const std::string& name : parts) {
    for (int64_t b = 0; b < 2; ++b) {
      for (int64_t i = 0; i < kRoutingTokens; ++i) {
        if (!seen.kept(b, i)) continue;
        const Row token = head.token(name, seen, b, i);
        centroids[0][head.nearest(token)] +=
            at::tensor(token, at::kDouble) * ((1 - decay) / double(parts.size()));
      }
    }
  }
  return centroids;
}

TEST_F(RoutingCentroids, CentroidsMoveTowardsTheSumsOfTheirTokens) {
  for (const char* assignment : {"nearest", "balanced"}) {
    for (const RoutingInput& seen : routing_situations()) {
      auto attention = make_routing({{"assignment", assignment}, {"decay", 0.9}});
      for (int step = 0; step < 2; ++step) {
        const at::NoGradGuard no_gradient;
        const at::Tensor expected = learned_by_hand(*attention, seen, 0.9);
        {
          const at::AutoGradMode gradient(true);
          train(*attention, seen);
        }
        EXPECT_LT(worst_difference(centroids_of(*attention), expected), 1e-12);
      }
      EXPECT_FALSE(centroids_of(*attention).requires_grad());
    }
  }
}

TEST_F(RoutingCentroids, PaddingMovesNoCentroid) {
  for (const bool causal : {true, false}) {
    auto attention = make_routing();
    RoutingInput seen{some_input(), causal, some_padding()};
    const at::Tensor start = centroids_of(*attention).clone();
    const at::Tensor loss = train(*attention, seen);
    const at::Tensor moved = centroids_of(*attention).clone();
    EXPECT_GT(worst_difference(moved, start), 1e-6);
    centroids_of(*attention).copy_(start);
    seen.input = at::where(seen.keep.unsqueeze(2), seen.input, 50 * some_input());
    EXPECT_TRUE(at::equal(train(*attention, seen), loss));
    EXPECT_TRUE(at::equal(centroids_of(*attention), moved));
  }
}

TEST_F(RoutingCentroids, OnlyTrainingMovesCentroids) {
  auto attention = make_routing();
  const RoutingInput seen{some_input()};
  const at::Tensor start = centroids_of(*attention).clone();
  Recorder record;
  attention->forward(seen.call(&record));
  attention->train();
  attention->forward(seen.call());  // as an evaluation where dropout stays on
  {
    const at::NoGradGuard no_gradient;
    attention->forward(seen.call(&record));
  }
  EXPECT_TRUE(at::equal(centroids_of(*attention), start));
  train(*attention, seen);
  EXPECT_FALSE(at::equal(centroids_of(*attention), start));
}

TEST_F(RoutingCentroids, TheLossIsTheMeanDistanceToTheNearestCentroid) {
  for (const RoutingInput& seen : routing_situations()) {
    auto attention = make_routing({{"commitment", 0.5}});
    const Head head = routing_head(*attention, 2, 1);
    double sum = 0, count = 0;
    {
      const at::NoGradGuard no_gradient;
      for (const std::string name : {"query", "key"}) {
        for (int64_t n = 0; n < 2 * kRoutingTokens; ++n) {
          const int64_t b = n / kRoutingTokens, i = n % kRoutingTokens;
          if (!seen.kept(b, i)) continue;
          const Row token = head.token(name, seen, b, i);
          const Row centre = head.centroid(head.nearest(token));
          for (size_t e = 0; e < token.size(); ++e) {
            const double apart =
                token[e] - std::sqrt(double(token.size()) / dot(centre, centre)) * centre[e];
            sum += apart * apart / double(token.size());
          }
          ++count;
        }
      }
    }
    EXPECT_NEAR(train(*attention, seen).item<double>(), 0.5 * sum / count, 1e-12);
  }
}

TEST_F(RoutingCentroids, TheLossTeachesQueriesAlone) {
  auto attention = make_routing();
  train(*attention, {some_input()}).backward();
  for (const auto& parameter : attention->named_parameters()) {
    const at::Tensor gradient = parameter.value().grad();
    const bool moves = gradient.defined() && gradient.abs().max().item<double>() > 0;
    EXPECT_EQ(moves, parameter.key().starts_with("query")) << parameter.key();
  }
}

TEST_F(RoutingCentroids, CentroidsBeginFromTheModelsSeed) {
  ModelOptions options;
  options.layers = 2;
  options.d_model = kRoutingWidth;
  options.attention = {.name = "routing"};
  const auto centroids = [&](uint64_t seed, int layer) {
    at::randn({3});  // the state of LibTorch's generator does not matter
    DecoderLanguageModel model(options, /*vocabulary=*/11, seed);
    return weights_of(model).at("layers." + std::to_string(layer) + ".attention.centroids");
  };
  EXPECT_TRUE(at::equal(centroids(5, 1), centroids(5, 1)));
  EXPECT_FALSE(at::equal(centroids(5, 1), centroids(6, 1)));
  EXPECT_FALSE(at::equal(centroids(5, 1), centroids(5, 2)));
}

TEST_F(RoutingCentroids, ClustersAreThoseOfFloat32UnderAutocast) {
  auto attention = make_routing();
  attention->to(at::kFloat);
  const RoutingInput seen{some_input().to(at::kFloat)};
  at::autocast::set_autocast_dtype(at::kCPU, at::kBFloat16);
  at::autocast::set_autocast_enabled(at::kCPU, true);
  const at::Tensor rounded = attention->forward(seen.call());
  const at::Tensor loss = train(*attention, seen);
  at::autocast::set_autocast_enabled(at::kCPU, false);
  attention->eval();
  EXPECT_EQ(rounded.scalar_type(), at::kBFloat16);
  EXPECT_EQ(loss.scalar_type(), at::kFloat);
  EXPECT_LT(worst_difference(rounded.to(at::kFloat), attention->forward(seen.call())), 0.05);
}

}  // namespace
}  // namespace rethink
