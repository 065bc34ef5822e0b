#include "app/driver/show/rendering.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <exception>
#include <iostream>
#include <set>

#include "app/driver/cli/named_files.h"
#include "app/driver/cli/plan_choices.h"
#include "app/driver/cli/progress.h"
#include "app/driver/cli/terminal.h"
#include "core/config/schema.h"
#include "core/message.h"
#include "core/system/file.h"
#include "core/text.h"
#include "datasets/scores/bleu.h"
#include "datasets/scores/labelled_metrics.h"
#include "experiments/plan/shared_names.h"
#include "experiments/run/sweep_run.h"
#include "plots/figure/figure_kind.h"
#include "plots/library.h"
#include "plots/table/attention_matrix.h"
#include "plots/table/left_out_columns.h"
#include "plots/table/records.h"
#include "plots/table/value_check.h"
#include "results/database/database_place.h"

namespace rethink {
namespace {

/// The winners of a select stage, whose curves it shows, among them.
std::vector<std::string> done_trials(const TrialRecords& records) {
  std::vector<std::string> done;
  for (const auto& [trial, record] : records) {
    if (record.state == TrialState::done) done.push_back(trial);
  }
  return done;
}

/// Of the trials that those of `grid` need: how far they are, and how much data they learned from.
void add_needs(const CommandContext& context, const Grid& grid, TrialRecords& records) {
  const std::vector<std::string> trials = parents_of(grid);
  if (trials.empty() || !is_store(context.store)) return;
  Store store(context.store, Store::Access::read);
  take_training_data(grid, read_trial_records(store, context.store, trials, wanted_training_data()),
                     records);
  for (auto& [id, state] : store.states(trials)) {
    // Winners of a select are there already, with the state that counts: theirs may be an earlier result.
    const auto [record, is_new] = records.try_emplace(id);
    if (is_new) record->second.state = state;
  }
}

/// What a table asks of places in matrices, from the files that its trials left. Where a file is not
/// there, as in a snapshot, what the trial said of places itself counts, and nothing of single heads.
void read_places(const CommandContext& context, const TableSpec& spec, TrialRecords& records) {
  const std::vector<ValueName> wanted = wanted_places(spec);
  if (wanted.empty() || records.empty() || std::filesystem::is_regular_file(context.store)) return;
  Store store(context.store, Store::Access::read);
  const std::vector<std::string> done = done_trials(records);
  std::map<std::string, ArtifactFiles> by_name;  // several columns read the same files
  for (const ValueName& places : wanted) {
    if (!by_name.contains(places.split))
      by_name[places.split] = artifact_files(store, context.store, done, places.split);
    for (const auto& [trial, file] : by_name.at(places.split)) {
      TrialRecord& record = records.at(trial);
      if (file.problem.empty()) {
        add_places(record, places, file.path);
      } else if (std::filesystem::exists(file.path) || !record.values.contains(places.text())) {
        record.damaged[places.text()] = without_folder(file.problem, context.store);
      }
    }
  }
}

}  // namespace

void declare_rendering_choices(po::options_description& options) {
  declare_trial_choices(options);
  options.add_options()("all", "every one there is")("run", "first run exactly what is missing");
  declare_machine_choices(options);
}

Chosen chosen_of(const CommandContext& context, const po::variables_map& given) {
  if (given.count("executor"))
    run_choices(context, given);  // mistakes are mistakes without --run too
  // A database that is gone is said once, not of each table.
  if (!is_store(context.store) && !given["store"].defaulted() && !given.count("run"))
    std::cerr << fmt::format("{}: there is no store here: nothing has run\n",
                             context.store.string());
  const Purpose purpose = given.count("run") ? Purpose::run : Purpose::look;
  PlanChoices choices = plan_choices(context, given, purpose);
  choices.may_lack_files = purpose == Purpose::look;
  return {std::move(choices),
          {options_as_given(given, {"profile", "set", "seeds", "path", "data"}), context.store}};
}

std::vector<std::string> chosen_specs(const CommandContext& context, const po::variables_map& given,
                                      const std::string& kind) {
  std::vector<std::string> names = arguments_of(given);
  std::vector<std::string> known = spec_names(kind, context.paths);
  if (given.count("all")) return known;
  if (names.empty())
    throw ConfigError(fmt::format("which of the {}? Give a name or --all; there is: {}", kind,
                                  known.empty() ? "nothing" : joined(known)));
  return names;
}

int for_each_spec(const std::vector<std::string>& names,
                  const std::function<int(const std::string& name)>& make) {
  int worst = kDone;
  for (const std::string& name : names) {
    int code = kDone;
    try {
      code = make(name);
      if (code > kSomeFailed) return code;
    } catch (const DiskFullError&) {
      throw;
    } catch (const MachineError& error) {
      if (names.size() == 1) throw;
      std::cerr << fmt::format("left out {}: {}\n", name, error.what());
      code = kMachineError;
    } catch (const UnusableName& error) {
      std::cerr << fmt::format("left out {}: {}\n", one_line(name), error.what());
      code = kSomeFailed;
    } catch (const ConfigError& error) {
      if (names.size() == 1) throw;
      std::cerr << fmt::format("left out {}: {}\n", name, error.what());
      code = kUserError;
    }
    worst = std::max(worst, code);
  }
  return worst;
}

Plans plans_of_spec(const CommandContext& context, const std::vector<Word>& sweeps,
                    const PlanChoices& choices) {
  Plans plans;
  for (const Word& sweep : sweeps) {
    plans[sweep.text] =
        plan_of_sweep(find_spec_sweep(sweep, context.paths), choices, context.schema());
  }
  return plans;
}

Plans plans_of_columns(const CommandContext& context, TableSpec& spec, const PlanChoices& choices) {
  Plans plans;
  RefusedSweeps refused;
  std::exception_ptr first;
  for (const Word& sweep : sweeps_of(spec)) {
    try {
      plans.merge(plans_of_spec(context, {sweep}, choices));
    } catch (const ConfigError& error) {
      refused.emplace(sweep.text, error.what());
      if (!first) first = std::current_exception();
    }
  }
  if (first && !leave_out_columns(spec, refused)) std::rethrow_exception(first);
  return plans;
}

TrialRecords records_in_store(const CommandContext& context, const std::vector<std::string>& trials,
                              const WantedValues& wanted) {
  if (!is_store(context.store)) return {};
  Store store(context.store, Store::Access::read);
  return read_trial_records(store, context.store, trials, wanted);
}

RecordedTable load_recorded_table(const CommandContext& context, const TableSpec& spec,
                                  const Plans& plans, const CommandWords& again, TableUse use) {
  RecordedTable made;
  made.left_out = spec.left_out;
  Grid grid = make_grid(spec, plans, again);
  check_metrics(spec, grid, plans, context.schema());
  made.records =
      records_in_store(context, trials_of(grid), wanted_values(spec, context.schema(), use));
  read_places(context, spec, made.records);
  add_needs(context, grid, made.records);
  made.metrics = item_metrics(context.schema(), labelled_metric, bleu_of_counts);
  made.table = make_table(spec, grid, made.records, made.metrics, use);
  explain_unrecorded(made.table, grid, [&](const std::vector<std::string>& trials) {
    Store store(context.store, Store::Access::read);
    return recorded_names(store, trials);
  });
  return made;
}

Table load_table(const CommandContext& context, const TableSpec& spec, const Plans& plans,
                 const CommandWords& again) {
  return load_recorded_table(context, spec, plans, again, TableUse::reading).table;
}

Table load_table(const CommandContext& context, const std::string& name, const Chosen& chosen) {
  const TableSpec spec =
      read_table_spec(spec_file_named("tables", name, context.paths, context.store));
  const Plans plans = plans_of_spec(context, sweeps_of(spec), chosen.plan);
  return load_table(context, spec, plans, chosen.again.for_spec(name));
}

WordTable load_words(const CommandContext& context, const WordTableSpec& spec, const Plans& plans,
                     const CommandWords& again) {
  const Grid grid = make_grid(spec.models, plans, again);
  TrialRecords records =
      records_in_store(context, trials_of(grid), wanted_values(spec.models, context.schema()));
  ArtifactFiles files;
  if (!records.empty()) {
    Store store(context.store, Store::Access::read);
    files = artifact_files(store, context.store, done_trials(records), spec.artifact);
  }
  add_needs(context, grid, records);
  return make_word_table(spec, grid, records, files);
}

Figure load_figure(const CommandContext& context, const FigureSpec& spec, const Plans& plans,
                   const CommandWords& again) {
  FigureGrids grids = make_grids(spec, plans, again);
  check_metrics(spec.points, grids.points, plans, context.schema());
  check_metrics(spec.lines, grids.lines, plans, context.schema());
  std::vector<std::string> trials = trials_of(grids.points);
  for (const std::string& trial : trials_of(grids.lines)) trials.push_back(trial);
  TrialRecords records =
      records_in_store(context, trials, wanted_values(spec.points, context.schema()));
  Curves curves;
  ArtifactFiles files;
  const std::string artifact = spec.kind->artifact();
  if (!records.empty() && (spec.kind->of_curves() || !artifact.empty())) {
    Store store(context.store, Store::Access::read);
    const std::vector<std::string> done = done_trials(records);
    if (spec.kind->of_curves()) curves = read_curves(store, done, spec.curve);
    if (!artifact.empty()) files = artifact_files(store, context.store, done, artifact);
  }
  for (const Grid* grid : {&grids.points, &grids.lines}) add_needs(context, *grid, records);
  return make_figure(spec, grids, records, curves, files);
}

void fit_to_terminal(Renderer& renderer) {
  if (isatty(STDOUT_FILENO) != 0) renderer.fit(static_cast<size_t>(columns_of_terminal(stdout)));
}

int run_missing(const CommandContext& context, const po::variables_map& given, const Plans& plans,
                const std::map<std::string, std::vector<std::string>>& to_run) {
  std::vector<Plan> whole;
  std::set<std::string> missing;
  for (const auto& [sweep, trials] : to_run) {
    whole.push_back(plans.at(sweep));
    missing.insert(trials.begin(), trials.end());
  }
  if (whole.empty()) return kDone;
  for (const std::string& note :
       shared_names(whole, context.store, options_as_given(given, {"store"})))
    std::cerr << note << "\n";
  RunChoices choices = run_choices(context, given);
  choices.trials = missing;
  ProgressDisplay display(ProgressDisplay::mode_for(stderr, context.quiet), stderr);
  const RunReport report =
      run_sweeps(whole, context.schema(), choices, display, listen_to_signals());
  if (!report.machine_problem.empty()) {
    std::cerr << report.machine_problem << "\n";
    return kMachineError;
  }
  if (report.interrupted) {
    std::cerr << fmt::format("interrupted: {} of {} trials done; the same command goes on\n",
                             report.count(TrialState::done), report.trials);
    return kInterrupted;
  }
  return report.bad.empty() ? kDone : kSomeFailed;
}

void make_out_folder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (!error) return;
  if (error == std::errc::no_space_on_device)
    throw_file_error(folder, "cannot make the folder", error.value());
  throw ConfigError(fmt::format("--out: cannot make the folder {}: {}; name another place",
                                folder.string(), error.message()));
}

void write_rendering(const CommandContext& context, const std::string& name,
                     const std::string& text) {
  const std::filesystem::path file = context.out / name;
  make_out_folder(file.parent_path());
  write_file_atomically(file, text);
  if (!context.quiet) std::cerr << file.string() << "\n";
}

std::string last_part_of(const std::string& name) {
  return std::filesystem::path(name).filename().string();
}

}  // namespace rethink
