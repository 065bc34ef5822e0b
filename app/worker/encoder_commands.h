// Commands on an encoder's folder: `rethink-worker encode` and `import`.
#pragma once

#include <string>
#include <vector>

namespace rethink {

/// What an encoder makes of lines of text: `rethink-worker encode DIR [--in FILE] --out FILE`. Reads
/// lines (a tab parts a pair) and writes a safetensors file:
///
///   input_ids, token_type_ids, attention_mask  i64 [N,n]    n = the longest sequence
///   hidden_states.0 ... hidden_states.L        f32 [N,n,d]  0 = the embeddings
///   pooler_output                              f32 [N,d]    where the model has a pooler
///
/// Texts longer than the model's positions are cut, the longer of a pair first. Throws ConfigError
/// for words, a folder or a file that it cannot use. Cost: all results are in memory at once.
int run_encode(const std::vector<std::string>& words);

/// Encoders of others become the starting points of sweeps: `rethink-worker import DIR --out DIR`.
/// Checks the folder of a BERT or DistilBERT of transformers that `words` name and writes it as ours
/// are written, for `init: {file: DIR}`, with `--layers 2,4,6` or `--distilbert` a part of it
/// (models/huggingface/reduced_encoder.h); prints what it is. Throws ConfigError for a folder that is not whole or not
/// implemented, and when the new folder holds something already.
int run_import(const std::vector<std::string>& words);

}  // namespace rethink
