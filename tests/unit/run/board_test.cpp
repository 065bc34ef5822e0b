#include "experiments/run/board.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"

namespace rethink {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Board board_of(std::vector<BoardTrial> trials) {
  Board board;
  for (BoardTrial& trial : trials) board.add(std::move(trial), State::waiting);
  board.settle();
  return board;
}

Board::Ended ended(AttemptOutcome outcome, bool new_checkpoint = false, bool free = false) {
  return {.outcome = outcome, .new_checkpoint = new_checkpoint, .free = free};
}

BoardTrial trial(const std::string& id, std::vector<std::string> needs = {},
                 double expected_s = 0) {
  return {.id = id, .needs = std::move(needs), .retry = {}, .expected_s = expected_s};
}

TEST(Board, StartsInPlanOrderWhereNoDurationIsKnown) {
  Board board = board_of({trial("b"), trial("a"), trial("c")});
  EXPECT_EQ(board.next(), "b");
  board.start("b");
  EXPECT_EQ(board.next(), "a");
}

TEST(Board, StartsTheLongestExpectedFirst) {
  Board board = board_of({trial("short", {}, 1), trial("unknown"), trial("long", {}, 9)});
  EXPECT_EQ(board.next(), "long");
  board.start("long");
  EXPECT_EQ(board.next(), "short");
}

TEST(Board, AChildWaitsForAllItsNeeds) {
  Board board = board_of({trial("a"), trial("b"), trial("child", {"a", "b"})});
  EXPECT_EQ(board.state("child"), State::waiting);
  board.start("a");
  board.start("b");
  board.end("a", ended(AttemptOutcome::done));
  EXPECT_EQ(board.state("child"), State::waiting);
  board.end("b", ended(AttemptOutcome::done));
  EXPECT_EQ(board.next(), "child");
}

TEST(Board, ANeedDoneInAnEarlierRunIsDone) {
  Board board;
  board.add(trial("a"), State::done);
  board.add(trial("child", {"a", "elsewhere"}), State::waiting);
  board.settle();
  EXPECT_EQ(board.next(), "child");
}

TEST(Board, AFailedNeedBlocksAllThatFollows) {
  Board board = board_of({trial("a"), trial("b", {"a"}), trial("c", {"b"})});
  board.start("a");
  EXPECT_EQ(board.end("a", ended(AttemptOutcome::failed)), State::failed);
  EXPECT_THAT(board.in(State::blocked), ElementsAre("b", "c"));
  EXPECT_TRUE(board.finished());
}

TEST(Board, RetryFreesWhatWasBlocked) {
  Board board;
  board.add(trial("a"), State::failed);
  board.add(trial("b", {"a"}), State::blocked);
  board.add(trial("c", {"b"}), State::blocked);
  board.settle();
  EXPECT_TRUE(board.finished());
  board.retry("a");
  EXPECT_EQ(board.next(), "a");
  EXPECT_THAT(board.in(State::waiting), ElementsAre("b", "c"));
}

TEST(Board, AChildStaysBlockedWhileAnotherNeedIsLost) {
  Board board;
  board.add(trial("a"), State::failed);
  board.add(trial("b"), State::diverged);
  board.add(trial("child", {"a", "b"}), State::blocked);
  board.settle();
  board.retry("a");
  EXPECT_EQ(board.state("child"), State::blocked);
  board.retry("b");
  EXPECT_EQ(board.state("child"), State::waiting);
}

TEST(Board, KilledAttemptsAreChargedOnlyWithoutANewCheckpoint) {
  BoardTrial stubborn = trial("a");
  stubborn.retry = {{"killed", 2}};
  Board board = board_of({stubborn});
  for (const bool checkpoint : {false, false, true, false, false}) {
    board.start("a");
    EXPECT_EQ(board.end("a", ended(AttemptOutcome::killed, checkpoint)), State::ready);
  }
  board.start("a");
  EXPECT_EQ(board.end("a", ended(AttemptOutcome::killed)), State::failed);
}

TEST(Board, ANewCheckpointClearsNoTimeouts) {
  BoardTrial slow = trial("a");
  slow.retry = {{"timeout", 2}};
  Board board = board_of({slow});
  for (int attempt = 0; attempt < 2; ++attempt) {
    board.start("a");
    EXPECT_EQ(board.end("a", ended(AttemptOutcome::timeout, true)), State::ready);
  }
  EXPECT_EQ(board.charged("a", AttemptOutcome::timeout), 2);
  board.start("a");
  EXPECT_EQ(board.end("a", ended(AttemptOutcome::timeout, true)), State::failed);
}

TEST(Board, ANewCheckpointOfAFreeAttemptClearsWhatWasCharged) {
  Board board = board_of({trial("a")});
  board.start("a");
  board.end("a", ended(AttemptOutcome::oom));
  board.start("a");
  board.end("a", ended(AttemptOutcome::interrupted, true, true));
  EXPECT_EQ(board.charged("a", AttemptOutcome::oom), 0);
}

TEST(Board, FreeAttemptsAreNeverCharged) {
  Board board = board_of({trial("a")});
  for (int attempt = 0; attempt < 100; ++attempt) {
    board.start("a");
    EXPECT_EQ(board.end("a", ended(AttemptOutcome::lost, false, true)), State::ready);
  }
}

TEST(Board, ACandidateOfASelectMayDiverge) {
  BoardTrial select = trial("select", {"a", "b"});
  select.may_diverge = {"a", "b"};
  Board board = board_of({trial("a"), trial("b"), select, trial("child", {"a"})});
  board.start("a");
  board.start("b");
  board.end("a", ended(AttemptOutcome::diverged));
  EXPECT_EQ(board.state("child"), State::blocked);
  EXPECT_EQ(board.state("select"), State::waiting);
  board.end("b", ended(AttemptOutcome::done));
  EXPECT_EQ(board.next(), "select");
}

TEST(Board, ATimeoutIsFinalEvenWithANewCheckpoint) {
  Board board = board_of({trial("a")});
  board.start("a");
  EXPECT_EQ(board.end("a", ended(AttemptOutcome::timeout, true)), State::failed);
}

TEST(Board, DefaultsAreThoseOfTheSweepLanguage) {
  EXPECT_EQ(retries_allowed({}, AttemptOutcome::killed), 10);
  EXPECT_EQ(retries_allowed({}, AttemptOutcome::lost), 10);
  EXPECT_EQ(retries_allowed({}, AttemptOutcome::oom), 1);
  EXPECT_EQ(retries_allowed({}, AttemptOutcome::failed), 0);
  EXPECT_EQ(retries_allowed({}, AttemptOutcome::timeout), 0);
  EXPECT_EQ(retries_allowed({{"failed", 3}}, AttemptOutcome::failed), 3);
}

TEST(Board, AChargeOfAnEarlierRunCounts) {
  Board board = board_of({trial("a")});
  Charges before;
  before.take(AttemptOutcome::oom, false, true);
  board.charge("a", before);
  board.start("a");
  EXPECT_EQ(board.end("a", ended(AttemptOutcome::oom)), State::failed);
}

TEST(Board, DrainingStartsNothing) {
  Board board = board_of({trial("a")});
  board.drain();
  EXPECT_EQ(board.next(), std::nullopt);
  EXPECT_TRUE(board.finished());
}

TEST(Board, ACancelledTrialEndsWhenItsAttemptDoes) {
  Board board = board_of({trial("a"), trial("b", {"a"})});
  board.start("a");
  board.cancel("a");
  EXPECT_EQ(board.state("a"), State::running);
  EXPECT_EQ(board.end("a", ended(AttemptOutcome::interrupted)), State::cancelled);
  EXPECT_EQ(board.state("b"), State::blocked);
}

TEST(Board, ACancelledTrialThatWasDoneFirstIsDone) {
  Board board = board_of({trial("a")});
  board.start("a");
  board.cancel("a");
  EXPECT_EQ(board.end("a", ended(AttemptOutcome::done)), State::done);
}

TEST(Board, TellsWhoseStateChangedOnce) {
  Board board = board_of({trial("a"), trial("b", {"a"})});
  EXPECT_THAT(board.take_changed(), ElementsAre("a"));
  board.start("a");
  board.end("a", ended(AttemptOutcome::done));
  EXPECT_THAT(board.take_changed(), ElementsAre("a", "b"));
  EXPECT_THAT(board.take_changed(), ElementsAre());
}

TEST(Board, UnknownStatesAreNamed) {
  EXPECT_THAT([] { state_named("runing"); },
              testing::ThrowsMessage<ConfigError>(
                  HasSubstr("unknown state 'runing'; did you mean 'running'?")));
}

}  // namespace
}  // namespace rethink
