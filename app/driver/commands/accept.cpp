// `rethink accept`: records that a changed plug-in computes the same numbers as before.
#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "app/driver/command.h"
#include "app/driver/show/plan_notes/program_notes.h"
#include "core/error.h"
#include "core/json.h"
#include "core/message.h"
#include "results/query/run_query.h"
#include "results/records/changed_code.h"
#include "results/store/store.h"

namespace rethink {
namespace {

bool has_programs(Store& store, const Schema& schema) {
  const QueryResult jobs = run_query(store, "SELECT DISTINCT job FROM trial_record");
  return std::ranges::any_of(
      jobs.rows, [&](const std::vector<Json>& row) { return runs_program(row[0], schema); });
}

/// Returns what to do after an edit of a user's program; "" if the store has no trial of such a
/// program.
std::string text_on_programs(Store& store, const Schema& schema) {
  if (!has_programs(store, schema)) return "";
  return ". Programs of `job: command` are no plug-ins: an edit of their code makes new trials. "
         "Take the edit back to have the earlier trials again, or set `code_version` before the "
         "first run (docs/how_to/command.md)";
}

/// The possible arguments, for a message.
std::string choices_text(const std::vector<ChangedCode>& changed, Store& store,
                         const Schema& schema) {
  std::vector<std::string> names;
  for (const ChangedCode& one : changed) names.push_back(one.change.plugin);
  names.erase(std::ranges::unique(names).begin(), names.end());
  return (names.empty() ? "no done trial was made by a plug-in whose code has changed"
                        : "changed since done trials: " + joined(names)) +
         text_on_programs(store, schema);
}

class Accept : public Command {
 public:
  std::string positional() const override { return "PLUGIN..."; }
  bool needs_folders() const override { return true; }
  void declare(po::options_description&) const override {}
  std::string more_help(const CommandContext&) const override {
    return "PLUGIN is named by the note of `plan` or `run` that its code has changed. For example, "
           "after an edit of a\n"
           "comment in models/attention/topk.cpp:\n"
           "  rethink accept attention/topk\n"
           "The done trials then count as made by the present code.\n"
           "\n";
  }

  int run(const CommandContext& context, const po::variables_map& given) override {
    const std::vector<std::string> plugins = arguments_of(given);
    require_trials(context);
    Store store(context.store, Store::Access::read);
    const std::vector<ChangedCode> changed = changed_code(store, context.schema());
    if (plugins.empty())
      throw ConfigError("missing-argument", "name a plug-in to accept; " +
                                                choices_text(changed, store, context.schema()));
    for (const std::string& plugin : plugins) {
      if (std::ranges::find(changed, plugin, &of_plugin) == changed.end())
        throw ConfigError("nothing-to-accept",
                          fmt::format("{}: there is nothing to accept; {}", plugin,
                                      choices_text(changed, store, context.schema())));
    }
    for (const ChangedCode& one : changed) {
      if (std::ranges::count(plugins, one.change.plugin) == 0) continue;
      accept(context.store, one.change);
      std::cout << fmt::format("{}: accepted for {}\n", one.change.plugin,
                               counted(one.trials, "done trial"));
    }
    return kDone;
  }

 private:
  static const std::string& of_plugin(const ChangedCode& changed) { return changed.change.plugin; }
};

RETHINK_REGISTERED = add_command<Accept>(
    "accept", "record that a changed plug-in computes the same numbers as before");

}  // namespace
}  // namespace rethink
