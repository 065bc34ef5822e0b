#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include "core/error.h"
#include "core/files/hash.h"
#include "tests/support/temp_folder.h"

namespace rethink {
namespace {

const std::string kAbc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

void make_old(const std::filesystem::path& file) {
  std::filesystem::last_write_time(
      file, std::filesystem::file_time_type::clock::now() - std::chrono::hours(1));
}

size_t files_in(const std::filesystem::path& folder) {
  return static_cast<size_t>(std::distance(std::filesystem::directory_iterator(folder), {}));
}

TEST(RememberedHash, IsReadFromTheFolderTheSecondTime) {
  const TempFolder folder;
  write_text(folder / "data", "abc");
  make_old(folder / "data");
  EXPECT_EQ(remembered_sha256(folder / "data", folder / "cache"), kAbc);
  ASSERT_EQ(files_in(folder / "cache"), 1U);
  const auto memory = std::filesystem::directory_iterator(folder / "cache")->path();
  const std::string other(64, '0');  // the recorded hash is used, so nothing is hashed again
  write_text(memory, other);
  EXPECT_EQ(remembered_sha256(folder / "data", folder / "cache"), other);
}

TEST(RememberedHash, ChangesWithTheFile) {
  const TempFolder folder;
  write_text(folder / "data", "abc");
  make_old(folder / "data");
  EXPECT_EQ(remembered_sha256(folder / "data", folder / "cache"), kAbc);
  write_text(folder / "data", "abd");
  EXPECT_NE(remembered_sha256(folder / "data", folder / "cache"), kAbc);
}

TEST(RememberedHash, OfAFileWrittenJustNowIsNotRemembered) {
  const TempFolder folder;
  write_text(folder / "data", "abc");
  EXPECT_EQ(remembered_sha256(folder / "data", folder / "cache"), kAbc);
  EXPECT_FALSE(std::filesystem::exists(folder / "cache"));
}

TEST(RememberedHash, NeedsNoFolder) {
  const TempFolder folder;
  write_text(folder / "data", "abc");
  make_old(folder / "data");
  EXPECT_EQ(remembered_sha256(folder / "data", ""), kAbc);
}

TEST(RememberedHash, IsFoundWhereNothingCanBeWritten) {
  const TempFolder folder;
  write_text(folder / "data", "abc");
  make_old(folder / "data");
  const auto hash_without_room = [&] {
    signal(SIGXFSZ, SIG_IGN);
    const rlimit none{0, 0};
    setrlimit(RLIMIT_FSIZE, &none);
    _exit(remembered_sha256(folder / "data", folder / "cache") == kAbc ? 0 : 1);
  };
  EXPECT_EXIT(hash_without_room(), testing::ExitedWithCode(0), "");
}

TEST(RememberedHash, OfAMissingFileIsAnErrorThatNamesIt) {
  const TempFolder folder;
  EXPECT_THROW(remembered_sha256(folder / "none", folder / "cache"), MachineError);
}

}  // namespace
}  // namespace rethink
