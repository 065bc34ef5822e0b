// Finds trials that the database calls running although their driver died.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "results/store/store.h"

namespace rethink {

/// Returns whether a pilot's worker on another machine has claimed the newest attempt, and no file
/// says how the attempt ended. Only pilots and the command that submits them can find out whether
/// the worker is dead, since they ask the queue.
bool has_worker_elsewhere(const std::filesystem::path& trial_folder);
/// Returns whether a process runs the trial: its lock is held, or a pilot on another machine has claimed its newest attempt.
bool has_worker(const std::filesystem::path& trial_folder);

/// Returns trials that a driver or a pilot began and that had not ended when the index last heard of
/// them.
std::set<std::string> begun_trials(Store& store);

/// Returns trials that count as running although no worker runs them, without those of `expected`,
/// which a run takes over by itself. `folder` is the store's. Requires: no driver is running.
std::vector<std::string> left_running(Store& store, const std::filesystem::path& folder,
                                      const std::set<std::string>& expected = {});

/// Returns trials whose workers are still running. Requires: no driver is running. Cost: a look at
/// the lock of each started trial that has not ended.
std::set<std::string> workers_without_driver(Store& store, const std::filesystem::path& folder);

/// Updates the rows of these trials by their folders. A trial without a sound result will run
/// again. Requires: Access::write.
void take_over(Store& store, const std::filesystem::path& folder,
               const std::vector<std::string>& trials);

}  // namespace rethink
