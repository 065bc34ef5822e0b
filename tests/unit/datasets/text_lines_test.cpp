#include "datasets/files/text_lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "tests/support/temp_folder.h"

namespace rethink {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;
using namespace std::string_literals;

TEST(TextLines, EndWithAnySystemsLineEnd) {
  const TempFolder folder;
  const auto lines = [&](const std::string& text) {
    write_text(folder / "text", text);
    return read_lines(folder / "text");
  };
  EXPECT_THAT(lines("one\ntwo"), ElementsAre("one", "two"));
  EXPECT_THAT(lines("\xEF\xBB\xBFone\r\n\r\ntwo\r\n"), ElementsAre("one", "", "two"));
  EXPECT_THAT(lines("one\rtwo\r"), ElementsAre("one", "two")) << "an old Mac's";
  EXPECT_THAT(lines("a\rb\ntwo\n"), ElementsAre("a\rb", "two")) << "pairs keep their numbers";
  EXPECT_THAT(lines(""), ElementsAre());
}

TEST(TextLines, OfRunningTextAllEndAlike) {
  const TempFolder folder;
  write_text(folder / "text", "\xEF\xBB\xBFone\r\ntwo\rthree\n\r\n");
  EXPECT_EQ(read_running_text(folder / "text"), "one\ntwo\nthree\n\n");
}

TEST(TextLines, NameTheKindOfAFileThatIsNotText) {
  const auto expect_named = [](const std::string& bytes, const std::string& message) {
    EXPECT_THAT([&] { checked_text(bytes, "a b.tsv"); },
                ThrowsMessage<ConfigError>(HasSubstr("a b.tsv: " + message)));
  };
  expect_named("\x1F\x8B\x08\0\0"s,
               "is compressed with gzip; expected text: gzip -dc < 'a b.tsv' > NEW");
  expect_named("PK\x03\x04\x14", "is a zip archive; expected text: unzip -p 'a b.tsv' > NEW");
  expect_named(
      "\xFD"
      "7zXZ\0\0"s,
      "is compressed with xz");
  expect_named("BZh91AY&SY\xE6", "is compressed with bzip2");
  expect_named("\x28\xB5\x2F\xFD\x04", "is compressed with zstd");
  expect_named("\xFF\xFEo\0n\0e\0"s,
               "is UTF-16; expected text: iconv -f UTF-16 -t UTF-8 'a b.tsv' > NEW");
  expect_named("\xFE\xFF\0o\0n"s, "is UTF-16; expected text: iconv -f UTF-16 -t");
  expect_named("\xFF\xFE\0\0o\0\0\0"s, "is UTF-32; expected");
  expect_named("o\0n\0e\0\n\0"s, "is UTF-16; expected text: iconv -f UTF-16LE -t");
  expect_named("\0o\0n\0e\0\n"s, "is UTF-16; expected text: iconv -f UTF-16BE -t");
  EXPECT_EQ(checked_text("BZh is a name", "f"), "BZh is a name");
  expect_named(std::string(700, '\0'),
               "holds only zero bytes, as after a crash or a failed download");
}

TEST(TextLines, GiveThePositionOfAMarkThatIsNotText) {
  const auto expect_refused = [](const std::string& bytes, const std::string& message) {
    EXPECT_THAT([&] { checked_text(bytes, "a b"); },
                ThrowsMessage<ConfigError>(HasSubstr("a b:" + message)));
  };
  expect_refused("one\ntwo \0 three"s,
                 "2:5: a byte that is 0, which text does not have; remove them (tr -d '\\000' < "
                 "'a b' > NEW)");
  expect_refused(
      "one\ntwo\n\0\0\0"s,
      "3:1: ends in 3 bytes that are 0, as after a crash or a failed download; get the file "
      "again; remove them (tr -d '\\000' < 'a b' > NEW)");
  expect_refused(
      "one\r\ntwo\x1A",
      "2:4: ends in Ctrl-Z, as files of DOS do; remove them (tr -d '\\032' < 'a b' > NEW)");
  expect_refused("one\n\x1A\x1A\r\n", "2:1: ends in Ctrl-Z");
  expect_refused("one\r\r\ntwo\r\r\n",
                 "1:4: lines end with \\r\\r\\n, line ends that were converted twice; remove them "
                 "(tr -d '\\r' < 'a b' > NEW)");
  EXPECT_EQ(checked_text("a\nb\nc\r\r\n", "f"), "a\nb\nc\r\r\n") << "no conversion made one";
  EXPECT_EQ(checked_text("one \x1A two\n", "f"), "one \x1A two\n");
  EXPECT_EQ(checked_text("\xEF\xBB\xBF\xEF\xBB\xBFone", "f"), "one");
}

TEST(TextLines, OfSeveralFilesHaveNoByteOrderMarkBetweenThem) {
  const std::string mark = "\xEF\xBB\xBF";
  EXPECT_THAT([&] { refuse_marks_between_lines("one\n" + mark + "two", "a b"); },
              ThrowsMessage<ConfigError>(
                  HasSubstr("a b:2:1: this line begins with a byte order mark, as in concatenated "
                            "files; remove it (sed 's/\\xEF\\xBB\\xBF//g' 'a b' > NEW)")));
  EXPECT_NO_THROW(refuse_marks_between_lines("one " + mark + "\ntwo" + mark + "x", "f"));
  const TempFolder folder;
  const auto warned = [&](const std::string& text) {
    write_text(folder / "text", text);
    testing::internal::CaptureStderr();
    EXPECT_EQ(read_running_text(folder / "text"), text);
    return testing::internal::GetCapturedStderr();
  };
  EXPECT_EQ(warned("W " + mark + " / 51 " + mark + "x y" + mark + " z"), "") << "as in WikiText-2";
  EXPECT_THAT(warned("one\nend" + mark + "Begin"),
              HasSubstr("/text:2:4: U+FEFF between two letters is kept; if it is the byte order"));
}

TEST(TextLines, OfAPipeAreReportedWithACommandForThePipe) {
  const auto message = [](const std::string& bytes) {
    try {
      checked_text(bytes, "standard input");
    } catch (const ConfigError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(message("one\ntwo \0 three"s),
            "standard input:2:5: a byte that is 0, which text does not have; remove them (tr -d "
            "'\\000' < FILE | rethink ...)");
  EXPECT_EQ(message("one\x1A"),
            "standard input:1:4: ends in Ctrl-Z, as files of DOS do; remove them (tr -d '\\032' < "
            "FILE | rethink ...)");
  EXPECT_THAT(message("caf\xE9"), HasSubstr("is not UTF-8; convert it before the pipe (iconv"));
  EXPECT_THAT(
      [] { refuse_marks_between_lines("a\n\xEF\xBB\xBF", "standard input"); },
      ThrowsMessage<ConfigError>(HasSubstr("(sed 's/\\xEF\\xBB\\xBF//g' FILE | rethink ...)")));
  EXPECT_THAT(
      message("version https://git-lfs.github.com/spec/v1\noid sha256:a\nsize 9\n"),
      HasSubstr("standard input: is a Git LFS pointer, which stands for a file of 9 bytes"));
  EXPECT_THAT(message("/annex/objects/SHA256E-s9--a.txt\n"),
              HasSubstr("run `git annex get FILE` in"));
}

TEST(TextLines, OfAWebPageAreReadWithAWarning) {
  const TempFolder folder;
  write_text(folder / "text", "<!DOCTYPE html>\n<p>one\n");
  testing::internal::CaptureStderr();
  EXPECT_EQ(read_running_text(folder / "text"), "<!DOCTYPE html>\n<p>one\n");
  EXPECT_THAT(
      testing::internal::GetCapturedStderr(),
      HasSubstr("/text: is a web page (HTML), whose tags are read as text; if the text alone "
                "is meant: w3m -dump"));
}

TEST(TextLines, SayWhereAByteIsNotUtf8) {
  EXPECT_THAT(
      [] { checked_text("one\nfünf zw\xF6lf\n", "f"); },
      ThrowsMessage<ConfigError>(HasSubstr(
          "f:2:8: the byte 0xF6 is not UTF-8; convert the file first (iconv -f LATIN1 -t UTF-8")));
}

}  // namespace
}  // namespace rethink
