// The tokenizer in a folder of a BERT as transformers saves it: its vocabulary (vocab.txt, else
// tokenizer.json) and whether it lower-cases text.
#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rethink {

/// BERT's special tokens. A vocabulary may lack the last, [MASK], if nothing is masked.
inline constexpr std::array<std::string_view, 5> kBertSpecials = {"[PAD]", "[UNK]", "[CLS]",
                                                                  "[SEP]", "[MASK]"};

struct TokenizerVocabulary {
  std::filesystem::path file;
  std::vector<std::string> pieces;  // in the order of their ids; "" where an id has no piece
  std::string note;                 // what a user should know about the file; "" if nothing
  std::optional<bool> lower_case;   // what a tokenizer.json says of its text
};

/// Returns the vocabulary in the text of a vocab.txt, as HF tokenizers reads it: one piece per
/// line, whose id is the line's number from 0. Only LF or CRLF ends a line. White space at the end
/// of a line is removed. A byte order mark, which HF keeps as a part of the first piece, is dropped
/// and noted. Empty lines at the end are dropped, since no text has their ids.
TokenizerVocabulary vocabulary_in_text(std::string_view text, const std::filesystem::path& file);

/// Returns the vocabulary in a file: a tokenizer.json if its name ends with .json, else a
/// vocab.txt. Throws ConfigError if the file is missing, and for a tokenizer.json whose tokenizer
/// is not BERT's.
TokenizerVocabulary read_vocabulary_file(const std::filesystem::path& file);

/// Returns the vocabulary of `folder`: vocab.txt or, without it, tokenizer.json. Throws ConfigError
/// as above and as require_word_pieces; if a tokenizer.json beside vocab.txt is not of BERT's
/// tokenizer or has other ids; and if tokenizer_config.json, special_tokens_map.json or
/// added_tokens.json add or rename special tokens.
TokenizerVocabulary read_vocabulary(const std::filesystem::path& folder);

enum class CasingSource { tokenizer_config, tokenizer_json, vocabulary, none };

struct TokenizerCasing {
  bool lower_case = true;
  CasingSource source = CasingSource::none;
  std::string note;  // what a user should know about it; "" if nothing
};

/// Returns whether the tokenizer of `folder` lower-cases: by do_lower_case in
/// tokenizer_config.json, else by the normalizer in tokenizer.json. If neither file decides, the
/// vocabulary does: capitals in pieces other than [...] and <...> mean that the tokenizer keeps
/// case, which is noted. Without such pieces, or without a vocabulary, it lower-cases. Throws
/// ConfigError for files that are not JSON; for a tokenizer.json that decides but is not of BERT's
/// tokenizer; and for files that disagree, with a tokenizer_class that reads only tokenizer.json.
TokenizerCasing read_casing(const std::filesystem::path& folder);

}  // namespace rethink
