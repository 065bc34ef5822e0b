#include "results/query/recorded_names.h"

#include <SQLiteCpp/SQLiteCpp.h>

#include "core/json.h"

namespace rethink {
namespace {

std::vector<std::string> names_of(Store& store, const char* sql,
                                  const std::vector<std::string>& trials) {
  SQLite::Statement query(store.database(), sql);
  query.bind(1, Json(trials).dump());
  std::vector<std::string> names;
  while (query.executeStep()) names.push_back(query.getColumn(0));
  return names;
}

}  // namespace

RecordedNames recorded_names(Store& store, const std::vector<std::string>& trials) {
  return {names_of(store,
                   "SELECT DISTINCT m.name FROM json_each(?1) j JOIN measurement m ON m.trial = "
                   "j.value WHERE m.value IS NOT NULL ORDER BY 1",
                   trials),
          names_of(store,
                   "SELECT DISTINCT a.name || '/' || f.key FROM json_each(?1) j JOIN artifact a ON "
                   "a.trial = j.value JOIN json_each(json_set(a.facts, '$.bytes', a.bytes)) f "
                   "WHERE f.type IN ('integer', 'real') ORDER BY 1",
                   trials)};
}

}  // namespace rethink
