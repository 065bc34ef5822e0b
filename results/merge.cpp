// Bringing the trials of another store in.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/error.h"
#include "core/file.h"
#include "core/lock.h"
#include "results/database_place.h"
#include "results/folders.h"
#include "results/rebuild.h"
#include "results/settle.h"
#include "results/store_state.h"

namespace rethink {
namespace {

constexpr const char* kArriving = ".arriving-";
constexpr const char* kLeaving = ".leaving-";
const std::string kMerged = "merged from ";

/// What a merge that was cut off left behind.
void remove_leftovers(const std::filesystem::path& trials) {
  std::vector<std::filesystem::path> leftovers;
  for (const auto& entry : std::filesystem::directory_iterator(trials)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with(kArriving) || name.starts_with(kLeaving))
      leftovers.push_back(entry.path());
  }
  for (const auto& path : leftovers) std::filesystem::remove_all(path);
}

/// Copies the trial to a name that nobody reads; the lock stays, it is of no use elsewhere.
void copy_trial(const std::filesystem::path& from, const std::filesystem::path& arriving) {
  std::filesystem::create_directory(arriving);
  for (const auto& entry : std::filesystem::directory_iterator(from)) {
    const std::string name = entry.path().filename().string();
    if (name == "lock" || name == "checkpoints") continue;
    std::filesystem::copy(entry.path(), arriving / name, std::filesystem::copy_options::recursive);
  }
}

/// What `into` has on record of their sweep: the members that are done here, under a choice of its
/// own, which no run replaces.
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
  std::erase_if(ours.members, [&](const SweepMember& member) {
    return !std::filesystem::exists(trial_folder(into, member.trial) / "result.json");
  });
  return ours;
}

/// Returns how many sweeps got members that they lacked.
size_t merge_sweeps(Store& store, const std::filesystem::path& from,
                    const std::filesystem::path& into) {
  size_t changed = 0;
  for (const Sweep& theirs : read_sweeps(from)) {
    const std::optional<Sweep> ours = read_sweep(into, theirs.sweep, theirs.profile);
    std::set<std::pair<std::string, std::string>> known;  // stage, trial
    if (ours) {
      for (const SweepMember& member : ours->members) known.emplace(member.stage, member.trial);
    }
    bool any = false;
    for (const SweepFile& file : theirs.files) {
      const SweepFile wanted = merged(file, from, into);
      const bool is_new =
          std::any_of(wanted.members.begin(), wanted.members.end(), [&](const SweepMember& member) {
            return !known.count({member.stage, member.trial});
          });
      if (is_new) write_sweep_file(into, wanted);
      any = any || is_new;
    }
    if (!any) continue;
    store.put_sweep(read_sweep(into, theirs.sweep, theirs.profile).value());
    ++changed;
  }
  return changed;
}

class Merge {
 public:
  Merge(const std::filesystem::path& from, const std::filesystem::path& into)
      : from_(from), into_(into) {}

  MergeReport run() {
    make_folder_durably(into_ / "trials");
    Store store(into_, Store::Access::write);
    remove_leftovers(into_ / "trials");
    std::vector<std::string> arriving;
    for (const std::string& trial : trials_in(from_)) {
      if (wanted(trial)) arriving.push_back(trial);
    }
    for (const std::string& trial : arriving)
      copy_trial(trial_folder(from_, trial), place(kArriving, trial));
    sync_disk(into_);
    for (const std::string& trial : arriving) take_place(trial);
    sync_folder(into_ / "trials");
    remove_leftovers(into_ / "trials");
    store.begin();
    std::vector<std::string> damaged;
    for (const std::string& trial : arriving) index_trial(store, into_, trial, damaged);
    report_.sweeps = merge_sweeps(store, from_, into_);
    settle_states(store, into_);
    store.commit();
    report_.added = arriving.size();
    return report_;
  }

 private:
  bool wanted(const std::string& trial) {
    const std::filesystem::path theirs = trial_folder(from_, trial),
                                ours = trial_folder(into_, trial);
    const std::optional<Json> their_result = readable_result(theirs / "result.json"),
                              our_result = readable_result(ours / "result.json");
    if (!their_result || is_locked(ours / "lock")) {
      ++report_.unfinished;
      return false;
    }
    if (!our_result) return true;
    ++report_.known;
    if (their_result->value("metrics", Json()) != our_result->value("metrics", Json()))
      report_.different.push_back(trial);
    return false;
  }

  std::filesystem::path place(const char* prefix, const std::string& trial) const {
    return into_ / "trials" / (prefix + trial);
  }

  /// Ours, which is not done, gives way.
  void take_place(const std::string& trial) {
    const std::filesystem::path ours = trial_folder(into_, trial);
    if (std::filesystem::exists(ours)) std::filesystem::rename(ours, place(kLeaving, trial));
    std::filesystem::rename(place(kArriving, trial), ours);
  }

  const std::filesystem::path &from_, &into_;
  MergeReport report_;
};

}  // namespace

MergeReport merge_store(const std::filesystem::path& from, const std::filesystem::path& into) {
  if (!std::filesystem::is_directory(from / "trials")) {
    throw ConfigError(fmt::format("{}: there is no store here; give the folder that holds 'trials'",
                                  from.string()));
  }
  if (std::filesystem::exists(into) && std::filesystem::equivalent(from, into)) {
    throw ConfigError(
        fmt::format("{}: is the store itself; give another store to merge from", from.string()));
  }
  return Merge(from, into).run();
}

}  // namespace rethink
