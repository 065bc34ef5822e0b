#include "core/format/tokenizer_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "core/json.h"
#include "tests/support/temp_folder.h"
#include "tests/support/throws_code.h"

namespace rethink {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

const std::string kLowerPieces = "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\n[Unused1]\nthe\n##s\n";

Json bert_normalizer(const Json& lower_case) {
  return {{"type", "BertNormalizer"},
          {"lowercase", lower_case},
          {"strip_accents", nullptr},
          {"clean_text", true},
          {"handle_chinese_chars", true}};
}

class TokenizerFolder : public testing::Test {
 protected:
  void write_json(const std::string& name, const Json& json) const {
    write_text(folder_ / name, json.dump());
  }
  void write_normalizer(const Json& normalizer) const {
    write_json("tokenizer.json", {{"normalizer", normalizer}});
  }
  void expect_casing(bool lower_case, CasingSource source) const {
    const TokenizerCasing casing = read_casing(folder_.path());
    EXPECT_EQ(casing.lower_case, lower_case);
    EXPECT_EQ(casing.source, source);
    EXPECT_EQ(casing.note.empty(), source != CasingSource::vocabulary) << casing.note;
  }
  std::string error_of_pieces(const Json& tokenizer) const {
    write_json("tokenizer.json", tokenizer);
    try {
      read_vocabulary(folder_.path());
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "none";
  }

  const TempFolder folder_;
};

TEST_F(TokenizerFolder, SaysCasingInItsConfigurationFirst) {
  expect_casing(true, CasingSource::none);
  write_text(folder_ / "vocab.txt", kLowerPieces + "The\n");
  write_normalizer(bert_normalizer(false));
  for (const bool lower_case : {true, false}) {
    write_json("tokenizer_config.json", {{"do_lower_case", lower_case}});
    expect_casing(lower_case, CasingSource::tokenizer_config);
  }
}

TEST_F(TokenizerFolder, SaysCasingInItsNormalizerElse) {
  write_text(folder_ / "vocab.txt", kLowerPieces);
  write_json("tokenizer_config.json", {{"do_lower_case", nullptr}, {"model_max_length", 512}});
  for (const bool lower_case : {true, false}) {
    write_normalizer(bert_normalizer(lower_case));
    expect_casing(lower_case, CasingSource::tokenizer_json);
  }
  write_normalizer({{"type", "Sequence"}, {"normalizers", Json::array({bert_normalizer(false)})}});
  expect_casing(false, CasingSource::tokenizer_json);
  write_json("tokenizer.json", Json::object());
  expect_casing(true, CasingSource::none);
}

TEST_F(TokenizerFolder, SaysCasingAlikeWhereTransformersReadsTheNormalizerAlone) {
  write_text(folder_ / "vocab.txt", kLowerPieces);
  write_normalizer(bert_normalizer(false));
  for (const std::string name : {"PreTrainedTokenizerFast", "TokenizersBackend"}) {
    write_json("tokenizer_config.json", {{"do_lower_case", false}, {"tokenizer_class", name}});
    expect_casing(false, CasingSource::tokenizer_config);
    write_json("tokenizer_config.json", {{"do_lower_case", true}, {"tokenizer_class", name}});
    EXPECT_THAT([&] { read_casing(folder_.path()); },
                ThrowsMessage<ConfigError>(
                    HasSubstr("tokenizer_config.json: do_lower_case is true, but the normalizer in "
                              "tokenizer.json says lowercase false, which a " +
                              name + " follows")));
  }
  write_json("tokenizer_config.json",
             {{"do_lower_case", true}, {"tokenizer_class", "BertTokenizer"}});
  expect_casing(true, CasingSource::tokenizer_config);
}

TEST_F(TokenizerFolder, KeepsCaseWhereOnlyCapitalsSayIt) {
  write_text(folder_ / "vocab.txt", kLowerPieces);
  expect_casing(true, CasingSource::none);
  for (const std::string cased : {"The", "##S", "\u00c9t\u00e9", "\u0416", "\u03a9", "\u0531"}) {
    write_text(folder_ / "vocab.txt", kLowerPieces + cased + "\n");
    expect_casing(false, CasingSource::vocabulary);
    EXPECT_THAT(read_casing(folder_.path()).note,
                HasSubstr("vocab.txt: 1 piece with capitals, such as '" + cased +
                          "', so that text keeps its case"));
  }
  for (const std::string lower : {"\u00e9t\u00e9", "\u00d7", "\u00df", "\u0436", "\u03c9", "\u2102",
                                  "\U0001d400", "\u5909", "\xff", "\xc3", "[E1]", "<S>"}) {
    write_text(folder_ / "vocab.txt", kLowerPieces + lower + "\n");
    expect_casing(true, CasingSource::none);
  }
}

TEST_F(TokenizerFolder, RefusesANormalizerThatIsNotBerts) {
  const Json faults = {{"strip_accents", false},
                       {"clean_text", false},
                       {"handle_chinese_chars", false},
                       {"lowercase", "yes"}};
  for (const auto& [name, value] : faults.items()) {
    Json normalizer = bert_normalizer(true);
    normalizer[name] = value;
    write_normalizer(normalizer);
    EXPECT_THAT([&] { read_casing(folder_.path()); },
                ThrowsMessage<ConfigError>(
                    HasSubstr("tokenizer.json: normalizer." + name + " is " + value.dump())));
    write_json("tokenizer_config.json", {{"do_lower_case", true}});
    EXPECT_NO_THROW(read_casing(folder_.path()));
    std::filesystem::remove(folder_ / "tokenizer_config.json");
  }
  write_text(folder_ / "tokenizer.json", "[]");
  EXPECT_THAT([&] { read_casing(folder_.path()); }, ThrowsCode("invalid-json"));
}

TEST_F(TokenizerFolder, HasAVocabularyInItsTextOrInTokenizerJson) {
  EXPECT_THAT([&] { read_vocabulary(folder_.path()); }, ThrowsCode("file-missing"));
  const Json ids = {{"[PAD]", 0}, {"[UNK]", 1}, {"a", 5}, {"##a", 3}, {"b ", 4}, {"c\nd", 6}};
  write_json(
      "tokenizer.json",
      {{"model", {{"type", "WordPiece"}, {"vocab", ids}, {"unk_token", "[UNK]"}}},
       {"normalizer", bert_normalizer(true)},
       {"pre_tokenizer", {{"type", "BertPreTokenizer"}}},
       {"added_tokens", {{{"id", 0}, {"content", "[PAD]"}}, {{"id", 8}, {"content", "[MASK]"}}}}});
  const TokenizerVocabulary read = read_vocabulary(folder_.path());
  EXPECT_THAT(read.pieces, ElementsAre("[PAD]", "[UNK]", "", "##a", "", "a", "", "", "[MASK]"));
  EXPECT_EQ(read.file, folder_ / "tokenizer.json");
  std::filesystem::remove(folder_ / "tokenizer.json");
  write_text(folder_ / "vocab.txt", "x\n");
  EXPECT_THAT(read_vocabulary(folder_.path()).pieces, ElementsAre("x"));
}

TEST_F(TokenizerFolder, RefusesATokenizerThatIsNotBerts) {
  const auto error_of_model = [&](const Json& changes) {
    Json model = {{"type", "WordPiece"}, {"vocab", {{"[PAD]", 0}, {"a", 1}}}};
    model.merge_patch(changes);
    return error_of_pieces({{"model", model}});
  };
  EXPECT_EQ(error_of_model(Json::object()), "none");
  EXPECT_THAT(error_of_model({{"type", "BPE"}}),
              HasSubstr("tokenizer.json: model.type is \"BPE\", expected \"WordPiece\""));
  EXPECT_THAT(error_of_model({{"unk_token", "<unk>"}}), HasSubstr("model.unk_token is \"<unk>\""));
  EXPECT_THAT(error_of_model({{"continuing_subword_prefix", "@@"}}), HasSubstr("expected \"##\""));
  EXPECT_THAT(error_of_model({{"max_input_chars_per_word", 50}}), HasSubstr("is 50, expected 100"));
  EXPECT_THAT(error_of_model({{"vocab", {{"b", 1}}}}),
              HasSubstr("the id of piece 'b' is 1, expected another one: piece 'a' has it"));
  for (const Json& id : std::vector<Json>{-1, 1.5, "2", Json::array({1}), 1'000'000'000}) {
    EXPECT_THAT(error_of_model({{"vocab", {{"b", id}}}}),
                HasSubstr("expected a whole number below"));
  }
  EXPECT_THAT(error_of_model({{"vocab", {{"[PAD]", nullptr}, {"a", nullptr}}}}),
              HasSubstr("model.vocab is empty"));
  EXPECT_THAT(error_of_pieces({{"model", {{"vocab", {"a", "b"}}}}}),
              HasSubstr("model.vocab is missing, expected pieces and their ids"));
  EXPECT_THAT(error_of_pieces({{"model", 7}}), HasSubstr("model.vocab is missing"));
  const Json whole = {{"vocab", {{"a", 0}}}};
  EXPECT_THAT(error_of_pieces({{"model", whole}, {"pre_tokenizer", {{"type", "Whitespace"}}}}),
              HasSubstr("pre_tokenizer.type is \"Whitespace\""));
  EXPECT_THAT(error_of_pieces({{"model", whole}, {"normalizer", {{"type", "NFD"}}}}),
              HasSubstr("normalizer.type is \"NFD\""));
  EXPECT_THAT(
      error_of_pieces({{"model", whole}, {"added_tokens", {{{"id", 1}, {"content", "<e>"}}}}}),
      HasSubstr("an added token is \"<e>\", expected BERT's special tokens alone"));
}

}  // namespace
}  // namespace rethink
