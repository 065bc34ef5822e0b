// `rethink rm`: takes a sweep off the record, with the trials that no other sweep wants; or single trials.
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <set>

#include "app/driver/command.h"
#include "app/driver/removed_trials.h"
#include "core/error.h"
#include "core/kill_point.h"
#include "experiments/attempt/trial_folder.h"
#include "results/folders.h"
#include "results/store_lock.h"

namespace rethink {
namespace {

/// What is to be removed, found before anything is.
struct Removal {
  std::vector<SweepFile> sweeps;
  std::set<std::string> trials;
};

Removal removal_of(const std::filesystem::path& store, const std::vector<std::string>& names) {
  const std::vector<SweepFile> all = read_sweep_files(store);
  Removal removal;
  std::set<std::string> wanted_elsewhere;
  std::vector<std::string> known;
  for (const std::string& name : names) {
    bool found = false;
    for (const SweepFile& sweep : all) {
      if (sweep.sweep != name && sweep.source != name) continue;
      found = true;
      removal.sweeps.push_back(sweep);
      for (const SweepMember& member : sweep.members) removal.trials.insert(member.trial);
    }
    for (const std::string& trial : trials_in(store)) {
      if (!found && name.size() >= 4 && trial.starts_with(name)) found = removal.trials.insert(trial).second;
    }
    if (!found) throw ConfigError(fmt::format("{} has no sweep or trial '{}'", store.string(), name));
  }
  for (const SweepFile& sweep : all) {
    const bool goes =
        std::any_of(removal.sweeps.begin(), removal.sweeps.end(), [&](const SweepFile& removed) {
          return removed.sweep == sweep.sweep && removed.profile == sweep.profile;
        });
    for (const SweepMember& member : sweep.members) {
      if (!goes && !removal.sweeps.empty()) wanted_elsewhere.insert(member.trial);
    }
  }
  for (const std::string& trial : wanted_elsewhere) removal.trials.erase(trial);
  return removal;
}

class Rm : public Command {
 public:
  std::string positional() const override { return "SWEEP|TRIAL..."; }
  void declare(po::options_description& options) const override {
    options.add_options()("dry-run", "say what would be removed, and remove nothing");
  }

  int run(const CommandContext& context, const po::variables_map& given) override {
    const std::vector<std::string> names = arguments_of(given);
    if (names.empty()) throw ConfigError("name a sweep or a trial to remove; `rethink status` lists them");
    if (!std::filesystem::exists(context.store / "trials")) {
      throw ConfigError(context.store.string() + " is no store; name one with --store");
    }
    const StoreLock lock = StoreLock::take(context.store, "rm");
    set_kill_point_folder(context.store);
    // An earlier removal that was killed comes first; it may have been this one.
    if (!trials_set_aside(context.store).empty()) finish_removal(context.store);
    const Removal removal = removal_of(context.store, names);
    for (const std::string& trial : removal.trials) {
      if (is_being_worked_on(TrialFolder(context.store, trial))) {
        throw ConfigError(fmt::format("trial {} is being worked on; cancel it first", trial));
      }
    }
    const bool dry_run = given.count("dry-run") > 0;
    if (!dry_run) remove(context.store, removal);
    std::cout << fmt::format("{} {} trials and {} sweeps\n", dry_run ? "would remove" : "removed",
                             removal.trials.size(), removal.sweeps.size());
    return kDone;
  }

 private:
  static void remove(const std::filesystem::path& store, const Removal& removal) {
    // The sweeps go after their trials: after a crash the same command still knows what to remove.
    for (const std::string& trial : removal.trials) set_trial_aside(store, trial);
    kill_point("before_sweeps_removed");
    for (const SweepFile& sweep : removal.sweeps) {
      std::filesystem::remove(sweep_path(store, sweep.sweep, sweep.profile));
      kill_point("after_sweep_removed");
    }
    finish_removal(store);
  }
};

const bool registered = add_command<Rm>("rm", "remove sweeps or trials from the store, files and rows");

}  // namespace
}  // namespace rethink
