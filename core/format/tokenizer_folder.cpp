#include "core/format/tokenizer_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "core/error.h"
#include "core/files/named_file.h"
#include "core/format/file_kind.h"
#include "core/format/pretrained_folder.h"
#include "core/format/tokenizer_json.h"
#include "core/json.h"
#include "core/message.h"
#include "core/text.h"

namespace rethink {
namespace {

constexpr const char* kTokenizerJson = "tokenizer.json";
constexpr const char* kTokenizerConfig = "tokenizer_config.json";
constexpr const char* kVocabularyText = "vocab.txt";

/// Capital letters of the Latin, Greek, Cyrillic and Armenian alphabets. The list is part of a
/// trial's identity, so it must not depend on a library's version of Unicode.
bool is_capital(uint32_t c) {
  return (c >= 'A' && c <= 'Z') || (c >= 0xC0 && c <= 0xDE && c != 0xD7) ||
         (c >= 0x391 && c <= 0x3A9) || (c >= 0x400 && c <= 0x42F) || (c >= 0x531 && c <= 0x556);
}

/// Only characters of up to two bytes can be capitals here.
bool has_capital(std::string_view text) {
  for (size_t at = 0; at < text.size(); ++at) {
    const auto byte = static_cast<uint8_t>(text[at]);
    const bool is_pair = (byte & 0xE0) == 0xC0 && at + 1 < text.size();
    const uint32_t c =
        is_pair ? (byte & 0x1Fu) << 6 | (static_cast<uint8_t>(text[at + 1]) & 0x3Fu) : byte;
    if ((byte < 0x80 || is_pair) && is_capital(c)) return true;
  }
  return false;
}

/// [UNK], [unused1], and <S> and <T> in Chinese vocabularies that lower-case: such pieces are not
/// from texts.
bool is_bracketed(std::string_view piece) {
  return (piece.starts_with('[') && piece.ends_with(']')) ||
         (piece.starts_with('<') && piece.ends_with('>'));
}

/// do_lower_case of tokenizer_config.json; nothing if the file lacks it. BERT's classes of
/// transformers prefer it to the normalizer in tokenizer.json. The two classes below ignore it, so
/// both files must agree.
std::optional<bool> said_in_config(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / kTokenizerConfig;
  if (!is_regular_file_there(file)) return std::nullopt;
  const Json config = read_json_object(file);
  const Json& said = member_or_null(config, "do_lower_case");
  if (!said.is_boolean()) return std::nullopt;
  const Json& its_class = member_or_null(config, "tokenizer_class");
  const bool reads_json_alone =
      its_class == "PreTrainedTokenizerFast" || its_class == "TokenizersBackend";
  if (!reads_json_alone || !is_regular_file_there(folder / kTokenizerJson)) return said.get<bool>();
  const auto normalizer = TokenizerJson(folder / kTokenizerJson).lower_case();
  if (normalizer && *normalizer != said) {
    throw ConfigError(
        "unsupported-tokenizer",
        fmt::format(
            "{}: do_lower_case is {}, but the normalizer in tokenizer.json says lowercase {}, "
            "which a {} follows; set do_lower_case as in training, and tokenizer_class to "
            "BertTokenizer",
            file.string(), said.dump(), *normalizer, its_class.get<std::string>()));
  }
  return said.get<bool>();
}

/// Refuses tokens other than BERT's in a file beside the vocabulary.
class TokensBeside {
 public:
  explicit TokensBeside(std::filesystem::path file) : file_(std::move(file)) {}

  /// tokenizer_config.json or special_tokens_map.json.
  void require_special_names() const {
    const Json json = read_json_object(file_);
    for (const std::string_view special : kBertSpecials) {
      // "[PAD]" is pad_token.
      std::string name = std::string(special.substr(1, special.size() - 2)) + "_token";
      std::ranges::transform(name, name.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
      });
      const Json& value = member_or_null(json, name.c_str());
      const Json& content = value.is_object() ? member_or_null(value, "content") : value;
      if (!content.is_null() && content != special) refuse(name, content, std::string(special));
    }
    for (const char* name :
         {"additional_special_tokens", "extra_special_tokens", "added_tokens_decoder"}) {
      for (const Json& value : member_or_null(json, name))
        require_special(name, value.is_object() ? member_or_null(value, "content") : value);
    }
  }

  /// added_tokens.json: ids by token.
  void require_special_keys() const {
    const Json json = read_json_object(file_);
    for (const auto& [token, id] : json.items()) require_special("a token", token);
  }

 private:
  void require_special(const std::string& name, const Json& token) const {
    if (!token.is_string() || std::ranges::count(kBertSpecials, token.get<std::string>()) == 0)
      refuse(name, token, "BERT's special tokens alone");
  }

  [[noreturn]] void refuse(const std::string& name, const Json& got,
                           const std::string& expected) const {
    throw ConfigError(
        "unsupported-tokenizer",
        fmt::format(
            "{}: {} is {}, expected {}: only BERT's own tokenizer is read, and the ids of a "
            "tokenizer "
            "with other tokens differ; remove the token if the weights were trained without it",
            file_.string(), name, got.dump(-1, ' ', false, Json::error_handler_t::replace),
            expected));
  }

  const std::filesystem::path file_;
};

void require_bert_tokens(const std::filesystem::path& folder) {
  for (const char* name : {kTokenizerConfig, "special_tokens_map.json"})
    if (is_regular_file_there(folder / name)) TokensBeside(folder / name).require_special_names();
  if (is_regular_file_there(folder / "added_tokens.json"))
    TokensBeside(folder / "added_tokens.json").require_special_keys();
}

/// Derives the casing from the capitals in the vocabulary.
TokenizerCasing casing_by_capitals(const TokenizerVocabulary& vocabulary) {
  size_t count = 0;
  std::string first;
  for (const std::string& piece : vocabulary.pieces) {
    if (is_bracketed(piece) || !has_capital(piece)) continue;
    if (count++ == 0) first = piece;
  }
  if (count == 0) return {};
  return {.lower_case = false,
          .source = CasingSource::vocabulary,
          .note = fmt::format("{}: {} with capitals, such as '{}', so that text keeps its case: no "
                              "other file says whether it does; write do_lower_case, true or "
                              "false, into {} to say it",
                              vocabulary.file.string(), counted(count, "piece"), first,
                              kTokenizerConfig)};
}

/// Looks for a brace, white space and a quoted letter: a vocabulary has one piece per line.
bool begins_json_object(std::string_view text) {
  constexpr std::string_view kWhite = " \t\r\n";
  size_t at = text.find_first_not_of(kWhite);
  if (at == std::string_view::npos || text[at] != '{') return false;
  at = text.find_first_not_of(kWhite, at + 1);
  return at != std::string_view::npos && text[at] == '"' && at + 1 < text.size() &&
         kWhite.find(text[at + 1]) == std::string_view::npos;
}

}  // namespace

TokenizerVocabulary vocabulary_in_text(std::string_view text, const std::filesystem::path& file) {
  TokenizerVocabulary vocabulary{.file = file, .pieces = {}, .note = "", .lower_case = {}};
  if (text.starts_with(kByteOrderMark)) {
    text = without_byte_order_marks(text);
    vocabulary.note = file.string() + ": the byte order mark at its beginning is left out";
  }
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    vocabulary.pieces.emplace_back(without_trailing_space(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  while (!vocabulary.pieces.empty() && vocabulary.pieces.back().empty())
    vocabulary.pieces.pop_back();
  return vocabulary;
}

TokenizerVocabulary read_vocabulary_file(const std::filesystem::path& file) {
  refuse_dangling_link(file);
  if (!is_readable_there(file)) {
    throw ConfigError("file-missing",
                      fmt::format("{}: got no such file, expected a vocab.txt or a tokenizer.json",
                                  file.string()));
  }
  const bool has_name = is_regular_file_there(file);  // a pipe's name does not tell its content
  if (file.extension() != ".json") {
    const std::string text = read_expected(file, ExpectedFile::vocabulary);
    if (has_name || !begins_json_object(text)) return vocabulary_in_text(text, file);
  }
  const TokenizerJson json(file);
  return {.file = file, .pieces = json.pieces(), .note = "", .lower_case = json.lower_case()};
}

TokenizerVocabulary read_vocabulary(const std::filesystem::path& folder) {
  require_word_pieces(folder);
  require_bert_tokens(folder);
  const bool has_json = is_regular_file_there(folder / kTokenizerJson);
  if (has_json && !is_regular_file_there(folder / kVocabularyText))
    return read_vocabulary_file(folder / kTokenizerJson);
  TokenizerVocabulary vocabulary = read_vocabulary_file(folder / kVocabularyText);
  if (!has_json) return vocabulary;
  const TokenizerJson json(folder / kTokenizerJson);
  if (!json.has_pieces()) return vocabulary;
  json.require_same_ids(vocabulary.pieces);
  // "a\u3000" becomes a second "a" in vocab.txt, whose id would win there.
  vocabulary.pieces = json.pieces();
  return vocabulary;
}

TokenizerCasing read_casing(const std::filesystem::path& folder) {
  if (const auto said = said_in_config(folder))
    return {.lower_case = *said, .source = CasingSource::tokenizer_config, .note = ""};
  if (is_regular_file_there(folder / kTokenizerJson)) {
    if (const auto said = TokenizerJson(folder / kTokenizerJson).lower_case())
      return {.lower_case = *said, .source = CasingSource::tokenizer_json, .note = ""};
  }
  if (!is_regular_file_there(folder / kVocabularyText) &&
      !is_regular_file_there(folder / kTokenizerJson))
    return {};
  return casing_by_capitals(read_vocabulary(folder));
}

}  // namespace rethink
