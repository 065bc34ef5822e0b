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

/// Time from SIGTERM to SIGKILL, and until SIGKILL has ended a process. A driver waits as long.
constexpr double kGrace_s = 30, kKilled_s = 2;

std::string id_of_orphan(const Orphan& orphan) {
  return orphan.folder.path().filename().string();
}

/// Returns the orphans that continue. Adds the trials of the workers that were signalled to
/// `signalled`.
std::vector<Orphan> signal_orphans(std::vector<Orphan> orphans, bool at_once,
                                   std::set<std::string>& signalled) {
  const double begun_s = monotonic_seconds();
  for (;;) {
    std::erase_if(orphans, [](const Orphan& orphan) { return !has_running_worker(orphan.folder); });
    const double waited_s = monotonic_seconds() - begun_s;
    const bool any_signalled = std::ranges::any_of(orphans, &Orphan::signalled);
    if (orphans.empty() || waited_s > kGrace_s + kKilled_s ||
        (!any_signalled && waited_s > kKilled_s)) {
      for (const Orphan& orphan : orphans) signalled.erase(id_of_orphan(orphan));
      return orphans;
    }
    for (Orphan& orphan : orphans) {
      if (orphan.signalled && waited_s > kGrace_s) signal_worker(orphan.folder, SIGKILL);
      if (orphan.signalled) continue;
      // A process may hold the lock before it has signed it, so it is signalled again.
      orphan.problem = signal_worker(orphan.folder, SIGTERM);
      orphan.signalled = orphan.problem.empty();
      if (orphan.signalled) signalled.insert(id_of_orphan(orphan));
    }
    if (at_once) {
      std::erase_if(orphans, &Orphan::signalled);
      return orphans;
    }
    const timespec pause{0, 20'000'000};
    nanosleep(&pause, nullptr);
  }
}

}  // namespace

StoppedOrphans stop_orphans(const std::vector<Orphan>& orphans, Store& index, bool at_once) {
  StoppedOrphans ended;
  std::set<std::string> signalled;
  ended.going_on = signal_orphans(orphans, at_once, signalled);
  for (const Orphan& orphan : orphans) {
    // The events that the worker wrote are kept, and the worker may have ended with a result.
    const std::filesystem::path& folder = orphan.folder.path();
    std::optional<TrialState> state;
    if (ingest_events(index, folder) && index.result_reached(folder))
      state = state_from_folder(folder).state;
    if (state) {
      index.set_state(id_of_orphan(orphan), *state);
      ended.finished[id_of_orphan(orphan)] = *state;
    } else if (signalled.contains(id_of_orphan(orphan))) {
      ++ended.stopped;
    }
  }
  return ended;
}

std::string orphans_text(size_t stopped, const std::vector<Orphan>& going_on) {
  std::string text;
  if (stopped > 0)
    text = fmt::format("; stopped {} whose driver has ended", counted(stopped, "worker"));
  for (const Orphan& orphan : going_on) {
    text += fmt::format("; trial {} goes on: {}", id_of_orphan(orphan),
                        orphan.problem.empty() ? "its worker did not end" : orphan.problem);
  }
  return text;
}

}  // namespace rethink
