#include "results/folders/store_lock.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "tests/support/temp_folder.h"
#include "tests/support/throws_code.h"

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

TEST(StoreLock, MakesNoStoreAmongFilesOfSomebodyElse) {
  const TempFolder folder;
  write_text(folder / "mine.yaml", "sweep: mine\n");
  EXPECT_THAT([&] { StoreLock::take(folder.path(), "run"); }, ThrowsCode("file-exists"));
  EXPECT_FALSE(std::filesystem::exists(folder / "lock"));
  write_text(folder / "uuid", "");  // a store into which somebody put a file
  EXPECT_NO_THROW(StoreLock::take(folder.path(), "run"));
}

TEST(StoreLock, TakesAnEmptyDiskForANewStore) {
  const TempFolder folder;
  std::filesystem::create_directory(folder / "lost+found");
  EXPECT_NO_THROW(StoreLock::take(folder.path(), "run"));
}

}  // namespace
}  // namespace rethink
