// Entities and their scores compared with seqeval 1.2.2, which repeats conlleval, on random tags.
#include "datasets/labelled/conll_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "datasets/labelled/tagged.h"
#include "datasets/scores/entities.h"
#include "tests/support/temp_folder.h"
#include "tests/support/throws_code.h"

namespace rethink {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

struct EntityCase {
  const char *truth, *predicted;  // sentences separated by |
  double accuracy, precision, recall, f1;
};

std::vector<std::vector<std::string>> sentences_of(const std::string& text) {
  std::vector<std::vector<std::string>> sentences(1);
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (word == "|") {
      sentences.emplace_back();
    } else {
      sentences.back().push_back(word);
    }
  }
  return sentences;
}

TEST(Entities, ScoreAsConllevalDoes) {
  const EntityCase cases[] = {
      {"I-PER O I-LOC I-PER I-LOC | O I-LOC B-PER I-LOC O I-PER O O O | B-PER I-LOC O B-PER B-LOC "
       "O | O I-PER O B-PER | O I-LOC I-LOC B-PER O | O B-LOC",
       "I-PER O I-LOC O I-LOC | O O B-PER I-LOC I-PER I-PER I-PER O B-PER | B-PER I-LOC O B-PER "
       "B-LOC O | O I-PER O B-PER | O B-PER I-LOC B-PER O | O B-LOC",
       80.6451612903, 76.4705882353, 76.4705882353, 76.4705882353},
      {"I-PER | I-LOC B-PER O B-LOC I-LOC B-PER | B-PER B-LOC I-LOC O B-PER O | B-LOC O O | I-LOC "
       "B-PER O B-LOC | B-LOC O I-LOC B-PER O B-LOC",
       "I-PER | I-LOC O O O I-LOC B-PER | O B-LOC I-LOC O B-PER O | B-LOC O O | I-LOC B-PER O "
       "B-LOC | B-LOC O I-LOC B-PER B-PER B-LOC",
       84.6153846154, 86.6666666667, 81.2500000000, 83.8709677419},
      {"O I-PER O | O I-LOC O O I-PER B-LOC O I-PER | O O B-PER O O O I-LOC | O O B-PER B-LOC "
       "I-LOC O B-LOC | B-PER I-PER I-PER O B-PER O O B-PER | O O B-PER I-LOC B-LOC O I-PER",
       "I-LOC I-PER O | O I-LOC O O I-PER B-LOC O I-PER | O O B-PER O O O I-LOC | I-PER O B-PER "
       "B-LOC I-LOC O B-LOC | I-PER I-PER I-PER O B-PER B-PER O I-LOC | B-PER O B-PER I-LOC B-LOC "
       "I-LOC I-PER",
       82.5000000000, 71.4285714286, 88.2352941176, 78.9473684211},
      {"I-PER I-PER | O B-LOC I-LOC B-LOC B-LOC I-PER B-PER | B-LOC B-LOC I-LOC I-LOC I-PER | "
       "I-PER O O O B-LOC | B-LOC I-PER O O I-LOC I-PER O I-PER | B-PER",
       "O I-PER | O B-LOC I-LOC B-LOC B-LOC I-PER B-PER | B-LOC B-LOC I-LOC O I-PER | I-LOC O O O "
       "B-LOC | B-LOC I-PER O O I-LOC I-LOC O I-PER | B-PER",
       85.7142857143, 75.0000000000, 70.5882352941, 72.7272727273},
      {"O B-PER O O B-LOC B-PER B-LOC B-PER O | B-LOC O O | B-PER | O B-LOC | O O I-PER B-LOC "
       "B-PER B-PER B-PER O B-PER | B-PER I-PER B-PER B-PER I-LOC",
       "B-LOC B-PER O O B-LOC B-PER O B-PER O | B-LOC O O | B-PER | O B-LOC | O O I-PER B-LOC "
       "B-PER B-PER B-PER I-PER O | B-PER B-LOC B-PER B-PER I-LOC",
       82.7586206897, 77.7777777778, 77.7777777778, 77.7777777778},
      {"O I-LOC | O O B-LOC | B-LOC O I-PER B-LOC O B-PER | O I-PER I-PER I-LOC B-LOC O | O | "
       "B-LOC B-PER I-PER O I-PER",
       "O I-LOC | O O B-LOC | B-LOC O I-PER B-PER O B-PER | O B-PER O I-LOC B-LOC O | O | B-LOC "
       "B-PER I-PER O I-PER",
       86.9565217391, 83.3333333333, 83.3333333333, 83.3333333333},
      {"I-PER E-LOC O I-LOC S-PER E-LOC O O | B-LOC O O S-LOC | I-PER | O I-LOC E-PER O O O B-PER "
       "| O B-LOC | O O S-PER O I-LOC O O S-PER",
       "I-PER E-LOC O I-LOC S-PER E-LOC O O | B-LOC O O S-LOC | I-PER | O I-LOC O O O O B-PER | "
       "E-LOC B-LOC | O O S-PER B-LOC I-LOC O O S-PER",
       90.0000000000, 86.6666666667, 86.6666666667, 86.6666666667},
      {"O O O S-LOC I-PER O S-PER | O | E-LOC S-PER | B-PER I-LOC E-PER E-PER I-PER O E-LOC O | "
       "I-LOC O O I-LOC S-LOC B-PER O O S-LOC | B-PER O S-PER I-LOC I-PER B-PER B-LOC I-PER",
       "I-PER O O S-LOC I-PER O S-PER | I-PER | E-LOC S-PER | B-PER I-LOC E-PER E-PER I-PER O "
       "E-LOC E-PER | I-LOC O O I-LOC I-LOC B-PER O O S-LOC | B-PER E-PER S-PER I-LOC I-PER B-PER "
       "B-LOC I-PER",
       85.7142857143, 80.0000000000, 86.9565217391, 83.3333333333},
      {"O I-PER I-PER I-PER O O S-LOC E-PER | O O S-LOC I-PER B-LOC E-PER S-LOC B-PER | O B-PER O "
       "| S-LOC O S-PER I-LOC | S-LOC B-LOC O E-PER I-PER B-LOC | E-PER O",
       "O I-PER I-PER I-PER O O S-LOC E-PER | O O S-LOC I-PER E-LOC E-PER O B-PER | O O O | S-LOC "
       "O S-PER I-LOC | E-PER B-LOC O E-PER O B-LOC | E-PER O",
       83.8709677419, 93.7500000000, 78.9473684211, 85.7142857143},
      {"O I-PER O O | O S-PER O B-PER S-PER O E-PER E-LOC I-PER | I-LOC S-PER I-LOC E-LOC S-LOC O "
       "O B-LOC | B-PER E-LOC O O B-LOC E-PER O B-LOC | I-PER O O E-LOC O E-PER B-PER | I-LOC "
       "S-PER",
       "O I-PER O O | O S-PER O B-PER S-PER O E-PER E-LOC I-PER | O S-PER I-LOC S-LOC S-LOC O O "
       "B-LOC | B-PER E-LOC O O B-LOC E-PER O B-LOC | I-PER O O E-LOC O E-PER B-PER | S-PER S-PER",
       92.1052631579, 86.9565217391, 86.9565217391, 86.9565217391},
      {"I-LOC O I-PER B-PER I-PER I-PER O O S-PER | O B-LOC E-LOC | S-LOC O E-PER | I-LOC O I-PER "
       "I-PER E-PER B-PER E-PER | O E-PER O S-LOC O E-LOC E-PER | S-PER O O O I-LOC S-LOC O B-PER",
       "O B-PER I-PER I-LOC I-PER I-PER B-LOC O S-PER | O B-LOC E-LOC | S-LOC O E-PER | I-LOC O "
       "E-PER I-PER E-PER B-PER E-PER | O I-PER O S-LOC O E-LOC E-PER | S-PER O O O O S-LOC O "
       "B-PER",
       81.0810810811, 68.4210526316, 72.2222222222, 70.2702702703},
      {"E-LOC E-PER E-LOC I-LOC E-PER S-PER E-LOC | E-LOC | I-LOC I-PER S-PER | S-LOC | B-PER "
       "B-LOC B-LOC O O O I-PER S-PER S-PER | B-LOC O B-LOC B-PER O O O",
       "E-LOC I-PER E-LOC S-PER E-PER S-PER E-LOC | B-PER | I-LOC I-PER S-PER | S-LOC | B-PER "
       "B-LOC B-LOC S-LOC O O I-PER S-PER S-PER | B-LOC O B-PER B-PER O O O",
       82.1428571429, 81.8181818182, 85.7142857143, 83.7209302326},
  };
  for (const EntityCase& one : cases) {
    const auto truth = sentences_of(one.truth), predicted = sentences_of(one.predicted);
    EntityScore score;
    for (size_t i = 0; i < truth.size(); ++i) score.add(predicted[i], truth[i]);
    const EntityCounts& all = score.counts().at("");
    EXPECT_NEAR(score.accuracy(), one.accuracy, 1e-9) << one.truth;
    EXPECT_NEAR(all.precision(), one.precision, 1e-9) << one.truth;
    EXPECT_NEAR(all.recall(), one.recall, 1e-9) << one.truth;
    EXPECT_NEAR(all.f1(), one.f1, 1e-9) << one.truth;
  }
}

TEST(Entities, BeginWhereTheirTagsSay) {
  EXPECT_THAT(entities_of({"B-PER", "I-PER", "O", "I-LOC", "I-PER", "B-PER"}),
              ElementsAre(Entity{0, 2, "PER"}, Entity{3, 4, "LOC"}, Entity{4, 5, "PER"},
                          Entity{5, 6, "PER"}));
  EXPECT_THAT(entities_of({"S-PER", "I-PER", "E-PER", "E-PER"}),
              ElementsAre(Entity{0, 1, "PER"}, Entity{1, 3, "PER"}, Entity{3, 4, "PER"}));
}

TEST(Entities, OfNothingScoreNothing) {
  EntityScore score;
  score.add({"O"}, {"O"});
  EXPECT_EQ(score.counts().at("").f1(), 0.0);
  EXPECT_EQ(score.accuracy(), 100.0);
}

TEST(Conll, ReadsSentencesAndPassesOverDocuments) {
  TempFolder folder;
  write_text(
      folder / "a.txt",
      "-DOCSTART- -X- O O\n\nEU NNP I-NP I-ORG\nrejects  VBZ I-VP O\n\n\nPeter NNP I-NP B-PER\n");
  const std::vector<TaggedSentence> sentences = read_conll(folder / "a.txt");
  ASSERT_EQ(sentences.size(), 2u);
  EXPECT_THAT(sentences[0].words, ElementsAre("EU", "rejects"));
  EXPECT_THAT(sentences[0].tags, ElementsAre("I-ORG", "O"));
  EXPECT_EQ(sentences[1].line, 7);
}

TEST(Conll, ReadsUtf8WithoutItsMark) {
  TempFolder folder;
  write_text(folder / "a.txt", "\xEF\xBB\xBF-DOCSTART- -X- O O\n\nPeter B-PER\n");
  const std::vector<TaggedSentence> sentences = read_conll(folder / "a.txt");
  ASSERT_EQ(sentences.size(), 1u);
  EXPECT_THAT(sentences[0].words, ElementsAre("Peter"));
  EXPECT_EQ(sentences[0].line, 3);
  write_text(folder / "latin.txt", "Peter B-PER\nM\xFCller I-PER\n");
  EXPECT_THAT([&] { read_conll(folder / "latin.txt"); },
              ThrowsMessage<ConfigError>(HasSubstr("latin.txt:2:2: the byte 0xFC is not UTF-8")));
}

/// A tweet can have such a word; the official scripts look only at tags.
TEST(Conll, KeepsAWordThatBeginsWithAMark) {
  const TempFolder folder;
  write_text(folder / "a.txt", "in O\n\xEF\xBB\xBFParis B-LOC\n");
  const std::vector<TaggedSentence> sentences = read_conll(folder / "a.txt");
  ASSERT_EQ(sentences.size(), 1u);
  EXPECT_EQ(sentences[0].words, (std::vector<std::string>{"in", "\xEF\xBB\xBFParis"}));
}

TEST(Conll, TakesTheTagFromTheColumnThatIsAskedFor) {
  TempFolder folder;
  write_text(folder / "a.txt", "EU B-ORG NNP\nrejects O VBZ\n");
  EXPECT_THAT(read_conll(folder / "a.txt", 2)[0].tags, ElementsAre("B-ORG", "O"));
  EXPECT_THAT(read_conll(folder / "a.txt", -1)[0].tags, ElementsAre("B-ORG", "O"));
  write_text(folder / "b.txt", "EU B-ORG\n");
  EXPECT_THAT([&] { read_conll(folder / "b.txt", -1); },
              ThrowsMessage<ConfigError>(HasSubstr("expected a word and two tags")));
  EXPECT_THAT([&] { read_conll(folder / "a.txt", 4); },
              ThrowsMessage<ConfigError>(
                  HasSubstr("a.txt:1:1: error: got 'EU B-ORG NNP', expected a word and its tag in "
                            "column 4")));
}

TEST(Conll, TabsAlonePartTheColumnsOfAFileThatHasThem) {
  TempFolder folder;
  write_text(folder / "a.txt",
             "-DOCSTART- -X- O\n\nEU\tB-ORG\r\n\r\nNew York \tB-LOC\t\nSt. John's\tI-LOC\n");
  const std::vector<TaggedSentence> sentences = read_conll(folder / "a.txt");
  ASSERT_EQ(sentences.size(), 2u);
  EXPECT_THAT(sentences[1].words, ElementsAre("New York", "St. John's"));
  EXPECT_THAT(sentences[1].tags, ElementsAre("B-LOC", "I-LOC"));
  write_text(folder / "mixed.txt", "EU B-ORG\nrejects\tO\n\tO\ncalls\tO\n");
  EXPECT_THAT([&] { read_conll(folder / "mixed.txt"); },
              ThrowsMessage<ConfigError>(testing::AllOf(
                  HasSubstr("mixed.txt:1:1: error: got 'EU B-ORG', expected a word and its tag in "
                            "column 2 or later; tabs part the columns of this file, the first in "
                            "line 2"),
                  HasSubstr("mixed.txt:3:1: error: got '\tO', expected a word"))));
}

TEST(Conll, RefusesALineOfAnotherNumberOfColumns) {
  TempFolder folder;
  write_text(folder / "spaces.txt", "EU B-ORG\nrejects O\n\nNew York B-LOC\n");
  EXPECT_THAT([&] { read_conll(folder / "spaces.txt"); },
              ThrowsMessage<ConfigError>(
                  HasSubstr("spaces.txt:4:1: error: got 3 columns, expected 2 as in line 1")));
  write_text(folder / "tabs.txt", "EU\tB-ORG\nGerman\t\tB-MISC\n");
  EXPECT_THAT([&] { read_conll(folder / "tabs.txt"); },
              ThrowsMessage<ConfigError>(
                  HasSubstr("tabs.txt:2:1: error: got 3 columns, expected 2 as in line 1; tabs")));
}

TEST(Conll, MostLinesSayHowManyColumnsThereAre) {
  TempFolder folder;
  write_text(folder / "first.txt", "EU NNP B-ORG extra\nrejects VBZ O\n\nGerman JJ B-MISC\n");
  EXPECT_THAT([&] { read_conll(folder / "first.txt"); },
              ThrowsMessage<ConfigError>(testing::AllOf(
                  HasSubstr("first.txt:1:1: error: got 4 columns, expected 3 as in line 2 and 1 "
                            "other"),
                  testing::Not(HasSubstr("first.txt:2")))));
  write_text(folder / "tab.txt", "EU NNP B-ORG\nNew York\tB-LOC\nrejects VBZ O\na\tDT\tO\nb X O\n");
  EXPECT_THAT([&] { read_conll(folder / "tab.txt"); },
              ThrowsMessage<ConfigError>(testing::AllOf(
                  HasSubstr("tab.txt:2:1: error: got 'New York\tB-LOC', where a tab parts other "
                            "columns than spaces do"),
                  testing::Not(HasSubstr("tab.txt:1:")), testing::Not(HasSubstr("tab.txt:4:")))));
}

TEST(Conll, CommentsStandBeforeSentences) {
  TempFolder folder;
  // In Universal NER the tags are not in the last column.
  write_text(
      folder / "uner.txt",
      "# sent_id = 1\n# text = Vitamin O\n1\tVitamin\tB-MISC\t-\n2-3\tdu\t_\t-\n2\tde\tO\t-\n"
      "3\tle\tO\t-\n3.1\tnone\t_\t-\n4\t#\tO\t-\n\n# newdoc\n1\tEU\tB-ORG\t-\n");
  const std::vector<TaggedSentence> sentences = read_conll(folder / "uner.txt", 3);
  ASSERT_EQ(sentences.size(), 2u);
  EXPECT_THAT(sentences[0].words, ElementsAre("Vitamin", "de", "le", "#"));
  EXPECT_THAT(sentences[0].tags, ElementsAre("B-MISC", "O", "O", "O"));
  EXPECT_EQ(sentences[1].line, 11);
  EXPECT_THAT([&] { read_conll(folder / "uner.txt"); },
              ThrowsMessage<ConfigError>(HasSubstr("got the tag '-', expected O or B-, I-, E- or "
                                                   "S- and a type, such as B-PER; column 3 has "
                                                   "tags")));
  EXPECT_THAT([&] { read_conll(folder / "uner.txt", 3, WordNumbers::refuse); },
              ThrowsCode("invalid-table"));
  // Such a mark can also be a word, and in the middle of a sentence it is one.
  write_text(folder / "words.txt", "# NN O\n1 CD O\n# NN O\n\n# id 7 domain=en\n# NN B-X\n");
  const std::vector<TaggedSentence> words = read_conll(folder / "words.txt");
  ASSERT_EQ(words.size(), 2u);
  EXPECT_THAT(words[0].words, ElementsAre("#", "1", "#"));
  EXPECT_THAT(words[1].tags, ElementsAre("B-X"));
  write_text(folder / "coner.txt", "# id 7\tdomain=en\nEU _ _ B-ORG\ncalls _ _ O\n");
  EXPECT_THAT(read_conll(folder / "coner.txt")[0].words, ElementsAre("EU", "calls"));
  write_text(folder / "mark.txt", "EU NNP B-ORG\n\n# NN b-x\na DT O\n");
  EXPECT_THAT([&] { read_conll(folder / "mark.txt"); },
              ThrowsMessage<ConfigError>(HasSubstr("mark.txt:3:1: error: got the tag 'b-x'")));
  write_text(folder / "bad.txt", "EU NNP B-ORG\n# a remark\na DT O\n\n# O\nb DT O\n");
  EXPECT_THAT([&] { read_conll(folder / "bad.txt"); },
              ThrowsMessage<ConfigError>(
                  testing::AllOf(HasSubstr("bad.txt:2:1: error: got the tag 'remark'"),
                                 HasSubstr("bad.txt:5:1: error: got 2 columns, expected 3"))));
}

TEST(Conll, NumbersOfWordsAreCounted) {
  TempFolder folder;
  write_text(folder / "a.txt", "1 EU B-ORG\n2 rejects O\n4 calls O\n\n1 German B-MISC\n2 call O\n");
  EXPECT_THAT(
      [&] { read_conll(folder / "a.txt"); },
      ThrowsMessage<ConfigError>(HasSubstr("a.txt:3:1: error: got the word number 4, expected 3")));
  write_text(folder / "b.txt", "1 CD O\n2 CD O\nmen NN O\nand CC O\nwomen NN O\n");
  EXPECT_THAT(read_conll(folder / "b.txt")[0].words, ElementsAre("1", "2", "men", "and", "women"));
  write_text(folder / "c.txt", "1 O\n2 O\n");
  EXPECT_THAT(read_conll(folder / "c.txt")[0].words, ElementsAre("1", "2"));
}

/// NCBI's corpus of diseases has one type without a name; conlleval reads such tags.
TEST(Conll, TagsMayLackAType) {
  TempFolder folder;
  write_text(folder / "a.txt", "adenomatous B\npolyposis I\ncoli O\n");
  const std::vector<TaggedSentence> sentences = read_conll(folder / "a.txt");
  EXPECT_THAT(entities_of(sentences[0].tags), ElementsAre(Entity{0, 2, ""}));
  EXPECT_EQ(iob2_tags({"I", "I", "O"}), (std::vector<std::string>{"B", "I", "O"}));
  EntityScore score;
  score.add({"B", "I", "B"}, sentences[0].tags);
  const EntityCounts& all = score.counts().at("");
  EXPECT_EQ(score.counts().size(), 1u);
  EXPECT_EQ(all.predicted, 2u);
  EXPECT_EQ(all.there, 1u);
  EXPECT_EQ(all.right, 1u);
}

TEST(Conll, TagsWithoutWordsAreNamed) {
  TempFolder folder;
  write_text(folder / "predictions.txt", "B-ORG O B-MISC O\nO\nO B-LOC\n");
  EXPECT_THAT([&] { read_conll(folder / "predictions.txt"); }, ThrowsCode("invalid-table"));
}

TEST(Conll, SaysWhereALineIsWrong) {
  TempFolder folder;
  write_text(folder / "a.txt", "EU I-ORG\nalone\nPeter person\n");
  EXPECT_THAT([&] { read_conll(folder / "a.txt"); },
              ThrowsMessage<ConfigError>(testing::AllOf(
                  HasSubstr("a.txt:2:1: error: got 'alone', expected a word and its tag"),
                  HasSubstr("a.txt:3:1: error: got the tag 'person'"))));
  write_text(folder / "b.txt", "\n\n");
  EXPECT_THAT([&] { read_conll(folder / "b.txt"); }, ThrowsCode("empty-file"));
  write_text(folder / "c.txt", "");
  EXPECT_THAT([&] { read_conll(folder / "c.txt"); }, ThrowsCode("empty-file"));
}

}  // namespace
}  // namespace rethink
