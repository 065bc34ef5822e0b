// `rethink score glue`, `swag`, `codah` and `squad` of small files whose scores were counted by hand.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>

#include "core/error.h"
#include "core/json.h"
#include "datasets/labelled/labelled.h"
#include "datasets/labelled/predictions.h"
#include "tests/unit/app/score_files_fixture.h"

namespace rethink {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

TEST_F(ScoreFiles, EachTaskOfGlueHasItsOwnColumnsClassesAndMetrics) {
  // Two of three ones and two of three zeros are right: (2*2 - 1*1) / 9.
  const std::string cola =
      write("dev.tsv", "s\t1\t\ta\ns\t1\t\tb\ns\t0\t\tc\ns\t0\t\td\ns\t1\t\te\ns\t0\t\tf\n");
  expect_scores(scored({"glue", "--task", "cola", "--ref", cola}, write("p", "1\n1\n1\n0\n0\n0\n")),
                {{"mcc", 1.0 / 3}, {"accuracy", 4.0 / 6}});
  const std::string rte = write("rte.tsv",
                                "index\tsentence1\tsentence2\tlabel\n0\ta\tb\tentailment\n"
                                "1\ta\tb\tnot_entailment\n2\ta\tb\tentailment\n");
  const std::string named =
      write("named", "index\tprediction\n2\tentailment\n0\tnot_entailment\n1\tnot_entailment\n");
  expect_scores(scored({"glue", "--task", "rte", "--ref", rte}, named), {{"accuracy", 2.0 / 3}});
  expect_refused({"glue", "--task", "cola", "--ref", cola}, named,
                 "got 'entailment', expected one of 0, 1");
  // The ranks of 1, 2, 3, 4 and 1, 2, 3, 10 are equal, but their correlation is 14 / sqrt(50 * 5).
  const std::string stsb = write("stsb.tsv",
                                 "index\tsentence1\tsentence2\tscore\n0\ta\tb\t1\n1\ta\tb\t2\n"
                                 "2\ta\tb\t3\n3\ta\tb\t4\n");
  expect_scores(scored({"glue", "--task", "stsb", "--ref", stsb}, write("p", "1\n2\n3\n10\n")),
                {{"spearman", 1}, {"pearson", 14 / std::sqrt(250.0)}});
}

TEST_F(ScoreFiles, NumbersOfClassesComeWithTheirOrder) {
  const std::string rows =
      "index\tsentence1\tsentence2\tgold_label\n0\ta\tb\tentailment\n1\ta\tb\tneutral\n"
      "2\ta\tb\tcontradiction\n";
  const std::vector<std::string> mnli = {"glue", "--task", "mnli", "--ref", write("dev.tsv", rows)};
  const std::string taken =
      "note: numbers were taken as 0 = entailment, 1 = neutral, 2 = contradiction; names are "
      "accepted too\n";
  EXPECT_EQ(notes_on(mnli, write("p", "0\n1\n2\n")), taken);
  EXPECT_EQ(notes_on(mnli, write("p", "entailment\nneutral\ncontradiction\n")), "");
  // In fairseq's order only `neutral` has the same number.
  EXPECT_EQ(notes_on(mnli, write("p", "2\n1\n0\n")),
            taken +
                "note: 33.3 % are right, no more than chance; 100.0 % would be with 0 = "
                "contradiction, 1 = neutral, 2 = entailment. If the model was trained with those "
                "numbers, write names instead\n");
  EXPECT_THAT(notes_on(mnli, write("p", "1\n2\n0\n")), HasSubstr("note: 0.0 % are right"));
  EXPECT_THAT(notes_on(mnli, write("p", "1\n1\n1\n")),
              testing::AllOf(testing::EndsWith(taken), testing::Not(HasSubstr("no more than"))));
  const std::vector<std::string> cola = {"glue", "--task", "cola", "--ref",
                                         write("cola.tsv", "s\t1\t\ta\ns\t0\t\tb\n")};
  EXPECT_EQ(notes_on(cola, write("p", "1\n0\n")), "") << "the classes are called 0 and 1";
}

TEST_F(ScoreFiles, ASplitIsReadAsATrialReadsIt) {
  write_mrpc();
  // Dev has 1 1 1 0 0. Two of three ones are right among four predicted ones.
  const std::string predictions =
      write("dev.tsv", "index\tprediction\n0\t1\n1\t1\n2\t0\n3\t1\n4\t1\n");
  expect_scores(scored({"glue", "--task", "mrpc", "--split", "dev"}, predictions),
                {{"f1", 4.0 / 7}, {"accuracy", 2.0 / 5}});
  expect_refused(
      {"glue", "--task", "mrpc", "--ref", (data_ / "glue/MRPC/msr_paraphrase_train.txt").string()},
      predictions,
      "got 5 predictions, expected 8: one for each example\n"
      "glue/MRPC/msr_paraphrase_train.txt holds train and dev: what a trial left of dev "
      "takes --split dev instead of --ref");
}

TEST_F(ScoreFiles, AHoldoutIsDrawnAsATrialDrewIt) {
  std::string rows;
  for (int i = 0; i < 20; ++i) rows += fmt::format("s\t{}\t\tsentence {}\n", i / 3 % 2, i);
  write("data/glue/CoLA/train.tsv", rows);
  write("data/glue/CoLA/dev.tsv", rows);
  const auto data = require_kind<LabelledDataset>(
      datasets().make("glue/cola", {{"holdout", 0.2}}, {data_, {}}), "glue/cola");
  std::vector<double> labels;
  for (const LabelledExample& example : data->examples("holdout")) labels.push_back(*example.label);
  labels[0] = 1 - labels[0];
  const std::string left =
      write("holdout.tsv", prediction_text(data->examples("holdout"), labels, data->task()));
  const Json scores =
      scored({"glue", "--task", "cola", "--split", "holdout", "--holdout", "0.2"}, left);
  EXPECT_EQ(scores.at("accuracy"), 0.75);
  expect_code({"glue", "--task", "cola", "--split", "holdout"}, left, "wrong-arguments");
  expect_code({"glue", "--task", "cola", "--split", "dev", "--holdout", "0.2"}, left,
              "wrong-arguments");
  expect_refused({"glue", "--task", "cola", "--split", "holdout", "--holdout", "a fifth"}, left,
                 "--holdout: got 'a fifth', expected a number");
}

TEST_F(ScoreFiles, OfSwagItIsTheShareOfRightEndings) {
  std::string rows = "sent1,sent2,ending0,ending1,ending2,ending3,label\n";
  for (const char* label : {"2", "0", "3", "1"}) rows += fmt::format("A,B,c,d,e,f,{}\n", label);
  expect_scores(scored({"swag", "--ref", write("val.csv", rows)}, write("p", "2\n1\n3\n1\n")),
                {{"accuracy", 0.75}});
}

TEST_F(ScoreFiles, CodahsDevIsTheTenthThatTrialsRead) {
  std::string rows;
  for (int i = 0; i < 20; ++i) rows += fmt::format("o\tprompt {}\ta\tb\tc\td\t{}\n", i, i % 4);
  write("data/swag/codah_full_data.tsv", rows);
  const auto codah =
      require_kind<LabelledDataset>(datasets().make("codah", Json::object(), {data_, {}}), "codah");
  const auto& dev = codah->examples("dev");
  ASSERT_EQ(dev.size(), 2u);
  const std::vector<double> predicted = {*dev[0].label, 3 - *dev[1].label};
  const std::string left = write("dev.tsv", prediction_text(dev, predicted, codah->task()));
  expect_scores(scored({"codah", "--split", "dev"}, left), {{"accuracy", 0.5}});
  expect_refused({"codah", "--ref", left}, left, "give --split dev instead");
}

TEST_F(ScoreFiles, RefusesAReferenceThatSaysNothing) {
  const std::string empty = write("empty.tsv", "index\tsentence1\tsentence2\tlabel\n"),
                    header =
                        write("val.csv", "sent1,sent2,ending0,ending1,ending2,ending3,label\n"),
                    none = write("none", "");
  expect_code({"glue", "--task", "rte", "--ref", empty}, none, "empty-file");
  expect_refused({"swag", "--ref", header}, none, "val.csv: has no row");
  expect_code({"glue", "--task", "rte", "--ref",
               write("test.tsv", "index\tsentence1\tsentence2\n0\ta\tb\n")},
              none, "wrong-file");
}

TEST_F(ScoreFiles, ASplitIsNamedOnceAndIsThere) {
  write_mrpc();
  const std::vector<std::string> mrpc = {"glue", "--task", "mrpc"};
  const auto with = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words = mrpc;
    words.insert(words.end(), more.begin(), more.end());
    return words;
  };
  expect_code(mrpc, "p", "wrong-arguments");
  expect_code(with({"--ref", "f", "--split", "dev"}), "p", "wrong-arguments");
  expect_refused(with({"--split", "dve"}), "p",
                 "--split: got 'dve', expected one of train, dev, holdout; did you mean 'dev'?");
  expect_code(with({"--split", "test"}), "p", "invalid-argument");
  expect_refused({"glue", "--task", "rte", "--split", "dev"}, "p", "rethink data get glue/rte");
}

TEST_F(ScoreFiles, RefusesOptionsThatOtherScorersHave) {
  expect_code({"swag", "--ref", "f", "--task", "rte"}, "p", "wrong-arguments");
  expect_code({"squad", "--ref", "f", "--split", "dev"}, "p", "wrong-arguments");
  expect_code({"glue", "--task", "rte", "--ref", "f", "--na-prob", "n"}, "p", "wrong-arguments");
}

/// Returns a file of SQuAD with one paragraph: questions by their ids, each with its answer, or "" for none.
std::string squad_file(const std::vector<std::pair<std::string, std::string>>& answers,
                       bool version2) {
  std::string context, questions;
  for (const auto& [id, answer] : answers) {
    questions += fmt::format(
        R"({}{{"id": "{}", "question": "?"{}, "answers": [{}]}})", questions.empty() ? "" : ", ",
        id, version2 ? fmt::format(R"(, "is_impossible": {})", answer.empty()) : "",
        answer.empty()
            ? ""
            : fmt::format(R"({{"text": "{}", "answer_start": {}}})", answer, context.size()));
    context += answer + " ";
  }
  return fmt::format(R"({{"data": [{{"paragraphs": [{{"context": "{}", "qas": [{}]}}]}}]}})",
                     context, questions);
}

TEST_F(ScoreFiles, SquadsFirstVersionCountsInPercentAndUnansweredAsWrong) {
  const std::string reference = write(
      "dev.json",
      squad_file({{"a", "the Cat sat"}, {"b", "black dog"}, {"c", "bird"}, {"d", "The"}}, false));
  // a: equal after normalizing. b: two of three words, and both of two: F1 0.8. c: none. d: no word on
  // either side, which v1.1 counts as exact and as F1 0.
  const std::string predictions =
      write("p", R"({"a": "cat sat.", "b": "a big black dog", "d": "an"})");
  expect_scores(scored({"squad", "--ref", reference}, predictions),
                {{"exact", 50}, {"f1", 45}, {"total", 4}});
  const std::string none = write("n", R"({"a": 0.9, "b": 0.9, "c": 0.9, "d": 0.9})");
  expect_code({"squad", "--ref", reference, "--na-prob", none}, predictions,
              "conflicting-arguments");
}

TEST_F(ScoreFiles, SquadsSecondVersionKnowsThatThereIsNoAnswer) {
  const std::string reference =
      write("dev.json", squad_file({{"a", "cat"}, {"b", "dog"}, {"c", ""}, {"d", ""}}, true));
  const std::string predictions =
      write("p", R"({"a": "black cat", "b": "dog", "c": "bird", "d": ""})");
  const std::map<std::string, double> alone = {{"exact", 50},
                                               {"f1", 100 * (2.0 / 3 + 2) / 4},
                                               {"total", 4},
                                               {"HasAns_exact", 50},
                                               {"HasAns_f1", 100 * (5.0 / 3) / 2},
                                               {"HasAns_total", 2},
                                               {"NoAns_exact", 50},
                                               {"NoAns_f1", 50},
                                               {"NoAns_total", 2}};
  expect_scores(scored({"squad", "--ref", reference}, predictions), alone);
  // Above 0.4 there is no answer, so that c is right, too.
  const std::string none = write("n", R"({"a": 0.1, "b": 0.4, "c": 0.9, "d": 0.2})");
  std::map<std::string, double> best = alone;
  best.insert({{"best_exact", 75},
               {"best_exact_thresh", 0.4},
               {"best_f1", 100 * (2.0 / 3 + 3) / 4},
               {"best_f1_thresh", 0.4}});
  expect_scores(scored({"squad", "--ref", reference, "--na-prob", none}, predictions), best);
  best["exact"] = best["best_exact"];
  best["f1"] = best["best_f1"];
  best["NoAns_exact"] = best["NoAns_f1"] = 100;
  expect_scores(scored({"squad", "--ref", reference, "--na-prob", none, "--na-prob-thresh", "0.5"},
                       predictions),
                best);
}

/// Returns a file of SQuAD whose questions are given as JSON; no context holds their answers.
std::string squad_of(const std::string& version, const std::string& questions) {
  return fmt::format(R"({{{}"data": [{{"paragraphs": [{{"qas": [{}]}}]}}]}})", version, questions);
}

TEST_F(ScoreFiles, SquadNeedsNothingButIdsAndTexts) {
  const std::string cat = R"({"id": "a", "answers": [{"text": "cat"}], "is_impossible": true})",
                    none = R"({"id": "b", "answers": [], "is_impossible": false})";
  const std::string predictions = write("p", R"({"a": "cat", "b": "dog"})");
  expect_scores(scored({"squad", "--ref", write("one.json", squad_of("", cat))}, predictions),
                {{"exact", 100}, {"f1", 100}, {"total", 1}});
  const std::map<std::string, double> has_answer = {{"exact", 100},     {"f1", 100},
                                                    {"total", 1},       {"HasAns_exact", 100},
                                                    {"HasAns_f1", 100}, {"HasAns_total", 1}};
  for (const char* version :
       {R"("version": "v2.0", )", R"("version": "2.1", )", R"("version": 2.0, )"})
    expect_scores(
        scored({"squad", "--ref", write("two.json", squad_of(version, cat))}, predictions),
        has_answer);
  expect_scores(scored({"squad", "--ref",
                        write("none.json", squad_of(R"("version": "1.1", )", cat + ", " + none))},
                       predictions),
                {{"exact", 50},
                 {"f1", 50},
                 {"total", 2},
                 {"HasAns_exact", 100},
                 {"HasAns_f1", 100},
                 {"HasAns_total", 1},
                 {"NoAns_exact", 0},
                 {"NoAns_f1", 0},
                 {"NoAns_total", 1}});
  expect_refused({"squad", "--ref", write("bad.json", squad_of("", cat + R"(, {"id": "c"})"))},
                 predictions, "bad.json:1:");
}

TEST_F(ScoreFiles, IdsThatStandTwiceCountAsInTheOfficialScorers) {
  const std::string twice =
      R"({"id": "a", "answers": [{"text": "cat"}]}, {"id": "b", "answers": [{"text": "dog"}]},)"
      R"({"id": "a", "answers": [{"text": "bird"}]})";
  const std::string predictions = write("p", R"({"a": "cat", "b": "dog"})");
  const std::vector<std::string> one = {"squad", "--ref", write("one.json", squad_of("", twice))},
                                 two = {
                                     "squad", "--ref",
                                     write("two.json", squad_of(R"("version": "v2.0", )", twice))};
  // evaluate-v1.1.py counts each question, evaluate-v2.0.py counts the last one of an id.
  expect_scores(scored(one, predictions), {{"exact", 200.0 / 3}, {"f1", 200.0 / 3}, {"total", 3}});
  EXPECT_THAT(notes_on(one, predictions),
              HasSubstr("one.json: 1 id stands more than once, 'a' first; each of its questions "
                        "counts, as in evaluate-v1.1.py"));
  const Json last = scored(two, predictions);
  EXPECT_EQ(last.at("exact"), 50.0);
  EXPECT_EQ(last.at("total"), 2);
  EXPECT_THAT(notes_on(two, predictions),
              HasSubstr("the last question of an id counts, as in evaluate-v2.0.py"));
  expect_refused(one, write("q", R"({"a": "cat", "a": "dog"})"),
                 "q: key 'a' is given twice in one object; expected answers by question id");
  expect_refused({"squad", "--ref", two[2], "--na-prob", write("n", R"({"b": 0.1, "b": 0.2})")},
                 predictions, "n: key 'b' is given twice");
}

TEST_F(ScoreFiles, SquadSaysWhichQuestionsHaveNoPrediction) {
  const std::vector<std::string> one = {
      "squad", "--ref", write("one.json", squad_file({{"a", "cat"}, {"b", "dog"}}, false))};
  const std::string half = write("p", R"({"a": "cat"})");
  EXPECT_EQ(notes_on(one, half),
            fmt::format("note: {}: 1 question has no prediction and counted as "
                        "wrong, as in evaluate-v1.1.py: 'b'\n",
                        half));
  const std::string more = write("p", R"({"a": "cat", "b": "", "c": "", "d": ""})");
  EXPECT_EQ(notes_on(one, more),
            fmt::format("note: {}: 2 predictions are of no question of {}, 'c' "
                        "first; they do not count\n",
                        more, one.back()));
  expect_refused(
      one, write("p", R"({"x": "cat"})"),
      fmt::format("p: has no prediction for any question of {}, such as 'a'", one.back()));
  EXPECT_EQ(notes_on(one, write("p", R"({"a": "cat", "b": ""})")), "");
}

TEST_F(ScoreFiles, SquadRefusesAThresholdOrAFileThatPartsNothing) {
  const std::string reference = write("dev.json", squad_file({{"a", "cat"}, {"b", ""}}, true));
  const std::string predictions = write("p", R"({"a": "cat", "b": ""})");
  expect_code({"squad", "--ref", reference, "--na-prob-thresh", "0.5"}, predictions,
              "missing-argument");
  expect_code({"squad", "--ref", reference, "--na-prob", write("n", "{}")}, predictions,
              "empty-file");
  expect_refused({"squad", "--ref", reference, "--na-prob", write("n", R"({"a": 0, "b": 1})"),
                  "--na-prob-thresh", "half"},
                 predictions, "--na-prob-thresh: got 'half', expected a number");
  expect_refused({"squad", "--ref", reference}, write("p", R"({"a": "cat"})"),
                 fmt::format("p: got no prediction for 1 question of {}, 'b' first; "
                             "evaluate-v2.0.py needs one for each question (\"\" where it has no "
                             "answer)",
                             reference));
  expect_refused({"squad", "--ref", reference, "--na-prob", write("n", R"({"b": 1})")}, predictions,
                 fmt::format("n: got no probability for 1 question of {}, 'a' first", reference));
}

TEST_F(ScoreFiles, SquadsFilesThatAreEmptyOrGivenInEachOthersPlaceAreNamed) {
  const std::string reference = write("dev.json", squad_file({{"a", "cat"}}, false));
  const std::string predictions = write("p", R"({"a": "cat"})");
  const std::vector<std::string> words = {"squad", "--ref", reference};
  expect_refused({"squad", "--ref", predictions}, reference,
                 fmt::format("--ref: {0} holds answers by question id, expected SQuAD's own file, "
                             "with questions and right answers; --pred is such a file: give --ref "
                             "{1} --pred {0}",
                             predictions, reference));
  expect_code({"squad", "--ref", predictions}, predictions, "wrong-file");
  expect_refused(words, reference,
                 "--pred: " + reference +
                     " is SQuAD's own file, with questions and right answers; expected answers by "
                     "question id, in JSON: {\"ID\": \"ANSWER\", ...}");
  const std::string blank = write("blank", " \n");
  expect_refused(words, blank, "blank: is empty; expected JSON: write it");
  expect_refused({"squad", "--ref", blank}, predictions, "blank: is empty; expected JSON");
  expect_code(words, write("none", "{}"), "empty-file");
  expect_code({"squad", "--ref", write("none", R"({"data": []})")}, predictions, "empty-file");
  expect_code(words, write("nbest", R"({"a": [{"text": "cat", "probability": 0.9}]})"),
              "wrong-file");
  const std::string packed = write("packed", "\x1F\x8B\x08");
  expect_refused(words, packed, "packed: is compressed with gzip; expected JSON: gzip -dc");
  expect_refused({"squad", "--ref", packed}, predictions, "packed: is compressed with gzip");
  expect_refused({"squad", "--ref", write("table", "a\tb\n")}, predictions,
                 "table: is a short text, 'a b'; expected JSON: download it again");
  expect_refused(
      {"squad", "--ref", write("part", R"({"data": [{"title": "a"}]})")}, predictions,
      "part:1:11: data[0]: key 'paragraphs' not found; expected a file of SQuAD: \"data\", a list");
  expect_refused(
      {"squad", "--ref", write("list", "[]")}, predictions,
      "list:1:1: got [], expected an object; expected a file of SQuAD: \"data\", a list");
  const auto asked = [](const std::string& question) {
    return "{\"data\": [{\"paragraphs\": [{\"context\": \"c\",\n \"qas\": [" + question + "]}]}]}";
  };
  expect_refused(
      {"squad", "--ref",
       write("hub", asked(R"({"id": "a", "answers": {"text": ["c"], "answer_start": [0]}})"))},
      predictions,
      "hub:2:33: data[0].paragraphs[0].qas[0].answers: question 'a': got "
      "{\"answer_start\":[0],\"text\":[\"c\"]}, expected a list of answers, [{\"text\": ..., "
      "\"answer_start\": ...}], not the lists that Hugging Face's data set has; expected");
  expect_refused(
      {"squad", "--ref", write("number", asked(R"({"answers": [], "id" : 7})"))}, predictions,
      "number:2:33: data[0].paragraphs[0].qas[0].id: question 7: got 7, expected a text, "
      "in quotes; expected a file of SQuAD");
  const std::string lines = "{\"id\": \"a\", \"answers\": []}\n{\"id\": \"b\"}\n";
  expect_refused({"squad", "--ref", write("lines", lines)}, predictions,
                 "lines: is JSON Lines, a value in each line, not one JSON value; expected a file "
                 "of SQuAD");
  expect_refused(
      words, write("lines", lines),
      "lines: is JSON Lines, a value in each line, not one JSON value; expected answers");
  expect_refused(words, write("list", R"([{"id": "a", "prediction_text": "cat"}])"),
                 "list: got an array, expected answers by question id");
}

}  // namespace
}  // namespace rethink
