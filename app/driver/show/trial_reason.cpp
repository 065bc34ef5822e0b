#include "app/driver/show/trial_reason.h"

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

}  // namespace rethink
