#include "core/files/owner.h"

#include <fmt/format.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "core/error.h"
#include "core/message.h"

namespace rethink {
namespace {

namespace fs = std::filesystem;

bool current_folder_is_gone() {
  std::error_code gone;
  (void)fs::current_path(gone);
  return gone == std::errc::no_such_file_or_directory;
}

bool is_refusal(const std::error_code& code) {
  return code == std::errc::permission_denied || code == std::errc::operation_not_permitted;
}

/// The first folder on the way to `path` that we may not search; else `path`, or the folder in
/// which it would be.
fs::path gate_of(const fs::path& path) {
  fs::path way;
  for (const fs::path& part : path) {
    way /= part;
    if (way != path && access(way.c_str(), F_OK) == 0 && access(way.c_str(), X_OK) != 0) return way;
  }
  if (access(path.c_str(), F_OK) == 0) return path;
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

/// Our class of users for a file, as chmod(1) writes it.
char our_class(const struct stat& status) {
  if (status.st_uid == geteuid()) return 'u';
  return status.st_gid == getegid() || group_member(status.st_gid) != 0 ? 'g' : 'o';
}

/// Returns the missing permission to use `path`, as chmod(1) writes it: "r", "w", for a folder "rx"
/// or "wx"; "" if no permission is missing.
std::string lacked_rights(const fs::path& path, const struct stat& status) {
  const bool is_folder = S_ISDIR(status.st_mode);
  if (access(path.c_str(), R_OK) != 0 || (is_folder && access(path.c_str(), X_OK) != 0))
    return is_folder ? "rx" : "r";
  if (access(path.c_str(), W_OK) != 0) return is_folder ? "wx" : "w";
  return "";
}

/// The first folder below `path`, or the folder that contains it, from which we may remove nothing.
fs::path held_folder(const fs::path& path) {
  const auto is_held = [](const fs::path& folder) {
    return access(folder.c_str(), W_OK | X_OK) != 0 || is_sticky_for_us(folder);
  };
  std::error_code failed;
  if (!fs::is_directory(fs::symlink_status(path, failed))) return path.parent_path();
  if (is_held(path)) return path;
  fs::recursive_directory_iterator entry(path, fs::directory_options::skip_permission_denied,
                                         failed);
  for (; !failed && entry != fs::recursive_directory_iterator(); entry.increment(failed)) {
    if (fs::is_directory(entry->symlink_status(failed)) && is_held(entry->path()))
      return entry->path();
  }
  return path.parent_path();
}

}  // namespace

std::string user_name(unsigned int id) {
  const passwd* user = getpwuid(id);
  return user ? user->pw_name : fmt::format("user {}", id);
}

std::string owner_text(const fs::path& path) {
  struct stat status {};
  if (lstat(path.c_str(), &status) != 0) return "";
  return fmt::format("belongs to {} (mode {:04o})", user_name(status.st_uid),
                     status.st_mode & 07777);
}

bool is_sticky_for_us(const fs::path& folder) {
  struct stat status {};
  return stat(folder.c_str(), &status) == 0 && (status.st_mode & S_ISVTX) != 0 &&
         status.st_uid != geteuid() && geteuid() != 0;
}

std::string file_trouble(const fs::filesystem_error& error) {
  if (current_folder_is_gone()) {
    return "the current folder was removed; change to a folder that exists (cd), then give the "
           "command again";
  }
  const std::string system = error.code().message();
  if (error.path1().empty()) return fmt::format("a file could not be used: {}", system);
  const std::string text = fmt::format("{}: {}", error.path1().string(), system);
  return text + refusal_text(error.path1(), error.code().value());
}

std::string chmod_advice(const fs::path& path, const std::string& rights, bool with_all_below) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) return "";
  const std::string change =
      rights == "-t" ? rights : fmt::format("{}+{}", our_class(status), rights);
  const std::string command =
      fmt::format("`chmod {}{} {}`", with_all_below ? "-R " : "", change,
                  for_a_shell(fs::absolute(path).lexically_normal().string()));
  return status.st_uid == geteuid()
             ? "give " + command
             : fmt::format("have {} run {}", user_name(status.st_uid), command);
}

namespace {

/// Says that only the owner of `path` may replace or remove it, if its folder is sticky; else "".
std::string sticky_text(const fs::path& path) {
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  struct stat status {};
  if (!is_sticky_for_us(folder) || lstat(path.c_str(), &status) != 0 || status.st_uid == geteuid())
    return "";
  struct stat of_folder {};
  const bool is_of_system = stat(folder.c_str(), &of_folder) == 0 && of_folder.st_uid == 0;
  return fmt::format(
      "; {} {} and is sticky, so you, {}, may replace or remove only your own files there: {}",
      folder.string(), owner_text(folder), user_name(geteuid()),
      is_of_system ? "give another path" : chmod_advice(folder, "-t"));
}

}  // namespace

std::string refusal_text(const fs::path& path, int number) {
  if (number == EPERM) return sticky_text(path);
  if (number != EACCES) return "";
  const fs::path gate = gate_of(path);
  const std::string owner = owner_text(gate);
  struct stat status {};
  if (owner.empty() || stat(gate.c_str(), &status) != 0) return "";
  const std::string rights = lacked_rights(gate, status);
  // The system may forbid writes to another user's file in a sticky folder (fs.protected_regular).
  if (rights.empty() && !sticky_text(path).empty()) return sticky_text(path);
  return fmt::format("; {} {}, and you are {}: {}give another path", gate.string(), owner,
                     user_name(geteuid()),
                     rights.empty() ? "" : chmod_advice(gate, rights) + ", or ");
}

void remove_tree(const fs::path& path) {
  std::error_code failed;
  fs::remove_all(path, failed);
  if (!failed) return;
  if (!is_refusal(failed))
    throw MachineError("cannot-remove",
                       fmt::format("{}: cannot remove: {}", path.string(), failed.message()));
  const fs::path held = held_folder(path);
  const bool is_sticky = is_sticky_for_us(held), is_closed = access(held.c_str(), W_OK | X_OK) != 0;
  std::string advice =
      fmt::format("have somebody who may remove it run `rm -r {}`", for_a_shell(path.string()));
  if (is_sticky || is_closed) {
    advice =
        is_closed ? chmod_advice(held, "rwX", /*with_all_below=*/true) : chmod_advice(held, "-t");
    advice += ", then give the same command again";
  }
  throw MachineError(
      "cannot-remove",
      fmt::format("{}: cannot remove: {}: {} {}, and you are {}; {}", path.string(),
                  failed.message(), held.string(), owner_text(held), user_name(geteuid()), advice));
}

}  // namespace rethink
