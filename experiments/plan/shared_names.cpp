#include "experiments/plan/shared_names.h"

#include <fmt/format.h>

#include <optional>

#include "core/add_once.h"
#include "core/files/file.h"
#include "core/files/named_file.h"
#include "core/message.h"
#include "results/folders/sweep_files.h"

namespace rethink {
namespace {

/// The store's record of `plan`, as far as is_same_plan compares it.
SweepFile sweep_file_of(const Plan& plan) {
  SweepFile file{plan.sweep, plan.profile, plan.choice, whole_path(plan.file).string(), {}, {}};
  for (const PlannedTrial& planned : plan.trials)
    file.members.push_back({planned.trial.id, planned.stage, plan.profile, planned.labels});
  return file;
}

/// Trials that only the files of `gone`'s source and profile have: `rethink rm` of these files
/// removes the trials.
std::set<std::string> trials_only_of(const SweepFile& gone, const std::vector<SweepFile>& files) {
  std::set<std::string> trials, of_others;
  for (const SweepFile& file : files) {
    const bool is_its = file.source == gone.source && file.profile == gone.profile;
    for (const SweepMember& member : file.members)
      (is_its ? trials : of_others).insert(member.trial);
  }
  std::erase_if(trials, [&](const std::string& trial) { return of_others.contains(trial); });
  return trials;
}

/// A note on a recorded file that is missing and that the plan does not replace.
std::optional<Note> note_of_missing(const SweepFile& missing, const Plan& plan,
                                    const std::vector<SweepFile>& files,
                                    const std::string& store_option) {
  const size_t trials = trials_only_of(missing, files).size();
  if (trials == 0) return std::nullopt;
  const bool has_profiles = std::ranges::any_of(files, [&](const SweepFile& file) {
    return file.source == missing.source && file.profile != missing.profile;
  });
  return Note(
      "missing-sweep-file",
      fmt::format(
          "sweep '{}' was also run from {}, which is missing: {} that {} lacks stay{} on record; "
          "if "
          "they are another person's, give {} another name (`sweep:`); if nobody wants them: "
          "rethink "
          "rm "
          "{}{}{}",
          plan.sweep, missing.source, counted(trials, "trial"), plan.file.string(),
          trials == 1 ? "s" : "", plan.file.string(), for_a_shell(missing.source),
          has_profiles ? " --profile " + for_a_shell(missing.profile) : "", store_option));
}

}  // namespace

std::vector<Note> shared_names(const std::vector<Plan>& plans, const std::filesystem::path& store,
                               const std::string& store_option) {
  std::vector<SweepFile> files = read_sweep_files(store);
  for (const Plan& plan : plans) files.push_back(sweep_file_of(plan));
  std::vector<Note> notes;
  for (const Plan& plan : plans) {
    const SweepFile planned = sweep_file_of(plan);
    for (const SweepFile& other : files) {
      if (other.sweep != plan.sweep || comes_from(other, plan.file)) continue;
      if (!is_surely_missing(other.source)) {
        add_once(notes, Note("shared-name",
                             fmt::format("sweep '{}' is defined in {} and in {}: `query` and `rm` "
                                         "treat both as one sweep; rename one of them",
                                         plan.sweep, plan.file.string(), other.source)));
      } else if (other.profile == plan.profile && other.choice == plan.choice &&
                 !is_same_plan(planned, other)) {
        const auto note = note_of_missing(other, plan, files, store_option);
        if (note) add_once(notes, *note);
      }
    }
  }
  return notes;
}

}  // namespace rethink
