#include "results/query/changed_code.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>

#include "core/error.h"
#include "core/message.h"
#include "results/database/statement.h"

namespace rethink {
namespace {

/// Null where this program has no such plug-in, or does not know its code.
const PluginSchema* find_plugin(const Schema& schema, const std::string& plugin) {
  const size_t slash = plugin.find('/');
  if (slash == std::string::npos) return nullptr;
  const PluginSchema* found = schema.find(plugin.substr(0, slash), plugin.substr(slash + 1));
  return found && !found->code.empty() ? found : nullptr;
}

}  // namespace

std::vector<ChangedCode> changed_code(Store& store, const std::vector<std::string>& trials,
                                      const Schema& schema) {
  const std::string prefix = std::string(kCodeFact) + ".";
  SQLite::Statement rows = statement_of(
      store.database(),
      // By j.value, and not by e.trial, the attempt is known before the rows are looked for.
      "SELECT substr(e.name, ?3), e.value, count(*) FROM json_each(?1) j JOIN environment e ON "
      "e.trial = j.value AND e.attempt = (SELECT max(number) FROM attempt a WHERE a.trial = "
      "j.value AND a.outcome = 'done') AND e.name >= ?2 AND e.name < ?2 || 'z' "
      "GROUP BY e.name, e.value ORDER BY e.name, e.value",
      trials, prefix, static_cast<int64_t>(prefix.size()) + 1);
  std::vector<ChangedCode> changed;
  while (rows.executeStep()) {
    const std::string plugin = rows.getColumn(0), before = rows.getColumn(1);
    const PluginSchema* found = find_plugin(schema, plugin);
    if (!found || found->code == before) continue;
    const CodeChange change{plugin, before, found->code};
    if (is_accepted(store.folder(), change)) continue;
    changed.push_back({change, static_cast<size_t>(rows.getColumn(2).getInt64()), found->source});
  }
  return changed;
}

std::vector<ChangedCode> changed_code(Store& store, const Schema& schema) {
  return changed_code(
      store, texts_of(store.database(), "SELECT id FROM trial WHERE state = 'done' ORDER BY id"),
      schema);
}

Note note_on(const ChangedCode& changed, const std::filesystem::path& store) {
  const std::string& plugin = changed.change.plugin;
  return Note(
      "changed-code",
      fmt::format("{} made by other code: {} has changed. If the change alters numbers, raise the "
                  "plug-in's revision, and new trials replace these. If it alters none, type `{}`",
                  changed.trials == 1 ? "1 done trial was"
                                      : fmt::format("{} done trials were", changed.trials),
                  changed.source, store_command("accept " + plugin, store)),
      Position{plugin});
}

}  // namespace rethink
