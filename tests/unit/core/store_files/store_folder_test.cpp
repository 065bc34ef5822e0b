#include "core/store_files/store_folder.h"

#include <gtest/gtest.h>

#include "tests/support/temp_folder.h"

namespace rethink {
namespace {

TEST(StoreFolder, HasADatabaseOrTrialsBesideAUuid) {
  const TempFolder folder;
  write_text(folder / "local" / kDatabaseFile, "");
  write_text(folder / "network" / kUuidFile, "0");
  std::filesystem::create_directory(folder / "network" / "trials");
  EXPECT_TRUE(is_store_folder(folder / "local"));
  EXPECT_TRUE(is_store_folder(folder / "network"));
}

TEST(StoreFolder, IsNotAnotherFolderWithOneOfTheNames) {
  const TempFolder folder;
  write_text(folder / "named" / kUuidFile, "a file of another program");
  std::filesystem::create_directories(folder / "results" / "trials");
  write_text(folder / "files" / kUuidFile, "");
  write_text(folder / "files" / "trials", "a file");
  std::filesystem::create_directories(folder / "folders" / kDatabaseFile);
  for (const char* name : {"named", "results", "files", "folders", "missing"})
    EXPECT_FALSE(is_store_folder(folder / name)) << name;
}

}  // namespace
}  // namespace rethink
