#include "experiments/plan/expand/hashing_time.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <time.h>

#include "experiments/plan/expand/input_hashes.h"
#include "tests/support/temp_folder.h"
#include "tests/unit/plan/sample_schema.h"

namespace rethink {
namespace {

using testing::HasSubstr;

TEST(HashingTime, AddsTimeAndSizeOfEachFile) {
  const TempFolder folder;
  write_text(folder / "a", "one");
  write_text(folder / "b", "four");
  HashingTime time;
  const auto slow = [](const std::filesystem::path& file) {
    const timespec pause{0, 2'000'000};
    nanosleep(&pause, nullptr);
    return sha256_file(file);
  };
  EXPECT_EQ(time.hashed(folder / "a", slow), sha256_hex("one"));
  EXPECT_EQ(time.hashed(folder / "b", slow), sha256_hex("four"));
  EXPECT_EQ(time.bytes, 7u);
  EXPECT_GE(time.seconds, 0.004);
}

TEST(HashingText, IsShownForLargeAndSlowFilesOnly) {
  EXPECT_THAT(hashing_text({.seconds = 3.21, .bytes = 2'000'000'000}), HasSubstr("took 3.2 s"));
  EXPECT_EQ(hashing_text({.seconds = 0.9, .bytes = 2'000'000'000}), "");
  EXPECT_EQ(hashing_text({.seconds = 3.21, .bytes = 20'000}), "");
}

TEST(HashingTime, CountsAFileOnceForAPlan) {
  const TempFolder folder;
  write_text(folder / "a", "one");
  const Schema schema;
  InputHashes hashes({.data = folder.path(), .memory = ""}, schema);
  hashes.hash_of(folder / "a");
  hashes.hash_of(folder / "a");
  EXPECT_EQ(hashes.time().bytes, 3u);
}

}  // namespace
}  // namespace rethink
