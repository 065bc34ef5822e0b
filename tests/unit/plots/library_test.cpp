#include "plots/library.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/plots/fixture.h"

namespace rethink::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(TablesOf, AreThoseWhoseSweepsAreAllNamed) {
  const TempFolder folder;
  const std::filesystem::path tables = folder.path() / "plots/tables",
                              sweep = folder.path() / "sweeps/example.yaml",
                              other = folder.path() / "sweeps/other.yaml";
  write_text(sweep, "sweep: example");
  write_text(other, "sweep: other");
  write_text(tables / "a/one.yaml", kExampleSpec);
  write_text(tables / "a/both.yaml",
             with(kExampleSpec, "{axis: task}", "{axis: task, sweep: sweeps/other.yaml}"));
  write_text(tables / "a/faulty.yaml", with(kExampleSpec, "metric:", "metrik:"));
  write_text(tables / "a/lost.yaml", with(kExampleSpec, kSweep, "sweeps/none.yaml"));
  EXPECT_THAT(tables_of({sweep}, {folder.path()}), ElementsAre("a/one"));
  EXPECT_THAT(tables_of({other, sweep}, {folder.path()}), ElementsAre("a/both", "a/one"));
  EXPECT_THAT(tables_of({other}, {folder.path()}), IsEmpty());
}

}  // namespace
}  // namespace rethink::test
