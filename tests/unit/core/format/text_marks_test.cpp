#include "core/format/text_marks.h"

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
  EXPECT_TRUE(has("one\rtwo", {"only_cr"}));
  EXPECT_FALSE(has("one\rtwo\n", {"only_cr"}));
}

TEST(TextMarks, AreTabsBetweenCellsThatWhiteSpaceSplitsOtherwise) {
  const TempFolder folder;
  const auto has = [&](const std::string& text) {
    write_text(folder / "text", text);
    return has_text_marks(folder / "text", {"tab_cells"}, "");
  };
  for (const char* text : {"New York\tB-LOC\n", "in\tO\n\nNew York\tB-LOC", "1\tNew York\tB-LOC\n",
                           "#New York\tB-LOC\n", "word\t\tO\tB-PER\n", "\tO\n",
                           "New\rYork\tB-LOC\r\n", "in\tO\nNew York\tB-LOC\nis\tO\n"})
    EXPECT_TRUE(has(text)) << text;
  for (const char* text :
       {"", "New York B-LOC\n", "in\tO\r\n", "in \t O \t\n", "\n\t\n", "-DOCSTART- -X-\tO\n",
        "# id 4d5\tdomain=en\n", "#\thttp://example.org [2009-10-17]\nin\tO\n", "#\tO\n"})
    EXPECT_FALSE(has(text)) << text;
}

TEST(TextMarks, AreRememberedBesideTheHash) {
  const TempFolder folder;
  write_text(folder / "text", "one\r\n");
  std::filesystem::last_write_time(
      folder / "text", std::filesystem::file_time_type::clock::now() - std::chrono::hours(1));
  EXPECT_TRUE(has_text_marks(folder / "text", {"crlf"}, folder / "memory"));
  const auto remembered = std::filesystem::directory_iterator(folder / "memory")->path();
  write_text(remembered, "nnynnnnnn");
  EXPECT_FALSE(has_text_marks(folder / "text", {"crlf"}, folder / "memory"));
  EXPECT_TRUE(has_text_marks(folder / "text", {"cr"}, folder / "memory"));
  EXPECT_THROW(has_text_marks(folder / "none", {"cr"}, folder / "memory"), MachineError);
}

}  // namespace
}  // namespace rethink
