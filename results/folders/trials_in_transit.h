// Folders of trials that are being added or removed. Their names are not ids, so no reader finds them.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace rethink {

/// Sets a trial's folder aside, so that the store does not see it. If somebody deleted the folder,
/// an empty one records that the index must forget the trial. Throws MachineError if a folder of
/// its name was set aside before and cannot be deleted.
void set_trial_aside(const std::filesystem::path& store, const std::string& trial);

/// Returns folders of trials that were set aside, by this command or by a killed command.
std::vector<std::filesystem::path> trials_set_aside(const std::filesystem::path& store);

/// Returns the id of the trial whose folder was set aside as `folder`.
std::string trial_set_aside(const std::filesystem::path& folder);

/// Prefixes of a trial's id in a merge: its copy of an incoming trial, and a trial of ours that
/// this trial replaces.
constexpr std::string_view kArriving = ".arriving-";
constexpr std::string_view kLeaving = ".leaving-";

/// Completes a killed merge: a trial of ours that was moved away, and whose place is free, is put
/// back. Requires: this process holds the StoreLock.
void put_back_trials(const std::filesystem::path& store);
/// Returns folders of a killed merge that nobody needs after put_back_trials: copies of incoming
/// trials, and replaced trials of ours.
std::vector<std::filesystem::path> merge_leftovers(const std::filesystem::path& store);

}  // namespace rethink
