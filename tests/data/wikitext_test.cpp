// Reads published files and compares counts from papers and their code. The tests need RETHINK_DATA.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "core/error.h"
#include "core/json.h"
#include "datasets/batching.h"
#include "datasets/dataset.h"
#include "datasets/vocabulary.h"
#include "tests/support/temp_folder.h"

namespace rethink {
namespace {

/// Opens data sets below RETHINK_DATA with a separate cache.
class RealData : public testing::Test {
 protected:
  void SetUp() override {
    const char* folder = std::getenv("RETHINK_DATA");
    ASSERT_NE(folder, nullptr)
        << "these tests read the published files: set RETHINK_DATA to the folder of data sets "
           "(rethink data get wikitext_2)";
    folders_ = {folder, cache_.path()};
  }
  std::shared_ptr<TokenDataset> open(const std::string& name, const Json& options) {
    return require_kind<TokenDataset>(datasets().make(name, options, folders_), name);
  }
  TempFolder cache_;
  DataFolders folders_;
};

const Json kBetReleased = {{"lowercase", true},   {"tokenizer", {{"name", "nltk"}}},
                           {"protocol", "lines"}, {"min_characters", 11},
                           {"max_tokens", 100},   {"vocabulary", 30000}};

TEST_F(RealData, ReadsWikiText2AsBetsReleasedCodeDoes) {
  const auto dataset = open("wikitext_2", kBetReleased);
  const TokenSequences train = dataset->sequences("train");
  EXPECT_EQ(train.size(), 23627u);
  EXPECT_EQ(dataset->vocabulary().size(), 28903u);
  EXPECT_EQ(epoch_batches(train, {.batch = 64, .shuffle = false, .buckets = false}, 0, 0).size(),
            370u);
  EXPECT_EQ(dataset->sequences("dev").size(), 2460u);
  EXPECT_EQ(dataset->sequences("test").size(), 2870u);
  size_t longest = 0;
  for (size_t index = 0; index < train.size(); ++index)
    longest = std::max(longest, train[index].size());
  EXPECT_EQ(longest, 102u);
}

TEST_F(RealData, ReadsWikiText2AsOneStreamOfTheUsualSize) {
  const auto dataset = open("wikitext_2", {{"protocol", "stream"}, {"stream_length", 35}});
  // There are 33,278 types with <unk> and the end of a line, which are special tokens here. Padding and
  // start add two more.
  EXPECT_EQ(dataset->vocabulary().size(), 33278u + 2u);
  const auto tokens_of = [&](const std::string& split) {
    size_t tokens = 1;
    const TokenSequences sequences = dataset->sequences(split);
    for (size_t index = 0; index < sequences.size(); ++index) tokens += sequences[index].size() - 1;
    return tokens;
  };
  EXPECT_EQ(tokens_of("train"), 2088628u);
  EXPECT_EQ(tokens_of("dev"), 217646u);
  EXPECT_EQ(tokens_of("test"), 245569u);
}

TEST_F(RealData, ReadsEnwik8AsAStreamOfBytesInThreeParts) {
  const auto dataset = open("enwik8", Json::object());
  const auto bytes_of = [&](const std::string& split) {
    size_t bytes = 1;
    const TokenSequences sequences = dataset->sequences(split);
    for (size_t index = 0; index < sequences.size(); ++index) bytes += sequences[index].size() - 1;
    return bytes;
  };
  EXPECT_EQ(bytes_of("train"), 18 * bytes_of("dev"));
  EXPECT_EQ(bytes_of("dev"), bytes_of("test"));
  EXPECT_LE(dataset->vocabulary().size(), 4u + 205u);
  EXPECT_EQ(dataset->sequences("train")[0].size(), 513u);
}

TEST_F(RealData, ReadsEnwik8sSentencesAsBetsReleasedCodeDoes) {
  const auto dataset = open("enwik8", {{"split", "sentences_70_10_20"},
                                       {"tokenizer", {{"name", "nltk"}}},
                                       {"unit", "char"},
                                       {"protocol", "lines"},
                                       {"lowercase", true},
                                       {"min_characters", 12},
                                       {"max_tokens", 100},
                                       {"space_is_unknown", true}});
  const auto train = static_cast<double>(dataset->sequences("train").size());
  const auto test = static_cast<double>(dataset->sequences("test").size());
  EXPECT_NEAR(train / test, 3.5, 0.5);
  EXPECT_EQ(dataset->vocabulary().id(" "), Vocabulary::kUnknown);
  EXPECT_EQ(dataset->vocabulary().id("A"), Vocabulary::kUnknown);
  EXPECT_NE(dataset->vocabulary().id("a"), Vocabulary::kUnknown);
}

}  // namespace
}  // namespace rethink
