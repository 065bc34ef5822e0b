// A language model with the attention of Transformer-XL reads a stream segment by segment.
#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <cmath>

#include "models/decoder.h"
#include "tests/support/error_ratio.h"

namespace rethink {
namespace {

constexpr int64_t kVocabulary = 13, kWidth = 8, kHeads = 2, kEach = kWidth / kHeads, kLayers = 2,
                  kMemory = 5, kTokens = 4;

struct Model : DecoderLanguageModel {
  explicit Model(const Json& attention = {{"memory", kMemory}})
      : DecoderLanguageModel(options(attention), kVocabulary, /*seed=*/3) {
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
    all.d_model = kWidth;
    all.heads = kHeads;
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
  return at::randint(kVocabulary, {rows, tokens}, at::kLong);
}

/// The same by the formulas, of all that stands before a segment: what a layer saw of it beyond its
/// memory is cut off, and where the segment begins the gradient ends.
class ByHand {
 public:
  explicit ByHand(const Model& model) : parameters_(model.named_parameters()) {}

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
    return at::layer_norm(x, {kWidth}, parameters_[name + ".weight"], parameters_[name + ".bias"]);
  }

  /// W_r R[distance], one head after the other.
  at::Tensor of_distance(const std::string& name, int64_t distance) const {
    at::Tensor row = at::empty({kWidth}, at::kDouble);
    for (int64_t c = 0; c < kWidth / 2; ++c) {
      const double angle = double(distance) / std::pow(10000.0, 2.0 * double(c) / kWidth);
      row[c] = std::sin(angle);
      row[kWidth / 2 + c] = std::cos(angle);
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
      for (int64_t h = 0; h < kHeads; ++h) {
        const at::Tensor q = query.select(1, i).narrow(1, h * kEach, kEach),
                         u = parameters_[name + ".content_bias"][h],
                         v = parameters_[name + ".position_bias"][h];
        std::vector<at::Tensor> scores;
        for (int64_t j = 0; j <= before + i; ++j) {
          const at::Tensor k = key.select(1, j).narrow(1, h * kEach, kEach),
                           r = of_distance(name, before + i - j).narrow(0, h * kEach, kEach);
          scores.push_back((((q + u) * k).sum(1) + ((q + v) * r).sum(1)) /
                           std::sqrt(double(kEach)));
        }
        const at::Tensor weights = at::stack(scores, 1).softmax(1).unsqueeze(2);
        heads.push_back(
            (weights * value.narrow(1, 0, before + i + 1).narrow(2, h * kEach, kEach)).sum(1));
      }
      rows.push_back(at::cat(heads, 1));
    }
    return affine(name + ".output", at::stack(rows, 1));
  }

  const torch::OrderedDict<std::string, at::Tensor> parameters_;
  at::Tensor seen_[kLayers];  // float [B,N,D], all inputs of each layer so far
};

std::map<std::string, at::Tensor> gradients_of(Model& model, const at::Tensor& loss) {
  model.zero_grad();
  loss.backward();
  std::map<std::string, at::Tensor> gradients;
  for (const auto& item : model.named_parameters())
    gradients[item.key()] =
        item.value().grad().defined() ? item.value().grad().clone() : at::Tensor();
  return gradients;
}

TEST(SegmentMemory, HasTheLossAndTheGradientOfItsContextCutToTheMemory) {
  Model model;
  ByHand by_hand(model);
  const at::Tensor ids = stream(2, 3 * kTokens + 1);
  const auto memory = model.new_memory();
  for (int64_t first = 0; first < 3 * kTokens; first += kTokens) {
    const at::Tensor targets = ids.narrow(1, first + 1, kTokens).flatten();
    const auto loss_of = [&](const at::Tensor& hidden) {
      return model.token_losses(hidden.flatten(0, 1), targets).sum();
    };
    const at::Tensor ours = loss_of(model.read(ids.narrow(1, first, kTokens), memory.get())),
                     theirs = loss_of(by_hand.segment(ids, first, kTokens));
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
  Model model;
  const at::NoGradGuard no_gradient;
  const at::Tensor ids = stream(3, 3 * kTokens);
  const auto in_segments = [&](const at::Tensor& rows) {
    const auto memory = model.new_memory();
    std::vector<at::Tensor> all;
    for (int64_t first = 0; first < 3 * kTokens; first += kTokens)
      all.push_back(model.read(rows.narrow(1, first, kTokens), memory.get()));
    return at::cat(all, 1);
  };
  const at::Tensor together = in_segments(ids);
  for (int64_t row = 0; row < 3; ++row) {
    const at::Tensor alone = in_segments(ids.narrow(0, row, 1));
    EXPECT_LT(worst_difference(alone, together.narrow(0, row, 1)), 1e-12);
  }
}

TEST(SegmentMemory, HasALengthOfItsOwnInEvaluations) {
  const at::Tensor ids = stream(1, 3 * kTokens), last = ids.narrow(1, 2 * kTokens, kTokens);
  const auto of = [&](const Json& attention, bool evaluates) {
    const at::AutoGradMode gradient(!evaluates);
    Model model(attention);
    const auto memory = model.new_memory();
    for (int64_t first = 0; first < 2 * kTokens; first += kTokens)
      model.read(ids.narrow(1, first, kTokens), memory.get());
    EXPECT_EQ(memory->layers[0].tokens(),
              attention.value(evaluates ? "memory_at_evaluation" : "memory", 0));
    return model.read(last, memory.get()).detach();
  };
  const Json apart = {{"memory", 2}, {"memory_at_evaluation", 7}};
  EXPECT_TRUE(at::equal(of(apart, false), of({{"memory", 2}}, false)));
  EXPECT_TRUE(at::equal(of(apart, true), of({{"memory", 7}, {"memory_at_evaluation", 7}}, true)));
  EXPECT_GT(worst_difference(of(apart, true), of(apart, false)), 1e-6);
  const Json never = {{"memory", 0}}, then_alone = {{"memory", 0}, {"memory_at_evaluation", 3}};
  EXPECT_EQ(Model(never).new_memory(), nullptr);
  EXPECT_NE(Model(then_alone).new_memory(), nullptr);
}

TEST(SegmentMemory, IsOfTheLayersThatKeepOne) {
  ModelOptions options = Model::options({{"memory", kMemory}});
  options.attention = {"dense", Json::object(), {}};
  EXPECT_EQ(DecoderLanguageModel(options, kVocabulary, 3).new_memory(), nullptr);
  options.attention.common.at.push_back(
      {"transformer_xl", {{"memory", kMemory}}, {.layers = {2}, .heads = {}}});
  DecoderLanguageModel mixed(options, kVocabulary, 3);
  mixed.eval();
  const auto memory = mixed.new_memory();
  ASSERT_NE(memory, nullptr);
  const at::Tensor ids = stream(2, 2 * kTokens);
  for (const int64_t first : {int64_t{0}, kTokens})
    mixed.hidden(ids.narrow(1, first, kTokens), {}, {.state = memory.get()});
  EXPECT_EQ(memory->layers[0].tokens(), 0);
  EXPECT_EQ(memory->layers[1].tokens(), kMemory);
  const at::Tensor second = ids.narrow(1, kTokens, kTokens);
  EXPECT_FALSE(
      at::equal(mixed.hidden(second, {}, {.state = memory.get()}), mixed.hidden(second, {})));
}

}  // namespace
}  // namespace rethink
