// `rethink score submission` of an arm's predictions, in the form that GLUE's server takes.
#include "tests/support/throws_code.h"
#include "tests/unit/app/score_fixture.h"

namespace rethink {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::ThrowsMessage;

using ScoreSubmission = ScoreFixture;

const std::vector<std::string> kDense = {"--profile", "small",     "--stage", "finetune",
                                         "--where",   "arm=dense", "--seed",  "1"};

TEST_F(ScoreSubmission, CollectsOneArmsFilesAndSaysWhichTheServerMisses) {
  const CommandAnswer said = submitted(kDense);
  EXPECT_EQ(said.code, kSomeFailed);
  EXPECT_EQ(read_text(out_ / "sent/CoLA.tsv"), "dense CoLA 1 test");
  EXPECT_EQ(read_text(out_ / "sent/MNLI-mm.tsv"), "dense MNLI 1 test_mismatched");
  EXPECT_THAT(said.out, HasSubstr("CoLA.tsv  arm=dense task=CoLA seed 1\n"));
  EXPECT_THAT(said.err, HasSubstr("missing: RTE.tsv: no trial here is of glue/rte\n"));
  EXPECT_THAT(said.err, HasSubstr("missing: AX.tsv: trial " + ids_.at("denseMNLI1") +
                                  " (arm=dense task=MNLI seed 1) left no predictions of "
                                  "diagnostic\n"));
  EXPECT_THAT(said.err, Not(HasSubstr("CoLA.tsv")));
  EXPECT_THAT([&] { submitted(kDense); }, ThrowsCode("file-exists"));
}

TEST_F(ScoreSubmission, LeavesAFileForTheAnswerThatItReads) {
  submitted(kDense);
  const std::filesystem::path file = out_ / "sent/scores.yaml";
  std::string text = read_text(file);
  EXPECT_THAT(
      [&] {
        answer({"score", "import", file.string()});
      },
      ThrowsMistake("4:1 invalid-value"));
  const auto fill_in = [&](const std::string& before, const std::string& after) {
    const size_t at = text.find(before);
    ASSERT_NE(at, std::string::npos) << before;
    text.insert(at + before.size(), after);
  };
  fill_in("date:", " 2026-11-20");
  fill_in("    test_mismatched:", " 84.1");
  const CommandAnswer said = imported(text);
  EXPECT_EQ(said.code, kDone);
  EXPECT_THAT(said.out,
              HasSubstr("test_mismatched 84.1\n1 score added, 0 replaced, 0 already known"));
  EXPECT_THAT(said.err, HasSubstr("no number yet: test of trial " + ids_.at("denseMNLI1")));
  EXPECT_EQ(scores_of("denseMNLI1").at("test_mismatched").source(),
            "gluebenchmark.com, 2026-11-20");
}

TEST_F(ScoreSubmission, SubmitsWhatASelectChose) {
  add_selects();
  const CommandAnswer said =
      submitted({"--profile", "small", "--stage", "best", "--where", "arm=dense", "--seed", "0"});
  EXPECT_EQ(read_text(out_ / "sent/CoLA.tsv"), "dense CoLA 0 test");
  EXPECT_THAT(said.err, HasSubstr("left out: arm=dense task=RTE seed none: ready\n"));
}

TEST_F(ScoreSubmission, TakesATrialOfTwoPointsOnce) {
  sweep_.members.push_back(
      {ids_.at("denseCoLA0"), "finetune", "small", {{"arm", "dense"}, {"task", "CoLA again"}}});
  finish();
  submitted({"--profile", "small", "--stage", "finetune", "--where", "arm=dense", "--seed", "0"});
  EXPECT_EQ(read_text(out_ / "sent/CoLA.tsv"), "dense CoLA 0 test");
}

TEST_F(ScoreSubmission, SubmitsNoMixture) {
  const auto refused = [&](const std::vector<std::string>& words, const std::string& message) {
    EXPECT_THAT([&] { submitted(words); }, ThrowsMessage<ConfigError>(HasSubstr(message)));
    EXPECT_FALSE(std::filesystem::exists(out_ / "sent"));
  };
  refused({"--profile", "small", "--stage", "finetune", "--where", "arm=dense"},
          "CoLA.tsv: 2 trials have predictions for it, expected one: they differ in seed (0, 1); "
          "choose with --where NAME=VALUE or --seed N");
  refused({"--profile", "small", "--stage", "finetune", "--seed", "0"},
          "they differ in arm (dense, star)");
  refused({"--profile", "small", "--stage", "finetune", "--where", "arm=dens"},
          "--where: error: no trial has arm 'dens'; did you mean 'dense'?; there is: dense, star");
  refused(
      {"--profile", "small", "--stage", "finetune", "--where", "am=dense"},
      "no trial has the label or option 'am'; did you mean 'arm'?; they have: arm, task; options "
      "that differ: data.dataset");
  refused({"--profile", "small", "--stage", "finetune", "--where", "dense"},
          "--where: got 'dense', expected NAME=VALUE, such as pretrain.arm=dense");
  refused({"--profile", "small", "--stage", "finetune", "--seed", "7"},
          "--seed: error: seed: got '7', which no trial has; there is: 0, 1");
  refused({"--profile", "small", "--stage", "finetun"}, "did you mean 'finetune'?");
  refused({"--profile", "paper", "--stage", "finetune"},
          "profile: got 'paper', with which the store has no run of s; it has: small");
  refused({"--profile", "small"}, "rethink score submission needs --stage");
}

TEST_F(ScoreSubmission, ChoosesAmongTrialsThatDifferInWhatSetGave) {
  const auto with_rate = [&](double rate, const std::string& file) {
    return add_trained("local", "CoLA", 0, {{"test", file}}, {{"optimizer", {{"lr", rate}}}});
  };
  with_rate(2e-4, "CoLA.tsv");
  const std::string other = with_rate(1e-3, "CoLA2.tsv");
  finish();
  std::vector<std::string> words = {"--profile", "small",   "--stage",
                                    "finetune",  "--where", "arm=local"};
  EXPECT_THAT([&] { submitted(words); }, ThrowsCode("ambiguous-trial"));
  words.insert(words.end(), {"--where", "optimizer.lr=1e-3"});
  submitted(words);
  EXPECT_THAT(read_text(out_ / "sent/scores.yaml"), HasSubstr("trial: " + other));
  words.back() = "lr=1e-3";
  EXPECT_THAT([&] { submitted(words); }, ThrowsMessage<ConfigError>(HasSubstr("new folder")));
  std::filesystem::remove_all(out_ / "sent");
  EXPECT_THAT([&] { submitted(words); },
              ThrowsMessage<ConfigError>(HasSubstr("did you mean 'optimizer.lr'?")));
  words.back() = "optimizer.lr=1";
  EXPECT_THAT(
      [&] { submitted(words); },
      ThrowsMessage<ConfigError>(HasSubstr("no trial has optimizer.lr '1'; there is: 0.0002, ")));
  expect_refused(head_ + "scores: [{where: {arm: local}, test: 5}]",
                 "2 trials are meant, expected one: they differ in optimizer.lr (0.0002, 0.001)");
  imported(head_ + "scores: [{where: {arm: local, optimizer.lr: 0.001}, test: 5}]");
  EXPECT_EQ(scores_of("localCoLA0").at("test").value, 5);
}

TEST_F(ScoreSubmission, ChoosesAmongTrialsWithDifferentAncestors) {
  for (const int steps : {10, 20}) {
    TrialMaker parent(folder_.path(), "c" + std::to_string(steps),
                      {{"steps", steps}, {"batch", 4}});
    parent.attempt(1, {start_event(1, 0), end_event("done")}).result(1);
    sweep_.members.push_back({parent.id(), "pretrain", "small", {}});
    add_trained("local", "CoLA", 0, {{"test", "CoLA.tsv"}}, {{"batch", 8}}, parent.id());
  }
  finish();
  std::vector<std::string> words = {"--profile", "small",   "--stage",
                                    "finetune",  "--where", "arm=local"};
  EXPECT_THAT([&] { submitted(words); }, ThrowsCode("ambiguous-trial"));
  words.insert(words.end(), {"--where", "pretrain.steps=10"});
  submitted(words);
  EXPECT_EQ(read_text(out_ / "sent/CoLA.tsv"), "local CoLA 0 test");
}

TEST_F(ScoreSubmission, SaysWhatPartsTrialsThatAreAlikeInAllThatCanBeNamed) {
  const std::string one = add_trained("local", "CoLA", 0, {{"test", "CoLA.tsv"}}),
                    other = add_trained("local", "CoLA", 0, {{"test", "CoLA.tsv"}});
  finish();
  EXPECT_THAT(
      [&] {
        submitted({"--profile", "small", "--stage", "finetune", "--where", "arm=local"});
      },
      ThrowsMessage<ConfigError>(HasSubstr("no label, seed or option distinguishes them; `" +
                                           on_store("diff " + one + " " + other) + "`")));
}

TEST_F(ScoreSubmission, TellsTheRunThatLeavesPredictionsOfTestSets) {
  add_trained("local", "CoLA", 0, {});
  finish();
  const auto submit = [&] {
    return submitted({"--profile", "small", "--stage", "finetune", "--where", "arm=local"});
  };
  EXPECT_THAT(submit, ThrowsCode("nothing-to-submit"));
  add_trained("local", "RTE", 0, {{"test", "RTE.tsv"}});
  finish();
  const std::string said = submit().err;
  EXPECT_THAT(said, HasSubstr("left no predictions of test: its data.test is false\n"));
  EXPECT_THAT(
      said, HasSubstr("predictions of test sets come from: rethink run s --profile small --store " +
                      folder_.path().string() + " --set stages.finetune.data.test=true\n"));
  EXPECT_THAT(
      said, HasSubstr("missing: AX.tsv, MNLI-m.tsv, MNLI-mm.tsv: no trial here is of glue/mnli\n"));
  add_trained("local", "CoLA", 0, {{"test", "CoLA.tsv"}});
  finish();
  std::filesystem::remove_all(out_ / "sent");
  EXPECT_THAT(submit().err, Not(HasSubstr("predictions of test sets")));
}

TEST_F(ScoreSubmission, SubmitsNoDamagedFile) {
  const std::filesystem::path artifacts =
      trial_folder(folder_.path(), ids_.at("denseCoLA1")) / "artifacts";
  write_text(artifacts / "CoLA.tsv", "other");
  EXPECT_THAT([&] { submitted(kDense); },
              ThrowsMessage<ConfigError>(HasSubstr(
                  "CoLA.tsv is damaged; to restore it: " + on_store("rm " + ids_.at("denseCoLA1")) +
                  ", then run its sweep")));
  std::filesystem::remove(artifacts / "CoLA.tsv");
  EXPECT_THAT([&] { submitted(kDense); },
              ThrowsMessage<ConfigError>(HasSubstr("CoLA.tsv is missing")));
  EXPECT_FALSE(std::filesystem::exists(out_ / "sent"));
}

}  // namespace
}  // namespace rethink
