#include "core/format/tokenizer_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <unordered_map>

#include "core/error.h"
#include "core/files/named_file.h"
#include "core/format/file_kind.h"
#include "core/format/tokenizer_folder.h"

namespace rethink {
namespace {

constexpr std::array<std::string_view, 25> kWhiteSpace = {
    " ",      "\t",     "\n",     "\v",     "\f",     "\r",     "\xC2\x85", "\xC2\xA0", "\u1680",
    "\u2000", "\u2001", "\u2002", "\u2003", "\u2004", "\u2005", "\u2006",   "\u2007",   "\u2008",
    "\u2009", "\u200A", "\u2028", "\u2029", "\u202F", "\u205F", "\u3000"};

std::string short_json(const Json& value) {
  const std::string text = value.dump(-1, ' ', false, Json::error_handler_t::replace);
  return text.size() <= 100 ? text : text.substr(0, 100) + "...";
}

/// Whether `part` is null, which means "none", and not missing.
bool says_none(const Json& json, const char* part) {
  return json.contains(part) && json.at(part).is_null();
}

bool is_bert_special(const std::string& piece) {
  return std::ranges::find(kBertSpecials, piece) != kBertSpecials.end();
}

/// A part of a TemplateProcessing.
Json special_part(const char* special, int type) {
  return {{"SpecialToken", {{"id", special}, {"type_id", type}}}};
}

Json text_part(const char* text, int type) {
  return {{"Sequence", {{"id", text}, {"type_id", type}}}};
}

/// The last id of each piece.
std::unordered_map<std::string_view, size_t> ids_of(const std::vector<std::string>& pieces) {
  std::unordered_map<std::string_view, size_t> ids;
  for (size_t id = 0; id < pieces.size(); ++id) {
    if (!pieces[id].empty()) ids[pieces[id]] = id;
  }
  return ids;
}

}  // namespace

std::string_view without_trailing_space(std::string_view text) {
  for (;;) {
    const auto space = std::ranges::find_if(
        kWhiteSpace, [&](std::string_view one) { return text.ends_with(one); });
    if (space == kWhiteSpace.end()) return text;
    text.remove_suffix(space->size());
  }
}

const Json& member_or_null(const Json& object, const char* name) {
  static const Json kNull;
  return object.is_object() && object.contains(name) ? object.at(name) : kNull;
}

TokenizerJson::TokenizerJson(std::filesystem::path file)
    : file_(std::move(file)), json_(read_json_object(file_)), lower_case_(checked_lower_case()) {
  require_kind("pre_tokenizer", member_or_null(json_, "pre_tokenizer"), "BertPreTokenizer");
  require_model();
  require_added_tokens();
  require_post_processor();
}

bool TokenizerJson::has_pieces() const {
  return !member_or_null(member_or_null(json_, "model"), "vocab").is_null();
}

std::vector<std::string> TokenizerJson::pieces() const {
  std::vector<std::string> all = whole_pieces();
  for (std::string& piece : all) {
    const bool is_in_no_text =
        piece.find('\n') != std::string::npos || without_trailing_space(piece) != piece;
    if (is_in_no_text) piece.clear();
  }
  return all;
}

std::vector<std::string> TokenizerJson::whole_pieces() const {
  const Json& vocabulary = member_or_null(member_or_null(json_, "model"), "vocab");
  if (!vocabulary.is_object() || vocabulary.empty()) {
    throw ConfigError("unsupported-tokenizer",
                      fmt::format("{}: model.vocab is {}, expected pieces and their ids",
                                  file_.string(), vocabulary.is_object() ? "empty" : "missing"));
  }
  std::vector<std::string> all;
  for (const auto& [piece, id] : vocabulary.items())
    add(piece, id, 2 * vocabulary.size() + 1000, all);
  for (const Json& token : member_or_null(json_, "added_tokens"))
    add(token.at("content"), member_or_null(token, "id"), all.size() + 1000, all);
  return all;
}

void TokenizerJson::require_same_ids(const std::vector<std::string>& lines) const {
  std::vector<std::string> own = whole_pieces();
  for (std::string& piece : own) {
    const bool is_in_no_line = piece.find('\n') != std::string::npos;
    piece = is_in_no_line ? "" : std::string(without_trailing_space(piece));
  }
  const auto here = ids_of(own), there = ids_of(lines);
  std::string_view other;
  for (const auto* ids : {&here, &there}) {
    for (const auto& [piece, id] : *ids) {
      const auto found_here = here.find(piece), found_there = there.find(piece);
      const bool is_same = found_here != here.end() && found_there != there.end() &&
                           found_here->second == found_there->second;
      if (!is_same && (other.empty() || piece < other)) other = piece;
    }
  }
  if (other.empty()) return;
  const auto told = [&](const auto& ids) {
    const auto found = ids.find(other);
    return found == ids.end() ? std::string("no id") : fmt::format("id {}", found->second);
  };
  throw ConfigError(
      "unsupported-tokenizer",
      fmt::format(
          "{}: piece '{}' has {}, but {} in vocab.txt beside it: both must hold one vocabulary; "
          "transformers reads tokenizer.json; delete the file that the weights were not trained "
          "with",
          file_.string(), other, told(here), told(there)));
}

void TokenizerJson::refuse(const std::string& name, const Json& got,
                           const std::string& expected) const {
  const bool has_text = is_regular_file_there(file_.parent_path() / "vocab.txt");
  throw ConfigError(
      "unsupported-tokenizer",
      fmt::format(
          "{}: {} is {}, expected {}: only BERT's own tokenizer is read, and the ids of this "
          "file's "
          "tokenizer differ; if the weights were trained with BERT's, {}",
          file_.string(), name, short_json(got), expected,
          has_text
              ? "delete this file, so that vocab.txt is read"
              : "save their vocabulary as vocab.txt, one piece per line, and delete this file"));
}

/// A missing member or null stands for the default, which is `only`.
void TokenizerJson::allow(const std::string& name, const Json& got, const Json& only) const {
  if (!got.is_null() && got != only) refuse(name, got, short_json(only));
}

void TokenizerJson::require_kind(const char* part, const Json& found, const char* only) const {
  if (says_none(json_, part)) refuse(part, found, only);
  if (found.is_null()) return;
  if (!found.is_object()) refuse(part, found, only);
  const Json& type = member_or_null(found, "type");
  if (type != only) refuse(fmt::format("{}.type", part), type, Json(only).dump());
}

std::optional<bool> TokenizerJson::checked_lower_case() const {
  // The model's type is checked first, since it explains all other differences.
  allow("model.type", member_or_null(member_or_null(json_, "model"), "type"), "WordPiece");
  const Json* normalizer = &member_or_null(json_, "normalizer");
  if (member_or_null(*normalizer, "type") == "Sequence") {
    const Json& parts = member_or_null(*normalizer, "normalizers");
    if (!parts.is_array() || parts.size() != 1) refuse("normalizer", *normalizer, "BertNormalizer");
    normalizer = &parts[0];
    if (normalizer->is_null()) refuse("normalizer", *normalizer, "BertNormalizer");
  }
  require_kind("normalizer", *normalizer, "BertNormalizer");
  if (normalizer->is_null()) return std::nullopt;
  const Json& said = member_or_null(*normalizer, "lowercase");
  if (!said.is_null() && !said.is_boolean()) refuse("normalizer.lowercase", said, "true or false");
  const bool lower_case = said.is_null() || said.get<bool>();
  allow("normalizer.clean_text", member_or_null(*normalizer, "clean_text"), true);
  allow("normalizer.handle_chinese_chars", member_or_null(*normalizer, "handle_chinese_chars"),
        true);
  allow("normalizer.strip_accents", member_or_null(*normalizer, "strip_accents"), lower_case);
  return lower_case;
}

void TokenizerJson::require_model() const {
  const Json& model = member_or_null(json_, "model");
  const std::pair<const char*, Json> defaults[] = {{"unk_token", "[UNK]"},
                                                   {"continuing_subword_prefix", "##"},
                                                   {"max_input_chars_per_word", 100}};
  for (const auto& [name, only] : defaults)
    allow(std::string("model.") + name, member_or_null(model, name), only);
}

/// Added tokens are split off a text before any other step.
void TokenizerJson::require_added_tokens() const {
  for (const Json& token : member_or_null(json_, "added_tokens")) {
    const Json& content = member_or_null(token, "content");
    if (!content.is_string() || !is_bert_special(content))
      refuse("an added token", content, "BERT's special tokens alone");
    const std::string name = fmt::format("of the added token {}, ", content.get<std::string>());
    for (const char* flag : {"single_word", "normalized"})
      allow(name + flag, member_or_null(token, flag), false);
    const Json& id = member_or_null(token, "id");
    const Json& own = member_or_null(member_or_null(member_or_null(json_, "model"), "vocab"),
                                     content.get_ref<const std::string&>().c_str());
    if (!own.is_null() && own != id) refuse(name + "id", id, own.dump() + " as in model.vocab");
  }
}

/// Null if neither the vocabulary nor the added tokens have the piece.
Json TokenizerJson::id_of(const std::string& special) const {
  const Json& vocabulary = member_or_null(member_or_null(json_, "model"), "vocab");
  if (vocabulary.is_object() && vocabulary.contains(special)) return vocabulary.at(special);
  for (const Json& token : member_or_null(json_, "added_tokens"))
    if (member_or_null(token, "content") == special) return member_or_null(token, "id");
  return {};
}

void TokenizerJson::require_post_processor() const {
  const Json& found = member_or_null(json_, "post_processor");
  const char* expected = "[CLS] A [SEP] and [CLS] A [SEP] B [SEP]";
  if (says_none(json_, "post_processor")) refuse("post_processor", found, expected);
  if (found.is_null()) return;
  const Json& type = member_or_null(found, "type");
  for (const auto& [name, special] : {std::pair("cls", "[CLS]"), std::pair("sep", "[SEP]")}) {
    const Json id = id_of(special);
    if (type == "BertProcessing") {
      const Json& pair = member_or_null(found, name);
      const bool is_theirs = pair.is_array() && pair.size() == 2 && pair[0] == special;
      if (!is_theirs || (!id.is_null() && pair[1] != id))
        refuse(std::string("post_processor.") + name, pair, Json({special, id}).dump());
    } else if (type == "TemplateProcessing") {
      const Json& tokens = member_or_null(found, "special_tokens");
      const Json& ids = member_or_null(member_or_null(tokens, special), "ids");
      if (!id.is_null() && ids != Json::array({id})) {
        refuse(fmt::format("post_processor.special_tokens.{}.ids", special), ids,
               Json::array({id}).dump());
      }
    } else {
      refuse("post_processor.type", type, "\"TemplateProcessing\" or \"BertProcessing\"");
    }
  }
  if (type != "TemplateProcessing") return;
  const Json single = {special_part("[CLS]", 0), text_part("A", 0), special_part("[SEP]", 0)};
  Json pair = single;
  pair.push_back(text_part("B", 1));
  pair.push_back(special_part("[SEP]", 1));
  if (member_or_null(found, "single") != single)
    refuse("post_processor.single", member_or_null(found, "single"), "[CLS]:0 A:0 [SEP]:0");
  if (member_or_null(found, "pair") != pair) {
    refuse("post_processor.pair", member_or_null(found, "pair"), "[CLS]:0 A:0 [SEP]:0 B:1 [SEP]:1");
  }
}

void TokenizerJson::add(const std::string& piece, const Json& id, size_t ids,
                        std::vector<std::string>& all) const {
  const auto refuse_id = [&](const std::string& expected) {
    throw ConfigError("unsupported-tokenizer",
                      fmt::format("{}: the id of piece '{}' is {}, expected {}", file_.string(),
                                  piece, id.is_null() ? "missing" : short_json(id), expected));
  };
  if (!id.is_number_unsigned() || id.get<uint64_t>() >= ids)
    refuse_id(fmt::format("a whole number below {}", ids));
  const size_t place = id.get<size_t>();
  if (place >= all.size()) all.resize(place + 1);
  if (!all[place].empty() && all[place] != piece)
    refuse_id(fmt::format("another one: piece '{}' has it", all[place]));
  all[place] = piece;
}

}  // namespace rethink
