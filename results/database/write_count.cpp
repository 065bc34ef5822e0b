#include "results/database/write_count.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <charconv>
#include <string>

#include "core/files/store_file.h"
#include "results/database/statement.h"

namespace rethink {
namespace {

constexpr size_t kMostDigits = 20;

/// Opens a regular file without waiting or following a link; no file if the name is of anything
/// else.
FileDescriptor open_count(const std::filesystem::path& store, int flags) {
  const std::filesystem::path file = store / "writes";
  FileDescriptor opened(open(file.c_str(), flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666));
  struct stat status {};
  if (opened && (fstat(opened.get(), &status) != 0 || !S_ISREG(status.st_mode)))
    return FileDescriptor();
  return opened;
}

}  // namespace

int64_t write_count(SQLite::Database& database) {
  if (!database.tableExists("write_count")) return 0;
  return database.execAndGet("SELECT coalesce(max(count), 0) FROM write_count").getInt64();
}

void set_write_count(SQLite::Database& database, int64_t count) {
  database.exec(
      "CREATE TABLE IF NOT EXISTS write_count(count INTEGER NOT NULL) STRICT; "
      "DELETE FROM write_count");
  statement_of(database, "INSERT INTO write_count VALUES(?)", count).exec();
}

int64_t write_count_beside(const std::filesystem::path& store) {
  const FileDescriptor file = open_count(store, O_RDONLY);
  if (!file) return 0;
  char text[kMostDigits + 1];
  const ssize_t bytes = pread(file.get(), text, sizeof text, 0);
  int64_t count = 0;
  if (bytes <= 0) return 0;
  const auto parsed = std::from_chars(text, text + bytes, count);
  const bool is_whole =
      parsed.ec == std::errc() && parsed.ptr != text + bytes && *parsed.ptr == '\n';
  return is_whole ? count : 0;
}

FileDescriptor open_write_count(const std::filesystem::path& store) {
  FileDescriptor file = open_count(store, O_WRONLY | O_CREAT);
  struct stat status {};
  // The file is of another user who shares the store; its number can still be read.
  const bool is_closed = !file && open_count(store, O_RDONLY);
  if (!is_closed && (!file || fstat(file.get(), &status) != 0 || status.st_nlink == 1)) return file;
  // Other names of the file belong to copies of the store that `cp -l` made.
  unlink((store / "writes").c_str());
  return open_count(store, O_WRONLY | O_CREAT);
}

void set_write_count_beside(const FileDescriptor& file, int64_t count) {
  if (!file) return;
  const std::string text = std::to_string(count) + "\n";
  const ssize_t written = pwrite(file.get(), text.data(), text.size(), 0);
  // Removes the rest of a longer count or of another content.
  if (written > 0) (void)!ftruncate(file.get(), written);
}

std::string unusable_write_count(const std::filesystem::path& store) {
  const std::filesystem::path file = store / "writes";
  std::error_code none;
  if (!std::filesystem::exists(std::filesystem::symlink_status(file, none))) return "";
  if (!store_file_problem(file).empty() || write_count_beside(store) == 0) {
    return fmt::format(
        "{}: does not count transactions, so that no command notices a database from a backup; "
        "remove it: the next "
        "command that writes makes the file anew",
        file.string());
  }
  return "";
}

bool is_older_than_store(SQLite::Database& database, const std::filesystem::path& store) {
  return write_count(database) < write_count_beside(store);
}

}  // namespace rethink
