// Requests that a driver answers between two polls of its workers.
#include "experiments/run/requests.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>

#include "core/files/owner.h"
#include "experiments/run/attempts/orphans.h"
#include "experiments/run/folder_ledger.h"
#include "experiments/run/scheduler.h"
#include "results/store/rebuild.h"
#include "tests/unit/results/trial_maker.h"

namespace rethink {
namespace {

/// A worker that fails at the third poll.
class FailingWorker : public Runner {
 public:
  explicit FailingWorker(TrialMaker& trial) : trial_(trial) {}
  double now_s = 0;

  void start(const std::string&, const AttemptRequest&) override {}
  void adopt(const std::string&, const std::filesystem::path&) override {}
  std::string stop(const std::string&, bool) override { return ""; }
  std::vector<RunnerEvent> poll(std::chrono::milliseconds) override {
    now_s += 1;
    if (now_s != 3) return {};
    trial_.attempt(1, {start_event(1, 0), end_event("failed")});
    RunnerEvent ended;
    ended.trial = trial_.id();
    ended.status = static_cast<int>(AttemptExit::failed) << 8;
    return {ended};
  }

 private:
  TrialMaker& trial_;
};

class RequestsTest : public testing::Test {
 protected:
  RequestsTest() {
    SweepFile sweep;
    sweep.sweep = std::string("s");
    for (const TrialMaker* trial : {&first_, &second_})
      sweep.members.push_back({trial->id(), "lm", "", {}});
    write_sweep_file(folder_.path(), sweep);
    rebuild(folder_.path());
    index_.emplace(folder_.path(), Store::Access::write);
  }
  AppliedRequest cancel(const std::string& trial, Scheduler* scheduler) {
    return apply_request({Request::Kind::cancel, {trial}, {}, {}, {}}, folder_.path(), *index_,
                         scheduler);
  }
  std::set<std::string> given_up() const {
    return read_sweep_files(folder_.path()).at(0).cancelled;
  }

  const TempFolder folder_;
  TrialMaker first_{folder_.path(), "a"}, second_{folder_.path(), "b"};
  std::optional<Store> index_;
};

TEST_F(RequestsTest, AreAnsweredByTheStatesOfNow) {
  FolderLedger ledger(folder_.path(), *index_);
  FailingWorker runner(first_);
  SchedulerListener nobody;
  Slots slots(1, {0}, {});
  Scheduler scheduler(ledger, runner, slots, nobody, {.least_free_bytes = 0},
                      [&] { return runner.now_s; });
  std::vector<PlannedTrial> trials(2);
  trials[0].trial.id = first_.id();
  trials[1].trial.id = second_.id();
  for (const PlannedTrial& trial : trials) scheduler.add(trial);
  std::vector<AppliedRequest> said;
  scheduler.run([&] {
    const bool has_failed = scheduler.board().state(first_.id()) == TrialState::failed;
    // Two requests arrive at one poll, and one at the poll that sees the failure.
    if (said.empty()) {
      said.push_back(cancel(second_.id(), &scheduler));
      said.push_back(cancel(second_.id(), &scheduler));
    }
    if (has_failed && said.size() == 2) said.push_back(cancel(first_.id(), &scheduler));
  });
  ASSERT_EQ(said.size(), 3u);
  EXPECT_EQ(said[0].text, "cancelled 1 trial");
  EXPECT_EQ(said[1].text, "cancelled 0 trials: 1 is cancelled");
  EXPECT_EQ(said[2].text, "cancelled 0 trials: 1 is failed");
  EXPECT_TRUE(said[1].complete);
  EXPECT_FALSE(said[2].complete);
  EXPECT_EQ(given_up(), std::set<std::string>{second_.id()});
}

TEST_F(RequestsTest, WithoutADriverSeeWhatFinishedAfterIt) {
  first_.attempt(1, {start_event(1, 0), end_event("done")}).result(1);
  index_->begin();
  index_->set_state(first_.id(), TrialState::running);
  index_->commit();
  const AppliedRequest said = cancel(first_.id(), nullptr);
  EXPECT_EQ(said.text, "cancelled 0 trials: 1 is done");
  EXPECT_FALSE(said.complete);
  EXPECT_EQ(index_->trial(first_.id())->state, TrialState::done);
  EXPECT_TRUE(given_up().empty());
}

TEST_F(RequestsTest, WriteTheCancellationOfATrialInNoSweepIntoItsFolder) {
  const TrialMaker idle(folder_.path(), "c"), planned(folder_.path(), "d");
  const auto rebuild_index = [&] {
    index_.reset();
    rebuild(folder_.path());
    index_.emplace(folder_.path(), Store::Access::write);
  };
  rebuild_index();
  {
    FolderLedger ledger(folder_.path(), *index_);
    FailingWorker runner(first_);
    SchedulerListener nobody;
    Slots slots(1, {0}, {});
    Scheduler scheduler(ledger, runner, slots, nobody, {.least_free_bytes = 0}, [] { return 0.0; });
    PlannedTrial trial;
    trial.trial.id = planned.id();
    scheduler.add(trial);
    for (const std::string& id : {idle.id(), planned.id()})
      EXPECT_EQ(cancel(id, &scheduler).text, "cancelled 1 trial");
  }
  rebuild_index();
  for (const std::string& id : {idle.id(), planned.id()}) {
    EXPECT_EQ(index_->trial(id)->state, TrialState::cancelled);
    apply_request({Request::Kind::retry, {id}, {}, {}, {}}, folder_.path(), *index_, nullptr);
  }
  rebuild_index();
  for (const std::string& id : {idle.id(), planned.id()})
    EXPECT_EQ(index_->trial(id)->state, TrialState::ready);
}

TEST_F(RequestsTest, CancelATrialWithoutRows) {
  const TrialMaker unknown(folder_.path(), "c");
  EXPECT_EQ(cancel(unknown.id(), nullptr).text, "cancelled 1 trial");
  rebuild(folder_.path());
  EXPECT_EQ(Store(folder_.path(), Store::Access::read).trial(unknown.id())->state,
            TrialState::cancelled);
}

TEST_F(RequestsTest, DoNotCountAFinishedWorkerAsStopped) {
  first_.attempt(1, {start_event(1, 0), end_event("done")}).result(1);
  const std::vector<Orphan> orphans{{TrialFolder(first_.folder())},
                                    {TrialFolder(second_.folder())}};
  const StoppedOrphans ended = stop_orphans(orphans, *index_, false);
  EXPECT_EQ(ended.stopped, 0u);
  EXPECT_TRUE(ended.going_on.empty());
  EXPECT_EQ(ended.finished, (std::map<std::string, TrialState>{{first_.id(), TrialState::done}}));
  EXPECT_EQ(index_->trial(first_.id())->state, TrialState::done);
}

TEST(RequesterText, NamesTheUserOfTheProcess) {
  const char* const before = std::getenv("USER");
  const std::string user = before ? before : "";
  setenv("USER", "somebody else", 1);
  EXPECT_THAT(requester_text(), testing::StartsWith(user_name(geteuid()) + ", process "));
  if (before) {
    setenv("USER", user.c_str(), 1);
  } else {
    unsetenv("USER");
  }
}

}  // namespace
}  // namespace rethink
