// A language model with the attention of Transformer-XL reads a stream segment by segment.
#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <cmath>

#include "core/json.h"
#include "models/decoder.h"
#include "tests/support/error_ratio.h"

namespace rethink {
namespace {

constexpr int64_t kStreamVocabulary = 13, kXlWidth = 8, kXlHeads = 2, kXlEach = kXlWidth / kXlHeads,
                  kLayers = 2, kMemory = 5, kSegmentTokens = 4;

struct TransformerXlModel : DecoderLanguageModel {
  explicit TransformerXlModel(const Json& attention = {{"memory", kMemory}})
      : DecoderLanguageModel(options(attention), kStreamVocabulary, /*seed=*/3) {
    to(at::kDouble);
    eval();
    const at::NoGradGuard no_gradient;
    at::manual_seed(8);
    for (const auto& parameter : named_parameters())
      parameter.value().add_(0.3 * at::randn_like(parameter.value()));  // biases and norms too
  }

  static ModelOptions options(const Json& attention) {
    ModelOptions all;
    all.layers = kLayers;
    all.d_model = kXlWidth;
    all.heads = kXlHeads;
    all.ffn = 12;
    all.positions = "none";
    all.attention = {"transformer_xl", attention, {}};
    return all;
  }

  at::Tensor read(const at::Tensor& ids, DecodingState* memory) {
    return hidden(ids, {}, {.state = memory});
  }
};

at::Tensor stream(int64_t rows, int64_t tokens) {
  at::manual_seed(5);
  return at::randint(kStreamVocabulary, {rows, tokens}, at::kLong);
}

/// Computes the same model by the formulas, from all earlier tokens: a layer's inputs beyond its memory are cut off, and the gradient ends at the segment's beginning.
class SegmentsByHand {
 public:
  explicit SegmentsByHand(const TransformerXlModel& model)
      : parameters_(model.named_parameters()) {}

  /// float [B,T,D] for the segment ids [first, first + T) of the stream.
  at::Tensor segment(const at::Tensor& ids_BN, int64_t first, int64_t tokens) {
    at::Tensor x = at::embedding(parameters_["embedding.weight"], ids_BN.narrow(1, first, tokens));
    for (size_t layer = 0; layer < kLayers; ++layer) {
      const std::string name = "layers." + std::to_string(layer + 1);
      at::Tensor& seen = seen_[layer];
      const int64_t kept = seen.defined() ? std::min(kMemory, seen.size(1)) : 0;
      const at::Tensor all =
          kept > 0 ? at::cat({seen.narrow(1, seen.size(1) - kept, kept), x}, 1) : x;
      seen = seen.defined() ? at::cat({seen, x.detach()}, 1) : x.detach();
      x = norm(name + ".attention_norm", x + attended(name + ".attention", x, all));
      const at::Tensor inner = affine(name + ".ffn_in", x).relu();
      x = norm(name + ".ffn_norm", x + affine(name + ".ffn_out", inner));
    }
    return x;
  }

 private:
  at::Tensor affine(const std::string& name, const at::Tensor& x) const {
    return at::linear(x, parameters_[name + ".weight"], parameters_[name + ".bias"]);
  }
  at::Tensor norm(const std::string& name, const at::Tensor& x) const {
    return at::layer_norm(x, {kXlWidth}, parameters_[name + ".weight"],
                          parameters_[name + ".bias"]);
  }

  /// Returns W_r R[distance], one head after the other.
  at::Tensor of_distance(const std::string& name, int64_t distance) const {
    at::Tensor row = at::empty({kXlWidth}, at::kDouble);
    for (int64_t c = 0; c < kXlWidth / 2; ++c) {
      const double angle = double(distance) / std::pow(10000.0, 2.0 * double(c) / kXlWidth);
      row[c] = std::sin(angle);
      row[kXlWidth / 2 + c] = std::cos(angle);
    }
    return at::mv(parameters_[name + ".position.weight"], row);
  }

  at::Tensor attended(const std::string& name, const at::Tensor& x, const at::Tensor& all) const {
    const at::Tensor query = affine(name + ".query", x), key = affine(name + ".key", all),
                     value = affine(name + ".value", all);
    const int64_t before = all.size(1) - x.size(1);
    std::vector<at::Tensor> rows;
    for (int64_t i = 0; i < x.size(1); ++i) {
      std::vector<at::Tensor> heads;
      for (int64_t h = 0; h < kXlHeads; ++h) {
        const at::Tensor q = query.select(1, i).narrow(1, h * kXlEach, kXlEach),
                         u = parameters_[name + ".content_bias"][h],
                         v = parameters_[name + ".position_bias"][h];
        std::vector<at::Tensor> scores;
        for (int64_t j = 0; j <= before + i; ++j) {
          const at::Tensor k = key.select(1, j).narrow(1, h * kXlEach, kXlEach),
                           r = of_distance(name, before + i - j).narrow(0, h * kXlEach, kXlEach);
          scores.push_back((((q + u) * k).sum(1) + ((q + v) * r).sum(1)) /
                           std::sqrt(double(kXlEach)));
        }
        const at::Tensor weights = at::stack(scores, 1).softmax(1).unsqueeze(2);
        heads.push_back(
            (weights * value.narrow(1, 0, before + i + 1).narrow(2, h * kXlEach, kXlEach)).sum(1));
      }
      rows.push_back(at::cat(heads, 1));
    }
    return affine(name + ".output", at::stack(rows, 1));
  }

  const torch::OrderedDict<std::string, at::Tensor> parameters_;
  at::Tensor seen_[kLayers];  // float [B,N,D], all inputs of each layer so far
};

std::map<std::string, at::Tensor> gradients_of(TransformerXlModel& model, const at::Tensor& loss) {
  model.zero_grad();
  loss.backward();
  std::map<std::string, at::Tensor> gradients;
  for (const auto& item : model.named_parameters())
    gradients[item.key()] =
        item.value().grad().defined() ? item.value().grad().clone() : at::Tensor();
  return gradients;
}

TEST(SegmentMemory, HasTheLossAndTheGradientOfItsContextCutToTheMemory) {
  TransformerXlModel model;
  SegmentsByHand by_hand(model);
  const at::Tensor ids = stream(2, 3 * kSegmentTokens + 1);
  const auto memory = model.new_memory();
  for (int64_t first = 0; first < 3 * kSegmentTokens; first += kSegmentTokens) {
    const at::Tensor targets = ids.narrow(1, first + 1, kSegmentTokens).flatten();
    const auto loss_of = [&](const at::Tensor& hidden) {
      return model.token_losses(hidden.flatten(0, 1), targets).sum();
    };
    const at::Tensor ours = loss_of(model.read(ids.narrow(1, first, kSegmentTokens), memory.get())),
                     theirs = loss_of(by_hand.segment(ids, first, kSegmentTokens));
    EXPECT_NEAR(ours.item<double>(), theirs.item<double>(), 1e-10) << first;
    const auto our_gradients = gradients_of(model, ours),
               their_gradients = gradients_of(model, theirs);
    for (const auto& [name, gradient] : their_gradients) {
      ASSERT_TRUE(gradient.defined()) << name;
      EXPECT_LT(worst_difference(our_gradients.at(name), gradient), 1e-10) << name << first;
    }
  }
}

TEST(SegmentMemory, OfARowDoesNotDependOnTheOthers) {
  TransformerXlModel model;
  const at::NoGradGuard no_gradient;
  const at::Tensor ids = stream(3, 3 * kSegmentTokens);
  const auto in_segments = [&](const at::Tensor& rows) {
    const auto memory = model.new_memory();
    std::vector<at::Tensor> all;
    for (int64_t first = 0; first < 3 * kSegmentTokens; first += kSegmentTokens)
      all.push_back(model.read(rows.narrow(1, first, kSegmentTokens), memory.get()));
    return at::cat(all, 1);
  };
  const at::Tensor together = in_segments(ids);
  for (int64_t row = 0; row < 3; ++row) {
    const at::Tensor alone = in_segments(ids.narrow(0, row, 1));
    EXPECT_LT(worst_difference(alone, together.narrow(0, row, 1)), 1e-12);
  }
}

TEST(SegmentMemory, HasALengthOfItsOwnInEvaluations) {
  const at::Tensor ids = stream(1, 3 * kSegmentTokens),
                   last = ids.narrow(1, 2 * kSegmentTokens, kSegmentTokens);
  const auto of = [&](const Json& attention, bool evaluates) {
    const at::AutoGradMode gradient(!evaluates);
    TransformerXlModel model(attention);
    const auto memory = model.new_memory();
    for (int64_t first = 0; first < 2 * kSegmentTokens; first += kSegmentTokens)
      model.read(ids.narrow(1, first, kSegmentTokens), memory.get());
    EXPECT_EQ(memory->layers[0].tokens(),
              attention.value(evaluates ? "memory_at_evaluation" : "memory", 0));
    return model.read(last, memory.get()).detach();
  };
  const Json apart = {{"memory", 2}, {"memory_at_evaluation", 7}};
  EXPECT_TRUE(at::equal(of(apart, false), of({{"memory", 2}}, false)));
  EXPECT_TRUE(at::equal(of(apart, true), of({{"memory", 7}, {"memory_at_evaluation", 7}}, true)));
  EXPECT_GT(worst_difference(of(apart, true), of(apart, false)), 1e-6);
  const Json never = {{"memory", 0}}, then_alone = {{"memory", 0}, {"memory_at_evaluation", 3}};
  EXPECT_EQ(TransformerXlModel(never).new_memory(), nullptr);
  EXPECT_NE(TransformerXlModel(then_alone).new_memory(), nullptr);
}

TEST(SegmentMemory, IsOfTheLayersThatKeepOne) {
  ModelOptions options = TransformerXlModel::options({{"memory", kMemory}});
  options.attention = {.name = "dense"};
  EXPECT_EQ(DecoderLanguageModel(options, kStreamVocabulary, 3).new_memory(), nullptr);
  options.attention.common.at.push_back(
      {"transformer_xl", {{"memory", kMemory}}, {.layers = {2}, .heads = {}}});
  DecoderLanguageModel mixed(options, kStreamVocabulary, 3);
  mixed.eval();
  const auto memory = mixed.new_memory();
  ASSERT_NE(memory, nullptr);
  const at::Tensor ids = stream(2, 2 * kSegmentTokens);
  for (const int64_t first : {int64_t{0}, kSegmentTokens})
    mixed.hidden(ids.narrow(1, first, kSegmentTokens), {}, {.state = memory.get()});
  EXPECT_EQ(memory->layers[0].tokens(), 0);
  EXPECT_EQ(memory->layers[1].tokens(), kMemory);
  const at::Tensor second = ids.narrow(1, kSegmentTokens, kSegmentTokens);
  EXPECT_FALSE(
      at::equal(mixed.hidden(second, {}, {.state = memory.get()}), mixed.hidden(second, {})));
}

}  // namespace
}  // namespace rethink
