#include "core/text_marks.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "tests/support/temp_folder.h"

namespace rethink {
namespace {

TEST(TextMarks, AreThoseThatAreAskedFor) {
  const TempFolder folder;
  const auto has = [&](const std::string& text, const std::vector<std::string>& marks) {
    write_text(folder / "text", text);
    return has_text_marks(folder / "text", marks, "");
  };
  EXPECT_FALSE(has("one\ntwo\n", {"bom", "crlf", "cr"}));
  EXPECT_FALSE(has("", {"bom", "crlf", "cr"}));
  EXPECT_TRUE(has("\xEF\xBB\xBFone\n", {"bom"}));
  EXPECT_FALSE(has("one \xEF\xBB\xBF", {"bom"}));
  EXPECT_TRUE(has("one\r\n", {"crlf"}));
  EXPECT_FALSE(has("one\r\n", {"cr", "bom"}));
  EXPECT_TRUE(has("one\rtwo\r\n", {"cr"}));
  EXPECT_TRUE(has("one\r", {"cr"}));
  EXPECT_FALSE(has("one\r", {"crlf"}));
  EXPECT_TRUE(has("caf\xE9", {"not_utf8"}));
  EXPECT_FALSE(has("café", {"not_utf8"}));
  using namespace std::string_literals;
  const std::string mark = "\xEF\xBB\xBF";
  for (const std::string& stray : {mark + mark + "one", "one\n" + mark + "two", "one\0\0"s,
                                   "one\n\x1A"s, "one\r\r\ntwo\r\r\n"s, "one\x1A\x1A\r\n"s})
    EXPECT_TRUE(has(stray, {"stray"})) << stray;
  for (const std::string& clean :
       {mark + "one", "W " + mark + " / 51", "one \x1A two"s, "a\nb\nc\nd\r\r\n"s, "one\r\n"s, ""s})
    EXPECT_FALSE(has(clean, {"stray"})) << clean;
  EXPECT_TRUE(has("PK\x03\x04 one", {"packed"}));
  EXPECT_FALSE(has("<mediawiki>", {"packed"}));
}

TEST(TextMarks, AreRememberedBesideTheHash) {
  const TempFolder folder;
  write_text(folder / "text", "one\r\n");
  std::filesystem::last_write_time(
      folder / "text", std::filesystem::file_time_type::clock::now() - std::chrono::hours(1));
  EXPECT_TRUE(has_text_marks(folder / "text", {"crlf"}, folder / "memory"));
  const auto remembered = std::filesystem::directory_iterator(folder / "memory")->path();
  write_text(remembered, "nnynnn");
  EXPECT_FALSE(has_text_marks(folder / "text", {"crlf"}, folder / "memory"));
  EXPECT_TRUE(has_text_marks(folder / "text", {"cr"}, folder / "memory"));
  EXPECT_THROW(has_text_marks(folder / "none", {"cr"}, folder / "memory"), MachineError);
}

}  // namespace
}  // namespace rethink
