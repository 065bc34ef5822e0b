// The variants with which BET compares itself (its section 4.4), each compared with its own paper's
// formula in float64, one query after another. The contract tests that maps times values are the output.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/json.h"
#include "tests/unit/models/attention/by_differences.h"

namespace rethink {
namespace {

using namespace by_hand;

at::Tensor go_on(Attention& attention, const at::Tensor& segment, AttentionState& state) {
  return attention.forward({.query_input = segment,
                            .key_input = segment,
                            .causal = true,
                            .query_offset = state.tokens(),
                            .state = &state});
}

class Baselines : public testing::Test {
 protected:
  void SetUp() override { at::manual_seed(17); }
};

/// Returns cases of one sequence and of two.
std::vector<Seen> all_situations() {
  std::vector<Seen> all = situations();
  for (const Seen& seen : situations_across()) all.push_back(seen);
  return all;
}

TEST_F(Baselines, TopKIsTheSoftmaxOfEachQuerysLargestScores) {
  for (const int64_t k : {1, 3, 20}) {
    auto attention = make_perturbed("topk", {{"k", k}});
    for (const Seen& seen : all_situations()) {
      const at::Tensor query = projected(*attention, "query", seen.input),
                       key = projected(*attention, "key", seen.keys());
      const auto scores = [&](int64_t b, int64_t head, int64_t i, const auto& places) {
        at::Tensor all =
            at::mv(rows_at(head_of(key, head)[b], places), head_of(query, head)[b][i]) * kScale;
        std::vector<double> sorted(all.const_data_ptr<double>(),
                                   all.const_data_ptr<double>() + all.numel());
        std::ranges::sort(sorted, std::greater<>());
        const double kth = sorted[std::min(sorted.size(), static_cast<size_t>(k)) - 1];
        return all.masked_fill(all < kth - 1e-9, -std::numeric_limits<double>::infinity());
      };
      EXPECT_LT(worst_difference(map_of(*attention, seen), map_by_hand(seen, scores)), 1e-12) << k;
    }
  }
}

TEST_F(Baselines, TopKKeepsTies) {
  auto attention = make_perturbed("topk", {{"k", 2}});
  Seen seen = situations()[2];
  seen.input = seen.input.narrow(1, 0, 1).repeat({1, kTokens, 1});  // every score alike
  EXPECT_LT(worst_difference(map_of(*attention, seen),
                             at::full({2, kHeads, kTokens, kTokens}, 1.0 / kTokens, at::kDouble)),
            1e-12);
}

TEST_F(Baselines, TopKHasTheGradientsOfDifferences) {
  expect_gradients("topk", {{"k", 2}});
}

TEST_F(Baselines, LocalnessIsTheSoftmaxOfScoresWithAGaussian) {
  for (const std::string window : {"fixed", "query", "layer"}) {
    auto attention = make_perturbed("localness", {{"window", window}, {"size", 3.0}});
    for (const Seen& seen : all_situations()) {
      const at::Tensor query = projected(*attention, "query", seen.input),
                       key = projected(*attention, "key", seen.keys());
      const at::Tensor hidden = projected(*attention, "position", query).tanh();
      const at::Tensor centres = projected(*attention, "centre", hidden).sigmoid();
      const auto scores = [&](int64_t b, int64_t head, int64_t i, const auto& places) {
        const auto count = static_cast<double>(places.size());
        const double centre = (count - 1) * centres[b][i][head].template item<double>();
        double width = 3.0;
        if (window != "fixed") {
          const at::Tensor mean = rows_at(key[b], places).mean(0).view({1, 1, kWidth});
          const at::Tensor from = window == "query"
                                      ? hidden[b][i].view({1, 1, kWidth})
                                      : projected(*attention, "mean_key", mean).tanh();
          width = count * projected(*attention, "window", from)
                              .sigmoid()[0][0][head]
                              .template item<double>() +
                  0.1;
        }
        at::Tensor all =
            at::mv(rows_at(head_of(key, head)[b], places), head_of(query, head)[b][i]) * kScale;
        for (int64_t n = 0; n < all.size(0); ++n) {
          const double deviation = width / 2, apart = static_cast<double>(n) - centre;
          all[n] -= apart * apart / (2 * deviation * deviation);
        }
        return all;
      };
      // A key's number among the keys that i sees is its position among all kept keys.
      EXPECT_LT(worst_difference(map_of(*attention, seen), map_by_hand(seen, scores)), 1e-12)
          << window << (seen.causal ? ", causal" : "");
    }
  }
}

TEST_F(Baselines, LocalnessHasTheGradientsOfDifferences) {
  for (const char* window : {"fixed", "query", "layer"})
    expect_gradients("localness", {{"window", window}});
}

at::Tensor layer_norm_by_hand(Attention& attention, const std::string& name,
                              const at::Tensor& input) {
  const auto parameters = attention.named_parameters();
  const at::Tensor centred = input - input.mean(-1, /*keepdim=*/true);
  const at::Tensor variance = centred.square().mean(-1, /*keepdim=*/true);
  return centred / (variance + 1e-5).sqrt() * parameters[name + "_norm.weight"] +
         parameters[name + "_norm.bias"];
}

struct HopfieldCase {
  int64_t steps;
  double tolerance, beta;
};

/// A query after its updates, and how far each update after the first moved its weights.
struct Settled {
  at::Tensor state;
  std::vector<double> moves = {};
};

Settled settled(const at::Tensor& keys, const at::Tensor& query, const HopfieldCase& one) {
  Settled found{query};
  at::Tensor last;
  for (int64_t step = 0; step < one.steps; ++step) {
    const at::Tensor weights = (at::mv(keys, found.state) * one.beta).softmax(0);
    if (last.defined()) {
      found.moves.push_back((weights - last).norm().item<double>());
      if (found.moves.back() <= one.tolerance) break;
    }
    found.state = at::mv(keys.t(), weights);
    last = weights;
  }
  return found;
}

struct Retrieved {
  at::Tensor map;                // float64 [B,H,T,T]
  std::vector<Settled> queries;  // those that see a key
};

Retrieved retrieved(Attention& attention, const Seen& seen, const HopfieldCase& one) {
  const at::Tensor query = projected(attention, "query",
                                     layer_norm_by_hand(attention, "query", seen.input)),
                   key = projected(attention, "key",
                                   layer_norm_by_hand(attention, "key", seen.keys()));
  Retrieved found;
  found.map = map_by_hand(seen, [&](int64_t b, int64_t head, int64_t i, const auto& places) {
    const at::Tensor keys = rows_at(head_of(key, head)[b], places);
    found.queries.push_back(settled(keys, head_of(query, head)[b][i], one));
    return at::mv(keys, found.queries.back().state) * one.beta;
  });
  return found;
}

at::Tensor hopfield_output(Attention& attention, const Seen& seen, const at::Tensor& map_BHTT) {
  const at::Tensor value_BTD = projected(attention, "value",
                                         layer_norm_by_hand(attention, "value", seen.keys())),
                   value_BHTE = value_BTD.unflatten(2, {kHeads, kEach}).transpose(1, 2);
  return projected(attention, "output",
                   at::matmul(map_BHTT, value_BHTE).transpose(1, 2).flatten(2));
}

TEST_F(Baselines, HaveTheGradientsOfDifferencesAcrossTwoSequences) {
  for (const auto& [name, options] : {std::pair<std::string, Json>{"topk", {{"k", 2}}},
                                      {"localness", {{"window", "query"}}},
                                      {"localness", {{"window", "layer"}}},
                                      {"hopfield", {{"steps", 2}, {"tolerance", 0}}}}) {
    SCOPED_TRACE(name);
    auto attention = make_perturbed(name, options, AttentionPlace::decoder_cross);
    for (const Seen& seen : situations_across()) expect_gradients(*attention, seen);
  }
}

TEST_F(Baselines, HopfieldMovesEachQueryUntilItConverges) {
  // With so large a beta some queries stop moving before their third update.
  for (const HopfieldCase& one :
       {HopfieldCase{0, 1e-4, kScale}, HopfieldCase{3, 0, kScale}, HopfieldCase{3, 0.05, 2.0}}) {
    Json options = {{"steps", one.steps}, {"tolerance", one.tolerance}};
    if (one.beta != kScale) options["beta"] = one.beta;
    auto attention = make_perturbed("hopfield", options);
    int64_t stopped_early = 0, stopped_late = 0, moving = 0;
    for (const Seen& seen : all_situations()) {
      const Retrieved expected = retrieved(*attention, seen, one);
      EXPECT_LT(worst_difference(map_of(*attention, seen), expected.map), 1e-12) << one.steps;
      const at::Tensor output = attention->forward(seen.call(seen.input));
      EXPECT_LT(worst_difference(output, hopfield_output(*attention, seen, expected.map)), 1e-12)
          << one.steps;
      for (const Settled& query : expected.queries) {
        if (query.moves.empty() || query.moves.front() < 1e-9) continue;  // it sees one key alone
        if (query.moves.back() > one.tolerance)
          ++moving;
        else if (query.moves.size() == 1)
          ++stopped_early;
        else
          ++stopped_late;
      }
    }
    if (one.tolerance != 0.05) continue;
    EXPECT_GT(stopped_early, 0);
    EXPECT_GT(stopped_late, 0);
    EXPECT_GT(moving, 0);
  }
}

TEST_F(Baselines, HopfieldWithoutStepsAndNormsIsDense) {
  at::manual_seed(3);
  auto hopfield = make_perturbed("hopfield", {{"normalize", false}});
  at::manual_seed(3);
  auto dense = make_perturbed("dense", Json::object());
  for (const Seen& seen : situations())
    EXPECT_LT(worst_difference(map_of(*hopfield, seen), map_of(*dense, seen)), 1e-14);
}

TEST_F(Baselines, HopfieldHasTheGradientsOfDifferences) {
  expect_gradients("hopfield", {{"steps", 2}, {"tolerance", 0}});
}

/// Returns a tolerance at which at least a quarter of the queries stop moving, and at least a
/// quarter do not. It is as far as possible from each query's movement, so that small differences
/// of the input do not change which ones stop.
double tolerance_amid(const std::vector<Settled>& queries) {
  std::vector<double> moves;
  for (const Settled& query : queries) moves.push_back(query.moves.front());
  std::ranges::sort(moves);
  const auto gap_behind = [&](size_t i) { return moves[i + 1] - moves[i]; };
  size_t widest = moves.size() / 4;
  for (size_t i = widest; i < moves.size() * 3 / 4; ++i) {
    if (gap_behind(i) > gap_behind(widest)) widest = i;
  }
  EXPECT_GT(gap_behind(widest), 1e-3);
  return (moves[widest] + moves[widest + 1]) / 2;
}

TEST_F(Baselines, HopfieldHasTheGradientsOfDifferencesWhereSomeQueriesStandStill) {
  const std::vector<Seen> all = situations();
  for (const Seen& seen : {all.front(), all.back()}) {
    at::manual_seed(23);
    auto moving = make_perturbed("hopfield", {{"steps", 2}, {"tolerance", 0}});
    const double tolerance = tolerance_amid(retrieved(*moving, seen, {2, 0, kScale}).queries);
    at::manual_seed(23);
    auto attention = make_perturbed("hopfield", {{"steps", 2}, {"tolerance", tolerance}});
    EXPECT_GT(worst_difference(map_of(*attention, seen), map_of(*moving, seen)), 1e-6);
    expect_gradients(*attention, seen);
  }
}

/// Each update reads all keys, also those of earlier calls.
TEST_F(Baselines, HopfieldDecodesWithStepsWhatItReadsAtOnce) {
  for (const double tolerance : {0.0, 0.05}) {
    auto attention =
        make_perturbed("hopfield", {{"steps", 3}, {"tolerance", tolerance}, {"beta", 2.0}});
    const at::Tensor input = at::randn({2, 9, kWidth}, at::kDouble);
    const at::Tensor whole =
        attention->forward({.query_input = input, .key_input = input, .causal = true});
    const auto state = attention->new_state(StateUse::decoding);
    ASSERT_NE(state, nullptr);
    int64_t first = 0;
    for (const int64_t tokens : {1, 1, 3, 1, 3}) {
      const at::Tensor next = go_on(*attention, input.narrow(1, first, tokens), *state);
      EXPECT_LT(worst_difference(next, whole.narrow(1, first, tokens)), 1e-12) << first;
      first += tokens;
    }
  }
}

/// Returns one head's sinusoids of a distance, after W_r.
at::Tensor distance_row(Attention& attention, int64_t head, int64_t distance) {
  at::Tensor row = at::empty({kWidth}, at::kDouble);
  for (int64_t c = 0; c < kWidth / 2; ++c) {
    const double angle =
        static_cast<double>(distance) / std::pow(10000.0, 2.0 * static_cast<double>(c) / kWidth);
    row[c] = std::sin(angle);
    row[kWidth / 2 + c] = std::cos(angle);
  }
  return at::mv(attention.named_parameters()["position.weight"], row)
      .narrow(0, head * kEach, kEach);
}

TEST_F(Baselines, TransformerXlAddsWhatDistancesScore) {
  auto attention = make_perturbed("transformer_xl", Json::object());
  const auto parameters = attention->named_parameters();
  for (const Seen& seen : situations()) {
    const at::Tensor query = projected(*attention, "query", seen.input),
                     key = projected(*attention, "key", seen.input);
    const auto scores = [&](int64_t b, int64_t head, int64_t i, const auto& places) {
      const at::Tensor of_query = head_of(query, head)[b][i];
      at::Tensor all = at::empty({static_cast<int64_t>(places.size())}, at::kDouble);
      for (size_t n = 0; n < places.size(); ++n) {
        const at::Tensor of_key = head_of(key, head)[b][places[n]];
        all[static_cast<int64_t>(n)] =
            kScale * (at::dot(of_query + parameters["content_bias"][head], of_key) +
                      at::dot(of_query + parameters["position_bias"][head],
                              distance_row(*attention, head, i - places[n])));
      }
      return all;
    };
    EXPECT_LT(worst_difference(map_of(*attention, seen), map_by_hand(seen, scores)), 1e-12);
  }
}

TEST_F(Baselines, TransformerXlSeesInSegmentsWhatItSeesAtOnce) {
  auto attention = make_perturbed("transformer_xl", {{"memory", 20}});
  const at::Tensor input = at::randn({2, 11, kWidth}, at::kDouble);
  const at::Tensor whole =
      attention->forward({.query_input = input, .key_input = input, .causal = true});
  const auto state = attention->new_state(StateUse::segments);
  int64_t first = 0;
  for (const int64_t tokens : {4, 1, 6}) {
    const at::Tensor segment = input.narrow(1, first, tokens);
    const at::Tensor seen = go_on(*attention, segment, *state);
    EXPECT_LT(worst_difference(seen, whole.narrow(1, first, tokens)), 1e-12) << first;
    first += tokens;
  }
}

TEST_F(Baselines, TransformerXlForgetsWhatIsBeyondItsMemory) {
  auto attention = make_perturbed("transformer_xl", {{"memory", 3}});
  const at::Tensor input = at::randn({1, 9, kWidth}, at::kDouble), end = input.narrow(1, 6, 3);
  const auto after = [&](const at::Tensor& before) {
    const auto state = attention->new_state(StateUse::segments);
    go_on(*attention, before, *state);
    return go_on(*attention, end, *state);
  };
  EXPECT_TRUE(at::equal(after(input.narrow(1, 0, 6)), after(input.narrow(1, 3, 3))));
  EXPECT_GT(worst_difference(after(input.narrow(1, 0, 6)), after(input.narrow(1, 4, 2))), 1e-6);
}

TEST_F(Baselines, TransformerXlsMemoryFollowsItsRowsAndHasNoGradient) {
  auto attention = make_perturbed("transformer_xl", Json::object());
  const at::Tensor before = at::randn({2, 3, kWidth}, at::kDouble).requires_grad_(),
                   now = at::randn({2, 2, kWidth}, at::kDouble);
  const auto state = attention->new_state(StateUse::segments);
  go_on(*attention, before, *state);
  state->reorder(at::tensor({1, 0}, at::kLong));
  const at::Tensor turned = go_on(*attention, now, *state);
  turned.sum().backward();
  EXPECT_FALSE(before.grad().defined());
  const at::Tensor both = at::cat({before.flip(0), now}, 1);
  const at::Tensor whole =
      attention->forward({.query_input = both, .key_input = both, .causal = true});
  EXPECT_LT(worst_difference(turned, whole.narrow(1, 3, 2)), 1e-12);
}

TEST_F(Baselines, TransformerXlHasTheGradientsOfDifferences) {
  expect_gradients("transformer_xl", Json::object());
}

}  // namespace
}  // namespace rethink
