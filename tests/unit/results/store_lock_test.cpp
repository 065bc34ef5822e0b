#include "results/folders/store_lock.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "tests/support/temp_folder.h"

namespace rethink {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(StoreLock, IsHeldThoughSomebodyRemovesItsFile) {
  const TempFolder store(memory_folder());  // a network file system cannot lock folders
  {
    const StoreLock lock = StoreLock::take(store.path(), "run");
    std::filesystem::remove(store / "lock");
    EXPECT_FALSE(StoreLock::try_take(store.path(), "gc"));
    EXPECT_THAT([&] { StoreLock::take(store.path(), "gc"); },
                ThrowsMessage<MachineError>(HasSubstr("in use by a process that")));
    EXPECT_FALSE(std::filesystem::exists(store / "lock"));
  }
  EXPECT_TRUE(StoreLock::try_take(store.path(), "gc"));
}

}  // namespace
}  // namespace rethink
