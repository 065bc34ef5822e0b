#include "core/format/tokenizer_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "core/format/tokenizer_folder.h"
#include "tests/support/temp_folder.h"

namespace rethink {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

const std::string kLines = "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nthe\n##s\n";

/// The file that tokenizers 0.23.3 writes for BERT's tokenizer, with a small vocabulary.
const char* const kBert = R"({"version": "1.0", "truncation": null, "padding": null,
"added_tokens": [
{"id": 0, "content": "[PAD]", "single_word": false, "lstrip": false, "rstrip": false, "normalized": false, "special": true},
{"id": 4, "content": "[MASK]", "single_word": false, "lstrip": false, "rstrip": false, "normalized": false, "special": true}],
"normalizer": {"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true, "strip_accents": null, "lowercase": true},
"pre_tokenizer": {"type": "BertPreTokenizer"},
"post_processor": {"type": "TemplateProcessing",
"single": [{"SpecialToken": {"id": "[CLS]", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}},
{"SpecialToken": {"id": "[SEP]", "type_id": 0}}],
"pair": [{"SpecialToken": {"id": "[CLS]", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}},
{"SpecialToken": {"id": "[SEP]", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 1}}, {"SpecialToken": {"id": "[SEP]", "type_id": 1}}],
"special_tokens": {"[CLS]": {"id": "[CLS]", "ids": [2], "tokens": ["[CLS]"]}, "[SEP]": {"id": "[SEP]", "ids": [3], "tokens": ["[SEP]"]}}},
"decoder": {"type": "WordPiece", "prefix": "##", "cleanup": true},
"model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 100,
"vocab": {"[PAD]": 0, "[UNK]": 1, "[CLS]": 2, "[SEP]": 3, "[MASK]": 4, "the": 5, "##s": 6}}})";

/// A member of kBert as a JSON pointer, the JSON in its place, and the message's name for that JSON.
struct Change {
  const char *pointer, *json, *message;
};

class TokenizerJsonFile : public testing::Test {
 protected:
  static Json changed(const Change& change) {
    Json json = Json::parse(kBert);
    json[Json::json_pointer(change.pointer)] = Json::parse(change.json);
    return json;
  }
  /// Returns the error of reading the folder's vocabulary, or "".
  std::string error_of(const Json& tokenizer) const {
    write_text(folder_ / "tokenizer.json", tokenizer.dump());
    try {
      read_vocabulary(folder_.path());
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "";
  }
  /// Expects the same message, except for its advice, with a vocab.txt beside the file and without.
  void expect_refused(const Json& tokenizer, const std::string& message) const {
    std::filesystem::remove(folder_ / "vocab.txt");
    EXPECT_THAT(error_of(tokenizer),
                AllOf(HasSubstr("tokenizer.json: " + message), HasSubstr("save their vocabulary")));
    write_text(folder_ / "vocab.txt", kLines);
    EXPECT_THAT(error_of(tokenizer),
                AllOf(HasSubstr("tokenizer.json: " + message),
                      HasSubstr("only BERT's own tokenizer is read"),
                      HasSubstr("delete this file, so that vocab.txt is read")));
  }

  const TempFolder folder_;
};

TEST_F(TokenizerJsonFile, IsReadWhereItIsBerts) {
  const Change alike[] = {
      {"/normalizer/strip_accents", "true", ""},
      {"/normalizer", R"({"type": "BertNormalizer", "lowercase": false, "strip_accents": false})",
       ""},
      {"/normalizer",
       R"({"type": "Sequence", "normalizers": [{"type": "BertNormalizer", "lowercase": true}]})",
       ""},
      {"/post_processor", R"({"type": "BertProcessing", "sep": ["[SEP]", 3], "cls": ["[CLS]", 2]})",
       ""},
      {"/model/type", "null", ""},
      {"/added_tokens", "[]", ""},
      {"/added_tokens/1/lstrip", "true", ""},
      {"/truncation", R"({"max_length": 128})", ""},
      {"/padding", R"({"pad_id": 0})", ""},
      {"/decoder", "null", ""}};
  for (const bool has_text : {false, true}) {
    if (has_text) write_text(folder_ / "vocab.txt", kLines);
    EXPECT_EQ(error_of(Json::parse(kBert)), "");
    for (const Change& change : alike) EXPECT_EQ(error_of(changed(change)), "") << change.pointer;
    for (const char* name : {"normalizer", "pre_tokenizer", "post_processor", "added_tokens"}) {
      Json json = Json::parse(kBert);
      json.erase(name);
      EXPECT_EQ(error_of(json), "") << name;
    }
  }
}

TEST_F(TokenizerJsonFile, IsRefusedWhereItGivesOtherIds) {
  const Change others[] = {
      {"/normalizer", "null", "normalizer is null, expected BertNormalizer"},
      {"/normalizer", "7", "normalizer is 7"},
      {"/normalizer", "{}", "normalizer.type is null, expected \"BertNormalizer\""},
      {"/normalizer", R"({"type": "Lowercase"})", "normalizer.type is \"Lowercase\""},
      {"/normalizer", R"({"type": "NFC"})", "normalizer.type is \"NFC\""},
      {"/normalizer", R"({"type": "NFKC"})", "normalizer.type is \"NFKC\""},
      {"/normalizer", R"({"type": "StripAccents"})", "normalizer.type is \"StripAccents\""},
      {"/normalizer", R"({"type": "Replace", "pattern": {"String": "a"}, "content": "b"})",
       "normalizer.type is \"Replace\""},
      {"/normalizer", R"({"type": "Sequence", "normalizers": []})",
       "normalizer is {\"normalizers\":[],\"type\":\"Sequence\"}, expected BertNormalizer"},
      {"/normalizer", R"({"type": "Sequence"})", "normalizer is {\"type\":\"Sequence\"}"},
      {"/normalizer", R"({"type": "Sequence", "normalizers": [null]})", "normalizer is null"},
      {"/normalizer", R"({"type": "Sequence", "normalizers": [{"type": "Lowercase"}]})",
       "normalizer.type is \"Lowercase\""},
      {"/normalizer",
       R"({"type": "Sequence", "normalizers": [{"type": "NFD"}, {"type": "Lowercase"}, {"type": "StripAccents"}]})",
       "normalizer is {\"normalizers\":[{\"type\":\"NFD\"}"},
      {"/normalizer",
       R"({"type": "Sequence", "normalizers": [{"type": "BertNormalizer"}, {"type": "NFC"}]})",
       "normalizer is {\"normalizers\":[{\"type\":\"BertNormalizer\"}"},
      {"/normalizer/clean_text", "false", "normalizer.clean_text is false, expected true"},
      {"/normalizer/handle_chinese_chars", "false", "normalizer.handle_chinese_chars is false"},
      {"/normalizer/strip_accents", "false", "normalizer.strip_accents is false, expected true"},
      {"/normalizer/lowercase", "\"yes\"", "normalizer.lowercase is \"yes\""},
      {"/pre_tokenizer", "null", "pre_tokenizer is null, expected BertPreTokenizer"},
      {"/pre_tokenizer", R"({"type": "Whitespace"})", "pre_tokenizer.type is \"Whitespace\""},
      {"/pre_tokenizer", R"({"type": "Sequence", "pretokenizers": []})",
       "pre_tokenizer.type is \"Sequence\""},
      {"/model/type", "\"BPE\"", "model.type is \"BPE\", expected \"WordPiece\""},
      {"/model/unk_token", "\"<unk>\"", "model.unk_token is \"<unk>\", expected \"[UNK]\""},
      {"/model/continuing_subword_prefix", "\"@@\"", "model.continuing_subword_prefix is \"@@\""},
      {"/model/max_input_chars_per_word", "200", "model.max_input_chars_per_word is 200"},
      {"/added_tokens/2", R"({"id": 7, "content": "<e1>"})", "an added token is \"<e1>\""},
      {"/added_tokens/2", R"({"id": 7, "content": "[E1]"})", "an added token is \"[E1]\""},
      {"/added_tokens", R"([{"id": 5, "content": "the"}])", "an added token is \"the\""},
      {"/added_tokens/1/single_word", "true", "of the added token [MASK], single_word is true"},
      {"/added_tokens/1/normalized", "true", "of the added token [MASK], normalized is true"},
      {"/added_tokens/1/id", "9",
       "of the added token [MASK], id is 9, expected 4 as in model.vocab"},
      {"/post_processor", "null", "post_processor is null, expected [CLS] A [SEP]"},
      {"/post_processor", R"({"type": "RobertaProcessing"})",
       "post_processor.type is \"RobertaProcessing\""},
      {"/post_processor", R"({"type": "BertProcessing", "sep": ["[SEP]", 2], "cls": ["[CLS]", 2]})",
       "post_processor.sep is [\"[SEP]\",2], expected [\"[SEP]\",3]"},
      {"/post_processor/single/0/SpecialToken/id", "\"[SEP]\"", "post_processor.single is"},
      {"/post_processor/single/2", "null", "post_processor.single is"},
      {"/post_processor/pair/3/Sequence/type_id", "0", "post_processor.pair is"},
      {"/post_processor/special_tokens/[CLS]/ids", "[5]",
       "post_processor.special_tokens.[CLS].ids is [5], expected [2]"}};
  for (const Change& change : others) {
    SCOPED_TRACE(std::string(change.pointer) + " " + change.json);
    expect_refused(changed(change), change.message);
  }
}

TEST_F(TokenizerJsonFile, MustHaveTheIdsOfTheTextBesideIt) {
  const auto error_beside = [&](const std::string& lines) {
    write_text(folder_ / "vocab.txt", lines);
    return error_of(Json::parse(kBert));
  };
  EXPECT_EQ(error_beside(kLines), "");
  EXPECT_EQ(error_beside(kLines + "\n"), "") << "an empty line is no piece";
  EXPECT_THAT(error_beside(kLines + "more\n"),
              HasSubstr("tokenizer.json: piece 'more' has no id, but id 7 in vocab.txt beside it"));
  EXPECT_THAT(error_beside("[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\n##s\nthe\n"),
              HasSubstr("piece '##s' has id 6, but id 5 in vocab.txt"));
  EXPECT_THAT(error_beside("[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nthe\n"),
              HasSubstr("piece '##s' has id 6, but no id in vocab.txt"));
  EXPECT_THAT(error_beside(kLines + "the\n"), HasSubstr("piece 'the' has id 5, but id 7"))
      << "the last of equal lines counts";
}

// transformers 5.23 and tokenizers 0.23.3 give these ids for each of the folders.
TEST_F(TokenizerJsonFile, HasPiecesThatLinesBesideItCut) {
  Json json = Json::parse(kBert);
  int id = 7;
  std::string lines = kLines;
  for (const char* piece : {"##\u2028", "the\u3000", "##s\u00A0", "zz", "\u3000"}) {
    json["model"]["vocab"][piece] = id++;
    lines += std::string(piece) + "\n";
  }
  write_text(folder_ / "vocab.txt", lines);
  ASSERT_EQ(error_of(json), "");
  const auto in_both = read_vocabulary(folder_.path()).pieces;
  EXPECT_THAT(in_both, ElementsAre("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "the", "##s", "",
                                   "", "", "zz", ""));
  std::filesystem::remove(folder_ / "tokenizer.json");
  EXPECT_THAT(read_vocabulary(folder_.path()).pieces,
              ElementsAre("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "the", "##s", "##", "the",
                          "##s", "zz"));
  write_text(folder_ / "tokenizer.json", json.dump());
  std::filesystem::remove(folder_ / "vocab.txt");
  EXPECT_EQ(read_vocabulary(folder_.path()).pieces, in_both);

  write_text(folder_ / "vocab.txt", kLines + "##\u2029\nthe\n##s\nzz\n");
  EXPECT_EQ(error_of(json), "") << "a line shows no white space at its end";
  write_text(folder_ / "vocab.txt", kLines + "the\n##\n##s\nzz\n");
  EXPECT_THAT(error_of(json), HasSubstr("piece '##' has id 7, but id 8 in vocab.txt"));
}

TEST_F(TokenizerJsonFile, IsNotTheOnlyOneThatMayAddTokens) {
  struct Beside {
    const char *file, *json, *message;  // "": read
  };
  const Beside files[] = {
      {"tokenizer_config.json", R"({"unk_token": "[UNK]", "cls_token": null})", ""},
      {"tokenizer_config.json", R"({"mask_token": {"content": "[MASK]", "lstrip": false}})", ""},
      {"tokenizer_config.json",
       R"({"added_tokens_decoder": {"4": {"content": "[MASK]"}}, "additional_special_tokens": []})",
       ""},
      {"special_tokens_map.json", R"({"sep_token": "[SEP]"})", ""},
      {"added_tokens.json", R"({"[MASK]": 4})", ""},
      {"tokenizer_config.json", R"({"unk_token": "<unk>"})",
       "unk_token is \"<unk>\", expected [UNK]"},
      {"tokenizer_config.json", R"({"added_tokens_decoder": {"7": {"content": "<e1>"}}})",
       "added_tokens_decoder is \"<e1>\", expected BERT's special tokens alone"},
      {"tokenizer_config.json", R"({"extra_special_tokens": {"e": "<e1>"}})",
       "extra_special_tokens is \"<e1>\""},
      {"special_tokens_map.json", R"({"additional_special_tokens": ["[E1]"]})",
       "additional_special_tokens is \"[E1]\""},
      {"special_tokens_map.json", R"({"cls_token": {"content": "<s>"}})", "cls_token is \"<s>\""},
      {"special_tokens_map.json", "[]", "got no JSON object"},
      {"added_tokens.json", R"({"<e1>": 7})", "a token is \"<e1>\""}};
  write_text(folder_ / "vocab.txt", kLines);
  for (const Beside& beside : files) {
    SCOPED_TRACE(beside.json);
    write_text(folder_ / beside.file, beside.json);
    const std::string error = error_of(Json::parse(kBert)), message = beside.message;
    EXPECT_THAT(error, message.empty()
                           ? testing::Matcher<std::string>("")
                           : HasSubstr(std::string(beside.file) + ": " + beside.message));
    std::filesystem::remove(folder_ / beside.file);
  }
}

}  // namespace
}  // namespace rethink
