#include "core/files/store_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <vector>

namespace rethink {
namespace {

namespace fs = std::filesystem;

constexpr size_t kTrialDigits = 20;

/// A trial's id, perhaps after a mark that its folder arrives or leaves: ".arriving-<id>".
bool names_a_trial(std::string_view name) {
  if (name.size() < kTrialDigits || (name.size() > kTrialDigits && name[0] != '.')) return false;
  return name.substr(name.size() - kTrialDigits).find_first_not_of("0123456789abcdef") ==
         std::string_view::npos;
}

/// `path` and the folders above it, up to the trial's own, the lowest first; empty outside of
/// trials.
std::vector<fs::path> parts_of_a_trial(const fs::path& path) {
  std::vector<fs::path> parts;
  for (fs::path at = path.lexically_normal(); at.has_relative_path(); at = at.parent_path()) {
    parts.push_back(at);
    if (names_a_trial(at.filename().native()) && at.parent_path().filename() == "trials")
      return parts;
  }
  return {};
}

/// Nothing if the file is missing.
std::optional<mode_t> mode_of(const fs::path& path, bool follow) {
  struct stat status {};
  const int failed = follow ? stat(path.c_str(), &status) : lstat(path.c_str(), &status);
  return failed ? std::nullopt : std::optional(status.st_mode);
}

const char* kind_of(mode_t mode) {
  if (S_ISREG(mode)) return "a file";
  if (S_ISDIR(mode)) return "a folder";
  if (S_ISFIFO(mode)) return "a named pipe";
  if (S_ISSOCK(mode)) return "a socket";
  return S_ISLNK(mode) ? "a link" : "a device";
}

std::string wrong_kind(const fs::path& path, mode_t mode, const char* expected) {
  return fmt::format("{}: is {}, expected {}; move it away", path.string(), kind_of(mode),
                     expected);
}

/// The link of an unmounted disk looks like this. Removing the link would hide the disk's files.
std::string problem_of_dangling_link(const fs::path& path) {
  std::error_code unreadable;
  return fmt::format(
      "{}: is a link to {}, which does not exist; mount the disk that it is on, or, if it is not "
      "needed any more, remove the link",
      path.string(), fs::read_symlink(path, unreadable).string());
}

std::string problem_at(const fs::path& path, mode_t wanted, const char* expected) {
  const std::optional<mode_t> own = mode_of(path, /*follow=*/false);
  const std::vector<fs::path> parts = parts_of_a_trial(path);
  for (size_t i = 0; i < parts.size(); ++i) {
    const std::optional<mode_t> mode = i == 0 ? own : mode_of(parts[i], /*follow=*/false);
    if (mode && S_ISLNK(*mode)) {
      return fmt::format(
          "{}: is a link, and rethink follows no link below trials/; replace it by the file or "
          "folder that it names, or remove it",
          parts[i].string());
    }
  }
  if (!own) return "";
  const std::optional<mode_t> mode = S_ISLNK(*own) ? mode_of(path, /*follow=*/true) : own;
  if (!mode) return problem_of_dangling_link(path);
  return (*mode & S_IFMT) != wanted ? wrong_kind(path, *mode, expected) : "";
}

[[noreturn]] void throw_too_large(const fs::path& path, uint64_t most) {
  throw DamagedFile(
      "too-large",
      fmt::format("{}: has more than {} MiB, which rethink never writes there; move it away",
                  path.string(), most >> 20));
}

}  // namespace

bool is_below_a_trial(const fs::path& path) {
  return !parts_of_a_trial(path).empty();
}

std::string store_file_problem(const fs::path& path) {
  return problem_at(path, S_IFREG, "a file");
}

std::string store_folder_problem(const fs::path& path) {
  return problem_at(path, S_IFDIR, "a folder");
}

FileDescriptor open_store_file(const fs::path& path, int flags) {
  const std::string problem = store_file_problem(path);
  if (!problem.empty()) throw DamagedFile("damaged-file", problem);
  // If a pipe replaces the file after the check, opening must not wait.
  const int no_link = is_below_a_trial(path) ? O_NOFOLLOW : 0;
  FileDescriptor file = open_file(path, flags | O_NONBLOCK | no_link);
  struct stat status {};
  if (fstat(file.get(), &status) != 0) throw_file_error(path, "cannot read", errno);
  if (!S_ISREG(status.st_mode))
    throw DamagedFile("not-a-file", wrong_kind(path, status.st_mode, "a file"));
  return file;
}

fs::directory_iterator entries_of(const fs::path& folder) {
  std::error_code error;
  fs::directory_iterator entries(folder, error);
  const bool is_none =
      error == std::errc::no_such_file_or_directory || error == std::errc::not_a_directory;
  if (error && !is_none) throw_file_error(folder, "cannot read the folder", error.value());
  return entries;
}

std::string read_rest(int file, const fs::path& path, uint64_t most) {
  struct stat status {};
  if (fstat(file, &status) != 0) throw_file_error(path, "cannot read", errno);
  const auto known = static_cast<uint64_t>(std::max<off_t>(status.st_size, 0));
  std::string bytes(std::min(known, most), '\0');
  size_t taken = 0;
  // Files in /proc have size 0, and a growing file has more bytes than fstat reports: so read to
  // the end.
  while (taken <= most) {
    if (taken == bytes.size()) bytes.resize(bytes.size() + 4096);
    const ssize_t got = read(file, bytes.data() + taken, bytes.size() - taken);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw_file_error(path, "cannot read", errno);
    if (got == 0) break;
    taken += static_cast<size_t>(got);
  }
  bytes.resize(std::min<uint64_t>(taken, most + 1));
  return bytes;
}

std::string read_store_file(const fs::path& path, uint64_t most) {
  const FileDescriptor file = open_store_file(path, O_RDONLY);
  std::string bytes = read_rest(file.get(), path, most);
  if (bytes.size() > most) throw_too_large(path, most);
  return bytes;
}

}  // namespace rethink
