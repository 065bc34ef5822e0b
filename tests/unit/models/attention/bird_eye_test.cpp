// BET(SF) compared with its paper's equations 6 to 10 in float64, one query after another.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/json.h"
#include "tests/support/throws_code.h"
#include "tests/unit/models/attention/by_differences.h"

namespace rethink {
namespace {

using namespace by_hand;
using testing::HasSubstr;
using testing::ThrowsMessage;

/// Options of the paper, of its ablation, and of the released code for translation and for language
/// models.
const std::vector<Json> kOptions = {Json::object(),
                                    {{"diagonal_mask", false}},
                                    {{"second_output", true},
                                     {"hidden_after_output", true},
                                     {"rescale_bias", true},
                                     {"rescale_by", "key"}},
                                    {{"second_output", true},
                                     {"hidden_after_output", true},
                                     {"rescale_bias", true},
                                     {"rescale_by", "query"}}};

/// Returns the product of maps and values: float64 [B,H,T,T], [B,T,D] -> [B,T,D].
at::Tensor gathered(const at::Tensor& map, const at::Tensor& value) {
  at::Tensor all = at::zeros_like(value);
  for (int64_t head = 0; head < kHeads; ++head)
    head_of(all, head).copy_(at::matmul(map.select(1, head), head_of(value, head)));
  return all;
}

struct BirdEyeResult {
  at::Tensor map, output;
};

BirdEyeResult bird_eye_by_hand(Attention& attention, const Seen& seen, const Json& options) {
  const at::NoGradGuard no_gradient;
  const at::Tensor query = projected(attention, "query", seen.input),
                   key = projected(attention, "key", seen.input),
                   value = projected(attention, "value", seen.input);
  // Equation 6 gives H.
  const auto first_scores = [&](int64_t b, int64_t head, int64_t t, const auto& places) {
    return at::mv(rows_at(head_of(key, head)[b], places), head_of(query, head)[b][t]) * kScale;
  };
  at::Tensor hidden = gathered(map_by_hand(seen, first_scores), value);
  if (options.value("hidden_after_output", false)) hidden = projected(attention, "output", hidden);
  // Equation 7 gives R of a token from its H and K.
  const at::Tensor& beside = options.value("rescale_by", "key") == "query" ? query : key;
  const auto weights = attention.named_parameters();
  const at::Tensor of_hidden = weights["rescale.weight"][0].narrow(0, 0, kEach),
                   of_beside = weights["rescale.weight"][0].narrow(0, kEach, kEach);
  const auto rescale = [&](int64_t b, int64_t head, int64_t s) {
    double sum = at::dot(of_hidden, head_of(hidden, head)[b][s]).template item<double>() +
                 at::dot(of_beside, head_of(beside, head)[b][s]).template item<double>();
    if (options.value("rescale_bias", false)) sum += weights["rescale.bias"].item<double>();
    return 1.0 / (1.0 + std::exp(-sum));
  };
  // In equations 8 to 10 each key's scores are multiplied by its R, and no token sees itself.
  const auto second_scores = [&](int64_t b, int64_t head, int64_t t, const auto& places) {
    at::Tensor scores = first_scores(b, head, t, places);
    for (size_t n = 0; n < places.size(); ++n) {
      const auto place = static_cast<int64_t>(n);
      scores[place] *= rescale(b, head, places[n]);
      if (places[n] == t && places.size() > 1 && options.value("diagonal_mask", true))
        scores[place] = -std::numeric_limits<double>::infinity();
    }
    return scores;
  };
  const at::Tensor map = map_by_hand(seen, second_scores);
  const char* last = options.value("second_output", false) ? "output2" : "output";
  return {map, projected(attention, last, gathered(map, value))};
}

class BirdEye : public testing::Test {
 protected:
  void SetUp() override { at::manual_seed(23); }
};

TEST_F(BirdEye, IsThePapersEquations) {
  for (const Json& options : kOptions) {
    auto attention = make_perturbed("bird_eye", options);
    for (const Seen& seen : situations()) {
      const BirdEyeResult expected = bird_eye_by_hand(*attention, seen, options);
      const at::Tensor output = attention->forward({.query_input = seen.input,
                                                    .key_input = seen.input,
                                                    .key_keep = seen.keep,
                                                    .causal = seen.causal});
      SCOPED_TRACE(options.dump() + (seen.causal ? ", causal" : ""));
      EXPECT_LT(worst_difference(output, expected.output), 1e-12);
      EXPECT_LT(worst_difference(map_of(*attention, seen), expected.map), 1e-12);
    }
  }
}

TEST_F(BirdEye, HasTheGradientsOfDifferences) {
  for (const Json& options : kOptions) {
    SCOPED_TRACE(options.dump());
    expect_gradients("bird_eye", options);
  }
}

TEST_F(BirdEye, AddsToDenseOnlyTheVectorW) {
  const auto count = [](const std::string& name, const Json& options) {
    int64_t elements = 0;
    for (const auto& parameter : make_perturbed(name, options)->parameters())
      elements += parameter.numel();
    return elements;
  };
  const int64_t dense = count("dense", Json::object());
  EXPECT_EQ(count("bird_eye", Json::object()) - dense, 2 * kEach) << "one w for all heads";
  EXPECT_EQ(count("bird_eye", {{"second_output", true}, {"rescale_bias", true}}) - dense,
            2 * kEach + 1 + kWidth * kWidth + kWidth);
}

TEST_F(BirdEye, SaysWhatIsWrong) {
  EXPECT_THAT(
      [] {
        attentions().make("bird_eye", Json::object(),
                          AttentionSite{.d_model = 8, .place = AttentionPlace::decoder_cross});
      },
      ThrowsCode("wrong-attention"));
  auto attention = make_perturbed("bird_eye", Json::object());
  const at::Tensor keys = at::randn({2, 6, kWidth}, at::kDouble), queries = keys.narrow(1, 5, 1);
  EXPECT_THAT(
      [&] {
        attention->forward(
            {.query_input = queries, .key_input = keys, .causal = true, .query_offset = 5});
      },
      ThrowsMessage<c10::Error>(HasSubstr("bird_eye needs every token as a query: got 1 queries")));
}

}  // namespace
}  // namespace rethink
