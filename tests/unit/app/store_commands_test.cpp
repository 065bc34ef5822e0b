#include <gmock/gmock.h>

#include "core/error.h"
#include "core/files/file.h"
#include "core/json.h"
#include "tests/unit/app/command_fixture.h"

namespace rethink {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

class StoreCommands : public CommandTest {
 protected:
  /// Adds a trial of no sweep that failed, as recorded by the driver.
  std::string add_failed() const {
    TrialMaker trial(folder_.path(), "fa");
    trial.attempt(1, {start_event(1, 0), end_event("failed")}).ended(1, {{"outcome", "failed"}});
    write_trial_state(trial.folder(), TrialState::failed, "no data");
    return trial.id();
  }
};

TEST_F(StoreCommands, SayThatTheDatabaseIsMissing) {
  add_two_rates();
  finish();
  for (const char* part : {"", "-wal", "-shm"})
    std::filesystem::remove((folder_ / "rethink.db").string() + part);
  for (const std::vector<std::string>& words : {std::vector<std::string>{"claims"},
                                                {"report"},
                                                {"table", "t"},
                                                {"figure", "f"},
                                                {"why", "t", "row", "column"},
                                                {"why", "1234"},
                                                {"status"}}) {
    EXPECT_THAT([&] { answer(words); },
                ThrowsMessage<MachineError>(HasSubstr("`" + on_store("db rebuild") + "` makes it")))
        << words.front();
  }
}

TEST_F(StoreCommands, RemoveNamesTheDamagedFileThatMayBeTheSweeps) {
  add_two_rates();
  finish();
  const std::filesystem::path file = sweep_path(folder_.path(), sweep_);
  write_text(file, "{");
  EXPECT_THAT(
      [&] {
        answer({"rm", "s"});
      },
      ThrowsMessage<ConfigError>(
          AllOf(HasSubstr("has no sweep or trial 's'; " + file.string() + " is damaged"),
                HasSubstr("run its sweep again with the same options"))));
}

TEST_F(StoreCommands, RemoveListsTheSweepsWhereNoneIsMeant) {
  add_two_rates();
  finish();
  EXPECT_THAT(
      [&] {
        answer({"rm", "nonsense.yaml"});
      },
      ThrowsMessage<ConfigError>(folder_.path().string() +
                                 " has no sweep or trial 'nonsense.yaml'; its sweeps: s"));
}

TEST_F(StoreCommands, SayThatAListIsEmpty) {
  TrialMaker(folder_.path(), "a");
  finish();
  const auto expect_refused = [&](const std::vector<std::string>& words, const char* text) {
    EXPECT_THAT([&] { answer(words); }, ThrowsMessage<ConfigError>(text)) << words.front();
  };
  expect_refused({"table"}, "which of the tables? Give a name or --all; there is: nothing");
  expect_refused({"figure"}, "which of the figures? Give a name or --all; there is: nothing");
  expect_refused({"query", "--show", "dev/score"}, "unknown metric 'dev/score'; known: none");
  expect_refused(
      {"report", "t"},
      "no claims, table, figure or sweep is called 't' or lies below t/; there is: nothing");
}

TEST_F(StoreCommands, CurveNamesPlotAmongItsFormats) {
  add_two_rates();
  finish();
  EXPECT_THAT(
      [&] {
        answer({"curve", "dev/score", "--format", "svg"});
      },
      ThrowsMessage<ConfigError>(
          "--format: got 'svg', expected plot, text, md, csv, json or latex"));
}

TEST_F(StoreCommands, RetrySaysWhyThereIsNothingToRetry) {
  const std::string done = add("a", 0, {{"rate", 1}}, 1.0);
  finish();
  const CommandAnswer said = answer({"retry", done});
  EXPECT_EQ(said.out, "0 trials may run again: 1 is done; to have one that is done again: " +
                          on_store("rm " + done) + ", then run its sweep\n");
  EXPECT_EQ(said.code, kSomeFailed);
}

TEST_F(StoreCommands, RetrySaysThatABlockedOrWaitingTrialNeedsAnother) {
  const std::string waiting = TrialMaker(folder_.path(), "a", {{"rate", 1}}).id();
  finish();
  const CommandAnswer said = answer({"retry", waiting});
  EXPECT_THAT(said.out, AllOf(HasSubstr("0 trials may run again: 1 is "),
                              HasSubstr("; one that is waiting or ready runs without a retry: run "
                                        "its sweep\n")));
  EXPECT_EQ(said.code, kDone);
}

TEST_F(StoreCommands, CancelSaysThatATrialHasEnded) {
  const std::string done = add("a", 0, {{"rate", 1}}, 1.0);
  finish();
  const CommandAnswer said = answer({"cancel", done});
  EXPECT_EQ(said.out, "cancelled 0 trials: 1 is done; to remove one that has ended: " +
                          on_store("rm " + done) + "\n");
  EXPECT_EQ(said.code, kSomeFailed);
  EXPECT_EQ(answer({"cancel", "s"}).code, kDone);  // nothing is left to cancel
}

TEST_F(StoreCommands, RefuseTheBeginningOfSeveralTrialsIds) {
  std::vector<std::string> ids;
  for (int i = 0; i < 7; ++i) ids.push_back(add(fmt::format("a{}", i), i, {{"rate", 1}}, 1.0));
  finish();
  const std::string beginning = ids[0].substr(0, 5), ended = ids[0];
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"rm", beginning},
        {"why", beginning},
        {"retry", beginning},
        {"cancel", beginning},
        {"show", beginning},
        {"logs", beginning},
        {"mask", beginning},
        {"export", beginning, (folder_ / "new").string()},
        {"diff", beginning, ended},
        {"rm", beginning.substr(0, 1)},
        {"cancel", beginning.substr(0, 1)},
        {"query", "--where", "trial=" + beginning},
        {"query", "--where", "not trial in (" + ended + ", " + beginning + ")"},
        {"curve", "dev/score", "--where", "trial=" + beginning}}) {
    EXPECT_THAT([&] { answer(words); }, ThrowsMessage<ConfigError>(HasSubstr(fmt::format(
                                            "is the beginning of 7 trials' ids: {}, {}, {}, {}, {} "
                                            "and 2 more; give more digits",
                                            ids[0], ids[1], ids[2], ids[3], ids[4]))))
        << words.front();
  }
  EXPECT_THAT(answer({"query", "--where", "trial=" + ids[6], "--format", "csv"}).out,
              HasSubstr("done"));
  for (const std::string& id : ids)
    EXPECT_TRUE(std::filesystem::exists(trial_folder(folder_.path(), id)));
}

TEST_F(StoreCommands, ThatReadSnapshotsNeedNoFolders) {
  for (const std::string& name : commands_that_read_snapshots())
    EXPECT_FALSE(commands().make(name, Json::object())->needs_folders()) << name;
}

TEST_F(StoreCommands, RefuseOneDigitOfATrialThatTheyWouldChange) {
  const std::string done = add("a", 0, {{"rate", 1}}, 1.0);
  finish();
  for (const char* command : {"rm", "retry", "cancel"}) {
    EXPECT_THAT(([&] {
                  answer({command, done.substr(0, 1)});
                }),
                ThrowsMessage<ConfigError>(HasSubstr("is the beginning of the id of trial " + done +
                                                     "; give 4 digits or more")));
  }
}

TEST_F(StoreCommands, DiffGivesProgramsValuesWithTheirTypes) {
  const std::string first = add("a", 0, {{"rate", 1}, {"name", "1"}}, 1.0);
  const std::string second = add("b", 0, {{"rate", 2.5}, {"on", true}}, 1.0);
  finish();
  EXPECT_EQ(Json::parse(answer({"diff", first, second, "--format", "json"}).out)["changes"],
            (Json{{{"key", "config.name"}, {"before", "1"}},
                  {{"key", "config.rate"}, {"before", 1}, {"after", 2.5}},
                  {{"key", "config.on"}, {"after", true}}}));
  EXPECT_THAT(answer({"diff", first, second}).out,
              HasSubstr("name: 1 -> nothing\nrate: 1 -> 2.5\non: nothing -> true\n"));
}

TEST_F(StoreCommands, ShowHasWholeChecksumsForProgramsAndShortOnesForPeople) {
  const std::string checksum(64, 'a');
  TrialMaker trial(folder_.path(), "a");
  trial.data("text", checksum)
      .attempt(1, {start_event(1, 0),
                   {{"event", "artifact"},
                    {"name", "weights"},
                    {"kind", "weights"},
                    {"file", "artifacts/w"},
                    {"sha256", checksum},
                    {"bytes", 3}},
                   end_event("done")})
      .result(1);
  finish();
  const Json all = Json::parse(answer({"show", trial.id(), "--format", "json"}).out);
  EXPECT_EQ(all["data"], (Json{{{"file", "text"}, {"sha256", checksum}}}));
  EXPECT_EQ(all["artifacts"].at(0)["sha256"], checksum);
  const std::string text = answer({"show", trial.id()}).out;
  EXPECT_THAT(text, AllOf(HasSubstr("  " + checksum.substr(0, 12) + "\n"),
                          testing::Not(HasSubstr(checksum.substr(0, 13)))));
}

TEST_F(StoreCommands, ShowHasTheStepOfTheBestValue) {
  TrialMaker trial(folder_.path(), "c1");
  trial
      .attempt(1, {start_event(1, 0), metric_event("mcc", 5, 0.9), metric_event("mcc", 10, 0.4),
                   metric_event("mcc@best", 10, 0.9), metric_event("loss@best", 10, 0.25),
                   metric_event("loss", 10, 0.5), end_event("done")})
      .result(1);
  finish();
  const std::string text = answer({"show", trial.id()}).out;
  EXPECT_THAT(text, testing::ContainsRegex("dev/mcc +0\\.4 +10 +0\\.9 +5"));
  EXPECT_THAT(text, testing::ContainsRegex("dev/loss +0\\.5 +10 +0\\.25 *\n"))
      << "nothing says where: the value was not kept";
}

TEST_F(StoreCommands, RetrySaysThatADivergedTrialWillDivergeAgain) {
  const std::string diverged = add("d", 0, {{"rate", 1}}, 1.0, "diverged");
  const std::string other = add("e", 1, {{"rate", 1}}, 1.0, "diverged");
  const std::string failed = add_failed();
  finish();
  const std::string advice =
      " diverged, and with the same settings, seed and code will diverge again, to the same bits: "
      "change the settings, first to a smaller learning rate\n";
  EXPECT_EQ(answer({"retry", diverged}).out, "1 trial may run again; it" + advice);
  EXPECT_EQ(answer({"retry", other, failed}).out, "2 trials may run again; 1 of them" + advice);
}

TEST_F(StoreCommands, WhySaysWhatMadeATrialDiverge) {
  const std::string diverged = add("d", 0, {{"rate", 1}}, 1.0, "diverged");
  finish();
  EXPECT_THAT(answer({"why", diverged}).out,
              HasSubstr("\n  diverged: the loss is nan at step 7\n"));
  answer({"retry", diverged});
  EXPECT_THAT(answer({"show", diverged}).out, HasSubstr("diverged: the loss is nan at step 7"));
  EXPECT_THAT(
      answer({"why", diverged}).out,
      testing::ContainsRegex("attempt 1: diverged[^\n]*: diverged: the loss is nan at step 7\n"));
}

TEST_F(StoreCommands, ShowNamesAValueThatIsNotFinite) {
  TrialMaker trial(folder_.path(), "c2");
  trial
      .attempt(1, {start_event(1, 0), metric_event("loss", 5, "inf"),
                   metric_event("loss@best", 5, "inf"), end_event("done")})
      .result(1);
  finish();
  EXPECT_THAT(answer({"show", trial.id()}).out,
              testing::ContainsRegex("dev/loss +not finite +5 +not finite"));
}

TEST_F(StoreCommands, RetryIsInTheDatabaseAtOnce) {
  const std::string failed = add_failed();
  finish();
  EXPECT_EQ(answer({"retry", failed}).out, "1 trial may run again\n");
  const Store store(folder_.path(), Store::Access::read);
  EXPECT_EQ(store.attempts(failed).at(0).facts.at("forgiven"), true);
}

}  // namespace
}  // namespace rethink
