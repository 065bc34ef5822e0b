// The loop of `rethink selftest --chaos N` and of the crash tests: kills processes of a store,
// starts the same command again, and finally compares with an undisturbed run.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <vector>

namespace rethink {

/// The names of selftests' scratch folders begin with this.
inline constexpr const char* kSelftestFolder = ".rethink-selftest-";

struct ChaosOptions {
  std::filesystem::path rethink;  // the driver program
  std::filesystem::path folder;   // scratch; created, and kept if something was wrong
  /// A sweep file whose trials repeat their results bit by bit; empty: a small sweep that trains nothing.
  std::filesystem::path sweep = {};
  std::string profile = {};                            // of that sweep
  std::string device = "cpu";                          // of its trials, as `run --device`
  size_t kills = 20;                                   // at least 1
  uint64_t seed = 0;                                   // of the choice of victims and times
  std::function<void(size_t)> killed = [](size_t) {};  // called with the number of kills so far
};

struct ChaosReport {
  size_t kills = 0, driver_kills = 0, zygote_kills = 0, worker_kills = 0, point_kills = 0;
  size_t program_kills = 0;            // of processes of users' programs
  size_t runs = 0;                     // of the command, over all stores
  std::set<std::string> points;        // kill points reached by a quiet run; each may kill
  std::vector<std::string> lost;       // trials that are not done, or rows that are missing
  std::vector<std::string> crashed;    // runs with an end that no kill explains
  std::vector<std::string> doubled;    // trials that two processes ran at once
  std::vector<std::string> different;  // numbers, weights, and rows that differ from a rebuild's
  bool good() const {
    return lost.empty() && crashed.empty() && doubled.empty() && different.empty();
  }
};

/// Makes this process a child subreaper, so that it sees orphans. Throws MachineError when a quiet
/// run fails.
ChaosReport run_chaos(const ChaosOptions& options);

/// Returns the states of all trials, every metric row and every artifact's hash, as ordered lines.
/// They must be bit-equal however often processes were killed.
std::vector<std::string> dump_store(const std::filesystem::path& store);

/// Processes that chaos killed in one run of the command.
struct KillsOfARun {
  bool driver = false;
  size_t zygotes = 0;
};

/// Returns how a run of the command ended if no SIGKILL of ours explains it ("exit code 3", "signal
/// 6 (Aborted)"). Returns "" for a run that is done (0), left something to do (1), whose driver was
/// killed, or that gave up (3) after kMostZygoteDeaths.
std::string unexplained_end(int status, const KillsOfARun& kills);

/// Returns rows of the index that `db rebuild` does not make, and rows that only it makes. Leaves
/// the rebuilt index. Requires: no process uses the store.
std::vector<std::string> differences_to_rebuild(const std::filesystem::path& store);

/// Returns trials with an attempt that wrote events after the next attempt had begun. Uses only what every file system
/// has: the time of an attempt's first event and the last change of its event file.
std::vector<std::string> overlapping_attempts(const std::filesystem::path& store);

}  // namespace rethink
