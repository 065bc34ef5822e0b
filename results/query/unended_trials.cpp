#include "results/query/unended_trials.h"

namespace rethink {

std::vector<UnendedTrial> unended_trials(Store& store, int most) {
  SQLite::Statement query(store.database(),
                          "SELECT min(id), job, configuration FROM trial WHERE state IN "
                          "('waiting', 'ready', 'running') GROUP BY job, configuration LIMIT ?");
  query.bind(1, most);
  std::vector<UnendedTrial> trials;
  while (query.executeStep()) {
    trials.push_back(
        {query.getColumn(0), query.getColumn(1), Json::parse(query.getColumn(2).getString())});
  }
  return trials;
}

}  // namespace rethink
