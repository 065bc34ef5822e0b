#include "core/git_lfs.h"

#include <fmt/format.h>

#include <fstream>
#include <string>

#include "core/error.h"

namespace rethink {
namespace {

constexpr size_t kPointerBytes = 200;
constexpr std::string_view kFirstLine = "version https://git-lfs.github.com/spec/";

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

/// What follows `key` on its line; "" without such a line.
std::string_view line_after(std::string_view text, std::string_view key) {
  const size_t at = text.find(key);
  if (at == std::string_view::npos) return {};
  text.remove_prefix(at + key.size());
  return text.substr(0, text.find_first_of("\r\n"));
}

}  // namespace

void refuse_git_lfs_pointer(const std::filesystem::path& file, std::string_view bytes) {
  if (!bytes.starts_with(kFirstLine)) return;
  const std::string_view size = line_after(bytes.substr(0, kPointerBytes), "\nsize ");
  const bool is_number =
      !size.empty() && size.find_first_not_of("0123456789") == std::string_view::npos;
  throw ConfigError(fmt::format(
      "{}: is a Git LFS pointer, which stands for a file of {}, not the file itself; run "
      "`git lfs install && git lfs pull` in the repository that it comes from, or download the "
      "file",
      file.string(), is_number ? std::string(size) + " bytes" : "unknown size"));
}

void refuse_git_lfs_pointer(const std::filesystem::path& file) {
  refuse_git_lfs_pointer(file, beginning_of(file));
}

bool is_git_lfs_pointer(const std::filesystem::path& file) {
  return beginning_of(file).starts_with(kFirstLine);
}

}  // namespace rethink
