// `rethink table`: prints tables from the store alone; missing trials are reported, and run on
// request.
#include <fmt/format.h>

#include <iostream>
#include <optional>

#include "app/driver/cli/named_files.h"
#include "app/driver/cli/note_report.h"
#include "app/driver/show/tables/recorded_runs.h"
#include "app/driver/show/tables/rendering.h"
#include "app/driver/show/tables/sweep_specs.h"
#include "app/driver/show/tables/table_view.h"
#include "core/json.h"
#include "plots/render/renderer.h"
#include "plots/table/lines/fold.h"

namespace rethink {
namespace {

class TableCommand : public Command {
 public:
  std::string positional() const override { return "TABLE|SWEEP..."; }

  void declare(po::options_description& options) const override {
    declare_rendering_choices(options);
    declare_like_last_run(options);
    options.add_options()("format",
                          po::value<std::string>()->value_name("FORMAT")->default_value("text"),
                          "text, md, csv, latex, html, json")(
        "bare",
        "with --format latex: only the tabular, for a paper with its own caption; notes are LaTeX "
        "comments")("unplanned", "also show rows and columns without planned trials")(
        "stage", po::value<std::string>()->value_name("STAGE"),
        "for a SWEEP: show this stage (default: the first stage with a score)")(
        "write-spec", po::value<std::string>()->value_name("FILE"),
        "for a SWEEP: write the table's spec to this new file");
  }

  int run(const CommandContext& context, const po::variables_map& given) override {
    const auto renderer = renderers().make(given["format"].as<std::string>(), Json::object());
    if (given.count("bare") && !renderer->make_bare()) {
      throw ConfigError("conflicting-arguments",
                        fmt::format("--bare: got --format {}, expected --format latex",
                                    given["format"].as<std::string>()));
    }
    const RenderingChoices chosen = rendering_choices(context, given);
    const bool to_files = !given["out"].defaulted();
    if (!to_files) fit_to_terminal(*renderer);
    const std::vector<std::string> names = chosen_specs(context, given, "tables");
    const bool prints = names.size() == 1 || renderer->after_another("");
    if (!prints && !to_files) {
      throw ConfigError(
          "conflicting-arguments",
          fmt::format(
              "--format {0}: got {1} tables, but in sequence they are not valid {0}; name one, "
              "or give --out FOLDER for a file of each",
              given["format"].as<std::string>(), names.size()));
    }
    if (given.count("write-spec") && names.size() != 1)
      throw ConfigError("conflicting-arguments",
                        "--write-spec: a file holds one table; name one sweep");
    const std::string stage = given.count("stage") ? given["stage"].as<std::string>() : "";
    std::optional<SpecNames> files;
    if (to_files) files.emplace("tables", context.paths);
    bool first = true;
    return for_each_spec(names, [&](const std::string& name) {
      const RenderingChoices own = choices_of_named(context, given, chosen, "tables", name);
      NamedTable named = table_named(context, name, own, stage);
      if (given.count("write-spec")) {
        const std::string file = given["write-spec"].as<std::string>();
        write_table_spec(context, name, named, file);
        if (!own.plan.profile.empty() || !own.plan.text().empty())
          print_note(Note("spec-without-settings",
                          fmt::format("a spec has no profile and no settings; to see this "
                                      "table, type `{}`",
                                      own.again.with_choices("table " + for_a_shell(file))),
                          Position{file}));
      }
      if (!context.quiet) std::cerr << named.note;
      if (files && named.plans) files->require_unused(named.file.numbers.name, name);
      if (files && !named.plans) files->take(named.spec);
      TableView view = plan_table_view(context, std::move(named), own, name);
      const bool in_full = given.count("unplanned") || !renderer->is_for_people();
      const auto make = [&] {
        read_view(context, open_store(context).get(), TableUse::reading, view);
        return view.file.kind ? rendered(std::get<KindTable>(view.made), *renderer)
                              : rendered(view.numbers(), *renderer, in_full);
      };
      Rendered table = make();
      if (given.count("run") && !table.to_run.empty()) {
        std::set<std::string> shown;
        add_trials_with_needs(view.grid, shown);
        const int ran = run_missing(context, given, view.plans, own.plan, table.to_run, shown,
                                    resuming_words("table", name, given));
        if (ran != kDone && ran != kSomeFailed) return ran;
        table = make();
      }
      if (!table.to_run.empty())
        print_other_settings(context, own, files_of(view.plans), "table " + for_a_shell(name),
                             trials_of(view.plans), stages_of({&view.file.spec()}));
      if (prints) std::cout << (first ? table.text : *renderer->after_another(table.text));
      first = false;
      if (to_files) {
        write_rendering(context, "tables/" + table.name + "." + renderer->extension(), table.text);
      }
      return table.complete ? int{kDone} : int{kSomeFailed};
    });
  }

 private:
  struct Rendered {
    std::string name, text;
    std::map<std::string, std::vector<std::string>> to_run;
    bool complete = false;
  };

  static Rendered rendered(const Table& table, const Renderer& renderer, bool in_full) {
    return {table.name, renderer.table(in_full ? table : folded(table)), table.to_run,
            table.incomplete_cells == 0};
  }
  static Rendered rendered(const KindTable& table, const Renderer& renderer) {
    return {table.name, renderer.of_kind(table), table.to_run, table.complete()};
  }
};

RETHINK_REGISTERED = add_command<TableCommand>(
    "table", "print tables of a paper or of a sweep, with the paper's numbers beside ours");

}  // namespace
}  // namespace rethink
