#include "experiments/run/attempts/orphans.h"

#include <fmt/format.h>
#include <signal.h>
#include <time.h>

#include <algorithm>
#include <set>

#include "core/clock.h"
#include "core/message.h"
#include "experiments/attempt/trial_files.h"
#include "experiments/attempt/trial_worker.h"
#include "results/folders/stored_trial.h"
#include "results/store/ingest.h"

namespace rethink {
namespace {

/// As in a driver: the time from SIGTERM to SIGKILL, and until SIGKILL has ended a process.
constexpr double kGrace_s = 30, kKilled_s = 2;

std::string id_of_orphan(const Orphan& orphan) {
  return orphan.folder.path().filename().string();
}

/// Returns the orphans that continue. Adds the trials of those that were told to end to `told`.
std::vector<Orphan> tell_orphans(std::vector<Orphan> orphans, bool at_once,
                                 std::set<std::string>& told) {
  const double begun_s = monotonic_seconds();
  for (;;) {
    std::erase_if(orphans, [](const Orphan& orphan) { return !is_being_worked_on(orphan.folder); });
    const double waited_s = monotonic_seconds() - begun_s;
    const bool any_told = std::ranges::any_of(orphans, &Orphan::told);
    if (orphans.empty() || waited_s > kGrace_s + kKilled_s || (!any_told && waited_s > kKilled_s)) {
      for (const Orphan& orphan : orphans) told.erase(id_of_orphan(orphan));
      return orphans;
    }
    for (Orphan& orphan : orphans) {
      if (orphan.told && waited_s > kGrace_s) signal_worker(orphan.folder, SIGKILL);
      if (orphan.told) continue;
      // A process may hold the lock before it has signed it, so it is signalled again.
      orphan.problem = signal_worker(orphan.folder, SIGTERM);
      orphan.told = orphan.problem.empty();
      if (orphan.told) told.insert(id_of_orphan(orphan));
    }
    if (at_once) {
      std::erase_if(orphans, &Orphan::told);
      return orphans;
    }
    const timespec pause{0, 20'000'000};
    nanosleep(&pause, nullptr);
  }
}

}  // namespace

StoppedOrphans stop_orphans(const std::vector<Orphan>& orphans, Store& index, bool at_once) {
  StoppedOrphans ended;
  std::set<std::string> told;
  ended.going_on = tell_orphans(orphans, at_once, told);
  for (const Orphan& orphan : orphans) {
    // Its findings stay, and it may have ended just in time.
    const std::filesystem::path& folder = orphan.folder.path();
    std::optional<TrialState> state;
    if (ingest_events(index, folder) && index.result_reached(folder))
      state = state_from_folder(folder).state;
    if (state) {
      index.set_state(id_of_orphan(orphan), *state);
      ended.finished[id_of_orphan(orphan)] = *state;
    } else if (told.contains(id_of_orphan(orphan))) {
      ++ended.stopped;
    }
  }
  return ended;
}

std::string orphans_text(size_t stopped, const std::vector<Orphan>& going_on) {
  std::string text;
  if (stopped > 0)
    text = fmt::format("; stopped {} whose driver is gone", counted(stopped, "worker"));
  for (const Orphan& orphan : going_on) {
    text += fmt::format("; trial {} goes on: {}", id_of_orphan(orphan),
                        orphan.problem.empty() ? "its worker did not end" : orphan.problem);
  }
  return text;
}

}  // namespace rethink
