// Families of encoders whose folders can be read and written, with the names that transformers
// gives to their parts: weights in model.safetensors, members of config.json.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "models/options.h"

namespace rethink {

/// A prefix of names here, and the same prefix in transformers.
struct NameBeginning {
  std::string_view ours, theirs;
};

/// Names of members of config.json; empty: the family lacks the member.
struct ConfigMembers {
  const char *layers, *d_model, *heads, *ffn, *token_types, *activation, *dropout,
      *attention_dropout;
};

struct HuggingFaceFamily {
  const char* model_type;   // "bert"
  const char* tokenizer;    // class of the tokenizer; DistilBERT's gives no token types
  const char* prefix;       // prefix of the encoder's weights in a model with heads: "bert."
  std::string_view layers;  // "bert.encoder.layer."; layers count from 0
  std::span<const char* const> unprefixed;  // first parts of names in a model without heads
  std::span<const NameBeginning> names, layer_names;
  const char *tied_weight, *tied_bias;  // copies of the word embedding and of mlm.bias; or ""
  ConfigMembers members;
};

/// Returns the family of an encoder. BERT (Devlin et al., 2019) has token types, DistilBERT (Sanh
/// et al., arXiv 1910.01108) has none.
const HuggingFaceFamily& family_of(const EncoderOptions& options);

/// Returns the family with this `model_type`, or null.
const HuggingFaceFamily* find_family(const std::string& model_type);

/// Returns "bert or distilbert".
std::string family_names();

/// Returns the name in transformers of the weight `ours`, which uses the modules' names of
/// models/heads.h. A weight that the family lacks gets "rethink." and our name.
std::string huggingface_name(const HuggingFaceFamily& family, const std::string& ours);

/// Prefix of names of weights that transformers lacks.
constexpr const char* kOwnWeights = "rethink.";

}  // namespace rethink
