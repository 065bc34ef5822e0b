#include "core/tokenizer_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "core/counted.h"
#include "core/error.h"
#include "core/file.h"
#include "core/json.h"
#include "core/text_marks.h"

namespace rethink {
namespace {

constexpr const char* kTokenizerJson = "tokenizer.json";
constexpr const char* kTokenizerConfig = "tokenizer_config.json";
constexpr const char* kVocabularyText = "vocab.txt";

/// Unicode's White_Space, which HF tokenizers cuts off a line's end.
constexpr std::array<std::string_view, 25> kWhiteSpace = {
    " ",      "\t",     "\n",     "\v",     "\f",     "\r",     "\xC2\x85", "\xC2\xA0", "\u1680",
    "\u2000", "\u2001", "\u2002", "\u2003", "\u2004", "\u2005", "\u2006",   "\u2007",   "\u2008",
    "\u2009", "\u200A", "\u2028", "\u2029", "\u202F", "\u205F", "\u3000"};

std::string_view without_trailing_space(std::string_view text) {
  for (;;) {
    const auto space = std::ranges::find_if(
        kWhiteSpace, [&](std::string_view one) { return text.ends_with(one); });
    if (space == kWhiteSpace.end()) return text;
    text.remove_suffix(space->size());
  }
}

/// Capital letters of the Latin, Greek, Cyrillic and Armenian alphabets. The choice is part of a
/// trial's identity, so that it may not depend on a library's version of Unicode.
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

/// [UNK], [unused1], and <S> and <T> in Chinese vocabularies that lower-case: not of texts.
bool is_bracketed(std::string_view piece) {
  return (piece.starts_with('[') && piece.ends_with(']')) ||
         (piece.starts_with('<') && piece.ends_with('>'));
}

Json read_tokenizer_object(const std::filesystem::path& file) {
  Json json = read_json(file);
  if (!json.is_object()) throw ConfigError(file.string() + ": got no JSON object");
  return json;
}

/// Member `name` of `object`; null when it is missing.
const Json& member(const Json& object, const char* name) {
  static const Json kNull;
  return object.is_object() && object.contains(name) ? object.at(name) : kNull;
}

/// Reads a tokenizer.json; refuses what BERT's tokenizer does not do.
class TokenizerJson {
 public:
  explicit TokenizerJson(std::filesystem::path file)
      : file_(std::move(file)), json_(read_tokenizer_object(file_)) {}

  /// None where the normalizer says nothing.
  std::optional<bool> lower_case() const { return lower_case_of(member(json_, "normalizer")); }

  std::vector<std::string> pieces() const {
    const Json& model = member(json_, "model");
    allow("model.type", member(model, "type"), "WordPiece");
    allow("model.unk_token", member(model, "unk_token"), "[UNK]");
    allow("model.continuing_subword_prefix", member(model, "continuing_subword_prefix"), "##");
    allow("model.max_input_chars_per_word", member(model, "max_input_chars_per_word"), 100);
    allow("normalizer.type", member(member(json_, "normalizer"), "type"), "BertNormalizer");
    allow("pre_tokenizer.type", member(member(json_, "pre_tokenizer"), "type"), "BertPreTokenizer");
    lower_case();
    const Json& vocabulary = member(model, "vocab");
    if (!vocabulary.is_object() || vocabulary.empty())
      refuse("model.vocab", vocabulary.is_object() ? vocabulary : Json(), "pieces and their ids");
    std::vector<std::string> all;
    for (const auto& [piece, id] : vocabulary.items())
      add(piece, id, 2 * vocabulary.size() + 1000, all);
    add_specials(all);
    return all;
  }

 private:
  [[noreturn]] void refuse(const std::string& name, const Json& got,
                           const std::string& expected) const {
    throw ConfigError(fmt::format("{}: {} is {}, expected {}", file_.string(), name,
                                  got.is_null() ? "missing" : short_text(got), expected));
  }

  static std::string short_text(const Json& value) {
    const std::string text = value.dump(-1, ' ', false, Json::error_handler_t::replace);
    return text.size() <= 100 ? text : text.substr(0, 100) + "...";
  }

  /// A missing member or null has the default, which is `only`.
  void allow(const std::string& name, const Json& got, const Json& only) const {
    if (!got.is_null() && got != only) refuse(name, got, only.dump() + ": nothing else is done");
  }

  std::optional<bool> lower_case_of(const Json& normalizer) const {
    const Json& type = member(normalizer, "type");
    if (type == "Sequence") {
      std::optional<bool> found;
      for (const Json& part : member(normalizer, "normalizers")) {
        const std::optional<bool> one = lower_case_of(part);
        if (one) found = found.value_or(false) || *one;
      }
      return found;
    }
    if (type == "Lowercase") return true;
    if (type != "BertNormalizer") return normalizer.is_null() ? std::nullopt : std::optional(false);
    const Json& lower_case = member(normalizer, "lowercase");
    if (!lower_case.is_null() && !lower_case.is_boolean())
      refuse("normalizer.lowercase", lower_case, "true or false");
    allow("normalizer.clean_text", member(normalizer, "clean_text"), true);
    allow("normalizer.handle_chinese_chars", member(normalizer, "handle_chinese_chars"), true);
    allow("normalizer.strip_accents", member(normalizer, "strip_accents"),
          lower_case.is_null() ? Json(true) : lower_case);
    return lower_case.is_null() || lower_case.get<bool>();
  }

  /// A piece with white space that a vocab.txt cannot keep is left out: no text has it.
  void add(const std::string& piece, const Json& id, size_t ids,
           std::vector<std::string>& all) const {
    if (!id.is_number_unsigned() || id.get<uint64_t>() >= ids) {
      refuse(fmt::format("the id of piece '{}'", piece), id,
             fmt::format("a whole number below {}", ids));
    }
    const size_t place = id.get<size_t>();
    if (place >= all.size()) all.resize(place + 1);
    if (piece.find('\n') != std::string::npos || without_trailing_space(piece) != piece) return;
    if (!all[place].empty() && all[place] != piece)
      refuse(fmt::format("the id of piece '{}'", piece), id,
             fmt::format("another one: piece '{}' has it", all[place]));
    all[place] = piece;
  }

  /// Special tokens that stand among the added tokens alone.
  void add_specials(std::vector<std::string>& all) const {
    for (const Json& token : member(json_, "added_tokens")) {
      const Json& content = member(token, "content");
      const bool is_special =
          content.is_string() &&
          std::ranges::find(kBertSpecials, content.get<std::string>()) != kBertSpecials.end();
      if (is_special) {
        add(content, member(token, "id"), all.size() + 1000, all);
      } else if (!content.is_string() || !content.get<std::string>().starts_with('[')) {
        refuse("an added token", content, "BERT's special tokens alone: nothing else is done");
      }
    }
  }

  const std::filesystem::path file_;
  const Json json_;
};

bool is_file(const std::filesystem::path& path) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(path, ignored);
}

/// do_lower_case of tokenizer_config.json; null where it is not said.
Json said_in_config(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / kTokenizerConfig;
  return is_file(file) ? member(read_tokenizer_object(file), "do_lower_case") : Json();
}

/// What a vocabulary's capitals say about its tokenizer.
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

}  // namespace

TokenizerVocabulary vocabulary_in_text(std::string_view text, const std::filesystem::path& file) {
  TokenizerVocabulary vocabulary{.file = file, .pieces = {}, .note = ""};
  if (text.starts_with(kByteOrderMark)) {
    text.remove_prefix(kByteOrderMark.size());
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
  if (!is_file(file)) {
    throw ConfigError(fmt::format("{}: got no such file, expected a vocab.txt or a tokenizer.json",
                                  file.string()));
  }
  if (file.extension() != ".json") return vocabulary_in_text(read_file(file), file);
  return {.file = file, .pieces = TokenizerJson(file).pieces(), .note = ""};
}

TokenizerVocabulary read_vocabulary(const std::filesystem::path& folder) {
  const bool is_in_json = !is_file(folder / kVocabularyText) && is_file(folder / kTokenizerJson);
  return read_vocabulary_file(folder / (is_in_json ? kTokenizerJson : kVocabularyText));
}

TokenizerCasing read_casing(const std::filesystem::path& folder) {
  if (const Json said = said_in_config(folder); said.is_boolean())
    return {.lower_case = said, .source = CasingSource::tokenizer_config, .note = ""};
  if (is_file(folder / kTokenizerJson)) {
    if (const auto said = TokenizerJson(folder / kTokenizerJson).lower_case())
      return {.lower_case = *said, .source = CasingSource::tokenizer_json, .note = ""};
  }
  if (!is_file(folder / kVocabularyText) && !is_file(folder / kTokenizerJson)) return {};
  return casing_by_capitals(read_vocabulary(folder));
}

}  // namespace rethink
