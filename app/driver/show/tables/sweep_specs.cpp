#include "app/driver/show/tables/sweep_specs.h"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "app/driver/cli/named_files.h"
#include "app/driver/cli/plan_choices.h"
#include "core/error.h"
#include "core/files/file.h"
#include "core/files/named_file.h"
#include "core/yaml/yaml.h"
#include "experiments/plan/read/library.h"
#include "plots/figure/sweep_figures.h"
#include "plots/spec_sweeps.h"
#include "plots/stage_layout.h"
#include "plots/table/sweep_table.h"
#include "results/folders/sweep_files.h"

namespace rethink {
namespace {

using Paths = std::vector<std::filesystem::path>;

/// Whether the file has the key that only sweeps have. An unreadable file is left to its reader.
bool is_sweep_file(const std::string& name) {
  if (!is_regular_file_there(name)) return false;
  try {
    Problems ignored;
    const Yaml given = read_yaml(name, ignored);
    return given.is_map() && given.find("stages");
  } catch (const ConfigError&) {
    return false;
  }
}

/// The name of the sweep in a spec in `folder`: its name in the library, else the path from the folder.
std::string sweep_word(const std::string& name, const std::filesystem::path& folder,
                       const Paths& paths) {
  if (!is_file_there(name) && Library("sweeps", paths).has(name)) return name;
  const auto whole = [](const std::filesystem::path& path) {
    return std::filesystem::weakly_canonical(std::filesystem::absolute(path));
  };
  return whole(name).lexically_relative(whole(folder)).string();
}

Plan plan_of_named(const CommandContext& context, const std::string& sweep,
                   const RenderingChoices& chosen) {
  const std::filesystem::path file =
      sweep_file_named(sweep, context.paths, context.store, chosen.again.choices);
  std::vector<Plan> made = plans_of_sweeps({file}, chosen.plan, context.schema(), *chosen.plans);
  return std::move(made.front());
}

TableFile read_spec_text(const std::string& text, const std::string& name) {
  Problems problems;
  const Yaml document = parse_yaml(text, name, problems);
  return {read_table_spec(document, name, problems), nullptr};
}

/// A note on other stages and tables of the sweep.
std::string note_on_others(const CommandContext& context, const std::string& sweep,
                           const Plan& plan, const std::string& shown) {
  std::string note;
  const std::vector<std::string> stages = stages_beside(plan, shown, context.schema());
  if (!stages.empty()) {
    note += fmt::format("shows stage {} of {}; others with a score: --stage {}\n", shown, sweep,
                        joined(stages, ", --stage "));
  }
  const std::vector<std::string> tables = tables_of({plan.file}, context.paths);
  if (!tables.empty())
    note +=
        fmt::format("{} is a sweep; tables with specs of their own: {}\n", sweep, joined(tables));
  return note;
}

/// The spec that has the name of the sweep's table, and no other sweeps; empty if there is none.
std::filesystem::path spec_of_sweep_table(const Plan& plan, const std::string& stage,
                                          const Paths& paths) {
  const std::filesystem::path spec =
      SpecNames("tables", paths).file_of(name_of_sweep_table(plan, stage));
  if (spec.empty()) return {};
  try {
    const bool is_of_sweep =
        std::ranges::all_of(sweeps_of_spec("tables", spec, paths), [&](const Word& sweep) {
          return std::filesystem::equivalent(find_spec_sweep(sweep, paths), plan.file);
        });
    return is_of_sweep ? spec : std::filesystem::path();
  } catch (const ConfigError&) {  // such as a spec whose sweep was moved
    return {};
  }
}

/// Throws ConfigError if `file` would have the name of another file's table.
void refuse_hidden_table(const std::filesystem::path& file, const Paths& paths) {
  const Library tables("tables", paths);
  const auto whole = std::filesystem::weakly_canonical(std::filesystem::absolute(file));
  for (const std::filesystem::path& folder : tables.folders()) {
    const std::filesystem::path inner =
        whole.lexically_relative(std::filesystem::weakly_canonical(folder));
    if (inner.empty() || *inner.begin() == "..") continue;
    const std::string name = std::filesystem::path(inner).replace_extension().generic_string();
    if (!tables.has(name)) continue;
    throw ConfigError("duplicate-name",
                      fmt::format("--write-spec: {} would have the name of the table {} in {}; "
                                  "give the file another name",
                                  file.string(), name, tables.find(name).string()));
  }
}

}  // namespace

bool names_sweep(const std::string& kind, const std::string& name, const Paths& paths) {
  if (is_regular_file_there(name)) return is_sweep_file(name);
  return !Library(kind, paths).has(name) && Library("sweeps", paths).has(name);
}

std::optional<SweepStage> stage_named(const std::string& kind, const std::string& name,
                                      const CommandContext& context) {
  const size_t slash = name.rfind('/');
  if (slash == std::string::npos || is_file_there(name) || Library(kind, context.paths).has(name))
    return std::nullopt;
  const std::string sweep = name.substr(0, slash), stage = name.substr(slash + 1);
  for (const std::string& word : {sweep, sweep + ".yaml"}) {
    if (names_sweep(kind, word, context.paths)) return SweepStage{word, stage};
  }
  if (!std::filesystem::is_directory(context.store / "sweeps")) return std::nullopt;
  std::vector<std::filesystem::path> damaged;  // `db check` reports them
  for (const SweepFile& file : read_sweep_files(context.store, &damaged)) {
    if (file.sweep == sweep && is_sweep_file(file.source)) return SweepStage{file.source, stage};
  }
  return std::nullopt;
}

std::vector<std::filesystem::path> sweep_files_named(const std::string& kind,
                                                     const std::string& name,
                                                     const CommandContext& context) {
  if (names_sweep(kind, name, context.paths))
    return {sweep_file_named(name, context.paths, context.store)};
  if (const auto meant = stage_named(kind, name, context))
    return {sweep_file_named(meant->sweep, context.paths, context.store)};
  std::vector<std::filesystem::path> files;
  const std::filesystem::path spec = Library(kind, context.paths).file(name);
  for (const Word& sweep : sweeps_of_spec(kind, spec, context.paths))
    files.push_back(find_spec_sweep(sweep, context.paths));
  return files;
}

NamedTable table_of_sweep(const CommandContext& context, const std::string& name,
                          const RenderingChoices& chosen, const std::string& stage) {
  Plan plan = plan_of_named(context, name, chosen);
  const std::string shown = stage_to_show(plan, stage, context.schema());
  if (const auto spec = spec_of_sweep_table(plan, shown, context.paths); !spec.empty()) {
    return {.file = read_table_file(spec, context.paths),
            .spec = spec,
            .text = "",
            .plans = std::nullopt,
            .note = fmt::format("{} is a sweep; its table {} has a spec, which is shown: {}\n",
                                name, name_of_sweep_table(plan, shown), spec.string())};
  }
  NamedTable table;
  if (stage.empty()) table.note = note_on_others(context, name, plan, shown);
  table.text =
      table_spec_of_sweep(plan, sweep_word(name, ".", context.paths), shown, context.schema());
  table.file = read_spec_text(table.text, name_of_sweep_table(plan, shown));
  const std::string word = table.file.numbers.trials.sweep.text;
  table.plans.emplace().emplace(word, std::move(plan));
  return table;
}

std::vector<NamedFigure> figures_of_sweep(const CommandContext& context, const std::string& name,
                                          const RenderingChoices& chosen,
                                          const std::string& stage) {
  const Plan plan = plan_of_named(context, name, chosen);
  const std::string shown = stage_to_show(plan, stage, context.schema());
  const std::string word = sweep_word(name, ".", context.paths);
  std::vector<NamedFigure> figures;
  for (const FigureText& made : figure_specs_of_sweep(plan, word, shown, context.schema())) {
    Problems problems;
    const Yaml document = parse_yaml(made.text, made.name, problems);
    figures.push_back({.figure = read_figure_spec(document, made.name, problems),
                       .spec = "",
                       .plans = Plans{{word, plan}}});
  }
  return figures;
}

void write_table_spec(const CommandContext& context, const std::string& sweep,
                      const NamedTable& table, const std::filesystem::path& file) {
  if (!table.spec.empty()) {
    throw ConfigError("file-exists", fmt::format("--write-spec: {} has a spec, {}: copy this file",
                                                 sweep, table.spec.string()));
  }
  if (std::filesystem::exists(std::filesystem::symlink_status(file)))
    throw ConfigError("file-exists",
                      fmt::format("--write-spec: {} exists; name another file", file.string()));
  if (!has_yaml_ending(file)) {
    throw ConfigError(
        "invalid-argument",
        fmt::format("--write-spec: got {}, expected a name that ends with .yaml", file.string()));
  }
  refuse_hidden_table(file, context.paths);
  SpecNames("tables", context.paths).require_unused(table.file.numbers.name, file);
  const Plan& plan = table.plans->begin()->second;
  const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
  const auto meant = stage_named("tables", sweep, context);
  const std::string text =
      table_spec_of_sweep(plan, sweep_word(meant ? meant->sweep : sweep, folder, context.paths),
                          table.file.numbers.trials.stage.text, context.schema());
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) {
    throw ConfigError("file-error", fmt::format("--write-spec: cannot make the folder {}: {}",
                                                folder.string(), error.message()));
  }
  write_file_atomically(file, text);
  if (!context.quiet) std::cerr << fmt::format("{}\n", file.string());
}

}  // namespace rethink
