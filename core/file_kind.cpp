#include "core/file_kind.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "core/file.h"
#include "core/json.h"
#include "core/shell_word.h"
#include "core/text_marks.h"
#include "core/utf8.h"

namespace rethink {
namespace {

using namespace std::string_view_literals;

struct KindOfFile {
  std::string_view begins;
  const char *is, *advice;  // {} in the advice stands for the file
};

// torch.load reads a file of any name, which is put here as a Python string.
constexpr const char* kFromPyTorch =
    R"(convert it with these two lines of Python (pip install torch safetensors):
  import torch, safetensors.torch as st
  st.save_file({{k: v.contiguous().clone() for k, v in torch.load({}, "cpu", weights_only=True).items()}}, "NEW.safetensors"))";

// UTF-32's mark begins with UTF-16's, a zip archive may be PyTorch's.
constexpr KindOfFile kKindsByFirstBytes[] = {
    {"\x1F\x8B"sv, "is compressed with gzip", "gzip -dc < {} > NEW"},
    {"PK\x03\x04"sv, "is a zip archive", "unzip -p {} > NEW"},
    {"\xFD"
     "7zXZ\0"sv,
     "is compressed with xz", "xz -dc < {} > NEW"},
    {"BZh"sv, "is compressed with bzip2", "bzip2 -dc < {} > NEW"},
    {"\x28\xB5\x2F\xFD"sv, "is compressed with zstd", "zstd -dc < {} > NEW"},
    {"\x89HDF\r\n\x1A\n"sv, "is HDF5, as TensorFlow's tf_model.h5 is",
     "get the model.safetensors of these weights, or convert them with transformers 4.49 "
     "(from_tf)"},
    {"\xFF\xFE\0\0"sv, "is UTF-32", "iconv -f UTF-32 -t UTF-8 {} > NEW"},
    {"\0\0\xFE\xFF"sv, "is UTF-32", "iconv -f UTF-32 -t UTF-8 {} > NEW"},
    {"\xFF\xFE"sv, "is UTF-16", "iconv -f UTF-16 -t UTF-8 {} > NEW"},
    {"\xFE\xFF"sv, "is UTF-16", "iconv -f UTF-16 -t UTF-8 {} > NEW"}};

constexpr KindOfFile kUtf16 = {{}, "is UTF-16", "iconv -f UTF-16LE -t UTF-8 {} > NEW"};
constexpr KindOfFile kUtf16BigEndian = {{}, "is UTF-16", "iconv -f UTF-16BE -t UTF-8 {} > NEW"};
constexpr KindOfFile kPickle = {{}, "is a pickle, as PyTorch's pytorch_model.bin is", kFromPyTorch};
constexpr KindOfFile kWebPage = {
    {},
    "is a web page (HTML)",
    "download the file itself, from the Hub with /resolve/ in the address "
    "instead of /blob/"};
constexpr KindOfFile kEmptyFile = {{}, "is empty", "write it, or get it again"};
constexpr KindOfFile kJsonFile = {{},
                                  "is JSON, as the index of weights in several files is",
                                  "get the files that it names, model-*.safetensors"};

constexpr size_t kBytesOfAKind = 1024;

const char* text_of_expected(ExpectedFile expected) {
  switch (expected) {
    case ExpectedFile::text:
      return "text";
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

/// Every other byte of Latin letters in UTF-16 is 0, in text none is.
bool is_utf16_without_mark(std::string_view begin) {
  return std::ranges::count(begin, '\0') * 4 > static_cast<ptrdiff_t>(begin.size());
}

/// PyTorch's zip archives hold data.pkl first; its older files begin with the opcode of a protocol.
bool is_pickle(std::string_view begin) {
  if (begin.starts_with("PK\x03\x04")) return begin.find("data.pkl") != std::string_view::npos;
  return begin.size() > 2 && begin[0] == '\x80' && begin[1] >= 2 && begin[1] <= 5 &&
         (begin[2] == '\x8A' || begin[2] == '}' || begin[2] == 'c' || begin[2] == '\x95');
}

bool is_web_page(std::string_view begin) {
  if (begin.starts_with(kByteOrderMark)) begin.remove_prefix(kByteOrderMark.size());
  begin.remove_prefix(std::min(begin.find_first_not_of(" \t\r\n"), begin.size()));
  const auto starts_with = [&](std::string_view tag) {
    return std::ranges::equal(begin.substr(0, tag.size()), tag, [](char a, char b) {
      return (a >= 'A' && a <= 'Z' ? a + 32 : a) == b;
    });
  };
  return starts_with("<!doctype html") || starts_with("<html");
}

/// Null pointer where nothing says that the bytes are not what is expected.
const KindOfFile* known_other_kind(std::string_view bytes, ExpectedFile expected) {
  const std::string_view begin = bytes.substr(0, kBytesOfAKind);
  const bool is_weights = expected == ExpectedFile::safetensors;
  // A header begins behind its length, whose bytes may be any.
  if (is_weights && begin.size() > 8 && begin[8] == '{' && begin[0] != '{') return nullptr;
  const bool is_blank = bytes.find_first_not_of(" \t\r\n") == std::string_view::npos;
  if (begin.empty() || (is_blank && expected == ExpectedFile::json))
    return expected == ExpectedFile::text ? nullptr : &kEmptyFile;
  if (is_pickle(begin)) return &kPickle;
  for (const KindOfFile& kind : kKindsByFirstBytes) {
    const bool is_text = kind.begins == "BZh" && find_invalid_utf8(bytes) == std::string::npos;
    if (begin.starts_with(kind.begins) && !is_text) return &kind;
  }
  if (expected != ExpectedFile::text && is_web_page(begin)) return &kWebPage;
  if (is_weights) return begin[0] == '{' ? &kJsonFile : nullptr;
  if (!is_utf16_without_mark(begin)) return nullptr;
  // The first letter of a text is seldom beyond U+00FF: its 0 says which byte comes first.
  return begin[0] == '\0' ? &kUtf16BigEndian : &kUtf16;
}

}  // namespace

std::string other_kind_of_file(std::string_view bytes, const std::string& name,
                               ExpectedFile expected) {
  const KindOfFile* kind = known_other_kind(bytes, expected);
  if (!kind) return "";
  const bool is_python = kind == &kPickle;
  const std::string file = is_python
                               ? Json(name).dump(-1, ' ', true, Json::error_handler_t::replace)
                               : for_a_shell(name);
  return fmt::format("{}: {}; expected {}: {}", name, kind->is, text_of_expected(expected),
                     fmt::format(fmt::runtime(kind->advice), file));
}

void refuse_other_kind(std::string_view bytes, const std::string& name, ExpectedFile expected) {
  const std::string trouble = other_kind_of_file(bytes, name, expected);
  if (!trouble.empty()) throw ConfigError(trouble);
}

std::string read_expected(const std::filesystem::path& file, ExpectedFile expected) {
  std::string bytes = read_file(file);
  refuse_other_kind(bytes, file.string(), expected);
  return bytes;
}

}  // namespace rethink
