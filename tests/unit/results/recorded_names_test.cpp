#include "results/query/recorded_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "results/store/rebuild.h"
#include "tests/unit/results/trial_maker.h"

namespace rethink {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(RecordedNames, AreOfTheseTrialsAloneAndSorted) {
  const TempFolder folder;
  TrialMaker one(folder.path(), "a1"), other(folder.path(), "b1");
  one.attempt(1, {start_event(1, 0),
                  measurement_event("step_ms", 1, 2),
                  measurement_event("step_ms", 2, 3),
                  measurement_event("parameters", 0, 10),
                  {{"event", "artifact"},
                   {"name", "mask"},
                   {"kind", "mask"},
                   {"file", "artifacts/m"},
                   {"sha256", "00"},
                   {"bytes", 3},
                   {"facts", {{"sparsity", 96.1}, {"of", "a text"}}}},
                  end_event("done")})
      .result(1);
  other.attempt(1, {start_event(1, 0), measurement_event("other", 0, 1), end_event("done")})
      .result(1);
  rebuild(folder.path());
  Store store(folder.path(), Store::Access::read);
  const RecordedNames names = recorded_names(store, {one.id()});
  EXPECT_THAT(names.measurements, ElementsAre("parameters", "step_ms"));
  EXPECT_THAT(names.facts, ElementsAre("mask/bytes", "mask/sparsity"));
  EXPECT_THAT(recorded_names(store, {}).facts, IsEmpty());
}

}  // namespace
}  // namespace rethink
