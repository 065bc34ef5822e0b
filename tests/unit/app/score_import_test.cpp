// `rethink score import` of the answers of GLUE's server, and the words of `rethink score`.
#include "tests/support/throws_code.h"
#include "tests/unit/app/score_fixture.h"

namespace rethink {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::ThrowsMessage;

using ScoreImport = ScoreFixture;

TEST_F(ScoreImport, ImportsScoresByLabelsAndReplacesThem) {
  const std::string entries =
      "where: {arm: dense}\nseed: 0\nscores:\n- {where: {task: CoLA}, test: 52.3}\n"
      "- {where: {task: MNLI}, test: 84.8, test_mismatched: 84.1}\n";
  EXPECT_EQ(imported(head_ + entries).out,
            "arm=dense task=CoLA seed 0: test 52.3\narm=dense task=MNLI seed 0: test 84.8\n"
            "arm=dense task=MNLI seed 0: test_mismatched 84.1\n"
            "3 scores added, 0 replaced, 0 already known\n");
  EXPECT_EQ(scores_of("denseCoLA0").at("test").value, 52.3);
  EXPECT_THAT(scores_of("denseCoLA1"), IsEmpty());
  EXPECT_EQ(imported(head_ + entries).out, "0 scores added, 0 replaced, 3 already known\n");
  {
    Store store(folder_.path(), Store::Access::write);
    store.database().exec("DELETE FROM event WHERE attempt = 0");
  }
  EXPECT_EQ(
      imported(head_ + entries).out,
      "0 scores added, 0 replaced, 3 already known; the database lacked rows of 2 trials: they "
      "were made again\n");
  EXPECT_EQ(imported(head_ + entries).out, "0 scores added, 0 replaced, 3 already known\n");
  EXPECT_EQ(imported(head_ + "seed: 0\nscores: [{where: {arm: dense, task: CoLA}, test: 53}]").out,
            "arm=dense task=CoLA seed 0: test 53, was 52.3 (gluebenchmark.com, 2026-11-20)\n"
            "0 scores added, 1 replaced, 0 already known\n");
  EXPECT_EQ(read_outside_scores(trial_folder(folder_.path(), ids_.at("denseCoLA0")))->size(), 2u);
}

TEST_F(ScoreImport, TakesASeedOfEachEntryBeforeTheFiles) {
  imported(head_ +
           "seed: 0\nwhere: {arm: dense, task: CoLA}\nscores: [{test: 52.3}, {seed: 1, test: 54}]");
  EXPECT_EQ(scores_of("denseCoLA0").at("test").value, 52.3);
  EXPECT_EQ(scores_of("denseCoLA1").at("test").value, 54);
  EXPECT_EQ(scores_of("denseCoLA1").size(), 1u);
  expect_code(head_ + "scores: [{trial: " + ids_.at("denseCoLA0") + ", seed: 1, test: 5}]",
              "conflicting-keys");
  expect_code(head_ + "seed: 0\nscores: [{where: {arm: dense, task: CoLA}, stage: tune, test: 5}]",
              "misplaced-key");
}

TEST_F(ScoreImport, TakesCorrelationsBelowZeroAndWondersAtFractions) {
  const auto said_of = [&](const std::string& task, const std::string& score) {
    return imported(head_ + "seed: 0\nwhere: {arm: dense}\nscores: [{where: {task: " + task +
                    "}, " + score + "}]")
        .err;
  };
  EXPECT_THAT(said_of("CoLA", "test: -2.5"), IsEmpty());
  EXPECT_THAT(said_of("MNLI", "diagnostic: -3"), IsEmpty());
  EXPECT_THAT(said_of("CoLA", "test: 0"), IsEmpty());
  EXPECT_EQ(said_of("CoLA", "test: 0.523"),
            "note: test of arm=dense task=CoLA seed 0 is 0.523 %; if 52.3 is meant, write that and "
            "import the file again\n");
  EXPECT_EQ(scores_of("denseCoLA0").at("test").value, 0.523);
}

TEST_F(ScoreImport, KnowsTheMetricThatPapersReportOfASplit) {
  const auto trial_of = [&](const std::string& name, const std::string& dataset) {
    TrialMaker trial(folder_.path(), name, {{"data", {{"dataset", dataset}}}});
    trial.seed(0).attempt(1, {start_event(1, 0), end_event("done")}).result(1);
    return trial.id();
  };
  const std::string swag = trial_of("c1", "swag"), wikitext = trial_of("c2", "wikitext_2");
  finish();
  const auto file = [](const std::string& trial, const std::string& score) {
    return "from: x\ndate: 2026-11-20\nscores: [{trial: " + trial + ", " + score + "}]";
  };
  expect_refused(file(swag, "test: -5"), "test: got -5, expected from 0 to 100: accuracy in %");
  expect_refused(file(wikitext, "test: -5"), "test: got -5, expected 1 or more: perplexity");
  imported(file(swag, "dev: 86.6"));
  imported(file(wikitext, "test: 250.5"));
  imported(file(wikitext, "log_likelihood: -5"));  // of an unknown metric
}

TEST_F(ScoreImport, ImportsForWhatASelectChose) {
  add_selects();
  imported(
      "from: x\ndate: 2026-11-20\nsweep: s\nprofile: small\nstage: best\nseed: 1\n"
      "scores: [{where: {task: CoLA}, test: 52.3}]");
  EXPECT_EQ(scores_of("denseCoLA1").at("test").value, 52.3);
  expect_refused(
      "from: x\ndate: 2026-11-20\nsweep: s\nprofile: small\nstage: best\nseed: 1\n"
      "scores: [{where: {task: RTE}, test: 52.3}]",
      "arm=dense task=RTE seed none is ready; scores are of trials that are done");
}

TEST_F(ScoreImport, RefusesScoresThatNameNoTrialOrSeveral) {
  expect_refused(head_ + "scores: [{where: {task: CoLA}, test: 5}]",
                 "scores.yaml:6:10: error: 4 trials are meant, expected one: they differ in arm "
                 "(dense, star), seed (0, 1)");
  expect_refused(head_ + "seed: 0\nscores: [{where: {task: Cola, arm: star}, test: 5}]",
                 "scores.yaml:7:25: error: no trial has task 'Cola'; did you mean 'CoLA'?");
  expect_code(head_ + "seed: 5\nscores: [{where: {task: CoLA, arm: star}, test: 5}]",
              "unknown-seed");
  expect_code("from: x\ndate: 2026-11-20\nscores: [{test: 5}]", "missing-key");
  expect_code("from: x\ndate: 2026-11-20\nscores: [{trial: 123456, test: 5}]", "unknown-trial");
  expect_code("from: x\ndate: 2026-11-20\nsweep: t\nstage: a\nscores: [{test: 5}]",
              "unknown-sweep");
  expect_code("from: x\ndate: 2026-11-20\nstage: a\nscores: [{test: 5}]", "missing-key");
  EXPECT_THAT(scores_of("denseCoLA0"), IsEmpty());
}

TEST_F(ScoreImport, RefusesADateInTheFutureButOfAnotherTimeZone) {
  const auto file = [&](const std::string& date) {
    return "from: x\ndate: " + date + "\nscores: [{trial: " + ids_.at("denseCoLA0") + ", test: 5}]";
  };
  expect_code(file("2999-01-01"), "invalid-value");
  const auto day = [](int days) {
    const time_t then = time(nullptr) + days * 24 * 60 * 60;
    std::tm parts{};
    gmtime_r(&then, &parts);
    return fmt::format("{:04}-{:02}-{:02}", parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday);
  };
  expect_code(file(day(3)), "invalid-value");
  imported(file(day(1)));
  EXPECT_EQ(scores_of("denseCoLA0").at("test").date, day(1));
}

TEST_F(ScoreImport, RefusesScoresThatAreMalformedAndTakesNoneOfTheFile) {
  const std::string dense = head_ + "seed: 0\nwhere: {arm: dense}\nscores:\n";
  const std::string good = "- {where: {task: MNLI}, test: 5}\n";
  const auto refused = [&](const std::string& entry, const std::string& message) {
    expect_refused(dense + good + entry, message);
    EXPECT_THAT(scores_of("denseMNLI0"), IsEmpty()) << entry;
  };
  refused("- {where: {task: CoLA}, test: high}\n",
          "scores.yaml:10:31: error: test: got 'high', expected a number such as 52.3");
  refused("- {where: {task: CoLA}, test: nan}\n", "test: got 'nan', expected a number");
  refused("- {where: {task: CoLA}, test: [1]}\n", "expected a number such as 52.3");
  refused("- {where: {task: CoLA}, test: 452.3}\n",
          "scores.yaml:10:31: error: test: got 452.3, expected from -100 to 100: mcc in %");
  refused("- {where: {task: MNLI}, test_mismatched: -1}\n",
          "test_mismatched: got -1, expected from 0 to 100: accuracy in %");
  refused("- {where: {task: MNLI}, mine: 101}\n", "mine: got 101, expected from -100 to 100");
  refused("- {where: {task: MNLI}, accuracy: -3}\n",
          "accuracy: got -3, expected from 0 to 100: accuracy in %");
  refused("- {where: {task: CoLA}, perplexity: 0.5}\n",
          "perplexity: got 0.5, expected 1 or more: perplexity");
  for (const char* no_number : {".nan", ".inf", "-inf", "1e999"}) {
    refused(fmt::format("- {{where: {{task: CoLA}}, test: {}}}\n", no_number),
            fmt::format("test: got '{}', expected a number such as 52.3", no_number));
  }
  refused("- {where: {task: CoLA}, te st: 1}\n", "got the name 'te st', expected letters");
  refused("- {where: {task: CoLA}}\n", "got no score; expected NAME: NUMBER");
  refused("- {where: {task: MNLI}, test: 6}\n", "arm=dense task=MNLI seed 0 has 'test' twice");
  refused("- 5\n", "entry of scores: expected a map");
  refused("- {where: {task: CoLA}, trial: " + ids_.at("denseCoLA0") + ", test: 6}\n",
          "got trial and where; each of them names the trial; remove one");
  expect_code(head_ + "scores: 5\n", "invalid-value");
  expect_code("from: x\ndate: 20.11.2026\nscores: [{test: 1}]", "invalid-value");
  for (const char* no_day : {"2026-13-40", "2026-02-30", "2026-00-10", "2025-02-29"}) {
    expect_refused(fmt::format("from: x\ndate: {}\nscores: [{{test: 1}}]", no_day),
                   fmt::format("date: got '{}', expected a day such as", no_day));
  }
  expect_refused("from:\ndate:\nscores: [{test: 1}]", "error: from: got nothing, expected a value");
  expect_refused("from: x\nscores: [{test: 1}]", "file of scores lacks the key 'date'");
  expect_refused("form: x\ndate: 2026-11-20\nscores: [{test: 1}]", "did you mean 'from'?");
  EXPECT_THAT(
      [&] {
        answer({"score", "import", "nowhere.yaml"});
      },
      ThrowsMessage<ConfigError>(HasSubstr("nowhere.yaml")));
  EXPECT_THAT(
      [&] {
        answer({"score", "import"});
      },
      ThrowsMessage<ConfigError>(HasSubstr("give the file of scores")));
}

TEST_F(ScoreImport, ImportsNothingOverADamagedFile) {
  const std::filesystem::path file =
      trial_folder(folder_.path(), ids_.at("denseCoLA0")) / kScoresFile;
  write_text(file, "{");
  expect_code(
      "from: x\ndate: 2026-11-20\nscores: [{trial: " + ids_.at("denseCoLA0") + ", test: 5}]",
      "damaged-file");
}

TEST_F(ScoreImport, KnowsItsWords) {
  EXPECT_THAT(
      [&] {
        answer({"score", "glu"});
      },
      ThrowsMessage<ConfigError>(AllOf(HasSubstr("got 'glu'"), HasSubstr("submission"))));
  EXPECT_THAT([&] { answer({"score", "glue", "more"}); }, ThrowsCode("wrong-arguments"));
  EXPECT_THAT([&] { answer({"score", "swag"}); }, ThrowsCode("wrong-arguments"));
}

}  // namespace
}  // namespace rethink
