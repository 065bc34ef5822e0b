// What an encoder makes of lines of text: `rethink-worker encode DIR [--in FILE] --out FILE`.
#pragma once

#include <string>
#include <vector>

namespace rethink {

/// Reads lines (a tab parts a pair) and writes a safetensors file:
///
///   input_ids, token_type_ids, attention_mask  i64 [N,n]    n = the longest sequence
///   hidden_states.0 ... hidden_states.L        f32 [N,n,d]  0 = the embeddings
///   pooler_output                              f32 [N,d]    where the model has a pooler
///
/// Texts longer than the model's positions are cut, the longer of a pair first. Throws ConfigError
/// for words, a folder or a file that it cannot use. Cost: all results are in memory at once.
int run_encode(const std::vector<std::string>& words);

}  // namespace rethink
