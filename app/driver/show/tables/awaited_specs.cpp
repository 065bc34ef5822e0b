#include "app/driver/show/tables/awaited_specs.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <iostream>
#include <variant>

#include "app/driver/cli/plan_choices.h"
#include "app/driver/show/tables/table_view.h"
#include "core/error.h"
#include "experiments/plan/read/library.h"
#include "plots/claim/claim_spec.h"

namespace rethink {
namespace {

void add_trials(const Plans& plans, const std::map<std::string, std::vector<std::string>>& to_run,
                AwaitingSpec& spec) {
  for (const auto& [sweep, trials] : to_run)
    spec.trials[plans.at(sweep).file].insert(trials.begin(), trials.end());
}

void add_lacks(const Grid& grid, AwaitingSpec& spec) {
  for (const std::vector<CellTrials>& row : grid.trials) {
    for (const CellTrials& cell : row) {
      for (const PlannedTrial* trial : cell)
        spec.lacks.insert(trial->lacks.begin(), trial->lacks.end());
    }
  }
}

AwaitingSpec awaiting_table(const CommandContext& context, const std::string& name,
                            const RenderingChoices& chosen, std::set<std::string>& shown) {
  TableView view = plan_table_view(
      context, read_table_file(Library("tables", context.paths).file(name)), chosen, name);
  read_view(context, open_store(context).get(), TableUse::claims, view);
  AwaitingSpec spec{.title = "table " + name};
  add_trials_with_needs(view.grid, shown);
  if (view.file.kind) {
    add_trials(view.plans, std::get<KindTable>(view.made).to_run, spec);
    add_lacks(view.grid, spec);
    return spec;
  }
  add_trials(view.plans, view.numbers().to_run, spec);
  for (const std::vector<Cell>& row : view.numbers().cells) {
    for (const Cell& cell : row) spec.lacks.insert(cell.lacks.begin(), cell.lacks.end());
  }
  return spec;
}

AwaitingSpec awaiting_figure(const CommandContext& context, const std::string& name,
                             const RenderingChoices& chosen, std::set<std::string>& shown) {
  FigureView view = plan_figure_view(
      context, read_figure_spec(Library("figures", context.paths).file(name)), chosen);
  read_view(context, open_store(context).get(), view);
  AwaitingSpec spec{.title = "figure " + name};
  add_trials(view.plans, view.made.to_run, spec);
  for (const Grid* grid : {&view.grids.points, &view.grids.lines}) {
    add_lacks(*grid, spec);
    add_trials_with_needs(*grid, shown);
  }
  return spec;
}

/// The tables of `specs`, and the tables of its claims.
std::set<std::string> tables_meant(const CommandContext& context, const SelectedSpecs& specs) {
  std::set<std::string> tables;
  if (const auto named = specs.find("tables"); named != specs.end())
    tables.insert(named->second.begin(), named->second.end());
  const auto claims = specs.find("claims");
  if (claims == specs.end()) return tables;
  for (const std::string& name : claims->second) {
    try {
      const ClaimsSpec spec = read_claims_spec(Library("claims", context.paths).file(name));
      for (const ClaimSpec& claim : spec.claims) tables.insert(claim.table);
    } catch (const ConfigError&) {  // the report says it
    }
  }
  return tables;
}

/// Plans of the needed sweeps that can be planned here.
std::vector<Plan> plans_to_run(const std::set<std::filesystem::path>& files,
                               const PlanChoices& choices, const Schema& schema) {
  std::vector<Plan> plans;
  std::exception_ptr refused;
  for (const std::filesystem::path& file : files) {
    try {
      plans.push_back(make_plan_with_hints(file, choices, schema));
    } catch (const ConfigError& error) {
      if (!refused) refused = std::current_exception();
      std::cerr << fmt::format("left out: {}\n", error.what());
    }
  }
  if (plans.empty() && refused) std::rethrow_exception(refused);
  return plans;
}

/// Commands that bring the files of trials of `plan` that cannot run here, by the ids in `known`:
/// the same plan, made with the hashes of such files from stores and pins.
std::map<std::string, std::set<std::string>> lacks_by_trial(const Plan& plan, const Plan& known) {
  std::map<std::string, std::set<std::string>> lacks;
  for (size_t i = 0; i < plan.trials.size(); ++i) {
    if (!plan.trials[i].lacks.empty()) lacks[known.trials[i].trial.id] = plan.trials[i].lacks;
  }
  return lacks;
}

}  // namespace

AwaitingSpecs awaiting_specs(const CommandContext& context, const SelectedSpecs& specs,
                             const RenderingChoices& chosen) {
  AwaitingSpecs found;
  const auto add = [&](const auto& names, const auto& awaiting_one) {
    for (const std::string& name : names) {
      try {
        AwaitingSpec spec = awaiting_one(context, name, chosen, found.shown);
        if (!spec.trials.empty() || !spec.lacks.empty()) found.waiting.push_back(std::move(spec));
      } catch (const ConfigError&) {  // the report says it
      }
    }
  };
  add(tables_meant(context, specs), awaiting_table);
  if (const auto figures = specs.find("figures"); figures != specs.end())
    add(figures->second, awaiting_figure);
  return found;
}

TrainableSpecs trainable_here(const std::vector<AwaitingSpec>& waiting, PlanChoices to_run,
                              const RenderingChoices& chosen, const Schema& schema) {
  std::set<std::filesystem::path> files;
  for (const AwaitingSpec& spec : waiting) {
    for (const auto& [file, trials] : spec.trials) files.insert(file);
  }
  PlanChoices looking = chosen.plan;
  to_run.of_several = looking.of_several = files.size() > 1;  // each table has accepted its own
  TrainableSpecs here;
  std::map<std::filesystem::path, std::map<std::string, std::set<std::string>>> lacking;
  std::map<std::filesystem::path, std::set<std::string>> runnable;
  for (Plan& plan : plans_to_run(files, to_run, schema)) {
    lacking[plan.file] = lacks_by_trial(plan, chosen.plans->plan(plan.file, looking, schema));
    std::set<std::string> of_all;  // what trials lack, including trials that were not requested
    remove_trials_without_files(plan, of_all);
    for (const PlannedTrial& planned : plan.trials) runnable[plan.file].insert(planned.trial.id);
    const std::string file = plan.file.string();
    here.plans.emplace(file, std::move(plan));
  }
  here.all_planned = here.plans.size() == files.size();
  std::map<std::string, std::set<std::string>> shown;
  for (const AwaitingSpec& spec : waiting) {
    here.lacks.insert(spec.lacks.begin(), spec.lacks.end());
    bool trains = false;
    for (const auto& [file, trials] : spec.trials) {
      for (const std::string& id : trials) {
        if (const auto lacks = lacking[file].find(id); lacks != lacking[file].end())
          here.lacks.insert(lacks->second.begin(), lacks->second.end());
        if (!runnable[file].contains(id)) continue;
        shown[file.string()].insert(id);
        trains = true;
      }
    }
    if (!trains) here.untrained.push_back(spec.title);
  }
  for (const auto& [file, trials] : shown) here.to_run[file].assign(trials.begin(), trials.end());
  return here;
}

}  // namespace rethink
