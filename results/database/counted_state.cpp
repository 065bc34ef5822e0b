#include "results/database/counted_state.h"

namespace rethink {

std::string counted_state_sql() {
  return "iif(t.state NOT IN ('done', 'diverged') AND EXISTS(SELECT 1 FROM attempt a WHERE a.trial "
         "= t.id AND a.outcome = 'done' AND (t.state != 'running' OR a.number < (SELECT "
         "max(number) "
         "FROM attempt b WHERE b.trial = t.id)) AND NOT EXISTS(SELECT 1 FROM attempt d WHERE "
         "d.trial = t.id AND d.number <= a.number AND d.damaged)), 'done', t.state)";
}

std::string has_kept_result_sql() {
  return "t.state IN ('failed', 'cancelled', 'blocked') AND " + counted_state_sql() + " = 'done'";
}

}  // namespace rethink
