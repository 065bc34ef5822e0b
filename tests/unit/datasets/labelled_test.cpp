// Tables of labelled examples: GLUE's, SWAG's, CODAH's, and those that need no file.
#include "datasets/labelled/labelled.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "core/error.h"
#include "core/json.h"
#include "datasets/files/delimited.h"
#include "datasets/labelled/predictions.h"
#include "tests/support/temp_folder.h"
#include "tests/support/throws_code.h"

namespace rethink {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

class Labelled : public testing::Test {
 protected:
  std::shared_ptr<LabelledDataset> open(const std::string& name, const Json& options) const {
    return require_kind<LabelledDataset>(
        datasets().make(name, options, {folder_.path(), folder_ / "cache"}), name);
  }
  void write(const std::string& file, const std::string& text) const {
    write_text(folder_ / file, text);
  }
  TempFolder folder_;
};

std::vector<std::string> first_texts(const std::vector<LabelledExample>& examples) {
  std::vector<std::string> texts;
  for (const LabelledExample& example : examples) texts.push_back(example.inputs[0].first);
  return texts;
}

std::string cola_rows(int count) {
  std::string rows;
  for (int i = 0; i < count; ++i) rows += fmt::format("src\t{}\t\tsentence {}\n", i % 2, i);
  return rows;
}

TEST_F(Labelled, CsvHasQuotesAndTsvHasNone) {
  write("a.csv", "one,\"two, \"\"2\"\"\nlines\",\r\n,\"\",x\"y\n");
  DelimitedFile csv(folder_ / "a.csv", ',', Quoting::csv);
  ASSERT_TRUE(csv.next());
  EXPECT_THAT(csv.fields(), ElementsAre("one", "two, \"2\"\nlines", ""));
  ASSERT_TRUE(csv.next());
  EXPECT_THAT(csv.fields(), ElementsAre("", "", "x\"y"));
  EXPECT_EQ(csv.where(2).line, 3);
  EXPECT_EQ(csv.where(2).column, 5);
  EXPECT_FALSE(csv.next());
  write("a.tsv", "\xEF\xBB\xBF\"one\ttwo\"\r\n\nthree\t");
  DelimitedFile tsv(folder_ / "a.tsv", '\t', Quoting::none);
  ASSERT_TRUE(tsv.next());
  EXPECT_THAT(tsv.fields(), ElementsAre("\"one", "two\""));
  ASSERT_TRUE(tsv.next());
  EXPECT_THAT(tsv.fields(), ElementsAre("three", ""));
  EXPECT_EQ(tsv.where(0).line, 3);
  EXPECT_FALSE(tsv.next());
}

TEST_F(Labelled, ATableSaysWhereItsQuoteOrItsBytesAreWrong) {
  write("a.csv", "one\n2,\"open\n");
  const auto read = [&] {
    DelimitedFile csv(folder_ / "a.csv", ',', Quoting::csv);
    while (csv.next()) continue;
  };
  EXPECT_THAT(read, ThrowsMistake("2:3 invalid-table"));
  write("a.csv", "one\n\xFFtwo\n");
  EXPECT_THAT(read, ThrowsMessage<ConfigError>(HasSubstr("a.csv:2:1: the byte 0xFF is not UTF-8")));
  write("a.csv", "label,text\r\r\n1,one\r\r\n");
  EXPECT_THAT(read, ThrowsMessage<ConfigError>(HasSubstr("a.csv:1:11: lines end with \\r\\r\\n")));
  write("a.csv", "label,text\n\xEF\xBB\xBFlabel,text\n");
  EXPECT_THAT(read, ThrowsMessage<ConfigError>(
                        HasSubstr("a.csv:2:1: this line begins with a byte order mark")));
}

TEST_F(Labelled, ColaHasNoHeaderButItsTestSplitHas) {
  write("glue/CoLA/train.tsv", cola_rows(4));
  write("glue/CoLA/dev.tsv", "src\t1\t*\tthe \"dev\" sentence\n");
  write("glue/CoLA/test.tsv", "index\tsentence\n0\tthe test sentence\n");
  const auto plain = open("glue/cola", Json::object());
  EXPECT_THAT(plain->splits(), ElementsAre("train", "dev"));
  EXPECT_EQ(plain->examples("train")[1].label, 1.0);
  EXPECT_EQ(plain->examples("dev")[0].inputs[0].first, "the \"dev\" sentence");
  const auto with_test = open("glue/cola", {{"test", true}});
  EXPECT_THAT(with_test->splits(), ElementsAre("train", "dev", "test"));
  EXPECT_FALSE(with_test->examples("test")[0].label.has_value());
  EXPECT_THAT([&] { plain->examples("holdout"); },
              ThrowsMessage<TrialError>(HasSubstr("set its option 'holdout'")));
}

TEST_F(Labelled, SaysWhereARowIsWrong) {
  write("glue/CoLA/train.tsv", "src\t1\t\tfine\nsrc\t2\t\tbad label\nsrc\t1\tshort\n");
  write("glue/CoLA/dev.tsv", cola_rows(1));
  EXPECT_THAT([&] { open("glue/cola", Json::object()); },
              ThrowsMessage<ConfigError>(
                  testing::AllOf(HasSubstr("train.tsv:2:5: error: got '2', expected one of 0, 1"),
                                 HasSubstr("train.tsv:3:7: error: got 3 columns, expected 4"))));
  write("glue/RTE/train.tsv", "index\tsentence1\tlabel\n");
  write("glue/RTE/dev.tsv", "index\tsentence1\tlabel\n");
  EXPECT_THAT([&] { open("glue/rte", Json::object()); },
              ThrowsMessage<ConfigError>(HasSubstr("expected sentence1 and sentence2 among them")));
  EXPECT_THAT([&] { open("glue/wnli", Json::object()); },
              ThrowsMessage<TrialError>(HasSubstr("rethink data get glue/wnli")));
}

TEST_F(Labelled, QqpSkipsRowsThatLackColumnsAndStsbHasScores) {
  const std::string header = "id\tqid1\tqid2\tquestion1\tquestion2\tis_duplicate\n";
  write("glue/QQP/train.tsv", header + "7\t1\t2\ta\tb\t1\n8\t1\tbroken\n9\t1\t2\tc\td\t0\n");
  write("glue/QQP/dev.tsv", header + "1\t1\t2\ta\tb\t1\n");
  const auto qqp = open("glue/qqp", Json::object());
  ASSERT_EQ(qqp->examples("train").size(), 2u);
  EXPECT_EQ(qqp->examples("train")[1].index, "9");
  EXPECT_EQ(qqp->examples("train")[1].inputs[0].second, "d");
  write("glue/STS-B/train.tsv",
        "index\tsentence1\tsentence2\tscore\n0\ta\tb\t3.25\n1\ta\tb\thigh\n");
  write("glue/STS-B/dev.tsv", "index\tsentence1\tsentence2\tscore\n0\ta\tb\t5.000\n");
  EXPECT_THAT([&] { open("glue/stsb", Json::object()); },
              ThrowsMessage<ConfigError>(HasSubstr(":3:7: error: got 'high', expected a score")));
}

TEST_F(Labelled, MrpcsDevSplitIsWhatItsIdsSay) {
  const std::string header = "\xEF\xBB\xBFQuality\t#1 ID\t#2 ID\t#1 String\t#2 String\r\n";
  write("glue/MRPC/msr_paraphrase_train.txt",
        header + "1\t10\t11\ta\tb\r\n0\t12\t13\t\"c\td\r\n1\t14\t15\te\tf\r\n");
  write("glue/MRPC/msr_paraphrase_test.txt", header + "1\t20\t21\tx\ty\r\n");
  write("glue/MRPC/dev_ids.tsv", "12\t13\n");
  const auto mrpc = open("glue/mrpc", {{"test", true}});
  EXPECT_THAT(first_texts(mrpc->examples("train")), ElementsAre("a", "e"));
  EXPECT_THAT(first_texts(mrpc->examples("dev")), ElementsAre("\"c"));
  EXPECT_EQ(mrpc->examples("train")[1].index, "1");
  EXPECT_FALSE(mrpc->examples("test")[0].label.has_value());
}

TEST_F(Labelled, AHoldoutIsTakenFromTraining) {
  write("glue/CoLA/train.tsv", cola_rows(100));
  write("glue/CoLA/dev.tsv", cola_rows(3));
  const auto part = open("glue/cola", {{"holdout", 0.1}});
  EXPECT_EQ(part->examples("train").size(), 90u);
  EXPECT_EQ(part->examples("holdout").size(), 10u);
  std::set<std::string> seen;
  for (const char* split : {"train", "holdout"}) {
    for (const std::string& text : first_texts(part->examples(split))) seen.insert(text);
  }
  EXPECT_EQ(seen.size(), 100u);
  EXPECT_EQ(first_texts(part->examples("holdout")),
            first_texts(open("glue/cola", {{"holdout", 0.1}})->examples("holdout")));
  EXPECT_THAT([&] { open("glue/cola", {{"holdout", 0.001}}); }, ThrowsCode("invalid-value"));
}

TEST_F(Labelled, MoreTrainingExamplesHoldTheFewer) {
  write("glue/CoLA/train.tsv", cola_rows(100));
  write("glue/CoLA/dev.tsv", cola_rows(3));
  const auto ten = open("glue/cola", {{"train_examples", 10}, {"holdout", 0.2}});
  const auto twenty = open("glue/cola", {{"train_examples", 20}, {"holdout", 0.2}});
  EXPECT_EQ(ten->examples("train").size(), 10u);
  EXPECT_EQ(ten->whole_size("train"), 80u);
  EXPECT_THAT(first_texts(twenty->examples("train")),
              testing::IsSupersetOf(first_texts(ten->examples("train"))));
  EXPECT_EQ(first_texts(ten->examples("holdout")), first_texts(twenty->examples("holdout")));
  EXPECT_NE(first_texts(ten->examples("train"))[9], "sentence 9");  // not just the first
}

TEST_F(Labelled, SwagPairsAContextWithFourEndings) {
  const std::string header =
      ",video-id,fold-ind,startphrase,sent1,sent2,gold-source,ending0,ending1,ending2,ending3";
  write("swag/train.csv", header + ",label\n0,v,1,p,\"A man, old.\",He,gold,a,b,c,d,2\n");
  write("swag/val.csv", header + ",label\n0,v,1,p,S,She,gold,a,b,c,d,4\n");
  EXPECT_THAT([&] { open("swag", Json::object()); },
              ThrowsMessage<ConfigError>(HasSubstr("val.csv:2:28: error: got '4', expected 0, 1")));
  write("swag/val.csv", header + "\n0,v,1,p,S,She,gold,a,b,c,d\n");
  const auto swag = open("swag", Json::object());
  const LabelledExample& example = swag->examples("train")[0];
  ASSERT_EQ(example.inputs.size(), 4u);
  EXPECT_EQ(example.inputs[2].first, "A man, old.");
  EXPECT_EQ(example.inputs[2].second, "He c");
  EXPECT_EQ(example.label, 2.0);
  EXPECT_EQ(swag->task().choices, 4);
}

TEST_F(Labelled, SyntheticSetsAreBalancedAndTheSameTwice) {
  for (const char* name : {"sentence", "pair", "score", "choice"}) {
    const std::string whole = fmt::format("synthetic_labelled/{}", name);
    const auto one = open(whole, {{"examples", 400}}), two = open(whole, {{"examples", 400}});
    EXPECT_EQ(first_texts(one->examples("train")), first_texts(two->examples("train")));
    EXPECT_EQ(one->examples("dev").size(), 40u);
    std::map<double, int> labels;
    for (const LabelledExample& example : one->examples("train")) {
      ++labels[*example.label];
      EXPECT_EQ(example.inputs.size(), static_cast<size_t>(one->task().choices));
    }
    if (one->task().is_score()) continue;
    const size_t classes = one->task().choices > 1 ? 4 : one->task().labels.size();
    ASSERT_EQ(labels.size(), classes) << name;
    for (const auto& [label, count] : labels)
      EXPECT_NEAR(count, 400.0 / static_cast<double>(classes), 60) << name << " " << label;
  }
}

std::vector<LabelledExample> three_examples() {
  std::vector<LabelledExample> examples(3);
  examples[0].index = "5";
  examples[1].index = "7";
  examples[2].index = "6";
  return examples;
}

const LabelledTask kEntailment = {.labels = {"entailment", "not_entailment"},
                                  .metrics = {"accuracy"}};

TEST_F(Labelled, PredictionsAreReadByLineIndexOrNumber) {
  const auto read = [&](const std::string& text) {
    write("pred", text);
    return read_predictions(folder_ / "pred", three_examples(), kEntailment).labels;
  };
  const std::vector<double> expected = {1, 0, 0};
  EXPECT_EQ(read("not_entailment\nentailment\n0\n"), expected);
  EXPECT_EQ(read("index\tprediction\n6\t0\n5\t1\n7\tentailment\n"), expected);
  EXPECT_EQ(read("index\tprediction\n0\t1\n1\t0\n2\t0\n"), expected);
  EXPECT_THAT([&] { read("0\n1\n"); },
              ThrowsMessage<ConfigError>(HasSubstr("got 2 predictions, expected 3")));
  EXPECT_THAT([&] { read("0\n1\nmaybe\n"); },
              ThrowsMessage<ConfigError>(HasSubstr(
                  "pred:3:1: error: got 'maybe', expected one of entailment, not_entailment")));
  EXPECT_THAT([&] { read("index\tprediction\n5\t0\n5\t1\n9\t1\n"); },
              ThrowsMessage<ConfigError>(testing::AllOf(
                  HasSubstr("pred:3:1: error: got index '5' twice"),
                  HasSubstr("pred:4:1: error: got index '9', which no example has"))));
}

TEST_F(Labelled, NumbersThatAreTheExamplesOwnIndicesAreNotTakenByLine) {
  std::vector<LabelledExample> examples = three_examples();
  const auto indexed = [&](const char* a, const char* b, const char* c) {
    examples[0].index = a;
    examples[1].index = b;
    examples[2].index = c;
    return read_predictions(folder_ / "pred", examples, kEntailment).labels;
  };
  write("pred", "index\tprediction\n0\t1\n1\t0\n2\t0\n");
  EXPECT_EQ(indexed("1", "2", "0"), (std::vector<double>{0, 0, 1}));
  EXPECT_EQ(indexed("1", "2", "4"), (std::vector<double>{1, 0, 0}));
}

TEST_F(Labelled, SubmissionsAreWrittenAsGluesServerTakesThem) {
  EXPECT_EQ(submission_text(three_examples(), std::vector<double>{1, 0, 0}, kEntailment),
            "index\tprediction\n5\tnot_entailment\n7\tentailment\n6\tentailment\n");
  const LabelledTask score = {.labels = {}, .metrics = {"spearman"}};
  EXPECT_EQ(submission_text(three_examples(), std::vector<double>{5.7, -0.1, 2.5}, score),
            "index\tprediction\n5\t5.000\n7\t0.000\n6\t2.500\n");
}

TEST_F(Labelled, PredictionsAreWrittenAsTheyAreRead) {
  const auto expect_read_back = [&](const LabelledTask& task, const std::vector<double>& values) {
    const std::string text = prediction_text(three_examples(), values, task);
    write("pred", text);
    const Predictions read = read_predictions(folder_ / "pred", three_examples(), task);
    EXPECT_EQ(read.labels, values) << text;
    EXPECT_EQ(read.has_numbers, task.choices > 1) << text;
  };
  expect_read_back(kEntailment, {1, 0, 0});
  expect_read_back({.labels = {}, .choices = 4, .metrics = {"accuracy"}}, {3, 0, 2});
  expect_read_back({.labels = {}, .metrics = {"spearman"}}, {5.7, -0.1, 1.0 / 3});
}

}  // namespace
}  // namespace rethink
