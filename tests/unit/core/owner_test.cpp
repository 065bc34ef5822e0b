#include "core/owner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

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
  EXPECT_EXIT(remove_as_another(tree), testing::ExitedWithCode(3),
              "cannot remove: .*a/held belongs to .*mode 0555.*rm -r ");
  std::filesystem::permissions(held, std::filesystem::perms(0777));
  EXPECT_NO_THROW(remove_tree(tree));
  EXPECT_FALSE(std::filesystem::exists(tree));
  EXPECT_NO_THROW(remove_tree(tree)) << "nothing to do";
}

/// Looks for a file below a folder that only its owner may enter.
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
  EXPECT_EXIT(look_as_another(folder / "store" / "rethink.db"), testing::ExitedWithCode(3),
              "store/rethink.db: Permission denied; .*store belongs to .*mode 0000");
  std::filesystem::permissions(folder / "store", std::filesystem::perms(0755));
}

TEST(FileTrouble, SaysWhatElseTheSystemSays) {
  const std::filesystem::filesystem_error error(
      "x", "/a/b", std::make_error_code(std::errc::no_such_file_or_directory));
  EXPECT_EQ(file_trouble(error), "/a/b: No such file or directory");
}

}  // namespace
}  // namespace rethink
