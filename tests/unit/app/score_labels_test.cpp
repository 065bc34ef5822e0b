// `rethink score glue` and `swag`: names and headers of files of predictions, warnings about scores that
// are no better than chance, and files that are given in each other's place.
#include "datasets/labelled/labelled.h"
#include "tests/unit/app/score_files_fixture.h"

namespace rethink {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class ScoreLabels : public ScoreFiles {
 protected:
  /// Returns a table of CoLA with these labels, such as "1100".
  std::vector<std::string> cola(const std::string& labels) const {
    std::string rows;
    for (const char label : labels) rows += fmt::format("s\t{}\t\ta sentence\n", label);
    return {"glue", "--task", "cola", "--ref", write("cola.tsv", rows)};
  }
  /// Returns a table of another task, whose texts are `texts`.
  std::vector<std::string> table(const std::string& task, const std::string& texts,
                                 const std::string& label,
                                 const std::vector<std::string>& labels) const {
    std::string rows = texts + "\t" + label + "\n";
    for (const std::string& one : labels) {
      const auto tabs = static_cast<size_t>(std::ranges::count(texts, '\t'));
      rows += "a";
      for (size_t i = 0; i < tabs; ++i) rows += "\tb";
      rows += "\t" + one + "\n";
    }
    return {"glue", "--task", task, "--ref", write(task + ".tsv", rows)};
  }
  std::vector<std::string> stsb(const std::vector<std::string>& scores) const {
    return table("stsb", "sentence1\tsentence2", "score", scores);
  }
};

TEST_F(ScoreLabels, ClassesThatAreNumbersHaveNamesToo) {
  const struct {
    const char *task, *texts, *label, *zero, *one;
  } kTasks[] = {
      {"sst2", "sentence", "label", "negative", "positive"},
      {"mrpc", "#1 String\t#2 String", "Quality", "not_equivalent", "equivalent"},
      {"qqp", "question1\tquestion2", "is_duplicate", "not_duplicate", "duplicate"},
      {"wnli", "sentence1\tsentence2", "label", "not_entailment", "entailment"},
  };
  const auto names = [&](const char* zero, const char* one) {
    return write("named", fmt::format("{}\n{}\n{}\n1\n", one, zero, zero));
  };
  for (const auto& one : kTasks) {
    const auto words = table(one.task, one.texts, one.label, {"1", "0", "1", "1"});
    EXPECT_EQ(scored(words, names(one.zero, one.one)).at("accuracy"), 0.75) << one.task;
  }
  const auto words = cola("1011");
  EXPECT_EQ(scored(words, names("unacceptable", "acceptable")).at("accuracy"), 0.75);
  EXPECT_EQ(scored(words, write("floats", "1.0\n0.0\n1.0e+00\n 1 \n")).at("accuracy"), 1.0);
  EXPECT_EQ(scored(words, write("labels", "LABEL_1\nLABEL_0\nLABEL_1\nLABEL_0\n")).at("accuracy"),
            0.75);
  EXPECT_EQ(scored(words, names("UNACCEPTABLE", "Acceptable")).at("accuracy"), 0.75);
  expect_refused(words, write("p", "1\n0\nyes\n1\n"),
                 "p:3:1: error: got 'yes', expected one of 0, 1 (unacceptable, acceptable)");
  // These are the labels in the configuration of roberta-large-mnli.
  const auto mnli = table("mnli", "sentence1\tsentence2", "gold_label",
                          {"entailment", "neutral", "contradiction"});
  EXPECT_EQ(notes_on(mnli, write("capitals", "ENTAILMENT\nNEUTRAL\nNeutral\n")), "");
  EXPECT_NEAR(scored(mnli, write("capitals", "ENTAILMENT\nNEUTRAL\nNeutral\n")).at("accuracy"),
              2.0 / 3, 1e-9);
}

class ScoreEndings : public ScoreFiles {
 protected:
  std::vector<std::string> swag(const std::string& labels) const {
    std::string rows = "sent1,sent2,ending0,ending1,ending2,ending3,label\n";
    for (const char label : labels) rows += fmt::format("A,B,c,d,e,f,{}\n", label);
    return {"swag", "--ref", write("val.csv", rows)};
  }
  std::string lines(const std::string& before, const std::string& labels) const {
    std::string text;
    for (const char label : labels) text += before + label + "\n";
    return write("p", text);
  }
};

TEST_F(ScoreEndings, HaveNamesToo) {
  const auto words = swag("20312");
  for (const char* before : {"", "LABEL_", "ending", "0"})
    EXPECT_EQ(scored(words, lines(before, "20310")).at("accuracy"), 0.8) << before;
  expect_refused(words, lines("", "20314"),
                 "p:5:1: error: got '4', expected a number from 0 to 3, or ending0 to ending3");
  for (const char* before : {"LABEL_", "ending", "Ending"})
    expect_refused(words, lines(before, "20314"), fmt::format("p:5:1: error: got '{}4'", before));
}

TEST_F(ScoreEndings, ByNumberAreNotedIfNoBetterThanChance) {
  const auto words = swag("20120102");
  const std::string taken = "no more than chance; 0 was taken as the first ending, 3 as the last";
  EXPECT_EQ(notes_on(words, lines("", "20120101")), "");
  EXPECT_EQ(
      notes_on(words, lines("", "31231213")),
      "note: 0.0 % are right, " + taken + "; 100.0 % would be right with each number one lower\n");
  EXPECT_THAT(notes_on(words, lines("LABEL_", "31231213")),
              HasSubstr("with each number one lower"));
  EXPECT_EQ(notes_on(words, lines("ending", "31231213")), "")
      << "a name says which ending is meant";
  EXPECT_EQ(
      notes_on(swag("1232"), lines("", "0121")),
      "note: 0.0 % are right, " + taken + "; 100.0 % would be right with each number one higher\n");
  EXPECT_EQ(notes_on(swag("0123"), lines("", "0000")).find(taken), std::string::npos);
  EXPECT_EQ(notes_on(swag("0123"), lines("", "0303")), "") << "better than chance";
}

TEST_F(ScoreEndings, OfCodahComeWithTheSameHint) {
  std::string rows;
  for (int i = 0; i < 40; ++i) rows += fmt::format("o\tprompt {}\ta\tb\tc\td\t{}\n", i, i % 3);
  write("data/swag/codah_full_data.tsv", rows);
  const auto codah =
      require_kind<LabelledDataset>(datasets().make("codah", Json::object(), {data_, {}}), "codah");
  std::string shifted;
  for (const LabelledExample& example : codah->examples("dev"))
    shifted += fmt::format("{}\n", *example.label + 1);
  EXPECT_THAT(notes_on({"codah", "--split", "dev"}, write("p", shifted)),
              HasSubstr("100.0 % would be right with each number one lower"));
}

TEST_F(ScoreLabels, HeadersAreKnownByTheirWords) {
  const auto words = cola("1011");
  for (const char* text :
       {"prediction\n1\n0\n1\n1\n", "Label\r\n1\r\n0\r\n1\r\n1\r\n", "labels\n1\n0\n1\n1\n",
        "index\tprediction\n1\t0\n0\t1\n2\t1\n3\t1\n", "idx\tlabel\n0\t1\n1\t0\n2\t1\n3\t1\n",
        "id,label\n0,1\n3,1\n1,0\n2,1\n", "\"id\",\"label\"\n0,\"1\"\n1,\"0\"\n2,\"1\"\n3,\"1\"\n"})
    EXPECT_EQ(scored(words, write("p", text)).at("accuracy"), 1.0) << text;
  const std::string known =
      "; known headers are prediction, label, index<tab>prediction and id,label";
  expect_refused(
      words, write("p", "cola\n1\n0\n1\n1\n"),
      "p:1:1: error: got 'cola', expected one of 0, 1 (unacceptable, acceptable)" + known);
  expect_refused(words, write("p", "label\tindex\n1\t0\n0\t1\n1\t2\n1\t3\n"),
                 "p:1:1: error: got 2 columns, expected one prediction" + known);
  expect_refused(words, write("p", "0\t1\n1\t0\n2\t1\n3\t1\n"),
                 "p:1:1: error: got 2 columns, expected one prediction" + known);
  expect_refused(words, write("p", "prediction\nprediction\n1\n0\n1\n1\n"),
                 "p:2:1: error: got 'prediction', expected one of");
  expect_refused(words, write("p", "index\tprediction\n0\n"),
                 "p:2:1: error: got 1 column, expected an index and a prediction");
  expect_refused(stsb({"1", "2.5"}), write("p", "1,0\n2,5\n"),
                 "p:1:1: error: got '1,0', expected a number" + known);
  const Json scores = scored(stsb({"1", "2.5"}), write("p", "score\n1\n2\n"));
  EXPECT_DOUBLE_EQ(scores.at("pearson").get<double>(), 1.0);
}

TEST_F(ScoreLabels, ChanceIsZeroOfMatthewsCorrelationAndOfF1) {
  const auto words = cola("1110");
  EXPECT_EQ(notes_on(words, write("p", "1\n1\n1\n0\n")), "");
  EXPECT_EQ(notes_on(words, write("p", "0\n0\n0\n1\n")),
            "note: mcc is -1.000, no more than chance; 1.000 would be with 0 = acceptable, 1 = "
            "unacceptable. If the model was trained with those numbers, write names instead\n");
  EXPECT_EQ(notes_on(words, write("p", "unacceptable\nunacceptable\nunacceptable\nacceptable\n")),
            "");
  EXPECT_EQ(notes_on(table("qqp", "question1\tquestion2", "is_duplicate", {"1", "0", "0", "0"}),
                     write("p", "0\n1\n1\n1\n")),
            "note: f1 is 0.000, no more than chance; 1.000 would be with 0 = duplicate, 1 = "
            "not_duplicate. If the model was trained with those numbers, write names instead\n");
  // These predictions are right in more than half of the cases, since most sentences are acceptable.
  EXPECT_THAT(notes_on(cola("11111111"
                            "00"),
                       write("p", "1\n1\n1\n1\n1\n1\n1\n0\n1\n1\n")),
              HasSubstr("mcc is -0.167"));
}

TEST_F(ScoreLabels, NumbersThatAreExactlyChanceInEveryOrderAreSaid) {
  const std::string note =
      "exactly chance, and no other order of the numbers is clearly better; check that they are "
      "predictions of these examples, in this order\n";
  const auto sst2 = table("sst2", "sentence", "label", {"1", "0", "1", "0"});
  EXPECT_EQ(notes_on(sst2, write("p", "1\n1\n0\n0\n")), "note: 50.0 % are right, " + note);
  EXPECT_EQ(notes_on(sst2, write("p", "1\n0\n0\n0\n")), "");
  EXPECT_EQ(notes_on(sst2, write("p", "positive\npositive\nnegative\nnegative\n")), "");
  const auto rte = table("rte", "sentence1\tsentence2", "label",
                         {"entailment", "not_entailment", "entailment", "not_entailment"});
  EXPECT_THAT(notes_on(rte, write("p", "1\n1\n0\n0\n")),
              HasSubstr("note: 50.0 % are right, " + note));
  EXPECT_THAT(notes_on(cola("1010"), write("p", "1\n1\n0\n0\n")),
              HasSubstr("mcc is 0.000, exactly 0, and no other order"));
}

TEST_F(ScoreLabels, EqualPredictionsComeWithWhatTheyAreWorth) {
  EXPECT_EQ(notes_on(cola("1110"), write("p", "1\n1\n1\n1\n")),
            fmt::format("note: {}: all 4 predictions are '1' (acceptable): mcc is then 0, as "
                        "chance is\n",
                        (folder_ / "p").string()));
  EXPECT_THAT(notes_on(cola("1111"), write("p", "1\n1\n1\n0\n")),
              HasSubstr("cola.tsv: all 4 right labels are '1' (acceptable): mcc is then 0"));
  const auto qqp = table("qqp", "question1\tquestion2", "is_duplicate", {"1", "0", "0", "0"});
  EXPECT_THAT(notes_on(qqp, write("p", "0\n0\n0\n0\n")),
              AllOf(HasSubstr("all 4 predictions are '0' (not_duplicate): f1 is then 0: it looks "
                              "for class 1"),
                    Not(HasSubstr("no more than chance"))));
  const auto rte = table("rte", "sentence1\tsentence2", "label", {"entailment", "not_entailment"});
  EXPECT_THAT(notes_on(rte, write("p", "entailment\nentailment\n")),
              HasSubstr("all 2 predictions are 'entailment': accuracy is then what guessing this "
                        "class gives"));
  EXPECT_EQ(notes_on(rte, write("p", "entailment\nnot_entailment\n")), "");
}

TEST_F(ScoreLabels, ACorrelationWithAConstantNamesItsSide) {
  const std::string rising = write("rising", "1\n2\n3\n"), equal = write("equal", "3\n3\n3\n");
  const std::string undefined = "a correlation with a constant is not defined, and ";
  const auto gold = stsb({"2.5", "2.5", "2.5"});
  EXPECT_EQ(scored(gold, rising).at("pearson"), Json());
  EXPECT_EQ(notes_on(gold, rising), fmt::format("note: {}: all 3 right scores are 2.5: {}is null\n",
                                                (folder_ / "stsb.tsv").string(), undefined));
  EXPECT_THAT(notes_on(gold, equal), AllOf(HasSubstr("all 3 predictions are 3: "),
                                           HasSubstr("all 3 right scores are 2.5: ")));
  EXPECT_EQ(scored(gold, equal).at("pearson"), 0.0);
  const auto mixed = stsb({"1", "2", "4"});
  EXPECT_EQ(scored(mixed, equal).at("spearman"), 0.0);
  EXPECT_EQ(notes_on(mixed, equal),
            fmt::format("note: {}: all 3 predictions are 3: {}counts as 0 for predictions that are "
                        "all equal\n",
                        equal, undefined));
  EXPECT_EQ(notes_on(mixed, rising), "");
  const auto one = stsb({"1"});
  const std::string single = write("single", "2\n");
  EXPECT_EQ(scored(one, single).at("pearson"), Json());
  EXPECT_THAT(notes_on(one, single), HasSubstr("stsb.tsv has one example: a correlation is not"));
}

TEST_F(ScoreLabels, FilesThatAreGivenInEachOthersPlaceAreNamed) {
  const std::vector<std::string> words = cola("10");
  const std::string table = words.back(), predictions = write("p", "1\n0\n"),
                    indexed = write("q", "index\tprediction\n0\t1\n1\t0\n");
  const std::string is_table =
      "cola.tsv is a table of data set 'glue/cola', expected only predictions: one in each line";
  expect_refused(words, table, is_table);
  for (const std::string& file : {predictions, indexed}) {
    expect_refused(
        {"glue", "--task", "cola", "--ref", file}, table,
        fmt::format("--ref: {} holds only predictions or labels, expected a table of data set "
                    "'glue/cola', with texts and labels; --pred is such a table: give "
                    "--ref {} --pred {}",
                    file, table, file));
    expect_code({"glue", "--task", "cola", "--ref", file}, file, "wrong-file");
  }
  const std::string swag =
      write("val.csv", "sent1,sent2,ending0,ending1,ending2,ending3,label\nA,B,c,d,e,f,2\n");
  expect_code({"swag", "--ref", swag}, swag, "wrong-file");
  expect_code({"swag", "--ref", write("p", "2\n")}, swag, "wrong-file");
}

TEST_F(ScoreLabels, EmptyPredictionsAreNamed) {
  for (const char* text : {"", "\n\n"}) {
    expect_code(cola("10"), write("p", text), "empty-file");
  }
  expect_code(cola("10"), write("p", "prediction\n"), "empty-file");
}

}  // namespace
}  // namespace rethink
