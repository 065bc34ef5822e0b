#include "app/driver/completion_words.h"

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
    return completion_words(context, line);
  }
};

TEST_F(CompletionWords, AreCommandsAtFirst) {
  EXPECT_THAT(words({"sta"}), ElementsAre("status"));
  EXPECT_THAT(words({"--store", "s", "sta"}), ElementsAre("status"));
  EXPECT_THAT(words({"nothing", ""}), IsEmpty());
}

TEST_F(CompletionWords, AreOptionsAndWhatTheyTake) {
  EXPECT_THAT(words({"table", "--s"}), ElementsAre("--seeds", "--set", "--slots", "--store"));
  EXPECT_THAT(words({"run", "--device", ""}), ElementsAre("auto", "cpu", "cuda"));
  EXPECT_THAT(words({"status", "--format", ""}), ElementsAre("json", "text"));
  EXPECT_THAT(words({"curve", "--format", "p"}), ElementsAre("plot"));
  EXPECT_THAT(words({"table", "--out", ""}), IsEmpty());
}

TEST_F(CompletionWords, AreNamesOfWhatTheCommandTakes) {
  EXPECT_THAT(words({"run", ""}), ElementsAre("bet/rates"));
  EXPECT_THAT(words({"status", "b"}), ElementsAre("bet/rates"));
  EXPECT_THAT(words({"table", ""}), ElementsAre("rates"));
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

}  // namespace
}  // namespace rethink
