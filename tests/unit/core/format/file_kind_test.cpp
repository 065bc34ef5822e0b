#include "core/format/file_kind.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "core/format/safetensors.h"
#include "core/format/tokenizer_folder.h"
#include "core/json.h"
#include "core/yaml/yaml.h"
#include "tests/support/temp_folder.h"

namespace rethink {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;
using testing::ThrowsMessage;
using namespace std::string_literals;

std::string utf32(const std::string& text, bool is_big_endian) {
  std::string wide;
  for (const char c : text) wide += is_big_endian ? "\0\0\0"s + c : c + "\0\0\0"s;
  return wide;
}

/// Returns an archive of one empty file, without the magic of POSIX.
std::string old_tar() {
  std::string header(512, '\0');
  header.replace(0, 5, "a.txt");
  const auto sum = static_cast<unsigned>('a' + '.' + 't' + 'x' + 't' + 8 * ' ');
  header.replace(148, 6, fmt::format("{:06o}", sum));
  return header + std::string(1024, '\0');
}

std::string utf16(const std::string& text, bool is_big_endian) {
  std::string wide;
  for (const char c : text) wide += is_big_endian ? "\0"s + c : c + "\0"s;
  return wide;
}

struct GivenFile {
  std::string bytes, is, advice;
};

const GivenFile kAnywhere[] = {
    {"\x1F\x8B\x08\0\0\0\0\0\0"s, "is compressed with gzip", "gzip -dc < "},
    {"PK\x03\x04\x14\0\0\0\0"s, "is a zip archive", "unzip -p "},
    {"\xFD"
     "7zXZ\0\0\x04\xE6"s,
     "is compressed with xz", "xz -dc < "},
    {"BZh91AY&SY\xE6", "is compressed with bzip2", "bzip2 -dc < "},
    {"\x28\xB5\x2F\xFD\x04\0\0\0\0"s, "is compressed with zstd", "zstd -dc < "},
    {"\x89HDF\r\n\x1A\n\0"s, "is HDF5, as TensorFlow's tf_model.h5 is",
     "\n  import os, transformers as t; os.rename(\"given\", \"tf_model.h5\")\n"},
    {"PK\x05\x06" + std::string(18, '\0'), "is a zip archive without files", "get it again"},
    {old_tar(), "is an archive (tar)", "tar -xf "},
    {"a.txt" + std::string(252, '\0') + "ustar" + std::string(500, '\0'), "is an archive (tar)",
     "tar -xf "},
    {std::string(5000, '\0'),
     "holds only zero bytes, as after a crash or a failed download; expected ", "get it again"},
    {"PK\x03\x04\0\0\x08\x08\0\0\0\0archive/data.pkl"s, "is a pickle, as PyTorch's",
     "\n  import torch, safetensors.torch as st; d = torch.load("},
    {"\x80\x02\x8A\x0Al\xFC\x9C\x46\xF9", "is a pickle, as PyTorch's", "torch.load(\""},
    {"\x80\x04\x95\x10\0\0\0\0\0"s, "is a pickle, as PyTorch's", "weights_only=True"},
    {"PK\x03\x04\x14\0\x06\0\x08\0\0\0\x21\0\x62\xEE\x9D\x68\x5E\1\0\0\x90\4\0\0\x13\0\x08\2[Content_Types].xml"s,
     "is a document of Excel, Word or LibreOffice", "save it as text there"},
    {"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1\0\0"s, "is a document of Excel or Word", "save it as text"},
    {"%PDF-1.7\n%\xE2\xE3\xCF\xD3\n", "is a PDF", "pdftotext "},
    {"PAR1\x15\4\x15\0\x15\x80"s, "is Parquet", "pandas.read_parquet("},
    {"\xFF\xFF\xFF\xFF\x70\1\0\0\x10\0\0\0"s, "is Arrow", "datasets.Dataset.from_file("},
    {"<!DOCTYPE html>\n<html lang=\"en\">", "is a web page (HTML)", "instead of /blob/"},
    {"\xEF\xBB\xBF\n <HTML><head>", "is a web page (HTML)", "download the file itself"},
    {"", "is empty", "write it, or get it again"},
    {"version https://git-lfs.github.com/spec/v1\noid sha256:aa\nsize 7\n",
     "is a Git LFS pointer, which stands for a file of 7 bytes", "git lfs pull"}};

const GivenFile kOfText[] = {
    {"\xFF\xFE" + utf16("{\"a\": 1}", false), "is UTF-16", "iconv -f UTF-16 -t UTF-8 "},
    {"\xFE\xFF" + utf16("{\"a\": 1}", true), "is UTF-16", "iconv -f UTF-16 -t UTF-8 "},
    {utf16("[PAD]\n", false), "is UTF-16", "iconv -f UTF-16LE -t UTF-8 "},
    {utf16("a: 1\n", true), "is UTF-16", "iconv -f UTF-16BE -t UTF-8 "},
    {"\xFF\xFE\0\0a\0\0\0"s, "is UTF-32", "iconv -f UTF-32 -t UTF-8 "},
    {"\0\0\xFE\xFF"s + utf32("{\"a\": 1}", true), "is UTF-32", "iconv -f UTF-32 -t UTF-8 "},
    {utf32("[PAD]\n", false), "is UTF-32", "iconv -f UTF-32LE -t UTF-8 "},
    {utf32("a: 1\n", true), "is UTF-32", "iconv -f UTF-32BE -t UTF-8 "}};

struct FileReader {
  std::string expected;
  void (*read)(const std::filesystem::path&);
};

const FileReader kTextReaders[] = {
    {"JSON", [](const std::filesystem::path& file) { read_json(file); }},
    {"YAML", [](const std::filesystem::path& file) { read_yaml(file); }},
    {"a vocabulary, a piece a line",
     [](const std::filesystem::path& file) { read_vocabulary_file(file); }}};
const FileReader kSafetensorsReader = {
    "safetensors", [](const std::filesystem::path& file) { SafetensorsFile{file}; }};

class FileKind : public testing::Test {
 protected:
  void expect_named(const GivenFile& given, const FileReader& reader) const {
    SCOPED_TRACE(given.is + ", expected " + reader.expected);
    const std::filesystem::path file = folder_ / "given";
    write_text(file, given.bytes);
    EXPECT_THAT([&] { reader.read(file); },
                ThrowsMessage<ConfigError>(
                    AllOf(StartsWith(file.string() + ": " + given.is), HasSubstr(given.advice))));
    if (given.is.find("Git LFS") != std::string::npos) return;
    EXPECT_THAT([&] { reader.read(file); },
                ThrowsMessage<ConfigError>(HasSubstr("; expected " + reader.expected + ": ")));
  }

  const TempFolder folder_;
};

TEST_F(FileKind, IsNamedByEveryReader) {
  for (const GivenFile& given : kAnywhere) {
    for (const FileReader& reader : kTextReaders) expect_named(given, reader);
    expect_named(given, kSafetensorsReader);
  }
}

TEST_F(FileKind, OfWideTextIsNamedByReadersOfText) {
  for (const GivenFile& given : kOfText) {
    for (const FileReader& reader : kTextReaders) expect_named(given, reader);
  }
}

TEST_F(FileKind, OfAnIndexOfWeightsIsNamed) {
  expect_named({R"({"metadata": {}, "weight_map": {"a": "model-00001-of-00002.safetensors"}})",
                "is JSON, as the index of weights in several files is", "model-*.safetensors"},
               kSafetensorsReader);
}

TEST_F(FileKind, OfAServersAnswerIsPrinted) {
  const auto weights = [](const std::string& text) {
    return other_kind_of_file(text, "f", ExpectedFile::safetensors);
  };
  EXPECT_EQ(weights("Entry not found"),
            "f: is a short text, 'Entry not found'; expected safetensors: download it again");
  EXPECT_THAT(weights("{\"error\":\"Repository not found\"}\n"),
              HasSubstr(R"(is a short text, '{"error":"Repository not found"}'; expected)"));
  EXPECT_THAT(weights("<?xml version=\"1.0\"?>\n<Error>\x1B[31m</Error>"),
              HasSubstr(R"('<?xml version="1.0"?> <Error>\x1b[31m</Error>')"));
  EXPECT_THAT(weights(std::string(5000, 'x')), HasSubstr("f: is a text, 'xxx"));
  EXPECT_THAT(weights(std::string(299, 'x') + "\u00E9\u00E9"), HasSubstr("x\u00E9...'"));
  EXPECT_EQ(weights("\x01\x02\xFFno text"), "");
  const auto json = [](const std::string& text) {
    return other_kind_of_file(text, "f", ExpectedFile::json);
  };
  EXPECT_THAT(json("Invalid username or password.\n"),
              HasSubstr("is a short text, 'Invalid username or password.'; expected JSON: "));
  EXPECT_THAT(json(" <?xml?><Error/>"), HasSubstr("is a short text"));
  for (const char* text : {"true", "null", "NaN", "1", "\"a\"", "[", "{\"error\": 1}", ","})
    EXPECT_EQ(json(text), "");
  expect_named({"Not Fou", "is a short text, 'Not Fou'", "download it again"}, kSafetensorsReader);
}

TEST_F(FileKind, IsNotReportedForExpectedKinds) {
  const auto kind = [](const std::string& bytes, ExpectedFile expected) {
    return other_kind_of_file(bytes, "f", expected);
  };
  for (const ExpectedFile expected :
       {ExpectedFile::text, ExpectedFile::vocabulary, ExpectedFile::json, ExpectedFile::yaml}) {
    for (const std::string& text :
         {"{}"s, "\x80"s, "a: 1\n\0\0\0"s, "one \0 of many"s, "a\0b"s, "{}" + std::string(9, '\0')})
      EXPECT_EQ(kind(text, expected), "") << text;
  }
  for (const ExpectedFile expected :
       {ExpectedFile::text, ExpectedFile::vocabulary, ExpectedFile::yaml}) {
    for (const char* text : {"BZh is a name", "PAR1 is a name", "PKzip", "<a>"})
      EXPECT_EQ(kind(text, expected), "");
  }
  EXPECT_EQ(kind("", ExpectedFile::text), "");
  EXPECT_EQ(kind("", ExpectedFile::table), "");
  EXPECT_EQ(kind("<html>", ExpectedFile::text), "");
  EXPECT_THAT(kind("<html>", ExpectedFile::table),
              HasSubstr("is a web page (HTML); expected a table"));
  EXPECT_THAT(kind("<html>", ExpectedFile::wikipedia_dump), HasSubstr("is a web page"));
  EXPECT_THAT(kind("", ExpectedFile::wikipedia_dump), HasSubstr("is empty"));
  EXPECT_EQ(kind("<mediawiki>", ExpectedFile::wikipedia_dump), "");
  // The length of a header may begin with any bytes.
  EXPECT_EQ(kind("\x1F\x8B\x08\0\0\0\0\0{"s, ExpectedFile::safetensors), "");
  EXPECT_EQ(kind("\x02\0\0\0\0\0\0\0{}"s, ExpectedFile::safetensors), "");
}

TEST_F(FileKind, IsBinaryIfNoEncodingMakesItText) {
  const std::string png = "\x89PNG\r\n\x1A\n\0\0\0\rIHDR\0\0\2\xF8"s,
                    program =
                        "\x7F"
                        "ELF\2\1\1\0\0\0\0\0\0\0\0\0\3\0>\0\xF0\x9A"s;
  for (const ExpectedFile expected :
       {ExpectedFile::text, ExpectedFile::table, ExpectedFile::vocabulary, ExpectedFile::json}) {
    for (const std::string& bytes : {png, program})
      EXPECT_THAT(other_kind_of_file(bytes, "f", expected), HasSubstr("f: is binary, not text; "));
  }
  EXPECT_EQ(other_kind_of_file(png, "f", ExpectedFile::yaml),
            "f: is binary, not text; expected YAML: name a file of text");
  EXPECT_EQ(other_kind_of_file(png, "f", ExpectedFile::wikipedia_dump), "");
  EXPECT_EQ(other_kind_of_file("caf\xE9 \x93x\x94\x0C\r\n\x1A", "f", ExpectedFile::yaml), "");
  // The words "caf\u00E9: 1" in UTF-16.
  EXPECT_THAT(other_kind_of_file("c\0a\0f\0\xE9\0:\0 \0001\0"s, "f", ExpectedFile::yaml),
              HasSubstr("iconv -f UTF-16LE -t UTF-8 f > NEW"));
}

TEST_F(FileKind, OfJsonMayHaveTwoByteOrderMarks) {
  write_text(folder_ / "f", "\xEF\xBB\xBF\xEF\xBB\xBF{\"a\": 1}");
  EXPECT_EQ(read_json(folder_ / "f"), Json({{"a", 1}}));
}

TEST_F(FileKind, IsReportedWithACommandForTheShellOrForPython) {
  EXPECT_EQ(other_kind_of_file("\x1F\x8B", "a b.json", ExpectedFile::json),
            "a b.json: is compressed with gzip; expected JSON: gzip -dc < 'a b.json' > NEW");
  EXPECT_THAT(other_kind_of_file("\x80\x02}q", "a \"b\"", ExpectedFile::safetensors),
              HasSubstr(R"(torch.load("a \"b\"", "cpu", weights_only=True))"));
  EXPECT_THAT(other_kind_of_file("\x89HDF\r\n\x1A\n", "a/b.h5", ExpectedFile::safetensors),
              HasSubstr(R"(os.rename("b.h5", "tf_model.h5"))"));
}

}  // namespace
}  // namespace rethink
