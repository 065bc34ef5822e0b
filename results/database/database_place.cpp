// Finds the folder of a store's database.
#include "results/database/database_place.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <fstream>
#include <string_view>

#include "core/error.h"
#include "core/files/file.h"
#include "core/files/lock.h"
#include "core/files/store_file.h"
#include "core/files/unique_names.h"
#include "core/files/user_folder.h"
#include "core/message.h"
#include "core/store_files/store_folder.h"
#include "core/store_files/trial_folder.h"

namespace rethink {
namespace {

/// Returns an empty path if the environment does not name the folder.
std::filesystem::path user_state_folder() {
  return user_folder("XDG_STATE_HOME", ".local/state");
}

std::filesystem::path state_home() {
  std::filesystem::path folder = user_state_folder();
  if (folder.empty()) {
    throw MachineError("no-home",
                       "the store is on a network file system and neither XDG_STATE_HOME nor HOME "
                       "says where to put its database; set one of them");
  }
  return folder;
}

/// Reports damage of the file as damage of the whole store.
std::string read_store_part(const std::filesystem::path& path) {
  try {
    return read_store_file(path);
  } catch (const DamagedFile& error) {
    throw MachineError("file-error", error.what());
  }
}

constexpr const char* kStoreMark = "store";  // beside a database: the path of its store
constexpr const char* kProof = "proof";      // beside a database: proof_of for that store

/// Returns the content of a file beside a database; empty if it cannot be read.
std::string text_beside(const std::filesystem::path& place, const char* name) {
  try {
    return read_file(place / name);
  } catch (const MachineError&) {
    return "";
  }
}

/// Returns a proof that distinguishes this store's uuid file from copies. A copy, or a restored
/// backup, has the same uuid and perhaps the same inode, but another time of creation. Disks
/// without this time report the time of the last change, which a change of owner or mode also
/// updates.
std::string proof_of(const std::filesystem::path& store_folder) {
  struct statx seen {};
  const std::filesystem::path file = store_folder / kUuidFile;
  if (statx(AT_FDCWD, file.c_str(), AT_STATX_FORCE_SYNC, STATX_INO | STATX_CTIME | STATX_BTIME,
            &seen) != 0)
    throw_file_error(file, "cannot look at the file", errno);
  const bool made = seen.stx_mask & STATX_BTIME;
  const statx_timestamp& time = made ? seen.stx_btime : seen.stx_ctime;
  return fmt::format("{} {} {}.{:09}", seen.stx_ino, made ? "made" : "changed", time.tv_sec,
                     time.tv_nsec);
}

/// Versions before 0.2.0 wrote no proof; a folder without a proof is accepted.
bool is_proved(const std::filesystem::path& place, const std::string& proof) {
  const std::string written = text_beside(place, kProof);
  return written.empty() || written == proof;
}

/// Returns the folder of the database of a store on a network disk.
std::filesystem::path local_database_folder(const std::filesystem::path& store_folder,
                                            const std::string& uuid) {
  struct stat status {};
  if (stat(store_folder.c_str(), &status) != 0)
    throw_file_error(store_folder, "cannot look at the folder", errno);
  const std::filesystem::path all = state_home() / "rethink";
  const std::string begin = fmt::format("{}-{}-", uuid, status.st_ino);
  const std::string proof = proof_of(store_folder);
  const std::string name = fmt::format("{}{:x}", begin, status.st_dev);
  std::filesystem::path own = all / name;
  // A folder of another store that had the inode before stays as it is, since that store may still
  // exist.
  for (int n = 2; !is_proved(own, proof); ++n) own = all / fmt::format("{}-{}", name, n);
  if (has_database(own / kDatabaseFile)) return own;
  const std::string path = whole_path(store_folder).string();
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(all, none)) {
    if (entry.path().filename().string().starts_with(begin) &&
        text_beside(entry.path(), kStoreMark) == path && is_proved(entry.path(), proof))
      return entry.path();
  }
  return own;
}

bool is_outside_store(const std::filesystem::path& database,
                      const std::filesystem::path& store_folder) {
  return database != store_folder / kDatabaseFile;  // the given folder may end with a slash
}

/// Returns true also if the answer is unknown.
bool may_be_place_of(const std::filesystem::path& place, const std::filesystem::path& store) {
  try {
    return database_path(store, /*network=*/true).parent_path() == place;
  } catch (const std::exception&) {
    return true;
  }
}

/// Returns `path`, or the nearest existing folder above it.
std::filesystem::path existing_folder(std::filesystem::path path) {
  std::error_code unknown;
  path = std::filesystem::absolute(path);
  while (!std::filesystem::exists(path, unknown) && path.has_relative_path())
    path = path.parent_path();
  return path;
}

/// Returns why a database in `folder` may get damaged or cannot be made; empty if there is no
/// reason.
std::string trouble_of_disk(const std::filesystem::path& folder) {
  if (is_network_disk(folder)) return "is on a network disk too";
  const LockProbe locks = probe_locks(folder);
  switch (locks.support) {
    case LockSupport::works:
      return "";
    case LockSupport::keeps_nobody_out:
    case LockSupport::refuses_everybody:
    case LockSupport::unsupported:
      return "is on a disk that " + locks.problem;
    case LockSupport::not_tried:
      break;
  }
  return fmt::format("may be on a disk without locks, which could not be tried ({})",
                     locks.problem);
}

std::string trouble_of_local_folder(const std::filesystem::path& store_folder) {
  const std::string uuid = store_uuid(store_folder);
  const std::filesystem::path place =
      uuid.empty() ? state_home() / "rethink" : local_database_folder(store_folder, uuid);
  const std::string what = trouble_of_disk(existing_folder(place));
  if (what.empty()) return "";
  return fmt::format(
      "the store is on a network disk, and the folder of its database, {}, {}: commands that run "
      "at "
      "the same time may damage it (`{}` makes it again); set XDG_STATE_HOME to a folder on a "
      "local "
      "disk that you may write",
      place.string(), what, store_command("db rebuild", store_folder));
}

}  // namespace

bool is_network_disk(const std::filesystem::path& path) {
  // Magic numbers of linux/magic.h and of the file systems' own sources, where shared memory or
  // locks do not reach other machines: nfs smb cifs smb2 lustre gpfs beegfs ceph afs 9p fuse
  // (sshfs, s3fs, ...).
  constexpr std::array<uint32_t, 11> kNetwork = {0x6969,     0x517B,     0xFF534D42, 0xFE534D42,
                                                 0x0BD00BD0, 0x47504653, 0x19830326, 0x00C36400,
                                                 0x5346414F, 0x01021997, 0x65735546};
  struct statfs disk {};
  if (statfs(path.c_str(), &disk) != 0) return false;
  for (const uint32_t type : kNetwork) {
    if (static_cast<uint32_t>(disk.f_type) == type) return true;
  }
  return false;
}

std::string store_uuid(const std::filesystem::path& store_folder) {
  const std::filesystem::path path = store_folder / kUuidFile;
  if (!std::filesystem::exists(path)) return "";
  std::string text = read_store_part(path);
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return is_uuid(text) ? text : "";
}

void give_uuid(const std::filesystem::path& store_folder) {
  if (store_uuid(store_folder).empty())
    write_file_durably(store_folder / kUuidFile, new_uuid() + "\n");
}

bool has_database(const std::filesystem::path& database) {
  std::error_code missing;
  return std::filesystem::file_size(database, missing) > 0 && !missing;
}

bool is_store(const std::filesystem::path& folder) {
  if (has_database(database_path(folder))) return true;
  if (!std::filesystem::is_directory(trials_folder(folder))) return false;
  throw MachineError(
      "no-database",
      fmt::format("{}: the store has no database here; `{}` makes it from the trials' folders",
                  folder.string(), store_command("db rebuild", folder)));
}

void require_store_or_snapshot(const std::filesystem::path& store) {
  if (!std::filesystem::is_regular_file(store)) return;
  constexpr std::string_view kBegin = "SQLite format 3";
  std::string begin(kBegin.size(), '\0');
  std::ifstream file(store, std::ios::binary);
  if (!file) return;  // opening the database reports the reason
  file.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  if (begin == kBegin) return;
  throw ConfigError(
      "wrong-file",
      fmt::format("--store: got '{}', a file that does not begin as a database does; expected the "
                  "folder of a store, or a snapshot of its database",
                  store.string()));
}

void require_plain_database(const std::filesystem::path& database) {
  for (const char* part : {"", "-wal", "-shm", "-journal"}) {
    const std::filesystem::path file = database.string() + part;
    std::string problem = store_file_problem(file);
    if (problem.empty() && *part && std::filesystem::is_symlink(file))
      problem = file.string() + ": is a link, and SQLite makes no links there; remove it";
    if (!problem.empty()) throw MachineError("linked-database", problem);
  }
}

std::string proof_of_store(const std::filesystem::path& store_folder) {
  struct stat status {};
  if (stat(store_folder.c_str(), &status) != 0)
    throw_file_error(store_folder, "cannot look at the folder", errno);
  // Hard links share an inode, but the copy has another folder.
  return fmt::format("{} {}", status.st_ino, proof_of(store_folder));
}

std::filesystem::path database_path(const std::filesystem::path& store_folder, bool network) {
  const std::string uuid = network ? store_uuid(store_folder) : "";
  const std::filesystem::path database =
      (uuid.empty() ? store_folder : local_database_folder(store_folder, uuid)) / kDatabaseFile;
  std::error_code missing;
  if (!std::filesystem::is_symlink(database, missing)) return database;
  throw MachineError(
      "linked-database",
      fmt::format("{}: is a link, and a copy of the store would have the same link and write the "
                  "same database; remove the link, and `{}` makes the database from the trials' "
                  "folders",
                  database.string(), store_command("db rebuild", store_folder)));
}

void require_single_name(const std::filesystem::path& database,
                         const std::filesystem::path& store_folder) {
  std::error_code missing;
  const auto names = std::filesystem::hard_link_count(database, missing);
  if (missing || names < 2) return;
  throw MachineError(
      "linked-database",
      fmt::format("{}: is one file with {} names (hard links, as `cp -l` makes), and writing here "
                  "would change the other store's database; remove the file here, "
                  "and `{}` makes the database from the trials' folders",
                  database.string(), names, store_command("db rebuild", store_folder)));
}

std::filesystem::path make_database_place(const std::filesystem::path& store_folder, bool network) {
  const std::filesystem::path database = database_path(store_folder, network);
  if (!is_outside_store(database, store_folder)) return database;
  try {
    const std::filesystem::path place = database.parent_path();
    make_folder_durably(place);
    const auto write = [&](const char* name, const std::string& text) {
      if (text_beside(place, name) != text) write_file_durably(place / name, text);
    };
    write(kProof, proof_of(store_folder));
    write(kStoreMark, whole_path(store_folder).string());
  } catch (const DiskFullError&) {
    throw;
  } catch (const MachineError& error) {
    throw MachineError(
        "no-home",
        fmt::format(
            "{}; the store is on a network disk and its database belongs on a local one: set "
            "XDG_STATE_HOME to a folder there that you may write",
            error.what()));
  }
  return database;
}

std::filesystem::path make_database_place(const std::filesystem::path& store_folder) {
  return make_database_place(store_folder, is_network_disk(store_folder));
}

std::optional<std::filesystem::path> former_database_place(
    const std::filesystem::path& store_folder) {
  if (!is_outside_store(database_path(store_folder), store_folder)) return std::nullopt;
  const std::filesystem::path former = state_home() / "rethink" / store_uuid(store_folder);
  std::error_code unknown;
  return std::filesystem::exists(former, unknown) ? std::optional(former) : std::nullopt;
}

std::vector<UnusedPlace> unused_database_places(const std::filesystem::path& store_folder) {
  const std::filesystem::path state = user_state_folder();
  if (state.empty()) return {};
  std::vector<UnusedPlace> unused;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(state / "rethink", none)) {
    const std::filesystem::path place = entry.path(), store = text_beside(place, kStoreMark);
    if (!has_database(place / kDatabaseFile) || store.empty()) continue;
    if (may_be_place_of(place, store_folder) || may_be_place_of(place, store)) continue;
    unused.push_back({place, store});
  }
  std::ranges::sort(unused, {}, &UnusedPlace::place);
  return unused;
}

std::string trouble_of_database_place(const std::filesystem::path& store_folder) {
  const std::filesystem::path disk = existing_folder(store_folder);
  return is_network_disk(disk) ? trouble_of_local_folder(store_folder) : "";
}

std::filesystem::path database_path(const std::filesystem::path& store_folder) {
  if (std::filesystem::is_regular_file(store_folder)) return store_folder;  // a snapshot
  return database_path(store_folder, is_network_disk(store_folder));
}

}  // namespace rethink
