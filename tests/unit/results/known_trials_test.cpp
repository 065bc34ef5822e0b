#include "results/known_trials.h"

#include <gtest/gtest.h>

#include "results/rebuild.h"
#include "tests/unit/results/trial_maker.h"

namespace rethink {
namespace {

Json checkpoint_event(int64_t step, int64_t bytes) {
  return {{"event", "checkpoint"}, {"step", step}, {"bytes", bytes}};
}

TEST(KnownTrials, HaveTheSizeOfTheirLargestCheckpoint) {
  const TempFolder folder;
  TrialMaker(folder.path(), "a")
      .attempt(1, {start_event(1, 0), checkpoint_event(1, 70), checkpoint_event(2, 900),
                   checkpoint_event(3, 80), end_event("done")})
      .result(1);
  rebuild(folder.path());
  Store store(folder.path(), Store::Access::read);
  const std::vector<KnownTrial> known = known_trials(store, "noop");
  ASSERT_EQ(known.size(), 1u);
  EXPECT_EQ(known[0].state, "done");
  EXPECT_EQ(known[0].checkpoint_bytes, 900);
}

}  // namespace
}  // namespace rethink
