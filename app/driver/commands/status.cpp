// `rethink status`: how far each sweep is, read from the index without any lock.
#include <fmt/format.h>
#include <time.h>
#include <unistd.h>

#include <iostream>
#include <set>

#include "app/driver/command.h"
#include "core/error.h"
#include "experiments/attempt/trial_folder.h"
#include "experiments/schedule/board.h"
#include "results/folders.h"
#include "results/store_lock.h"

namespace rethink {
namespace {

constexpr size_t kMostFailuresShown = 10;

/// As `run` calls it: "finetune arm=Star task=CoLA seed 0".
std::string title_of(const SweepMember& member, const Store& store) {
  std::string text = member.stage;
  for (const auto& [label, value] : member.labels) text += fmt::format(" {}={}", label, value);
  const std::optional<TrialRow> row = store.trial(member.trial);
  if (row && row->seed) text += fmt::format(" seed {}", *row->seed);
  return text;
}

/// States as they are now: the index still says running of what died with its driver.
std::map<std::string, TrialState> states_now(const std::vector<std::string>& trials, const Store& store,
                                             const std::filesystem::path& folder, bool has_driver) {
  std::map<std::string, TrialState> states = store.states(trials);
  for (auto& [trial, state] : states) {
    if (!has_driver && state == "running" && !is_being_worked_on(TrialFolder(folder, trial))) state = "ready";
  }
  return states;
}

/// The state of one sweep, as lines. `orphans` counts trials that work without a driver.
std::string text_of(const SweepFile& sweep, const Store& store, const std::filesystem::path& folder,
                    bool has_driver, std::set<std::string>& orphans) {
  std::map<std::string, const SweepMember*> members;
  std::vector<std::string> order;
  for (const SweepMember& member : sweep.members) {
    if (members.try_emplace(member.trial, &member).second) order.push_back(member.trial);
  }
  const std::map<std::string, TrialState> states = states_now(order, store, folder, has_driver);
  std::map<TrialState, size_t> counts;
  for (const auto& [trial, state] : states) counts[state]++;
  counts["waiting"] += order.size() - states.size();
  std::string text = sweep.sweep + (sweep.profile.empty() ? "" : " --profile " + sweep.profile) + ": ";
  text += fmt::format("{} of {} done", counts["done"], order.size());
  for (const State state : kStates) {
    if (state != State::done && counts[to_text(state)] > 0) {
      text += fmt::format(", {} {}", counts[to_text(state)], to_text(state));
    }
  }
  text += "\n";
  size_t shown = 0;
  for (const std::string& trial : order) {
    const auto state = states.find(trial);
    if (state == states.end()) continue;
    if (state->second == "running") {
      if (!has_driver) orphans.insert(trial);
      text += fmt::format("  running   {}  {}", trial, title_of(*members.at(trial), store));
      if (const auto tick = store.progress(trial)) {
        text += fmt::format("  {}/{}", tick->step, tick->of);
        if (tick->steps_per_s) text += fmt::format("  {:.3g} step/s", *tick->steps_per_s);
        if (tick->loss) text += fmt::format("  loss {:.4g}", *tick->loss);
      }
      text += "\n";
    } else if (state->second == "failed" || state->second == "diverged") {
      if (shown++ >= kMostFailuresShown) continue;
      text += fmt::format("  {:<9} {}  {}: {}\n", state->second, trial, title_of(*members.at(trial), store),
                          store.trial(trial)->message);
    }
  }
  if (shown > kMostFailuresShown) text += fmt::format("  ... and {} more\n", shown - kMostFailuresShown);
  return text;
}

bool is_named(const SweepFile& sweep, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    if (sweep.sweep == name) return true;
    if (std::filesystem::path(sweep.source).lexically_normal() ==
        std::filesystem::path(name).lexically_normal()) {
      return true;
    }
  }
  return names.empty();
}

std::string status_text(const CommandContext& context, const std::vector<std::string>& names) {
  const Store store(context.store, Store::Access::read);
  const std::vector<SweepFile> sweeps = read_sweep_files(context.store);
  const auto owner = store_owner(context.store);
  std::string text;
  std::vector<std::string> known;
  std::set<std::string> orphans;
  for (const SweepFile& sweep : sweeps) {
    known.push_back(sweep.sweep);
    if (is_named(sweep, names)) text += text_of(sweep, store, context.store, owner.has_value(), orphans);
  }
  if (text.empty() && !names.empty()) {
    throw ConfigError(fmt::format("no sweep '{}' was run in {}{}; known: {}", names.front(),
                                  context.store.string(), did_you_mean(names.front(), known), joined(known)));
  }
  if (owner) {
    text += fmt::format("`rethink {}` works on it: process {} on {} since {}\n", owner->value("command", "?"),
                        owner->value("pid", 0), owner->value("host", "?"), owner->value("since", "?"));
  } else if (!orphans.empty()) {
    text += fmt::format("its driver is gone and {} of its workers {} on; `rethink run` adopts them\n",
                        orphans.size(), orphans.size() == 1 ? "goes" : "go");
  } else {
    text += "nobody works on it\n";
  }
  return text;
}

class Status : public Command {
 public:
  std::string positional() const override { return "[SWEEP...]"; }
  void declare(po::options_description& options) const override {
    options.add_options()("watch", "show it again every second, while somebody works on the store");
  }
  int run(const CommandContext& context, const po::variables_map& given) override {
    const std::vector<std::string> names = arguments_of(given);
    if (!given.count("watch")) {
      std::cout << status_text(context, names);
      return kDone;
    }
    for (;;) {
      const std::string text = status_text(context, names);
      if (isatty(STDOUT_FILENO)) std::cout << "\x1b[H\x1b[J";
      std::cout << text << std::flush;
      if (!store_owner(context.store)) return kDone;
      const timespec pause{1, 0};
      nanosleep(&pause, nullptr);
    }
  }
};

const bool registered = add_command<Status>("status", "how far each sweep is, what runs and what failed");

}  // namespace
}  // namespace rethink
