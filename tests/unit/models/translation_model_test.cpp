#include "models/translation_model.h"

#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "core/json.h"
#include "models/tensors/random.h"
#include "tests/support/error_ratio.h"

namespace rethink {
namespace {

constexpr int64_t kTranslationVocabulary = 20, kTranslationWidth = 8;

TranslationModelOptions small_translation() {
  TranslationModelOptions options;
  options.encoder_layers = 2;
  options.layers = 1;
  options.d_model = kTranslationWidth;
  options.heads = 2;
  options.ffn = 12;
  return options;
}

at::Tensor random_ids(int64_t rows, int64_t tokens) {
  return at::randint(4, kTranslationVocabulary, {rows, tokens}, at::kLong);
}

at::Tensor all_kept(const at::Tensor& source) {
  return at::ones_like(source, at::kBool);
}

struct Float64TranslationModel : TranslationModel {
  explicit Float64TranslationModel(const TranslationModelOptions& options)
      : TranslationModel(options, kTranslationVocabulary, 3) {
    to(at::kDouble);
    eval();
  }
  at::Tensor result(const at::Tensor& source, const at::Tensor& target) {
    return decoded(target, encoded(source, all_kept(source), {}), {});
  }
};

/// Reads each row's tokens and its sentence from the start for every token.
class WithoutState : public NextTokens {
 public:
  WithoutState(Float64TranslationModel& model, const EncodedSource& source)
      : model_(model), source_(source) {}

  at::Device device() const override { return at::kCPU; }

  at::Tensor next(const at::Tensor& parents, const at::Tensor& tokens, bool) override {
    std::vector<std::vector<int64_t>> read;
    std::vector<int64_t> sentences;
    std::vector<at::Tensor> results;
    for (int64_t row = 0; row < parents.size(0); ++row) {
      const auto parent = parents[row].item<int64_t>();
      const auto before = static_cast<size_t>(parent);
      read.push_back(read_.empty() ? std::vector<int64_t>() : read_[before]);
      read.back().push_back(tokens[row].item<int64_t>());
      sentences.push_back(read_.empty() ? parent : sentences_[before]);
      const EncodedSource own{source_.states.narrow(0, sentences.back(), 1),
                              source_.keep.narrow(0, sentences.back(), 1)};
      const at::Tensor hidden =
          model_.decoded(at::tensor(read.back(), at::kLong).unsqueeze(0), own, {});
      results.push_back(model_.logits(hidden.select(1, -1)).log_softmax(-1));
    }
    read_ = read;
    sentences_ = sentences;
    return at::cat(results);
  }

 private:
  Float64TranslationModel& model_;
  const EncodedSource source_;
  std::vector<std::vector<int64_t>> read_;
  std::vector<int64_t> sentences_;
};

class Translation : public testing::Test {
 protected:
  void SetUp() override { at::manual_seed(4); }
};

/// The model of Vaswani et al., 2017, sections 3.1 to 3.5, sub-layer after sub-layer.
class TransformerByHand {
 public:
  explicit TransformerByHand(Float64TranslationModel& model)
      : parameters_(model.named_parameters()) {}

  at::Tensor embedded(const at::Tensor& ids_BT) const {
    at::Tensor table = at::empty({ids_BT.size(1), kTranslationWidth}, at::kDouble);
    for (int64_t t = 0; t < ids_BT.size(1); ++t) {
      for (int64_t c = 0; c < kTranslationWidth; ++c) {
        const double angle =
            static_cast<double>(t) / std::pow(10000.0, double(c - c % 2) / kTranslationWidth);
        table[t][c] = c % 2 == 0 ? std::sin(angle) : std::cos(angle);
      }
    }
    return at::embedding(parameters_["embedding.weight"], ids_BT) *
               std::sqrt(double(kTranslationWidth)) +
           table;
  }

  at::Tensor attended(const std::string& name, const at::Tensor& x, const at::Tensor& memory,
                      bool causal) const {
    const auto heads = [&](const std::string& part, const at::Tensor& input) {
      return affine(name + "." + part, input).unflatten(2, {2, -1}).transpose(1, 2);
    };
    at::Tensor scores = at::matmul(heads("query", x), heads("key", memory).transpose(2, 3)) /
                        std::sqrt(double(kTranslationWidth) / 2);
    if (causal) {
      const at::Tensor later = at::ones({x.size(1), x.size(1)}, at::kBool).triu(1);
      scores = scores.masked_fill(later, -std::numeric_limits<double>::infinity());
    }
    const at::Tensor joined =
        at::matmul(scores.softmax(-1), heads("value", memory)).transpose(1, 2).flatten(2);
    return affine(name + ".output", joined);
  }

  at::Tensor norm(const std::string& name, const at::Tensor& x) const {
    return at::layer_norm(x, {kTranslationWidth}, parameters_[name + ".weight"],
                          parameters_[name + ".bias"]);
  }

  at::Tensor fed(const std::string& layer, const at::Tensor& x) const {
    const at::Tensor inner = affine(layer + ".ffn_in", x).relu();
    return norm(layer + ".ffn_norm", x + affine(layer + ".ffn_out", inner));
  }

  at::Tensor result(const at::Tensor& source, const at::Tensor& target) const {
    at::Tensor memory = embedded(source);
    for (const char* number : {"1", "2"}) {
      const std::string layer = std::string("encoder.layers.") + number;
      memory = norm(layer + ".attention_norm",
                    memory + attended(layer + ".attention", memory, memory, false));
      memory = fed(layer, memory);
    }
    at::Tensor x = embedded(target);
    const std::string layer = "decoder.layers.1";
    x = norm(layer + ".attention_norm", x + attended(layer + ".attention", x, x, true));
    x = norm(layer + ".cross_norm", x + attended(layer + ".cross", x, memory, false));
    return fed(layer, x);
  }

 private:
  at::Tensor affine(const std::string& name, const at::Tensor& x) const {
    return at::linear(x, parameters_[name + ".weight"], parameters_[name + ".bias"]);
  }

  torch::OrderedDict<std::string, at::Tensor> parameters_;
};

TEST_F(Translation, IsTheTransformerOfItsPaper) {
  Float64TranslationModel model(small_translation());
  const at::Tensor source = random_ids(2, 5), target = random_ids(2, 4);
  EXPECT_LT(worst_difference(model.result(source, target),
                             TransformerByHand(model).result(source, target)),
            1e-12);
}

TEST_F(Translation, IgnoresPaddingOnBothSides) {
  Float64TranslationModel model(small_translation());
  const at::Tensor source = random_ids(2, 5), target = random_ids(2, 4);
  const at::Tensor alone = model.result(source, target);
  const at::Tensor longer = at::cat({source, random_ids(2, 3)}, 1),
                   further = at::cat({target, random_ids(2, 2)}, 1);
  const at::Tensor keep = at::arange(8).lt(5).expand({2, 8});
  const at::Tensor padded = model.decoded(further, model.encoded(longer, keep, {}), {});
  EXPECT_LT(worst_difference(padded.narrow(1, 0, 4), alone), 1e-12);
}

TEST_F(Translation, LooksAtNoLaterTokenOfTheTargetAndAtAllOfTheSource) {
  Float64TranslationModel model(small_translation());
  const at::Tensor source = random_ids(1, 5), target = random_ids(1, 6);
  const at::Tensor before = model.result(source, target);
  at::Tensor changed = target.clone();
  changed[0][4] = (changed[0][4] + 1) % kTranslationVocabulary;
  const at::Tensor after = model.result(source, changed);
  EXPECT_LT(worst_difference(after.narrow(1, 0, 4), before.narrow(1, 0, 4)), 1e-14);
  EXPECT_GT(worst_difference(after.narrow(1, 4, 2), before.narrow(1, 4, 2)), 1e-6);
  at::Tensor other = source.clone();
  other[0][4] = (other[0][4] + 1) % kTranslationVocabulary;
  EXPECT_GT(worst_difference(model.result(other, target).narrow(1, 0, 1), before.narrow(1, 0, 1)),
            1e-6);
}

TEST_F(Translation, SharesTheRequestedEmbeddings) {
  const auto tables = [](const std::string& shared) {
    TranslationModelOptions options = small_translation();
    options.shared_embeddings = shared;
    Float64TranslationModel model(options);
    int64_t count = 0;
    for (const at::Tensor& parameter : model.parameters())
      count += parameter.dim() == 2 && parameter.size(0) == kTranslationVocabulary ? 1 : 0;
    return count;
  };
  EXPECT_EQ(tables("all"), 1);
  EXPECT_EQ(tables("target"), 2);
  EXPECT_EQ(tables("none"), 3);
}

TEST_F(Translation, PutsEachVariantInItsLayer) {
  TranslationModelOptions options = small_translation();
  options.attention = {"bird_eye", Json::object(), {}};
  options.encoder_attention = {"topk", {{"k", 2}}, {}};
  Float64TranslationModel model(options);
  std::vector<std::string> rescaled;
  for (const auto& item : model.named_parameters()) {
    if (item.key().find("rescale") != std::string::npos) rescaled.push_back(item.key());
  }
  EXPECT_THAT(rescaled, testing::ElementsAre("decoder.layers.1.attention.rescale.weight"));
  EXPECT_EQ(model.result(random_ids(2, 5), random_ids(2, 3)).sizes(),
            at::IntArrayRef({2, 3, kTranslationWidth}));
}

/// Returns log-probabilities after each of `steps` calls: 2 sentences, then 3 beams of each, then those
/// of the second alone.
std::vector<at::Tensor> decoded_by(NextTokens& decoder, int64_t steps) {
  std::vector<at::Tensor> all = {
      decoder.next(at::tensor({0, 1}, at::kLong), random_ids(2, 1).flatten(), false)};
  const auto three_of = [](int64_t first, int64_t count) {
    return at::randint(first, first + count, {3}, at::kLong);
  };
  for (int64_t step = 1; step < steps; ++step) {
    const int64_t rows = all.back().size(0), each = rows == 3 ? 3 : rows / 2;
    const at::Tensor parents = step < steps / 2 ? at::cat({three_of(0, each), three_of(each, each)})
                                                : three_of(rows - each, each);
    const bool sources_move = step == 1 || step == steps / 2;
    all.push_back(decoder.next(parents, random_ids(parents.size(0), 1).flatten(), sources_move));
  }
  return all;
}

void expect_decoded_as_if_read_again(Float64TranslationModel& model, const EncodedSource& encoded,
                                     int64_t steps) {
  const auto decoder = make_translation_decoder(model, encoded, {});
  at::manual_seed(6);
  const std::vector<at::Tensor> found = decoded_by(*decoder, steps);
  WithoutState slow(model, encoded);
  at::manual_seed(6);
  const std::vector<at::Tensor> expected = decoded_by(slow, steps);
  for (size_t step = 0; step < found.size(); ++step)
    EXPECT_LT(worst_difference(found[step], expected[step]), 1e-6) << step;
}

TEST_F(Translation, DecodesTheSameWithAndWithoutAState) {
  TranslationModelOptions options = small_translation();
  options.layers = 2;
  options.attention = {"bird_eye", Json::object(), {}};
  Float64TranslationModel model(options);
  const at::Tensor source = random_ids(2, 5), keep = at::arange(5).lt(3).repeat({2, 1});
  keep[1].fill_(true);
  const EncodedSource encoded = model.encoded(source, keep, {});
  EXPECT_NE(model.new_state(), nullptr);
  expect_decoded_as_if_read_again(model, encoded, 8);
}

TEST_F(Translation, ReadsSentencesAgainWhereALayerKeepsNoState) {
  TranslationModelOptions options = small_translation();
  options.attention = {"masked", {{"mask", {{"kind", "strided"}}}}, {}};
  Float64TranslationModel model(options);
  EXPECT_EQ(model.new_state(), nullptr);
  const EncodedSource encoded = model.encoded(random_ids(2, 5), at::ones({2, 5}, at::kBool), {});
  expect_decoded_as_if_read_again(model, encoded, 6);
}

TEST_F(Translation, DropsByThePassAlone) {
  TranslationModelOptions options = small_translation();
  options.dropout = 0.5;
  Float64TranslationModel model(options);
  model.train();
  const at::Tensor source = random_ids(2, 5), target = random_ids(2, 4), keep = all_kept(source);
  const auto result = [&](int64_t pass) {
    const PhiloxKey key = pass_key(1, RandomPurpose::training, pass);
    return model.decoded(target, model.encoded(source, keep, key), key);
  };
  EXPECT_TRUE(at::equal(result(1), result(1)));
  EXPECT_GT(worst_difference(result(1), result(2)), 1e-3);
}

}  // namespace
}  // namespace rethink
