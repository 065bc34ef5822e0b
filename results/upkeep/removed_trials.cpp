#include "results/upkeep/removed_trials.h"

#include <SQLiteCpp/Statement.h>
#include <fmt/format.h>
#include <unistd.h>

#include "core/error.h"
#include "core/files/file.h"
#include "core/files/owner.h"
#include "core/message.h"
#include "core/store_files/trial_folder.h"
#include "core/system/kill_point.h"
#include "core/system/log.h"
#include "results/database/database_error.h"
#include "results/database/database_place.h"
#include "results/database/statement.h"
#include "results/folders/trials_in_transit.h"
#include "results/store/rebuild.h"
#include "results/store/store.h"

namespace rethink {
namespace {

/// Whether the index still has any trial of these folders.
bool is_indexed(const std::filesystem::path& store,
                const std::vector<std::filesystem::path>& asides) {
  if (!has_database(database_path(store))) return true;
  mend_database(store);  // a damaged index cannot answer
  std::vector<std::string> trials;
  for (const std::filesystem::path& aside : asides) trials.push_back(trial_set_aside(aside));
  Store index(store, Store::Access::read);
  // Readers miss these rows in `trial` (hide_removed_trials in store.cpp).
  return has_row(statement_of(
      index.database(), "SELECT 1 FROM json_each(?) j JOIN main.trial t ON t.id = j.value LIMIT 1",
      trials));
}

/// Deletes the files of trials that were set aside, which makes room on a full disk for the next
/// change of the database. The empty folders stay as a sign that the index must still forget these
/// trials. delete_asides reports files that cannot be deleted.
void empty_asides(const std::filesystem::path& store) {
  // If a crash undid a rename, a trial would return without its files.
  sync_folder(trials_folder(store));
  for (const std::filesystem::path& aside : trials_set_aside(store)) {
    std::error_code failed;
    // A link's target is not part of the store.
    if (!std::filesystem::is_directory(std::filesystem::symlink_status(aside, failed))) continue;
    for (const auto& entry : std::filesystem::directory_iterator(aside, failed)) {
      std::error_code kept;
      if (std::filesystem::is_directory(entry.symlink_status(kept)))
        std::filesystem::remove_all(entry.path(), kept);
      else
        unlink(entry.path().c_str());
    }
  }
  kill_point("after_trials_emptied");
}

/// Throws `error` as a MachineError that says how far the removal got.
[[noreturn]] void throw_unfinished(const std::filesystem::path& store,
                                   const std::exception& error) {
  const size_t count = trials_set_aside(store).size();
  // Without a trial set aside, the next command does not know of this removal.
  const std::string text =
      count == 0
          ? fmt::format(
                "the sweep is deleted from the record, but the database may still list it: `{}` "
                "finishes the removal",
                store_command("db rebuild", store))
          : fmt::format(
                "{} {} deleted from the record, but the database may still list {}: the next rm, "
                "gc "
                "or run finishes the removal",
                count, count == 1 ? "trial is" : "trials are", count == 1 ? "it" : "them");
  throw MachineError("database-error", fmt::format("{}; {}", store_error_text(store, error), text));
}

/// Removes the trials from the index. Warns if the index loses numbers of other trials, whose files
/// are damaged.
void rebuild_without_removed(const std::filesystem::path& store) {
  const RebuildReport report = rebuild(store);
  if (!report.lost.empty()) log_warning(lost_text(report, store));
}

/// Returns the files that could not be deleted.
std::vector<std::string> delete_asides(const std::filesystem::path& store) {
  std::vector<std::string> troubles;
  for (const std::filesystem::path& aside : trials_set_aside(store)) {
    try {
      remove_tree(aside);
    } catch (const MachineError& error) {
      troubles.emplace_back(error.what());
    }
  }
  return troubles;
}

}  // namespace

std::vector<std::string> finish_removal(const std::filesystem::path& store) {
  try {
    empty_asides(store);
    rebuild_without_removed(store);
  } catch (const std::exception& error) {
    throw_unfinished(store, error);
  }
  kill_point("before_trials_deleted");
  return delete_asides(store);
}

std::vector<std::string> finish_earlier_removals(const std::filesystem::path& store) {
  const std::vector<std::filesystem::path> asides = trials_set_aside(store);
  if (asides.empty()) return {};
  try {
    // First, since even reading the index takes space.
    empty_asides(store);
    if (is_indexed(store, asides)) rebuild_without_removed(store);
  } catch (const std::exception& error) {
    throw_unfinished(store, error);
  }
  kill_point("before_trials_deleted");
  return delete_asides(store);
}

}  // namespace rethink
