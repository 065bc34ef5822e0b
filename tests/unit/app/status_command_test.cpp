#include <fcntl.h>
#include <gmock/gmock.h>

#include "app/driver/show/sweep_status.h"
#include "core/error.h"
#include "core/files/file.h"
#include "core/files/lock.h"
#include "core/json.h"
#include "core/store_files/trial_folder.h"
#include "core/trial_state.h"
#include "experiments/run/board.h"
#include "results/query/recorded_sweeps.h"
#include "tests/support/throws_code.h"
#include "tests/unit/app/command_fixture.h"

namespace rethink {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;
using testing::ThrowsMessage;

class StatusCommand : public CommandTest {};

TEST_F(StatusCommand, ListsFailuresWithTheirReasonAndOnRequestEveryTrial) {
  add_two_rates();
  finish();
  const std::string text = answer({"status"}).out;
  EXPECT_THAT(text, StartsWith("s: 4 of 6 done, 2 diverged\n"));
  EXPECT_THAT(text,
              HasSubstr("  diverged, 2 trials: the loss is nan at step 7\n    " + id_of("b1") +
                        "  lm rate=2 seed 1\n    " + id_of("b2") + "  lm rate=2 seed 2\n"));
  EXPECT_THAT(text, Not(HasSubstr(id_of("a1"))));
  EXPECT_THAT(answer({"status", "--all"}).out,
              HasSubstr("  done      " + id_of("a1") + "  lm rate=1 seed 1\n"));
}

TEST_F(StatusCommand, ShortensTheIdBeforeWhatTellsTrialsApart) {
  add_two_rates();
  finish();
  Store store(folder_.path(), Store::Access::read);
  const SweepStatus status = sweep_status(recorded_sweeps(store, folder_.path()).at(0), store,
                                          false, {}, {TrialState::done});
  const std::string id = id_of("a1");
  EXPECT_THAT(to_text(status, 10, 60), HasSubstr("  done      " + id + "  lm rate=1 seed 1\n"));
  EXPECT_THAT(to_text(status, 10, 49),
              HasSubstr("  done      " + id.substr(0, 8) + "  lm rate=1 seed 1\n"));
}

TEST_F(StatusCommand, NamesTheCommandsThatMadeASweepAndResumeIt) {
  write_text(folder_ / "sweeps/group/s.yaml", "");
  sweep_.source = (folder_ / "sweeps/group/s.yaml").string();
  sweep_.profile = "small";
  sweep_.choice = "--set lm.data=[a, b] --set x=1 --seeds 0,1";
  add_two_rates();
  finish();
  const std::string command =
      on_store("run group/s --profile small --set 'lm.data=[a, b]' --set x=1 --seeds 0,1") + "\n";
  EXPECT_THAT(answer({"status"}).out,
              StartsWith("s --profile small: 4 of 6 done, 2 diverged\n  by: " + command));

  SweepFile other = sweep_;
  TrialMaker trial(folder_.path(), "c1", {{"rate", 3}});
  other.members = {sweep_.members[0], {trial.id(), "lm", "", {}}};
  other.choice = "";
  write_sweep_file(folder_.path(), other);
  other.choice = "merged from 1234";
  write_sweep_file(folder_.path(), other);
  rebuild(folder_.path());
  EXPECT_THAT(answer({"status"}).out,
              StartsWith("s --profile small: 4 of 7 done, 1 ready, 2 diverged\n"
                         "  1 of 2 done, resume with: " +
                         on_store("run group/s --profile small") +
                         "\n  4 of 6 done, by: " + command + "  1 of 2 done, merged from 1234\n"));
  const Json json = Json::parse(answer({"status", "--format", "json"}).out);
  EXPECT_EQ(json["sweeps"][0]["choices"][0],
            (Json{{"choice", ""},
                  {"source", sweep_.source},
                  {"command", on_store("run group/s --profile small")},
                  {"total", 2},
                  {"done", 1}}));
}

TEST_F(StatusCommand, TheCommandThatResumesHasTheFoldersThatTheRunWasGiven) {
  const std::string mine = (folder_ / "mine").string(), data = (folder_ / "my data").string();
  write_text(folder_ / "sweeps/group/s.yaml", "");
  sweep_.source = (folder_ / "sweeps/group/s.yaml").string();
  sweep_.choice = "--seeds 0,1";
  sweep_.with = {"--path=" + mine, "--data=" + data, "--device=cpu"};
  add_two_rates();
  finish();
  const auto resumed_by = [&](const std::vector<std::string>& words) {
    const Json json = Json::parse(answer(words).out);
    return json["sweeps"][0]["choices"][0]["command"].get<std::string>();
  };
  const std::string begin = "run group/s --seeds 0,1";
  const std::vector<std::string> ask = {"status", "--format", "json"};
  EXPECT_EQ(resumed_by(ask),
            on_store(begin + " --path " + mine + " --data '" + data + "' --device cpu"));
  const std::string here = std::filesystem::current_path().string();
  sweep_.with = {"--path=" + here + "/mine", "--data=" + here};
  finish();
  EXPECT_EQ(resumed_by(ask), on_store(begin + " --path mine --data ."));
  // New paths go before earlier ones, and each folder is listed once.
  EXPECT_EQ(resumed_by({"status", "--format", "json", "--path", "./mine", "--path", "b", "--data",
                        "other"}),
            on_store(begin + " --path ./mine --path b --data other"));
}

/// Trials that `reproduce` did not take need `run`.
TEST_F(StatusCommand, NamesTheReproduceThatFillsAndResumesASweep) {
  TrialMaker trial(folder_.path(), "a1", {{"rate", 1}});
  sweep_.members.push_back({trial.id(), "lm", "", {}});
  sweep_.source = (folder_ / "s.yaml").string();
  sweep_.with = {"--device=cpu", "command=reproduce bet --profile small"};
  write_text(sweep_.source, "");
  finish();
  EXPECT_THAT(
      answer({"status"}).out,
      HasSubstr("  resume with: " + on_store("reproduce bet --profile small --device cpu") + "\n"));
}

TEST_F(StatusCommand, TellsOnceTheCommandThatResumesSeveralSweeps) {
  TrialMaker trial(folder_.path(), "a1", {{"rate", 1}});
  sweep_.members.push_back({trial.id(), "lm", "", {}});
  sweep_.source = (folder_ / "s.yaml").string();
  sweep_.with = {"command=reproduce bet --profile small"};
  write_text(sweep_.source, "");
  SweepFile other = sweep_;
  other.sweep = "t";
  write_sweep_file(folder_.path(), other);
  finish();
  const std::string command = "resume with: " + on_store("reproduce bet --profile small") + "\n";
  const std::string both = "s: 0 of 1 done, 1 ready\nt: 0 of 1 done, 1 ready\n";
  EXPECT_THAT(answer({"status"}).out, StartsWith(both + command));
  EXPECT_THAT(answer({"status", "t"}).out, StartsWith("t: 0 of 1 done, 1 ready\n  " + command));

  other.sweep = "u";
  other.with.clear();
  write_sweep_file(folder_.path(), other);
  rebuild(folder_.path());
  EXPECT_THAT(answer({"status"}).out,
              StartsWith(both + "u: 0 of 1 done, 1 ready\n  resume with: " +
                         on_store("run " + sweep_.source) + "\ns, t: " + command));
}

TEST_F(StatusCommand, SaysThatTheFileToResumeWithIsMissing) {
  TrialMaker trial(folder_.path(), "a1", {{"rate", 1}});
  sweep_.members.push_back({trial.id(), "lm", "", {}});
  sweep_.source = (folder_ / "can.yaml").string();
  write_text(sweep_.source, "");
  finish();
  const std::string command = "resume with: " + on_store("run " + sweep_.source);
  EXPECT_THAT(answer({"status"}).out, HasSubstr(command + "\n"));
  std::filesystem::remove(sweep_.source);
  EXPECT_THAT(answer({"status"}).out,
              HasSubstr(command + " (" + sweep_.source + " is not there now)\n"));
}

TEST_F(StatusCommand, WatchingEndsAtOnceWhereNothingIsLeftToDo) {
  add_two_rates();
  finish();
  EXPECT_THAT(answer({"status", "--watch"}).out, StartsWith("s: 4 of 6 done, 2 diverged\n"));
}

TEST_F(StatusCommand, IsReadByProgramsAsJson) {
  add_two_rates();
  finish();
  const Json all = Json::parse(answer({"status", "--format", "json"}).out);
  EXPECT_TRUE(all["driver"].is_null());
  const Json& sweep = all["sweeps"].at(0);
  EXPECT_EQ(sweep["counts"], (Json{{"done", 4}, {"diverged", 2}}));
  EXPECT_EQ(sweep["total"], 6);
  ASSERT_EQ(sweep["trials"].size(), 6u);
  const Json& diverged = sweep["trials"][3];
  EXPECT_EQ(diverged["trial"], id_of("b1"));
  EXPECT_EQ(diverged["labels"], (Json{{"rate", "2"}}));
  EXPECT_EQ(diverged["seed"], 1);
  EXPECT_EQ(diverged["state"], "diverged");
  EXPECT_TRUE(diverged["loss"].is_null());
}

TEST_F(StatusCommand, ShowsHowFarATrialGot) {
  TrialMaker trial(folder_.path(), "a1", {{"rate", 1}});
  trial.attempt(1,
                {start_event(1, 0), {{"event", "tick"}, {"step", 3}, {"of", 10}, {"loss", 0.5}}});
  sweep_.members.push_back({trial.id(), "lm", "", {}});
  finish();
  EXPECT_THAT(answer({"status", "--all"}).out, HasSubstr(trial.id() + "  lm seed 0  3/10"));
  const Json all = Json::parse(answer({"status", "--format", "json"}).out);
  EXPECT_EQ(all["sweeps"][0]["trials"][0]["of"], 10);
}

TEST_F(StatusCommand, ShowsOfARunningTrialNoStepsOfAnAttemptThatEnded) {
  TrialMaker trial(folder_.path(), "a1", {{"rate", 1}});
  const std::vector<Json> events{start_event(1, 0),
                                 {{"event", "tick"}, {"step", 3}, {"of", 10}, {"loss", 0.5}}};
  trial.attempt(1, events).ended(1, {{"outcome", "killed"}});
  sweep_.members.push_back({trial.id(), "lm", "", {}});
  finish();
  EXPECT_THAT(answer({"status", "--all"}).out, HasSubstr("lm seed 0  3/10"));
  const std::filesystem::path lock = TrialFolder(trial.folder()).lock();
  const FileDescriptor file = open_file(lock, O_RDWR | O_CREAT);
  const FileLock worker = FileLock::wait(file.get(), lock);
  Store(folder_.path(), Store::Access::write).set_state(trial.id(), TrialState::running);
  EXPECT_THAT(answer({"status"}).out,
              HasSubstr("running   " + trial.id() + "  lm seed 0  starting"));
  trial.attempt(2, {start_event(2, 0), events.at(1)});
  rebuild(folder_.path());
  EXPECT_THAT(answer({"status"}).out, HasSubstr("lm seed 0  3/10"));
}

TEST_F(StatusCommand, OfAStoreWithoutSweepsSaysHowToBegin) {
  std::filesystem::create_directory(folder_ / "trials");
  rebuild(folder_.path());
  EXPECT_THAT(answer({"status"}).out,
              StartsWith("no sweep was run in " + folder_.path().string() + " yet"));
}

TEST_F(StatusCommand, OfAStoreWithoutSweepsSaysHowManyTrialsItHas) {
  TrialMaker(folder_.path(), "a1").attempt(1, {start_event(1, 0), end_event("done")}).result(1);
  rebuild(folder_.path());
  const std::string text =
      folder_.path().string() + " has no sweep on record, but 1 trial in no sweep: if ";
  EXPECT_THAT(answer({"status"}).out, StartsWith(text));
  EXPECT_THAT(
      [&] {
        answer({"status", "s"});
      },
      ThrowsMessage<ConfigError>(StartsWith("no sweep 's': " + text)));
}

TEST_F(StatusCommand, SaysWhichNeedBlocksATrial) {
  TrialMaker failed(folder_.path(), "a1"), child(folder_.path(), "b1"), last(folder_.path(), "c1");
  write_trial_state(failed.folder(), TrialState::failed, "no room");
  child.needs("init", {failed.id()});
  last.needs("init", {child.id()});
  for (const TrialMaker* trial : {&failed, &child, &last})
    sweep_.members.push_back({trial->id(), "lm", "", {}});
  finish();
  const std::string text = answer({"status", "--all"}).out;
  EXPECT_THAT(text, StartsWith("s: 0 of 3 done, 1 failed, 2 blocked\n"));
  EXPECT_THAT(text, HasSubstr("  blocked   " + child.id() + "  lm seed 0: needs " + failed.id() +
                              ", which failed\n"));
  EXPECT_THAT(text, HasSubstr(": needs " + child.id() + ", which is blocked\n"));
}

TEST_F(StatusCommand, NamesADivergedNeedAfterOtherLostNeeds) {
  add_two_rates();
  TrialMaker failed(folder_.path(), "c1"), child(folder_.path(), "d1"), last(folder_.path(), "e1");
  write_trial_state(failed.folder(), TrialState::failed, "no room");
  child.needs("init", {id_of("b1"), failed.id()});
  last.needs("init", {id_of("b1")});
  for (const TrialMaker* trial : {&failed, &child, &last})
    sweep_.members.push_back({trial->id(), "lm", "", {}});
  finish();
  const std::string text = answer({"status", "--all"}).out;
  EXPECT_THAT(text,
              HasSubstr(child.id() + "  lm seed 0: needs " + failed.id() + ", which failed\n"));
  EXPECT_THAT(text,
              HasSubstr(last.id() + "  lm seed 0: needs " + id_of("b1") + ", which diverged\n"));
}

class LogsCommand : public CommandTest {};

TEST_F(LogsCommand, SayThatTheTrialsFolderIsMissing) {
  add_two_rates();
  finish();
  EXPECT_THAT(answer({"show", id_of("a1")}).out,
              HasSubstr("folder  " + trial_folder(folder_.path(), id_of("a1")).string() + "\n"));
  std::filesystem::remove_all(trial_folder(folder_.path(), id_of("a1")));
  const std::string gone = "its folder is missing; the next run of its sweep makes it again\n";
  EXPECT_THAT(answer({"show", id_of("a1")}).out, HasSubstr("folder  " + gone));
  EXPECT_EQ(answer({"logs", id_of("a1")}).err, "trial " + id_of("a1") + ": " + gone);
}

TEST_F(LogsCommand, TellAFailureOnce) {
  TrialMaker trial(folder_.path(), "a1");
  trial
      .attempt(1, {start_event(1, 0),
                   {{"event", "message"}, {"level", "error"}, {"text", "no room"}},
                   {{"event", "end"}, {"outcome", "failed"}, {"message", "no room"}, {"at", "T"}}})
      .ended(1, {{"outcome", "failed"}, {"message", "no room"}});
  write_text(trial.folder() / "attempt-1/log",
             "17:46:27.501 error no room\nsomething else\nno end");
  finish();
  EXPECT_EQ(
      answer({"logs", trial.id()}).out,
      "== attempt 1\n== start at step 0 \nerror: no room\n== failed T\nsomething else\nno end\n");
}

TEST_F(LogsCommand, GoByStepWhereLastStepsAreRecordedAfterADivergence) {
  TrialMaker trial(folder_.path(), "a1");
  trial
      .attempt(1, {start_event(1, 0),
                   metric_event("loss", 5, 4),
                   metric_event("loss", 10, 90),
                   {{"event", "message"}, {"level", "warning"}, {"text", "diverged: 90"}},
                   metric_event("step_loss", 1, 5),
                   metric_event("step_loss", 10, 95),
                   {{"event", "end"}, {"outcome", "diverged"}, {"at", "T"}}})
      .result(1, "diverged");
  finish();
  EXPECT_EQ(answer({"logs", trial.id()}).out,
            "== attempt 1\n== start at step 0 \nstep 1  dev/step_loss 5\nstep 5  dev/loss 4\n"
            "step 10  dev/loss 90\nstep 10  dev/step_loss 95\nwarning: diverged: 90\n"
            "== diverged T\n");
}

TEST_F(LogsCommand, TellAnInterruptionOnce) {
  TrialMaker trial(folder_.path(), "a1");
  trial.attempt(1, {start_event(1, 0), {{"event", "end"}, {"outcome", "interrupted"}, {"at", "T"}}})
      .ended(1, {{"outcome", "interrupted"}, {"message", "stopped"}});
  finish();
  EXPECT_EQ(answer({"logs", trial.id()}).out,
            "== attempt 1\n== start at step 0 \n== interrupted T\n");
}

TEST_F(LogsCommand, SayHowAnAttemptEndedThatCouldNot) {
  TrialMaker trial(folder_.path(), "a1");
  trial.attempt(1, {start_event(1, 0)})
      .ended(1, {{"outcome", "killed"}, {"message", "ended by signal 9"}});
  finish();
  EXPECT_THAT(answer({"logs", trial.id()}).out, HasSubstr("== killed ended by signal 9\n"));
}

TEST_F(LogsCommand, RefuseAnAttemptThatThereIsNot) {
  add_two_rates();
  finish();
  EXPECT_THAT(
      [&] {
        answer({"logs", id_of("a1"), "--attempt", "7"});
      },
      ThrowsCode("unknown-attempt"));
}

}  // namespace
}  // namespace rethink
