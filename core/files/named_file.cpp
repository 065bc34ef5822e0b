#include "core/files/named_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <string>

#include "core/error.h"
#include "core/files/piped_input.h"
#include "core/message.h"
#include "core/text.h"

namespace rethink {

namespace {

std::filesystem::file_status status_of_named(const std::filesystem::path& path) {
  std::error_code failed;
  const std::filesystem::file_status status = std::filesystem::status(path, failed);
  if (!failed || status.type() == std::filesystem::file_type::not_found) return status;
  if (failed == std::errc::filename_too_long)
    return std::filesystem::file_status(std::filesystem::file_type::not_found);
  throw std::filesystem::filesystem_error("cannot look at", path, failed);
}

}  // namespace

bool is_there(const std::filesystem::path& path) {
  return std::filesystem::exists(status_of_named(path));
}

bool is_file_there(const std::filesystem::path& path) {
  return std::filesystem::is_regular_file(status_of_named(path));
}

bool is_regular_file_there(const std::filesystem::path& path) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(path, ignored);
}

bool is_readable_there(const std::filesystem::path& path) {
  const std::filesystem::file_status status = status_of_named(path);
  return std::filesystem::exists(status) && !std::filesystem::is_directory(status);
}

bool is_surely_missing(const std::filesystem::path& path) {
  std::error_code failed;
  return std::filesystem::status(path, failed).type() == std::filesystem::file_type::not_found;
}

std::string trouble_of_dangling_link(const std::filesystem::path& path) {
  std::filesystem::path part;
  for (const std::filesystem::path& name : path) {
    part /= name;
    std::error_code unknown;
    if (!std::filesystem::is_symlink(part, unknown)) continue;
    if (std::filesystem::status(part, unknown).type() != std::filesystem::file_type::not_found)
      continue;
    const std::string target = std::filesystem::read_symlink(part, unknown).string();
    const bool is_of_annex = target.find("annex/objects/") != std::string::npos;
    return fmt::format("{}: is a link to {}, which does not exist; {}", part.string(), target,
                       is_of_annex
                           ? fmt::format("run `git annex get {}` in the folder that the link is in",
                                         for_a_shell(part.filename().string()))
                           : std::string("put the file there, or mount the disk that it is on"));
  }
  return "";
}

void refuse_dangling_link(const std::filesystem::path& path) {
  const std::string trouble = trouble_of_dangling_link(path);
  if (!trouble.empty()) throw ConfigError("dangling-link", trouble);
}

namespace {

constexpr size_t kPointerBytes = 256;
constexpr std::string_view kLfsFirstLines[] = {"version https://git-lfs.github.com/spec/",
                                               "version https://hawser.github.com/spec/",
                                               "version http://git-media.io/v/"};
/// Part of a key: "SHA256E-s440449768--0f3c.safetensors".
constexpr std::string_view kAnnexFolder = "/annex/objects/";

/// The first bytes of a file; "" if it cannot be read.
std::string beginning_of(const std::filesystem::path& file) {
  if (!is_regular_file_there(file)) return "";
  std::string bytes(kPointerBytes, '\0');
  std::ifstream in(file, std::ios::binary);
  in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<size_t>(in.gcount()));
  return bytes;
}

/// "7 bytes" from the digits that follow `key` in `text`.
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
  throw ConfigError(
      "git-pointer",
      fmt::format("{}: is a {} pointer, which stands for a file of {}, not the file itself; run "
                  "`{}` in the "
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
