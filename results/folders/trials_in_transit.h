// Folders of trials that are being added or removed: their names, which no reader takes for trials.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace rethink {

/// Takes a trial's folder out of the store's sight. Where somebody deleted it, an empty one says that
/// the index is to forget the trial. Throws MachineError where a folder of its name was set aside
/// before and cannot be deleted.
void set_trial_aside(const std::filesystem::path& store, const std::string& trial);

/// Folders of trials that were set aside, by a command that was killed or by this one.
std::vector<std::filesystem::path> trials_set_aside(const std::filesystem::path& store);

/// The id of the trial whose folder was set aside as `folder`.
std::string trial_set_aside(const std::filesystem::path& folder);

/// What a merge names, before the trial's id, its copy of a trial that comes in, and a trial of ours that
/// gives way to it.
constexpr std::string_view kArriving = ".arriving-";
constexpr std::string_view kLeaving = ".leaving-";

/// What a merge that was killed left half done: a trial of ours that had to give way, and whose
/// place nobody took, is put back. Requires: this process holds the StoreLock.
void put_back_trials(const std::filesystem::path& store);
/// Folders that a killed merge left, and that nobody needs once put_back_trials was called: copies
/// on their way in, trials of ours whose place was taken.
std::vector<std::filesystem::path> merge_leftovers(const std::filesystem::path& store);

}  // namespace rethink
