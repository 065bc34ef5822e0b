// `rethink status`: shows the progress of each sweep, read from the index without a lock.
#include <fmt/format.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <iterator>
#include <limits>
#include <map>
#include <set>
#include <sstream>

#include "app/driver/cli/plan_choices.h"
#include "app/driver/cli/terminal.h"
#include "app/driver/command.h"
#include "app/driver/show/sweep_status.h"
#include "core/error.h"
#include "core/files/named_file.h"
#include "core/json.h"
#include "core/message.h"
#include "core/store_files/trial_folder.h"
#include "experiments/attempt/trial_worker.h"
#include "experiments/plan/plan_report.h"
#include "experiments/run/attempts/orphans.h"
#include "experiments/run/pilots/store_pilots.h"
#include "results/folders/store_lock.h"
#include "results/folders/stored_trial.h"
#include "results/folders/sweep_files.h"
#include "results/query/recorded_sweeps.h"
#include "results/store/left_running.h"
#include "results/store/pilot_changes.h"

namespace rethink {
namespace {

constexpr size_t kMostFailuresShown = 10;
constexpr size_t kMostPlanned = 10'000;  // trials of a sweep whose file is read again

bool is_named(const Sweep& sweep, const std::vector<std::string>& names) {
  return names.empty() || std::any_of(names.begin(), names.end(), [&](const std::string& name) {
           return answers_to(sweep, name);
         });
}

struct StoreStatus {
  std::vector<SweepStatus> sweeps;
  std::optional<Json> driver;
  std::vector<StorePilot> pilots{};  // pilots that have not ended
};

/// For a store without sweeps: the number of its trials, with advice; empty without trials.
std::string trials_in_no_sweep_text(const std::filesystem::path& store) {
  const size_t trials = trials_in(store).size();
  if (trials == 0) return "";
  return fmt::format(
      "{} has no sweep on record, but {} in no sweep: if the store was copied or restored in part, "
      "copy the folder `sweeps` of the original store too, or run the sweeps again",
      store.string(), counted(trials, "trial"));
}

/// The sweep, or, if several existing files have its name, a sweep for each of them, since they may differ in meaning.
std::vector<Sweep> parts_by_file(const Sweep& sweep) {
  std::vector<Sweep> parts;
  size_t there = 0;
  for (const SweepFile& file : sweep.files) {
    const auto is_its = [&](const Sweep& part) { return part.files[0].source == file.source; };
    auto part = std::ranges::find_if(parts, is_its);
    if (part == parts.end()) {
      part = parts.insert(parts.end(), {sweep.sweep, sweep.profile, {}, {}, {}});
      there += is_file_there(file.source) ? 1 : 0;
    }
    part->files.push_back(file);
  }
  return there > 1 ? parts : std::vector<Sweep>{sweep};
}

/// A hint on a name that no recorded sweep has: a file that was not run, or another sweep; "" if nothing is similar.
std::string hint_on(const std::string& name, const std::vector<SweepFile>& files,
                    const CommandContext& context) {
  if (is_file_there(name))
    return fmt::format("; `{}` runs it", store_command("run " + for_a_shell(name), context.store));
  return did_you_mean_sweep(name, files);
}

/// Sets what the sweep's files plan now: why trials are stale, in the words of `plan`, and the
/// trials that the newest run did not plan. Nothing for a file that is missing or has mistakes.
void add_present(const Sweep& sweep, const CommandContext& context, Store& store,
                 SweepStatus& status) {
  std::set<std::string> planned;
  bool is_whole = true;
  for (const SweepFile& file : sweep.files) {
    bool is_planned = false;
    const bool has_known_words = file.choice.empty() || file.choice.starts_with("--");
    if (has_known_words && is_file_there(file.source)) {
      try {
        const Plan plan =
            make_plan(file.source, choices_on_record(context, file), context.schema());
        status.stale.merge(stale_trials(plan, context.schema(), store));
        for (const PlannedTrial& trial : plan.trials) planned.insert(trial.trial.id);
        is_planned = true;
      } catch (const ConfigError&) {  // `plan` reports it
      } catch (const MachineError&) {
      }
    }
    is_whole &= is_planned;
  }
  if (!is_whole) return;
  const std::map<std::string, TrialState> recorded = states_of_sweep(store, sweep, {}).listed;
  bool is_other = false;
  size_t done = 0;
  for (const auto& [trial, state] : store.states({planned.begin(), planned.end()})) {
    is_other |= !recorded.contains(trial) && state == TrialState::done;
    done += state == TrialState::done ? 1 : 0;
  }
  if (is_other) status.present = {planned.size(), done};
}

/// Whether the driver runs the sweep or has it in its queue. A driver without a list may run any.
bool has_sweep(const Json& driver, const std::string& sweep) {
  const auto sweeps = driver.value("sweeps", std::vector<std::string>());
  return sweeps.empty() || std::ranges::count(sweeps, sweep) > 0;
}

/// Whether the driver has the unfinished sweep, but runs trials of other sweeps now.
bool waits_in_queue(const Json& driver, const SweepStatus& sweep) {
  const auto sweeps = driver.value("sweeps", std::vector<std::string>());
  const bool is_left = std::ranges::any_of(
      sweep.choices, [](const ChoiceStatus& choice) { return choice.left > 0; });
  return sweep.has_driver && is_left && !sweep.counts.contains(TrialState::running) &&
         std::ranges::any_of(sweeps, [&](const std::string& one) { return one != sweep.sweep; });
}

StoreStatus read_status(const CommandContext& context, const po::variables_map& given,
                        StorePilots& pilots) {
  const std::vector<std::string> names = arguments_of(given);
  const bool watch = given.count("watch") > 0, all = given.count("all") || wants_json(given);
  StoreStatus status{{}, store_owner(context.store)};
  // Before the first run: its driver records the sweeps last.
  if (watch && sweep_file_paths(context.store).empty()) return status;
  status.pilots = pilots.look(context.store);
  Store store(context.store, Store::Access::read);
  const std::vector<Sweep> sweeps = recorded_sweeps(store, context.store);
  const std::set<std::string> orphans =
      status.driver ? std::set<std::string>{} : workers_without_driver(store, context.store);
  std::vector<std::string> known;
  std::vector<SweepFile> files;
  std::vector<Sweep> parts;
  for (const Sweep& sweep : sweeps) {
    if (known.empty() || known.back() != sweep.sweep) known.push_back(sweep.sweep);
    files.insert(files.end(), sweep.files.begin(), sweep.files.end());
    std::ranges::move(parts_by_file(sweep), std::back_inserter(parts));
  }
  for (const Sweep& sweep : parts) {
    if (!is_named(sweep, names)) continue;
    const std::set<TrialState> listed = all ? std::set<TrialState>{} : states_listed_by_status();
    SweepStatus& added = status.sweeps.emplace_back(sweep_status(
        sweep, store, status.driver && has_sweep(*status.driver, sweep.sweep), orphans, listed));
    if (status.driver) added.waits_in_queue = waits_in_queue(*status.driver, added);
    if (!watch && added.trials <= kMostPlanned) add_present(sweep, context, store, added);
    const auto is_its = [&](const Sweep& other) {
      return other.sweep == sweep.sweep && other.profile == sweep.profile;
    };
    if (std::ranges::count_if(parts, is_its) > 1) added.source = sweep.files.front().source;
    for (size_t i = 0; i < added.choices.size(); ++i) {
      added.choices[i].command = command_of(sweep.files[i], context, given);
      added.choices[i].run = run_command_of(sweep.files[i], context, given);
    }
  }
  if (status.sweeps.empty() && !names.empty()) {
    const std::string trials = known.empty() ? trials_in_no_sweep_text(context.store) : "";
    if (!trials.empty()) {
      throw ConfigError("unknown-name", fmt::format("no sweep '{}': {}", names.front(), trials));
    }
    throw ConfigError("unknown-name",
                      fmt::format("no sweep '{}' was run in {}{}; known: {}", names.front(),
                                  context.store.string(), hint_on(names.front(), files, context),
                                  known.empty() ? "none" : joined(known)));
  }
  return status;
}

/// "it" if the driver has all shown sweeps; else the sweeps that it has.
std::string works_on_text(const StoreStatus& status) {
  const auto is_its = [&](const SweepStatus& sweep) {
    return has_sweep(*status.driver, sweep.sweep);
  };
  return std::ranges::all_of(status.sweeps, is_its)
             ? "it"
             : joined(status.driver->at("sweeps").get<std::vector<std::string>>());
}

std::string driver_text(const StoreStatus& status, const std::filesystem::path& store) {
  if (status.driver && status.driver->empty())
    return store_owner_text(*status.driver, store) + " works on it\n";
  if (status.driver) {
    const bool has_one = std::ranges::any_of(status.sweeps, &SweepStatus::has_driver);
    return fmt::format("{}`rethink {}` works on {}: process {} on {} since {}\n",
                       has_one || status.sweeps.empty() ? "" : "no driver runs it; ",
                       status.driver->value("command", "?"), works_on_text(status),
                       status.driver->value("pid", 0), status.driver->value("host", "?"),
                       status.driver->value("since", "?"));
  }
  if (!status.pilots.empty()) return to_text(status.pilots);
  std::set<std::string> orphans, cancelled;
  for (const SweepStatus& sweep : status.sweeps) {
    orphans.insert(sweep.orphans.begin(), sweep.orphans.end());
    cancelled.insert(sweep.cancelled_orphans.begin(), sweep.cancelled_orphans.end());
  }
  std::string text;
  if (!orphans.empty()) {
    text += fmt::format(
        "the driver has ended, but {} of its workers {} still running; `{}` takes them over\n",
        orphans.size(), orphans.size() == 1 ? "is" : "are", store_command("run SWEEP", store));
  }
  size_t within_reach = 0;  // trials that a cancel by this user on this machine can stop
  for (const std::string& trial : cancelled) {
    const std::string problem = find_worker(TrialFolder(store, trial)).problem;
    within_reach += problem.empty() ? 1 : 0;
    if (!problem.empty())
      text += fmt::format("trial {} is cancelled, but its worker goes on: {}\n", trial, problem);
  }
  if (within_reach > 0) {
    text += fmt::format("{} {} on with cancelled trials; `{}` stops them\n", within_reach,
                        within_reach == 1 ? "worker goes" : "workers go",
                        store_command("cancel SWEEP", store));
  }
  return text.empty() ? "no driver is running\n" : text;
}

/// Returns whether no trial is left for a driver to continue.
bool all_has_ended(const StoreStatus& status) {
  const auto has_ended = [](const SweepStatus& sweep) {
    return std::ranges::all_of(sweep.choices, [](const auto& choice) { return choice.left == 0; });
  };
  return !status.sweeps.empty() && std::ranges::all_of(status.sweeps, has_ended);
}

std::vector<std::string> split_lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

class Status : public Command {
 public:
  std::string positional() const override { return "[SWEEP...]"; }

  bool needs_folders() const override { return true; }
  void declare(po::options_description& options) const override {
    options.add_options()("all", "list every trial (default: running, failed and diverged trials)")(
        "watch",
        "show it again every second until the driver ends; if no driver is running and trials are "
        "left, wait for one; Ctrl-C ends it (exit code 130)");
    declare_format(options, "text, or json: every trial");
  }

  int run(const CommandContext& context, const po::variables_map& given) override {
    const bool watch = given.count("watch") > 0;
    if (wants_json(given)) {
      if (watch)
        throw ConfigError("conflicting-arguments",
                          "--watch shows text only; leave it out with --format json");
      StorePilots pilots;
      print_json(read_status(context, given, pilots));
      return kDone;
    }
    if (watch) return watch_status(context, given);
    StorePilots pilots;
    std::cout << text_of(read_status(context, given, pilots), context, given);
    return kDone;
  }

 private:
  static int watch_status(const CommandContext& context, const po::variables_map& given) {
    Picture picture(stdout);
    std::string shown;
    StorePilots pilots;
    for (bool had_driver = false;;) {
      // Checked before reading, so that the driver's last changes are shown.
      const std::optional<Json> owner = store_owner(context.store);
      const StoreStatus status = read_status(context, given, pilots);
      const bool working =
          (owner && owner->value("command", "run") == "run") || !status.pilots.empty();
      had_driver |= working;
      const bool waits = !working && !had_driver && !all_has_ended(status);
      std::string text = text_of(status, context, given);
      if (waits) text += "waiting for a driver; Ctrl-C stops waiting\n";
      const bool is_last = !working && !waits;
      if (obeys_escapes(stdout) && !is_last) {
        picture.show(split_lines(text));
      } else if (text != shown) {
        picture.erase();
        std::cout << text << std::flush;
      }
      if (is_last) return kDone;
      shown = std::move(text);
      const timespec pause{1, 0};
      nanosleep(&pause, nullptr);
      // Before the first look, main() has done this for every command that reads.
      take_in_changes_if_free(std::filesystem::absolute(context.store), "status");
    }
  }

  static std::string text_of(const StoreStatus& status, const CommandContext& context,
                             const po::variables_map& given) {
    if (status.sweeps.empty()) {
      const std::string trials = trials_in_no_sweep_text(context.store);
      return fmt::format("{}: {}\n",
                         trials.empty() ? fmt::format("no sweep was run in {} yet; begin with",
                                                      context.store.string())
                                        : trials,
                         store_command("run SWEEP", context.store));
    }
    const size_t most =
        given.count("all") ? std::numeric_limits<size_t>::max() : kMostFailuresShown;
    const int columns =
        isatty(STDOUT_FILENO) ? columns_of_terminal(stdout) - 1 : std::numeric_limits<int>::max();
    return to_text(status.sweeps, most, columns) + driver_text(status, context.store);
  }

  static void print_json(const StoreStatus& status) {
    Json sweeps = Json::array();
    for (const SweepStatus& sweep : status.sweeps) sweeps.push_back(to_json(sweep));
    Json pilots = Json::array();
    for (const StorePilot& pilot : status.pilots) {
      pilots.push_back({{"site", pilot.site},
                        {"job", pilot.job},
                        {"state", to_text(pilot)},
                        {"node", pilot.node}});
    }
    std::cout << Json{{"driver", status.driver ? *status.driver : Json()},
                      {"pilots", pilots},
                      {"sweeps", sweeps}}
                     .dump(2)
              << "\n";
  }
};

RETHINK_REGISTERED =
    add_command<Status>("status", "show the progress of sweeps, running and failed trials");

}  // namespace
}  // namespace rethink
