#include "results/upkeep/merge.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string_view>
#include <tuple>

#include "core/error.h"
#include "core/files/file.h"
#include "core/files/hash.h"
#include "core/files/lock.h"
#include "core/files/owner.h"
#include "core/files/store_file.h"
#include "core/json.h"
#include "core/store_files/event.h"
#include "core/store_files/result_file.h"
#include "core/store_files/trial_folder.h"
#include "core/system/kill_point.h"
#include "results/database/database_place.h"
#include "results/folders/artifact_file.h"
#include "results/folders/foreign_parts.h"
#include "results/folders/look_record.h"
#include "results/folders/outside_scores.h"
#include "results/folders/stored_trial.h"
#include "results/folders/sweep_files.h"
#include "results/folders/trials_in_transit.h"
#include "results/store/ingest.h"
#include "results/store/rebuild.h"
#include "results/store/store_state.h"

namespace rethink {
namespace {

const std::string kMerged = "merged from ";

void remove_leftovers(const std::filesystem::path& store) {
  for (const std::filesystem::path& path : merge_leftovers(store)) remove_tree(path);
}

/// Copies the trial under a name that nobody reads. The lock stays behind, since it is useless
/// elsewhere.
void copy_trial(const std::filesystem::path& from, const std::filesystem::path& arriving) {
  std::filesystem::create_directory(arriving);
  for (const auto& entry : std::filesystem::directory_iterator(from)) {
    const std::string name = entry.path().filename().string();
    if (name == kTrialLock || name == kCheckpointsFolder || name == kRepetitionFolder) continue;
    // Links are not copied, since their targets are outside that store.
    std::filesystem::copy(
        entry.path(), arriving / name,
        std::filesystem::copy_options::recursive | std::filesystem::copy_options::skip_symlinks);
  }
}

/// The first link below `folder` that leads out of it or to nothing, as no recorded code has one;
/// empty if there is none.
std::string link_out_of(const std::filesystem::path& folder) {
  if (!std::filesystem::is_directory(folder)) return "";
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (!entry.is_symlink()) continue;
    std::error_code leads_nowhere;
    const std::filesystem::path target =
        std::filesystem::canonical(entry.path(), leads_nowhere)
            .lexically_relative(std::filesystem::canonical(folder));
    if (leads_nowhere || target.empty() || *target.begin() == "..")
      return entry.path().lexically_relative(folder).string();
  }
  return "";
}

/// The recorded sweep of `into` with the same name: its done members under its own choice, which no
/// run replaces.
SweepFile merged(const SweepFile& theirs, const std::filesystem::path& from,
                 const std::filesystem::path& into) {
  SweepFile ours = theirs;
  ours.path.clear();
  ours.cancelled.clear();
  if (!ours.choice.starts_with(kMerged)) {
    const std::string uuid = store_uuid(from);
    const std::string store = uuid.empty() ? from.string() : uuid;
    ours.choice = kMerged + store + (theirs.choice.empty() ? "" : ", " + theirs.choice);
  }
  std::erase_if(ours.members,
                [&](const SweepMember& member) { return !has_result_file(into, member.trial); });
  return ours;
}

/// Stage, trial and labels: a trial may be a member under several labels.
using MemberKey = std::tuple<std::string, std::string, decltype(SweepMember::labels)>;

MemberKey key_of(const SweepMember& member) {
  return {member.stage, member.trial, member.labels};
}

std::set<MemberKey> keys_of(const std::vector<SweepMember>& members) {
  std::set<MemberKey> keys;
  for (const SweepMember& member : members) keys.insert(key_of(member));
  return keys;
}

/// Adds recorded members of `into` with the same choice. Copies of a store that were used apart
/// have one uuid, and each may have members that the other lacks.
void keep_members(SweepFile& wanted, const std::optional<Sweep>& ours) {
  if (!ours) return;
  for (const SweepFile& known : ours->files) {
    if (known.choice != wanted.choice || known.source != wanted.source) continue;
    std::vector<SweepMember> all = known.members;
    const std::set<MemberKey> keys = keys_of(all);
    std::ranges::copy_if(wanted.members, std::back_inserter(all),
                         [&](const SweepMember& member) { return !keys.contains(key_of(member)); });
    wanted.members = std::move(all);
    wanted.cancelled = known.cancelled;
  }
}

/// Returns the number of sweeps that got new members.
size_t merge_sweeps(Store& store, const std::filesystem::path& from,
                    const std::filesystem::path& into) {
  size_t changed = 0;
  std::vector<std::filesystem::path> damaged;  // named already
  for (const Sweep& theirs : united(read_sweep_files(from, &damaged))) {
    const std::optional<Sweep> ours = read_sweep(into, theirs.sweep, theirs.profile);
    const std::set<MemberKey> known = ours ? keys_of(ours->members) : std::set<MemberKey>();
    bool any = false;
    for (const SweepFile& file : theirs.files) {
      SweepFile wanted = merged(file, from, into);
      const bool is_new = std::ranges::any_of(wanted.members, [&](const SweepMember& member) {
        return !known.contains(key_of(member));
      });
      keep_members(wanted, ours);
      if (is_new) write_sweep_file(into, wanted);
      any = any || is_new;
    }
    // Also for an unchanged file: the process that wrote it may have died before this step.
    if (const auto now = read_sweep(into, theirs.sweep, theirs.profile)) store.put_sweep(*now);
    if (any) ++changed;
  }
  return changed;
}

class Merge {
 public:
  Merge(const std::filesystem::path& from, const std::filesystem::path& into)
      : from_(from), into_(into) {}

  MergeReport run() {
    make_folder_durably(trials_folder(into_));
    Store store(into_, Store::Access::write);
    remove_leftovers(into_);
    read_their_sweeps();
    const std::vector<std::string> theirs = trials_in(from_);
    name_absent_trials(theirs);
    std::vector<std::string> arriving;
    std::copy_if(theirs.begin(), theirs.end(), std::back_inserter(arriving),
                 [&](const std::string& trial) { return wanted(store, trial) && copied(trial); });
    take_code();
    sync_disk(into_);
    kill_point("before_trials_arrive");
    for (const std::string& trial : arriving) take_place(store, trial);
    sync_folder(trials_folder(into_));
    kill_point("after_trials_arrived");
    remove_leftovers(into_);
    store.begin();
    index_done(store, theirs);
    report_.sweeps = merge_sweeps(store, from_, into_);
    MergedLooks looks = merge_looks(from_, into_);
    report_.looks_added = looks.added;
    report_.looks = std::move(looks.differing);
    report_.damaged.insert(report_.damaged.end(), looks.damaged.begin(), looks.damaged.end());
    kill_point("before_merge_commit");
    store.commit();
    report_.added = arriving.size();
    return report_;
  }

 private:
  /// The code of users' programs, each snapshot under the SHA-256 of its content.
  void take_code() {
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator(from_ / kCodeFolder, none)) {
      const std::filesystem::path ours = into_ / kCodeFolder / entry.path().filename();
      if (entry.is_symlink() || ours.filename().string().starts_with('.') ||
          std::filesystem::exists(ours))
        continue;
      const std::filesystem::path arriving = into_ / kCodeFolder / ("." + ours.filename().string());
      remove_tree(arriving);
      std::filesystem::create_directories(into_ / kCodeFolder);
      std::filesystem::copy(
          entry.path(), arriving,
          std::filesystem::copy_options::recursive | std::filesystem::copy_options::copy_symlinks);
      if (const std::string link = link_out_of(arriving); !link.empty()) {
        report_.damaged.push_back(fmt::format(
            "{}: is a link that leads out of this copy of a program's code, which was left there",
            (entry.path() / link).string()));
        remove_tree(arriving);
        continue;
      }
      std::filesystem::rename(arriving, ours);
    }
  }

  /// If a sweep cannot be read, `gc` would remove its trials' files, so the trials are not merged.
  void read_their_sweeps() {
    std::vector<std::filesystem::path> damaged;
    for (const SweepFile& file : read_sweep_files(from_, &damaged)) {
      for (const SweepMember& member : file.members) in_sweeps_.insert(member.trial);
    }
    for (const std::filesystem::path& path : damaged) {
      report_.damaged.push_back(fmt::format(
          "{} and may have trials that no other sweep there has, which were left there; "
          "run its sweep there again with the same options, or remove the file",
          damaged_file_text(path)));
    }
    all_sweeps_ = damaged.empty();
  }

  /// A link instead of a trial's folder does not count as a trial of that store, and an unreadable
  /// folder shows no trials.
  void name_absent_trials(const std::vector<std::string>& theirs) {
    for (const std::string& trial : trial_names(from_)) {
      if (std::ranges::binary_search(theirs, trial)) continue;
      const std::string foreign = foreign_part(trial_folder(from_, trial));
      if (!foreign.empty()) refuse(trial, foreign);
    }
  }

  bool wanted(Store& store, const std::string& trial) {
    const std::filesystem::path theirs = trial_folder(from_, trial),
                                ours = trial_folder(into_, trial);
    for (const std::filesystem::path& folder : {theirs, ours}) {
      const std::string unusable = unusable_part(folder);
      if (!unusable.empty()) return refuse(trial, unusable);
    }
    const std::filesystem::path result_file = theirs / result_name(theirs);
    if (!std::filesystem::exists(result_file) || is_folder_locked(ours)) {
      ++report_.unfinished;
      return false;
    }
    const std::optional<Json> their_result = sound_result(result_file),
                              our_result = sound_result(ours / kResultFile);
    if (!readable_trial(theirs)) return refuse(trial, theirs / kTrialFile);
    if (!their_result) return refuse(trial, result_file);
    const std::filesystem::path events = TrialFolder(theirs).events(their_result->at("attempt"));
    if (!std::filesystem::exists(events)) return refuse(trial, events);
    if (const auto proved = proved_result(result_file); proved && !proved->is_sound())
      return refuse(trial, fmt::format("{} is damaged ({})", result_file.string(), proved->damage));
    if (!read_outside_scores(theirs)) return refuse(trial, theirs / kScoresFile);
    if (!our_result) {
      if (const std::string file = foreign_file(theirs); !file.empty()) return refuse(trial, file);
      if (!result_events_are_whole(theirs, *their_result)) {
        const uint64_t good = read_events(events, 0, [](const Json&) {}).offset;
        if (good < their_result->at("events")) return refuse(trial, events);
        return refuse(trial, events.string() + " rests on an attempt that is damaged or missing");
      }
      return all_sweeps_ || in_sweeps_.count(trial) > 0;
    }
    const std::optional<bool> other_rows = has_other_metrics(store, trial);
    if (!other_rows) return refuse(trial, events);
    ++report_.known;
    take_scores(store, trial);
    if (*other_rows ||
        their_result->value("metrics", Json()) != our_result->value("metrics", Json()))
      report_.different.push_back(trial);
    return false;
  }

  /// The file with the trial's result: the earlier result if the trial was to be repeated for its
  /// weights, has no new result, and no process runs it.
  static const char* result_name(const std::filesystem::path& folder) {
    if (std::filesystem::exists(folder / kResultFile) || is_folder_locked(folder))
      return kResultFile;
    const std::optional<StoredJson> earlier = proved_result(folder / kOldResultFile);
    const bool counts = earlier && earlier->is_sound() &&
                        outcome_of_result(earlier->object) == AttemptOutcome::done &&
                        result_events_are_whole(folder, earlier->object);
    return counts ? kOldResultFile : kResultFile;
  }

  /// A copy with its earlier result is done: it lacks only weights, which nobody here needs.
  static void put_back_result(const std::filesystem::path& arriving) {
    if (std::string_view(result_name(arriving)) == kResultFile) return;
    std::filesystem::rename(arriving / kOldResultFile, arriving / kResultFile);
    std::filesystem::remove(arriving / kStateFile);
  }

  /// Scores that were imported into either store, in the order of import. Scores that a later
  /// import replaces are reported.
  std::vector<OutsideScore> united_scores(const std::string& trial,
                                          const std::vector<OutsideScore>& theirs,
                                          const std::vector<OutsideScore>& ours) {
    std::vector<OutsideScore> all = ours;
    std::ranges::copy_if(theirs, std::back_inserter(all), [&](const OutsideScore& score) {
      return std::ranges::find(ours, score) == ours.end();
    });
    std::ranges::stable_sort(all, {}, &OutsideScore::at);
    const auto before = newest_scores(ours), after = newest_scores(all);
    for (const auto& [name, score] : before) {
      const OutsideScore& now = after.at(name);
      if (now.value == score.value) continue;
      report_.replaced.push_back(
          fmt::format("trial {}: the imported score {} is now {} ({}), was {} ({}), which was "
                      "imported earlier",
                      trial, name, now.value, now.source(), score.value, score.source()));
    }
    return all;
  }

  /// For a trial that is done in both stores.
  void take_scores(Store& store, const std::string& trial) {
    const std::filesystem::path folder = trial_folder(into_, trial);
    const auto theirs = read_outside_scores(trial_folder(from_, trial)),
               ours = read_outside_scores(folder);
    if (theirs->empty() || !ours) return;  // `db check` reports our damaged scores
    const std::vector<OutsideScore> all = united_scores(trial, *theirs, *ours);
    if (all.size() > ours->size()) write_outside_scores(folder, all);
    // Also if unchanged: the writer may have died before this step.
    put_outside_scores(store, folder);
  }

  /// For a trial that replaces ours: our imported scores stay. False if ours cannot be read and
  /// would be lost.
  bool keep_scores(const std::string& trial, const std::filesystem::path& arriving) {
    const auto ours = read_outside_scores(trial_folder(into_, trial));
    if (!ours) return false;
    if (!ours->empty())
      write_outside_scores(arriving, united_scores(trial, *read_outside_scores(arriving), *ours));
    return true;
  }

  bool refuse(const std::string& trial, const std::filesystem::path& damaged) {
    return refuse(trial, fmt::format("{} is damaged", damaged.string()));
  }
  bool refuse(const std::string& trial, const std::string& damage) {
    report_.damaged.push_back(fmt::format("trial {}: {}", trial, damage));
    return false;
  }

  /// The recorded files must arrive unchanged. Files that `gc` may have removed can be missing.
  bool copied(const std::string& trial) {
    const std::filesystem::path theirs = trial_folder(from_, trial),
                                arriving = place(kArriving, trial);
    std::string damage;
    try {
      copy_trial(theirs, arriving);
      put_back_result(arriving);
      damage = damage_of_files(theirs, arriving, in_sweeps_.count(trial) > 0);
    } catch (const std::filesystem::filesystem_error& error) {
      if (error.code() == std::errc::no_space_on_device) throw;
      damage = file_trouble(error);
    } catch (const DamagedFile& error) {
      damage = error.what();
    } catch (const Json::exception&) {
      damage = fmt::format("{} is damaged", (theirs / kResultFile).string());
    }
    if (damage.empty() && !keep_scores(trial, arriving))
      damage = fmt::format("{} is damaged", (trial_folder(into_, trial) / kScoresFile).string());
    if (damage.empty()) return true;
    remove_tree(arriving);
    return refuse(trial, damage);
  }

  /// The recorded file that did not arrive unchanged; empty if all did.
  static std::string damage_of_files(const std::filesystem::path& theirs,
                                     const std::filesystem::path& arriving, bool is_needed) {
    const std::optional<Json> result = sound_result(arriving / kResultFile);
    if (!result) return fmt::format("{} is damaged", (theirs / kResultFile).string());
    for (const Json& artifact : result->at("artifacts")) {
      const std::string file = artifact.at("file");
      if (file.starts_with("../"))
        continue;  // a file of a trial that a select chose is checked with that trial
      if (!std::filesystem::exists(arriving / file)) {
        if (is_needed) {
          return fmt::format(
              "{} is missing; {}", (theirs / file).string(),
              how_to_restore(theirs.parent_path().parent_path(), theirs.filename().string()));
        }
      } else if (sha256_file(arriving / file) != artifact.at("sha256").get<std::string>()) {
        return fmt::format("{} has another SHA-256 than when it was made",
                           (theirs / file).string());
      }
    }
    return "";
  }

  /// Whether their events have other metrics than our rows; nothing if the events are damaged.
  /// Files with the same bytes, as an earlier merge left them, have our metrics.
  std::optional<bool> has_other_metrics(Store& store, const std::string& trial) {
    if (has_same_events(trial)) return false;
    std::vector<std::string> damaged;
    Store theirs(from_, "");
    index_trial(theirs, from_, trial, damaged);
    if (!damaged.empty()) return std::nullopt;
    // A worker that outlived its driver may have written events that nobody has read.
    ingest_events(store, trial_folder(into_, trial));
    return metrics_of(theirs, trial) != metrics_of(store, trial);
  }

  /// Most files that differ do so in size, which avoids reading them.
  bool has_same_events(const std::string& trial) const {
    const auto files = [&](const std::filesystem::path& of) {
      auto events = event_files(trial_folder(of, trial));
      std::erase_if(events, [](const auto& file) { return !std::filesystem::exists(file.second); });
      return events;
    };
    return std::ranges::equal(files(from_), files(into_), [](const auto& a, const auto& b) {
      return a.first == b.first && store_file_problem(a.second).empty() &&
             store_file_problem(b.second).empty() &&
             std::filesystem::file_size(a.second) == std::filesystem::file_size(b.second) &&
             read_file(a.second) == read_file(b.second);
    });
  }

  static std::vector<MetricRow> metrics_of(Store& store, const std::string& trial) {
    SQLite::Statement names = statement_of(
        store.database(),
        "SELECT DISTINCT split, name FROM metric WHERE trial = ? AND split != ? ORDER BY 1, 2",
        trial, kImportedSplit);
    std::vector<MetricRow> rows;
    while (names.executeStep()) {
      for (MetricRow& row : store.metrics(trial, names.getColumn(0), names.getColumn(1)))
        rows.push_back(std::move(row));
    }
    return rows;
  }

  std::filesystem::path place(std::string_view prefix, const std::string& trial) const {
    return trials_folder(into_) / (std::string(prefix) + trial);
  }

  /// Replaces our unfinished trial and its rows: their rows come under the same numbers.
  void take_place(Store& store, const std::string& trial) {
    const std::filesystem::path ours = trial_folder(into_, trial);
    store.set_state(trial,
                    // Until index_done: our rows are removed before theirs are added.
                    TrialState::waiting);
    if (std::filesystem::exists(ours)) std::filesystem::rename(ours, place(kLeaving, trial));
    kill_point("after_trial_left");
    ingest_events(store, ours);
    std::filesystem::rename(place(kArriving, trial), ours);
    kill_point("after_trial_arrived");
  }

  /// Trials that this merge copied, or an earlier merge that was killed before it could report
  /// them.
  void index_done(Store& store, const std::vector<std::string>& trials) {
    const auto known = store.states(trials);
    std::vector<std::string> damaged;
    for (const std::string& trial : trials) {
      const auto state = known.find(trial);
      const bool is_in = state != known.end() && has_result(state->second);
      if (!is_in && has_result_file(into_, trial)) index_trial(store, into_, trial, damaged);
    }
  }

  const std::filesystem::path &from_, &into_;
  std::set<std::string> in_sweeps_;  // trials in a sweep of their store
  bool all_sweeps_ = true;           // could be read
  MergeReport report_;
};

}  // namespace

MergeReport merge_store(const std::filesystem::path& from, const std::filesystem::path& into) {
  if (!std::filesystem::is_directory(trials_folder(from))) {
    throw ConfigError("no-store",
                      fmt::format("{}: there is no store here; give the folder that holds 'trials'",
                                  from.string()));
  }
  if (std::filesystem::exists(into) && std::filesystem::equivalent(from, into)) {
    throw ConfigError(
        "invalid-value",
        fmt::format("{}: is the store itself; give another store to merge from", from.string()));
  }
  return Merge(from, into).run();
}

}  // namespace rethink
