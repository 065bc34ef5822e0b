// `rethink gc`: removes files that nothing will read again: checkpoints of trials with a result,
// checkpoints and artifacts of trials in no sweep, and the remains of killed attempts and commands.
// Numbers stay.
#include <fmt/format.h>

#include <iostream>
#include <map>
#include <optional>
#include <set>

#include "app/driver/command.h"
#include "core/error.h"
#include "core/files/owner.h"
#include "core/message.h"
#include "core/store_files/trial_folder.h"
#include "experiments/attempt/trial_files.h"
#include "experiments/run/requests.h"
#include "experiments/run/selftest/chaos.h"
#include "results/folders/foreign_parts.h"
#include "results/folders/store_lock.h"
#include "results/folders/stored_trial.h"
#include "results/folders/sweep_files.h"
#include "results/folders/trials_in_transit.h"
#include "results/store/left_running.h"
#include "results/store/rebuild.h"
#include "results/upkeep/check_store.h"
#include "results/upkeep/removed_trials.h"

namespace rethink {
namespace {

uint64_t bytes_below(const std::filesystem::path& path) {
  std::error_code gone;
  const auto status = std::filesystem::symlink_status(path, gone);
  if (!std::filesystem::is_directory(status))
    return std::filesystem::is_regular_file(status) ? std::filesystem::file_size(path, gone) : 0;
  uint64_t bytes = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(path, gone)) {
    if (std::filesystem::is_regular_file(entry.symlink_status(gone)))
      bytes += entry.file_size(gone);
  }
  return bytes;
}

class GarbageCollection {
 public:
  GarbageCollection(const std::filesystem::path& store, bool dry_run, bool without_sweeps)
      : store_(store), dry_run_(dry_run) {
    const std::vector<SweepFile> sweeps = read_sweep_files(store, &damaged_);
    if (!damaged_.empty())
      record_ = Record::damaged;
    else if (sweeps.empty() && !without_sweeps)
      record_ = Record::missing;
    for (const SweepFile& sweep : sweeps) {
      for (const SweepMember& member : sweep.members) wanted_.insert(member.trial);
    }
    if (record_ == Record::complete && !without_sweeps) keep_lost_sweeps(sweeps);
    for (const std::filesystem::path& path : damaged_) {
      std::cerr << fmt::format(
          "{} and may have trials that no other sweep has: their checkpoints and artifacts stay; "
          "run its sweep again with the same options, or remove the file\n",
          damaged_file_text(path));
    }
  }

  /// Standard error names files that could not be removed, or were kept because the store has no
  /// sweeps. `again`: the command that removes the kept files. Returns the exit code.
  int run(const std::string& again) {
    for (const std::string& id : trial_names(store_)) {
      const std::string foreign = unusable_part(trial_folder(store_, id));
      if (!foreign.empty()) std::cerr << fmt::format("trial {} was left alone: {}\n", id, foreign);
      if (!foreign.empty()) continue;
      if (std::filesystem::exists(TrialFolder(store_, id).trial()))
        look_at(TrialFolder(store_, id), id);
      const std::string left = foreign_file(trial_folder(store_, id));
      if (!left.empty()) std::cerr << fmt::format("trial {}: {}\n", id, left);
    }
    remove_leftovers();
    if (!dry_run_) ingest_ended_trials();
    std::cout << fmt::format("{} {:.1f} MB in {}\n", dry_run_ ? "would remove" : "removed",
                             static_cast<double>(bytes_) / 1e6, counted(places_, "place"));
    for (const std::string& trouble : troubles_) std::cerr << trouble << "\n";
    for (const std::string& lost : lost_sweeps_) std::cerr << lost << "\n";
    if (kept_trials_ > 0) std::cerr << kept_text(again) << "\n";
    print_selftests();
    return !troubles_.empty()                          ? kMachineError
           : kept_trials_ > 0 || !lost_sweeps_.empty() ? kSomeFailed
                                                       : kDone;
  }

 private:
  /// What the folder `sweeps` shows about trials that no sweep file lists.
  enum class Record {
    complete,  // no sweep needs their files
    damaged,   // a damaged file may list them
    missing,   // no sweep file at all, as in a partial copy of a store
  };

  /// Keeps trials that are in a sweep of the database but in no sweep file, since a file may be
  /// lost.
  void keep_lost_sweeps(const std::vector<SweepFile>& sweeps) {
    std::map<std::string, std::set<std::string>> lost;
    try {
      Store index(store_, Store::Access::read);
      lost = lost_sweeps(index, sweeps);
    } catch (const std::runtime_error&) {
      return;  // without a readable database, the files decide
    }
    for (const auto& [sweep, trials] : lost) {
      wanted_.insert(trials.begin(), trials.end());
      lost_sweeps_.push_back(
          lost_sweep_text(sweep, trials.size(), store_) +
          ": their checkpoints and artifacts were kept; run the sweep again with the same options, "
          "or delete it from the record with `" +
          store_command("db rebuild", store_) + "`, then run gc again");
    }
  }

  /// Removes what a killed `rm`, `db merge` or `db rebuild` left, databases that were set aside,
  /// and answers that nobody collected.
  void remove_leftovers() {
    std::map<std::filesystem::path, uint64_t> trials;
    for (const std::filesystem::path& trial : trials_set_aside(store_))
      trials[trial] = bytes_below(trial);
    if (!trials.empty() && !dry_run_) finish_removals();
    for (const auto& [trial, bytes] : trials) {
      // The folder stays if the database could not be updated yet.
      const uint64_t left = dry_run_ ? 0 : bytes_below(trial);
      if (left < bytes || dry_run_ || !std::filesystem::exists(trial)) count(trial, bytes - left);
    }
    for (const std::filesystem::path& path : merge_leftovers(store_)) remove(path);
    for (const std::filesystem::path& path : database_leftovers(store_)) remove(path);
    for (const std::filesystem::path& path : request_files(store_, ".answer")) remove(path);
  }

  /// Names the folders of selftests, which may still run, or whose files explain a failure.
  void print_selftests() const {
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(store_, ignored)) {
      if (entry.path().filename().string().starts_with(kSelftestFolder))
        std::cerr << fmt::format(
            "{} ({:.1f} MB) is of a selftest that runs or has failed; remove it if none runs\n",
            entry.path().string(), static_cast<double>(bytes_below(entry.path())) / 1e6);
    }
  }

  void finish_removals() {
    try {
      troubles_ = finish_earlier_removals(store_);
    } catch (const MachineError& error) {
      troubles_.emplace_back(error.what());
    }
  }

  /// After space was freed, which the rows need.
  void ingest_ended_trials() {
    try {
      const std::vector<std::string> left = [this] {
        Store index(store_, Store::Access::read);
        return left_running(index, store_);
      }();
      if (left.empty()) return;
      Store index(store_, Store::Access::write);
      take_over(index, store_, left);
    } catch (const std::runtime_error&) {
      // If the database cannot be written, the next command that writes it does this.
    }
  }

  void look_at(const TrialFolder& folder, const std::string& id) {
    if (has_running_worker(folder)) return;
    const bool has_result = std::filesystem::exists(folder.result());
    const bool listed = wanted_.count(id) > 0;
    const bool unwanted = !listed && record_ == Record::complete;
    unwanted ? remove(folder.artifacts()) : remove_temporary(folder.artifacts());
    // A trial without a result continues from its checkpoints, also a failed or cancelled trial
    // that is run again, unless no sweep has it.
    has_result || unwanted ? remove(folder.checkpoints()) : remove_temporary(folder.checkpoints());
    remove(folder.repetition());
    remove_temporary(folder.path());
    if (!listed && record_ == Record::missing) count_kept(folder, has_result);
  }

  void count_kept(const TrialFolder& folder, bool has_result) {
    const uint64_t bytes =
        bytes_below(folder.artifacts()) + (has_result ? 0 : bytes_below(folder.checkpoints()));
    kept_bytes_ += bytes;
    kept_trials_ += bytes > 0 ? 1 : 0;
  }

  std::string kept_text(const std::string& again) const {
    const std::filesystem::path sweeps = store_ / "sweeps";
    return fmt::format(
        "{} {}, so no sweep lists {} with weights or checkpoints ({:.1f} MB); these files were "
        "kept. If the store was copied or restored in part, copy the folder `sweeps` of the "
        "original store too, or run all its sweeps again; to remove the files: {}",
        sweeps.string(), std::filesystem::exists(sweeps) ? "has no sweep file" : "is missing",
        counted(kept_trials_, "trial"), static_cast<double>(kept_bytes_) / 1e6, again);
  }

  void remove_temporary(const std::filesystem::path& folder) {
    for (const std::filesystem::path& path : temporary_files(folder)) remove(path);
  }

  void remove(const std::filesystem::path& path) {
    std::error_code gone;
    if (!std::filesystem::exists(std::filesystem::symlink_status(path, gone))) return;
    const uint64_t bytes = bytes_below(path);
    try {
      if (!dry_run_) remove_tree(path);
      count(path, bytes);
    } catch (const MachineError& error) {
      troubles_.emplace_back(error.what());
    }
  }

  void count(const std::filesystem::path& path, uint64_t bytes) {
    bytes_ += bytes;
    places_++;
    if (dry_run_) std::cout << path.string() << "\n";
  }

  std::filesystem::path store_;
  bool dry_run_;
  std::set<std::string> wanted_;
  std::vector<std::filesystem::path> damaged_;  // sweep files
  Record record_ = Record::complete;
  uint64_t bytes_ = 0, kept_bytes_ = 0;
  size_t places_ = 0, kept_trials_ = 0;
  std::vector<std::string> troubles_, lost_sweeps_;
};

class Gc : public Command {
 public:
  bool needs_folders() const override { return true; }
  void declare(po::options_description& options) const override {
    options.add_options()("dry-run", "list what would be removed, and remove nothing")(
        "yes", "remove the weights and checkpoints of all trials if the store has no sweep");
  }
  int run(const CommandContext& context, const po::variables_map& given) override {
    require_trials(context);
    const bool dry_run = given.count("dry-run") > 0;
    // A dry run takes no lock, since another command may own the store.
    std::optional<StoreLock> lock;
    if (!dry_run) lock.emplace(StoreLock::take(context.store, "gc"));
    return GarbageCollection(context.store, dry_run, given.count("yes") > 0)
        .run(store_command("gc --yes", context.store));
  }
};

RETHINK_REGISTERED = add_command<Gc>("gc",
                                     "remove files that nothing needs: old checkpoints, files of "
                                     "trials in no sweep, leftovers; numbers stay");

}  // namespace
}  // namespace rethink
