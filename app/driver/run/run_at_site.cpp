#include "app/driver/run/run_at_site.h"

#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <iostream>
#include <sstream>

#include "app/driver/cli/terminal.h"
#include "app/driver/run/watched_trials.h"
#include "core/clock.h"
#include "core/error.h"
#include "core/files/file.h"
#include "core/message.h"
#include "experiments/run/pilots/site_run.h"
#include "experiments/run/pilots/store_pilots.h"
#include "experiments/site/sites_file.h"

namespace rethink {
namespace {

constexpr double kShortestPause_s = 0.05, kLongestPause_s = 2;
constexpr double kBetweenSiteLooks_s = 60;

/// "submitted 2 pilots to site a100: 123, 124"; "pilots of site a100: 123 runs, 124 waits (Priority)", first those of
/// other sites.
void print_pilots(const SiteState& state, const Site& site, WatchedDisplay& display) {
  std::istringstream others(to_text(state.others));
  for (std::string line; std::getline(others, line);) display.line(line);
  std::vector<std::string> jobs;
  for (const PilotJob& pilot : state.pilots)
    jobs.push_back(
        fmt::format("{} {}", pilot.job, to_text(StorePilot{site.name, pilot.job, pilot.status})));
  if (!jobs.empty()) display.line(fmt::format("pilots of site {}: {}", site.name, joined(jobs)));
  if (!state.submitted.empty()) {
    display.line(fmt::format("submitted {} to site {}: {}",
                             counted(state.submitted.size(), "pilot"), site.name,
                             joined(state.submitted)));
  }
}

/// The command of a pilot without the name of its set.
std::vector<std::string> words_of_pilot(const CommandContext& context) {
  return {std::filesystem::read_symlink("/proc/self/exe").string(), "pilot", "--store",
          whole_path(context.store).string()};
}

std::string counts_of(const RunReport& report) {
  return fmt::format("{} of {} done", report.count(TrialState::done),
                     counted(report.trials, "trial"));
}

/// Waits until nothing is left or a signal comes; returns the last state.
SiteState wait_for_pilots(SiteRun& run, SiteState state, const CommandContext& context,
                          const std::vector<Plan>& plans, const RunChoices& choices,
                          const Site& site, WatchedDisplay& display,
                          const std::atomic<int>& signals) {
  WatchedTrials trials(context, plans, choices.trials, display);
  double looked_s = monotonic_seconds();
  size_t alive = state.submitted.size() + state.pilots.size();
  double pause_s = kShortestPause_s;
  while (!state.has_ended && signals.load() == 0) {
    const timespec pause{static_cast<time_t>(pause_s),
                         static_cast<long>(1e9 * (pause_s - std::floor(pause_s)))};
    nanosleep(&pause, nullptr);
    pause_s = std::min(kLongestPause_s, 1.2 * pause_s);
    run.take_in();
    trials.look();
    const size_t now_alive = run.num_alive();
    const bool is_due = monotonic_seconds() - looked_s > kBetweenSiteLooks_s;
    if (!trials.have_ended() && now_alive == alive && !is_due) continue;
    state = run.look();
    looked_s = monotonic_seconds();
    alive = state.submitted.size() + state.pilots.size();
    if (!state.submitted.empty()) print_pilots(state, site, display);
  }
  trials.look();
  display.end();
  return state;
}

}  // namespace

void declare_site_choices(po::options_description& options) {
  options.add_options()("site", po::value<std::string>()->value_name("SITE"),
                        "have pilots at this site of sites.yaml run the trials, such as jobs of a "
                        "cluster; `local`: background processes")(
      "sites", po::value<std::string>()->value_name("FILE"),
      "sites.yaml (default: ~/.config/rethink/sites.yaml)")(
      "wait", "with --site: stay until the trials have ended, and show progress");
}

std::optional<Site> site_given(const po::variables_map& given) {
  if (!given.count("site")) {
    for (const char* option : {"wait", "sites"}) {
      if (given.count(option)) {
        throw ConfigError("conflicting-arguments",
                          fmt::format("--{}: has no meaning without --site", option));
      }
    }
    return std::nullopt;
  }
  if (given.count("max-trials")) {
    throw ConfigError("conflicting-arguments",
                      "--max-trials: does not go with --site, whose pilots run all trials; write "
                      "trials_per_pilot in sites.yaml, or leave the option out");
  }
  const std::string file = given.count("sites") ? given["sites"].as<std::string>() : "";
  return site_named(given["site"].as<std::string>(), file);
}

SiteEnd run_at_site(const CommandContext& context, const po::variables_map& given,
                    std::vector<Plan>& plans, const RunChoices& choices, Site site,
                    const std::string& same) {
  const SignalCounter counter;
  const std::atomic<int>& signals = counter.seen();
  WatchedDisplay display(context.quiet);
  SiteRun run(plans, context.schema(), choices, site, words_of_pilot(context));
  SiteState state = run.look();
  print_pilots(state, site, display);
  if (given.count("wait"))
    state = wait_for_pilots(run, std::move(state), context, plans, choices, site, display, signals);
  if (!state.has_ended) {
    display.line(fmt::format("{}{}; come back with: {}", counts_of(state.report),
                             signals.load() > 0 ? "; the pilots go on" : "", same));
  }
  return {.report = state.report, .has_ended = state.has_ended, .interrupted = signals.load() > 0};
}

}  // namespace rethink
