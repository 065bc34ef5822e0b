#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/files/lock.h"
#include "tests/support/temp_folder.h"

namespace rethink {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

TEST(LockProbe, SaysThatLocksWorkAndLeavesNothing) {
  const TempFolder folder(memory_folder());
  const LockProbe locks = probe_locks(folder.path());
  EXPECT_EQ(locks.support, LockSupport::works);
  EXPECT_EQ(locks.problem, "");
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(LockProbe, TellsWhatCouldNotBeTriedFromWhatDoesNotWork) {
  for (const char* folder : {"/nowhere", "/proc/self"}) {
    const LockProbe locks = probe_locks(folder);
    EXPECT_EQ(locks.support, LockSupport::not_tried);
    EXPECT_THAT(locks.problem, StartsWith(std::string(folder) + "/.lock-probe-"));
    EXPECT_THAT(locks.problem, HasSubstr("cannot create"));
  }
}

}  // namespace
}  // namespace rethink
