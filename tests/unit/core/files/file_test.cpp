#include "core/files/file.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "tests/support/temp_folder.h"

namespace rethink {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(File, ReplacesAWholeFile) {
  const TempFolder folder;
  write_file_durably(folder / "a", "old and longer");
  write_file_durably(folder / "a", "new");
  EXPECT_EQ(read_file(folder / "a"), "new");
  EXPECT_EQ(remove_temporary_files(folder.path()), 0u);
}

TEST(File, ReplacesTheFileThatALinkLeadsToAndKeepsItsPermissions) {
  const TempFolder folder;
  write_text(folder / "real", "old");
  std::filesystem::permissions(
      folder / "real", std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  std::filesystem::create_symlink("real", folder / "link");
  write_file_atomically(folder / "link", "new");
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
  EXPECT_EQ(read_file(folder / "real"), "new");
  EXPECT_EQ(std::filesystem::status(folder / "real").permissions(),
            std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
}

TEST(File, WritesToAPipeInsteadOfReplacingIt) {
  const TempFolder folder;
  const std::filesystem::path pipe = folder / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const FileDescriptor reader = open_file(pipe, O_RDWR);  // waits for nobody
  write_file_atomically(pipe, "text");
  char got[5] = {};
  ASSERT_EQ(read(reader.get(), got, 4), 4);
  EXPECT_STREQ(got, "text");
  EXPECT_TRUE(std::filesystem::is_fifo(pipe));
}

TEST(File, DoesNotReadADeviceForEver) {
  EXPECT_THAT([] { read_file("/dev/zero"); },
              ThrowsMessage<MachineError>("/dev/zero: is not a regular file and has more "
                                          "than 1 GiB; give a file"));
}

TEST(File, ReadsAPipeOnceAndHandsItsBytesOn) {
  const TempFolder folder;
  for (const std::string text : {"one", "two"}) {
    int ends[2] = {};
    ASSERT_EQ(pipe(ends), 0);
    const FileDescriptor from(ends[0]);
    {
      const FileDescriptor into(ends[1]);
      write_all(into.get(), text, "pipe");
    }
    const std::string name = "/dev/fd/" + std::to_string(from.get());
    EXPECT_EQ(read_file(name), text);
    EXPECT_EQ(read_file(name), text);
  }
}

TEST(File, ReadsFilesWithoutASize) {
  EXPECT_THAT(read_file("/proc/self/stat"), HasSubstr(" "));
}

TEST(File, AFileThatIsNotFinishedLeavesNothingBehind) {
  const TempFolder folder;
  {
    const PendingFile pending(folder / "a");
    write_text(pending.temporary(), "half");
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(File, TemporaryFilesOfAKilledProcessAreRemoved) {
  const TempFolder folder;
  write_text(folder / ".result.json.4711.tmp", "half");
  write_text(folder / "result.json", "whole");
  write_text(folder / "notes.tmp", "the user's own");
  EXPECT_EQ(remove_temporary_files(folder.path()), 1u);
  EXPECT_FALSE(std::filesystem::exists(folder / ".result.json.4711.tmp"));
  EXPECT_TRUE(std::filesystem::exists(folder / "notes.tmp"));
}

TEST(File, MakesEveryMissingFolder) {
  const TempFolder folder;
  make_folder_durably(folder / "a/b/c");
  make_folder_durably(folder / "a/b/c/");
  EXPECT_TRUE(std::filesystem::is_directory(folder / "a/b/c"));
}

TEST(File, AFileWhereAFolderShouldBeIsAnError) {
  const TempFolder folder;
  write_text(folder / "a", "");
  EXPECT_THAT([&] { make_folder_durably(folder / "a"); },
              ThrowsMessage<MachineError>(HasSubstr("is not a folder")));
}

TEST(File, AFullDiskIsNamedWithItsFreeSpace) {
  EXPECT_THAT(
      [] { write_all(open_file("/dev/full", O_WRONLY).get(), "x", "/dev/full"); },
      ThrowsMessage<DiskFullError>(testing::AllOf(
          HasSubstr("/dev/full: cannot write: the disk at /"), HasSubstr("; free some space"))));
}

TEST(File, AnyOtherErrorSaysWhatTheSystemSaid) {
  EXPECT_THAT(
      [] { open_file("/nowhere/at/all", O_RDONLY); },
      ThrowsMessage<MachineError>("/nowhere/at/all: cannot open: No such file or directory"));
}

TEST(File, ErrorsNameTheFileAndNotTheTemporaryOne) {
  EXPECT_THAT([] { write_file_atomically("/nowhere/a", "x"); },
              ThrowsMessage<MachineError>("/nowhere/a: cannot create: No such file or directory"));
}

TEST(File, FreeSpaceIsKnownForAFolderThatIsNotThereYet) {
  const TempFolder folder;
  EXPECT_GT(free_disk_bytes(folder / "not/yet/there"), 0u);
}

TEST(FileDescriptor, BelongsToOneOwner) {
  FileDescriptor first = open_file("/dev/null", O_RDONLY);
  const int number = first.get();
  FileDescriptor second = std::move(first);
  EXPECT_FALSE(first);
  EXPECT_EQ(second.get(), number);
  EXPECT_NE(fcntl(number, F_GETFD) & FD_CLOEXEC, 0);
  second.reset();
  EXPECT_EQ(fcntl(number, F_GETFD), -1);
}

}  // namespace
}  // namespace rethink
