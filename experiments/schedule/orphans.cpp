#include "experiments/schedule/orphans.h"

#include <fmt/format.h>
#include <signal.h>
#include <time.h>

#include <algorithm>

#include "core/clock.h"
#include "core/process.h"

namespace rethink {
namespace {

/// As a driver's: from SIGTERM to SIGKILL, and until that has ended a process.
constexpr double kGrace_s = 30, kKilled_s = 2;

}  // namespace

std::string counted(size_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

std::vector<Orphan> stop_orphans(std::vector<Orphan> orphans, bool at_once) {
  const double begun_s = monotonic_seconds();
  for (;;) {
    std::erase_if(orphans, [](const Orphan& orphan) { return !is_being_worked_on(orphan.folder); });
    const double waited_s = monotonic_seconds() - begun_s;
    const bool any_told = std::ranges::any_of(orphans, &Orphan::told);
    if (orphans.empty() || waited_s > kGrace_s + kKilled_s || (!any_told && waited_s > kKilled_s))
      return orphans;
    for (Orphan& orphan : orphans) {
      // None yet: it has the lock and will sign it.
      const auto worker = last_worker(orphan.folder);
      if (worker && waited_s > kGrace_s) send_signal(*worker, SIGKILL);
      if (worker && !orphan.told) orphan.told = send_signal(*worker, SIGTERM);
    }
    if (at_once) {
      std::erase_if(orphans, &Orphan::told);
      return orphans;
    }
    const timespec pause{0, 20'000'000};
    nanosleep(&pause, nullptr);
  }
}

std::string orphans_text(size_t found, const std::vector<Orphan>& going_on) {
  std::string text;
  if (found > going_on.size())
    text = fmt::format("; stopped {} whose driver is gone",
                       counted(found - going_on.size(), "worker"));
  if (going_on.empty()) return text;
  text += fmt::format("; {} out of reach (another machine, container or user) {} on, end {} there:",
                      counted(going_on.size(), "worker"), going_on.size() == 1 ? "goes" : "go",
                      going_on.size() == 1 ? "it" : "them");
  for (const Orphan& orphan : going_on) {
    const auto worker = last_worker(orphan.folder);
    text += fmt::format(" {} of trial {}",
                        worker ? fmt::format("process {}", worker->pid)
                               : "a process that the trial's lock does not name,",
                        orphan.folder.path().filename().string());
  }
  return text;
}

}  // namespace rethink
