#include "results/query/store_summary.h"

#include <SQLiteCpp/SQLiteCpp.h>

namespace rethink {

StoreSummary summary_of(Store& store) {
  SQLite::Statement query(
      store.database(),
      "SELECT (SELECT count(*) FROM trial WHERE state = 'done'), coalesce((SELECT max(facts ->> "
      "'$.at') FROM attempt WHERE outcome = 'done'), '')");
  query.executeStep();
  return {query.getColumn(0).getInt64(), query.getColumn(1).getString()};
}

}  // namespace rethink
