#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "core/format/pretrained_folder.h"
#include "core/format/tokenizer_folder.h"
#include "core/json.h"
#include "tests/support/temp_folder.h"

namespace rethink {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

class TokenizerClass : public testing::Test {
 protected:
  void write_json(const std::string& name, const Json& json) const {
    write_text(folder_ / name, json.dump());
  }
  /// Returns the error of reading the vocabulary, or "".
  std::string error() const {
    try {
      read_vocabulary(folder_.path());
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "";
  }
  std::string message_of(const std::string& file, const std::string& tokenizer) const {
    return (folder_ / file).string() + ": its tokenizer is " + tokenizer +
           "; rethink reads WordPiece vocabularies of BERT and DistilBERT; ";
  }

  const TempFolder folder_;
};

TEST_F(TokenizerClass, ThatGivesBertsIdsIsRead) {
  write_text(folder_ / "vocab.txt", "[PAD]\na\n");
  for (const char* name : {"BertTokenizer", "BertTokenizerFast", "DistilBertTokenizer",
                           "DistilBertTokenizerFast", "ElectraTokenizer", "ElectraTokenizerFast",
                           "MobileBertTokenizer", "PreTrainedTokenizerFast", "TokenizersBackend"}) {
    write_json("tokenizer_config.json", {{"tokenizer_class", name}});
    EXPECT_EQ(error(), "") << name;
  }
  write_json("tokenizer_config.json", {{"tokenizer_class", nullptr}});
  EXPECT_EQ(error(), "");
  write_text(folder_ / "config.json", "not JSON");
  EXPECT_EQ(error(), "");
  EXPECT_THAT(read_vocabulary(folder_.path()).pieces, ElementsAre("[PAD]", "a"));
}

TEST_F(TokenizerClass, OfAnotherKindIsRefused) {
  write_text(folder_ / "vocab.txt", "[PAD]\na\n");
  for (const char* name : {"KoBertTokenizer", "RobertaTokenizer", "RobertaTokenizerFast",
                           "MPNetTokenizer", "HerbertTokenizerFast", "BertweetTokenizer", "Fast"}) {
    write_json("tokenizer_config.json", {{"tokenizer_class", name}});
    EXPECT_THAT(error(), StartsWith(message_of("tokenizer_config.json", name)));
  }
  EXPECT_THAT(error(), HasSubstr("write tokenizer_class BertTokenizer there"));
}

TEST_F(TokenizerClass, MayStandInTheModelsConfiguration) {
  write_text(folder_ / "vocab.txt", "[PAD]\na\n");
  write_json("config.json", {{"tokenizer_class", "KoBertTokenizer"}});
  EXPECT_THAT(error(), StartsWith(message_of("config.json", "KoBertTokenizer")));
  write_json("tokenizer_config.json", {{"tokenizer_class", "BertTokenizer"}});
  EXPECT_EQ(error(), "");
}

TEST_F(TokenizerClass, ForJapaneseIsRefusedAlsoWhereOnlyItsPartsSayIt) {
  write_text(folder_ / "vocab.txt", "[PAD]\na\n");
  // The first such folders have the class in config.json and its parts here.
  write_json("tokenizer_config.json", {{"word_tokenizer_type", "mecab"}});
  write_json("config.json", {{"tokenizer_class", "BertJapaneseTokenizer"}});
  EXPECT_THAT(error(), StartsWith(message_of("config.json", "BertJapaneseTokenizer")));
  std::filesystem::remove(folder_ / "config.json");
  EXPECT_THAT(error(), StartsWith(message_of("tokenizer_config.json", "BertJapaneseTokenizer")));
  write_json("tokenizer_config.json", {{"tokenizer_class", "BertJapaneseTokenizer"},
                                       {"word_tokenizer_type", "basic"},
                                       {"subword_tokenizer_type", "wordpiece"}});
  EXPECT_THAT(error(), StartsWith(message_of("tokenizer_config.json", "BertJapaneseTokenizer")));
}

TEST_F(TokenizerClass, OfOtherVocabulariesIsNamed) {
  write_text(folder_ / "vocab.json", "{}");
  EXPECT_THAT(error(), HasSubstr("vocab.txt: got no such file"));
  write_text(folder_ / "merges.txt", "#version: 0.2\n");
  EXPECT_THAT(error(),
              StartsWith(message_of("merges.txt", "BPE, with its vocabulary in vocab.json")));
  std::filesystem::remove(folder_ / "merges.txt");
  for (const char* name : {"spiece.model", "sentencepiece.bpe.model"}) {
    write_text(folder_ / name, "\n\x0B\n");
    EXPECT_THAT(error(), StartsWith(message_of(name, "SentencePiece")));
    write_text(folder_ / "vocab.txt", "[PAD]\na\n");
    EXPECT_EQ(error(), "");
    std::filesystem::remove(folder_ / "vocab.txt");
    std::filesystem::remove(folder_ / name);
  }
  write_json("tokenizer.json", {{"normalizer", nullptr}, {"model", {{"type", "BPE"}}}});
  EXPECT_THAT(error(), HasSubstr("tokenizer.json: model.type is \"BPE\", expected \"WordPiece\""));
}

}  // namespace
}  // namespace rethink
