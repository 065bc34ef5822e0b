#include "experiments/run/folder_ledger.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>

#include <filesystem>
#include <fstream>

#include "core/files/lock.h"
#include "core/json.h"
#include "core/store_files/attempt_end.h"
#include "core/store_files/event.h"
#include "experiments/attempt/trial_files.h"
#include "results/store/ingest.h"
#include "tests/support/bytes_read.h"
#include "tests/unit/results/trial_maker.h"

namespace rethink {
namespace {

using testing::HasSubstr;

class FolderLedgerTest : public testing::Test {
 protected:
  /// Returns the driver's description of an attempt that was killed.
  EndedAttempt killed() {
    Ending ending;
    ending.status_known = true;
    ending.status = SIGKILL;
    const EndedAttempt left = ledger_.close(trial_.id(), ending);
    ledger_.commit();
    return left;
  }
  void add_checkpoint(int64_t step) {
    write_text(trial_.folder() / "checkpoints" / fmt::format("checkpoint-{}", step), "x");
  }

  const TempFolder folder_;
  TrialMaker trial_{folder_.path(), "a"};
  Store index_{folder_.path(), Store::Access::write};
  FolderLedger ledger_{folder_.path(), index_};
};

TEST_F(FolderLedgerTest, SeesACheckpointWhoseEventIsMissing) {
  trial_.attempt(1, {start_event(1, 0)});
  add_checkpoint(4);
  EXPECT_TRUE(killed().new_checkpoint);
}

TEST_F(FolderLedgerTest, ATrialIsNotAtFaultWhereItsGpuIsLost) {
  trial_.attempt(
      1, {start_event(1, 0), {{"event", "end"}, {"outcome", "failed"}, {"message", "CUDA error"}}});
  Ending ending;
  ending.status_known = true;
  ending.status = W_EXITCODE(10, 0);
  ending.lost_gpu = "GPU-1 (H100)";
  const EndedAttempt left = ledger_.close(trial_.id(), ending);
  ledger_.commit();
  EXPECT_EQ(left.outcome, AttemptOutcome::lost);
  EXPECT_TRUE(left.free);
  EXPECT_EQ(left.message,
            "GPU-1 (H100) no longer answers (`nvidia-smi` and `dmesg` show more): CUDA error");
}

TEST_F(FolderLedgerTest, DoesNotCountAnOldCheckpointAsNew) {
  add_checkpoint(4);
  trial_.attempt(1, {start_event(1, 0), {{"event", "checkpoint"}, {"step", 4}}})
      .ended(1, {{"outcome", "killed"}});
  trial_.attempt(2, {start_event(2, 4)});
  EXPECT_FALSE(killed().new_checkpoint);
  Json start = start_event(3, 4);
  start["damaged"] = {8};
  add_checkpoint(8);
  trial_.ended(2, {{"outcome", "killed"}}).attempt(3, {start});
  EXPECT_FALSE(killed().new_checkpoint);
  add_checkpoint(6);
  EXPECT_TRUE(killed().new_checkpoint);
}

TEST_F(FolderLedgerTest, AnAttemptThatEndedBeforeItBeganMadeNoCheckpoint) {
  add_checkpoint(4);
  trial_.attempt(1, {start_event(1, 0)}).ended(1, {{"outcome", "killed"}});
  trial_.attempt(2, {not_begun(2)});
  EXPECT_FALSE(killed().new_checkpoint);
  trial_.ended(2, {{"outcome", "killed"}}).attempt(3, {});
  EXPECT_FALSE(killed().new_checkpoint);
}

TEST_F(FolderLedgerTest, KnowsTheLargestCheckpointOfOldAndAddedTrials) {
  const auto checkpoint = [](int64_t bytes) {
    return Json{{"event", "checkpoint"}, {"step", bytes}, {"bytes", bytes}};
  };
  EXPECT_EQ(ledger_.checkpoint_bytes(), 0u);
  trial_.attempt(1, {start_event(1, 0), checkpoint(70), checkpoint(50)});
  ledger_.progress(trial_.id());
  EXPECT_EQ(ledger_.checkpoint_bytes(), 70u);
  trial_.attempt(
      1, {start_event(1, 0), checkpoint(70), checkpoint(50), checkpoint(90), end_event("done")});
  trial_.result(1);
  killed();
  EXPECT_EQ(ledger_.checkpoint_bytes(), 90u);
  EXPECT_EQ(FolderLedger(folder_.path(), index_).checkpoint_bytes(), 90u);
}

TEST_F(FolderLedgerTest, RetryOfADivergedTrialForgivesWhatWasChargedBefore) {
  trial_.attempt(1, {start_event(1, 0)}).ended(1, {{"outcome", "killed"}, {"charged", true}});
  trial_.attempt(2, {start_event(2, 0), end_event("diverged")}).result(2, "diverged");
  const TrialFolder folder(trial_.folder());
  EXPECT_EQ(history_of(folder).charged.of(AttemptOutcome::killed), 1);
  forgive(folder);
  EXPECT_EQ(history_of(folder).charged.of(AttemptOutcome::killed), 0);
  EXPECT_EQ(read_attempt_end(folder.attempt(2))->outcome, AttemptOutcome::diverged);
}

TEST_F(FolderLedgerTest, TellsWhatASelectChoseAndOfHowManyEqualOnes) {
  trial_.attempt(1, {start_event(1, 0), end_event("done")}).result(1);
  Json result = trial_.result_json();
  result["selected"] = {
      {"group", 0},
      {"seeds", Json::array()},
      {"labels",
       {{{"axis", "arm"}, {"value", "Star"}}, {{"axis", "optimizer.lr"}, {"value", "0.1"}}}},
      {"by", "dev/score"},
      {"score", 0.25},
      {"tied", 1}};
  const auto chosen = [&] {
    trial_.set_result(result);
    Ending ending;
    ending.status_known = true;
    const EndedAttempt left = ledger_.close(trial_.id(), ending);
    ledger_.commit();
    return left.chosen;
  };
  EXPECT_EQ(chosen(), "arm=Star optimizer.lr=0.1 (dev/score 0.25)");
  result["selected"]["tied"] = 3;
  EXPECT_EQ(chosen(),
            "arm=Star optimizer.lr=0.1 (dev/score 0.25), the first in the sweep's order of 3 that "
            "are equal");
}

TEST_F(FolderLedgerTest, RunsATrialAgainWhoseResultIsNotWhatItsEventsSay) {
  trial_.attempt(1, {start_event(1, 0), metric_event("loss", 1, 0.5), end_event("done")});
  trial_.result(1, "done", {{"dev/loss", 0.25}});
  const EndedAttempt left = ledger_.close(trial_.id(), {});
  ledger_.commit();
  EXPECT_EQ(left.outcome, AttemptOutcome::lost);
  EXPECT_TRUE(left.free);
  EXPECT_THAT(left.message, HasSubstr("metrics: not what its events say"));
  EXPECT_FALSE(std::filesystem::exists(trial_.folder() / "result.json"));
}

TEST_F(FolderLedgerTest, SetsAsideOnlyAResultThatItsEventsProve) {
  const TrialFolder folder(trial_.folder());
  trial_.attempt(1, {start_event(1, 0), metric_event("loss", 1, 0.5), end_event("done")}).result(1);
  set_result_aside(folder);
  EXPECT_TRUE(std::filesystem::exists(folder.old_result()));
  std::filesystem::remove(folder.old_result());
  trial_.result(1, "done", {{"dev/loss", 0.25}});
  set_result_aside(folder);
  EXPECT_FALSE(std::filesystem::exists(folder.old_result()));
  EXPECT_FALSE(std::filesystem::exists(folder.result()));
  EXPECT_EQ(read_attempt_end(folder.attempt(1))->outcome, AttemptOutcome::lost);
}

TEST_F(FolderLedgerTest, TellsAnAttemptsWarningsOnce) {
  trial_.attempt(
      1, {start_event(1, 0), {{"event", "message"}, {"level", "warning"}, {"text", "it creaks"}}});
  EXPECT_THAT(killed().warnings, testing::ElementsAre("it creaks"));
  trial_.ended(1, {{"outcome", "lost"}, {"message", "its result.json was damaged"}});
  EXPECT_THAT(killed().warnings, testing::IsEmpty());
}

TEST_F(FolderLedgerTest, IgnoresProgressOfEarlierAttempts) {
  trial_.attempt(1, {start_event(1, 0), {{"event", "tick"}, {"step", 3}, {"of", 10}}});
  EXPECT_EQ(ledger_.progress(trial_.id()).of, 10);
  trial_.ended(1, {{"outcome", "killed"}}).attempt(2, {start_event(2, 3)});
  EXPECT_EQ(ledger_.progress(trial_.id()).of, 0);
}

TEST_F(FolderLedgerTest, SaysNothingOfAnAttemptThatHasWrittenNothingYet) {
  const Json tick{{"event", "tick"}, {"step", 70}, {"of", 100}};
  trial_.attempt(1, {start_event(1, 0)}).ended(1, {{"outcome", "killed"}});
  trial_.attempt(2, {start_event(2, 30), tick}).ended(2, {{"outcome", "killed"}});
  const auto is_unknown = [&] {
    const Progress progress = ledger_.progress(trial_.id());
    return progress.bytes == 0 && progress.of == 0 && progress.resume_step == 0;
  };
  EXPECT_TRUE(is_unknown());
  std::vector<Json> events{not_begun(3)};
  trial_.attempt(3, events);
  EXPECT_EQ(ledger_.progress(trial_.id()).resume_step, 0);
  events.insert(events.end(), {start_event(3, 60), tick, end_event("done")});
  trial_.attempt(3, events).result(3);
  EXPECT_EQ(ledger_.progress(trial_.id()).resume_step, 60);
  killed();
  // The trial is done and runs again for its files.
  run_again(TrialFolder(trial_.folder()));
  EXPECT_TRUE(is_unknown());
  trial_.attempt(4, {start_event(4, 0), tick});
  EXPECT_EQ(ledger_.progress(trial_.id()).step, 70);
  EXPECT_EQ(ledger_.progress(trial_.id()).resume_step, 0);
}

TEST_F(FolderLedgerTest, ReadsALineThatGrowsBetweenLooksOnlyOnce) {
  trial_.attempt(1, {start_event(1, 0)});
  const std::string line =
      event_line({{"event", "message"}, {"level", "info"}, {"text", std::string(2'000'000, 'x')}});
  constexpr size_t kPieces = 64;
  std::ofstream events(trial_.events(1), std::ios::app);
  const int64_t before = bytes_read();
  for (size_t piece = 0; piece < kPieces; ++piece) {
    const size_t begin = piece * line.size() / kPieces, end = (piece + 1) * line.size() / kPieces;
    events << line.substr(begin, end - begin) << std::flush;
    EXPECT_EQ(ledger_.progress(trial_.id()).bytes, std::filesystem::file_size(trial_.events(1)));
  }
  EXPECT_LE(bytes_read() - before, static_cast<int64_t>(6 * line.size()));
  events << event_line({{"event", "tick"}, {"step", 7}, {"of", 9}}) << std::flush;
  EXPECT_EQ(ledger_.progress(trial_.id()).step, 7);
}

TEST_F(FolderLedgerTest, JudgesADamagedEndAsTheIndexDoes) {
  for (const char* damaged :
       {"{\"outcome\": \"do", R"({"outcome": "killed", "message": "", "seconds": "x"})"}) {
    trial_.attempt(1, {start_event(1, 0)});
    write_text(trial_.folder() / "attempt-1/end.json", damaged);
    ingest_events(index_, trial_.folder());
    const AttemptEnd end = *read_attempt_end(trial_.folder() / "attempt-1");
    EXPECT_EQ(end.outcome, AttemptOutcome::lost);
    EXPECT_EQ(end.message, "its end.json is damaged");
    EXPECT_EQ(index_.attempts(trial_.id()).at(0).outcome, AttemptOutcome::lost);
    EXPECT_EQ(index_.attempts(trial_.id()).at(0).message, end.message);
  }
}

TEST_F(FolderLedgerTest, HistoryAndBoardCountTheSameCharges) {
  StageResources resources;
  resources.retry = {{AttemptOutcome::timeout, 9}};
  PlannedTrial planned;
  planned.trial.id = trial_.id();
  planned.resources = resources;
  Board board;
  board.add(planned, TrialState::waiting);
  board.connect();
  struct Attempt {
    AttemptOutcome outcome;
    bool new_checkpoint;
  };
  using enum AttemptOutcome;
  int64_t number = 0, last_step = 0;
  for (const Attempt& attempt : std::vector<Attempt>{{oom, false},
                                                     {timeout, true},
                                                     {killed, false},
                                                     {interrupted, true},
                                                     {killed, false},
                                                     {interrupted, false},
                                                     {timeout, false}}) {
    ++number;
    trial_.attempt(number, {start_event(number, last_step)});
    if (attempt.new_checkpoint) add_checkpoint(last_step += 4);
    Ending ending;
    ending.ordered = attempt.outcome;
    const EndedAttempt left = ledger_.close(trial_.id(), ending);
    board.mark_running(0);
    const TrialState after = board.end(
        0, {.outcome = left.outcome, .new_checkpoint = left.new_checkpoint, .free = left.free});
    ASSERT_EQ(after, TrialState::ready);
    ledger_.seal(trial_.id(), left, ending, after);
    ledger_.commit();
    const Charges read = history_of(TrialFolder(trial_.folder())).charged;
    for (const AttemptOutcome outcome : {oom, killed, timeout, interrupted, lost}) {
      EXPECT_EQ(read.of(outcome), board.charged(0, outcome))
          << to_text(outcome) << " after attempt " << number;
    }
  }
  EXPECT_EQ(board.charged(0, timeout), 2);
  EXPECT_EQ(board.charged(0, killed), 1);
  EXPECT_EQ(board.charged(0, oom), 0);
}

TEST_F(FolderLedgerTest, HasNothingToSettleOfATrialThatRunsAgain) {
  trial_.attempt(1, {start_event(1, 0), end_event("done")}).result(1);
  EXPECT_TRUE(ledger_.unsettled(trial_.id()));
  run_again(TrialFolder(trial_.folder()));
  EXPECT_FALSE(ledger_.unsettled(trial_.id()));
  trial_.attempt(2, {start_event(2, 0)});
  EXPECT_TRUE(ledger_.unsettled(trial_.id()));
}

TEST_F(FolderLedgerTest, GivesTheFinalMetricsOfAResult) {
  const auto event = [](const char* split, const char* name, double value) {
    return Json{
        {"event", "metric"}, {"split", split}, {"name", name}, {"step", 9}, {"value", value}};
  };
  trial_
      .attempt(1, {start_event(1, 0), event("dev", "score@last", 0.9), event("test", "score", 0.1),
                   event("test", "score@last", 0.7), end_event("done")})
      .result(1, "done", {{"dev/score@last", 0.9}, {"test/score", 0.1}, {"test/score@last", 0.7}});
  Ending ending;
  ending.status_known = true;
  const EndedAttempt left = ledger_.close(trial_.id(), ending);
  EXPECT_THAT(left.metrics, testing::ElementsAre(testing::Pair("dev/score@last", 0.9),
                                                 testing::Pair("test/score", 0.1),
                                                 testing::Pair("test/score@last", 0.7)));
}

TEST_F(FolderLedgerTest, EndsNoAttemptThatStillWorks) {
  trial_.attempt(1, {start_event(1, 0)});
  const TrialFolder folder(trial_.folder());
  Ending ending;
  ending.zygote_gone = true;
  const EndedAttempt left = ledger_.close(trial_.id(), ending);
  {
    const FileDescriptor file = open_file(folder.lock(), O_RDWR | O_CREAT);
    const FileLock worker = FileLock::wait(file.get(), folder.lock());
    ledger_.seal(trial_.id(), left, ending, TrialState::ready);
    EXPECT_FALSE(std::filesystem::exists(folder.end(1)));
  }
  trial_.attempt(1, {start_event(1, 0), end_event("done")}).result(1);
  ledger_.seal(trial_.id(), left, ending, TrialState::ready);
  EXPECT_FALSE(std::filesystem::exists(folder.end(1)));
  std::filesystem::remove(folder.result());
  ledger_.seal(trial_.id(), left, ending, TrialState::ready);
  EXPECT_TRUE(std::filesystem::exists(folder.end(1)));
  ledger_.commit();
}

TEST_F(FolderLedgerTest, RunsATrialAgainWhoseResultIsDamaged) {
  trial_.attempt(1, {start_event(1, 0), end_event("done")}).result(1);
  write_text(trial_.folder() / "result.json", "");
  EXPECT_TRUE(ledger_.unsettled(trial_.id()));
  const EndedAttempt left = killed();
  EXPECT_EQ(left.outcome, AttemptOutcome::lost);
  EXPECT_TRUE(left.free);
  EXPECT_EQ(left.message,
            "its result.json is damaged (not valid JSON at byte 1); the trial runs again");
  EXPECT_FALSE(std::filesystem::exists(trial_.folder() / "result.json"));
}

TEST_F(FolderLedgerTest, ChargesNothingForWhatTheMachineLacks) {
  const auto closed = [&](const Ending& ending) {
    const EndedAttempt left = ledger_.close(trial_.id(), ending);
    ledger_.commit();
    return left;
  };
  add_checkpoint(4);
  trial_.attempt(1, {start_event(1, 0), end_event("failed")})
      .ended(1, {{"outcome", "failed"}, {"message", "it broke"}});
  // The attempt was refused, or ended before it began, so the previous attempt's message is not its own.
  Ending refused;
  refused.refused = true;
  refused.message = "cannot fork";
  EndedAttempt left = closed(refused);
  EXPECT_EQ(left.outcome, AttemptOutcome::lost);
  EXPECT_EQ(left.fault, MachineFault::resources);
  EXPECT_TRUE(left.free);
  EXPECT_FALSE(left.new_checkpoint);
  EXPECT_EQ(left.message, "cannot fork");
  const auto exited = [](int code) {
    Ending ending;
    ending.status_known = true;
    ending.status = code << 8;
    return ending;
  };
  left = closed(exited(static_cast<int>(AttemptExit::no_resources)));
  EXPECT_EQ(left.outcome, AttemptOutcome::lost);
  EXPECT_THAT(left.message, HasSubstr("cannot start a thread or open a file"));
  left = closed(exited(static_cast<int>(AttemptExit::disk_error)));
  EXPECT_EQ(left.outcome, AttemptOutcome::interrupted);
  EXPECT_EQ(left.fault, MachineFault::disk);
  EXPECT_TRUE(left.free);
  trial_.attempt(2, {start_event(2, 4)});
  EXPECT_EQ(closed(exited(1)).outcome, AttemptOutcome::failed);
  write_text(trial_.folder() / "attempt-2/log",
             "\nlibgomp: Thread creation failed: Resource temporarily unavailable\n");
  EXPECT_EQ(closed(exited(1)).outcome, AttemptOutcome::lost);
}

TEST_F(FolderLedgerTest, SaysHowAnAttemptEndedThatCouldNot) {
  trial_.attempt(1, {start_event(1, 0)});
  EXPECT_THAT(killed().message, HasSubstr("signal 9"));
}

}  // namespace
}  // namespace rethink
