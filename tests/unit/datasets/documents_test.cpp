// Documents of sentences, and questions about contexts.
#include "datasets/pretraining/documents.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "core/json.h"
#include "datasets/labelled/questions.h"
#include "tests/support/temp_folder.h"
#include "tests/support/throws_code.h"

namespace rethink {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

std::vector<Document> documents_of(const std::string& text) {
  return documents_in(text, layout_of(text));
}

TEST(DocumentLayouts, LinesArePartedByEmptyOnes) {
  EXPECT_THAT(documents_of("One. Two!\nThree\n\n \nFour\n***\n"),
              ElementsAre(Document{"One.", "Two!", "Three"}, Document{"Four"}));
  EXPECT_EQ(layout_of("plain text\n"), "lines");
  EXPECT_TRUE(documents_of("").empty());
}

TEST(DocumentLayouts, ABookLosesItsHeaderItsLicenceAndItsUnderscores) {
  const std::string text =
      "\xEF\xBB\xBFThe Project Gutenberg EBook\r\n\r\n*** START OF THIS PROJECT GUTENBERG EBOOK X "
      "***\r\n"
      "\r\nProduced by somebody\r\n\r\nIt was _very_\r\nlate. Nobody came.\r\n\r\n* * "
      "*\r\n\r\nMorning.\r\n"
      "\r\nEnd of the Project Gutenberg EBook of X\r\n*** END OF THIS PROJECT GUTENBERG EBOOK X "
      "***\r\n"
      "Licence.\r\n";
  EXPECT_EQ(layout_of(text), "book");
  EXPECT_THAT(documents_of(text),
              ElementsAre(Document{"It was very late.", "Nobody came.", "Morning."}));
}

TEST(DocumentLayouts, ABookOfOldLosesItsSmallPrint) {
  const std::string text =
      "The Project Gutenberg Etext of X\n\nLegal.\n*END*THE SMALL PRINT! FOR PUBLIC DOMAIN "
      "ETEXTS*Ver.04.29.93*END*\n\nIt was late.\n\nEnd of The Project Gutenberg Etext of X\n";
  EXPECT_EQ(layout_of(text), "book");
  EXPECT_THAT(documents_of(text), ElementsAre(Document{"It was late."}));
}

TEST(DocumentLayouts, TwoBooksInOneFileAreRefused) {
  const std::string book =
      "*** START OF THIS PROJECT GUTENBERG EBOOK X ***\nText.\n*** END OF THIS PROJECT GUTENBERG "
      "EBOOK X ***\nLicence.\n";
  EXPECT_THAT([&] { documents_of(book + book); }, ThrowsCode("several-books"));
}

TEST(DocumentLayouts, WikitextIsPartedAtItsTitles) {
  const std::string text =
      " \n = First = \n \n A <unk> of 2 @.@ 5 @-@ inch size . It is . \n \n = = Part = = \n \n "
      "More . \n"
      " = legend = \n \n = Second = \n \n Text . \n";
  EXPECT_EQ(layout_of(text), "wikitext");
  EXPECT_THAT(documents_of(text),
              ElementsAre(Document{"A [UNK] of 2.5-inch size .", "It is .", "More .", "= legend ="},
                          Document{"Text ."}));
}

TEST(DocumentLayouts, WikiextractorsTitlesAreLeftOut) {
  const std::string text =
      "<doc id=\"1\" title=\"T\">\nT\n\nOne. Two.\n</doc>\n<doc id=\"2\">\nU\n\nThree.\n</doc>\n";
  EXPECT_THAT(documents_of(text), ElementsAre(Document{"One.", "Two."}, Document{"Three."}));
}

TEST(Documents, HoldOutTheEndsOfEach) {
  const auto splits = hold_out_ends({Document(20, "a"), Document(19, "b"), Document(1, "c")}, 0.1);
  EXPECT_EQ(splits[0].documents[0].size(), 18u);
  EXPECT_EQ(splits[1].documents, (std::vector<Document>{Document(2, "a")}));
  EXPECT_EQ(splits[0].documents.size(), 3u);
}

class Files : public testing::Test {
 protected:
  template <typename Kind>
  std::shared_ptr<Kind> open(const std::string& name, const Json& options) const {
    return require_kind<Kind>(datasets().make(name, options, {folder_.path(), folder_ / "cache"}),
                              name);
  }
  TempFolder folder_;
};

TEST_F(Files, PretrainTextReadsThoseOfOnesOwn) {
  std::string text;
  for (int i = 0; i < 40; ++i) text += "Sentence " + std::to_string(i) + ".\n";
  write_text(folder_ / "own.txt", text);
  const auto own = open<DocumentDataset>("pretrain_text", {{"paths", {"own.txt"}}, {"dev", 0.1}});
  EXPECT_EQ(own->documents("train")[0].size(), 36u);
  EXPECT_EQ(own->documents("dev")[0][0], "Sentence 36.");
  EXPECT_THROW(own->documents("test"), TrialError);
  write_text(folder_ / "own.txt", "...\n\n");
  EXPECT_THAT(
      [&] {
        open<DocumentDataset>("pretrain_text", {{"paths", {"own.txt"}}});
      },
      ThrowsCode("empty-file"));
}

TEST_F(Files, SyntheticDocumentsAreTheSameTwice) {
  const auto one = open<DocumentDataset>("synthetic_documents", Json::object());
  const auto two = open<DocumentDataset>("synthetic_documents", Json::object());
  EXPECT_EQ(one->documents("train"), two->documents("train"));
  EXPECT_EQ(one->documents("dev").size(), one->documents("train").size());
  EXPECT_THAT([&] { open<QuestionDataset>("synthetic_documents", Json::object()); },
              ThrowsMessage<TrialError>(HasSubstr("is of kind documents")));
}

TEST_F(Files, SyntheticQuestionsHaveTheirAnswersWhereTheySay) {
  const auto dataset = open<QuestionDataset>("synthetic_questions", {{"impossible", 0.3}});
  size_t impossible = 0;
  const QuestionSplit& train = dataset->split("train");
  for (const Question& question : train.questions) {
    impossible += question.impossible;
    EXPECT_EQ(question.answers.empty(), question.impossible);
    for (const Answer& answer : question.answers) {
      EXPECT_EQ(train.contexts[question.context].substr(answer.begin, answer.text.size()),
                answer.text);
    }
  }
  EXPECT_EQ(train.questions.size(), 1800u);
  EXPECT_NEAR(static_cast<double>(impossible), 540, 90);
  EXPECT_EQ(dataset->split("dev").contexts.size(), 30u);
}

std::string squad_file(const std::string& answer, int start) {
  const Json question = {{"id", "q1"},
                         {"question", "Who?"},
                         {"is_impossible", false},
                         {"answers", {{{"text", answer}, {"answer_start", start}}}}};
  const Json none = {
      {"id", "q2"}, {"question", "Why?"}, {"is_impossible", true}, {"answers", Json::array()}};
  const Json paragraph = {{"context", "Café Äpfel, said Ü."}, {"qas", {question, none}}};
  return Json{{"version", "v2.0"},
              {"data", {{{"title", "t"}, {"paragraphs", Json::array({paragraph})}}}}}
      .dump();
}

TEST_F(Files, SquadsOffsetsCountCodePoints) {
  write_text(folder_ / "squad/train-v2.0.json", squad_file("Ü", 17));
  write_text(folder_ / "squad/dev-v2.0.json", squad_file("Äpfel", 5));
  const auto squad = open<QuestionDataset>("squad_v2", Json::object());
  const QuestionSplit& dev = squad->split("dev");
  const Question& question = dev.questions[0];
  EXPECT_EQ(dev.contexts[question.context].substr(question.answers[0].begin, 6), "Äpfel");
  EXPECT_TRUE(dev.questions[1].impossible);
  EXPECT_TRUE(squad->has_no_answers());
  const auto fewer = open<QuestionDataset>("squad_v2", {{"train_examples", 1}});
  EXPECT_EQ(fewer->split("train").questions.size(), 1u);
  EXPECT_EQ(fewer->split("train").whole_size, 2u);
}

TEST_F(Files, SquadsAnswersToImpossibleQuestionsCountInScores) {
  write_text(folder_ / "squad/train-v2.0.json", squad_file("Ü", 17));
  std::string dev = squad_file("Äpfel", 5);
  dev.replace(dev.find(R"("answers":[],)"), 13,
              R"("answers":[{"text":"no matter where","answer_start":900}],)");
  write_text(folder_ / "squad/dev-v2.0.json", dev);
  const auto squad = open<QuestionDataset>("squad_v2", Json::object());
  const Question& question = squad->split("dev").questions[1];
  EXPECT_TRUE(question.impossible);
  ASSERT_EQ(question.answers.size(), 1u);
  EXPECT_EQ(question.answers[0].text, "no matter where");
}

TEST_F(Files, SquadNamesAnAnswerAtAWrongPosition) {
  write_text(folder_ / "squad/train-v2.0.json", squad_file("Ü", 16));
  write_text(folder_ / "squad/dev-v2.0.json", squad_file("Ü", 99));
  const auto open_it = [&] { open<QuestionDataset>("squad_v2", Json::object()); };
  EXPECT_THAT(open_it, ThrowsCode("invalid-squad"));
  write_text(folder_ / "squad/train-v2.0.json", "{\"data\": [{}]}");
  EXPECT_THAT(open_it, ThrowsMessage<ConfigError>(HasSubstr("expected a file of SQuAD")));
  write_text(folder_ / "squad/train-v2.0.json", squad_file("Ü", 17) + std::string(1, '\0') + "{");
  EXPECT_THAT(open_it, ThrowsMessage<ConfigError>(HasSubstr("a byte that is 0")));
  write_text(folder_ / "squad/train-v2.0.json", "{\"data\": " + std::string(300'000, '['));
  EXPECT_THAT(open_it, ThrowsMessage<ConfigError>(HasSubstr("nested too deep")));
  write_text(folder_ / "squad/train-v2.0.json", "{\"data\": [");
  EXPECT_THAT(open_it, ThrowsMessage<ConfigError>(HasSubstr("train-v2.0.json")));
}

}  // namespace
}  // namespace rethink
