#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/files/file.h"
#include "core/json.h"
#include "models/huggingface/weights.h"
#include "tests/support/temp_folder.h"
#include "tests/support/throws_code.h"
#include "tests/unit/models/tiny_bert.h"

namespace rethink {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::ThrowsMessage;

constexpr const char* kWordEmbedding = "bert.embeddings.word_embeddings.weight";

/// Returns the fixture's weights by their names in the file.
TensorsByName fixture() {
  const SafetensorsFile file(kTinyBert / "model.safetensors");
  TensorsByName tensors;
  for (const auto& [name, view] : file.tensors()) tensors[name] = tensor_over(view).clone();
  return tensors;
}

/// A folder with the fixture's configuration, changed, and with other weights.
void write_folder(const std::filesystem::path& folder, const TensorsByName& weights,
                  const Json& changes = Json::object()) {
  Json config = parse_json(read_file(kTinyBert / "config.json"), "config");
  config.merge_patch(changes);
  write_text(folder / "config.json", config.dump());
  write_tensors(folder / "model.safetensors", weights, {});
}

std::string error_of_config(const Json& changes) {
  TempFolder folder;
  write_folder(folder.path(), {}, changes);
  try {
    read_encoder_folder(folder.path());
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "none";
}

PretrainingModel tiny() {
  return PretrainingModel(tiny_options(), kTinyVocabulary);
}

void expect_fixture(PretrainingModel& model) {
  const TensorsByName ours = weights_of(model), theirs = fixture();
  EXPECT_TRUE(at::equal(ours.at("encoder.embedding.weight"), theirs.at(kWordEmbedding)));
  EXPECT_TRUE(at::equal(ours.at("encoder.layers.2.attention_norm.bias"),
                        theirs.at("bert.encoder.layer.1.attention.output.LayerNorm.bias")));
  EXPECT_TRUE(at::equal(ours.at("pooler.dense.weight"), theirs.at("bert.pooler.dense.weight")));
}

TEST(HuggingFaceConfig, SaysWhatTheEncoderIs) {
  const EncoderFolder facts = read_encoder_folder(kTinyBert);
  EXPECT_EQ(write_options(facts.options), write_options(tiny_options()));
  EXPECT_EQ(facts.vocabulary, kTinyVocabulary);
  EXPECT_EQ(facts.architecture, "BertForPreTraining");
  EXPECT_TRUE(facts.lower_case);
  EXPECT_THAT(facts.labels, IsEmpty());
}

TEST(HuggingFaceConfig, IsReadAsItWasWritten) {
  EncoderFolder facts{.options = tiny_options("bird_eye"),
                      .vocabulary = 99,
                      .lower_case = false,
                      .architecture = "BertForSequenceClassification",
                      .labels = {"no", "maybe", "yes"}};
  facts.options.attention_dropout = 0.25;
  facts.options.activation = "relu";
  facts.options.attention.options = attentions().completed("bird_eye", Json::object());
  TempFolder folder;
  write_encoder_config(folder.path(), facts);
  const EncoderFolder read = read_encoder_folder(folder.path());
  EXPECT_EQ(write_options(read.options), write_options(facts.options));
  EXPECT_EQ(read.vocabulary, 99);
  EXPECT_FALSE(read.lower_case);
  EXPECT_EQ(read.architecture, "BertForSequenceClassification");
  EXPECT_THAT(read.labels, ElementsAre("no", "maybe", "yes"));
}

TEST(HuggingFaceConfig, SaysWhatAHeadIsFor) {
  TempFolder folder;
  const auto written = [&](const EncoderFolder& facts) {
    write_encoder_config(folder.path(), facts);
    return parse_json(read_text(folder / "config.json"), "config");
  };
  EncoderFolder facts{.options = tiny_options(),
                      .vocabulary = 48,
                      .architecture = "BertForSequenceClassification",
                      .labels = {"no", "yes"}};
  const Json classes = written(facts);
  EXPECT_EQ(classes.at("id2label"), Json({{"0", "no"}, {"1", "yes"}}));
  EXPECT_EQ(classes.at("label2id"), Json({{"no", 0}, {"yes", 1}}));
  EXPECT_FALSE(classes.contains("problem_type"));
  facts.labels = {"score"};
  EXPECT_EQ(written(facts).at("problem_type"), "regression");
  facts.options.token_types = 0;
  facts.architecture = "BertForQuestionAnswering";
  EXPECT_EQ(written(facts).at("architectures"), Json({"DistilBertForQuestionAnswering"}));
  EXPECT_THAT(read_text(folder / "tokenizer_config.json"),
              HasSubstr(R"("tokenizer_class": "DistilBertTokenizer")"));
}

TEST(HuggingFaceConfig, RefusesWhatIsNotImplemented) {
  EXPECT_THAT(error_of_config({{"position_embedding_type", "relative_key"}}),
              HasSubstr("config.json: error: position_embedding_type is \"relative_key\", "
                        "expected \"absolute\": nothing else is done here"));
  EXPECT_THAT(error_of_config({{"hidden_act", "gelu_new"}}),
              HasSubstr("hidden_act is \"gelu_new\", expected gelu or relu"));
  EXPECT_THAT(error_of_config({{"layer_norm_eps", 1e-5}}), HasSubstr("layer_norm_eps is 1e-05"));
  EXPECT_THAT(error_of_config({{"is_decoder", true}}), HasSubstr("is_decoder is true"));
  EXPECT_THAT(error_of_config({{"pruned_heads", {{"1", {0}}}}}), HasSubstr("pruned_heads is"));
  EXPECT_THAT(error_of_config({{"model_type", "roberta"}}),
              HasSubstr("model_type is \"roberta\", expected bert or distilbert: nothing else is"));
}

TEST(HuggingFaceConfig, SaysEverythingThatIsWrongAtOnce) {
  EXPECT_THAT(error_of_config({{"hidden_size", nullptr},
                               {"num_hidden_layers", "two"},
                               {"hidden_dropout_prob", 1.5},
                               {"architectures", "BertModel"}}),
              AllOf(HasSubstr("hidden_size is missing, expected a whole number above 0"),
                    HasSubstr("num_hidden_layers is \"two\""),
                    HasSubstr("hidden_dropout_prob is 1.5, expected a probability below 1"),
                    HasSubstr("architectures is \"BertModel\"")));
  EXPECT_THAT(error_of_config({{"num_attention_heads", 5}}),
              HasSubstr("num_attention_heads is 5, expected a divisor of 32"));
}

TEST(HuggingFaceConfig, RefusesAModelOfOursThatIsNotTheFoldersOwn) {
  Json model = write_options(tiny_options());
  model["layers"] = 3;
  EXPECT_THAT(error_of_config({{"rethink", {{"model", model}}}}),
              HasSubstr("num_hidden_layers is 2, but rethink.model says 3: they must agree"));
  EXPECT_THAT(error_of_config({{"rethink", 7}}), HasSubstr("rethink is 7, expected"));
  model["depth"] = 3;
  EXPECT_THAT(error_of_config({{"rethink", {{"model", model}}}}), HasSubstr("rethink.model: "));
}

TEST(HuggingFaceConfig, RefusesATokenizerThatIsNotBerts) {
  TempFolder folder;
  write_folder(folder.path(), {});
  const auto read_with = [&](const std::string& text) {
    write_text(folder / "tokenizer_config.json", text);
    return [&] { read_encoder_folder(folder.path()); };
  };
  EXPECT_THAT(read_with(R"({"do_lower_case": false, "strip_accents": true})"),
              ThrowsMessage<ConfigError>(HasSubstr("strip_accents is true, expected false")));
  EXPECT_THAT(read_with(R"({"tokenize_chinese_chars": false})"),
              ThrowsMessage<ConfigError>(HasSubstr("tokenize_chinese_chars is false")));
  EXPECT_THAT(read_with("[]"), ThrowsCode("invalid-json"));
  EXPECT_THAT(read_with("{"), ThrowsMessage<ConfigError>(HasSubstr("tokenizer_config.json")));
  write_text(folder / "tokenizer_config.json", R"({"do_lower_case": false})");
  EXPECT_FALSE(read_encoder_folder(folder.path()).lower_case);
}

TEST(HuggingFaceConfig, RefusesAModelThatNoMachineHolds) {
  TempFolder folder;
  const Json sizes = {{"model_type", "bert"},     {"vocab_size", 100},
                      {"hidden_size", 8},         {"num_hidden_layers", 2},
                      {"num_attention_heads", 2}, {"intermediate_size", 16},
                      {"type_vocab_size", 2},     {"max_position_embeddings", 16}};
  const auto read_with = [&](const Json& changed) {
    Json json = sizes;
    json.update(changed);
    write_text(folder / "config.json", json.dump());
    return [&] { read_encoder_folder(folder.path()); };
  };
  EXPECT_THAT(read_with({{"num_hidden_layers", 1'000'000'000'000}}),
              ThrowsMessage<ConfigError>(HasSubstr("1000000000000, expected at most 1000")));
  EXPECT_THAT(read_with({{"hidden_size", 1'000'000'000'000}}),
              ThrowsMessage<ConfigError>(HasSubstr("expected at most 10000000")));
  EXPECT_THAT(read_with({{"hidden_size", 1'000'000}, {"intermediate_size", 1'000'000}}),
              ThrowsMessage<ConfigError>(HasSubstr("1.2e+13 weights, expected at most 1e+10")));
}

TEST(HuggingFaceConfig, SaysWhereThereIsNoFolder) {
  TempFolder folder;
  EXPECT_THAT([&] { read_encoder_folder(folder / "x"); },
              ThrowsMessage<ConfigError>(HasSubstr("x is not a folder; expected a folder as")));
  EXPECT_THAT([&] { read_encoder_folder(folder.path()); },
              ThrowsMessage<ConfigError>(HasSubstr("has no config.json; expected")));
}

TEST(HuggingFace, LoadsEveryWeight) {
  PretrainingModel model = tiny();
  const LoadedWeights loaded = load_huggingface(kTinyBert, model);
  EXPECT_THAT(loaded.fresh, IsEmpty());
  EXPECT_THAT(loaded.unused, IsEmpty());
  expect_fixture(model);
}

TEST(HuggingFace, LoadsWithoutThePrefixAndWithExtraPositionIds) {
  TensorsByName bare;
  for (const auto& [name, tensor] : fixture()) {
    if (name.starts_with("bert.")) bare[name.substr(5)] = tensor;
  }
  bare["embeddings.position_ids"] = at::arange(24, at::kLong).unsqueeze(0);
  TempFolder folder;
  write_folder(folder.path(), bare);
  PretrainingModel model = tiny();
  const LoadedWeights loaded = load_huggingface(folder.path(), model);
  EXPECT_THAT(loaded.fresh, ElementsAre("mlm", "nsp"));
  EXPECT_THAT(loaded.unused, IsEmpty());
  expect_fixture(model);
}

TEST(HuggingFace, LoadsGammaAndBetaOfOldFiles) {
  TensorsByName old;
  for (const auto& [name, tensor] : fixture()) {
    std::string now = name;
    if (const size_t at = name.find("LayerNorm."); at != std::string::npos)
      now = name.substr(0, at + 10) + (name.ends_with("weight") ? "gamma" : "beta");
    old[now] = tensor;
  }
  TempFolder folder;
  write_folder(folder.path(), old);
  PretrainingModel model = tiny();
  load_huggingface(folder.path(), model);
  expect_fixture(model);
}

TEST(HuggingFace, WidensHalfPrecision) {
  for (const auto dtype : {at::kHalf, at::kBFloat16, at::kDouble}) {
    TensorsByName weights = fixture();
    for (auto& [name, tensor] : weights) tensor = tensor.to(dtype);
    TempFolder folder;
    write_folder(folder.path(), weights);
    PretrainingModel model = tiny();
    load_huggingface(folder.path(), model);
    EXPECT_TRUE(
        at::equal(model.encoder->word_embedding(), weights.at(kWordEmbedding).to(at::kFloat)));
  }
}

TEST(HuggingFace, SaysAllThatIsMissingOrOfAnotherShapeAndChangesNothing) {
  TensorsByName weights = fixture();
  weights.erase("bert.encoder.layer.0.intermediate.dense.bias");
  weights.erase("cls.predictions.bias");
  weights["bert.pooler.dense.bias"] = at::zeros({33});
  weights["bert.embeddings.LayerNorm.bias"] = at::zeros({32}, at::kLong);
  TempFolder folder;
  write_folder(folder.path(), weights);
  PretrainingModel model = tiny();
  const at::Tensor before = model.encoder->word_embedding().clone();
  EXPECT_THAT([&] { load_huggingface(folder.path(), model); },
              ThrowsMessage<ConfigError>(
                  AllOf(HasSubstr("model.safetensors does not hold the weights of this model:"),
                        HasSubstr("bert.encoder.layer.0.intermediate.dense.bias is missing"),
                        HasSubstr("cls.predictions.bias is missing"),
                        HasSubstr("bert.pooler.dense.bias is of shape [33], expected [32]"),
                        HasSubstr("bert.embeddings.LayerNorm.bias is of type I64, expected F32"))));
  EXPECT_TRUE(at::equal(model.encoder->word_embedding(), before));
}

TEST(HuggingFace, NamesTheHeadsThatBeginFreshAndWhatItDoesNotUse) {
  struct Classifier : torch::nn::Module {
    Classifier() {
      register_module("encoder", std::make_shared<Encoder>(tiny_options(), kTinyVocabulary, 0));
      register_module("classifier", std::make_shared<LinearHead>("classifier", 32, 3, 0));
    }
  } model;
  const at::Tensor before = weights_of(model).at("classifier.weight").clone();
  const LoadedWeights loaded = load_huggingface(kTinyBert, model);
  EXPECT_THAT(loaded.fresh, ElementsAre("classifier"));
  EXPECT_EQ(loaded.unused.size(), 9u);
  EXPECT_THAT(loaded.unused, ::testing::Contains("cls.seq_relationship.weight"));
  EXPECT_TRUE(at::equal(weights_of(model).at("classifier.weight"), before));
}

TEST(HuggingFace, KnowsTheHeadsOfAFile) {
  EXPECT_THAT(heads_in(kTinyBert), ElementsAre(std::pair("mlm", kTinyVocabulary),
                                               std::pair("nsp", 2), std::pair("pooler", 32)));
}

TEST(HuggingFace, NamesTheHeadsAsTransformersDoes) {
  const std::vector<std::tuple<std::string, std::string, std::string>> names = {
      {"pooler.dense.weight", "bert.pooler.dense.weight", "pre_classifier.weight"},
      {"mlm.dense.bias", "cls.predictions.transform.dense.bias", "vocab_transform.bias"},
      {"mlm.norm.weight", "cls.predictions.transform.LayerNorm.weight", "vocab_layer_norm.weight"},
      {"mlm.bias", "cls.predictions.bias", "vocab_projector.bias"},
      {"nsp.weight", "cls.seq_relationship.weight", "rethink.nsp.weight"},
      {"classifier.weight", "classifier.weight", "classifier.weight"},
      {"span.bias", "qa_outputs.bias", "qa_outputs.bias"}};
  for (const auto& [ours, bert, distilbert] : names) {
    EXPECT_EQ(huggingface_name(*find_family("bert"), ours), bert);
    EXPECT_EQ(huggingface_name(*find_family("distilbert"), ours), distilbert);
  }
}

TEST(HuggingFace, KnowsTheHeadsThatItWrote) {
  const auto heads_of = [](const TensorsByName& weights) {
    TempFolder folder;
    save_huggingface(folder.path(), {.options = tiny_options(), .vocabulary = 48}, weights);
    return heads_in(folder.path());
  };
  EXPECT_THAT(heads_of({{"span.weight", at::zeros({2, 32})}, {"span.bias", at::zeros({2})}}),
              ElementsAre(std::pair("span", 2)));
  EXPECT_THAT(heads_of({{"classifier.bias", at::zeros({3})}}),
              ElementsAre(std::pair("classifier", 3)));
}

TEST(HuggingFace, RefusesAnOutputProjectionThatIsNotTied) {
  TensorsByName weights = fixture();
  weights["cls.predictions.decoder.weight"] = weights.at(kWordEmbedding).clone();
  TempFolder folder;
  write_folder(folder.path(), weights);
  PretrainingModel model = tiny();
  EXPECT_THAT(load_huggingface(folder.path(), model).unused, IsEmpty());
  weights["cls.predictions.decoder.weight"][0][0] += 1.0;
  write_folder(folder.path(), weights);
  EXPECT_THAT([&] { load_huggingface(folder.path(), model); }, ThrowsCode("unsupported-weights"));
}

TEST(HuggingFace, RefusesOneWeightUnderTwoNames) {
  TensorsByName weights = fixture();
  weights["embeddings.word_embeddings.weight"] = weights.at(kWordEmbedding);
  TempFolder folder;
  write_folder(folder.path(), weights);
  PretrainingModel model = tiny();
  EXPECT_THAT([&] { load_huggingface(folder.path(), model); }, ThrowsCode("unsupported-weights"));
}

TEST(HuggingFace, SaysWhatToDoWithWeightsOfAnotherForm) {
  TempFolder folder;
  write_text(folder / "pytorch_model.bin", "x");
  PretrainingModel model = tiny();
  EXPECT_THAT([&] { load_huggingface(folder.path(), model); },
              ThrowsMessage<ConfigError>(HasSubstr("are in PyTorch's form")));
}

TEST(HuggingFace, WritesTheSameTensorsThatItRead) {
  PretrainingModel model = tiny();
  load_huggingface(kTinyBert, model);
  TempFolder folder;
  save_huggingface(folder.path(), read_encoder_folder(kTinyBert), weights_of(model));
  const SafetensorsFile written(folder / "model.safetensors");
  const TensorsByName theirs = fixture();
  EXPECT_EQ(written.tensors().size(), theirs.size());
  for (const auto& [name, tensor] : theirs)
    EXPECT_TRUE(at::equal(tensor_over(written.at(name)), tensor)) << name;
  EXPECT_EQ(written.metadata().at("format"), "pt");
}

TEST(HuggingFace, KeepsWhatAVariantHasBeyondBertUnderOurNames) {
  struct Holder : torch::nn::Module {
    explicit Holder(const std::string& attention, uint64_t seed) {
      register_module("encoder",
                      std::make_shared<Encoder>(tiny_options(attention), kTinyVocabulary, seed));
    }
  } bird_eye("bird_eye", 1), again("bird_eye", 2), dense("dense", 3);
  TempFolder folder;
  save_huggingface(folder.path(), {.options = tiny_options("bird_eye"), .vocabulary = 48},
                   weights_of(bird_eye));
  EXPECT_THAT(load_huggingface(folder.path(), again).fresh, IsEmpty());
  const TensorsByName saved = weights_of(bird_eye);
  for (const auto& [name, tensor] : weights_of(again))
    EXPECT_TRUE(at::equal(tensor, saved.at(name))) << name;
  const LoadedWeights loaded = load_huggingface(folder.path(), dense);
  EXPECT_THAT(loaded.unused, ::testing::Each(HasSubstr("rethink.encoder.layers.")));
  EXPECT_THAT(loaded.unused, ::testing::Not(IsEmpty()));
  // The other direction: loads BERT's weights into a model with more weights.
  Holder more("bird_eye", 4);
  EXPECT_THAT(load_huggingface(kTinyBert, more).fresh,
              ::testing::Each(HasSubstr("encoder.layers.")));
}

}  // namespace
}  // namespace rethink
