// Refuses folders of pretrained weights that cannot be read as BERT's: adapters that are not merged (PEFT),
// tokenizers that are not WordPiece.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace rethink {

/// Throws ConfigError, with two lines of Python that merge them, where `folder` holds an adapter as
/// PEFT saves it (adapter_config.json, adapter_model.safetensors) and no model.safetensors.
void refuse_adapter_weights(const std::filesystem::path& folder);

/// What `names` of tensors say about an adapter in a file of weights, with two lines of Python that
/// merge it: "holds an unmerged adapter ..."; "" where they say nothing.
std::string trouble_with_adapter_names(const std::vector<std::string>& names);

/// Throws ConfigError, which names the tokenizer and the file that says so, where the
/// `tokenizer_class` of tokenizer_config.json, else of config.json, is a class of transformers that
/// parts text otherwise than BertTokenizer, or an unknown one, although a vocab.txt reads like BERT's;
/// and where the folder holds a BPE or SentencePiece vocabulary and neither vocab.txt nor
/// tokenizer.json. A file that is not JSON is left to its other readers.
void require_word_pieces(const std::filesystem::path& folder);

}  // namespace rethink
