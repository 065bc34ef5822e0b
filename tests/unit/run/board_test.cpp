#include "experiments/run/board.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "core/error.h"

namespace rethink {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// A board whose trials have their ids as names.
struct NamedBoard : Board {
  std::optional<std::string> next() const {
    const std::optional<size_t> index = Board::next();
    return index ? std::optional(trial(*index).trial.id) : std::nullopt;
  }
  void mark_running(const std::string& id) { Board::mark_running(index_of(id)); }
  TrialState end(const std::string& id, const Ended& ended) {
    return Board::end(index_of(id), ended);
  }
  void charge(const std::string& id, const Charges& before) { Board::charge(index_of(id), before); }
  int charged(const std::string& id, AttemptOutcome outcome) const {
    return Board::charged(index_of(id), outcome);
  }
  void cancel(const std::string& id) { Board::cancel(index_of(id)); }
  void retry(const std::string& id) { Board::retry(index_of(id)); }
  void repeat(const std::string& id) { Board::repeat(index_of(id)); }
  void prefer(const std::string& id, int rank) { Board::prefer(index_of(id), rank); }
  void replace_plan(const std::string& id, const PlannedTrial& trial, bool at_stop) {
    Board::replace_plan(index_of(id), trial, at_stop);
  }
  const StageResources& resources(const std::string& id) const {
    return Board::resources(index_of(id));
  }
  std::vector<std::string> take_changed() {
    std::vector<std::string> ids;
    for (const size_t index : Board::take_changed()) ids.push_back(trial(index).trial.id);
    return ids;
  }
};

/// A trial and how long it is expected to take.
struct Given {
  PlannedTrial* trial;
  double expected_s = 0;
};

Given trial(const std::string& id, std::vector<std::string> needs = {}, double expected_s = 0) {
  static std::deque<PlannedTrial> all;  // boards point at them
  PlannedTrial& made = all.emplace_back();
  made.trial.id = id;
  if (!needs.empty()) made.trial.needs["needs"] = std::move(needs);
  return {&made, expected_s};
}

Given with_retry(const Given& given, const std::map<AttemptOutcome, int>& retry) {
  StageResources resources;
  resources.retry = retry;
  given.trial->resources = resources;
  return given;
}

void add(Board& board, const Given& given, TrialState before) {
  board.add(*given.trial, before, {.expected_s = given.expected_s});
}

NamedBoard board_of(const std::vector<Given>& trials) {
  NamedBoard board;
  for (const Given& given : trials) add(board, given, TrialState::waiting);
  board.connect();
  return board;
}

std::vector<std::string> ids_in(const Board& board, TrialState state) {
  std::vector<std::string> ids;
  for (const size_t index : board.in(state)) ids.push_back(board.trial(index).trial.id);
  return ids;
}

Board::Ended ended(AttemptOutcome outcome, bool new_checkpoint = false, bool free = false) {
  return {.outcome = outcome, .new_checkpoint = new_checkpoint, .free = free};
}

TEST(Board, KeepsTheResourcesWithWhichATrialRuns) {
  StageResources here;
  here.threads = 3;
  const PlannedTrial& planned = *trial("a").trial;
  NamedBoard board;
  board.add(planned, TrialState::waiting, {.resources = here});
  board.add(*trial("b").trial, TrialState::waiting);
  board.connect();
  EXPECT_EQ(board.resources("a").threads, 3);
  EXPECT_EQ(board.resources("b").threads, 1) << "as planned";
  board.replace_plan("a", *trial("a").trial, false);
  EXPECT_EQ(board.resources("a").threads, 3);
  EXPECT_EQ(planned.resources->threads, 1);
}

TEST(Board, StartsInPlanOrderWhereNoDurationIsKnown) {
  NamedBoard board = board_of({trial("b"), trial("a"), trial("c")});
  EXPECT_EQ(board.next(), "b");
  board.mark_running("b");
  EXPECT_EQ(board.next(), "a");
}

TEST(Board, StartsTheLongestExpectedFirst) {
  NamedBoard board = board_of({trial("short", {}, 1), trial("unknown"), trial("long", {}, 9)});
  EXPECT_EQ(board.next(), "long");
  board.mark_running("long");
  EXPECT_EQ(board.next(), "short");
}

TEST(Board, StartsNeitherAHeldTrialNorTrialsThatNeedIt) {
  NamedBoard board = board_of({trial("a"), trial("b", {"a"}), trial("c", {"b"}), trial("d")});
  board.mark_running("a");
  EXPECT_EQ(board.end("a", {.outcome = AttemptOutcome::interrupted, .held = true}),
            TrialState::ready);
  EXPECT_EQ(board.next(), "d");
  board.prefer("a", -1);
  EXPECT_EQ(board.next(), "d");
  board.mark_running("d");
  board.end("d", ended(AttemptOutcome::done));
  EXPECT_TRUE(board.finished());
  EXPECT_EQ(board.num_held(), 1u);
  EXPECT_TRUE(board.is_held("c"));
  EXPECT_THAT(ids_in(board, TrialState::waiting), ElementsAre("b", "c"));
}

TEST(Board, AcceptsATrialThatIsHeldFromTheBeginning) {
  NamedBoard board;
  board.add(*trial("a").trial, TrialState::waiting, {.held = true});
  add(board, trial("b", {"a"}), TrialState::waiting);
  board.connect();
  EXPECT_TRUE(board.finished());
  EXPECT_TRUE(board.is_held("b"));
}

TEST(Board, ReleasesAHeldTrialWhenANewPlanRaisesItsStop) {
  NamedBoard board = board_of({trial("a"), trial("b", {"a"}), trial("c", {"b", "d"}), trial("d")});
  for (const char* id : {"a", "d"}) {
    board.mark_running(id);
    board.end(id, {.outcome = AttemptOutcome::interrupted, .held = true});
  }
  const Given newer = trial("a");
  board.replace_plan("a", *newer.trial, false);
  EXPECT_EQ(&board.trial("a"), newer.trial);
  EXPECT_EQ(board.num_held(), 1u);
  EXPECT_FALSE(board.is_held("b"));
  EXPECT_TRUE(board.is_held("c")) << "it still waits for d";
  EXPECT_EQ(board.next(), "a");
  board.replace_plan("a", *newer.trial, true);
  EXPECT_TRUE(board.finished());
  EXPECT_TRUE(board.is_held("b"));
}

TEST(Board, StartsASmallerRankFirst) {
  NamedBoard board = board_of({trial("a"), trial("b", {}, 100)});
  board.add(*trial("c").trial, TrialState::waiting, {.rank = -1});
  board.connect();
  EXPECT_EQ(board.next(), "c");
  board.prefer("a", -2);  // a ready trial may get a smaller rank
  EXPECT_EQ(board.next(), "a");
  board.prefer("a", 3);  // a larger rank of another sweep changes nothing
  EXPECT_EQ(board.next(), "a");
  board.mark_running("a");
  board.mark_running("c");
  EXPECT_EQ(board.next(), "b");
}

TEST(Board, LetsSweepsOfOneRankTakeTurns) {
  NamedBoard board = board_of({trial("a1", {}, 9), trial("a2", {}, 9), trial("a3", {}, 9)});
  board.mark_running("a1");
  for (const char* id : {"b1", "b2"})
    board.add(*trial(id).trial, TrialState::waiting, {.expected_s = 1, .turn = 1});
  board.add(*trial("c1").trial, TrialState::waiting, {.expected_s = 99, .rank = 1, .turn = 2});
  board.connect();
  std::vector<std::string> order;
  while (const std::optional<std::string> next = board.next()) {
    order.push_back(*next);
    board.mark_running(*next);
  }
  EXPECT_THAT(order, ElementsAre("b1", "a2", "b2", "a3", "c1"));
}

TEST(Board, AddsTrialsThatNeedTrialsAlreadyOnTheBoard) {
  NamedBoard board = board_of({trial("a"), trial("b")});
  board.mark_running("a");
  board.end("a", ended(AttemptOutcome::done));
  board.mark_running("b");
  add(board, trial("of a", {"a"}), TrialState::waiting);
  add(board, trial("of b", {"b"}), TrialState::waiting);
  add(board, trial("b"), TrialState::waiting);  // the board already has this trial
  board.connect();
  EXPECT_THAT(ids_in(board, TrialState::ready), ElementsAre("of a"));
  EXPECT_EQ(board.state("b"), TrialState::running);
  board.end("b", ended(AttemptOutcome::done));
  EXPECT_THAT(ids_in(board, TrialState::ready), ElementsAre("of a", "of b"));
  EXPECT_EQ(board.size(), 4u);
}

TEST(Board, RepeatsADoneTrialBeforeWhatNeedsItsFiles) {
  NamedBoard board = board_of({trial("a")});
  board.mark_running("a");
  board.end("a", ended(AttemptOutcome::done));
  board.repeat("a");
  add(board, trial("child", {"a"}), TrialState::waiting);
  board.connect();
  EXPECT_THAT(ids_in(board, TrialState::ready), ElementsAre("a"));
  board.mark_running("a");
  board.end("a", ended(AttemptOutcome::done));
  EXPECT_THAT(ids_in(board, TrialState::ready), ElementsAre("child"));
}

TEST(Board, AChildWaitsForAllItsNeeds) {
  NamedBoard board = board_of({trial("a"), trial("b"), trial("child", {"a", "b"})});
  EXPECT_EQ(board.state("child"), TrialState::waiting);
  board.mark_running("a");
  board.mark_running("b");
  board.end("a", ended(AttemptOutcome::done));
  EXPECT_EQ(board.state("child"), TrialState::waiting);
  board.end("b", ended(AttemptOutcome::done));
  EXPECT_EQ(board.next(), "child");
}

TEST(Board, ANeedDoneInAnEarlierRunIsDone) {
  NamedBoard board;
  add(board, trial("a"), TrialState::done);
  add(board, trial("child", {"a", "elsewhere"}), TrialState::waiting);
  board.connect();
  EXPECT_EQ(board.next(), "child");
}

TEST(Board, AFailedNeedBlocksAllThatFollows) {
  NamedBoard board = board_of({trial("a"), trial("b", {"a"}), trial("c", {"b"})});
  board.mark_running("a");
  EXPECT_EQ(board.end("a", ended(AttemptOutcome::failed)), TrialState::failed);
  EXPECT_THAT(ids_in(board, TrialState::blocked), ElementsAre("b", "c"));
  EXPECT_TRUE(board.finished());
}

TEST(Board, RetryFreesWhatWasBlocked) {
  NamedBoard board;
  add(board, trial("a"), TrialState::failed);
  add(board, trial("b", {"a"}), TrialState::blocked);
  add(board, trial("c", {"b"}), TrialState::blocked);
  board.connect();
  EXPECT_TRUE(board.finished());
  board.retry("a");
  EXPECT_EQ(board.next(), "a");
  EXPECT_THAT(ids_in(board, TrialState::waiting), ElementsAre("b", "c"));
}

TEST(Board, AChildStaysBlockedWhileAnotherNeedIsLost) {
  NamedBoard board;
  add(board, trial("a"), TrialState::failed);
  add(board, trial("b"), TrialState::diverged);
  add(board, trial("child", {"a", "b"}), TrialState::blocked);
  board.connect();
  board.retry("a");
  EXPECT_EQ(board.state("child"), TrialState::blocked);
  board.retry("b");
  EXPECT_EQ(board.state("child"), TrialState::waiting);
}

TEST(Board, KilledAttemptsAreChargedOnlyWithoutANewCheckpoint) {
  NamedBoard board = board_of({with_retry(trial("a"), {{AttemptOutcome::killed, 2}})});
  for (const bool checkpoint : {false, false, true, false, false}) {
    board.mark_running("a");
    EXPECT_EQ(board.end("a", ended(AttemptOutcome::killed, checkpoint)), TrialState::ready);
  }
  board.mark_running("a");
  EXPECT_EQ(board.end("a", ended(AttemptOutcome::killed)), TrialState::failed);
}

TEST(Board, ANewCheckpointClearsNoTimeouts) {
  NamedBoard board = board_of({with_retry(trial("a"), {{AttemptOutcome::timeout, 2}})});
  for (int attempt = 0; attempt < 2; ++attempt) {
    board.mark_running("a");
    EXPECT_EQ(board.end("a", ended(AttemptOutcome::timeout, true)), TrialState::ready);
  }
  EXPECT_EQ(board.charged("a", AttemptOutcome::timeout), 2);
  board.mark_running("a");
  EXPECT_EQ(board.end("a", ended(AttemptOutcome::timeout, true)), TrialState::failed);
}

TEST(Board, ANewCheckpointOfAFreeAttemptClearsWhatWasCharged) {
  NamedBoard board = board_of({trial("a")});
  board.mark_running("a");
  board.end("a", ended(AttemptOutcome::oom));
  board.mark_running("a");
  board.end("a", ended(AttemptOutcome::interrupted, true, true));
  EXPECT_EQ(board.charged("a", AttemptOutcome::oom), 0);
}

TEST(Board, FreeAttemptsAreNeverCharged) {
  NamedBoard board = board_of({trial("a")});
  for (int attempt = 0; attempt < 100; ++attempt) {
    board.mark_running("a");
    EXPECT_EQ(board.end("a", ended(AttemptOutcome::lost, false, true)), TrialState::ready);
  }
}

TEST(Board, ACandidateOfASelectMayDiverge) {
  const Given select = trial("select", {"a", "b"});
  select.trial->trial.may_diverge = {"needs"};
  NamedBoard board = board_of({trial("a"), trial("b"), select, trial("child", {"a"})});
  board.mark_running("a");
  board.mark_running("b");
  board.end("a", ended(AttemptOutcome::diverged));
  EXPECT_EQ(board.state("child"), TrialState::blocked);
  EXPECT_EQ(board.state("select"), TrialState::waiting);
  board.end("b", ended(AttemptOutcome::done));
  EXPECT_EQ(board.next(), "select");
}

TEST(Board, ATrialWaitsForTheWinnerOfASelectThatIsDone) {
  NamedBoard board;
  add(board, trial("candidate"), TrialState::waiting);
  add(board, trial("select", {"candidate"}), TrialState::done);
  const Given child = trial("child", {"select"});
  board.add(*child.trial, TrialState::waiting, {.winners = {"candidate"}});
  board.connect();
  EXPECT_EQ(board.state("child"), TrialState::waiting);
  board.mark_running("candidate");
  board.end("candidate", ended(AttemptOutcome::done));
  EXPECT_EQ(board.next(), "child");
}

TEST(Board, ATimeoutIsFinalEvenWithANewCheckpoint) {
  NamedBoard board = board_of({trial("a")});
  board.mark_running("a");
  EXPECT_EQ(board.end("a", ended(AttemptOutcome::timeout, true)), TrialState::failed);
}

TEST(Board, DefaultsAreThoseOfTheSweepLanguage) {
  EXPECT_EQ(retries_allowed({}, AttemptOutcome::killed), 10);
  EXPECT_EQ(retries_allowed({}, AttemptOutcome::lost), 10);
  EXPECT_EQ(retries_allowed({}, AttemptOutcome::oom), 1);
  EXPECT_EQ(retries_allowed({}, AttemptOutcome::failed), 0);
  EXPECT_EQ(retries_allowed({}, AttemptOutcome::timeout), 0);
  EXPECT_EQ(retries_allowed({{AttemptOutcome::failed, 3}}, AttemptOutcome::failed), 3);
}

TEST(Board, AChargeOfAnEarlierRunCounts) {
  NamedBoard board = board_of({trial("a")});
  Charges before;
  before.take(AttemptOutcome::oom, false, true);
  board.charge("a", before);
  board.mark_running("a");
  EXPECT_EQ(board.end("a", ended(AttemptOutcome::oom)), TrialState::failed);
}

TEST(Board, DrainingStartsNothing) {
  NamedBoard board = board_of({trial("a")});
  board.drain();
  EXPECT_EQ(board.next(), std::nullopt);
  EXPECT_TRUE(board.finished());
}

TEST(Board, ACancelledTrialEndsWhenItsAttemptDoes) {
  NamedBoard board = board_of({trial("a"), trial("b", {"a"})});
  board.mark_running("a");
  board.cancel("a");
  EXPECT_EQ(board.state("a"), TrialState::running);
  EXPECT_EQ(board.end("a", ended(AttemptOutcome::interrupted)), TrialState::cancelled);
  EXPECT_EQ(board.state("b"), TrialState::blocked);
}

TEST(Board, ACancelledTrialThatWasDoneFirstIsDone) {
  NamedBoard board = board_of({trial("a")});
  board.mark_running("a");
  board.cancel("a");
  EXPECT_EQ(board.end("a", ended(AttemptOutcome::done)), TrialState::done);
}

TEST(Board, TellsOnceWhatAnIndexCannotWorkOut) {
  NamedBoard board = board_of({trial("a"), trial("b", {"a"})});
  EXPECT_THAT(board.take_changed(), ElementsAre());
  board.mark_running("a");
  EXPECT_THAT(board.take_changed(), ElementsAre("a"));
  board.end("a", ended(AttemptOutcome::done));
  EXPECT_EQ(board.state("b"), TrialState::ready);
  board.cancel("b");
  EXPECT_THAT(board.take_changed(), ElementsAre("a"));
  EXPECT_THAT(board.take_changed(), ElementsAre());
}

}  // namespace
}  // namespace rethink
