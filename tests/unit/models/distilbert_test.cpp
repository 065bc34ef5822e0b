// DistilBERT compared with transformers (tests/fixtures/tiny_distilbert; tests/check_hf/
// make_tiny_distilbert.py), and parts of encoders in its form.
#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/json.h"
#include "models/huggingface/reduced_encoder.h"
#include "models/huggingface/weights.h"
#include "tests/support/error_ratio.h"
#include "tests/support/temp_folder.h"
#include "tests/support/throws_code.h"
#include "tests/unit/models/tiny_bert.h"

namespace rethink {
namespace {

using ::testing::IsEmpty;

const std::filesystem::path kTinyDistilBert =
    std::filesystem::path(RETHINK_SOURCE_DIR) / "tests/fixtures/tiny_distilbert";

struct DistilBert : torch::nn::Module {
  explicit DistilBert(const EncoderFolder& facts)
      : encoder(register_module("encoder",
                                std::make_shared<Encoder>(facts.options, facts.vocabulary, 0))),
        pooler(register_module("pooler", std::make_shared<Pooler>(facts.options, 0))),
        mlm(register_module(
            "mlm", std::make_shared<MaskedLanguageHead>(facts.options.d_model, facts.vocabulary,
                                                        facts.options.activation, 0))),
        classifier(register_module("classifier", std::make_shared<LinearHead>(
                                                     "classifier", facts.options.d_model, 3, 0))) {}

  std::shared_ptr<Encoder> encoder;
  std::shared_ptr<Pooler> pooler;
  std::shared_ptr<MaskedLanguageHead> mlm;
  std::shared_ptr<LinearHead> classifier;
};

at::Tensor theirs(const std::string& name) {
  static const SafetensorsFile file(kTinyDistilBert / "expected.safetensors");
  return tensor_over(file.at(name)).clone();
}

TEST(DistilBert, IsReadAsAnEncoderWithoutTokenTypes) {
  const EncoderFolder facts = read_encoder_folder(kTinyDistilBert);
  EXPECT_EQ(facts.options.layers, 2);
  EXPECT_EQ(facts.options.d_model, 32);
  EXPECT_EQ(facts.options.heads, 4);
  EXPECT_EQ(facts.options.ffn, 48);
  EXPECT_EQ(facts.options.token_types, 0);
  EXPECT_EQ(facts.options.pooled, "relu");
  EXPECT_EQ(facts.vocabulary, kTinyVocabulary);
}

TEST(DistilBert, GivesWhatTransformersGives) {
  const EncoderFolder facts = read_encoder_folder(kTinyDistilBert);
  for (const auto dtype : {at::kDouble, at::kFloat}) {
    DistilBert model(facts);
    const LoadedWeights loaded = load_huggingface(kTinyDistilBert, model);
    EXPECT_THAT(loaded.fresh, IsEmpty());
    EXPECT_THAT(loaded.unused, IsEmpty());
    model.eval();
    model.to(dtype);
    const at::Tensor keep = theirs("attention_mask").to(at::kBool), inside = keep.unsqueeze(2);
    const at::Tensor input_ids = theirs("input_ids"), labels = theirs("masked_labels");
    std::vector<at::Tensor> hidden;
    // A token's part has no effect.
    const at::Tensor last =
        model.encoder->forward({input_ids, theirs("token_type_ids"), keep}, {}, nullptr, &hidden);
    const double tolerance = dtype == at::kDouble ? 1e-12 : 2e-5;
    for (size_t i = 0; i < hidden.size(); ++i) {
      EXPECT_LE(worst_difference(hidden[i] * inside,
                                 theirs("hidden_states." + std::to_string(i)) * inside),
                tolerance);
    }
    const at::Tensor classes = model.classifier->forward(model.pooler->forward(last));
    EXPECT_LE(worst_difference(classes, theirs("class_logits")), tolerance);
    const at::Tensor rows = rows_at(last, theirs("masked_positions"));
    EXPECT_LE(worst_difference(model.mlm->logits(rows, model.encoder->word_embedding()),
                               theirs("mlm_logits")),
              tolerance);
    const at::Tensor loss =
        model.mlm->loss_sum(rows, model.encoder->word_embedding(), labels) / labels.size(0);
    EXPECT_NEAR(loss.item<double>(), theirs("mlm_loss").item<double>(), tolerance);
    (loss + classes.square().sum()).backward();
    for (const auto& [name, parameter] : weights_of(model)) {
      const at::Tensor gradient =
          theirs("gradient." + huggingface_name(*find_family("distilbert"), name));
      // A key's bias does not change a softmax, so its gradient is only rounding.
      const double size = gradient.abs().max().item<double>();
      EXPECT_LE(worst_difference(parameter.grad(), gradient),
                dtype == at::kDouble ? 1e-6 * size + 1e-9 : 1e-4 * size + 2e-6)
          << name;
    }
  }
}

TEST(DistilBert, IsWrittenAsItWasRead) {
  const EncoderFolder facts = read_encoder_folder(kTinyDistilBert);
  DistilBert model(facts);
  load_huggingface(kTinyDistilBert, model);
  TempFolder folder;
  save_huggingface(folder.path(), facts, weights_of(model));
  const SafetensorsFile written(folder / "model.safetensors"),
      read(kTinyDistilBert / "model.safetensors");
  EXPECT_EQ(written.tensors().size(), read.tensors().size());
  for (const auto& [name, view] : read.tensors())
    EXPECT_TRUE(at::equal(tensor_over(written.at(name)), tensor_over(view))) << name;
  const EncoderFolder again = read_encoder_folder(folder.path());
  EXPECT_EQ(write_options(again.options), write_options(facts.options));
  EXPECT_EQ(again.architecture, "DistilBertForMaskedLM");
}

/// The tiny BERT and its reduced form.
struct Reduced {
  explicit Reduced(const EncoderReduction& reduction) : facts(read_encoder_folder(kTinyBert)) {
    PretrainingModel whole(tiny_options(), kTinyVocabulary);
    load_huggingface(kTinyBert, whole);
    weights = weights_of(whole);
    reduce_encoder(reduction, facts, weights);
    save_huggingface(folder.path(), facts, weights);
  }
  /// float64 [B,T,D] of texts of one part.
  at::Tensor hidden_states() {
    struct Alone : torch::nn::Module {
      explicit Alone(const EncoderFolder& facts)
          : encoder(register_module(
                "encoder", std::make_shared<Encoder>(facts.options, facts.vocabulary, 0))) {}
      std::shared_ptr<Encoder> encoder;
    } model(read_encoder_folder(folder.path()));
    load_huggingface(folder.path(), model);
    model.to(at::kDouble);
    model.eval();
    return model.encoder->forward({expected("input_ids")}, {});
  }
  TempFolder folder;
  EncoderFolder facts;
  TensorsByName weights;
};

TEST(ReducedEncoder, InDistilBertsFormGivesTheSameForTextsOfOnePart) {
  Reduced whole({}), reduced({.as_distilbert = true});
  EXPECT_LE(worst_difference(reduced.hidden_states(), whole.hidden_states()), 1e-6);
  EXPECT_EQ(reduced.facts.options.token_types, 0);
  for (const auto& [name, tensor] : reduced.weights) {
    EXPECT_FALSE(name.starts_with("pooler.") || name.starts_with("nsp.") ||
                 name.starts_with("encoder.token_types."))
        << name;
  }
  EXPECT_TRUE(reduced.weights.contains("mlm.bias"));
}

TEST(ReducedEncoder, KeepsTheRequestedLayers) {
  Reduced swapped({.layers = {2, 1}}), second({.layers = {2}});
  EXPECT_EQ(swapped.facts.options.layers, 2);
  EXPECT_EQ(second.facts.options.layers, 1);
  const SafetensorsFile fixture(kTinyBert / "model.safetensors");
  const std::string query = ".attention.self.query.weight";
  const at::Tensor theirs_second = tensor_over(fixture.at("bert.encoder.layer.1" + query));
  EXPECT_TRUE(
      at::equal(second.weights.at("encoder.layers.1.attention.query.weight"), theirs_second));
  EXPECT_FALSE(second.weights.contains("encoder.layers.2.attention.query.weight"));
  EXPECT_TRUE(
      at::equal(swapped.weights.at("encoder.layers.1.attention.query.weight"), theirs_second));
  EXPECT_EQ(second.hidden_states().size(2), 32);
  EXPECT_THAT([] { Reduced({.layers = {3}}); }, ThrowsCode("invalid-value"));
}

}  // namespace
}  // namespace rethink
