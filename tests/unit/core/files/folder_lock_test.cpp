#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "core/files/lock.h"
#include "core/files/store_file.h"
#include "tests/support/temp_folder.h"

namespace rethink {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(FolderLock, IsHeldThoughItsFileIsRemovedOrReplaced) {
  const TempFolder folder(memory_folder());  // a network disk may not lock folders
  EXPECT_FALSE(is_folder_locked(folder.path()));
  {
    auto lock = FolderLock::try_take(folder.path());
    ASSERT_TRUE(lock);
    lock->sign("somebody");
    lock->sign("me");
    EXPECT_EQ(read_text(folder / "lock"), "me");
    EXPECT_TRUE(is_folder_locked(folder.path()));
    EXPECT_FALSE(is_lock_file_lost(folder.path()));
    for (const bool replaced : {false, true}) {
      std::filesystem::remove(folder / "lock");
      if (replaced) write_text(folder / "lock", "somebody else");
      EXPECT_TRUE(is_folder_locked(folder.path()));
      EXPECT_TRUE(is_lock_file_lost(folder.path()));
      EXPECT_FALSE(FolderLock::try_take(folder.path()));
    }
  }
  EXPECT_FALSE(is_folder_locked(folder.path()));
  EXPECT_FALSE(is_lock_file_lost(folder.path()));
  EXPECT_TRUE(FolderLock::try_take(folder.path()));
}

TEST(FolderLock, WhoAsksKeepsNobodyOut) {
  const TempFolder folder(memory_folder());
  const FileDescriptor asked = open_file(folder.path(), O_RDONLY | O_DIRECTORY);
  for (int time = 0; time < 100; ++time) {
    EXPECT_FALSE(is_folder_locked(folder.path()));
    EXPECT_TRUE(FolderLock::try_take(folder.path()));
  }
}

TEST(FolderLock, CountsWhereTheFileAloneIsLocked) {
  const TempFolder folder(memory_folder());
  const FileDescriptor file = open_file(folder / "lock", O_RDWR | O_CREAT);
  const auto lock = FileLock::try_take(file.get(), folder / "lock");  // as version 0.1.0 does
  ASSERT_TRUE(lock);
  EXPECT_TRUE(is_folder_locked(folder.path()));
  EXPECT_FALSE(is_lock_file_lost(folder.path()));
  EXPECT_FALSE(FolderLock::try_take(folder.path()));
}

TEST(FolderLock, RejectsPathsThatAreNeitherFolderNorFile) {
  const TempFolder folder(memory_folder());
  write_text(folder / "file", "");
  EXPECT_FALSE(is_folder_locked(folder / "file"));
  EXPECT_FALSE(is_folder_locked(folder / "none"));
  EXPECT_THAT([&] { FolderLock::try_take(folder / "file"); },
              ThrowsMessage<DamagedFile>(HasSubstr("file: is a file, expected a folder")));
  ASSERT_EQ(mkfifo((folder / "lock").c_str(), 0600), 0);
  EXPECT_THAT([&] { FolderLock::try_take(folder.path()); },
              ThrowsMessage<DamagedFile>(HasSubstr("lock: is a named pipe, expected a file")));
}

TEST(FolderLock, KnowsThatItsFolderWasMovedReplacedOrRemoved) {
  const TempFolder folder(memory_folder());
  const std::filesystem::path store = folder / "store", moved = folder / "moved";
  std::filesystem::create_directory(store);
  const auto lock = FolderLock::try_take(store);
  ASSERT_TRUE(lock);
  EXPECT_FALSE(lock->moved_to());
  std::filesystem::rename(store, moved);
  EXPECT_EQ(lock->moved_to(), moved);
  std::filesystem::create_directory(store);  // another one in its place
  EXPECT_EQ(lock->moved_to(), moved);
  std::filesystem::remove(store);
  std::filesystem::rename(moved, store);
  EXPECT_FALSE(lock->moved_to());
  std::filesystem::remove_all(store);
  EXPECT_EQ(lock->moved_to(), std::filesystem::path());
}

}  // namespace
}  // namespace rethink
