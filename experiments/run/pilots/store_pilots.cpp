#include "experiments/run/pilots/store_pilots.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <map>
#include <optional>
#include <utility>

#include "core/error.h"
#include "core/json.h"
#include "core/message.h"
#include "core/store_files/trial_folder.h"
#include "core/system/log.h"
#include "results/store/left_running.h"

namespace rethink {

std::string to_text(const StorePilot& pilot) {
  std::string text = pilot.status.state == JobState::pending   ? "waits"
                     : pilot.status.state == JobState::running ? "runs"
                     : pilot.status.state == JobState::ended   ? "has ended"
                                                               : "in an unknown state";
  if (pilot.status.state == JobState::running && !pilot.node.empty()) text += " on " + pilot.node;
  return pilot.status.reason.empty() ? text : text + " (" + pilot.status.reason + ")";
}

std::string to_text(const std::vector<StorePilot>& pilots) {
  std::map<std::string, std::vector<std::string>> by_site;
  for (const StorePilot& pilot : pilots)
    by_site[pilot.site].push_back(pilot.job + " " + to_text(pilot));
  std::string text;
  for (const auto& [site, jobs] : by_site)
    text += fmt::format("pilots of site {}: {}\n", site, joined(jobs));
  return text;
}

namespace {

/// Silence after which an attempt counts as dead, the same time as in pilots. Ticks come every 10 s, and a network file
/// system shows them late.
constexpr double kSilenceOfTheDead_s = 120;

bool has_any_of(const PilotPlan& plan, const std::set<std::string>& trials) {
  return std::ranges::any_of(
      plan.trials, [&](const PilotTrial& one) { return trials.contains(one.planned.trial.id); });
}

/// The present time by the clock of the disk, which may be another machine's. Writes the time of `file`.
std::filesystem::file_time_type time_of_disk(const std::filesystem::path& file) {
  utimensat(AT_FDCWD, file.c_str(), nullptr, 0);
  std::error_code missing;
  return std::filesystem::last_write_time(file, missing);
}

/// How long before `now` a worker on another machine that has claimed the trial wrote its last event. Nothing without such
/// a worker.
std::optional<double> seconds_since_sign(const std::filesystem::path& place,
                                         std::filesystem::file_time_type now) {
  if (!has_worker_elsewhere(place)) return std::nullopt;
  const TrialFolder folder(place);
  const int64_t attempt = folder.attempts().back();
  std::error_code missing;
  auto written = std::filesystem::last_write_time(folder.events(attempt), missing);
  if (missing) written = std::filesystem::last_write_time(folder.attempt(attempt), missing);
  if (missing) return std::nullopt;
  return std::chrono::duration<double>(now - written).count();
}

}  // namespace

void ask_queues(Engines& engines, const std::vector<PilotSet>& sets) {
  std::map<std::string, std::pair<Site, std::vector<std::string>>> jobs;  // by the site's contents
  for (const PilotSet& set : sets) {
    const Json json = set.recorded_site();
    if (json.empty()) continue;
    auto& [site, all] = jobs[json.dump()];
    site = site_from_json(json);
    for (std::string& job : set.jobs()) all.push_back(std::move(job));
  }
  for (const auto& [text, one] : jobs) engines.of(one.first).states(one.second);
}

PilotPlan plan_of_set(const PilotSet& set, Engines& engines) {
  try {
    return read_pilot_plan(set.plan());
  } catch (const ConfigError&) {
    const Json site = set.recorded_site();
    if (site.empty()) throw;
    const PilotPlan without_trials{.build = "", .site = site_from_json(site)};
    for (const auto& [job, status] : engines.of(without_trials.site).states(set.jobs())) {
      if (status.state != JobState::ended) throw;
    }
    return without_trials;
  }
}

std::string reason_to_leave_to_pilots(const std::filesystem::path& store, Store& index,
                                      const std::set<std::string>& trials) {
  Engines engines;
  const std::vector<PilotSet> sets = PilotSet::all(store);
  ask_queues(engines, sets);
  for (const PilotSet& set : sets) {
    std::error_code missing;
    if (!std::filesystem::exists(set.plan(), missing)) continue;
    const PilotPlan plan = plan_of_set(set, engines);
    if (!has_any_of(plan, trials)) continue;
    const Site& site = plan.site;
    std::vector<std::string> alive;
    for (const auto& [job, status] : engines.of(site).states(set.jobs())) {
      if (status.state == JobState::ended) continue;
      alive.push_back(job + " " + to_text(StorePilot{site.name, job, status}));
    }
    if (alive.empty()) continue;
    return fmt::format(
        "pilots of site {} have trials of this command: {}; give `rethink run` with --site {} to "
        "collect what they do, or `rethink cancel` with the sweep to end them first",
        site.name, first_names(alive, 5), site.name);
  }
  const auto now = time_of_disk(store / "lock");
  for (const std::string& trial : begun_trials(index)) {
    if (!trials.contains(trial)) continue;
    const std::optional<double> silent_s = seconds_since_sign(trial_folder(store, trial), now);
    if (!silent_s || *silent_s > kSilenceOfTheDead_s) continue;
    return fmt::format(
        "the job of a pilot that runs trial {} has ended, and its worker on another machine gave a "
        "sign of life {:.0f} s ago: a worker counts as dead after {:.0f} s, so give the same "
        "command again then",
        trial, std::max(0.0, *silent_s), kSilenceOfTheDead_s);
  }
  return "";
}

size_t cancel_waiting(const PilotSet& set, const PilotPlan& plan, Store& index, Engines& engines) {
  std::vector<std::string> trials, waiting;
  for (const PilotTrial& one : plan.trials) trials.push_back(one.planned.trial.id);
  for (const auto& [trial, state] : index.states(trials)) {
    if (!is_final(state)) return 0;
  }
  for (const auto& [job, status] : engines.of(plan.site).states(set.jobs())) {
    if (status.state == JobState::pending) waiting.push_back(job);
  }
  engines.of(plan.site).cancel(waiting);
  return waiting.size();
}

size_t cancel_waiting_pilots(const std::filesystem::path& store, Store& index) {
  Engines engines;
  size_t cancelled = 0;
  for (const PilotSet& set : PilotSet::all(store)) {
    std::error_code missing;
    if (!std::filesystem::exists(set.plan(), missing)) continue;
    try {
      cancelled += cancel_waiting(set, plan_of_set(set, engines), index, engines);
    } catch (const std::exception& error) {
      log_warning(fmt::format("waiting pilots stay in the queue, and end when they begin: {}",
                              error.what()));
    }
  }
  return cancelled;
}

std::vector<StorePilot> StorePilots::look(const std::filesystem::path& store) {
  std::vector<StorePilot> found;
  const std::vector<PilotSet> sets = PilotSet::all(store);
  ask_queues(engines_, sets);
  for (const PilotSet& set : sets) {
    const Json site_json = set.recorded_site();
    if (site_json.empty()) continue;
    const Site site = site_from_json(site_json);
    std::map<std::string, std::string> nodes;
    for (const StartedPilot& pilot : set.started()) nodes[pilot.job] = pilot.node;
    for (const auto& [job, status] : engines_.of(site).states(set.jobs())) {
      if (status.state != JobState::ended) found.push_back({site.name, job, status, nodes[job]});
    }
  }
  return found;
}

}  // namespace rethink
