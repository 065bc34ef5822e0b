// A worker that hangs, from the missed events to SIGKILL, with real processes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include "core/clock.h"
#include "experiments/attempt/build_id.h"
#include "experiments/attempt/trial_files.h"
#include "experiments/run/attempts/zygote_runner.h"
#include "experiments/run/folder_ledger.h"
#include "experiments/run/scheduler.h"
#include "results/folders/store_lock.h"
#include "results/query/run_query.h"
#include "tests/crash/driver.h"
#include "tests/support/attempt_store.h"

namespace rethink {
namespace {

using testing::HasSubstr;

constexpr double kStall_s = 0.5, kGrace_s = 0.5;

class Stall : public testing::Test {
 protected:
  Stall() {
    index_.begin();
    index_.put_trial(to_json(trial_), TrialState::waiting);
    index_.commit();
    StageResources resources;
    resources.device = "cpu";
    resources.stall_limit_s = kStall_s;
    resources.grace_s = kGrace_s;
    planned_.trial = trial_;
    planned_.resources = resources;
    scheduler_.add(planned_);
  }

  /// Runs the trial to its end and stops its worker by SIGSTOP as soon as it works, so that it cannot
  /// receive SIGTERM.
  void run_and_hang() {
    scheduler_.run([&] {
      if (!worker_ && std::filesystem::exists(folder_.events(1))) {
        worker_ = last_worker(folder_);
        EXPECT_TRUE(send_signal(*worker_, SIGSTOP));
      }
      was_told_ = was_told_ || (worker_ && has_sigterm_waiting(worker_->pid));
    });
  }

  std::string text_of(const std::string& sql) { return run_query(index_, sql).rows.at(0).at(0); }

  const AttemptStore store_;
  const Trial trial_ = store_.add("noop", {{"steps", 100000}, {"sleep_ms", 10}}, 0);
  const TrialFolder folder_ = store_.folder(trial_);
  const StoreLock lock_ = StoreLock::take(store_.path(), "test");
  Store index_{store_.path(), Store::Access::write};
  FolderLedger ledger_{store_.path(), index_};
  ZygoteRunner runner_{kPrograms / "rethink-worker", build_id_of(kPrograms / "rethink-worker")};
  Slots slots_{1, usable_cores(), {}};
  SchedulerListener listener_;
  PlannedTrial planned_;
  Scheduler scheduler_{ledger_,
                       runner_,
                       slots_,
                       listener_,
                       {.tick = std::chrono::milliseconds(10), .store = store_.path()},
                       monotonic_seconds};
  std::optional<ProcessIdentity> worker_;
  bool was_told_ = false;  // SIGTERM came before SIGKILL
};

TEST_F(Stall, IsEndedBySigtermThenSigkillAndCountsAsTimeout) {
  run_and_hang();
  ASSERT_TRUE(worker_);
  EXPECT_TRUE(was_told_);
  EXPECT_FALSE(process_of(worker_->pid));
  EXPECT_FALSE(has_running_worker(folder_));
  EXPECT_EQ(scheduler_.board().state(trial_.id), TrialState::failed);
  EXPECT_THAT(scheduler_.message(trial_.id), HasSubstr("limits.stall"));
  EXPECT_EQ(text_of("SELECT outcome FROM attempt"), "timeout");
  EXPECT_EQ(text_of("SELECT state FROM trial"), "failed");
  EXPECT_EQ(folder_.attempts(), (std::vector<int64_t>{1}));  // a repeated attempt would hang again
}

}  // namespace
}  // namespace rethink
