#include "app/driver/rendering.h"

#include <fmt/format.h>
#include <signal.h>

#include <atomic>
#include <iostream>
#include <set>

#include "app/driver/progress.h"
#include "core/file.h"
#include "experiments/schedule/sweep_run.h"
#include "plots/library.h"
#include "plots/records.h"

namespace rethink {
namespace {

std::atomic<int> signals_seen = 0;

/// The trials of `plan` that are in `wanted`, and those they need.
Plan narrowed(const Plan& plan, const std::vector<std::string>& wanted) {
  std::set<std::string> keep(wanted.begin(), wanted.end());
  // Dependency order: from the last to the first, every child is seen before what it needs.
  for (auto trial = plan.trials.rbegin(); trial != plan.trials.rend(); ++trial) {
    if (!keep.count(trial->trial.id)) continue;
    for (const auto& [slot, ids] : trial->trial.needs) keep.insert(ids.begin(), ids.end());
  }
  Plan narrow = plan;
  narrow.trials.clear();
  for (const PlannedTrial& trial : plan.trials) {
    if (keep.count(trial.trial.id)) narrow.trials.push_back(trial);
  }
  return narrow;
}

std::vector<std::string> done_trials(const std::vector<std::string>& trials, const TrialRecords& records) {
  std::vector<std::string> done;
  for (const std::string& trial : trials) {
    const auto record = records.find(trial);
    if (record != records.end() && record->second.state == "done") done.push_back(trial);
  }
  return done;
}

}  // namespace

void declare_rendering_choices(po::options_description& options) {
  options.add_options()("all", "every one there is")(
      "profile", po::value<std::string>(), "overlay of the sweep")("run",
                                                                   "first run exactly what is missing");
}

std::string profile_of(const po::variables_map& given) {
  return given.count("profile") ? given["profile"].as<std::string>() : "";
}

std::vector<std::string> chosen_specs(const CommandContext& context, const po::variables_map& given,
                                      const std::string& kind) {
  const std::vector<std::string> names = arguments_of(given);
  const std::vector<std::string> known = spec_names(kind, context.paths);
  if (given.count("all")) return known;
  if (names.empty())
    throw ConfigError(
        fmt::format("which of the {}? Give a name or --all; there is: {}", kind, joined(known)));
  return names;
}

Plans plans_of_spec(const CommandContext& context, const std::vector<std::string>& sweeps,
                    const std::filesystem::path& spec, const std::string& profile) {
  Plans plans;
  PlanChoices choices;
  choices.profile = profile;
  choices.data = context.data;
  choices.paths = context.paths;
  for (const std::string& sweep : sweeps) {
    plans[sweep] = make_plan(find_spec_sweep(sweep, spec, context.paths), choices, context.schema());
  }
  return plans;
}

TrialRecords records_in_store(const CommandContext& context, const std::vector<std::string>& trials,
                              const WantedValues& wanted) {
  if (!std::filesystem::exists(database_path(context.store))) return {};
  Store store(context.store, Store::Access::read);
  return read_trial_records(store, context.store, trials, wanted);
}

Table load_table(const CommandContext& context, const TableSpec& spec, const Plans& plans) {
  const Grid grid = make_grid(spec, plans);
  return make_table(spec, grid, records_in_store(context, trials_of(grid), wanted_values(spec)),
                    item_metrics(context.schema()));
}

Table load_table(const CommandContext& context, const std::string& name, const std::string& profile) {
  const TableSpec spec = read_table_spec(find_spec("tables", name, context.paths));
  return load_table(context, spec, plans_of_spec(context, sweeps_of(spec), spec.file, profile));
}

Figure load_figure(const CommandContext& context, const FigureSpec& spec, const Plans& plans) {
  const FigureGrids grids = make_grids(spec, plans);
  std::vector<std::string> trials = trials_of(grids.points);
  for (const std::string& trial : trials_of(grids.lines)) trials.push_back(trial);
  const TrialRecords records = records_in_store(context, trials, wanted_values(spec.points));
  Curves curves;
  if (spec.kind == "curves" && !records.empty()) {
    Store store(context.store, Store::Access::read);
    curves = read_curves(store, done_trials(trials, records), spec.curve);
  }
  return make_figure(spec, grids, records, curves);
}

std::vector<ClaimResult> load_claims(const CommandContext& context, const std::string& name,
                                     const std::string& profile) {
  const ClaimsSpec spec = read_claims_spec(find_spec("claims", name, context.paths));
  std::map<std::string, Table> tables;
  std::vector<ClaimResult> results;
  for (const ClaimSpec& claim : spec.claims) {
    if (!tables.count(claim.table)) tables.emplace(claim.table, load_table(context, claim.table, profile));
    results.push_back(test_claim(claim, tables.at(claim.table)));
  }
  return results;
}

int run_missing(const CommandContext& context, const Plans& plans,
                const std::map<std::string, std::vector<std::string>>& to_run) {
  std::vector<Plan> narrow;
  for (const auto& [sweep, trials] : to_run) narrow.push_back(narrowed(plans.at(sweep), trials));
  if (narrow.empty()) return kDone;
  struct sigaction action {};
  action.sa_handler = [](int) { signals_seen++; };
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) sigaction(number, &action, nullptr);
  RunChoices choices;
  choices.store = context.store;
  choices.data = context.data;
  choices.programs = context.programs;
  choices.narrowed = true;
  ProgressDisplay display(ProgressDisplay::mode_for(stderr, context.quiet), stderr);
  const RunReport report = run_sweeps(narrow, context.schema(), choices, display, signals_seen);
  if (!report.disk_problem.empty()) {
    std::cerr << report.disk_problem << "\n";
    return kMachineError;
  }
  if (report.interrupted) return kInterrupted;
  return report.bad.empty() ? kDone : kSomeFailed;
}

void write_rendering(const CommandContext& context, const std::string& name, const std::string& text) {
  const std::filesystem::path file = context.out / name;
  std::filesystem::create_directories(file.parent_path());
  write_file_atomically(file, text);
  if (!context.quiet) std::cerr << file.string() << "\n";
}

std::string last_part_of(const std::string& name) {
  return std::filesystem::path(name).filename().string();
}

}  // namespace rethink
