#include "models/decoder.h"

#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/config/schema.h"
#include "core/json.h"
#include "models/tensors/random.h"
#include "tests/support/throws_code.h"

namespace rethink {
namespace {

constexpr int64_t kDecoderVocabulary = 23;

ModelOptions small_decoder(const std::string& attention = "dense") {
  ModelOptions options;
  options.layers = 2;
  options.d_model = 12;
  options.heads = 2;
  options.ffn = 20;
  options.attention.name = attention;
  if (attention == "masked") options.attention.options = {{"mask", {{"kind", "star"}}}};
  return options;
}

at::Tensor tokens(int64_t rows, int64_t length) {
  return (at::arange(rows * length, at::kLong) * 7 % kDecoderVocabulary).view({rows, length});
}

int64_t parameter_count(const ModelOptions& options, int64_t vocabulary) {
  int64_t count = 0;
  for (const at::Tensor& parameter : DecoderLanguageModel(options, vocabulary, 0).parameters()) {
    count += parameter.numel();
  }
  return count;
}

class DecoderOf : public ::testing::TestWithParam<std::string> {};

TEST_P(DecoderOf, GivesOneLogitPerTokenAndWord) {
  DecoderLanguageModel model(small_decoder(GetParam()), kDecoderVocabulary, 0);
  const at::Tensor hidden = model.hidden(tokens(3, 7), {});
  EXPECT_EQ(hidden.sizes(), at::IntArrayRef({3, 7, 12}));
  EXPECT_EQ(model.logits(hidden).sizes(), at::IntArrayRef({3, 7, kDecoderVocabulary}));
}

TEST_P(DecoderOf, ChangesNothingBeforeALaterToken) {
  DecoderLanguageModel model(small_decoder(GetParam()), kDecoderVocabulary, 0);
  model.eval();
  for (int64_t changed = 1; changed < 9; ++changed) {
    at::Tensor input = tokens(2, 9), other = input.clone();
    other.select(1, changed).add_(1).remainder_(kDecoderVocabulary);
    const at::Tensor before = model.logits(model.hidden(input, {}));
    const at::Tensor after = model.logits(model.hidden(other, {}));
    EXPECT_TRUE(at::equal(before.slice(1, 0, changed), after.slice(1, 0, changed))) << changed;
    EXPECT_FALSE(at::equal(before.select(1, changed), after.select(1, changed))) << changed;
  }
}

TEST_P(DecoderOf, GivesASequenceTheSameLogitsWithPaddingAndOtherBatchMates) {
  DecoderLanguageModel model(small_decoder(GetParam()), kDecoderVocabulary, 0);
  model.eval();
  const at::Tensor alone = model.hidden(tokens(1, 5), {});
  at::Tensor batch = at::zeros({3, 8}, at::kLong);
  batch[1].slice(0, 0, 5).copy_(tokens(1, 5)[0]);
  batch[2].copy_(tokens(1, 8)[0]);
  const at::Tensor among = model.hidden(batch, {});
  EXPECT_TRUE(at::allclose(alone[0], among[1].slice(0, 0, 5), 1e-5, 1e-6));
}

/// Returns all variants except those that look at later tokens, and except the one that takes the mask of
/// another stage: a decoder gets none.
std::vector<std::string> variants() {
  std::vector<std::string> names = attentions().names();
  std::erase_if(names, [](const std::string& name) {
    return name == "given_mask" || attentions().facts(name).exceptions.contains("causal");
  });
  return names;
}

INSTANTIATE_TEST_SUITE_P(Variants, DecoderOf, ::testing::ValuesIn(variants()),
                         [](const auto& info) { return info.param; });

TEST(Decoder, HasAsManyParametersAsThePapersSizesGive) {
  // Counted by hand: V d embedding; per layer 4 (d^2 + d) attention, 2 d f + f + d feed-forward, 4
  // d norms; V d + V output.
  const auto by_hand = [](int64_t vocabulary, int64_t d, int64_t f, int64_t layers) {
    return 2 * vocabulary * d + vocabulary + layers * (4 * (d * d + d) + 2 * d * f + f + d + 4 * d);
  };
  ModelOptions options;  // BET's WikiText-2 model
  EXPECT_EQ(parameter_count(options, 28903), by_hand(28903, 300, 2048, 6));
  EXPECT_EQ(parameter_count(options, 28903), 26931991);
  options.d_model = 512;  // enwik8
  EXPECT_EQ(parameter_count(options, 205), by_hand(205, 512, 2048, 6));
}

TEST(Decoder, SharesInitialWeightsBetweenVariants) {
  DecoderLanguageModel dense(small_decoder("dense"), kDecoderVocabulary, 5),
      bird_eye(small_decoder("bird_eye"), kDecoderVocabulary, 5);
  const auto other = bird_eye.named_parameters();
  for (const auto& parameter : dense.named_parameters()) {
    ASSERT_TRUE(other.contains(parameter.key())) << parameter.key();
    EXPECT_TRUE(at::equal(parameter.value(), other[parameter.key()])) << parameter.key();
  }
  EXPECT_GT(other.size(), dense.named_parameters().size());
}

TEST(Decoder, SharesInitialWeightsOfLayersBetweenDepths) {
  ModelOptions deeper = small_decoder();
  deeper.layers = 3;
  DecoderLanguageModel two(small_decoder(), kDecoderVocabulary, 5),
      three(deeper, kDecoderVocabulary, 5);
  for (const auto& parameter : two.named_parameters()) {
    EXPECT_TRUE(at::equal(parameter.value(), three.named_parameters()[parameter.key()]))
        << parameter.key();
  }
}

TEST(Decoder, StartsFromOtherWeightsWithAnotherSeed) {
  DecoderLanguageModel one(small_decoder(), kDecoderVocabulary, 1),
      two(small_decoder(), kDecoderVocabulary, 2);
  EXPECT_FALSE(at::equal(one.named_parameters()["embedding.weight"],
                         two.named_parameters()["embedding.weight"]));
  EXPECT_FALSE(at::equal(one.named_parameters()["layers.1.attention.query.weight"],
                         two.named_parameters()["layers.1.attention.query.weight"]));
}

TEST(Decoder, SumsTheLossesOfItsTokens) {
  DecoderLanguageModel model(small_decoder(), kDecoderVocabulary, 0);
  const at::Tensor hidden = at::randn({40, 12});
  const at::Tensor targets = at::arange(40, at::kLong) % kDecoderVocabulary;
  const at::Tensor losses = model.token_losses(hidden, targets);
  const at::Tensor plain = -at::log_softmax(model.logits(hidden).to(at::kDouble), 1)
                                .gather(1, targets.unsqueeze(1))
                                .squeeze(1);
  EXPECT_TRUE(at::allclose(losses.to(at::kDouble), plain, 1e-5, 1e-6));
  EXPECT_NEAR(model.loss_sum(hidden, targets).item<double>(), plain.sum().item<double>(), 1e-3);
}

TEST(Decoder, HasTheGradientOfItsTokenLosses) {
  DecoderLanguageModel model(small_decoder(), kDecoderVocabulary, 0);
  at::Tensor hidden = at::randn({300, 12}).requires_grad_();
  const at::Tensor targets = at::arange(300, at::kLong) % kDecoderVocabulary;
  (model.loss_sum(hidden, targets) / 7.0).backward();
  const at::Tensor fused_hidden = hidden.grad().clone();
  const at::Tensor fused_weight = model.named_parameters()["output.weight"].grad().clone();
  const at::Tensor fused_bias = model.named_parameters()["output.bias"].grad().clone();
  hidden.mutable_grad().reset();
  model.zero_grad();
  (model.token_losses(hidden, targets).sum() / 7.0).backward();
  EXPECT_TRUE(at::allclose(fused_hidden, hidden.grad(), 1e-4, 1e-6));
  EXPECT_TRUE(
      at::allclose(fused_weight, model.named_parameters()["output.weight"].grad(), 1e-4, 1e-5));
  EXPECT_TRUE(at::allclose(fused_bias, model.named_parameters()["output.bias"].grad(), 1e-4, 1e-5));
}

TEST(Decoder, DropsOtherElementsInEveryPassAndNoneInEvaluation) {
  DecoderLanguageModel model(small_decoder(), kDecoderVocabulary, 0);
  const at::Tensor input = tokens(2, 6);
  const auto hidden = [&](int64_t pass) {
    return model.hidden(input, pass_key(3, RandomPurpose::training, pass));
  };
  EXPECT_TRUE(at::equal(hidden(1), hidden(1)));
  EXPECT_FALSE(at::equal(hidden(1), hidden(2)));
  model.eval();
  EXPECT_TRUE(at::equal(hidden(1), hidden(2)));
}

TEST(Decoder, LeavesAttentionDropoutOnInEvaluationWhenAskedTo) {
  ModelOptions options = small_decoder();
  options.attention_dropout_at_evaluation = true;
  DecoderLanguageModel model(options, kDecoderVocabulary, 0);
  model.eval();
  const at::Tensor input = tokens(2, 6);
  EXPECT_FALSE(at::equal(model.hidden(input, pass_key(3, RandomPurpose::evaluation, 1)),
                         model.hidden(input, pass_key(3, RandomPurpose::evaluation, 2))));
}

TEST(Decoder, TellsPositionsApartOnlyWhenAskedTo) {
  const at::Tensor same = at::full({1, 6}, 4, at::kLong);  // one word six times
  for (const char* positions : {"none", "sinusoidal", "learned"}) {
    ModelOptions options = small_decoder();
    options.positions = positions;
    DecoderLanguageModel model(options, kDecoderVocabulary, 0);
    model.eval();
    const at::Tensor hidden = model.hidden(same, {});
    const bool alike = at::allclose(hidden[0][0], hidden[0][5], 1e-5, 1e-6);
    EXPECT_EQ(alike, std::string(positions) == "none") << positions;
  }
}

TEST(Decoder, RefusesMoreTokensThanItHasLearnedPositionsFor) {
  ModelOptions options = small_decoder();
  options.positions = "learned";
  options.max_positions = 4;
  DecoderLanguageModel model(options, kDecoderVocabulary, 0);
  EXPECT_THAT([&] { model.hidden(tokens(1, 5), {}); }, ThrowsCode("too-long"));
}

TEST(Decoder, TiesItsOutputToItsEmbeddingWhenAskedTo) {
  ModelOptions options = small_decoder();
  options.tied_output = true;
  EXPECT_EQ(parameter_count(small_decoder(), kDecoderVocabulary) -
                parameter_count(options, kDecoderVocabulary),
            12 * kDecoderVocabulary);
}

TEST(Decoder, HasOtherVariantsInSomeLayers) {
  const auto options = read_options<ModelOptions>(
      {{"layers", 3},
       {"d_model", 12},
       {"attention",
        {{"kind", "dense"},
         {"at",
          {{{"layers", {1, 2}}, {"kind", "bird_eye"}},
           {{"layers", {2}}, {"kind", "diag_scale"}, {"rate", 0.5}}}}}}});
  DecoderLanguageModel model(options, kDecoderVocabulary, 0);
  const auto parameters = model.named_parameters();
  EXPECT_TRUE(parameters.contains("layers.1.attention.rescale.weight"));
  EXPECT_FALSE(parameters.contains("layers.2.attention.rescale.weight"));  // the later entry won
  EXPECT_FALSE(parameters.contains("layers.3.attention.rescale.weight"));
}

TEST(Decoder, GivesSingleLayersTheirOwnNumberOfHeads) {
  const auto model_of = [](const Json& at) {
    return std::make_shared<DecoderLanguageModel>(
        read_options<ModelOptions>({{"layers", 2},
                                    {"d_model", 12},
                                    {"heads", 4},
                                    {"attention", {{"kind", "dense"}, {"at", at}}}}),
        kDecoderVocabulary, 0);
  };
  const auto heads_of = [&](const Json& at) {
    Recorder record{.keep_maps = true};
    model_of(at)->hidden(tokens(2, 5), {}, {.record = &record});
    return std::vector<int64_t>{record.maps.at(0).size(1), record.maps.at(1).size(1)};
  };
  EXPECT_EQ(heads_of(Json::array()), std::vector<int64_t>({4, 4}));
  EXPECT_EQ(heads_of({{{"layers", {2}}, {"kind", "dense"}, {"heads", 2}}}),
            std::vector<int64_t>({4, 2}));
  EXPECT_THAT(
      [&] {
        model_of({{{"layers", {1}}, {"kind", "dense"}, {"heads", 5}}});
      },
      ThrowsCode("conflicting-values"));
}

TEST(Decoder, RefusesAVariantForALayerThatIsNotThere) {
  const auto options = read_options<ModelOptions>(
      {{"layers", 2},
       {"attention", {{"kind", "dense"}, {"at", {{{"layers", {3}}, {"kind", "dense"}}}}}}});
  EXPECT_THAT([&] { DecoderLanguageModel(options, kDecoderVocabulary, 0); },
              ThrowsCode("invalid-value"));
}

}  // namespace
}  // namespace rethink
