#include "datasets/translation/translations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/config/schema.h"
#include "core/error.h"
#include "core/json.h"
#include "datasets/scores/bleu.h"
#include "datasets/text/detokenization.h"
#include "datasets/text/syntax_hints.h"
#include "tests/support/temp_folder.h"

namespace rethink {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

class Translations : public testing::Test {
 protected:
  /// Opens a data set with one test sentence. Its name is a registered one, for its revision.
  std::shared_ptr<TranslationDataset> open(const TranslationOptions& options,
                                           std::vector<std::string> source,
                                           std::vector<std::string> target,
                                           const std::string& reference = "a b",
                                           bool is_tokenized = false) {
    const auto read = [=](size_t split) {
      return split == 0 ? ParallelText{source, target} : ParallelText{{"x"}, {reference}};
    };
    Json own = {{"source", source},
                {"target", target},
                {"reference", reference},
                {"is_tokenized", is_tokenized}};
    return open_translations({.name = "parallel",
                              .files = {},
                              .options = own,
                              .is_tokenized = is_tokenized,
                              .splits = {"train", "dev"},
                              .read = read},
                             options, {folder_.path(), folder_ / "cache"});
  }

  static TranslationOptions words() {
    TranslationOptions options;
    options.unit = "words";
    options.vocabulary = 0;
    return options;
  }

  static std::vector<std::string> targets(const TranslationDataset& dataset) {
    std::vector<std::string> texts;
    const TranslationSplit& train = dataset.split("train");
    for (size_t i = 0; i < train.target.size(); ++i) texts.push_back(dataset.text(train.target[i]));
    return texts;
  }

  const TempFolder folder_;
};

TEST_F(Translations, LeaveOutTrainingPairsThatAreEmptyTooLongOrUnlike) {
  TranslationOptions options = words();
  EXPECT_THAT(targets(*open(options, {"a", "", "a", "a b c"}, {"A", "B", "", "C"})),
              ElementsAre("A", "C"));
  options.max_tokens = 2;
  EXPECT_THAT(targets(*open(options, {"a", "a b c", "a b"}, {"A", "B", "A B C"})),
              ElementsAre("A"));
  options.max_tokens = 0;
  options.max_ratio = 1.5;
  EXPECT_THAT(targets(*open(options, {"a b", "a", "a b c d"}, {"A B C", "A B", "A B"})),
              ElementsAre("A B C"));
}

TEST_F(Translations, TrainOnTheFirstPairsWithTheWordsOfAll) {
  TranslationOptions options = words();
  options.max_train_pairs = 2;
  const auto dataset = open(options, {"a", "", "b", "c", "d"}, {"A", "X", "B", "C", "D"});
  EXPECT_THAT(targets(*dataset), ElementsAre("A", "B"));
  EXPECT_EQ(dataset->split("train").left_out, 2u);
  EXPECT_EQ(dataset->split("dev").left_out, 0u);
  EXPECT_EQ(dataset->vocabulary_size(), 4u + 9u);
}

TEST_F(Translations, CountWordsOfBothLanguagesTogether) {
  TranslationOptions options = words();
  options.vocabulary = 2;
  const auto dataset = open(options, {"a a b", "c"}, {"b b C", "c c"}, "a b c");
  EXPECT_EQ(dataset->vocabulary_size(), 4u + 2u);
  EXPECT_EQ(dataset->text(dataset->split("dev").target[0]), "<unk> b c");
}

TEST_F(Translations, LowerCaseBothSidesAndTheReference) {
  TranslationOptions options = words();
  options.lowercase = true;
  const auto dataset = open(options, {"Ä b"}, {"A B"}, "A B");
  EXPECT_THAT(targets(*dataset), ElementsAre("a b"));
  EXPECT_THAT(dataset->split("dev").references, ElementsAre("a b"));
}

/// The right sentence scores 100, whichever program separated its words.
TEST_F(Translations, ScoreWholeWordsOfMarkedPieces) {
  const std::string marked = "die Hun@@ de bel@@ len laut .", whole = "die Hunde bellen laut .";
  TranslationOptions pieces;
  pieces.vocabulary = 30;
  for (const TranslationOptions& options : {words(), pieces}) {
    for (const bool is_tokenized : {true, false}) {
      if (options.unit == "pieces" && !is_tokenized) continue;
      const auto dataset = open(options, {marked}, {marked}, marked, is_tokenized);
      const TranslationSplit& dev = dataset->split("dev");
      EXPECT_EQ(dataset->text(dev.target[0]), whole) << options.unit;
      EXPECT_THAT(dev.references, ElementsAre(whole)) << options.unit;
      BleuScore bleu(dataset->is_tokenized() ? kMultiBleu : kSacreBleu);
      bleu.add(dataset->text(dev.target[0]), dev.references[0]);
      EXPECT_DOUBLE_EQ(bleu.value(), 100.0) << options.unit;
    }
  }
}

TEST_F(Translations, LearnPiecesOfWholeWordsWhereTextWasTokenized) {
  TranslationOptions options;
  options.vocabulary = 16;
  const std::string marked = "Hun@@ de bel@@ len";
  const auto has_the_mark = [&](bool is_tokenized) {
    const auto dataset = open(options, {marked}, {marked}, marked, is_tokenized);
    for (size_t id = 0; id < dataset->vocabulary_size(); ++id) {
      if (dataset->token(static_cast<int32_t>(id)).find('@') != std::string::npos) return true;
    }
    return false;
  };
  EXPECT_FALSE(has_the_mark(true));
  EXPECT_TRUE(has_the_mark(false)) << "raw text stays as it is";
}

TEST(MarkedPieces, AreJoinedAsFairseqJoinsThem) {
  EXPECT_EQ(without_piece_marks("Hun@@ de bel@@ len"), "Hunde bellen");
  EXPECT_EQ(without_piece_marks("bel@@"), "bel");
  EXPECT_EQ(without_piece_marks("a @@ b@@c "), "a b@@c");
  EXPECT_EQ(without_piece_marks("@@"), "");
  EXPECT_EQ(without_piece_marks(""), "");
}

/// "b" depends on "a", so a is looked at while b is predicted.
TEST_F(Translations, HaveHintsOfTheirTargets) {
  write_text(folder_ / "trees", "1\ta\t_\t_\t_\t_\t0\t_\t_\t_\n2\tb\t_\t_\t_\t_\t1\t_\t_\t_\n");
  TranslationOptions options = words();
  options.hints = {"trees"};
  options.max_train_pairs = 2;
  const auto dataset =
      open(options, {"x", "", "y z", "x"}, {"a b", "left out", "c", "beyond"}, "A B");
  const TokenSequences hints = dataset->split("train").hints;
  ASSERT_EQ(hints.size(), 2u);
  EXPECT_THAT(hints[0], ElementsAre(0, 1, kNoCharacters, kNothingToHint));
  EXPECT_THAT(hints[1], ElementsAre(kNoHint, kNoCharacters, kNothingToHint));
  EXPECT_DOUBLE_EQ(hint_coverage(hints), 2.0 / 3);
  EXPECT_THAT(dataset->split("dev").hints[0], ElementsAre(0, 1, kNoCharacters, kNothingToHint));
  EXPECT_EQ(open(words(), {"x"}, {"a b"})->split("train").hints.size(), 0u);
}

TEST_F(Translations, HaveHintsOfMarkedPieces) {
  write_text(folder_ / "trees",
             "1\tdogs\t_\t_\t_\t_\t0\t_\t_\t_\n2\tbark\t_\t_\t_\t_\t1\t_\t_\t_\n");
  TranslationOptions options = words();
  options.hints = {"trees"};
  const auto dataset = open(options, {"x"}, {"do@@ gs bar@@ k"});
  EXPECT_THAT(dataset->split("train").hints[0],
              ElementsAre(0, 1, 2, 2, kNoCharacters, kNothingToHint));
}

TEST_F(Translations, HaveHintsOfTheirPieces) {
  write_text(folder_ / "trees",
             "1\tabab\t_\t_\t_\t_\t0\t_\t_\t_\n2\tbaba\t_\t_\t_\t_\t1\t_\t_\t_\n");
  TranslationOptions options;
  options.vocabulary = 12;
  options.hints = {"trees"};
  const auto dataset = open(options, {"ab ba", "abab"}, {"abab baba", "baba"});
  const TranslationSplit& train = dataset->split("train");
  ASSERT_EQ(train.hints[0].size(), train.target[0].size());
  const size_t pieces = train.target[0].size() - 2, others = train.target[1].size() - 2;
  EXPECT_GT(pieces, 2u);
  // All of the first sentence has hints; the trees lack the second.
  EXPECT_DOUBLE_EQ(hint_coverage(train.hints),
                   static_cast<double>(pieces) / static_cast<double>(pieces + others));
}

/// A data set gives the directions of its paper, unless options say otherwise.
TEST_F(Translations, StartFromTheNamedLanguage) {
  for (const auto& [name, by_default] :
       {std::pair{"iwslt14", "de"}, std::pair{"multi30k", "de"}, std::pair{"wmt17_en_de", "en"}}) {
    for (const auto& [split, files] : datasets().facts(name).files) {
      for (const std::string& file : files)
        write_text(folder_ / file, file.ends_with(".de") ? "der Hund\n" : "the dog\n");
    }
    for (const std::string source : {"", "de", "en"}) {
      Json options = {{"unit", "words"}, {"vocabulary", 0}};
      if (!source.empty()) options["source"] = source;
      const auto dataset = require_kind<TranslationDataset>(
          datasets().make(name, options, {folder_.path(), folder_ / "cache"}), name);
      const bool german = (source.empty() ? by_default : source) == "de";
      for (const std::string split : {"train", "dev", "test"}) {
        const TranslationSplit& pairs = dataset->split(split);
        EXPECT_EQ(dataset->text(pairs.source[0]), german ? "der Hund" : "the dog")
            << name << source;
        EXPECT_EQ(dataset->text(pairs.target[0]), german ? "the dog" : "der Hund")
            << name << source;
      }
    }
  }
}

TEST_F(Translations, AreReadLineByLine) {
  write_text(folder_ / "a", "one\r\n\nthree");
  write_text(folder_ / "b", "eins\nzwei\ndrei\n");
  write_text(folder_ / "c", "eins\nzwei\n");
  write_text(folder_ / "empty", "");
  const ParallelText text = read_parallel(folder_ / "a", folder_ / "b");
  EXPECT_THAT(text.source, ElementsAre("one", "", "three"));
  EXPECT_THAT(text.target, ElementsAre("eins", "zwei", "drei"));
  EXPECT_THAT([&] { read_parallel(folder_ / "a", folder_ / "c"); },
              ThrowsMessage<TrialError>(HasSubstr("/a has 3 lines, ")));
  EXPECT_THAT([&] { read_parallel(folder_ / "empty", folder_ / "empty"); },
              ThrowsMessage<TrialError>(HasSubstr("/empty is empty")));
}

TEST_F(Translations, AreReadFromUtf8WithoutItsMark) {
  write_text(folder_ / "a", "\xEF\xBB\xBFone\ntwo\n");
  write_text(folder_ / "b",
             "\xEF\xBB\xBF"
             "eins\nzwei\n");
  write_text(folder_ / "latin", "eins\nzw\xF6lf\n");
  const ParallelText text = read_parallel(folder_ / "a", folder_ / "b");
  EXPECT_THAT(text.source, ElementsAre("one", "two"));
  EXPECT_THAT(text.target, ElementsAre("eins", "zwei"));
  EXPECT_THAT([&] { read_parallel(folder_ / "a", folder_ / "latin"); },
              ThrowsMessage<ConfigError>(
                  HasSubstr("/latin:2:3: the byte 0xF6 is not UTF-8; convert the file first")));
}

}  // namespace
}  // namespace rethink
