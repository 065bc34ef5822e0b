#include "core/owner.h"

#include <fmt/format.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "core/error.h"
#include "core/shell_word.h"

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

/// The first folder on the way to `path` that we may not look into; else `path`, or the folder where
/// it would be.
fs::path gate_of(const fs::path& path) {
  fs::path way;
  for (const fs::path& part : path) {
    way /= part;
    if (way != path && access(way.c_str(), F_OK) == 0 && access(way.c_str(), X_OK) != 0) return way;
  }
  if (access(path.c_str(), F_OK) == 0) return path;
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

/// The first folder below `path` (or the one that holds it) from which we may remove nothing.
fs::path held_folder(const fs::path& path) {
  const auto is_held = [](const fs::path& folder) {
    return access(folder.c_str(), W_OK | X_OK) != 0;
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

std::string file_trouble(const fs::filesystem_error& error) {
  if (current_folder_is_gone()) {
    return "the current folder was removed; change to a folder that exists (cd), then give the "
           "command again";
  }
  const std::string system = error.code().message();
  if (error.path1().empty()) return fmt::format("a file could not be used: {}", system);
  const std::string text = fmt::format("{}: {}", error.path1().string(), system);
  return is_refusal(error.code()) ? text + refusal_text(error.path1()) : text;
}

std::string refusal_text(const fs::path& path) {
  const fs::path gate = gate_of(path);
  const std::string owner = owner_text(gate);
  if (owner.empty()) return "";
  return fmt::format(
      "; {} {}, and you are {}: change its mode (chmod) or have its owner do so, or give another "
      "path",
      gate.string(), owner, user_name(geteuid()));
}

void remove_tree(const fs::path& path) {
  std::error_code failed;
  fs::remove_all(path, failed);
  if (!failed) return;
  if (!is_refusal(failed))
    throw MachineError(fmt::format("{}: cannot remove: {}", path.string(), failed.message()));
  const fs::path held = held_folder(path);
  throw MachineError(
      fmt::format("{}: cannot remove: {}: {} {}, and you are {}; have somebody who may remove it "
                  "run `rm -r {}`",
                  path.string(), failed.message(), held.string(), owner_text(held),
                  user_name(geteuid()), for_a_shell(path.string())));
}

}  // namespace rethink
