#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "core/files/file.h"
#include "core/files/named_file.h"
#include "tests/support/temp_folder.h"

namespace rethink {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(DanglingLink, IsNamedWithItsTarget) {
  const TempFolder folder;
  std::filesystem::create_symlink("elsewhere/a.txt", folder / "a.txt");
  const std::string expected = (folder / "a.txt").string() +
                               ": is a link to elsewhere/a.txt, which does not exist; put the file "
                               "there, or mount the disk that it is on";
  EXPECT_EQ(trouble_of_dangling_link(folder / "a.txt"), expected);
  EXPECT_THAT([&] { refuse_dangling_link(folder / "a.txt"); },
              ThrowsMessage<ConfigError>(expected));
  EXPECT_THAT([&] { read_file(folder / "a.txt"); }, ThrowsMessage<MachineError>(expected));
  EXPECT_EQ(trouble_of_dangling_link(folder / "none"), "");
  EXPECT_EQ(trouble_of_dangling_link(""), "");
}

TEST(DanglingLink, OfGitAnnexIsReportedWithTheCommand) {
  const TempFolder folder;
  std::filesystem::create_symlink("../.git/annex/objects/6F/M9/SHA256E-s7--0f/SHA256E-s7--0f",
                                  folder / "a b.tsv");
  EXPECT_THAT(trouble_of_dangling_link(folder / "a b.tsv"),
              HasSubstr("which does not exist; run `git annex get 'a b.tsv'` in the folder"));
}

TEST(DanglingLink, MayBeAFolderAboveTheFile) {
  const TempFolder folder;
  std::filesystem::create_directory_symlink(folder / "disk", folder / "data");
  EXPECT_THAT(
      trouble_of_dangling_link(folder / "data/a.txt"),
      HasSubstr((folder / "data").string() + ": is a link to " + (folder / "disk").string()));
  std::filesystem::create_directory(folder / "disk");
  EXPECT_EQ(trouble_of_dangling_link(folder / "data/a.txt"), "");
}

}  // namespace
}  // namespace rethink
