#include "app/driver/cli/completion_words.h"

#include <gmock/gmock.h>

#include "tests/unit/app/command_fixture.h"

namespace rethink {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

class CompletionWords : public CommandTest {
 protected:
  CompletionWords() {
    write_text(folder_ / "experiments/sweeps/bet/rates.yaml",
               "sweep: bet/rates\nstages: {train: {job: noop}, best: {job: select}}\nprofiles: "
               "{smoke: {}, "
               "paper: {}}\n");
    write_text(folder_ / "plots/tables/rates.yaml",
               "table: rates\nsweep: experiments/sweeps/bet/rates.yaml\n");
    write_text(folder_ / "plots/claims/bet.yaml", "claims: bet\n");
  }
  std::set<std::string> words(const std::vector<std::string>& line) const {
    CommandContext context;
    context.paths = {folder_.path()};
    context.programs = folder_.path();
    return completion_words(context, line);
  }
};

TEST_F(CompletionWords, AreCommandsAtFirst) {
  EXPECT_THAT(words({"sta"}), ElementsAre("status"));
  EXPECT_THAT(words({"--store", "s", "sta"}), ElementsAre("status"));
  EXPECT_THAT(words({"nothing", ""}), IsEmpty());
}

TEST_F(CompletionWords, AreTheSitesOfTheFile) {
  const std::filesystem::path file = folder_ / "sites.yaml";
  write_text(file, "a100: {engine: slurm}\nboxes: {engine: slurm}\n");
  EXPECT_THAT(words({"doctor", "--sites", file, "--site", ""}),
              ElementsAre("a100", "boxes", "local"));
}

TEST_F(CompletionWords, AreTheTemplatesOfInit) {
  std::filesystem::create_directories(folder_ / "experiments/templates/attention-lm");
  std::filesystem::create_directories(folder_ / "experiments/templates/other");
  EXPECT_THAT(words({"init", "--template", ""}), ElementsAre("attention-lm", "other"));
  EXPECT_THAT(words({"init", "--template", "att"}), ElementsAre("attention-lm"));
}

TEST_F(CompletionWords, AreOptionsAndTheirValues) {
  EXPECT_THAT(words({"table", "--s"}),
              ElementsAre("--seeds", "--set", "--slots", "--stage", "--store"));
  EXPECT_THAT(words({"run", "--device", ""}), ElementsAre("auto", "cpu", "cuda"));
  EXPECT_THAT(words({"status", "--format", ""}), ElementsAre("json", "text"));
  EXPECT_THAT(words({"curve", "--format", "p"}), ElementsAre("plot"));
  EXPECT_THAT(words({"table", "--out", ""}), IsEmpty());
}

TEST_F(CompletionWords, AreNamesThatTheCommandAccepts) {
  EXPECT_THAT(words({"run", ""}), ElementsAre("bet/rates"));
  EXPECT_THAT(words({"status", "b"}), ElementsAre("bet/rates"));
  EXPECT_THAT(words({"table", ""}), ElementsAre("bet/rates", "rates"));
  EXPECT_THAT(words({"claims", ""}), ElementsAre("bet"));
  EXPECT_THAT(words({"db", ""}), ElementsAre("check", "merge", "rebuild", "snapshot"));
  EXPECT_THAT(words({"db", "merge", ""}), IsEmpty());
  EXPECT_THAT(words({"completion", ""}), ElementsAre("bash", "zsh"));
}

TEST_F(CompletionWords, AreProfilesAndStagesOfTheSweepThatTheLineNames) {
  EXPECT_THAT(words({"run", "bet/rates", "--profile", ""}), ElementsAre("paper", "smoke"));
  EXPECT_THAT(words({"table", "rates", "--profile", "s"}), ElementsAre("smoke"));
  EXPECT_THAT(words({"run", "bet/rates", "--only", ""}), ElementsAre("best", "train"));
  EXPECT_THAT(words({"run", "no/such", "--profile", ""}), IsEmpty());
}

TEST_F(CompletionWords, AreTrialsKeysAndMetricsOfTheStoreThatTheLineNames) {
  add_two_rates();
  finish();
  const std::string store = folder_.path().string();
  EXPECT_THAT(
      words({"show", "--store", store, id_of("a1").substr(0, 18)}),
      ElementsAre(id_of("a0"), id_of("a1"), id_of("a2"), id_of("b0"), id_of("b1"), id_of("b2")));
  EXPECT_THAT(words({"show", ""}), IsEmpty());
  EXPECT_THAT(words({"query", "--store", store, "--by", ""}), ElementsAre("rate"));
  EXPECT_THAT(words({"curve", "--store", store, "dev/score"}), Contains("dev/score"));
}

TEST_F(CompletionWords, AreMetricsOfEveryTrialOfTheStore) {
  add_two_rates();
  TrialMaker(folder_.path(), "c1")
      .attempt(1, {start_event(1, 0), metric_event("f1", 5, 1), metric_event("accuracy", 5, 1),
                   end_event("done")})
      .result(1);
  finish();
  const std::string store = folder_.path().string();
  EXPECT_THAT(words({"curve", "--store", store, "dev/"}),
              ElementsAre("dev/accuracy", "dev/f1", "dev/score", "dev/score@last"));
  EXPECT_THAT(words({"curve", "--store", store, ""}), Contains(id_of("c1"))) << "a trial's, too";
  EXPECT_THAT(words({"query", "--store", store, "--show", "dev/"}),
              ElementsAre("dev/accuracy", "dev/f1", "dev/score", "dev/score@last"));
  EXPECT_THAT(words({"query", "--store", store, "--show", "r"}), ElementsAre("rate"));
}

TEST_F(CompletionWords, AreBenchmarksAndTheirOptionsAsTheOtherProgramSays) {
  const std::filesystem::path worker = folder_ / "rethink-worker";
  write_text(
      worker,
      "#!/bin/sh\nprintf 'WHAT: one_step, a step\\n\\nOptions:\\n  --steps VALUE (=30)  steps\\n\\n"
      "WHAT: two_steps, more\\n\\nOptions:\\n  --pairs VALUE (=2)  of steps\\n'\n");
  std::filesystem::permissions(worker, std::filesystem::perms::owner_all);
  EXPECT_THAT(words({"bench", ""}), ElementsAre("one_step", "two_steps"));
  EXPECT_THAT(words({"bench", "two_steps", "--"}), ElementsAre("--pairs"));
  EXPECT_THAT(words({"bench", "two_steps", "--pairs", ""}), IsEmpty());
}

TEST_F(CompletionWords, AreArgumentsUpToTheOptionsOfAUsageLine) {
  EXPECT_THAT(words({"score", ""}), ElementsAre("bleu", "codah", "conll", "glue", "import", "squad",
                                                "submission", "swag"));
  EXPECT_THAT(words({"score", "submission", ""}), ElementsAre("bet/rates"));
  EXPECT_THAT(words({"score", "conll", ""}), IsEmpty());
  EXPECT_THAT(words({"report", ""}), ElementsAre("bet", "bet/rates", "rates"));
}

}  // namespace
}  // namespace rethink
