#include "experiments/schedule/orphans.h"

#include <fmt/format.h>
#include <signal.h>
#include <time.h>

#include <algorithm>

#include "core/clock.h"
#include "core/counted.h"
#include "experiments/attempt/trial_worker.h"

namespace rethink {
namespace {

/// As a driver's: from SIGTERM to SIGKILL, and until that has ended a process.
constexpr double kGrace_s = 30, kKilled_s = 2;

}  // namespace

std::vector<Orphan> stop_orphans(std::vector<Orphan> orphans, bool at_once) {
  const double begun_s = monotonic_seconds();
  for (;;) {
    std::erase_if(orphans, [](const Orphan& orphan) { return !is_being_worked_on(orphan.folder); });
    const double waited_s = monotonic_seconds() - begun_s;
    const bool any_told = std::ranges::any_of(orphans, &Orphan::told);
    if (orphans.empty() || waited_s > kGrace_s + kKilled_s || (!any_told && waited_s > kKilled_s))
      return orphans;
    for (Orphan& orphan : orphans) {
      if (orphan.told && waited_s > kGrace_s) signal_worker(orphan.folder, SIGKILL);
      if (orphan.told) continue;
      // It may have the lock and not have signed it yet: asked again.
      orphan.problem = signal_worker(orphan.folder, SIGTERM);
      orphan.told = orphan.problem.empty();
    }
    if (at_once) {
      std::erase_if(orphans, &Orphan::told);
      return orphans;
    }
    const timespec pause{0, 20'000'000};
    nanosleep(&pause, nullptr);
  }
}

std::string orphans_text(size_t stopped, const std::vector<Orphan>& going_on) {
  std::string text;
  if (stopped > 0)
    text = fmt::format("; stopped {} whose driver is gone", counted(stopped, "worker"));
  for (const Orphan& orphan : going_on) {
    text += fmt::format("; trial {} goes on: {}", orphan.folder.path().filename().string(),
                        orphan.problem.empty() ? "its worker did not end" : orphan.problem);
  }
  return text;
}

}  // namespace rethink
