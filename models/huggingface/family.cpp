#include "models/huggingface/family.h"

#include <fmt/format.h>

#include <array>

namespace rethink {
namespace {

constexpr std::string_view kLayers = "encoder.layers.";

constexpr NameBeginning kBertNames[] = {
    {"encoder.embedding.", "bert.embeddings.word_embeddings."},
    {"encoder.positions.", "bert.embeddings.position_embeddings."},
    {"encoder.token_types.", "bert.embeddings.token_type_embeddings."},
    {"encoder.embedding_norm.", "bert.embeddings.LayerNorm."},
    {"pooler.dense.", "bert.pooler.dense."},
    {"mlm.dense.", "cls.predictions.transform.dense."},
    {"mlm.norm.", "cls.predictions.transform.LayerNorm."},
    {"mlm.bias", "cls.predictions.bias"},
    {"nsp.", "cls.seq_relationship."},
    {"classifier.", "classifier."},
    {"span.", "qa_outputs."}};

constexpr NameBeginning kBertLayerNames[] = {{"attention.query.", "attention.self.query."},
                                             {"attention.key.", "attention.self.key."},
                                             {"attention.value.", "attention.self.value."},
                                             {"attention.output.", "attention.output.dense."},
                                             {"attention_norm.", "attention.output.LayerNorm."},
                                             {"ffn_in.", "intermediate.dense."},
                                             {"ffn_out.", "output.dense."},
                                             {"ffn_norm.", "output.LayerNorm."}};

constexpr const char* kBertUnprefixed[] = {"embeddings.", "encoder.", "pooler."};

constexpr NameBeginning kDistilBertNames[] = {
    {"encoder.embedding.", "distilbert.embeddings.word_embeddings."},
    {"encoder.positions.", "distilbert.embeddings.position_embeddings."},
    {"encoder.embedding_norm.", "distilbert.embeddings.LayerNorm."},
    {"pooler.dense.", "pre_classifier."},
    {"mlm.dense.", "vocab_transform."},
    {"mlm.norm.", "vocab_layer_norm."},
    {"mlm.bias", "vocab_projector.bias"},
    {"classifier.", "classifier."},
    {"span.", "qa_outputs."}};

constexpr NameBeginning kDistilBertLayerNames[] = {{"attention.query.", "attention.q_lin."},
                                                   {"attention.key.", "attention.k_lin."},
                                                   {"attention.value.", "attention.v_lin."},
                                                   {"attention.output.", "attention.out_lin."},
                                                   {"attention_norm.", "sa_layer_norm."},
                                                   {"ffn_in.", "ffn.lin1."},
                                                   {"ffn_out.", "ffn.lin2."},
                                                   {"ffn_norm.", "output_layer_norm."}};

constexpr const char* kDistilBertUnprefixed[] = {"embeddings.", "transformer."};

const std::array<HuggingFaceFamily, 2>& families() {
  static const std::array<HuggingFaceFamily, 2> all = {
      {{.model_type = "bert",
        .tokenizer = "BertTokenizer",
        .prefix = "bert.",
        .layers = "bert.encoder.layer.",
        .unprefixed = kBertUnprefixed,
        .names = kBertNames,
        .layer_names = kBertLayerNames,
        .tied_weight = "cls.predictions.decoder.weight",
        .tied_bias = "cls.predictions.decoder.bias",
        .members = {.layers = "num_hidden_layers",
                    .d_model = "hidden_size",
                    .heads = "num_attention_heads",
                    .ffn = "intermediate_size",
                    .token_types = "type_vocab_size",
                    .activation = "hidden_act",
                    .dropout = "hidden_dropout_prob",
                    .attention_dropout = "attention_probs_dropout_prob"}},
       {.model_type = "distilbert",
        .tokenizer = "DistilBertTokenizer",
        .prefix = "distilbert.",
        .layers = "distilbert.transformer.layer.",
        .unprefixed = kDistilBertUnprefixed,
        .names = kDistilBertNames,
        .layer_names = kDistilBertLayerNames,
        .tied_weight = "vocab_projector.weight",
        .tied_bias = "",
        .members = {.layers = "n_layers",
                    .d_model = "dim",
                    .heads = "n_heads",
                    .ffn = "hidden_dim",
                    .token_types = "",
                    .activation = "activation",
                    .dropout = "dropout",
                    .attention_dropout = "attention_dropout"}}}};
  return all;
}

std::string renamed(std::span<const NameBeginning> names, const std::string& ours) {
  for (const NameBeginning& name : names) {
    if (ours.starts_with(name.ours))
      return std::string(name.theirs) + ours.substr(name.ours.size());
  }
  return "";
}

}  // namespace

const HuggingFaceFamily& family_of(const EncoderOptions& options) {
  return *find_family(options.token_types == 0 ? "distilbert" : "bert");
}

const HuggingFaceFamily* find_family(const std::string& model_type) {
  for (const HuggingFaceFamily& family : families()) {
    if (family.model_type == model_type) return &family;
  }
  return nullptr;
}

std::string family_names() {
  std::string names;
  for (const HuggingFaceFamily& family : families())
    names += (names.empty() ? "" : " or ") + std::string(family.model_type);
  return names;
}

std::string huggingface_name(const HuggingFaceFamily& family, const std::string& ours) {
  std::string theirs = renamed(family.names, ours);
  if (theirs.empty() && ours.starts_with(kLayers)) {
    const size_t number = kLayers.size(), dot = ours.find('.', number);
    const std::string rest = renamed(family.layer_names, ours.substr(dot + 1));
    if (!rest.empty()) {
      theirs = fmt::format("{}{}.{}", family.layers,
                           std::stoll(ours.substr(number, dot - number)) - 1, rest);
    }
  }
  return theirs.empty() ? kOwnWeights + ours : theirs;
}

}  // namespace rethink
