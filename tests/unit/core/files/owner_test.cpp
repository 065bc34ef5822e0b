#include "core/files/owner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "core/error.h"
#include "tests/support/temp_folder.h"

namespace rethink {
namespace {

using testing::HasSubstr;

/// Removes `path` as somebody who is not root: exit code 0, or 3 with the message on standard error.
[[noreturn]] void remove_as_another(const std::filesystem::path& path) {
  if (geteuid() == 0 && setuid(65534) != 0) _exit(1);  // permissions do not hold root back
  try {
    remove_tree(path);
    _exit(0);
  } catch (const MachineError& error) {
    std::fprintf(stderr, "%s\n", error.what());
    _exit(3);
  }
}

TEST(RemoveTree, NamesTheFolderThatMayNotBeWrittenAndTheCommandThatHelps) {
  const TempFolder folder;
  const std::filesystem::path tree = folder / "tree", held = tree / "a" / "held";
  write_text(held / "file", "x");
  write_text(tree / "b" / "file", "x");
  for (const auto& path : {folder.path(), tree, tree / "a", tree / "b"})
    std::filesystem::permissions(path, std::filesystem::perms(0777));
  std::filesystem::permissions(held, std::filesystem::perms(0555));
  EXPECT_EXIT(
      remove_as_another(tree), testing::ExitedWithCode(3),
      "cannot remove: .*a/held belongs to .*mode 0555.*`chmod -R [ugo].rwX .*a/held`, then");
  std::filesystem::permissions(held, std::filesystem::perms(0777));
  EXPECT_NO_THROW(remove_tree(tree));
  EXPECT_FALSE(std::filesystem::exists(tree));
  EXPECT_NO_THROW(remove_tree(tree)) << "nothing to do";
}

/// Reads a file below a folder that only its owner may enter.
[[noreturn]] void look_as_another(const std::filesystem::path& path) {
  if (geteuid() == 0 && setuid(65534) != 0) _exit(1);
  try {
    (void)std::filesystem::is_regular_file(path);
    _exit(0);
  } catch (const std::filesystem::filesystem_error& error) {
    std::fprintf(stderr, "%s\n", file_trouble(error).c_str());
    _exit(3);
  }
}

TEST(FileTrouble, NamesTheFolderThatKeepsUsOut) {
  const TempFolder folder;
  write_text(folder / "store" / "rethink.db", "x");
  std::filesystem::permissions(folder.path(), std::filesystem::perms(0755));
  std::filesystem::permissions(folder / "store", std::filesystem::perms(0000));
  EXPECT_EXIT(
      look_as_another(folder / "store" / "rethink.db"), testing::ExitedWithCode(3),
      "store/rethink.db: Permission denied; .*store belongs to .*mode 0000.*`chmod [ugo].rx "
      ".*/store`, or give another path");
  std::filesystem::permissions(folder / "store", std::filesystem::perms(0755));
}

TEST(FileTrouble, SaysWhatElseTheSystemSays) {
  const std::filesystem::filesystem_error error(
      "x", "/a/b", std::make_error_code(std::errc::no_such_file_or_directory));
  EXPECT_EQ(file_trouble(error), "/a/b: No such file or directory");
}

/// Prints the message for a second user who may not use `path` in this way.
[[noreturn]] void refused_as_another(const std::filesystem::path& path, int number) {
  if (setgid(65534) != 0 || setuid(65534) != 0) _exit(1);
  std::fprintf(stderr, "refused%s\n", refusal_text(path, number).c_str());
  _exit(3);
}

TEST(RefusalText, NamesTheCommandOfTheOneWhoMayGiveIt) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can ask as another user";
  const TempFolder folder;
  const std::filesystem::path file = folder / "sticky" / "file";
  write_text(file, "x");
  ASSERT_EQ(chown((folder / "sticky").c_str(), 63001, 63001), 0);
  ASSERT_EQ(chown(file.c_str(), 63002, 65534), 0);
  std::filesystem::permissions(folder.path(), std::filesystem::perms(0755));
  std::filesystem::permissions(folder / "sticky", std::filesystem::perms(01777));
  const auto expect = [&](unsigned int mode, int number, const std::string& text) {
    std::filesystem::permissions(file, std::filesystem::perms(mode));
    EXPECT_EXIT(refused_as_another(file, number), testing::ExitedWithCode(3), text);
  };
  expect(0600, EACCES, "have user 63002 run `chmod g.r /.*sticky/file`, or give another path");
  expect(0640, EACCES, "have user 63002 run `chmod g.w /.*sticky/file`, or give another path");
  expect(0660, EPERM, "have user 63001 run `chmod -t /.*sticky`");
  expect(0660, ENOENT, "refused\n");
}

}  // namespace
}  // namespace rethink
