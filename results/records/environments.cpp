#include "results/records/environments.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "core/error.h"
#include "core/json.h"
#include "core/message.h"
#include "core/store_files/accepted_code.h"
#include "results/database/statement.h"

namespace rethink {
namespace {

/// The change in a row's event; nothing for a damaged event.
EnvironmentChange change_in(const std::string& body) {
  return change_of_event(Json::parse(body, nullptr, /*allow_exceptions=*/false));
}

/// Hashes of a plug-in's code in sets whose members compute the same numbers, as a user accepted.
class EqualCode {
 public:
  explicit EqualCode(const std::filesystem::path& store) {
    for (const CodeChange& change : accepted_changes(store)) {
      const std::string fact = std::string(kCodeFact) + "." + change.plugin;
      first_[{fact, first_of(fact, change.before)}] = first_of(fact, change.now);
    }
  }
  /// Returns one hash for all members of its set.
  std::string first_of(const std::string& fact, std::string hash) const {
    for (;;) {
      const auto equal = first_.find({fact, hash});
      if (equal == first_.end() || equal->second == hash) return hash;
      hash = equal->second;
    }
  }

 private:
  std::map<std::pair<std::string, std::string>, std::string> first_;  // by fact and hash
};

}  // namespace

std::map<std::string, RecordedEnvironment> read_environments(
    Store& store, const std::vector<std::string>& trials) {
  std::map<std::string, RecordedEnvironment> found;
  SQLite::Statement changes =
      statement_of(store.database(),
                   "SELECT e.trial, e.body FROM json_each(?) j JOIN event e ON e.trial = "
                   "j.value WHERE e.event = 'inexact'",
                   trials);
  while (changes.executeStep()) {
    std::optional<EnvironmentChange>& change = found[changes.getColumn(0)].inexact;
    if (!change) change.emplace();
    change->add(change_in(changes.getColumn(1)));
  }
  SQLite::Statement facts = statement_of(
      store.database(),
      "SELECT e.trial, e.name, e.value FROM json_each(?) j JOIN environment e ON e.trial = j.value "
      "WHERE e.attempt = (SELECT max(number) FROM attempt a WHERE a.trial = e.trial AND a.outcome "
      "= ?)",
      trials, AttemptOutcome::done);
  const EqualCode equal(store.folder());
  while (facts.executeStep()) {
    const std::string fact = facts.getColumn(1), value = facts.getColumn(2);
    const bool is_code = fact.starts_with(std::string(kCodeFact) + ".");
    if (is_numeric_fact(fact) || is_code)
      found[facts.getColumn(0)].facts[fact] = is_code ? equal.first_of(fact, value) : value;
  }
  return found;
}

std::map<int64_t, EnvironmentChange> inexact_resumes(Store& store, const std::string& trial) {
  std::map<int64_t, EnvironmentChange> found;
  SQLite::Statement events = statement_of(
      store.database(),
      "SELECT attempt, body FROM event WHERE trial = ? AND event = 'inexact' ORDER BY attempt",
      trial);
  while (events.executeStep())
    found[events.getColumn(0).getInt64()].add(change_in(events.getColumn(1)));
  return found;
}

std::vector<std::string> differences_of_builds(Store& store) {
  std::vector<std::string> lines;
  const std::vector<std::string> trials = texts_of(
      store.database(), "SELECT id FROM trial WHERE state = ? ORDER BY id", TrialState::done);
  SeenEnvironments seen;
  size_t resumed = 0, unknown = 0;
  EnvironmentChange change;
  for (const auto& [trial, recorded] : read_environments(store, trials)) {
    seen.add(recorded.facts);
    if (recorded.inexact) {
      ++resumed;
      change.add(*recorded.inexact);
    }
    // A record of the libtorch that computed names its version.
    if (recorded.facts.contains("libtorch") && !recorded.facts.contains("numeric_build")) ++unknown;
  }
  if (const std::vector<std::string> mixed = seen.mixed(); !mixed.empty())
    lines.push_back(fmt::format(
        "done trials differ in {}: a table marks cells that average such trials", joined(mixed)));
  if (resumed > 0)
    lines.push_back(
        fmt::format("{} resumed from a checkpoint made with {}: the last bits may "
                    "differ from an undisturbed run's",
                    counted(resumed, "done trial"), change.text()));
  if (unknown > 0)
    lines.push_back(fmt::format(
        "{} done trial{} of a version that did not record its build: with which code {} computed "
        "is not known",
        unknown, unknown == 1 ? " is" : "s are", unknown == 1 ? "it" : "they"));
  return lines;
}

std::vector<std::pair<std::string, std::string>> environment_values(Store& store) {
  SQLite::Statement query(
      store.database(),
      "SELECT DISTINCT name, value FROM environment WHERE name NOT IN "
      "('pid', 'start_time', 'boot_id', 'at', 'attempt', 'resume_step', 'resume_proof') ORDER BY "
      "name, value");
  std::vector<std::pair<std::string, std::string>> values;
  while (query.executeStep()) values.emplace_back(query.getColumn(0), query.getColumn(1));
  return values;
}

}  // namespace rethink
