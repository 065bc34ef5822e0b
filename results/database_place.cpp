// Where the database of a store lies.
#include "results/database_place.h"

#include <fmt/format.h>
#include <sys/vfs.h>

#include <array>
#include <cstdlib>
#include <fstream>

#include "core/error.h"
#include "core/file.h"
#include "core/store_file.h"
#include "core/uuid.h"
#include "results/store.h"

namespace rethink {
namespace {

std::filesystem::path state_home() {
  if (const char* folder = std::getenv("XDG_STATE_HOME"); folder && *folder) return folder;
  const char* home = std::getenv("HOME");
  if (!home || !*home) {
    throw MachineError(
        "the store is on a network file system and neither XDG_STATE_HOME nor HOME says where its "
        "database may lie; set one");
  }
  return std::filesystem::path(home) / ".local" / "state";
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
  const std::filesystem::path path = store_folder / "uuid";
  if (!std::filesystem::exists(path)) return "";
  std::string text = read_store_file(path);
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

void give_uuid(const std::filesystem::path& store_folder) {
  if (store_uuid(store_folder).empty())
    write_file_durably(store_folder / "uuid", new_uuid() + "\n");
}

bool has_database(const std::filesystem::path& database) {
  std::error_code missing;
  return std::filesystem::file_size(database, missing) > 0 && !missing;
}

bool is_store(const std::filesystem::path& folder) {
  if (has_database(database_path(folder))) return true;
  if (!std::filesystem::is_directory(folder / "trials")) return false;
  throw MachineError(
      fmt::format("{}: the store has no database here; `rethink db rebuild` makes it from the "
                  "trials' folders",
                  folder.string()));
}

void require_plain_database(const std::filesystem::path& database) {
  for (const char* part : {"", "-wal", "-shm", "-journal"}) {
    const std::filesystem::path file = database.string() + part;
    std::string problem = store_file_problem(file);
    if (problem.empty() && *part && std::filesystem::is_symlink(file))
      problem = file.string() + ": is a link, as SQLite makes none there; remove it";
    if (!problem.empty()) throw MachineError(problem);
  }
}

std::filesystem::path database_path(const std::filesystem::path& store_folder, bool network) {
  const std::string uuid = network ? store_uuid(store_folder) : "";
  return uuid.empty() ? store_folder / "rethink.db"
                      : state_home() / "rethink" / uuid / "rethink.db";
}

std::filesystem::path database_path(const std::filesystem::path& store_folder) {
  if (std::filesystem::is_regular_file(store_folder)) return store_folder;  // a snapshot
  return database_path(store_folder, is_network_disk(store_folder));
}

}  // namespace rethink
