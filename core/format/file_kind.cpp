#include "core/format/file_kind.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>

#include "core/error.h"
#include "core/files/file.h"
#include "core/files/piped_input.h"
#include "core/json.h"
#include "core/message.h"
#include "core/text.h"

namespace rethink {

namespace {

using namespace std::string_view_literals;

/// The form of the file's name in an advice: a word for a shell, or a Python string.
enum class NameIn { shell, python, python_without_folder };

struct KindOfFile {
  std::string_view begins;
  const char *is, *advice;
  NameIn name = NameIn::shell;
};

// torch.load reads a file of any name. Training programs keep the weights beside other state, under
// these keys (models/huggingface/other_weights.cpp has the same lines for a folder).
constexpr const char* kFromPyTorch =
    R"(convert it with these two lines of Python (pip install torch safetensors):
  import torch, safetensors.torch as st; d = torch.load({}, "cpu", weights_only=True)
  st.save_file({{k: v.contiguous().clone() for k, v in d.get("state_dict", d.get("model", d)).items() if torch.is_tensor(v)}}, "NEW.safetensors"))";

constexpr const char* kFromParquet =
    R"(write it as text with pandas (pip install pandas pyarrow): python3 -c 'import pandas, sys; pandas.read_parquet(sys.argv[1]).to_csv("NEW", sep="\t", index=False)' {})";
constexpr const char* kFromArrow =
    R"(write it as text (pip install datasets): python3 -c 'import datasets, sys; datasets.Dataset.from_file(sys.argv[1]).to_csv("NEW", sep="\t", index=False)' {})";
constexpr const char* kFromOffice =
    "open it in a program that reads it, and save it as text there, with tabs between columns";

constexpr const char* kFromTensorFlow =
    R"(convert it with these two lines of Python, run in its folder (pip install 'transformers<4.50' torch tensorflow tf-keras):
  import os, transformers as t; os.rename({}, "tf_model.h5")
  getattr(t, t.AutoConfig.from_pretrained(".").architectures[0]).from_pretrained(".", from_tf=True).save_pretrained("."))";

// The order matters: UTF-32's mark begins with UTF-16's, and a zip archive may be PyTorch's.
constexpr KindOfFile kKindsByFirstBytes[] = {
    {"\x1F\x8B"sv, "is compressed with gzip", "gzip -dc < {} > NEW"},
    {"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"sv, "is a document of Excel or Word", kFromOffice},
    {"%PDF-"sv, "is a PDF", "pdftotext {} NEW"},
    {"PAR1"sv, "is Parquet", kFromParquet},
    {"\xFF\xFF\xFF\xFF"sv, "is Arrow, as the library datasets keeps data", kFromArrow},
    {"ARROW1\0\0"sv, "is Arrow", kFromArrow},
    {"PK\x03\x04"sv, "is a zip archive", "unzip -p {} > NEW"},
    {"PK\x05\x06"sv, "is a zip archive without files", "get it again"},
    {"\xFD"
     "7zXZ\0"sv,
     "is compressed with xz", "xz -dc < {} > NEW"},
    {"BZh"sv, "is compressed with bzip2", "bzip2 -dc < {} > NEW"},
    {"\x28\xB5\x2F\xFD"sv, "is compressed with zstd", "zstd -dc < {} > NEW"},
    {"\x89HDF\r\n\x1A\n"sv, "is HDF5, as TensorFlow's tf_model.h5 is", kFromTensorFlow,
     NameIn::python_without_folder},
    {"\xFF\xFE\0\0"sv, "is UTF-32", "iconv -f UTF-32 -t UTF-8 {} > NEW"},
    {"\0\0\xFE\xFF"sv, "is UTF-32", "iconv -f UTF-32 -t UTF-8 {} > NEW"},
    {"\xFF\xFE"sv, "is UTF-16", "iconv -f UTF-16 -t UTF-8 {} > NEW"},
    {"\xFE\xFF"sv, "is UTF-16", "iconv -f UTF-16 -t UTF-8 {} > NEW"}};

constexpr KindOfFile kUtf16 = {{}, "is UTF-16", "iconv -f UTF-16LE -t UTF-8 {} > NEW"};
constexpr KindOfFile kUtf16BigEndian = {{}, "is UTF-16", "iconv -f UTF-16BE -t UTF-8 {} > NEW"};
constexpr KindOfFile kUtf32 = {{}, "is UTF-32", "iconv -f UTF-32LE -t UTF-8 {} > NEW"};
constexpr KindOfFile kUtf32BigEndian = {{}, "is UTF-32", "iconv -f UTF-32BE -t UTF-8 {} > NEW"};
constexpr KindOfFile kOffice = {{}, "is a document of Excel, Word or LibreOffice", kFromOffice};
constexpr KindOfFile kTar = {{}, "is an archive (tar)", "tar -xf {}"};
constexpr KindOfFile kZeros = {
    {}, "holds only zero bytes, as after a crash or a failed download", "get it again"};
constexpr KindOfFile kPickle = {
    {}, "is a pickle, as PyTorch's pytorch_model.bin is", kFromPyTorch, NameIn::python};
constexpr KindOfFile kWebPage = {
    {},
    "is a web page (HTML)",
    "download the file itself, from the Hub with /resolve/ in the address "
    "instead of /blob/"};
constexpr KindOfFile kEmptyFile = {{}, "is empty", "write it, or get it again"};
constexpr KindOfFile kBinary = {{}, "is binary, not text", "name a file of text"};
constexpr KindOfFile kJsonFile = {{},
                                  "is JSON, as the index of weights in several files is",
                                  "get the files that it names, model-*.safetensors"};

constexpr size_t kBytesOfAKind = 1024;
constexpr size_t kShortText = 4096;  // longer than the page that a server sends instead of a file
constexpr size_t kCharactersShown = 300;  // shown of such a text

const char* text_of_expected(ExpectedFile expected) {
  switch (expected) {
    case ExpectedFile::text:
      return "text";
    case ExpectedFile::table:
      return "a table, as text";
    case ExpectedFile::wikipedia_dump:
      return "text of a Wikipedia dump";
    case ExpectedFile::vocabulary:
      return "a vocabulary, a piece a line";
    case ExpectedFile::json:
      return "JSON";
    case ExpectedFile::yaml:
      return "YAML";
    case ExpectedFile::safetensors:
      return "safetensors";
  }
  return "";
}

/// In UTF-16 and UTF-32 without a byte order mark, Latin letters have zeros in the same bytes of
/// each unit. Text that a crash filled with zeros has zeros in every byte.
const KindOfFile* wide_text_without_mark(std::string_view begin) {
  std::array<size_t, 4> zeros{};  // zeros among the bytes at 4 * i + j
  for (size_t i = 0; i < begin.size(); ++i) zeros[i % 4] += begin[i] == '\0' ? 1 : 0;
  const auto few_of = [](size_t count, size_t all) { return 8 * count < all; };
  const auto most_of = [](size_t count, size_t all) { return 4 * count > 3 * all; };
  if (const size_t units = begin.size() / 4; begin.size() % 4 == 0) {
    if (zeros[3] == units && most_of(zeros[2], units) && few_of(zeros[0], units)) return &kUtf32;
    if (zeros[0] == units && most_of(zeros[1], units) && few_of(zeros[3], units))
      return &kUtf32BigEndian;
  }
  if (begin.size() % 2 != 0) return nullptr;
  const size_t units = begin.size() / 2, first = zeros[0] + zeros[2], second = zeros[1] + zeros[3];
  if (2 * second > units && few_of(first, units)) return &kUtf16;
  return 2 * first > units && few_of(second, units) ? &kUtf16BigEndian : nullptr;
}

/// Whether bytes that are not UTF-8 are no text in another encoding either: such a text has hardly
/// any control characters beside white space.
bool is_binary(std::string_view begin) {
  constexpr size_t kLeastShare = 32;
  const size_t bad = find_invalid_utf8(begin);
  if (bad == std::string_view::npos || bad + 3 >= kBytesOfAKind) return false;  // or cut in two
  const auto controls = std::ranges::count_if(begin, [](char c) {
    constexpr std::string_view kInText = "\t\n\v\f\r\x1A\x1B";
    return static_cast<unsigned char>(c) < ' ' && kInText.find(c) == std::string_view::npos;
  });
  return static_cast<size_t>(controls) * kLeastShare > begin.size();
}

/// A member's header contains the sum of its bytes in octal digits; for this sum, the field itself
/// counts as blanks.
bool is_tar(std::string_view begin) {
  constexpr size_t kHeader = 512, kSum = 148, kSumBytes = 8, kMagic = 257;
  if (begin.size() < kHeader) return false;
  if (begin.substr(kMagic).starts_with("ustar")) return true;
  const std::string_view field = begin.substr(kSum, kSumBytes);
  const size_t digit = std::min(field.find_first_not_of(' '), kSumBytes);
  unsigned said = 0, sum = kSumBytes * ' ';
  const auto [end, error] =
      std::from_chars(field.data() + digit, field.data() + field.size(), said, 8);
  for (size_t i = 0; i < kHeader; ++i)
    sum += i < kSum || i >= kSum + kSumBytes ? static_cast<unsigned char>(begin[i]) : 0u;
  return error == std::errc() && said == sum;
}

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// Whether `bytes` may be text that begins like a file of another kind: "BZh", "PAR1".
bool is_text_alone(std::string_view bytes) {
  return find_invalid_utf8(bytes) == std::string::npos && bytes.find('\0') == std::string::npos;
}

/// A server's answer instead of a file, such as "Entry not found" or XML.
bool is_text_instead(std::string_view bytes, ExpectedFile expected) {
  const std::string_view begin = bytes.substr(0, kBytesOfAKind);
  const size_t first = begin.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos || begin.find('\0') != std::string_view::npos) return false;
  const size_t bad = find_invalid_utf8(begin);
  if (bad != std::string_view::npos && bad + 3 < kBytesOfAKind) return false;  // or cut in two
  if (expected == ExpectedFile::safetensors) return true;
  if (expected != ExpectedFile::json) return false;
  const std::string_view text = without_byte_order_marks(begin.substr(first));
  constexpr std::string_view kWordsOfJson[] = {"true", "false", "null", "NaN", "Infinity"};
  return text.starts_with('<') ||
         (!text.empty() && is_letter(text[0]) &&
          std::ranges::none_of(kWordsOfJson, [&](auto word) { return text.starts_with(word); }));
}

/// The text in quotes on one line; of a long text only its beginning.
std::string shown_text(std::string_view bytes) {
  std::string text(bytes.substr(0, kShortText));
  text.erase(text.find_last_not_of(" \t\r\n") + 1);
  text.erase(0, text.find_first_not_of(" \t\r\n"));
  for (char& c : text) c = c == '\n' || c == '\t' || c == '\r' ? ' ' : c;
  size_t end = std::min(kCharactersShown, text.size());
  while (end < text.size() && continues_letter(text[end])) ++end;
  return fmt::format("'{}{}'", visible_controls(text.substr(0, end)),
                     end < text.size() ? "..." : "");
}

/// PyTorch's zip archives hold data.pkl first; its older files begin with the opcode of a protocol.
bool is_pickle(std::string_view begin) {
  if (begin.starts_with("PK\x03\x04")) return begin.find("data.pkl") != std::string_view::npos;
  return begin.size() > 2 && begin[0] == '\x80' && begin[1] >= 2 && begin[1] <= 5 &&
         (begin[2] == '\x8A' || begin[2] == '}' || begin[2] == 'c' || begin[2] == '\x95');
}

/// A zip archive that begins with the first file of such documents.
bool is_office(std::string_view begin) {
  constexpr size_t kFirstName = 30;
  if (!begin.starts_with("PK\x03\x04") || begin.size() < kFirstName) return false;
  begin.remove_prefix(kFirstName);
  constexpr std::string_view kNames[] = {"[Content_Types].xml",
                                         "_rels/",
                                         "docProps/",
                                         "xl/",
                                         "word/",
                                         "mimetypeapplication/vnd.oasis.opendocument"};
  return std::ranges::any_of(kNames, [&](auto name) { return begin.starts_with(name); });
}

/// Null if nothing shows that the bytes are of another kind than expected.
const KindOfFile* known_other_kind(std::string_view bytes, ExpectedFile expected) {
  const std::string_view begin = bytes.substr(0, kBytesOfAKind);
  const bool is_weights = expected == ExpectedFile::safetensors;
  // The header follows its length, whose bytes may have any value.
  if (is_weights && begin.size() > 8 && begin[7] == '\0' && begin[8] == '{') return nullptr;
  const bool is_blank = bytes.find_first_not_of(" \t\r\n") == std::string_view::npos;
  if (begin.empty() || (is_blank && expected == ExpectedFile::json))
    return expected == ExpectedFile::text || expected == ExpectedFile::table ? nullptr
                                                                             : &kEmptyFile;
  if (bytes.find_first_not_of('\0') == std::string_view::npos) return &kZeros;
  if (is_pickle(begin)) return &kPickle;
  if (is_tar(begin)) return &kTar;
  if (is_office(begin)) return &kOffice;
  for (const KindOfFile& kind : kKindsByFirstBytes) {
    const bool is_text = (kind.begins == "BZh" || kind.begins == "PAR1") && is_text_alone(bytes);
    if (begin.starts_with(kind.begins) && !is_text) return &kind;
  }
  if (expected != ExpectedFile::text && is_web_page(begin)) return &kWebPage;
  if (!is_weights) {
    if (const KindOfFile* wide = wide_text_without_mark(begin)) return wide;
    // Whether a file is a dump is part of identities of trials (core/format/text_marks.cpp).
    return expected != ExpectedFile::wikipedia_dump && is_binary(begin) ? &kBinary : nullptr;
  }
  const bool is_index = begin[0] == '{' && bytes.find("\"weight_map\"") != std::string_view::npos;
  return is_index ? &kJsonFile : nullptr;
}

std::string python_name(NameIn where, const std::string& name) {
  const std::string shown =
      where == NameIn::python ? name : std::filesystem::path(name).filename().string();
  return Json(shown).dump(-1, ' ', true, Json::error_handler_t::replace);
}

/// The advice with the file's name. Bytes from a pipe have no name that a command could read, so
/// the advice says what to put before the pipe.
std::string advice_of(const KindOfFile& kind, const std::string& name) {
  const bool is_piped = names_a_pipe(name);
  if (is_piped && &kind == &kEmptyFile) return "see what the command before the pipe says";
  if (kind.name == NameIn::shell) return command_on_file(kind.advice, name);
  return fmt::format(fmt::runtime(kind.advice), python_name(kind.name, is_piped ? "FILE" : name));
}

bool is_cp1252_alone(char c) {
  constexpr std::string_view kUndefined = "\x81\x8D\x8F\x90\x9D";
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x80 && byte < 0xA0 && kUndefined.find(c) == std::string_view::npos;
}

}  // namespace

bool is_program_file(const std::filesystem::path& file) {
  for (const char* ending : {".py", ".sh", ".jl", ".R"}) {
    if (file.extension() == ending) return true;
  }
  std::ifstream bytes(file, std::ios::binary);
  std::string begin(4, '\0');
  bytes.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  return begin.starts_with("#!") || begin ==
                                        "\x7f"
                                        "ELF";
}

bool is_web_page(std::string_view begin) {
  begin = without_byte_order_marks(begin);
  begin.remove_prefix(std::min(begin.find_first_not_of(" \t\r\n"), begin.size()));
  const auto starts_with = [&](std::string_view tag) {
    return std::ranges::equal(begin.substr(0, tag.size()), tag, [](char a, char b) {
      return (a >= 'A' && a <= 'Z' ? a + 32 : a) == b;
    });
  };
  return starts_with("<!doctype html") || starts_with("<html");
}

std::string other_kind_of_file(std::string_view bytes, const std::string& name,
                               ExpectedFile expected) {
  const KindOfFile* kind = known_other_kind(bytes, expected);
  const char* const wanted = text_of_expected(expected);
  if (kind)
    return fmt::format("{}: {}; expected {}: {}", name, kind->is, wanted, advice_of(*kind, name));
  if (!is_text_instead(bytes, expected)) return "";
  return fmt::format("{}: is a {}text, {}; expected {}: download it again", name,
                     bytes.size() <= kShortText ? "short " : "", shown_text(bytes), wanted);
}

void refuse_other_kind(std::string_view bytes, const std::string& name, ExpectedFile expected) {
  const std::string trouble = other_kind_of_file(bytes, name, expected);
  if (!trouble.empty()) throw ConfigError("wrong-file", trouble);
}

std::string read_expected(const std::filesystem::path& file, ExpectedFile expected) {
  std::string bytes = read_file(file);
  refuse_other_kind(bytes, shown_name(file), expected);
  if (expected != ExpectedFile::json) return bytes;
  const std::string trouble = trouble_with_utf8(bytes, shown_name(file));
  if (!trouble.empty()) throw ConfigError("wrong-file", trouble);
  // A JSON parser accepts one byte order mark.
  const size_t marks = bytes.size() - without_byte_order_marks(bytes).size();
  bytes.erase(0, marks - std::min(marks, kByteOrderMark.size()));
  return bytes;
}

Json read_json(const std::filesystem::path& path) {
  return parse_json(read_expected(path, ExpectedFile::json), path.string());
}

Json read_json_object(const std::filesystem::path& path) {
  Json json = read_json(path);
  if (!json.is_object()) throw ConfigError("invalid-json", path.string() + ": got no JSON object");
  return json;
}

std::string place_in_text(const std::string& name, std::string_view text, size_t byte,
                          size_t first_line) {
  const std::string_view before = text.substr(0, byte);
  const auto line = first_line + static_cast<size_t>(std::ranges::count(before, '\n'));
  const std::string_view of_line = before.substr(before.rfind('\n') + 1);  // npos + 1: 0
  const auto characters =
      std::ranges::count_if(of_line, [](char c) { return !continues_letter(c); });
  return fmt::format("{}:{}:{}", name, line, characters + 1);
}

std::string command_on_file(std::string command, const std::string& name) {
  constexpr std::string_view kName = "{}", kNewFile = " > NEW";
  const bool is_piped = names_a_pipe(name);
  if (is_piped && command.ends_with(kNewFile))
    command.replace(command.size() - kNewFile.size(), kNewFile.size(), " | rethink ...");
  if (const size_t at = command.find(kName); at != std::string::npos)
    command.replace(at, kName.size(), is_piped ? "FILE" : for_a_shell(name));
  return command;
}

std::string how_to_convert_to_utf8(std::string_view text) {
  const char* encoding = "LATIN1";
  for (size_t at = find_invalid_utf8(text); at != std::string_view::npos;) {
    if (is_cp1252_alone(text[at])) encoding = "CP1252";
    text.remove_prefix(at + 1);
    at = find_invalid_utf8(text);
  }
  return fmt::format("(iconv -f {} -t UTF-8, or from what it is)", encoding);
}

std::string trouble_with_utf8(std::string_view text, const std::string& name, size_t first_line) {
  const size_t bad = find_invalid_utf8(text);
  if (bad == std::string_view::npos) return "";
  return fmt::format(
      "{}: the byte 0x{:02X} is not UTF-8; convert {} {}",
      place_in_text(name, text, bad, first_line), static_cast<unsigned char>(text[bad]),
      names_a_pipe(name) ? "it before the pipe" : "the file first", how_to_convert_to_utf8(text));
}

}  // namespace rethink
