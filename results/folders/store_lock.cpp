#include "results/folders/store_lock.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <set>

#include "core/clock.h"
#include "core/error.h"
#include "core/files/file.h"
#include "core/files/named_file.h"
#include "core/files/store_file.h"
#include "core/json.h"
#include "core/message.h"
#include "core/store_files/store_folder.h"
#include "core/store_files/trial_folder.h"
#include "core/system/process.h"
#include "core/text.h"
#include "results/database/shared_store.h"
#include "results/folders/linked_folders.h"
#include "results/folders/trials_in_transit.h"

namespace rethink {
namespace {

/// How long a held lock may have no name of a living process. A new owner writes its name within
/// milliseconds, on a slow disk later. A child of a killed owner keeps the owner's lock until it has
/// started its own program (at most 17 milliseconds in 2,825 kills).
constexpr double kNamingPatience_s = 5;
constexpr const char* kBrief = "brief";  // of a holder that ends within seconds
constexpr double kBriefPatience_s = 60;  // a queue may take seconds for each job

void pause_briefly() {
  const timespec pause{0, 2'000'000};
  nanosleep(&pause, nullptr);
}

/// Nothing if the owner has not written it yet, or if somebody removed it.
Json owner_in(const std::filesystem::path& path) {
  if (!std::filesystem::exists(path) || !store_file_problem(path).empty()) return Json::object();
  const Json owner = Json::parse(read_store_file(path), nullptr, /*allow_exceptions=*/false);
  return owner.is_object() ? owner : Json::object();
}

/// Whether `owner` was a process of this machine that has ended.
bool is_gone(const Json& owner) {
  return owner.value("host", "") == host_name() && !process_of(owner.value("pid", 0));
}

/// Whether the holder of the lock may still write its name into the file.
bool may_become_named(const Json& owner, const std::filesystem::path& store) {
  return is_gone(owner) || (owner.empty() && !is_lock_file_lost(store));
}

Json owner_by(const std::string& command, const std::vector<std::string>& sweeps,
              const std::string& build) {
  Json owner = {{"command", command}};
  if (!sweeps.empty()) owner["sweeps"] = sweeps;
  if (!build.empty()) owner["build"] = build;
  return owner;
}

}  // namespace

std::optional<StoreLock> StoreLock::try_take(const std::filesystem::path& store,
                                             const std::string& command,
                                             const std::vector<std::string>& sweeps,
                                             const std::string& build) {
  return try_take_as(store, owner_by(command, sweeps, build));
}

std::optional<StoreLock> StoreLock::try_take_briefly(const std::filesystem::path& store,
                                                     const std::string& command) {
  return try_take_as(store, {{"command", command}, {kBrief, true}});
}

std::optional<StoreLock> StoreLock::try_take_as(const std::filesystem::path& store, Json owner) {
  require_store_or_empty_folder(store);
  make_folder_durably(store);
  for (const std::string& problem : {store_lock_problem(store), unwritable_store_text(store)})
    if (!problem.empty())
      // Treated as damage of a database, since no trial is the cause.
      throw MachineError("store-unusable", problem);
  std::optional<FolderLock> lock = FolderLock::try_take(store);
  if (!lock) return std::nullopt;
  owner["pid"] = getpid();
  owner["host"] = host_name();
  owner["since"] = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
  lock->sign(owner.dump() + "\n");
  claim_linked_folders(store);
  put_back_trials(store);
  return StoreLock(store, std::move(*lock), std::move(owner));
}

void StoreLock::add_sweeps(const std::vector<std::string>& sweeps) {
  Json& known = owner_["sweeps"];
  for (const std::string& sweep : sweeps) {
    if (std::ranges::find(known, Json(sweep)) == known.end()) known.push_back(sweep);
  }
  lock_.sign(owner_.dump() + "\n");
}

void StoreLock::announce_stop() {
  owner_["stopping"] = true;
  lock_.sign(owner_.dump() + "\n");
}

std::string StoreLock::moved_store_text() const {
  std::optional<std::filesystem::path> now = lock_.moved_to();
  // `rm -r` leaves folders in which a worker makes files at the same time.
  if (!now && is_surely_missing(store_ / "lock") && is_surely_missing(store_ / kUuidFile))
    now.emplace();
  if (!now) return "";
  const std::string store = store_.string();
  if (now->empty()) {
    return fmt::format(
        "{}: the store was removed, or moved to another disk, while this command worked on it; "
        "give "
        "the same command again to begin anew, or with --store and the path where the store is now",
        store);
  }
  return fmt::format(
      "{}: the store was moved to {} while this command worked on it; nothing is lost: give the "
      "same "
      "command with --store {}, or move the store back first (mv {} {})",
      store, now->string(), for_a_shell(now->string()), for_a_shell(now->string()),
      for_a_shell(store));
}

StoreLock StoreLock::take(const std::filesystem::path& store, const std::string& command,
                          const std::vector<std::string>& sweeps, const std::string& build) {
  return take_as(store, owner_by(command, sweeps, build));
}

StoreLock StoreLock::take_for_a_look(const std::filesystem::path& store, const std::string& command,
                                     const std::vector<std::string>& sweeps,
                                     const std::string& build) {
  Json owner = owner_by(command, sweeps, build);
  owner[kBrief] = true;
  return take_as(store, owner);
}

StoreLock StoreLock::take_as(const std::filesystem::path& store, const Json& owner) {
  const double begun_s = monotonic_seconds();
  const auto may_wait_for = [&](const Json& holder) {
    const double waited_s = monotonic_seconds() - begun_s;
    if (holder.value(kBrief, false)) return waited_s < kBriefPatience_s;
    return may_become_named(holder, store) && waited_s < kNamingPatience_s;
  };
  Json holder;
  do {
    if (std::optional<StoreLock> lock = try_take_as(store, owner)) return std::move(*lock);
    holder = owner_in(store / "lock");
    pause_briefly();
  } while (may_wait_for(holder));
  throw MachineError("store-in-use", fmt::format("{}: the store is in use by {}; wait for it or "
                                                 "stop it (Ctrl-C there), then give the same "
                                                 "command again",
                                                 store.string(), store_owner_text(holder, store)));
}

void require_store_or_empty_folder(const std::filesystem::path& folder) {
  // An incomplete store, after its first command was killed or after a partial copy, has one of these.
  for (const char* part : {"lock", kUuidFile, kTrialsFolder, kDatabaseFile}) {
    std::error_code missing;
    if (std::filesystem::exists(std::filesystem::symlink_status(folder / part, missing))) return;
  }
  // Files that a command makes in a new store before it locks the store, and files of an empty
  // disk.
  const std::set<std::string> kept = {"cache", "piped", ".gitignore", "lost+found"};
  std::set<std::string> foreign;
  std::error_code unseen;  // if the folder is missing or unusable, the next step reports the reason
  for (const auto& entry : std::filesystem::directory_iterator(folder, unseen))
    foreign.insert(entry.path().filename().string());
  std::erase_if(foreign, [&](const std::string& name) { return kept.contains(name); });
  if (foreign.empty()) return;
  std::filesystem::path shown = folder.lexically_normal();
  if (!shown.has_filename()) shown = shown.parent_path();  // of "mine/."
  const std::string others =
      foreign.size() > 1 ? fmt::format(" and {} more", foreign.size() - 1) : "";
  throw ConfigError(
      "file-exists",
      fmt::format("{}: holds {}{} and is not a store; a new store would mix its files with these; "
                  "give --store a new or empty folder, such as {}",
                  shown.string(), one_line(*foreign.begin()), others,
                  for_a_shell((shown / "store").string())));
}

std::string store_lock_problem(const std::filesystem::path& store) {
  const std::filesystem::path path = store / "lock";
  if (!std::filesystem::is_symlink(path)) return store_file_problem(path);
  return path.string() +
         ": is a link, and a driver would write its name into the file there; remove it";
}

std::optional<Json> store_owner(const std::filesystem::path& store) {
  if (!is_folder_locked(store)) return std::nullopt;
  return is_lock_file_lost(store) ? Json::object() : owner_in(store / "lock");
}

std::optional<Json> named_store_owner(const std::filesystem::path& store) {
  const double until_s = monotonic_seconds() + kNamingPatience_s;
  for (;;) {
    std::optional<Json> owner = store_owner(store);
    if (!owner || !may_become_named(*owner, store) || monotonic_seconds() >= until_s) return owner;
    pause_briefly();
  }
}

std::string store_owner_text(const Json& owner, const std::filesystem::path& store) {
  if (owner.empty()) {
    return fmt::format(
        "a process that its file `lock` does not name (`fuser {}` does; as root where another "
        "user's may be it)",
        for_a_shell(store.string()));
  }
  return fmt::format("`rethink {}`, process {} on {} since {}{}", owner.value("command", "?"),
                     owner.value("pid", 0), owner.value("host", "?"), owner.value("since", "?"),
                     owner.value("stopping", false) ? " (stopping: waits for checkpoints)" : "");
}

}  // namespace rethink
