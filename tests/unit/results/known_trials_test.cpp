#include "results/records/known_trials.h"

#include <gtest/gtest.h>

#include "core/json.h"
#include "results/store/rebuild.h"
#include "tests/unit/results/trial_maker.h"

namespace rethink {
namespace {

Json seconds_event(double seconds) {
  return measurement_event("attempt_s", 3, seconds);
}
Json checkpoint_event(int64_t step, int64_t bytes) {
  return {{"event", "checkpoint"}, {"step", step}, {"bytes", bytes}};
}

TEST(AttemptedTrials, AreThoseWithAnAttemptHoweverItEnded) {
  const TempFolder folder;
  TrialMaker(folder.path(), "a").attempt(1, {start_event(1, 0), end_event("done")}).result(1);
  TrialMaker(folder.path(), "b")
      .attempt(1, {start_event(1, 0), end_event("failed")})
      .attempt(2, {start_event(2, 0)});
  const TrialMaker never(folder.path(), "c");
  rebuild(folder.path());
  Store store(folder.path(), Store::Access::read);
  ASSERT_EQ(store.states({id_of("c")}).size(), 1u);
  EXPECT_EQ(attempted_trials(store), (std::set<std::string>{id_of("a"), id_of("b")}));
}

TEST(TrialCosts, AreSumsAndTheLargestCheckpoint) {
  const TempFolder folder;
  for (const char* id : {"a", "b"}) {
    TrialMaker(folder.path(), id)
        .attempt(1, {start_event(1, 0), checkpoint_event(1, 70), checkpoint_event(2, 900),
                     checkpoint_event(3, 80), seconds_event(2.5), end_event("done")})
        .result(1);
  }
  TrialMaker(folder.path(), "c").attempt(1, {start_event(1, 0)});
  rebuild(folder.path());
  Store store(folder.path(), Store::Access::read);
  const std::vector<DoneTrial> done = done_trials(store, "noop");
  ASSERT_EQ(done.size(), 2u);
  const std::string unfinished = id_of("c");
  const TrialCosts costs = trial_costs(store, {done[0].id, done[1].id, unfinished});
  EXPECT_EQ(costs.trials, 2u);  // the third has not said how long it took
  EXPECT_EQ(costs.seconds, 5);
  EXPECT_EQ(costs.checkpoint_bytes, 900);
  EXPECT_EQ(trial_costs(store, {unfinished}).trials, 0u);
  EXPECT_EQ(trial_costs(store, {}).trials, 0u);
}

}  // namespace
}  // namespace rethink
