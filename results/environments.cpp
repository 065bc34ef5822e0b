#include "results/environments.h"

#include <SQLiteCpp/SQLiteCpp.h>

#include "core/json.h"

namespace rethink {
namespace {

/// Of a row's event; a damaged one says nothing.
EnvironmentChange change_in(const std::string& body) {
  return change_of_event(Json::parse(body, nullptr, /*allow_exceptions=*/false));
}

}  // namespace

std::map<std::string, RecordedEnvironment> read_environments(
    Store& store, const std::vector<std::string>& trials) {
  std::map<std::string, RecordedEnvironment> found;
  const std::string wanted = Json(trials).dump();
  SQLite::Statement changes(store.database(),
                            "SELECT e.trial, e.body FROM json_each(?) j JOIN event e ON e.trial = "
                            "j.value WHERE e.event = 'inexact'");
  changes.bind(1, wanted);
  while (changes.executeStep()) {
    std::optional<EnvironmentChange>& change = found[changes.getColumn(0)].inexact;
    if (!change) change.emplace();
    change->add(change_in(changes.getColumn(1)));
  }
  SQLite::Statement facts(
      store.database(),
      "SELECT e.trial, e.name, e.value FROM json_each(?) j JOIN environment e ON e.trial = j.value "
      "WHERE e.attempt = (SELECT max(number) FROM attempt a WHERE a.trial = e.trial AND a.outcome "
      "= 'done')");
  facts.bind(1, wanted);
  while (facts.executeStep()) {
    const std::string fact = facts.getColumn(1);
    if (is_numeric_fact(fact))
      found[facts.getColumn(0)].facts[fact] = facts.getColumn(2).getString();
  }
  return found;
}

std::map<int64_t, EnvironmentChange> inexact_resumes(Store& store, const std::string& trial) {
  std::map<int64_t, EnvironmentChange> found;
  SQLite::Statement events(
      store.database(),
      "SELECT attempt, body FROM event WHERE trial = ? AND event = 'inexact' ORDER BY attempt");
  events.bind(1, trial);
  while (events.executeStep())
    found[events.getColumn(0).getInt64()].add(change_in(events.getColumn(1)));
  return found;
}

}  // namespace rethink
