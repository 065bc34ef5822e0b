// `rethink rm`: removes a sweep with the trials that no other sweep has, or single trials.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <optional>
#include <set>

#include "app/driver/command.h"
#include "core/error.h"
#include "core/message.h"
#include "core/store_files/trial_folder.h"
#include "core/system/kill_point.h"
#include "experiments/attempt/trial_files.h"
#include "results/database/database_error.h"
#include "results/database/database_place.h"
#include "results/database/shared_store.h"
#include "results/folders/foreign_parts.h"
#include "results/folders/outside_scores.h"
#include "results/folders/store_lock.h"
#include "results/folders/stored_trial.h"
#include "results/folders/sweep_files.h"
#include "results/folders/trials_in_transit.h"
#include "results/query/trial_prefix.h"
#include "results/store/store.h"
#include "results/upkeep/removed_trials.h"

namespace rethink {
namespace {

/// What will be removed; collected before anything is removed.
struct Removal {
  std::vector<SweepFile> sweeps;
  std::set<std::string> trials;
  size_t shared = 0;  // trials of these sweeps that stay, since another sweep has them
};

/// The advice on unreadable files of sweeps.
std::string damaged_text(const std::vector<std::filesystem::path>& damaged,
                         const char* what_they_may) {
  return fmt::format(
      "{} and may {}; run its sweep again with the same options, which writes the file "
      "anew, or remove the file",
      damaged_file_text(damaged.front()), what_they_may);
}

/// Trials with a folder, and trials of the sweeps whose folder was deleted.
std::vector<std::string> known_trials(const std::filesystem::path& store,
                                      const std::vector<SweepFile>& sweeps) {
  const std::vector<std::string> names = trial_names(store);
  std::set<std::string> known(names.begin(), names.end());
  for (const SweepFile& sweep : sweeps) {
    for (const SweepMember& member : sweep.members) known.insert(member.trial);
  }
  return {known.begin(), known.end()};
}

/// "; did you mean 'bet/x'?; its sweeps: bet/x --profile small"
std::string sweeps_text(const std::vector<SweepFile>& sweeps, const std::string& name) {
  std::set<std::string> known;
  for (const SweepFile& sweep : sweeps)
    known.insert(sweep.sweep + (sweep.profile.empty() ? "" : " --profile " + sweep.profile));
  return fmt::format("{}; its sweeps: {}", did_you_mean_sweep(name, sweeps),
                     known.empty() ? "none" : joined({known.begin(), known.end()}));
}

Removal removal_of(const std::filesystem::path& store, const std::vector<std::string>& names,
                   const std::optional<std::string>& profile) {
  std::vector<std::filesystem::path> damaged;
  const std::vector<SweepFile> all = read_sweep_files(store, &damaged);
  Removal removal;
  std::set<std::filesystem::path> going;
  std::set<std::string> single;
  const std::vector<std::string> known = known_trials(store, all);
  for (const std::string& name : names) {
    bool found = false;
    std::set<std::string> profiles;  // profiles with which the sweep was run
    for (const SweepFile& sweep : all) {
      if (!answers_to(sweep, name)) continue;
      profiles.insert(sweep.profile.empty() ? "''" : sweep.profile);
      if (profile && sweep.profile != *profile) continue;
      found = true;
      if (going.insert(sweep.path).second) removal.sweeps.push_back(sweep);
      for (const SweepMember& member : sweep.members) removal.trials.insert(member.trial);
    }
    if (!found && !profile && profiles.empty()) {
      const std::string trial = trial_to_change(name, known);
      if (!trial.empty()) single.insert(trial);
      found = !trial.empty();
    }
    if (found) continue;
    const std::string may_be_it =
        damaged.empty() ? "" : "; " + damaged_text(damaged, "be that sweep's");
    if (!profiles.empty()) {
      throw ConfigError(
          "unknown-profile",
          fmt::format("{}: sweep '{}' was not run with --profile {}; known: {}{}", store.string(),
                      name, *profile, joined({profiles.begin(), profiles.end()}), may_be_it));
    }
    throw ConfigError("unknown-name", fmt::format("{} has no sweep {}'{}'{}{}{}", store.string(),
                                                  profile ? "" : "or trial ", name,
                                                  profile ? ", and --profile is for sweeps" : "",
                                                  may_be_it, sweeps_text(all, name)));
  }
  if (!damaged.empty() && !removal.sweeps.empty())
    throw ConfigError("damaged-file", damaged_text(damaged, "have some of these trials on record"));
  for (const SweepFile& sweep : all) {
    if (going.count(sweep.path)) continue;
    for (const SweepMember& member : sweep.members)
      removal.shared += removal.trials.erase(member.trial);
  }
  removal.trials.insert(single.begin(), single.end());
  return removal;
}

struct FileCount {
  size_t files = 0;
  uint64_t bytes = 0;
};

FileCount files_below(const std::filesystem::path& folder) {
  FileCount count;
  std::error_code gone;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder, gone)) {
    if (!std::filesystem::is_regular_file(entry.symlink_status(gone))) continue;
    ++count.files;
    count.bytes += entry.file_size(gone);
  }
  return count;
}

/// The number of files of the removed trials that could not be deleted.
size_t files_left(const Removal& removal, const std::filesystem::path& store) {
  size_t left = 0;
  for (const std::filesystem::path& aside : trials_set_aside(store)) {
    if (removal.trials.count(trial_set_aside(aside))) left += files_below(aside).files;
  }
  return left;
}

/// "sweep bet/x (2 choices), 12 trials, 340 files, 12.3 MB"
std::string removal_text(const Removal& removal, const std::filesystem::path& store) {
  std::string text;
  for (const Sweep& sweep : united(removal.sweeps)) {
    text += fmt::format("sweep {}{}", sweep.sweep,
                        sweep.profile.empty() ? "" : " --profile " + sweep.profile);
    if (sweep.files.size() > 1) text += fmt::format(" ({} choices)", sweep.files.size());
    text += ", ";
  }
  size_t files = 0, scored = 0;
  uint64_t bytes = 0;
  for (const std::string& trial : removal.trials) {
    const std::filesystem::path folder = trial_folder(store, trial);
    const FileCount count = files_below(folder);
    files += count.files;
    bytes += count.bytes;
    scored += has_outside_scores(folder) ? 1 : 0;
  }
  text += fmt::format("{}, {}, {:.1f} MB", counted(removal.trials.size(), "trial"),
                      counted(files, "file"), static_cast<double>(bytes) / 1e6);
  // No run restores these.
  if (scored > 0) text += fmt::format(", the imported scores of {}", counted(scored, "trial"));
  if (removal.shared > 0) {
    text += fmt::format("; {} more {} with another sweep", removal.shared,
                        removal.shared == 1 ? "trial stays" : "trials stay");
  }
  return text;
}

/// Returns what an rm that failed half-way has removed, and what is left.
std::string half_removal_text(const Removal& removal, size_t trials, size_t sweeps) {
  if (trials + sweeps == 0) return "nothing was removed";
  std::string text = fmt::format("deleted from the record: {} of {}", trials,
                                 counted(removal.trials.size(), "trial"));
  if (!removal.sweeps.empty())
    text += fmt::format(" and {} of {}", sweeps, counted(removal.sweeps.size(), "sweep file"));
  return text +
         "; the next rm, gc or run deletes their files and rows, and the same command removes the "
         "rest";
}

/// A sweep may be days of work, so its removal is confirmed.
void confirm(const std::string& what) {
  if (!isatty(STDIN_FILENO))
    throw ConfigError("not-confirmed", "rm would remove " + what + "; give --yes to do it");
  std::cerr << "remove " << what << "? [y/N] " << std::flush;
  std::string answer;
  std::getline(std::cin, answer);
  if (answer != "y" && answer != "yes") throw ConfigError("not-confirmed", "nothing was removed");
}

class Rm : public Command {
 public:
  std::string positional() const override { return "SWEEP|TRIAL..."; }
  bool needs_folders() const override { return true; }
  void declare(po::options_description& options) const override {
    options.add_options()("dry-run", "list what would be removed, and remove nothing")(
        "yes", "remove a sweep without asking")("profile",
                                                po::value<std::string>()->value_name("NAME"),
                                                "profile of the sweep (default: all profiles)");
  }

  int run(const CommandContext& context, const po::variables_map& given) override {
    const std::vector<std::string> names = arguments_of(given);
    if (names.empty())
      throw ConfigError("missing-argument",
                        fmt::format("name a sweep or a trial to remove; `{}` lists them",
                                    store_command("status --all", context.store)));
    require_trials(context);
    const bool dry_run = given.count("dry-run") > 0;
    // A dry run takes no lock, since another command may own the store.
    std::optional<StoreLock> lock;
    if (!dry_run) {
      lock.emplace(StoreLock::take(context.store, "rm"));
      set_kill_point_folder(context.store);
      // An earlier removal that was killed is finished first; it may have been this one.
      for (const std::string& trouble : finish_earlier_removals(context.store))
        std::cerr << "left by an earlier rm: " << trouble << "\n";
    }
    std::optional<std::string> profile;
    if (given.count("profile")) profile = given["profile"].as<std::string>();
    const Removal removal = removal_of(context.store, names, profile);
    for (const std::string& trial : removal.trials) {
      if (has_running_worker(TrialFolder(context.store, trial))) {
        throw ConfigError("trial-running",
                          fmt::format("trial {} is running; cancel it first: {}", trial,
                                      store_command("cancel " + trial, context.store)));
      }
      const std::string linked = linked_part(trial_folder(context.store, trial));
      if (!linked.empty()) throw ConfigError("linked-file", linked + "; nothing was removed");
    }
    const std::string what = removal_text(removal, context.store);
    if (!dry_run && !removal.sweeps.empty() && !given.count("yes")) confirm(what);
    if (dry_run) {
      std::cout << fmt::format("would remove {}\n", what);
      return kDone;
    }
    const std::vector<std::string> troubles = remove(context.store, removal);
    if (troubles.empty()) {
      std::cout << fmt::format("removed {}\n", what);
      return kDone;
    }
    std::cout << fmt::format("deleted from the record: {}; files of these still on the disk: {}\n",
                             what, files_left(removal, context.store))
              << std::flush;
    for (const std::string& trouble : troubles)
      std::cerr << "deleted from the record, but still on the disk: " << trouble << "\n";
    return kMachineError;
  }

 private:
  static std::vector<std::string> remove(const std::filesystem::path& store,
                                         const Removal& removal) {
    // Nothing is moved if the rows could not be removed.
    require_single_name(database_path(store), store);
    if (const std::string text = foreign_files(database_path(store)); !text.empty())
      throw MachineError("removal-failed", text + "; nothing was removed");
    size_t trials = 0, sweeps = 0;  // off the record
    try {
      // The sweeps are removed after their trials: after a crash, the same command still knows what
      // to remove.
      for (const std::string& trial : removal.trials) {
        set_trial_aside(store, trial);
        ++trials;
      }
      kill_point("before_sweeps_removed");
      for (const SweepFile& sweep : removal.sweeps) {
        std::filesystem::remove(sweep.path);
        ++sweeps;
        kill_point("after_sweep_removed");
      }
    } catch (const std::exception& error) {
      throw MachineError("removal-failed", fmt::format("{}; {}", store_error_text(store, error),
                                                       half_removal_text(removal, trials, sweeps)));
    }
    return finish_removal(store);
  }
};

RETHINK_REGISTERED =
    add_command<Rm>("rm", "remove sweeps or trials from the store, files and rows");

}  // namespace
}  // namespace rethink
