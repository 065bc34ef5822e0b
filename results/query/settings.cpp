#include "results/query/settings.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>

#include "results/database/schema.h"
#include "results/store/store_state.h"

namespace rethink {
namespace {

std::string of_sweeps(const std::string& sql) {
  return fmt::format("(SELECT min({}) FROM sweep_trial z WHERE z.trial = t.id)", sql);
}

}  // namespace

std::vector<Setting> settings_of_trials(Store& store) {
  std::vector<Setting> all = {{"job", "t.job"}, {"stage", of_sweeps("z.stage")}};
  SQLite::Statement keys(store.database(),
                         "SELECT key FROM configuration_key WHERE varies ORDER BY key");
  while (keys.executeStep()) {
    const std::string key = keys.getColumn(0);
    all.push_back({key, fmt::format("json_extract(t.configuration, {})", json_path(key)),
                   /*of_configuration=*/true});
  }
  SQLite::Statement labels(store.database(),
                           "SELECT DISTINCT label FROM label WHERE instr(label, '.') AND label NOT "
                           "IN (SELECT key FROM configuration_key) ORDER BY label");
  while (labels.executeStep()) {
    const std::string label = labels.getColumn(0);
    const std::string path = sql_text("$.\"" + label + "\"");
    all.push_back({label, of_sweeps(fmt::format("json_extract(z.labels, {})", path))});
  }
  return all;
}

}  // namespace rethink
