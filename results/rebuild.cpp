#include "results/rebuild.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "core/file.h"
#include "core/kill_point.h"
#include "results/folders.h"
#include "results/settle.h"
#include "results/store_state.h"

namespace rethink {
namespace {

/// Whether SQLite finds nothing wrong with the file itself.
bool is_sound(const std::filesystem::path& database) {
  try {
    SQLite::Database opened(database.string(), SQLite::OPEN_READONLY);
    return opened.execAndGet("PRAGMA quick_check(1)").getString() == "ok";
  } catch (const SQLite::Exception&) {
    return false;
  }
}

/// The database with its -wal and -shm, under the first free name rethink.db.damaged-<n>.
std::filesystem::path move_aside(const std::filesystem::path& database) {
  std::string aside;
  for (int n = 1; aside.empty() || std::filesystem::exists(aside); ++n) {
    aside = fmt::format("{}.damaged-{}", database.string(), n);
  }
  for (const char* part : {"-wal", "-shm", ""}) {
    if (std::filesystem::exists(database.string() + part)) {
      std::filesystem::rename(database.string() + part, aside + part);
      kill_point("after_database_part_moved");
    }
  }
  return aside;
}

}  // namespace

void index_trial(Store& store, const std::filesystem::path& folder, const std::string& trial,
                 std::vector<std::string>& damaged) {
  const std::filesystem::path path = trial_folder(folder, trial);
  const auto planned = readable_json(path / "trial.json", {{"id", Json::value_t::string},
                                                           {"job", Json::value_t::string},
                                                           {"config", Json::value_t::object}});
  if (!planned || planned->at("id") != trial) {
    damaged.push_back(trial);
    return;
  }
  store.put_trial(*planned, "waiting");
  const bool good = store.ingest(path);
  const bool finished = std::filesystem::exists(path / "result.json");
  if (!good || (finished && !store.result_reached(path))) {
    damaged.push_back(trial);
    return;
  }
  const FolderState found = state_from_folder(path);
  if (!found.state.empty()) store.set_state(trial, found.state, found.message);
}

RebuildReport fill_from_folders(Store& store, const std::filesystem::path& folder) {
  RebuildReport report;
  WriteScope scope(store);
  for (const std::string& trial : trials_in(folder)) {
    index_trial(store, folder, trial, report.damaged);
    ++report.trials;
  }
  for (const Sweep& sweep : read_sweeps(folder)) {
    store.put_sweep(sweep);
    ++report.sweeps;
  }
  settle_states(store, folder);
  scope.done();
  return report;
}

RebuildReport rebuild(const std::filesystem::path& folder) {
  if (!std::filesystem::is_directory(folder / "trials")) {
    throw ConfigError(fmt::format("{}: there is no store here; give --store DIR", folder.string()));
  }
  const std::filesystem::path database = database_path(folder);
  std::filesystem::path aside;
  if (std::filesystem::exists(database) && !is_sound(database)) aside = move_aside(database);
  Store store(folder, Store::Access::write);
  store.begin();
  store.clear();
  RebuildReport report = fill_from_folders(store, folder);
  kill_point("before_rebuild_commit");
  store.commit();
  report.moved_aside = aside;
  return report;
}

void snapshot(const std::filesystem::path& folder, const std::filesystem::path& file) {
  if (std::filesystem::exists(file)) {
    throw ConfigError(
        fmt::format("{}: exists already; give another name or remove it", file.string()));
  }
  Store store(folder, Store::Access::read);
  PendingFile pending(file);
  std::filesystem::remove(pending.temporary());
  SQLite::Statement vacuum(store.database(), "VACUUM INTO ?");
  vacuum.bind(1, pending.temporary().string());
  run_once(store, vacuum);
  pending.publish();
}

}  // namespace rethink
