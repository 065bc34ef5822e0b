// Every reader's own format; text_dataset_test.cpp has the parts that readers share.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <sstream>

#include "core/config/schema.h"
#include "core/error.h"
#include "core/json.h"
#include "datasets/pretraining/documents.h"
#include "datasets/text/kjv_verses.h"
#include "datasets/vocabulary.h"
#include "tests/support/temp_folder.h"
#include "tests/support/throws_code.h"

namespace rethink {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

class Readers : public testing::Test {
 protected:
  std::shared_ptr<TokenDataset> open(const std::string& name, const Json& options) const {
    const auto dataset = require_kind<TokenDataset>(
        datasets().make(name, options, {folder_.path(), folder_ / "cache"}), name);
    EXPECT_EQ(dataset->splits(), datasets().facts(name).splits) << name;
    return dataset;
  }
  static size_t sequences_of(const TokenDataset& dataset) {
    size_t count = 0;
    for (const std::string& split : dataset.splits()) count += dataset.sequences(split).size();
    return count;
  }
  TempFolder folder_;
};

std::string numbered_lines(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += "line " + std::to_string(i) + " of the file\n";
  return text;
}

/// Returns the text between the start and the end symbol.
std::string text_of(const TokenDataset& dataset, std::span<const int32_t> sequence) {
  std::string text;
  for (const int32_t id : sequence.subspan(1, sequence.size() - 2))
    text += dataset.vocabulary().text(id);
  return text;
}

std::vector<std::string> split_texts(const TokenDataset& dataset, const std::string& split) {
  std::vector<std::string> texts;
  const TokenSequences sequences = dataset.sequences(split);
  for (size_t i = 0; i < sequences.size(); ++i) texts.push_back(text_of(dataset, sequences[i]));
  return texts;
}

/// Returns the texts of the third token of each sequence: the line's number.
std::set<std::string> numbers_in(const TokenDataset& dataset, const std::string& split) {
  std::set<std::string> numbers;
  const TokenSequences sequences = dataset.sequences(split);
  for (size_t i = 0; i < sequences.size(); ++i)
    numbers.insert(dataset.vocabulary().text(sequences[i][2]));
  return numbers;
}

TEST_F(Readers, TextSpreadsLinesOverTheSplits) {
  write_text(folder_ / "own.txt", numbered_lines(400));
  const auto dataset = open("text", {{"path", "own.txt"}, {"dev", 0.1}, {"test", 0.2}});
  EXPECT_THAT(dataset->splits(), ElementsAre("train", "dev", "test"));
  EXPECT_EQ(sequences_of(*dataset), 400u);
  EXPECT_NEAR(static_cast<double>(dataset->sequences("dev").size()), 40, 20);
  EXPECT_NEAR(static_cast<double>(dataset->sequences("test").size()), 80, 30);
}

TEST_F(Readers, TextKeepsALinesSplitWhenLinesAreAddedBehindIt) {
  write_text(folder_ / "short.txt", numbered_lines(100));
  write_text(folder_ / "long.txt", numbered_lines(200));
  const auto of_short = numbers_in(*open("text", {{"path", "short.txt"}}), "train");
  const auto of_long = numbers_in(*open("text", {{"path", "long.txt"}}), "train");
  EXPECT_THAT(of_long, testing::IsSupersetOf(of_short));
}

TEST_F(Readers, TextPartsTheLinesAnewForAnotherSplitSeed) {
  write_text(folder_ / "own.txt", numbered_lines(200));
  const auto one = open("text", {{"path", "own.txt"}, {"dev", 0.4}, {"split_seed", 1}});
  const auto two = open("text", {{"path", "own.txt"}, {"dev", 0.4}, {"split_seed", 2}});
  EXPECT_NE(numbers_in(*one, "train"), numbers_in(*two, "train"));
}

TEST_F(Readers, TextHasNoCarriageReturns) {
  std::string text;
  for (int i = 0; i < 40; ++i) text += i % 2 == 0 ? "ab c\r\n" : "ab c\r";
  write_text(folder_ / "own.txt", "\xEF\xBB\xBF" + text);
  for (const char* unit : {"char", "byte"}) {
    for (const char* protocol : {"lines", "stream"}) {
      const auto dataset =
          open("text", {{"path", "own.txt"}, {"unit", unit}, {"protocol", protocol}});
      const Vocabulary& vocabulary = dataset->vocabulary();
      // The characters are a, b, space and c; a stream has the newline too.
      EXPECT_EQ(vocabulary.size(), 4u + 4u + (std::string(protocol) == "stream")) << unit;
      EXPECT_EQ(vocabulary.id("\r"), Vocabulary::kUnknown) << unit;
    }
  }
}

TEST_F(Readers, TextRefusesWhatIsNotUtf8AndSaysWhere) {
  write_text(folder_ / "latin.txt", "caf\xE9 au lait\n");
  EXPECT_THAT(
      [&] {
        open("text", {{"path", "latin.txt"}});
      },
      ThrowsMessage<ConfigError>(
          HasSubstr("latin.txt:1:4: the byte 0xE9 is not UTF-8; convert the file first")));
  EXPECT_THAT(
      [&] {
        open("text", {{"path", "none.txt"}});
      },
      ThrowsMessage<TrialError>(HasSubstr("none.txt is not a file")));
}

/// Writes WikiText-2's files with this text.
void write_wikitext(const std::filesystem::path& folder, const std::string& text) {
  std::filesystem::create_directories(folder / "wikitext-2");
  for (const char* split : {"train", "valid", "test"})
    write_text(folder / "wikitext-2" / fmt::format("wiki.{}.tokens", split), text);
}

TEST_F(Readers, WikitextIsReadAlikeWithEveryLineEndAndMark) {
  const auto tokens = [&](const std::string& text) {
    write_wikitext(folder_.path(), text);
    std::vector<std::vector<std::string>> sequences;
    for (const char* unit : {"word", "char", "byte"}) {
      const auto dataset = open("wikitext_2", {{"unit", unit}, {"protocol", "lines"}});
      const TokenSequences train = dataset->sequences("train");
      for (size_t i = 0; i < train.size(); ++i) {
        auto& words = sequences.emplace_back();
        for (const int32_t id : train[i]) words.push_back(dataset->vocabulary().text(id));
      }
    }
    return sequences;
  };
  const auto plain = tokens(" = A title = \n\n one café \n one two \n");
  EXPECT_EQ(plain.size(), 9u);
  EXPECT_EQ(tokens(" = A title = \r\n\r\n one café \r\n one two \r\n"), plain);
  EXPECT_EQ(tokens(" = A title = \r\r one café \r one two \r"), plain);
  EXPECT_EQ(tokens("\xEF\xBB\xBF = A title = \n\r\n one café \r one two \n"), plain);
  EXPECT_EQ(tokens("\xEF\xBB\xBF\xEF\xBB\xBF = A title = \n\r\n one café \r one two \n"), plain);
  EXPECT_THAT(
      [&] { tokens(" one \n\xEF\xBB\xBF two \n"); },
      ThrowsMessage<ConfigError>(HasSubstr("tokens:2:1: this line begins with a byte order mark")));
  EXPECT_THAT([&] { tokens(" one \n\x1A"); },
              ThrowsMessage<ConfigError>(HasSubstr("tokens:2:1: ends in Ctrl-Z")));
  EXPECT_THAT([&] { tokens(" one caf\xE9 \n"); },
              ThrowsMessage<ConfigError>(HasSubstr("tokens:1:9: the byte 0xE9 is not UTF-8")));
  EXPECT_THAT([&] { tokens(""); }, ThrowsCode("empty-file"));
  EXPECT_THAT([&] { tokens(" \r\n"); }, ThrowsCode("empty-file"));
}

TEST_F(Readers, SaysHowManySequencesALimitLeavesOut) {
  write_text(folder_ / "own.txt", numbered_lines(200));
  const auto whole = open("text", {{"path", "own.txt"}});
  const auto part = open("text", {{"path", "own.txt"}, {"max_train_sequences", 10}});
  EXPECT_EQ(part->sequences("train").size(), 10u);
  EXPECT_EQ(part->whole_size("train"), whole->sequences("train").size());
  EXPECT_EQ(whole->whole_size("train"), whole->sequences("train").size());
  EXPECT_EQ(part->whole_size("dev"), part->sequences("dev").size());
}

TEST_F(Readers, KjvHasEveryVerseOnceWithoutItsReference) {
  const auto dataset = open("kjv", {{"lowercase", true}});
  EXPECT_EQ(sequences_of(*dataset), 31102u);
  const TokenSequences train = dataset->sequences("train");
  std::string first;
  for (const int32_t id : train[0]) first += dataset->vocabulary().text(id) + " ";
  EXPECT_EQ(first.find(':'), std::string::npos) << first;
  EXPECT_NEAR(static_cast<double>(dataset->sequences("test").size()), 0.05 * 31102, 150);
}

/// `plan` estimates by these numbers, since it cannot read the packed file.
TEST_F(Readers, KjvHasTheSizeThatItDeclares) {
  const PackedText packed = datasets().facts("kjv").packed.value();
  size_t words = 0, characters = 0;
  const std::vector<Verse> verses = read_kjv("kjv");
  for (const Verse& verse : verses) {
    std::istringstream text(verse.text);
    words += static_cast<size_t>(std::distance(std::istream_iterator<std::string>(text),
                                               std::istream_iterator<std::string>()));
    characters += verse.text.size() + 1;  // with the end of the line
  }
  EXPECT_EQ(verses.size(), static_cast<size_t>(packed.lines));
  EXPECT_EQ(words, static_cast<size_t>(packed.words));
  EXPECT_EQ(characters, static_cast<size_t>(packed.characters));
  const double test = packed.test * static_cast<double>(packed.lines);
  EXPECT_NEAR(static_cast<double>(open("kjv", Json::object())->sequences("test").size()), test,
              150);
}

TEST_F(Readers, KjvDocumentsAreItsBooksWithTheirVersesInOrder) {
  const auto dataset = require_kind<DocumentDataset>(
      datasets().make("kjv_documents", {{"dev", 0.1}}, {folder_.path(), folder_ / "cache"}),
      "kjv_documents");
  EXPECT_EQ(dataset->documents("train").size(), 66u);
  size_t train = 0, dev = 0;
  for (const Document& book : dataset->documents("train")) train += book.size();
  for (const Document& book : dataset->documents("dev")) dev += book.size();
  EXPECT_EQ(train + dev, 31102u);
  EXPECT_NEAR(static_cast<double>(dev), 0.1 * 31102, 66);
  EXPECT_EQ(dataset->documents("train")[0].size(), 1533u - 153u);  // Genesis
}

TEST_F(Readers, Enwik8PartsItsBytesNinetyFiveFive) {
  write_text(folder_ / "enwik8/enwik8",
             std::string(900, 'a') + std::string(50, 'b') + std::string(50, 'c'));
  const auto dataset = open("enwik8", {{"stream_length", 2000}});
  EXPECT_EQ(dataset->sequences("train").num_tokens(), 900u);
  EXPECT_EQ(dataset->sequences("dev").num_tokens(), 50u);
  EXPECT_EQ(dataset->sequences("test").num_tokens(), 50u);
}

TEST_F(Readers, Enwik8PredictsEachByteOfAStreamOnce) {
  write_text(folder_ / "enwik8/enwik8", std::string(1000, 'x'));
  const auto dataset = open("enwik8", {{"stream_length", 64}});
  const TokenSequences train = dataset->sequences("train");
  size_t predicted = 0;
  for (size_t i = 0; i < train.size(); ++i) predicted += train[i].size() - 1;
  EXPECT_EQ(predicted, 899u);
}

TEST_F(Readers, Enwik8RefusesOtherText) {
  std::filesystem::create_directories(folder_ / "enwik8");
  const auto says = [&](const std::string& bytes, const std::string& what) {
    write_text(folder_ / "enwik8/enwik8", bytes);
    EXPECT_THAT([&] { open("enwik8", {}); },
                ThrowsMessage<ConfigError>(HasSubstr("enwik8/enwik8: " + what)));
  };
  const std::string more(2000, 'x');
  says("PK\x03\x04" + more, "is a zip archive; expected text of a Wikipedia dump: unzip -p ");
  says("\x1F\x8B\x08" + more, "is compressed with gzip; expected text");
  says("\xFF\xFE" + more, "is UTF-16; expected");
  says("<!DOCTYPE html>" + more, "is a web page (HTML); expected");
  says(std::string(2000, '\0'), "holds only zero bytes");
  says("", "is empty; expected");
  // Bytes are kept as they are.
  write_text(folder_ / "enwik8/enwik8", "\xEF\xBB\xBF\r\n\xFF" + std::string(1, '\0') + more);
  EXPECT_EQ(open("enwik8", {})->vocabulary().size(), 4u + 8u);
}

TEST_F(Readers, Enwik8sBytesStayBytes) {
  const std::string marked = "\xEF\xBB\xBFone\r\ntwo\rcaf\xE9\xFF\n";
  std::string text;
  while (text.size() < 1000) text += marked;
  text.resize(1000);
  write_text(folder_ / "enwik8/enwik8", text);
  const auto dataset = open("enwik8", {{"stream_length", 2000}});
  std::string read;
  for (const char* split : {"train", "dev", "test"}) {
    const TokenSequences sequences = dataset->sequences(split);
    for (size_t i = 0; i < sequences.size(); ++i)
      for (const int32_t id : sequences[i]) read += dataset->vocabulary().text(id);
  }
  EXPECT_EQ(read, text);
}

/// Returns the options of stage enwik8 in bet/overall_lm_corpora.
Json options_of_bet() {
  return {{"split", "sentences_70_10_20"},
          {"tokenizer", {{"name", "nltk"}}},
          {"unit", "char"},
          {"protocol", "lines"},
          {"lowercase", true},
          {"min_characters", 12},
          {"max_tokens", 100}};
}

/// Two sentences of a line are separated in their order.
TEST_F(Readers, Enwik8CanBeSplitBySentencesAsBetReadsIt) {
  const auto sentence = [](int number) {
    return (number % 2 == 0 ? "The sentence with the number " : "Then comes the one of number ") +
           std::to_string(number) + " in this text.";
  };
  std::string text;
  for (int i = 0; i < 100; i += 2) text += sentence(i) + " " + sentence(i + 1) + "\n";
  write_text(folder_ / "enwik8/enwik8", text);
  const auto dataset = open("enwik8", options_of_bet());
  int next = 0;
  for (const auto& [split, count] : {std::pair("train", 70), {"dev", 10}, {"test", 20}}) {
    const std::vector<std::string> texts = split_texts(*dataset, split);
    ASSERT_EQ(texts.size(), static_cast<size_t>(count)) << split;
    for (const std::string& found : texts) {
      std::string expected = sentence(next++);
      expected[0] = 't';
      EXPECT_EQ(found, expected);
    }
  }
}

/// Sentences longer than ten characters are kept, as in the released code. A sentence's newline is one of
/// the twelve characters, but none of the hundred.
TEST_F(Readers, Enwik8sSentencesAreDroppedAndCutAsBetReadsThem) {
  const std::string ten = "Ten chars.", eleven = "Eleven now.", ten_of_unicode = "Öl für Bö.",
                    eleven_of_unicode = "Öl für Böe.", hundred = std::string(99, 'A') + ".",
                    more = std::string(100, 'B') + ".";
  std::string train = ten + "\n" + eleven + "\n" + ten_of_unicode + "\n" + eleven_of_unicode + "\n";
  train += hundred + "\n" + more + "\n";
  // Of ten sentences seven are in train, the next one in dev, two in test.
  write_text(folder_ / "enwik8/enwik8",
             train + "One of two. Two of two.\n" + ten + "\n" + eleven + "\n");
  const auto dataset = open("enwik8", options_of_bet());
  EXPECT_THAT(split_texts(*dataset, "train"),
              ElementsAre("eleven now.", "öl für böe.", std::string(99, 'a') + ".",
                          std::string(100, 'b'), "one of two."));
  EXPECT_THAT(split_texts(*dataset, "dev"), ElementsAre("two of two."));
  EXPECT_THAT(split_texts(*dataset, "test"), ElementsAre("eleven now."));
}

TEST_F(Readers, SentencesAreLeftOutWhereTheyAreShortAndCutWhereTheyAreLong) {
  const std::string train =
      "Too short. This one is long enough. " + std::string(30, 'A') + " end.\n";
  write_text(folder_ / "wikitext-2/wiki.train.tokens", train);
  for (const char* split : {"valid", "test"})
    write_text(folder_ / "wikitext-2" / (std::string("wiki.") + split + ".tokens"),
               "One sentence.\n");
  const auto dataset = open("wikitext_2", {{"protocol", "sentences"},
                                           {"unit", "char"},
                                           {"min_characters", 11},
                                           {"max_tokens", 20},
                                           {"tokenizer", {{"name", "nltk"}}}});
  const TokenSequences sequences = dataset->sequences("train");
  ASSERT_EQ(sequences.size(), 2u);
  EXPECT_EQ(text_of(*dataset, sequences[0]), "This one is long eno");
  EXPECT_EQ(text_of(*dataset, sequences[1]), std::string(20, 'A'));
}

// The planner hashes what is in such a file (experiments/plan/expand/input_hashes.h).
TEST_F(Readers, ThePathOfAUsersFileIsNotPartOfATrial) {
  size_t options = 0;
  for (const std::string& name : datasets().names()) {
    const PluginSchema& schema = datasets().schema(name);
    for (const std::string& option : datasets().facts(name).file_options) {
      EXPECT_FALSE(schema.options.find(option)->hashed) << name << "." << option;
      ++options;
    }
  }
  EXPECT_GT(options, 0u);
}

TEST_F(Readers, SyntheticLanguageNeedsNoFileAndIsTheSameTwice) {
  const auto open_in = [&](const std::string& cache) {
    return require_kind<TokenDataset>(
        datasets().make("synthetic_language", Json::object(), {"", folder_ / cache}),
        "synthetic_language");
  };
  const auto one = open_in("one"), two = open_in("two");
  EXPECT_GT(one->sequences("train").size(), one->sequences("test").size());
  for (const std::string& split : one->splits()) {
    const TokenSequences a = one->sequences(split), b = two->sequences(split);
    ASSERT_EQ(a.size(), b.size());
    for (size_t i = 0; i < a.size(); ++i) {
      ASSERT_TRUE(std::equal(a[i].begin(), a[i].end(), b[i].begin(), b[i].end()))
          << split << " " << i;
    }
  }
}

}  // namespace
}  // namespace rethink
