#include "core/system/git_pointer.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <string>

#include "core/error.h"
#include "core/format/text_marks.h"
#include "core/shell_word.h"
#include "core/system/piped_bytes.h"
#include "core/system/shown_name.h"

namespace rethink {
namespace {

constexpr size_t kPointerBytes = 256;
constexpr std::string_view kLfsFirstLines[] = {"version https://git-lfs.github.com/spec/",
                                               "version https://hawser.github.com/spec/",
                                               "version http://git-media.io/v/"};
/// Of a key: "SHA256E-s440449768--0f3c.safetensors".
constexpr std::string_view kAnnexFolder = "/annex/objects/";

/// The first bytes of a file; "" when it cannot be read.
std::string beginning_of(const std::filesystem::path& file) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(file, ignored)) return "";
  std::string bytes(kPointerBytes, '\0');
  std::ifstream in(file, std::ios::binary);
  in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<size_t>(in.gcount()));
  return bytes;
}

/// "7 bytes" of the digits that follow `key` in `text`.
std::string size_after(std::string_view text, std::string_view key) {
  const size_t at = text.find(key);
  if (at == std::string_view::npos) return "unknown size";
  text.remove_prefix(at + key.size());
  const std::string_view digits = text.substr(0, text.find_first_not_of("0123456789"));
  return digits.empty() ? "unknown size" : std::string(digits) + " bytes";
}

bool is_of_lfs(std::string_view begin) {
  return std::ranges::any_of(kLfsFirstLines,
                             [&](std::string_view line) { return begin.starts_with(line); });
}

bool is_of_annex(std::string_view begin) {
  return begin.starts_with(kAnnexFolder) &&
         begin.substr(0, begin.find('\n')).find("--") != std::string_view::npos;
}

std::string_view beginning_in(std::string_view bytes) {
  return without_byte_order_marks(bytes.substr(0, kPointerBytes));
}

}  // namespace

void refuse_git_pointer(const std::filesystem::path& file, std::string_view bytes) {
  const std::string_view begin = beginning_in(bytes);
  const bool is_lfs = is_of_lfs(begin);
  if (!is_lfs && !is_of_annex(begin)) return;
  const std::string name =
      names_a_pipe(file.string()) ? "FILE" : for_a_shell(file.filename().string());
  const std::string_view of_key = begin.substr(0, begin.find("--"));
  throw ConfigError(fmt::format(
      "{}: is a {} pointer, which stands for a file of {}, not the file itself; run `{}` in the "
      "{} that it comes from, or download the file",
      shown_name(file), is_lfs ? "Git LFS" : "git-annex",
      is_lfs ? size_after(begin, "\nsize ") : size_after(of_key, "-s"),
      is_lfs ? "git lfs install && git lfs pull" : "git annex get " + name,
      is_lfs ? "repository" : "folder"));
}

void refuse_git_pointer(const std::filesystem::path& file) {
  refuse_git_pointer(file, beginning_of(file));
}

bool is_git_pointer(const std::filesystem::path& file) {
  const std::string bytes = beginning_of(file);
  return is_of_lfs(beginning_in(bytes)) || is_of_annex(beginning_in(bytes));
}

}  // namespace rethink
