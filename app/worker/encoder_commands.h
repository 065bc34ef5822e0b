// Commands on an encoder's folder: `rethink-worker encode` and `import`.
#pragma once

#include <string>
#include <vector>

namespace rethink {

/// Writes an encoder's states for lines of text: `rethink-worker encode DIR [--in FILE] --out
/// FILE`. Reads lines (a tab separates a pair) and writes a safetensors file:
///
///   input_ids, token_type_ids, attention_mask  i64 [N,n]    n = the longest sequence
///   hidden_states.0 ... hidden_states.L        f32 [N,n,d]  0 = the embeddings
///   pooler_output                              f32 [N,d]    if the model has a pooler
///
/// Texts longer than the model's positions are cut, the longer text of a pair first. Throws
/// ConfigError for invalid words, folders or files. Cost: all results are in memory at once.
int run_encode(const std::vector<std::string>& words);

/// Imports an encoder as a starting point of sweeps: `rethink-worker import DIR --out DIR`. Checks the folder of a BERT
/// or DistilBERT of transformers and writes it in our form, for `init: {file: DIR}`; with `--layers 2,4,6` or
/// `--distilbert` only a part of it (models/huggingface/reduced_encoder.h). Prints a description. Throws ConfigError
/// for an incomplete folder or an encoder that is not implemented, and if the new folder is not empty.
int run_import(const std::vector<std::string>& words);

}  // namespace rethink
