#include "core/store_files/line_ends.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "core/json.h"
#include "core/store_files/event.h"
#include "tests/support/bytes_read.h"
#include "tests/support/temp_folder.h"

namespace rethink {
namespace {

class LineEndsTest : public testing::Test {
 protected:
  void append(const std::string& text) { std::ofstream(file_, std::ios::app) << text; }

  const TempFolder folder_;
  const std::filesystem::path file_ = folder_ / "events.jsonl";
  LineEnds ends_;
};

TEST_F(LineEndsTest, AreAddedOnlyWhereALineEnds) {
  EXPECT_FALSE(ends_.added(file_));  // there is no file yet
  append("{\"event\"");
  EXPECT_FALSE(ends_.added(file_));
  append(": 1}\n{");
  EXPECT_TRUE(ends_.added(file_));
  EXPECT_FALSE(ends_.added(file_));
  EXPECT_EQ(ends_.bytes(), std::filesystem::file_size(file_));
  append("}");
  EXPECT_FALSE(ends_.added(file_));
  append("\n");
  EXPECT_TRUE(ends_.added(file_));
}

TEST_F(LineEndsTest, AFileThatLostItsEndIsReadAgain) {
  append("{}\n{}\n");
  EXPECT_TRUE(ends_.added(file_));
  std::filesystem::resize_file(file_, 2);
  EXPECT_TRUE(ends_.added(file_));
  EXPECT_FALSE(ends_.added(file_));
}

TEST_F(LineEndsTest, ALineLongerThanAnyEventIsReadOnceAsDamage) {
  append(std::string(kMostEventBytes, 'x'));
  EXPECT_FALSE(ends_.added(file_));
  append("x");
  EXPECT_TRUE(ends_.added(file_));
  EXPECT_TRUE(read_events(file_, 0, [](const Json&) {}).damaged);
  append("x");
  EXPECT_FALSE(ends_.added(file_));
}

TEST_F(LineEndsTest, ALineThatGrowsInPiecesIsReadTwice) {
  const std::string line =
      event_line({{"event", "message"}, {"text", std::string(4'000'000, 'x')}});
  constexpr size_t kPieces = 64;
  uint64_t offset = 0;
  int events = 0;
  const int64_t before = bytes_read();
  for (size_t piece = 0; piece < kPieces; ++piece) {
    const size_t begin = piece * line.size() / kPieces, end = (piece + 1) * line.size() / kPieces;
    append(line.substr(begin, end - begin));
    if (ends_.added(file_))
      offset = read_events(file_, offset, [&](const Json&) { ++events; }).offset;
  }
  const int64_t read = bytes_read() - before;
  EXPECT_EQ(events, 1);
  EXPECT_EQ(offset, line.size());
  EXPECT_GE(read, static_cast<int64_t>(2 * line.size()));
  EXPECT_LE(read, static_cast<int64_t>(3 * line.size()));
}

}  // namespace
}  // namespace rethink
