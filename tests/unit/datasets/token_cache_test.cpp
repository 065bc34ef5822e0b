#include "datasets/files/token_cache.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <thread>

#include "core/error.h"
#include "tests/support/temp_folder.h"
#include "tests/support/throws_code.h"

namespace rethink {
namespace {

using testing::ElementsAre;

PreparedData small_data() {
  PreparedData data{Vocabulary({"a", "b"}), {}};
  data.splits.resize(2);
  data.splits[0].name = "train";
  data.splits[0].tokens = {1, 4, 2, 1, 5, 5, 2};
  data.splits[0].offsets = {0, 3, 7};
  data.splits[1].name = "dev";
  return data;
}

/// Fixture with a cache that counts its builds.
class TokenCache : public testing::Test {
 protected:
  std::shared_ptr<TokenDataset> open() {
    return open_token_cache(folder_.path(), "key", [this] {
      ++built_;
      return small_data();
    });
  }
  void expect_small_data(const TokenDataset& dataset) {
    EXPECT_THAT(dataset.splits(), ElementsAre("train", "dev"));
    ASSERT_EQ(dataset.sequences("train").size(), 2u);
    EXPECT_THAT(dataset.sequences("train")[1], ElementsAre(1, 5, 5, 2));
    EXPECT_EQ(dataset.sequences("dev").size(), 0u);
    EXPECT_EQ(dataset.vocabulary().text(5), "b");
  }
  TempFolder folder_;
  int built_ = 0;
};

TEST_F(TokenCache, IsBuiltOnceAndReadByAll) {
  expect_small_data(*open());
  expect_small_data(*open());
  EXPECT_EQ(built_, 1);
}

TEST_F(TokenCache, LivesAsLongAsTheDataSetEvenWhenItsFileIsDeleted) {
  const auto dataset = open();
  std::filesystem::remove(folder_ / "key.tokens");
  expect_small_data(*dataset);
}

TEST_F(TokenCache, NamesTheSplitsThatThereAre) {
  const auto dataset = open();
  EXPECT_THAT([&] { dataset->sequences("validation"); }, ThrowsCode("unknown-split"));
}

/// Every byte at the header's beginning is changed, then a sample, since each costs a durable rebuild.
size_t next_byte(size_t at) {
  return at < 40 ? at + 1 : at + 13;
}

TEST_F(TokenCache, IsBuiltAgainWhenCutOff) {
  open();
  const std::string whole = read_text(folder_ / "key.tokens");
  for (size_t length = 0; length < whole.size(); length = next_byte(length)) {
    write_text(folder_ / "key.tokens", whole.substr(0, length));
    built_ = 0;
    expect_small_data(*open());
    ASSERT_EQ(built_, 1) << "cut at byte " << length;
  }
}

TEST_F(TokenCache, IsBuiltAgainWhenAByteIsDamaged) {
  open();
  const std::string whole = read_text(folder_ / "key.tokens");
  for (size_t at = 0; at < whole.size(); at = next_byte(at)) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
    write_text(folder_ / "key.tokens", damaged);
    built_ = 0;
    expect_small_data(*open());
    ASSERT_EQ(built_, 1) << "damaged at byte " << at;
  }
}

TEST_F(TokenCache, IsBuiltByOneOfManyProcessesThatAskAtOnce) {
  constexpr int kProcesses = 6;
  const std::filesystem::path marks = folder_ / "marks";
  std::filesystem::create_directory(marks);
  std::vector<pid_t> children;
  for (int child = 0; child < kProcesses; ++child) {
    const pid_t pid = ::fork();
    ASSERT_GE(pid, 0);
    if (pid == 0) {
      const auto dataset = open_token_cache(folder_.path(), "key", [&] {
        std::ofstream(marks / std::to_string(::getpid())) << "built";
        std::this_thread::sleep_for(
            std::chrono::milliseconds(50));  // so that the others meet the lock
        return small_data();
      });
      ::_exit(dataset->sequences("train").size() == 2 ? 0 : 1);
    }
    children.push_back(pid);
  }
  for (const pid_t pid : children) {
    int status = 1;
    ::waitpid(pid, &status, 0);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(marks), {}), 1);
}

TEST_F(TokenCache, StaysAbsentWhenBuildingFails) {
  EXPECT_THROW(
      open_token_cache(folder_.path(), "key",
                       []() -> PreparedData { throw TrialError("missing-data", "no file"); }),
      TrialError);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "key.tokens"));
  expect_small_data(*open());
}

}  // namespace
}  // namespace rethink
