#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "core/format/file_kind.h"
#include "core/json.h"
#include "tests/support/temp_folder.h"

namespace rethink {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;
using testing::ThrowsMessage;

TEST(TextAdvice, CountsCharactersOfAPlace) {
  EXPECT_EQ(place_in_text("f", "one\nf\u00FCnf \u5909x", 13), "f:2:7");
  EXPECT_EQ(place_in_text("f", "", 0), "f:1:1");
  EXPECT_EQ(place_in_text("f", "ab", 1, 7), "f:7:2");
}

TEST(TextAdvice, IsACommandOnTheFileOrBeforeThePipe) {
  const char* command = "tr -d '\\032' < {} > NEW";
  EXPECT_EQ(command_on_file(command, "a b"), "tr -d '\\032' < 'a b' > NEW");
  for (const char* pipe : {"standard input", "/dev/null"})
    EXPECT_EQ(command_on_file(command, pipe), "tr -d '\\032' < FILE | rethink ...");
  EXPECT_EQ(command_on_file("tar -xf {}", "standard input"), "tar -xf FILE");
}

TEST(TextAdvice, NamesTheLikelyEncoding) {
  EXPECT_EQ(trouble_with_utf8("caf\u00E9 \u201Cx\u201D", "f"), "");
  EXPECT_EQ(
      trouble_with_utf8("caf\xE9", "f"),
      "f:1:4: the byte 0xE9 is not UTF-8; convert the file first (iconv -f LATIN1 -t UTF-8, or "
      "from what it is)");
  EXPECT_THAT(trouble_with_utf8("caf\xE9 \x93x\x94", "f"), HasSubstr("(iconv -f CP1252 -t UTF-8,"));
  EXPECT_THAT(trouble_with_utf8("\u201Cx\u201D \xE9", "f"), HasSubstr("(iconv -f LATIN1 -t UTF-8,"))
      << "parts of valid characters do not count";
  EXPECT_THAT(trouble_with_utf8("\x81", "f"), HasSubstr("(iconv -f LATIN1")) << "no CP1252 either";
  EXPECT_THAT(
      trouble_with_utf8("\xE9", "standard input"),
      StartsWith("standard input:1:1: the byte 0xE9 is not UTF-8; convert it before the pipe"));
}

TEST(TextAdvice, IsGivenForJson) {
  const TempFolder folder;
  write_text(folder / "f", "{\"a\": 1,\n \"caf\xE9\": 2}");
  EXPECT_THAT([&] { read_json(folder / "f"); },
              ThrowsMessage<ConfigError>(HasSubstr("/f:2:6: the byte 0xE9 is not UTF-8; convert")));
}

}  // namespace
}  // namespace rethink
