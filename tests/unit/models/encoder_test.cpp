#include "models/encoder.h"

#include <ATen/ATen.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/json.h"
#include "models/heads.h"
#include "models/huggingface/weights.h"
#include "models/tensors/random.h"
#include "tests/support/error_ratio.h"
#include "tests/support/temp_folder.h"
#include "tests/support/throws_code.h"
#include "tests/unit/models/tiny_bert.h"

namespace rethink {
namespace {

std::shared_ptr<PretrainingModel> tiny_bert(at::ScalarType dtype) {
  auto model = std::make_shared<PretrainingModel>(tiny_options(), kTinyVocabulary);
  load_huggingface(kTinyBert, *model);
  model->eval();
  model->to(dtype);
  return model;
}

at::Tensor fixed_ids(int64_t rows, int64_t length) {
  return (at::arange(rows * length, at::kLong) * 7 % kTinyVocabulary).view({rows, length});
}

/// Returns the loss of tests/check_hf/make_tiny_bert.py: means over masked positions and over pairs.
at::Tensor tiny_loss(PretrainingModel& model) {
  const at::Tensor input_ids = expected("input_ids"), labels = expected("masked_labels");
  const at::Tensor hidden = model.encoder->forward(
      {input_ids, expected("token_type_ids"), expected("attention_mask").to(at::kBool)}, {});
  const at::Tensor rows = rows_at(hidden, expected("masked_positions"));
  const at::Tensor mlm_loss =
      model.mlm->loss_sum(rows, model.encoder->word_embedding(), labels) / labels.size(0);
  const at::Tensor nsp_loss = at::cross_entropy_loss(
      model.nsp->forward(model.pooler->forward(hidden)), expected("next_sentence_label"));
  return mlm_loss + nsp_loss;
}

TEST(Encoder, GivesTheHiddenStatesOfTransformers) {
  const at::Tensor input_ids = expected("input_ids");
  const at::Tensor keep = expected("attention_mask").to(at::kBool);
  const at::Tensor inside = keep.unsqueeze(2);
  for (const auto dtype : {at::kDouble, at::kFloat}) {
    const auto model = tiny_bert(dtype);
    std::vector<at::Tensor> hidden;
    const at::Tensor last = model->encoder->forward({input_ids, expected("token_type_ids"), keep},
                                                    {}, nullptr, &hidden);
    ASSERT_EQ(hidden.size(), 3u);
    EXPECT_TRUE(at::equal(last, hidden.back()));
    const double tolerance = dtype == at::kDouble ? 1e-12 : 1e-5;
    for (size_t i = 0; i < hidden.size(); ++i) {
      const at::Tensor theirs = expected("hidden_states." + std::to_string(i));
      EXPECT_LE(worst_difference(hidden[i] * inside, theirs * inside), tolerance) << i;
    }
    EXPECT_LE(worst_difference(model->pooler->forward(last), expected("pooler_output")), tolerance);
  }
}

TEST(Encoder, GivesTheLossesAndGradientsOfTransformers) {
  const auto model = tiny_bert(at::kDouble);
  const at::Tensor loss = tiny_loss(*model);
  EXPECT_NEAR(loss.item<double>(), (expected("mlm_loss") + expected("nsp_loss")).item<double>(),
              1e-11);
  loss.backward();
  const auto folder = std::filesystem::path(kTinyBert);
  TensorsByName gradients;
  for (const auto& [name, parameter] : weights_of(*model)) gradients[name] = parameter.grad();
  // The expected tensors are under their names, and so are our saved ones.
  TempFolder saved;
  save_huggingface(saved.path(), read_encoder_folder(folder), gradients);
  const SafetensorsFile ours(saved.path() / "model.safetensors");
  EXPECT_EQ(ours.tensors().size(), 46u);
  for (const auto& [name, view] : ours.tensors()) {
    const at::Tensor theirs = expected("gradient." + name);
    const double size = theirs.abs().max().item<double>();
    EXPECT_LE(worst_difference(tensor_over(view), theirs), 1e-6 * size + 1e-9) << name;
  }
}

TEST(Encoder, IsAtMostTwiceAsWrongInFloat32AsTransformers) {
  const at::Tensor keep = expected("attention_mask").to(at::kBool), inside = keep.unsqueeze(2);
  const at::Tensor input_ids = expected("input_ids");
  std::vector<at::Tensor> hidden;
  tiny_bert(at::kFloat)
      ->encoder->forward({input_ids, expected("token_type_ids"), keep}, {}, nullptr, &hidden);
  for (size_t i = 0; i < hidden.size(); ++i) {
    const std::string name = "hidden_states." + std::to_string(i);
    const at::Tensor exact = expected(name) * inside;
    const double theirs = worst_difference(expected("float32." + name) * inside, exact);
    EXPECT_LE(worst_difference(hidden[i] * inside, exact), 2 * theirs) << name;
  }
}

TEST(Encoder, DependsNeitherOnPaddingNorOnOtherSequences) {
  Encoder encoder(tiny_options(), kTinyVocabulary, 0);
  encoder.eval();
  const at::Tensor alone = fixed_ids(1, 5);
  const at::Tensor expected_states = encoder.forward({alone}, {});
  for (const int64_t before : {0, 2}) {
    at::Tensor batch = fixed_ids(3, 9);
    at::Tensor keep = at::ones({3, 9}, at::kBool);
    keep[1] = false;
    batch[1].slice(0, 0, 5).copy_(alone[0]);
    keep[1].slice(0, 0, 5).fill_(true);
    keep[0].slice(0, 9 - before, 9).fill_(false);
    const at::Tensor states = encoder.forward({batch, {}, keep}, {});
    EXPECT_TRUE(at::allclose(states[1].slice(0, 0, 5), expected_states[0], 1e-5, 1e-6));
    batch[1].slice(0, 5, 9).fill_(3);
    EXPECT_TRUE(at::equal(encoder.forward({batch, {}, keep}, {})[1].slice(0, 0, 5),
                          states[1].slice(0, 0, 5)));
  }
}

TEST(Encoder, LeavesTokenTypesOutAsAllZero) {
  Encoder encoder(tiny_options(), kTinyVocabulary, 0);
  encoder.eval();
  const at::Tensor input = fixed_ids(2, 6);
  EXPECT_TRUE(
      at::equal(encoder.forward({input}, {}), encoder.forward({input, at::zeros_like(input)}, {})));
  EXPECT_FALSE(
      at::equal(encoder.forward({input}, {}), encoder.forward({input, at::ones_like(input)}, {})));
}

TEST(Encoder, DropsOtherElementsInEveryPassAndNoneInEvaluation) {
  Encoder encoder(tiny_options(), kTinyVocabulary, 0);
  const auto states = [&](int64_t pass) {
    return encoder.forward({fixed_ids(2, 6)}, pass_key(3, RandomPurpose::training, pass));
  };
  EXPECT_TRUE(at::equal(states(1), states(1)));
  EXPECT_FALSE(at::equal(states(1), states(2)));
  encoder.eval();
  EXPECT_TRUE(at::equal(states(1), states(2)));
}

int64_t num_parameters(const EncoderOptions& options) {
  int64_t count = 0;
  Encoder encoder(options, 30522, 0);
  for (const at::Tensor& parameter : encoder.parameters()) count += parameter.numel();
  for (const at::Tensor& parameter : Pooler(options, 0).parameters()) count += parameter.numel();
  return count;
}

TEST(Encoder, HasTheParametersOfBertBase) {
  // 109,482,240 with the pooler (Devlin et al., 2019, "110M"): counted by transformers.
  EXPECT_EQ(num_parameters({}), 109482240);
}

TEST(Encoder, EightLayersOfWhichTwoHaveTripletHeadsHaveAQuarterLess) {
  // "reduce the number of the parameters by 25.6%" (A3 slides, Layer Stacking Degradation).
  const auto reduced = read_options<EncoderOptions>(
      {{"layers", 8},
       {"attention", {{"kind", "dense"}, {"at", {{{"layers", {1, 2}}, {"kind", "triplet"}}}}}}});
  const double less = 100.0 * (1.0 - static_cast<double>(num_parameters(reduced)) / 109482240.0);
  EXPECT_EQ(fmt::format("{:.1f}", less), "25.6");
}

TEST(Encoder, BeginsAsBertDoes) {
  EncoderOptions options = tiny_options();
  options.d_model = 256;
  Encoder encoder(options, 1000, 0);
  for (const auto& entry : encoder.named_parameters()) {
    const at::Tensor& parameter = entry.value();
    const std::string& name = entry.key();
    if (parameter.dim() == 2) {
      EXPECT_NEAR(parameter.std().item<double>(), 0.02, 0.001) << name;
      EXPECT_NEAR(parameter.mean().item<double>(), 0.0, 0.001) << name;
    } else {
      const bool is_norm = name.ends_with("norm.weight");
      EXPECT_TRUE(at::equal(parameter, at::full_like(parameter, is_norm ? 1.0 : 0.0))) << name;
    }
  }
}

TEST(Encoder, SharesInitialWeightsBetweenVariantsAndDepths) {
  EncoderOptions deeper = tiny_options("bird_eye");
  deeper.layers = 3;
  Encoder two(tiny_options(), kTinyVocabulary, 5), three(deeper, kTinyVocabulary, 5);
  const auto other = three.named_parameters();
  for (const auto& parameter : two.named_parameters()) {
    ASSERT_TRUE(other.contains(parameter.key())) << parameter.key();
    EXPECT_TRUE(at::equal(parameter.value(), other[parameter.key()])) << parameter.key();
  }
  EXPECT_FALSE(at::equal(two.word_embedding(),
                         Encoder(tiny_options(), kTinyVocabulary, 6).word_embedding()));
}

TEST(Encoder, CountsTheFloatingPointOperationsOfItsMatrixProducts) {
  Encoder encoder(tiny_options(), kTinyVocabulary, 0);
  const double weights = 4 * 32 * 32 + 2 * 32 * 48, scores = 2 * 2 * 11 * 32;
  EXPECT_EQ(encoder.forward_flops(3, 11), 2 * 3 * 11 * (2 * weights + scores));
}

TEST(Encoder, RefusesMoreTokensThanItHasPositionsFor) {
  Encoder encoder(tiny_options(), kTinyVocabulary, 0);
  EXPECT_THAT([&] { encoder.forward({fixed_ids(1, 25)}, {}); }, ThrowsCode("too-long"));
}

TEST(Encoder, RefusesVariantsAtLayersItHasNot) {
  EncoderOptions options = tiny_options();
  options.attention.common.at.push_back({"bird_eye", Json::object(), {{3}, {}}});
  EXPECT_THAT([&] { Encoder(options, kTinyVocabulary, 0); }, ThrowsCode("invalid-value"));
}

TEST(Heads, LossOfMaskedRowsIsTheCrossEntropyOfTheirLogits) {
  const auto model = tiny_bert(at::kDouble);
  const at::Tensor rows = at::randn({9, 32}, at::kDouble), labels = fixed_ids(1, 9)[0];
  const at::Tensor logits = model->mlm->logits(rows, model->encoder->word_embedding());
  const at::Tensor losses = -at::log_softmax(logits, 1).gather(1, labels.unsqueeze(1)).squeeze(1);
  const at::Tensor ours = model->mlm->token_losses(rows, model->encoder->word_embedding(), labels);
  EXPECT_LE(worst_difference(ours, losses), 1e-12);
  EXPECT_NEAR(model->mlm->loss_sum(rows, model->encoder->word_embedding(), labels).item<double>(),
              losses.sum().item<double>(), 1e-10);
}

TEST(Heads, ABatchWithoutMaskedRowsHasNoLoss) {
  const auto model = tiny_bert(at::kFloat);
  const at::Tensor sum = model->mlm->loss_sum(at::zeros({0, 32}), model->encoder->word_embedding(),
                                              at::zeros({0}, at::kLong));
  EXPECT_EQ(sum.item<float>(), 0.0f);
}

TEST(Heads, GiveTheLogitsOfTransformers) {
  const auto model = tiny_bert(at::kDouble);
  const at::Tensor hidden = expected("hidden_states.2");
  const at::Tensor rows = rows_at(hidden, expected("masked_positions"));
  EXPECT_LE(worst_difference(model->mlm->logits(rows, model->encoder->word_embedding()),
                             expected("mlm_logits")),
            1e-11);
  EXPECT_LE(
      worst_difference(model->nsp->forward(model->pooler->forward(hidden)), expected("nsp_logits")),
      1e-12);
}

TEST(Heads, HideStartsAndEndsInPadding) {
  const at::Tensor scores = at::randn({2, 5, 2});
  at::Tensor keep = at::ones({2, 5}, at::kBool);
  keep[1].slice(0, 3, 5).fill_(false);
  const auto [start, end] = span_logits(scores, keep);
  EXPECT_TRUE(at::equal(start[0], scores[0].select(1, 0)));
  EXPECT_TRUE(at::equal(end[1].slice(0, 0, 3), scores[1].select(1, 1).slice(0, 0, 3)));
  EXPECT_LE(worst_difference(end.softmax(1)[1].slice(0, 0, 3),
                             scores[1].select(1, 1).slice(0, 0, 3).softmax(0)),
            1e-6);
  EXPECT_EQ(start.softmax(1)[1][4].item<float>(), 0.0f);
  EXPECT_TRUE(at::equal(span_logits(scores, {}).second, scores.select(2, 1)));
}

TEST(Heads, SetTheChoicesOfAnExampleSideBySide) {
  const at::Tensor scores = at::arange(8, at::kFloat).unsqueeze(1);
  EXPECT_TRUE(at::equal(choice_logits(scores, 4), at::arange(8, at::kFloat).view({2, 4})));
}

TEST(Heads, BeginAsBertDoes) {
  const LinearHead head("classifier", 256, 40, 3), same("classifier", 256, 40, 3),
      other("span", 256, 40, 3);
  const at::Tensor weight = head.named_parameters()["weight"];
  EXPECT_NEAR(weight.std().item<double>(), 0.02, 0.001);
  EXPECT_TRUE(at::equal(weight, same.named_parameters()["weight"]));
  EXPECT_FALSE(at::equal(weight, other.named_parameters()["weight"]));
  EXPECT_EQ(head.named_parameters()["bias"].abs().max().item<float>(), 0.0f);
}

}  // namespace
}  // namespace rethink
