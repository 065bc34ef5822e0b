#include "results/records/changed_code.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "core/json.h"
#include "core/message.h"
#include "results/database/statement.h"

namespace rethink {
namespace {

/// Null if this program lacks the plug-in, or does not know its code.
const PluginSchema* find_plugin(const Schema& schema, const std::string& plugin) {
  const size_t slash = plugin.find('/');
  if (slash == std::string::npos) return nullptr;
  const PluginSchema* found = schema.find(plugin.substr(0, slash), plugin.substr(slash + 1));
  return found && !found->code.empty() ? found : nullptr;
}

/// Returns the known commits of a JSON array, in which an unknown commit is null.
std::vector<std::string> known_commits(const std::string& array) {
  std::vector<std::string> commits;
  for (const Json& commit : Json::parse(array)) {
    if (commit.is_string()) commits.push_back(commit.get<std::string>());
  }
  std::ranges::sort(commits);
  return commits;
}

/// " (commits 1a2b3c4d5e6f, 2b3c4d5e6f7a and 3 others)"; "" if none is known.
std::string commits_text(std::vector<std::string> commits) {
  constexpr size_t kMost = 3;
  if (commits.empty()) return "";
  if (commits.size() == 1) return fmt::format(" (commit {})", commits[0]);
  std::string more;
  if (commits.size() > kMost) {
    more = fmt::format(" and {} others", commits.size() - kMost + 1);
    commits.resize(kMost - 1);
  }
  return fmt::format(" (commits {}{})", joined(commits), more);
}

}  // namespace

std::vector<ChangedCode> changed_code(Store& store, const std::vector<std::string>& trials,
                                      const Schema& schema) {
  const std::string prefix = std::string(kCodeFact) + ".";
  SQLite::Statement rows = statement_of(
      store.database(),
      // The condition uses j.value, and not e.trial, so that SQLite knows the attempt before it
      // searches the rows.
      "SELECT substr(e.name, ?3), e.value, count(*), json_group_array(DISTINCT c.value) FROM "
      "json_each(?1) j JOIN environment e ON e.trial = j.value AND e.attempt = (SELECT max(number) "
      "FROM attempt a WHERE a.trial = j.value AND a.outcome = ?4) AND e.name >= ?2 AND e.name "
      "< ?2 || 'z' LEFT JOIN environment c ON c.trial = e.trial AND c.attempt = e.attempt AND "
      "c.name = 'commit' GROUP BY e.name, e.value ORDER BY e.name, e.value",
      trials, prefix, static_cast<int64_t>(prefix.size()) + 1, AttemptOutcome::done);
  std::vector<ChangedCode> changed;
  while (rows.executeStep()) {
    const std::string plugin = rows.getColumn(0), before = rows.getColumn(1);
    const PluginSchema* found = find_plugin(schema, plugin);
    if (!found || found->code == before) continue;
    const CodeChange change{plugin, before, found->code};
    if (is_accepted(store.folder(), change)) continue;
    changed.push_back({change, static_cast<size_t>(rows.getColumn(2).getInt64()),
                       known_commits(rows.getColumn(3).getString()), found->source});
  }
  return changed;
}

std::vector<ChangedCode> changed_code(Store& store, const Schema& schema) {
  return changed_code(store,
                      texts_of(store.database(), "SELECT id FROM trial WHERE state = ? ORDER BY id",
                               TrialState::done),
                      schema);
}

Note note_on(const ChangedCode& changed, const std::filesystem::path& store, ChangedTrials which) {
  const std::string& plugin = changed.change.plugin;
  return Note(
      "changed-code",
      fmt::format("{}{} {} made by other code{}: {} has changed. If the change alters numbers, "
                  "raise the plug-in's revision, so that new trials replace these. If not, type "
                  "`{}`",
                  counted(changed.trials, "done trial"),
                  which == ChangedTrials::of_store ? " of the store" : "",
                  changed.trials == 1 ? "was" : "were", commits_text(changed.commits),
                  changed.source, store_command("accept " + plugin, store)),
      Position{plugin});
}

}  // namespace rethink
