// Refuses folders of pretrained weights that cannot be read as BERT's: adapters that are not merged (PEFT),
// tokenizers that are not WordPiece.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace rethink {

/// Throws ConfigError, with two lines of Python that merge the weights, if `folder` has an adapter
/// as PEFT saves it (adapter_config.json, adapter_model.safetensors) and no model.safetensors.
void refuse_adapter_weights(const std::filesystem::path& folder);

/// Returns a message, with two lines of Python that merge the weights, if `names` of tensors show
/// an adapter in a file of weights: "holds an unmerged adapter ..."; "" otherwise.
std::string trouble_with_adapter_names(const std::vector<std::string>& names);

/// Throws ConfigError, which names the tokenizer and the file that names it, in two cases. First,
/// the `tokenizer_class` of tokenizer_config.json, else of config.json, is unknown or splits text
/// in another way than BertTokenizer, although a vocab.txt looks like BERT's. Second, the folder
/// has a BPE or SentencePiece vocabulary and neither vocab.txt nor tokenizer.json. A file that is
/// not JSON is left to its other readers.
void require_word_pieces(const std::filesystem::path& folder);

}  // namespace rethink
