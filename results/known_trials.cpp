#include "results/known_trials.h"

#include <SQLiteCpp/SQLiteCpp.h>

namespace rethink {

std::vector<KnownTrial> known_trials(Store& store, const std::string& job) {
  SQLite::Statement query(store.database(),
                          "SELECT id, state, seed, configuration, data, revisions, "
                          "(SELECT sum(seconds) FROM attempt WHERE trial = id), "
                          "(SELECT coalesce(sum(bytes), 0) FROM artifact WHERE trial = id), "
                          "(SELECT count(*) FROM attempt WHERE trial = id), "
                          "CASE WHEN state = 'done' THEN "
                          "(SELECT coalesce(max(body ->> 'bytes'), 0) FROM event "
                          "WHERE trial = id AND event = 'checkpoint') ELSE 0 END "
                          "FROM trial WHERE job = ? ORDER BY id");
  query.bind(1, job);
  std::vector<KnownTrial> found;
  while (query.executeStep()) {
    KnownTrial& trial = found.emplace_back();
    trial.id = query.getColumn(0).getString();
    trial.state = query.getColumn(1).getString();
    if (!query.isColumnNull(2)) trial.seed = query.getColumn(2).getInt64();
    trial.configuration = query.getColumn(3).getString();
    trial.data = query.getColumn(4).getString();
    trial.revisions = query.getColumn(5).getString();
    if (!query.isColumnNull(6)) trial.seconds = query.getColumn(6).getDouble();
    trial.bytes = query.getColumn(7).getDouble();
    trial.attempts = query.getColumn(8).getInt64();
    trial.checkpoint_bytes = query.getColumn(9).getDouble();
  }
  return found;
}

std::set<std::string> trials_of_stage(Store& store, const std::string& stage) {
  SQLite::Statement query(store.database(), "SELECT trial FROM sweep_trial WHERE stage = ?");
  query.bind(1, stage);
  std::set<std::string> found;
  while (query.executeStep()) found.insert(query.getColumn(0).getString());
  return found;
}

}  // namespace rethink
