#include "core/system/named_path.h"

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

bool is_readable_there(const std::filesystem::path& path) {
  const std::filesystem::file_status status = status_of_named(path);
  return std::filesystem::exists(status) && !std::filesystem::is_directory(status);
}

bool is_surely_missing(const std::filesystem::path& path) {
  std::error_code failed;
  return std::filesystem::status(path, failed).type() == std::filesystem::file_type::not_found;
}

}  // namespace rethink
