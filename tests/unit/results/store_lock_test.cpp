#include "results/folders/store_lock.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <string>
#include <thread>

#include "core/error.h"
#include "core/files/lock.h"
#include "core/json.h"
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

TEST(StoreLock, WaitsForTheNameOfANewHolder) {
  const TempFolder store;
  std::optional<FolderLock> held = FolderLock::try_take(store.path());
  ASSERT_TRUE(held);
  const auto holder_named_after = [&](const std::string& host, auto&& look) {
    held->sign("");
    std::thread holder([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
      held->sign(R"({"pid": 7, "host": ")" + host + R"(", "command": "run"})");
    });
    look();
    holder.join();
  };
  holder_named_after("elsewhere", [&] {
    EXPECT_EQ(named_store_owner(store.path()).value_or(Json::object()).value("host", ""),
              "elsewhere");
  });
  holder_named_after("anywhere", [&] {
    EXPECT_THAT([&] { StoreLock::take(store.path(), "gc"); },
                ThrowsMessage<MachineError>(HasSubstr("`rethink run`, process 7 on anywhere")));
  });
}

TEST(StoreLock, WaitsForACommandThatHoldsTheStoreBriefly) {
  const TempFolder store;
  std::optional<StoreLock> held = StoreLock::try_take_briefly(store.path(), "status");
  ASSERT_TRUE(held);
  EXPECT_FALSE(StoreLock::try_take_briefly(store.path(), "query"));
  std::thread holder([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    held.reset();
  });
  EXPECT_NO_THROW(StoreLock::take(store.path(), "run"));
  holder.join();
}

/// Two commands that wait for pilots look at the same moment when a pilot ends.
TEST(StoreLock, WaitsForALookAtPilots) {
  const TempFolder store;
  std::optional<StoreLock> held = StoreLock::take_for_a_look(store.path(), "run", {"s"}, "a build");
  std::thread holder([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    held.reset();
  });
  EXPECT_NO_THROW(StoreLock::take_for_a_look(store.path(), "run", {"s"}, "a build"));
  holder.join();
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

TEST(StoreLock, SaysThatItsDriverIsStopping) {
  const TempFolder store;
  StoreLock lock = StoreLock::take(store.path(), "run", {"s"}, "1f3a");
  const std::string before = store_owner_text(*store_owner(store.path()), store.path());
  EXPECT_EQ(before.find("stopping"), std::string::npos) << before;
  lock.announce_stop();
  lock.add_sweeps({"t"});
  EXPECT_EQ(store_owner_text(*store_owner(store.path()), store.path()),
            before + " (stopping: waits for checkpoints)");
}

}  // namespace
}  // namespace rethink
