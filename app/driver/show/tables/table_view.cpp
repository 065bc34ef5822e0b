#include "app/driver/show/tables/table_view.h"

#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "app/driver/cli/named_files.h"
#include "app/driver/show/plan_notes/code_notes.h"
#include "app/driver/show/tables/sweep_specs.h"
#include "core/config/schema.h"
#include "core/error.h"
#include "core/text.h"
#include "experiments/plan/plan_report.h"
#include "plots/figure/figure_kind.h"
#include "plots/figure/figure_stages.h"
#include "plots/table/cells/attention_matrix.h"
#include "plots/table/lines/value_check.h"
#include "plots/table/score_names.h"
#include "results/database/database_place.h"
#include "results/query/recorded_names.h"

namespace rethink {
namespace {

/// `kind` is "table", whose spec names the stage.
void refuse_stage(const std::string& stage, const std::string& name, const std::string& kind) {
  if (!stage.empty()) {
    throw ConfigError(
        "conflicting-arguments",
        fmt::format("--stage: {} is a {}, whose spec names the stage; leave out --stage", name,
                    kind));
  }
}

/// Done trials, including the winners of a select stage, whose curves it shows.
std::vector<std::string> done_trials(const TrialRecords& records) {
  std::vector<std::string> done;
  for (const auto& [trial, record] : records) {
    if (record.state == TrialState::done) done.push_back(trial);
  }
  return done;
}

/// Adds the state and the training size of trials that the trials of `grid` need.
void add_needs(Store* store, const Grid& grid, TrialRecords& records) {
  const std::vector<std::string> trials = needed_trials(grid);
  if (trials.empty() || !store) return;
  take_training_data(
      grid, read_trial_records(*store, store->folder(), trials, wanted_training_data()), records);
  for (auto& [id, state] : store->states(trials)) {
    // Winners of a select are already there with the right state, which may come from an earlier
    // result.
    const auto [record, is_new] = records.try_emplace(id);
    if (is_new) record->second.state = state;
  }
}

/// For trials of the grids, and for the trials that they need.
void print_changed_code_of(Store* store, const std::vector<const Grid*>& grids,
                           const CommandContext& context) {
  if (!store) return;
  std::set<std::string> trials;
  for (const Grid* grid : grids) add_trials_with_needs(*grid, trials);
  print_changed_code({trials.begin(), trials.end()}, *store, context);
}

/// Reads what a table needs of positions in matrices, from the files that its trials left. Without
/// the files, as in a snapshot, the trial's own report on positions counts, which has nothing on
/// single heads.
void read_places(Store* store, const TableSpec& spec, TrialRecords& records) {
  const std::vector<ValueName> wanted = wanted_places(spec);
  if (wanted.empty() || records.empty()) return;
  const std::filesystem::path folder = store->folder();
  if (std::filesystem::is_regular_file(folder)) return;
  const std::vector<std::string> done = done_trials(records);
  std::map<std::string, ArtifactFiles> by_name;  // several columns read the same files
  for (const ValueName& places : wanted) {
    if (!by_name.contains(places.split))
      by_name[places.split] = artifact_files(*store, folder, done, places.split);
    for (const auto& [trial, file] : by_name.at(places.split)) {
      TrialRecord& record = records.at(trial);
      if (file.problem.empty()) {
        add_places(record, places, file.path);
      } else if (std::filesystem::exists(file.path) || !record.values.contains(places.text())) {
        record.damaged[places.text()] = without_folder(file.problem, folder);
      }
    }
  }
}

TrialRecords records_in(Store* store, const std::vector<std::string>& trials,
                        const WantedValues& wanted) {
  return store ? read_trial_records(*store, store->folder(), trials, wanted) : TrialRecords();
}

/// For done trials.
ArtifactFiles files_in(Store* store, const TrialRecords& records, const std::string& artifact) {
  if (records.empty() || artifact.empty()) return {};
  return artifact_files(*store, store->folder(), done_trials(records), artifact);
}

using TrialsBySweep = std::map<std::string, std::vector<std::string>>;

/// Why trials of the plans are stale, by id, as `plan` says: they were done under other data or
/// revisions. Empty if nothing is to run.
std::map<std::string, std::string> stale_in(const Plans& plans, const TrialsBySweep& to_run,
                                            const Schema& schema, Store* store) {
  std::map<std::string, std::string> stale;
  if (!store || to_run.empty()) return stale;
  for (const auto& [file, plan] : plans) stale.merge(stale_trials(plan, schema, *store));
  return stale;
}

/// The note on stale trials that are yet to run, or that these trials need; "" without such trials.
std::string note_on_stale(const std::map<std::string, std::string>& stale,
                          const TrialsBySweep& to_run, const std::set<std::string>& needed) {
  std::set<std::string> waiting = needed;
  for (const auto& [sweep, trials] : to_run) waiting.insert(trials.begin(), trials.end());
  std::map<std::string, std::string> of_waiting;
  for (const auto& [trial, why] : stale) {
    if (waiting.contains(trial)) of_waiting.emplace(trial, why);
  }
  return stale_text(of_waiting);
}

/// Makes the table, and sets `view.stale`.
Table table_of_numbers(TableView& view, Store* store, TableUse use, const Schema& schema) {
  const TableSpec& spec = view.file.numbers;
  ComparedTable compared = compared_cells(spec, view.grid, view.records, view.metrics, use);
  TrialsToRun waiting = trials_to_run(compared, spec, view.grid, view.records);
  TableFindings findings;
  if (std::string note = note_on_score_names(compared.columns, view.grid, schema); !note.empty())
    findings.notes.push_back({std::move(note)});
  view.stale = stale_in(view.plans, waiting.to_run, schema, store);
  if (std::string note = note_on_stale(view.stale, waiting.to_run, waiting.needed); !note.empty())
    findings.notes.push_back({std::move(note)});
  if (store) {
    for (const StageWithoutValues& stage : stages_without_values(compared, view.grid)) {
      if (std::optional<UnrecordedValue> value =
              unrecorded_value(stage, recorded_names(*store, stage.trials), compared))
        findings.unrecorded.push_back(*std::move(value));
    }
  }
  return annotated_table(std::move(compared), std::move(waiting), findings, spec, view.grid,
                         view.metrics);
}

}  // namespace

void add_trials_with_needs(const Grid& grid, std::set<std::string>& ids) {
  for (const std::vector<std::string>& some : {trials_of(grid), needed_trials(grid)})
    ids.insert(some.begin(), some.end());
}

std::unique_ptr<Store> open_store(const CommandContext& context) {
  if (!is_store(context.store)) return nullptr;
  return std::make_unique<Store>(context.store, Store::Access::read);
}

NamedTable table_named(const CommandContext& context, const std::string& name,
                       const RenderingChoices& chosen, const std::string& stage) {
  if (names_sweep("tables", name, context.paths))
    return table_of_sweep(context, name, chosen, stage);
  if (const auto meant = stage_named("tables", name, context); meant && stage.empty())
    return table_of_sweep(context, meant->sweep, chosen, meant->stage);
  refuse_stage(stage, name, "table");
  const std::filesystem::path spec =
      spec_file_named("tables", name, context.paths, context.store, chosen.again.choices);
  return {.file = read_table_file(spec, context.paths),
          .spec = spec,
          .text = "",
          .plans = std::nullopt};
}

TableView plan_table_view(TableFile file, Plans plans, const CommandWords& again) {
  TableView view(std::move(file), std::move(plans));
  view.grid = make_grid(view.file.spec(), view.plans, again);
  return view;
}

TableView plan_table_view(const CommandContext& context, TableFile file,
                          const RenderingChoices& chosen, const std::string& name) {
  Plans plans = plans_of_spec(context, sweeps_of(file.spec()), chosen);
  return plan_table_view(std::move(file), std::move(plans), chosen.again.for_spec(name));
}

TableView plan_table_view(const CommandContext& context, NamedTable named,
                          const RenderingChoices& chosen, const std::string& name) {
  if (!named.plans) return plan_table_view(context, std::move(named.file), chosen, name);
  return plan_table_view(std::move(named.file), std::move(*named.plans),
                         chosen.again.for_spec(name));
}

void read_view(const CommandContext& context, Store* store, TableUse use, TableView& view) {
  const Schema& schema = context.schema();
  const TableSpec& spec = view.file.spec();
  const TableKind* kind = view.file.kind.get();
  if (!kind) check_metrics(spec, view.grid, view.plans, schema);
  view.records = records_in(store, trials_of(view.grid), wanted_values(spec, schema, use));
  if (!kind) read_places(store, spec, view.records);
  const ArtifactFiles files =
      kind ? files_in(store, view.records, kind->artifact()) : ArtifactFiles();
  add_needs(store, view.grid, view.records);
  print_changed_code_of(store, {&view.grid}, context);
  view.metrics = item_metrics(schema);
  if (kind)
    view.made = kind->make(view.grid, view.records, files);
  else
    view.made = table_of_numbers(view, store, use, schema);
}

std::vector<NamedFigure> figures_named(const CommandContext& context, const std::string& name,
                                       const RenderingChoices& chosen, const std::string& stage) {
  if (names_sweep("figures", name, context.paths))
    return figures_of_sweep(context, name, chosen, stage);
  if (const auto meant = stage_named("figures", name, context); meant && stage.empty())
    return figures_of_sweep(context, meant->sweep, chosen, meant->stage);
  refuse_stage(stage, name, "figure");
  const std::filesystem::path spec =
      spec_file_named("figures", name, context.paths, context.store, chosen.again.choices);
  std::vector<NamedFigure> figures;
  figures.push_back(
      {.figure = read_figure_spec(spec, context.paths), .spec = spec, .plans = std::nullopt});
  return figures;
}

FigureView plan_figure_view(const CommandContext& context, FigureSpec spec,
                            const RenderingChoices& chosen) {
  Plans plans = plans_of_spec(context, sweeps_of(spec), chosen);
  FigureView view(std::move(spec), std::move(plans));
  view.grids = make_grids(view.spec, view.plans, chosen.again);
  return view;
}

FigureView plan_figure_view(const CommandContext& context, NamedFigure named,
                            const RenderingChoices& chosen) {
  if (!named.plans) return plan_figure_view(context, std::move(named.figure), chosen);
  FigureView view(std::move(named.figure), std::move(*named.plans));
  view.grids = make_grids(view.spec, view.plans, chosen.again);
  return view;
}

void read_view(const CommandContext& context, Store* store, FigureView& view) {
  const FigureSpec& spec = view.spec;
  check_metrics(spec.points, view.grids.points, view.plans, context.schema());
  check_metrics(spec.lines, view.grids.lines, view.plans, context.schema());
  std::vector<std::string> trials = trials_of(view.grids.points);
  for (const std::string& trial : trials_of(view.grids.lines)) trials.push_back(trial);
  TrialRecords records = records_in(store, trials, wanted_values(spec.points, context.schema()));
  Curves curves;
  if (!records.empty() && spec.kind->of_curves())
    curves = read_curves(*store, done_trials(records), spec.curve);
  const ArtifactFiles files = files_in(store, records, spec.kind->artifact());
  for (const Grid* grid : {&view.grids.points, &view.grids.lines}) add_needs(store, *grid, records);
  print_changed_code_of(store, {&view.grids.points, &view.grids.lines}, context);
  DrawnFigure drawn = drawn_figure(spec, view.grids, records, curves, files);
  const Figure& figure = drawn.figure;
  const auto stale = stale_in(view.plans, figure.to_run, context.schema(), store);
  const std::string note = note_on_stale(stale, figure.to_run, figure.needed);
  view.made = captioned_figure(std::move(drawn), spec, view.grids, note);
}

}  // namespace rethink
