// Weights of encoders in Hugging Face's form: what others trained loads here, what is trained here
// loads in transformers. A folder holds config.json (models/huggingface/config.h),
// model.safetensors, vocab.txt and tokenizer_config.json.
//
// Ours -> theirs, with the modules' names of models/heads.h:
//   encoder.embedding.weight               bert.embeddings.word_embeddings.weight
//   encoder.layers.1.attention.query.bias  bert.encoder.layer.0.attention.self.query.bias
//   encoder.layers.1.ffn_in.weight         bert.encoder.layer.0.intermediate.dense.weight
//   mlm.dense.weight                       cls.predictions.transform.dense.weight
// and so on (models/huggingface/family.h, DistilBERT's too). What a family has not, a mask's scores
// or a second projection, keeps our name behind "rethink.". The masked-language head's tied weight
// is the word embedding: it is written once.
#pragma once

#include <torch/nn/module.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "models/huggingface/config.h"
#include "models/huggingface/wrapped_names.h"
#include "models/tensor_file.h"

namespace rethink {

/// What became of the parts of a model and of a file that do not stand in both.
struct LoadedWeights {
  LeftOut left_out;                 // of the names in the file
  std::vector<std::string> fresh;   // heads, or what a variant has beyond BERT: as they began
  std::vector<std::string> unused;  // tensors of the file
};

/// Fills `model` with the weights in `folder`/model.safetensors, named as those of the family in
/// its config.json are, with or without the prefix "bert.", LayerNorm's gamma and beta as in old
/// files, position_ids passed over, float16 and bfloat16 widened. What
/// wrappers of modules put before every name or within names is left out (models/huggingface/wrapped_names.h); before
/// some names only it is refused, as is the prefix before some weights of the encoder. The encoder must be
/// there whole; a head must be there whole or not at all.
///
/// Throws ConfigError with everything that is missing or of another shape or type, and for weights
/// that are NaN or infinite; nothing is changed then. MachineError when the file cannot be read.
LoadedWeights load_huggingface(const std::filesystem::path& folder, torch::nn::Module& model);

/// Throws ConfigError when the weights in `folder` are fewer than `facts`, its config.json, says: a
/// model of these sizes might take all memory before load_huggingface could refuse the file. Cost:
/// reads no weights.
void require_sizes(const std::filesystem::path& folder, const EncoderFolder& facts);

/// The heads (models/heads.h) that the file in `folder` has, and how many outputs each: {"pooler",
/// D}, {"mlm", V}, {"classifier", C}, ... Throws as load_huggingface.
std::map<std::string, int64_t> heads_in(const std::filesystem::path& folder);

/// Writes model.safetensors, config.json and tokenizer_config.json. `weights`: by our names
/// (weights_of), floats are written as float32. vocab.txt is the caller's. Throws MachineError.
void save_huggingface(const std::filesystem::path& folder, const EncoderFolder& facts,
                      const TensorsByName& weights);

}  // namespace rethink
