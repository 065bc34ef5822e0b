#include "app/driver/show/tables/recorded_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <set>

#include "app/driver/cli/plan_choices.h"
#include "app/driver/show/tables/sweep_specs.h"
#include "app/driver/show/tables/table_view.h"
#include "core/error.h"
#include "core/message.h"
#include "experiments/plan/plan.h"
#include "results/database/database_place.h"

namespace rethink {
namespace {

constexpr size_t kMostShown = 3;

/// Whether all words of a choice are known; a choice from `db merge` may have others.
bool has_known_words(const SweepFile& file) {
  return file.choice.empty() || file.choice.starts_with("--");
}

bool belongs_to_any(const SweepFile& file, const std::vector<std::filesystem::path>& sweeps) {
  return std::ranges::any_of(
      sweeps, [&](const std::filesystem::path& sweep) { return comes_from(file, sweep); });
}

/// The recorded runs of these sweeps, the newest first.
std::vector<SweepFile> recorded_runs(const std::filesystem::path& store,
                                     const std::vector<std::filesystem::path>& sweeps) {
  if (!std::filesystem::is_directory(store / "sweeps")) return {};  // a snapshot, or no store
  std::vector<std::filesystem::path> damaged;
  std::vector<SweepFile> files = read_sweep_files(store, &damaged);
  std::erase_if(files, [&](const SweepFile& file) {
    return !belongs_to_any(file, sweeps) || !has_known_words(file);
  });
  std::ranges::stable_sort(files, [](const SweepFile& a, const SweepFile& b) {
    return stamp_of(a.path).changed_ns > stamp_of(b.path).changed_ns;
  });
  return files;
}

size_t done_trials_of(const SweepFile& file, Store& store) {
  std::vector<std::string> trials;
  for (const SweepMember& member : file.members) trials.push_back(member.trial);
  size_t done = 0;
  for (const auto& [trial, state] : store.states(trials)) done += state == TrialState::done ? 1 : 0;
  return done;
}

size_t num_trials_of(const SweepFile& file) {
  std::set<std::string> trials;
  for (const SweepMember& member : file.members) trials.insert(member.trial);
  return trials.size();
}

/// " --profile small --set lr=1", without --only, which tables lack; empty: none.
std::string options_of(const SweepFile& file) {
  std::string options = file.profile.empty() ? "" : " --profile " + for_a_shell(file.profile);
  for (const auto& [option, value] : options_of_choice(file.choice)) {
    if (option == "--only") continue;
    options += fmt::format(" {} {}", for_a_shell(option), for_a_shell(value));
  }
  return options;
}

}  // namespace

void declare_like_last_run(po::options_description& options) {
  options.add_options()("like-last-run",
                        "use --profile, --set and --seeds of the sweep's newest run");
}

void require_no_settings_beside_last_run(const po::variables_map& given) {
  if (!given.count("like-last-run")) return;
  const std::string own = options_as_given(given, {"profile", "set", "seeds"});
  if (!own.empty()) {
    throw ConfigError("conflicting-arguments",
                      fmt::format("--like-last-run takes the settings of the newest run, so that{} "
                                  "cannot be given with it; leave out one of them",
                                  own));
  }
}

RenderingChoices choices_for(const CommandContext& context, const po::variables_map& given,
                             const RenderingChoices& chosen,
                             const std::vector<std::filesystem::path>& sweeps) {
  if (!given.count("like-last-run")) return chosen;
  require_no_settings_beside_last_run(given);
  const std::vector<SweepFile> runs = recorded_runs(context.store, sweeps);
  if (runs.empty()) {
    throw ConfigError("no-run", fmt::format("--like-last-run: no run of {} is on record in {}",
                                            sweeps.empty() ? "a sweep" : sweeps.front().string(),
                                            context.store.string()));
  }
  const SweepFile& newest = runs.front();
  RenderingChoices like = chosen;
  const PlanChoices theirs = choices_on_record(context, newest);
  like.plan.profile = theirs.profile;
  like.plan.settings = theirs.settings;
  like.plan.seeds = theirs.seeds;  // a table shows the whole sweep, so --only is left out
  const std::string options = options_of(newest);
  like.again.choices = options + like.again.choices;
  static std::set<std::string> said;  // a report calls this for each part
  const std::string line = fmt::format("settings of the newest run of {}:{}\n", newest.sweep,
                                       options.empty() ? " none beside its file" : options);
  if (said.insert(line).second) std::cerr << line;
  return like;
}

RenderingChoices choices_of_named(const CommandContext& context, const po::variables_map& given,
                                  const RenderingChoices& chosen, const std::string& kind,
                                  const std::string& name) {
  if (!given.count("like-last-run")) return chosen;
  return choices_for(context, given, chosen, sweep_files_named(kind, name, context));
}

std::vector<std::filesystem::path> files_of(const Plans& plans) {
  std::vector<std::filesystem::path> files;
  for (const auto& [word, plan] : plans) files.push_back(plan.file);
  return files;
}

std::set<std::string> trials_of(const Plans& plans) {
  std::set<std::string> trials;
  for (const auto& [word, plan] : plans) {
    for (const PlannedTrial& planned : plan.trials) trials.insert(planned.trial.id);
  }
  return trials;
}

std::set<std::string> stages_of(const std::vector<const TableSpec*>& specs) {
  std::set<std::string> stages;
  for (const TableSpec* spec : specs) {
    stages.insert(spec->trials.stage.text);
    for (const std::vector<LineSpec>* lines : {&spec->rows, &spec->columns}) {
      for (const LineSpec& line : *lines) {
        if (line.stage) stages.insert(line.stage->text);
      }
    }
  }
  return stages;
}

void print_other_settings(const CommandContext& context, const RenderingChoices& chosen,
                          const std::vector<std::filesystem::path>& sweeps,
                          const std::string& words, const std::set<std::string>& shown_trials,
                          const std::set<std::string>& stages) {
  const std::unique_ptr<Store> store = open_store(context);
  if (!store || context.quiet) return;
  static std::set<std::string> said;  // claims call this once for each table
  size_t shown = 0;
  for (SweepFile& file : recorded_runs(context.store, sweeps)) {
    std::erase_if(file.members, [&](const SweepMember& member) {
      return !stages.empty() && !stages.contains(member.stage);
    });
    // Also under other settings: a setting that this sweep lacks is not on its record.
    if (std::ranges::all_of(file.members, [&](const SweepMember& member) {
          return shown_trials.contains(member.trial);
        }))
      continue;
    const PlanChoices theirs = choices_on_record(context, file);
    const bool is_same = theirs.profile == chosen.plan.profile &&
                         theirs.settings == chosen.plan.settings &&
                         theirs.seeds == chosen.plan.seeds;
    const size_t done = is_same ? 0 : done_trials_of(file, *store);
    if (done == 0) continue;
    if (++shown > kMostShown) break;
    const std::string options = options_of(file);
    const std::string note = fmt::format(
        "{}: {} of {} trials done under {}: {}\n", file.sweep, done, num_trials_of(file),
        options.empty() ? "the file's own settings" : options.substr(1),
        store_command(words + options + chosen.folders, context.store));
    if (said.insert(note).second) std::cerr << note;
  }
}

}  // namespace rethink
