#include <gtest/gtest.h>

#include "results/records/known_trials.h"
#include "results/store/rebuild.h"
#include "tests/unit/results/trial_maker.h"

namespace rethink {
namespace {

void add(const TempFolder& folder, const std::string& name, const std::string& outcome,
         const std::string& at) {
  TrialMaker trial(folder.path(), name);
  trial.attempt(1, {start_event(1, 0), {{"event", "end"}, {"outcome", outcome}, {"at", at}}})
      .result(1, outcome);
}

TEST(StoreSummary, HasTheNewestTrialThatIsDone) {
  const TempFolder folder;
  add(folder, "a1", "done", "2026-01-02T03:04:05.678Z");
  add(folder, "b1", "done", "2026-01-31T00:00:00.000Z");
  add(folder, "c1", "diverged", "2026-02-01T00:00:00.000Z");
  rebuild(folder.path());
  Store store(folder.path(), Store::Access::read);
  EXPECT_EQ(summary_of(store).done, 2);
  EXPECT_EQ(summary_of(store).newest, "2026-01-31T00:00:00.000Z");
}

TEST(StoreSummary, OfAnEmptyStoreHasNoDate) {
  const TempFolder folder;
  TrialMaker(folder.path(), "a1");
  rebuild(folder.path());
  Store store(folder.path(), Store::Access::read);
  EXPECT_EQ(summary_of(store).done, 0);
  EXPECT_EQ(summary_of(store).newest, "");
}

}  // namespace
}  // namespace rethink
