#include <gtest/gtest.h>

#include "core/message.h"
#include "tests/support/temp_folder.h"

namespace rethink {
namespace {

TEST(StoreCommand, NamesEveryStoreButTheDefaultOne) {
  EXPECT_EQ(store_command("rm 0a1b", "elsewhere"), "rethink rm 0a1b --store elsewhere");
  EXPECT_EQ(store_command("gc --dry-run", "/data/my store"),
            "rethink gc --dry-run --store '/data/my store'");
  for (const char* path : {"store", "./store", "a/../store"})
    EXPECT_EQ(store_command("rm 0a1b", path), "rethink rm 0a1b") << path;
  EXPECT_EQ(store_command("rm 0a1b", std::filesystem::current_path() / "store"), "rethink rm 0a1b");
  EXPECT_EQ(store_option("a/store"), " --store a/store");
}

TEST(StoreCommand, AsksForTheStoreItselfWhereASnapshotDoesNotDo) {
  const TempFolder folder;
  const std::filesystem::path snapshot = folder / "copy.db";
  write_text(snapshot, "");
  const std::string option = " --store " + snapshot.string();
  EXPECT_EQ(store_command("query 'select 1'", snapshot), "rethink query 'select 1'" + option);
  EXPECT_EQ(store_command("table t --unplanned", snapshot), "rethink table t --unplanned" + option);
  for (const std::string words : {"table t --run", "table t --run --profile small", "rm 0a1b",
                                  "status", "db snapshot FILE"}) {
    EXPECT_EQ(store_command(words, snapshot), "rethink " + words + " --store FOLDER_OF_THE_STORE");
  }
}

}  // namespace
}  // namespace rethink
