#include "experiments/run/pilots/pilot_ledger.h"

#include <gtest/gtest.h>

#include <atomic>
#include <barrier>
#include <chrono>
#include <thread>
#include <vector>

#include "core/files/lock.h"
#include "core/json.h"
#include "core/store_files/attempt_end.h"
#include "core/store_files/lease.h"
#include "core/store_files/stored_json.h"
#include "experiments/attempt/trial_files.h"
#include "results/folders/pilot_sets.h"
#include "results/folders/stored_trial.h"
#include "tests/support/temp_folder.h"

namespace rethink {
namespace {

const std::string kTrial = "0123456789abcdef0123";
using Kind = TrialLook::Kind;

class PilotLedgerTest : public testing::Test {
 protected:
  PilotLedgerTest() {
    std::filesystem::create_directories(folder_.path());
    write_text(store_ / "uuid", "u");
  }

  void claimed_by(ProcessIdentity worker, const std::string& job, int restart = 0) {
    ASSERT_TRUE(claim_attempt(folder_.attempt(1),
                              {.job = job, .restart = restart, .node = "n", .worker = worker}));
  }
  Kind look() { return ledger_.look(kTrial).kind; }

  TempFolder place_;
  const std::filesystem::path store_ = place_ / "store";
  const TrialFolder folder_{store_, kTrial};
  const ProcessIdentity elsewhere_{.pid = 1, .boot_id = "another machine", .start_time = 2};
  bool has_ended_ = false;
  double now_s_ = 0;
  PilotLedger ledger_{store_,
                      "7",
                      0,
                      store_ / "changes",
                      [this](const Lease&) { return has_ended_; },
                      [this] { return now_s_; }};
};

TEST_F(PilotLedgerTest, OfTwoWorkersOneClaimsAnAttempt) {
  claimed_by(elsewhere_, "8");
  EXPECT_FALSE(
      claim_attempt(folder_.attempt(1), {.job = "7", .node = "m", .worker = this_process()}));
  const std::optional<Lease> lease = read_lease(folder_.attempt(1));
  ASSERT_TRUE(lease);
  EXPECT_EQ(lease->job, "8");
  EXPECT_EQ(lease->worker.boot_id, "another machine");
  // The worker that could not claim the attempt left no files.
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_.path()),
                          std::filesystem::directory_iterator()),
            1);
}

/// A worker that removes another worker's claim lets both have the attempt, or makes one of them fail.
TEST_F(PilotLedgerTest, OfManyWorkersAtOnceOneClaimsAnAttempt) {
  constexpr int kWorkers = 4, kAttempts = 100;
  for (int attempt = 1; attempt <= kAttempts; ++attempt) {
    std::atomic<int> claims = 0;
    {
      std::barrier start(kWorkers);
      std::vector<std::jthread> workers;
      for (int worker = 0; worker < kWorkers; ++worker) {
        workers.emplace_back([&] {
          start.arrive_and_wait();
          claims += claim_attempt(folder_.attempt(attempt),
                                  {.job = "7", .node = "n", .worker = this_process()});
        });
      }
    }
    ASSERT_EQ(claims, 1) << "attempt " << attempt;
    ASSERT_TRUE(read_lease(folder_.attempt(attempt)));
  }
}

TEST_F(PilotLedgerTest, RemovesClaimsOfKilledWorkers) {
  const std::filesystem::path killed = folder_.path() / (std::string(kClaimPrefix) + "killed");
  const std::filesystem::path living = folder_.path() / (std::string(kClaimPrefix) + "living");
  std::filesystem::create_directory(killed);
  std::filesystem::create_directory(living);
  std::filesystem::last_write_time(
      killed, std::filesystem::file_time_type::clock::now() - std::chrono::minutes(11));
  claimed_by(elsewhere_, "8");
  EXPECT_FALSE(std::filesystem::exists(killed));
  EXPECT_TRUE(std::filesystem::exists(living));
  remove_claims(folder_.path());
  EXPECT_FALSE(std::filesystem::exists(living));
}

TEST_F(PilotLedgerTest, TakesTrialsThatNobodyRuns) {
  EXPECT_EQ(look(), Kind::mine);
  EXPECT_EQ(ledger_.claim(kTrial)->attempt, 1);
  EXPECT_EQ(ledger_.claim(kTrial)->job, "7");
}

TEST_F(PilotLedgerTest, TakesTrialsWithARecordedEnd) {
  claimed_by(elsewhere_, "8");
  write_attempt_end(folder_.attempt(1), {.outcome = AttemptOutcome::failed, .charged = true});
  const TrialLook found = ledger_.look(kTrial);
  EXPECT_EQ(found.kind, Kind::mine);
  EXPECT_EQ(found.charged.of(AttemptOutcome::failed), 1);
  EXPECT_EQ(ledger_.claim(kTrial)->attempt, 2);
}

TEST_F(PilotLedgerTest, SaysWhereTheLastCheckpointWasMade) {
  const auto end_attempt = [&](int64_t attempt, const std::string& node, bool new_checkpoint) {
    ASSERT_TRUE(
        claim_attempt(folder_.attempt(attempt), {.job = "8", .node = node, .worker = elsewhere_}));
    write_attempt_end(folder_.attempt(attempt), {.outcome = AttemptOutcome::interrupted,
                                                 .seconds = 10.0 * static_cast<double>(attempt),
                                                 .new_checkpoint = new_checkpoint});
  };
  EXPECT_EQ(ledger_.begun_on(kTrial), "");
  end_attempt(1, "n1", false);
  EXPECT_EQ(ledger_.look(kTrial).begun_on, "");
  EXPECT_EQ(ledger_.look(kTrial).fruitless_s, 10);
  end_attempt(2, "n2", true);
  EXPECT_EQ(ledger_.look(kTrial).begun_on, "n2");
  EXPECT_EQ(ledger_.look(kTrial).fruitless_s, 0);
  end_attempt(3, "n3", false);
  EXPECT_EQ(ledger_.look(kTrial).begun_on, "n2");
  EXPECT_EQ(ledger_.look(kTrial).fruitless_s, 30);
}

TEST_F(PilotLedgerTest, OnThisMachineTheLockDecides) {
  claimed_by(this_process(), "8");
  EXPECT_EQ(look(), Kind::left_behind);
  const auto lock = FolderLock::try_take(folder_.path());
  ASSERT_TRUE(lock);
  has_ended_ = true;
  now_s_ = 1000;
  EXPECT_EQ(look(), Kind::elsewhere);
}

TEST_F(PilotLedgerTest, ElsewhereTheQueueAndSilenceDecideTogether) {
  claimed_by(elsewhere_, "8");
  write_text(folder_.events(1), "a");
  EXPECT_EQ(look(), Kind::elsewhere);
  now_s_ = 1000;  // silent, but the queue says that the job runs
  EXPECT_EQ(look(), Kind::elsewhere);
  has_ended_ = true;
  EXPECT_EQ(look(), Kind::left_behind);
  write_text(folder_.events(1),
             "ab");  // a new event, although the queue says that the job has ended
  EXPECT_EQ(look(), Kind::elsewhere);
  now_s_ += 119;
  EXPECT_EQ(look(), Kind::elsewhere);
  now_s_ += 2;
  EXPECT_EQ(look(), Kind::left_behind);
}

TEST_F(PilotLedgerTest, AWorkerElsewhereMayBeDeadOnceItsJobHasEnded) {
  EXPECT_FALSE(ledger_.may_be_dead(kTrial));
  claimed_by(elsewhere_, "8");
  EXPECT_FALSE(ledger_.may_be_dead(kTrial));
  has_ended_ = true;
  EXPECT_TRUE(ledger_.may_be_dead(kTrial));
}

TEST_F(PilotLedgerTest, AnAttemptWithoutALeaseIsDeadAfterTwoMinutes) {
  std::filesystem::create_directory(folder_.attempt(1));
  EXPECT_EQ(look(), Kind::elsewhere);
  now_s_ = 119;
  EXPECT_EQ(look(), Kind::elsewhere);
  now_s_ = 121;
  EXPECT_EQ(look(), Kind::left_behind);
}

TEST_F(PilotLedgerTest, KnowsWhatEnded) {
  write_trial_state(folder_.path(), TrialState::failed, "no");
  const TrialLook found = ledger_.look(kTrial);
  EXPECT_EQ(found.kind, Kind::ended);
  EXPECT_EQ(found.state, TrialState::failed);
}

TEST_F(PilotLedgerTest, ListsOnlyItsOwnTrialsAsChanged) {
  ledger_.record(kTrial, TrialState::running, "");  // another pilot runs the trial
  EXPECT_FALSE(std::filesystem::exists(store_ / "changes"));
  ledger_.claim(kTrial);
  ledger_.record(kTrial, TrialState::running, "");
  EXPECT_EQ(read_text(store_ / "changes"), kTrial + "\n");
}

TEST_F(PilotLedgerTest, DoesNotEndAnAttemptThatAnotherPilotClaimed) {
  ledger_.claim(kTrial);
  claimed_by(elsewhere_, "8");
  Ending ending;
  ending.status_known = true;
  ending.status = 9;
  const EndedAttempt left = ledger_.close(kTrial, ending);
  EXPECT_EQ(left.outcome, AttemptOutcome::killed);
  ledger_.seal(kTrial, left, ending, TrialState::ready);
  EXPECT_FALSE(std::filesystem::exists(folder_.end(1)));
}

TEST_F(PilotLedgerTest, DoesNotJudgeTheResultOfAnotherPilot) {
  ledger_.claim(kTrial);
  claimed_by(elsewhere_, "8");
  write_text(folder_.result(), stored_text({{"trial", kTrial},
                                            {"seed", nullptr},
                                            {"outcome", "done"},
                                            {"attempt", 1},
                                            {"events", 100},  // not seen here yet
                                            {"metrics", Json::object()},
                                            {"artifacts", Json::array()}}));
  Ending ending;
  ending.status_known = true;
  const EndedAttempt left = ledger_.close(kTrial, ending);
  EXPECT_EQ(left.outcome, AttemptOutcome::fenced);
  EXPECT_TRUE(left.free);
  EXPECT_TRUE(std::filesystem::exists(folder_.result()));
}

TEST_F(PilotLedgerTest, AnAttemptThatIsNotTheNewestIsFenced) {
  claimed_by(this_process(), "7");
  EXPECT_NO_THROW(require_newest_attempt(folder_, 1));
  std::filesystem::create_directory(folder_.attempt(2));
  EXPECT_THROW(require_newest_attempt(folder_, 1), FencedError);
}

TEST(PilotSets, AreReadFromWhereTheIndexIs) {
  const TempFolder store;
  PilotSet set = PilotSet::make(store.path());
  write_text(set.changes("1"), kTrial + "\n" + kTrial + "\nhalf");
  EXPECT_EQ(set.new_changes(), std::vector<std::string>{kTrial});
  set.changes_are_taken();
  ASSERT_EQ(PilotSet::all(store.path()).size(), 1u);
  PilotSet again = PilotSet::all(store.path()).front();
  EXPECT_TRUE(again.new_changes().empty());
  write_text(set.changes("2"), "no id\n" + kTrial + "\n");
  EXPECT_EQ(again.new_changes(), std::vector<std::string>{kTrial});
}

TEST(PilotSets, SayWhichStartsOfAJobHaveEnded) {
  const TempFolder store;
  const PilotSet set = PilotSet::make(store.path());
  EXPECT_FALSE(set.is_end_recorded("2", 0));
  set.announce({.job = "2", .restart = 1, .node = "n", .process = this_process(), .since = "now"});
  set.record_end("2");
  EXPECT_TRUE(set.is_end_recorded("2", 0));
  EXPECT_TRUE(set.is_end_recorded("2", 1));
  EXPECT_FALSE(set.is_end_recorded("2", 2));  // somebody put the job back into the queue
  EXPECT_FALSE(set.is_end_recorded("3", 0));
}

TEST(PilotSets, CountRecordedAndStartedJobs) {
  const TempFolder store;
  const PilotSet set = PilotSet::make(store.path());
  EXPECT_FALSE(set.recorded_jobs());
  set.announce({.job = "2", .restart = 1, .node = "n", .process = this_process(), .since = "now"});
  EXPECT_EQ(set.jobs(), std::vector<std::string>{"2"});
  set.record_jobs({"1", "2"}, Json::object());
  EXPECT_EQ(set.jobs(), (std::vector<std::string>{"1", "2"}));
  EXPECT_EQ(set.started().front().restart, 1);
  EXPECT_FALSE(set.is_closed());
  set.close();
  EXPECT_TRUE(set.is_closed());
  set.remove();
  EXPECT_TRUE(PilotSet::all(store.path()).empty());
}

}  // namespace
}  // namespace rethink
