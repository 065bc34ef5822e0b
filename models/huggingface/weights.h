// Loading and saving of encoders' weights in Hugging Face's format: pretrained models load here,
// and models trained here load in transformers. A folder has config.json
// (models/huggingface/config.h), model.safetensors, vocab.txt and tokenizer_config.json.
//
// Ours -> theirs, with the modules' names of models/heads.h:
//   encoder.embedding.weight               bert.embeddings.word_embeddings.weight
//   encoder.layers.1.attention.query.bias  bert.encoder.layer.0.attention.self.query.bias
//   encoder.layers.1.ffn_in.weight         bert.encoder.layer.0.intermediate.dense.weight
//   mlm.dense.weight                       cls.predictions.transform.dense.weight
// and so on (models/huggingface/family.h, for DistilBERT too). A weight that the family lacks, such
// as a mask's scores or a second projection, gets "rethink." and our name. The masked-language head
// shares the word embedding's weight, which is written once.
#pragma once

#include <torch/nn/module.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "models/huggingface/config.h"
#include "models/huggingface/wrapped_names.h"
#include "models/tensors/tensor_file.h"

namespace rethink {

/// Parts that only the model or only the file has, and what was done with them.
struct LoadedWeights {
  LeftOut left_out;                // parts that were removed from names in the file
  std::vector<std::string> fresh;  // heads and variants' own weights that keep their initial values
  std::vector<std::string> unused;  // tensors of the file that the model lacks
};

/// Fills `model` with the weights in `folder`/model.safetensors, and returns what did not match.
/// config.json names the family, which decides the names of weights.
///
/// - The prefix "bert." is optional. LayerNorm's gamma and beta of old files are known. position_ids
///   is ignored. float16 and bfloat16 are converted to float32.
/// - Parts of names that wrappers of modules add to all names are removed
///   (models/huggingface/wrapped_names.h). If only some names have such a part, or only some weights
///   of the encoder have the prefix, the file is refused.
/// - The encoder must be complete. A head must be complete or missing.
///
/// Throws ConfigError with everything that is missing or has a wrong shape or type, and for NaN or
/// infinite weights; `model` is then unchanged. Throws MachineError if the file cannot be read.
LoadedWeights load_huggingface(const std::filesystem::path& folder, torch::nn::Module& model);

/// Throws ConfigError if `folder` has fewer weights than its config.json, `facts`, says. Without
/// this check a model of the claimed size might exhaust the memory before load_huggingface could
/// refuse the file. Cost: reads no weights.
void require_sizes(const std::filesystem::path& folder, const EncoderFolder& facts);

/// Returns the heads (models/heads.h) in the file of `folder` with their numbers of outputs:
/// {"pooler", D}, {"mlm", V}, {"classifier", C}, ... Throws as load_huggingface.
std::map<std::string, int64_t> heads_in(const std::filesystem::path& folder);

/// Writes model.safetensors, config.json and tokenizer_config.json. `weights` have our names
/// (weights_of); floats are written as float32. The caller writes vocab.txt. Throws MachineError.
void save_huggingface(const std::filesystem::path& folder, const EncoderFolder& facts,
                      const TensorsByName& weights);

}  // namespace rethink
