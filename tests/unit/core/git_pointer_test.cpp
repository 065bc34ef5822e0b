#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "core/files/file.h"
#include "core/files/named_file.h"
#include "core/format/safetensors.h"
#include "tests/support/temp_folder.h"
#include "tests/support/throws_code.h"

namespace rethink {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

const std::string kPointer =
    "version https://git-lfs.github.com/spec/v1\n"
    "oid sha256:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n"
    "size 440449768\n";

TEST(GitPointer, PointersAreRefusedByNameWhoeverReadsThem) {
  const TempFolder folder;
  write_text(folder / "train.txt", kPointer);
  write_text(folder / "model.safetensors", kPointer);
  const auto says = [](const std::string& name) {
    return ThrowsMessage<ConfigError>(AllOf(HasSubstr(name + ": is a Git LFS pointer"),
                                            HasSubstr("a file of 440449768 bytes"),
                                            HasSubstr("`git lfs install && git lfs pull`")));
  };
  EXPECT_THAT([&] { read_file(folder / "train.txt"); }, says("train.txt"));
  EXPECT_THAT([&] { SafetensorsFile(folder / "model.safetensors"); }, says("model.safetensors"));
  EXPECT_THAT([&] { refuse_git_pointer(folder / "train.txt"); }, says("train.txt"));
  EXPECT_TRUE(is_git_pointer(folder / "train.txt"));
}

TEST(GitPointer, PointersOfOtherSystemsAndBrokenOnesAreKnown) {
  const auto refusing = [](const std::string& text) {
    return [text] { refuse_git_pointer("f", text); };
  };
  EXPECT_THAT(refusing("version https://git-lfs.github.com/spec/v1\r\nsize 7\r\n"),
              ThrowsMessage<ConfigError>(HasSubstr("a file of 7 bytes")));
  EXPECT_THAT(refusing("version https://git-lfs.github.com/spec/v1\nsize x\n"),
              ThrowsMessage<ConfigError>(HasSubstr("a file of unknown size")));
  for (const char* first :
       {"\xEF\xBB\xBFversion https://git-lfs.github.com/spec/v1",
        "version https://hawser.github.com/spec/v1", "version http://git-media.io/v/2"}) {
    EXPECT_THAT(refusing(std::string(first) + "\noid sha256:aa\nsize 7\n"),
                ThrowsCode("git-pointer"));
  }
}

TEST(GitPointer, OfAnnexAreKnown) {
  const TempFolder folder;
  const std::string pointer = "/annex/objects/SHA256E-s440449768--aa-s9.safetensors\n";
  write_text(folder / "a b.tsv", pointer);
  EXPECT_THAT(
      [&] { read_file(folder / "a b.tsv"); },
      ThrowsMessage<ConfigError>(
          AllOf(HasSubstr("a b.tsv: is a git-annex pointer, which stands for a file of 440449768 "),
                HasSubstr("run `git annex get 'a b.tsv'` in the folder"))));
  EXPECT_TRUE(is_git_pointer(folder / "a b.tsv"));
  EXPECT_THAT([&] { refuse_git_pointer("f", "/annex/objects/WORM--f"); },
              ThrowsMessage<ConfigError>(HasSubstr("a file of unknown size")));
}

TEST(GitPointer, OtherFilesAreNotPointers) {
  const TempFolder folder;
  for (const std::string text :
       {"", "version 1\n", "about version https://git-lfs.github.com/spec/v1\n",
        "/annex/objects/\na--b"}) {
    write_text(folder / "f", text);
    EXPECT_EQ(read_file(folder / "f"), text);
    EXPECT_NO_THROW(refuse_git_pointer(folder / "f"));
    EXPECT_FALSE(is_git_pointer(folder / "f"));
  }
  EXPECT_NO_THROW(refuse_git_pointer(folder / "none"));
  EXPECT_NO_THROW(refuse_git_pointer(folder.path()));
}

}  // namespace
}  // namespace rethink
