// `rethink score submission` and `rethink score import`: to GLUE's server and back.
#include <gmock/gmock.h>

#include "core/error.h"
#include "core/hash.h"
#include "results/outside_scores.h"
#include "tests/unit/app/command_fixture.h"

namespace rethink {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::ThrowsMessage;

class ScoreCommand : public CommandTest {
 protected:
  ScoreCommand() {
    for (const char* arm : {"dense", "star"}) {
      for (int64_t seed = 0; seed < 2; ++seed) {
        add_trained(arm, "CoLA", seed, {{"test", "CoLA.tsv"}});
        add_trained(arm, "MNLI", seed,
                    {{"test", "MNLI-m.tsv"}, {"test_mismatched", "MNLI-mm.tsv"}});
      }
    }
    sweep_.profile = "small";
    finish();
  }

  /// A done trial of glue/TASK that left these predictions, each the text "ARM TASK SEED SPLIT". It
  /// was trained with `options`, and goes on from `parent` unless that is "".
  std::string add_trained(const std::string& arm, const std::string& task, int64_t seed,
                          const std::map<std::string, std::string>& files,
                          const Json& options = Json::object(), const std::string& parent = "") {
    std::string dataset = "glue/" + task;
    for (char& letter : dataset) letter = static_cast<char>(std::tolower(letter));
    const std::string name = "a" + std::to_string(++count_);
    Json config = options;
    config["data"] = {{"dataset", dataset}, {"test", !files.empty()}};
    TrialMaker trial(folder_.path(), name, config);
    if (!parent.empty()) trial.needs("init", {parent});
    trial.seed(seed).attempt(1, {start_event(1, 0), end_event("done")}).result(1);
    Json result = parse_json(read_text(trial.folder() / "result.json"), "result");
    for (const auto& [split, file] : files) {
      const std::string text = fmt::format("{} {} {} {}", arm, task, seed, split);
      write_text(trial.folder() / "artifacts" / file, text);
      result["artifacts"].push_back({{"name", file},
                                     {"kind", "prediction_file"},
                                     {"file", "artifacts/" + file},
                                     {"sha256", sha256_hex(text)},
                                     {"bytes", text.size()},
                                     {"facts", {{"split", split}}}});
    }
    write_text(trial.folder() / "result.json", result.dump());
    sweep_.members.push_back({trial.id(), "finetune", "small", {{"arm", arm}, {"task", task}}});
    return ids_[arm + task + std::to_string(seed)] = trial.id();
  }

  /// A select that chose the dense trials of CoLA, and one that has yet to choose.
  void add_selects() {
    TrialMaker done(folder_.path(), "b1", Json::object()), waiting(folder_.path(), "b2");
    Json seeds = Json::array();
    for (const char* seed : {"0", "1"}) {
      seeds.push_back(
          {{"seed", std::stoi(seed)}, {"trial", ids_.at(std::string("denseCoLA") + seed)}});
    }
    done.seed(nullptr)
        .attempt(1,
                 {start_event(1, 0), {{"event", "selected"}, {"seeds", seeds}}, end_event("done")})
        .result(1);
    waiting.seed(nullptr);
    sweep_.members.push_back({done.id(), "best", "small", {{"arm", "dense"}, {"task", "CoLA"}}});
    sweep_.members.push_back({waiting.id(), "best", "small", {{"arm", "dense"}, {"task", "RTE"}}});
    finish();
  }

  Answer submitted(const std::vector<std::string>& more) const {
    std::vector<std::string> words = {"score", "submission", "s", (out_ / "sent").string()};
    words.insert(words.end(), more.begin(), more.end());
    return answer(words);
  }
  Answer imported(const std::string& text) const {
    write_text(out_ / "scores.yaml", text);
    return answer({"score", "import", (out_ / "scores.yaml").string()});
  }
  void expect_refused(const std::string& text, const std::string& message) const {
    EXPECT_THAT([&] { imported(text); }, ThrowsMessage<ConfigError>(HasSubstr(message))) << text;
  }
  std::map<std::string, OutsideScore> scores_of(const std::string& trial) const {
    return newest_scores(*read_outside_scores(trial_folder(folder_.path(), ids_.at(trial))));
  }

  const std::string head_ =
      "from: gluebenchmark.com\ndate: 2026-11-20\nsweep: s\nprofile: small\nstage: finetune\n";
  std::map<std::string, std::string> ids_;  // "denseCoLA0": trial
  int count_ = 0;
  const TempFolder out_;
};

const std::vector<std::string> kDense = {"--profile", "small",     "--stage", "finetune",
                                         "--where",   "arm=dense", "--seed",  "1"};

TEST_F(ScoreCommand, CollectsOneArmsFilesAndSaysWhichTheServerMisses) {
  const Answer said = submitted(kDense);
  EXPECT_EQ(said.code, kSomeFailed);
  EXPECT_EQ(read_text(out_ / "sent/CoLA.tsv"), "dense CoLA 1 test");
  EXPECT_EQ(read_text(out_ / "sent/MNLI-mm.tsv"), "dense MNLI 1 test_mismatched");
  EXPECT_THAT(said.out, HasSubstr("CoLA.tsv  arm=dense task=CoLA seed 1\n"));
  EXPECT_THAT(said.err, HasSubstr("missing: RTE.tsv: no trial here is of glue/rte\n"));
  EXPECT_THAT(said.err, HasSubstr("missing: AX.tsv: trial " + ids_.at("denseMNLI1") +
                                  " (arm=dense task=MNLI seed 1) left no predictions of "
                                  "diagnostic\n"));
  EXPECT_THAT(said.err, Not(HasSubstr("CoLA.tsv")));
  EXPECT_THAT([&] { submitted(kDense); },
              ThrowsMessage<ConfigError>(HasSubstr("is there already; name a new folder")));
}

TEST_F(ScoreCommand, LeavesAFileForTheAnswerThatItReads) {
  submitted(kDense);
  const std::filesystem::path file = out_ / "sent/scores.yaml";
  std::string text = read_text(file);
  EXPECT_THAT(
      [&] {
        answer({"score", "import", file.string()});
      },
      ThrowsMessage<ConfigError>(
          HasSubstr("scores.yaml:4:1: error: date: got nothing, expected a day such as")));
  const auto fill_in = [&](const std::string& before, const std::string& after) {
    const size_t at = text.find(before);
    ASSERT_NE(at, std::string::npos) << before;
    text.insert(at + before.size(), after);
  };
  fill_in("date:", " 2026-11-20");
  fill_in("    test_mismatched:", " 84.1");
  const Answer said = imported(text);
  EXPECT_EQ(said.code, kDone);
  EXPECT_THAT(said.out, HasSubstr("test_mismatched 84.1\n1 scores added, 0 replaced, 0 known"));
  EXPECT_THAT(said.err, HasSubstr("no number yet: test of trial " + ids_.at("denseMNLI1")));
  EXPECT_EQ(scores_of("denseMNLI1").at("test_mismatched").source(),
            "gluebenchmark.com, 2026-11-20");
}

TEST_F(ScoreCommand, SubmitsWhatASelectChose) {
  add_selects();
  const Answer said =
      submitted({"--profile", "small", "--stage", "best", "--where", "arm=dense", "--seed", "0"});
  EXPECT_EQ(read_text(out_ / "sent/CoLA.tsv"), "dense CoLA 0 test");
  EXPECT_THAT(said.err, HasSubstr("left out: arm=dense task=RTE seed none: ready\n"));
}

TEST_F(ScoreCommand, TakesATrialThatStandsForTwoPointsOnce) {
  sweep_.members.push_back(
      {ids_.at("denseCoLA0"), "finetune", "small", {{"arm", "dense"}, {"task", "CoLA again"}}});
  finish();
  submitted({"--profile", "small", "--stage", "finetune", "--where", "arm=dense", "--seed", "0"});
  EXPECT_EQ(read_text(out_ / "sent/CoLA.tsv"), "dense CoLA 0 test");
}

TEST_F(ScoreCommand, SubmitsNoMixture) {
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

TEST_F(ScoreCommand, ChoosesAmongTrialsThatDifferInWhatSetGave) {
  const auto with_rate = [&](double rate, const std::string& file) {
    return add_trained("local", "CoLA", 0, {{"test", file}}, {{"optimizer", {{"lr", rate}}}});
  };
  with_rate(2e-4, "CoLA.tsv");
  const std::string other = with_rate(1e-3, "CoLA2.tsv");
  finish();
  std::vector<std::string> words = {"--profile", "small",   "--stage",
                                    "finetune",  "--where", "arm=local"};
  EXPECT_THAT([&] { submitted(words); },
              ThrowsMessage<ConfigError>(HasSubstr(
                  "CoLA.tsv: 2 trials have predictions for it, expected one: they differ in "
                  "optimizer.lr (0.0002, 0.001); choose with --where NAME=VALUE or --seed N")));
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

TEST_F(ScoreCommand, ChoosesAmongTrialsThatGoOnFromDifferentOnes) {
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
  EXPECT_THAT([&] { submitted(words); },
              ThrowsMessage<ConfigError>(HasSubstr("they differ in pretrain.steps (10, 20);")));
  words.insert(words.end(), {"--where", "pretrain.steps=10"});
  submitted(words);
  EXPECT_EQ(read_text(out_ / "sent/CoLA.tsv"), "local CoLA 0 test");
}

TEST_F(ScoreCommand, SaysWhatPartsTrialsThatAreAlikeInAllThatCanBeNamed) {
  const std::string one = add_trained("local", "CoLA", 0, {{"test", "CoLA.tsv"}}),
                    other = add_trained("local", "CoLA", 0, {{"test", "CoLA.tsv"}});
  finish();
  EXPECT_THAT(
      [&] {
        submitted({"--profile", "small", "--stage", "finetune", "--where", "arm=local"});
      },
      ThrowsMessage<ConfigError>(HasSubstr("no label, seed or option parts them; `rethink diff " +
                                           one + " " + other + "` says what does")));
}

TEST_F(ScoreCommand, TellsTheRunThatLeavesPredictionsOfTestSets) {
  add_trained("local", "CoLA", 0, {});
  finish();
  const auto submit = [&] {
    return submitted({"--profile", "small", "--stage", "finetune", "--where", "arm=local"});
  };
  EXPECT_THAT(submit, ThrowsMessage<ConfigError>(HasSubstr(
                          "there is nothing to submit: no trial left predictions of a test set")));
  add_trained("local", "RTE", 0, {{"test", "RTE.tsv"}});
  finish();
  const std::string said = submit().err;
  EXPECT_THAT(said, HasSubstr("left no predictions of test: its data.test is false\n"));
  EXPECT_THAT(said,
              HasSubstr("predictions of test sets come from: rethink run s --profile small --set "
                        "stages.finetune.data.test=true\n"));
  EXPECT_THAT(
      said, HasSubstr("missing: AX.tsv, MNLI-m.tsv, MNLI-mm.tsv: no trial here is of glue/mnli\n"));
  add_trained("local", "CoLA", 0, {{"test", "CoLA.tsv"}});
  finish();
  std::filesystem::remove_all(out_ / "sent");
  EXPECT_THAT(submit().err, Not(HasSubstr("predictions of test sets")));
}

TEST_F(ScoreCommand, SubmitsNoDamagedFile) {
  const std::filesystem::path artifacts =
      trial_folder(folder_.path(), ids_.at("denseCoLA1")) / "artifacts";
  write_text(artifacts / "CoLA.tsv", "other");
  EXPECT_THAT([&] { submitted(kDense); },
              ThrowsMessage<ConfigError>(
                  HasSubstr("CoLA.tsv is damaged; `rethink rm " + ids_.at("denseCoLA1"))));
  std::filesystem::remove(artifacts / "CoLA.tsv");
  EXPECT_THAT([&] { submitted(kDense); },
              ThrowsMessage<ConfigError>(HasSubstr("CoLA.tsv is gone")));
  EXPECT_FALSE(std::filesystem::exists(out_ / "sent"));
}

TEST_F(ScoreCommand, ImportsScoresByLabelsAndReplacesThem) {
  const std::string entries =
      "where: {arm: dense}\nseed: 0\nscores:\n- {where: {task: CoLA}, test: 52.3}\n"
      "- {where: {task: MNLI}, test: 84.8, test_mismatched: 84.1}\n";
  EXPECT_EQ(imported(head_ + entries).out,
            "arm=dense task=CoLA seed 0: test 52.3\narm=dense task=MNLI seed 0: test 84.8\n"
            "arm=dense task=MNLI seed 0: test_mismatched 84.1\n"
            "3 scores added, 0 replaced, 0 known already\n");
  EXPECT_EQ(scores_of("denseCoLA0").at("test").value, 52.3);
  EXPECT_THAT(scores_of("denseCoLA1"), IsEmpty());
  EXPECT_EQ(imported(head_ + entries).out, "0 scores added, 0 replaced, 3 known already\n");
  EXPECT_EQ(imported(head_ + "seed: 0\nscores: [{where: {arm: dense, task: CoLA}, test: 53}]").out,
            "arm=dense task=CoLA seed 0: test 53, was 52.3 (gluebenchmark.com, 2026-11-20)\n"
            "0 scores added, 1 replaced, 0 known already\n");
  EXPECT_EQ(read_outside_scores(trial_folder(folder_.path(), ids_.at("denseCoLA0")))->size(), 2u);
}

TEST_F(ScoreCommand, TakesCorrelationsBelowZeroAndWondersAtFractions) {
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

TEST_F(ScoreCommand, ImportsForWhatASelectChose) {
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

TEST_F(ScoreCommand, RefusesScoresThatNameNoTrialOrSeveral) {
  expect_refused(head_ + "scores: [{where: {task: CoLA}, test: 5}]",
                 "scores.yaml:6:10: error: 4 trials are meant, expected one: they differ in arm "
                 "(dense, star), seed (0, 1)");
  expect_refused(head_ + "seed: 0\nscores: [{where: {task: Cola, arm: star}, test: 5}]",
                 "scores.yaml:7:25: error: no trial has task 'Cola'; did you mean 'CoLA'?");
  expect_refused(head_ + "seed: 5\nscores: [{where: {task: CoLA, arm: star}, test: 5}]",
                 "scores.yaml:6:7: error: seed: got '5', which no trial has; there is: 0, 1");
  expect_refused("from: x\ndate: 2026-11-20\nscores: [{test: 5}]",
                 "which trial? give it a trial: ID, or the file a sweep and a stage");
  expect_refused("from: x\ndate: 2026-11-20\nscores: [{trial: 123456, test: 5}]",
                 "no trial's id begins with '123456'");
  expect_refused("from: x\ndate: 2026-11-20\nsweep: t\nstage: a\nscores: [{test: 5}]",
                 "sweep: got 't', which was not run in this store");
  expect_refused("from: x\ndate: 2026-11-20\nstage: a\nscores: [{test: 5}]",
                 "sweep and stage belong together");
  EXPECT_THAT(scores_of("denseCoLA0"), IsEmpty());
}

TEST_F(ScoreCommand, RefusesScoresThatAreMalformedAndTakesNoneOfTheFile) {
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
          "scores.yaml:10:31: error: test: got 452.3, expected from -100 to 100: the server gives "
          "mcc in %");
  refused("- {where: {task: MNLI}, test_mismatched: -1}\n",
          "test_mismatched: got -1, expected from 0 to 100: the server gives accuracy in %");
  refused("- {where: {task: MNLI}, mine: 101}\n", "mine: got 101, expected from -100 to 100");
  refused("- {where: {task: CoLA}, te st: 1}\n", "got the name 'te st', expected letters");
  refused("- {where: {task: CoLA}}\n", "got no score; expected NAME: NUMBER");
  refused("- {where: {task: MNLI}, test: 6}\n", "arm=dense task=MNLI seed 0 has 'test' twice");
  refused("- 5\n", "entry of scores: expected a map");
  refused("- {where: {task: CoLA}, trial: " + ids_.at("denseCoLA0") + ", test: 6}\n",
          "got trial and where; one of them says which is meant");
  expect_refused(head_ + "scores: 5\n", "scores: expected a list of maps");
  expect_refused("from: x\ndate: 20.11.2026\nscores: [{test: 1}]",
                 "scores.yaml:2:7: error: date: got '20.11.2026', expected a day such as");
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

TEST_F(ScoreCommand, ImportsNothingOverADamagedFile) {
  const std::filesystem::path file =
      trial_folder(folder_.path(), ids_.at("denseCoLA0")) / kScoresFile;
  write_text(file, "{");
  expect_refused(
      "from: x\ndate: 2026-11-20\nscores: [{trial: " + ids_.at("denseCoLA0") + ", test: 5}]",
      "scores.json is damaged; remove it, and import again");
}

TEST_F(ScoreCommand, KnowsItsWords) {
  EXPECT_THAT(
      [&] {
        answer({"score", "glu"});
      },
      ThrowsMessage<ConfigError>(AllOf(HasSubstr("got 'glu'"), HasSubstr("submission"))));
  EXPECT_THAT(
      [&] {
        answer({"score", "glue", "more"});
      },
      ThrowsMessage<ConfigError>(HasSubstr("got 'more', expected options alone")));
  EXPECT_THAT(
      [&] {
        answer({"score", "swag"});
      },
      ThrowsMessage<ConfigError>(HasSubstr("rethink score swag needs --ref")));
}

}  // namespace
}  // namespace rethink
