// The families of encoders whose folders are read and written, and what transformers calls their
// parts: weights in model.safetensors, members of config.json.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "models/options.h"

namespace rethink {

/// The beginning of a name here and there.
struct NameBeginning {
  std::string_view ours, theirs;
};

/// Members of config.json; empty: the family has none.
struct ConfigMembers {
  const char *layers, *d_model, *heads, *ffn, *token_types, *activation, *dropout,
      *attention_dropout;
};

struct HuggingFaceFamily {
  const char* model_type;   // "bert"
  const char* tokenizer;    // its class; that of DistilBERT gives no token types
  const char* prefix;       // before the encoder's weights, where a model has heads: "bert."
  std::string_view layers;  // "bert.encoder.layer."; layers count from 0
  std::span<const char* const> unprefixed;  // what the names of a model without heads begin with
  std::span<const NameBeginning> names, layer_names;
  const char *tied_weight, *tied_bias;  // copies of the word embedding and of mlm.bias; or ""
  ConfigMembers members;
};

/// BERT (Devlin et al., 2019) has token types, DistilBERT (Sanh et al., arXiv 1910.01108) has none:
/// that is what tells an encoder's family.
const HuggingFaceFamily& family_of(const EncoderOptions& options);

/// Null when `model_type` is none of them.
const HuggingFaceFamily* find_family(const std::string& model_type);

/// "bert or distilbert"
std::string family_names();

/// Their name of a weight, with the modules' names of models/heads.h. What the family has not keeps
/// our name behind "rethink.".
std::string huggingface_name(const HuggingFaceFamily& family, const std::string& ours);

/// What stands before the names that are ours alone.
constexpr const char* kOwnWeights = "rethink.";

}  // namespace rethink
