#include "app/driver/show/trials/trial_reason.h"

#include <fmt/format.h>

#include "core/json.h"
#include "results/database/sql_expressions.h"
#include "results/query/run_query.h"

namespace rethink {

std::string trial_reason(Store& store, const std::string& trial) {
  return run_query(store, fmt::format("SELECT {} FROM trial t WHERE t.id = {}", reason_sql(),
                                      sql_text(trial)))
      .rows.at(0)
      .at(0);
}

std::map<int64_t, std::string> attempt_reasons(Store& store, const std::string& trial) {
  const QueryResult rows =
      run_query(store, fmt::format("SELECT a.number, {} FROM attempt a WHERE a.trial = {}",
                                   attempt_reason_sql(), sql_text(trial)));
  std::map<int64_t, std::string> reasons;
  for (const std::vector<Json>& row : rows.rows) reasons.emplace(row[0], row[1]);
  return reasons;
}

}  // namespace rethink
