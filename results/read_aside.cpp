#include "results/read_aside.h"

#include <fmt/format.h>
#include <sqlite3.h>
#include <stdlib.h>

#include <cctype>
#include <cerrno>

#include "core/file.h"
#include "core/lock.h"

namespace rethink {
namespace {

/// "file:/a%20b/rethink.db?QUERY"
std::string uri_of(const std::filesystem::path& path, const std::string& query) {
  std::string uri = "file:";
  for (const char c : std::filesystem::absolute(path).string()) {
    const auto byte = static_cast<unsigned char>(c);
    const bool is_plain = std::isalnum(byte) || c == '/' || c == '.' || c == '-' || c == '_';
    uri += is_plain ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  return uri + "?" + query;
}

std::filesystem::path private_folder() {
  std::string name = (std::filesystem::temp_directory_path() / "rethink-XXXXXX").string();
  if (!mkdtemp(name.data())) throw_file_error(name, "cannot make the folder", errno);
  return name;
}

}  // namespace

bool may_read_aside(const std::filesystem::path& store_folder, const SQLite::Exception& error) {
  const int code = error.getErrorCode();
  if (code != SQLITE_CANTOPEN && code != SQLITE_READONLY && code != SQLITE_IOERR) return false;
  return std::filesystem::is_directory(store_folder) && !is_locked(store_folder / "lock");
}

AsidePlace place_aside(const std::filesystem::path& database) {
  const std::string wal = database.string() + "-wal";
  std::error_code none;
  if (const auto bytes = std::filesystem::file_size(wal, none); none || bytes == 0)
    return {uri_of(database, "mode=ro&immutable=1"), {}};
  const std::filesystem::path folder = private_folder(), copy = folder / database.filename();
  std::error_code failed;
  if (std::filesystem::copy_file(database, copy, failed); !failed)
    std::filesystem::copy_file(wal, copy.string() + "-wal", failed);
  if (failed) {
    std::filesystem::remove_all(folder, none);
    throw_file_error(folder, fmt::format("cannot copy {} and its -wal there", database.string()),
                     failed.value());
  }
  return {uri_of(copy, "mode=ro"), folder};
}

}  // namespace rethink
