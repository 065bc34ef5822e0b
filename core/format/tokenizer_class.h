// Refuses folders whose files say that their tokenizer is not BERT's WordPiece, although a vocab.txt
// in them reads like one.
#pragma once

#include <filesystem>
#include <string>

namespace rethink {

/// Throws ConfigError, which names the tokenizer and the file that says so, where the
/// `tokenizer_class` of tokenizer_config.json, else of config.json, is a class of transformers that
/// parts text otherwise than BertTokenizer, or an unknown one; and where the folder holds a BPE or
/// SentencePiece vocabulary and neither vocab.txt nor tokenizer.json. A file that is not JSON is left
/// to its other readers.
void require_word_pieces(const std::filesystem::path& folder);

}  // namespace rethink
