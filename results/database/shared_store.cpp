#include "results/database/shared_store.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <vector>

#include "core/error.h"
#include "core/files/owner.h"
#include "core/message.h"

namespace rethink {
namespace {

constexpr std::array<const char*, 3> kDatabaseParts = {"", "-wal", "-shm"};

/// umask(2) can report the mask only by changing it.
mode_t current_umask() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    if (word == "Umask:" && status >> word)
      return static_cast<mode_t>(std::strtoul(word.c_str(), nullptr, 8));
  }
  return 077;
}

}  // namespace

void share_with_group(const std::filesystem::path& database) {
  constexpr mode_t kGroup = S_IRGRP | S_IWGRP;
  struct stat folder {};
  const bool is_shared = stat(database.parent_path().c_str(), &folder) == 0 &&
                         (folder.st_mode & S_IWGRP) != 0 && (current_umask() & kGroup) == 0;
  if (!is_shared) return;
  for (const char* part : kDatabaseParts) {
    const std::string file = database.string() + part;
    struct stat status {};
    if (stat(file.c_str(), &status) != 0 || status.st_uid != geteuid()) continue;
    if (status.st_gid != folder.st_gid || (status.st_mode & kGroup) == kGroup) continue;
    // A file whose mode cannot be changed keeps it; whoever needs the file gets an error.
    (void)!chmod(file.c_str(), (status.st_mode & 07777) | kGroup);
  }
}

std::string foreign_files(const std::filesystem::path& database) {
  if (access(database.parent_path().c_str(), W_OK) != 0) return "";
  std::vector<std::string> files, commands;
  for (const char* part : kDatabaseParts) {
    const std::string file = database.string() + part;
    struct stat status {};
    if (stat(file.c_str(), &status) != 0 || access(file.c_str(), R_OK | W_OK) == 0) continue;
    files.push_back(fmt::format("{} {}", file, owner_text(file)));
    // In a sticky folder, nobody else may replace the file.
    if (is_sticky_for_us(database.parent_path())) {
      commands.push_back(chmod_advice(file, "rw"));
      continue;
    }
    const bool is_empty = std::string(part) == "-shm" || status.st_size == 0;
    const std::string word = for_a_shell(file), copy = for_a_shell(file + ".own");
    commands.push_back(is_empty ? fmt::format("rm -f {}", word)
                                : fmt::format("cp {0} {1} && mv -f {1} {0}", word, copy));
  }
  if (files.empty()) return "";
  if (is_sticky_for_us(database.parent_path())) {
    return fmt::format("{}, and {} may not write {}; {}, then give the same command again",
                       joined(files), user_name(geteuid()), files.size() > 1 ? "them" : "it",
                       joined(commands, " and "));
  }
  return fmt::format(
      "{}, and {} may not write {}; once no other command works on the store (`fuser {}` as root "
      "lists those of all users), give `{}`, then the same command again",
      joined(files), user_name(geteuid()), files.size() > 1 ? "them" : "it",
      for_a_shell(database.string()), joined(commands, " && "));
}

std::string unwritable_store_text(const std::filesystem::path& store) {
  struct stat status {};
  const bool is_folder = stat(store.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
  if (!is_folder || access(store.c_str(), W_OK) == 0 || errno != EACCES) return "";
  const std::string path = store.string();
  std::string text = fmt::format("{}: {}, and you are {}, who may not write there: ", path,
                                 owner_text(store), user_name(geteuid()));
  if (status.st_uid == geteuid()) return text + chmod_advice(store, "wx");
  text += fmt::format("have {} give this command; or ", user_name(status.st_uid));
  const bool is_our_group = status.st_gid == getegid() || group_member(status.st_gid) != 0;
  if (is_our_group) {
    text += chmod_advice(store, "rwX", /*with_all_below=*/true) +
            ", and both of you work with umask 002; or ";
  }
  std::string copy = "~/store-of-" + user_name(status.st_uid);
  std::ranges::replace(copy, ' ', '-');
  return text + fmt::format("work on a copy: `cp -rT {} {}`, then the same command with --store {}",
                            for_a_shell(path), copy, copy);
}

}  // namespace rethink
