// The lock of a store: only the process that holds it writes the database and starts attempts.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/files/lock.h"
#include "core/json.h"

namespace rethink {

/// The lock is held until it is destroyed or the process ends.
class StoreLock {
 public:
  /// Makes the store's folder if it is missing, and takes store/lock. The file then names this
  /// process: {"pid":1234,"host":"...","since":"2024-05-01T12:00:00Z","command":"run",
  /// "sweeps":["bet/overall_lm"],"build":"1f3a..."}. "sweeps" and "build", the build of this
  /// process's programs, may be missing; they serve commands that add to its queue. Throws
  /// MachineError, which names the owner, if another process holds the lock. It waits up to a
  /// minute for a holder by try_take_briefly or take_for_a_look, and up to 5 s for a holder without a name: a new owner that writes
  /// its name next, or a child of a killed owner, which holds the lock until it becomes its program. Trials that a killed
  /// merge had moved away are put back. If the disk can lock folders, the store's folder is locked
  /// too, so that removing the file lets no second owner in. Throws ConfigError as
  /// require_store_or_empty_folder, and MachineError if `trials` or `sweeps` is a link to another
  /// store's folder (linked_folders.h).
  static StoreLock take(const std::filesystem::path& store, const std::string& command,
                        const std::vector<std::string>& sweeps = {}, const std::string& build = "");
  /// Takes the lock as take, for seconds: take() of another process waits for its end.
  static StoreLock take_for_a_look(const std::filesystem::path& store, const std::string& command,
                                   const std::vector<std::string>& sweeps,
                                   const std::string& build);
  /// Takes the lock in the same way, or returns nothing if another process holds it.
  static std::optional<StoreLock> try_take(const std::filesystem::path& store,
                                           const std::string& command,
                                           const std::vector<std::string>& sweeps = {},
                                           const std::string& build = "");
  /// Takes the lock as try_take, for milliseconds: take() of another process waits for its end.
  static std::optional<StoreLock> try_take_briefly(const std::filesystem::path& store,
                                                   const std::string& command);

  /// Adds these sweeps to the content of store/lock.
  void add_sweeps(const std::vector<std::string>& sweeps);
  /// Writes into store/lock that the driver stops when its running trials have written checkpoints.
  void announce_stop();

  /// Returns "" while the store's folder is at its locked path. Otherwise returns that it was
  /// moved, replaced or removed, and what to do. A folder without both `lock` and `uuid` is being
  /// removed.
  std::string moved_store_text() const;

 private:
  static StoreLock take_as(const std::filesystem::path& store, const Json& owner);
  static std::optional<StoreLock> try_take_as(const std::filesystem::path& store, Json owner);
  StoreLock(std::filesystem::path store, FolderLock lock, Json owner)
      : store_(std::move(store)), lock_(std::move(lock)), owner_(std::move(owner)) {}
  std::filesystem::path store_;
  FolderLock lock_;
  Json owner_;  // the content of store/lock
};

/// Throws ConfigError if the folder exists, is not a store and contains other files, among which a
/// new store would be.
void require_store_or_empty_folder(const std::filesystem::path& folder);

/// Returns why no process can take the store's lock: "PATH: is a link, ...; remove it"; "" if one
/// can.
std::string store_lock_problem(const std::filesystem::path& store);

/// Returns the lock file's text on the process that holds the store; nothing if no process does.
/// Returns an empty object if the holder is not named, since the file was removed or is not written
/// yet.
std::optional<Json> store_owner(const std::filesystem::path& store);
/// Returns the same, after waiting up to 5 s for a new holder to write its name.
std::optional<Json> named_store_owner(const std::filesystem::path& store);
/// Returns "`rethink run`, process 1234 on host since ...", with the reason why a stopping driver has not ended; for an
/// unnamed holder, the command that finds it.
std::string store_owner_text(const Json& owner, const std::filesystem::path& store);

}  // namespace rethink
