#include "app/driver/show/tables/report_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <set>
#include <utility>

#include "app/driver/cli/named_files.h"
#include "app/driver/show/tables/recorded_runs.h"
#include "app/driver/show/tables/sweep_specs.h"
#include "app/driver/show/tables/table_view.h"
#include "app/driver/show/tables/tested_claims.h"
#include "core/config/schema.h"
#include "core/files/file.h"
#include "core/message.h"
#include "experiments/plan/read/descriptions.h"
#include "experiments/plan/read/library.h"
#include "plots/figure/drawing/gnuplot.h"
#include "plots/render/html_page.h"
#include "plots/render/latex_text.h"
#include "plots/render/renderer.h"
#include "plots/render/sheet.h"
#include "plots/spec_sweeps.h"
#include "plots/table/lines/fold.h"
#include "plots/table/notes.h"
#include "results/database/database_place.h"
#include "results/records/environments.h"
#include "results/records/known_trials.h"

namespace rethink {
namespace {

std::string refused(const std::string& name, const std::string& why) {
  return fmt::format("<section><h2>{}</h2><p class=\"alarm\">left out: {}</p></section>\n",
                     escape_html(name), escape_html(why));
}

constexpr const char* kNothingPlanned = "the profile or the options given leave out all of it";

/// "sweep bet/corpora.yaml has no profile small" for a spec for which nothing is planned; empty:
/// every sweep has the profile.
std::string no_profile_text(const CommandContext& context, const std::vector<Word>& sweeps,
                            const RenderingChoices& chosen) {
  if (chosen.plan.profile.empty()) return "";
  for (const Word& sweep : sweeps) {
    Problems problems;
    const Yaml text = read_yaml(find_spec_sweep(sweep, context.paths), problems);
    const Yaml* const profiles = text.find("profiles");
    if (profiles && profiles->find(chosen.plan.profile)) continue;
    return fmt::format("sweep {} has no profile {}", sweep.text, chosen.plan.profile);
  }
  return "";
}

/// The same for a table. A spec or sweep that cannot be read is skipped, since making the table reports it.
std::string no_profile_of_table(const CommandContext& context, const std::string& table,
                                const RenderingChoices& chosen) {
  try {
    const TableFile file = read_table_file(Library("tables", context.paths).file(table));
    return no_profile_text(context, sweeps_of(file.spec()), chosen);
  } catch (const ConfigError&) {
    return "";
  }
}

/// Returns why none of the claims' tables can be planned; empty if one can.
std::string no_table_planned(const CommandContext& context, const ClaimsSpec& spec,
                             const RenderingChoices& chosen) {
  std::string why;
  std::map<std::string, std::string> known;  // by table
  for (const ClaimSpec& claim : spec.claims) {
    const auto [table, is_new] = known.try_emplace(claim.table);
    if (is_new) table->second = no_profile_of_table(context, claim.table, chosen);
    why = table->second;
    if (why.empty()) return "";
  }
  return why;
}

std::string row_html(const std::string& name, const std::string& value) {
  return fmt::format("<tr><th scope=\"row\">{}</th><td class=\"words\">{}</td></tr>\n",
                     escape_html(name), escape_html(value));
}

/// The origin of the page's numbers: choices, store and date.
std::string head_html(const CommandContext& context, const std::string& title,
                      const std::string& chosen, const std::vector<ClaimResult>& verdicts) {
  const std::filesystem::path store = std::filesystem::absolute(context.store).lexically_normal();
  std::vector<std::pair<std::string, std::string>> rows = {
      {"chosen", chosen},
      {"store", (store.has_filename() ? store : store.parent_path()).filename().string()}};
  if (is_store(context.store)) {
    Store opened(context.store, Store::Access::read);
    const StoreSummary summary = summary_of(opened);
    rows.emplace_back("trials done in it", fmt::format("{}", summary.done));
    rows.emplace_back("newest result", summary.newest.empty() ? "none" : summary.newest);
  } else {
    rows.emplace_back("trials done in it", "0");
  }
  if (!verdicts.empty()) rows.emplace_back("claims", verdicts_by_file(verdicts));
  std::string out =
      fmt::format("<h1>{}</h1>\n<div class=\"wide\"><table><tbody>\n", escape_html(title));
  for (const auto& [name, value] : rows) out += row_html(name, value);
  return out + "</tbody></table></div>\n";
}

/// Distinct builds, devices and versions of the store's attempts, by kind.
std::map<std::string, std::set<std::string>> environments(const CommandContext& context) {
  std::map<std::string, std::set<std::string>> found;
  found["rethink"].insert(RETHINK_VERSION);
  found["worker of these programs"].insert(context.schema().build_id);
  if (!is_store(context.store)) return found;
  Store store(context.store, Store::Access::read);
  for (const auto& [name, value] : environment_values(store)) found[name].insert(value);
  return found;
}

std::string environment_html(const CommandContext& context) {
  std::string out = "<section><h2>Environment</h2>\n<div class=\"wide\"><table><tbody>\n";
  for (const auto& [name, values] : environments(context))
    out += row_html(name, joined({values.begin(), values.end()}));
  return out + "</tbody></table></div></section>\n";
}

/// Writes the parts one after the other, and reports what a part lacks on standard error.
class ReportWriter {
 public:
  ReportWriter(const CommandContext& context, const ChoicesOfPart& choices_of,
               const ReportExtras& extras)
      : context_(context),
        choices_of_(choices_of),
        extras_(extras),
        table_names_("tables", context.paths),
        figure_names_("figures", context.paths) {}

  WrittenReport write(const std::string& title, const SelectedSpecs& specs) {
    make_out_folder(context_.out);
    std::string body;
    const auto add = [&](const std::string& library, const std::string& kind, const auto& make) {
      const auto names = specs.find(library);
      if (names == specs.end()) return;
      for (const std::string& name : names->second) {
        parts_.push_back({.kind = kind, .name = name, .title = name});
        body += section(name, [&] {
          chosen_ = choices_of_(library, name);
          choices_[name] = choices_text(chosen_.plan.profile, chosen_.plan.text());
          return make(name);
        });
      }
    };
    add("claims", "claims", [&](const std::string& name) { return claims_html(name); });
    add("tables", "table", [&](const std::string& name) { return table_html(name); });
    add("figures", "figure", [&](const std::string& name) { return figure_html(name); });
    if (body.empty()) {
      parts_.push_back({.kind = "", .name = title, .title = title});
      add_gap("nothing of it is planned here");
    }
    body += left_out_html() + sweeps_html() + environment_html(context_);
    WrittenReport report{context_.out / "report.html", std::move(parts_)};
    write_file_atomically(
        report.page, html_page(title, head_html(context_, title, chosen_text(), verdicts_) + body));
    return report;
  }

 private:
  /// The choices behind the numbers, once if they are equal for all parts, else for each part.
  std::string chosen_text() const {
    std::set<std::string> distinct;
    std::vector<std::string> by_part;
    for (const auto& [name, text] : choices_) {
      distinct.insert(text);
      by_part.push_back(name + ": " + text);
    }
    if (distinct.size() == 1) return *distinct.begin();
    return distinct.empty() ? "none" : joined(by_part, "; ");
  }

  std::string part_text() const {
    const ReportPart& part = parts_.back();
    return (part.kind.empty() ? "" : part.kind + " ") + part.name;
  }

  /// Adds a gap that a run or a repair would fill.
  void add_gap(const std::string& why) {
    std::cerr << fmt::format("not complete: {}: {}\n", part_text(), why);
    parts_.back().gaps.push_back(why);
  }

  /// Leaves out a part for which nothing is planned, which is not a gap.
  std::string leave_out(const std::string& why) {
    std::cerr << fmt::format("left out: {}: {}\n", part_text(), why);
    parts_.back().left_out = why;
    left_out_.emplace_back(part_text(), why);
    return "";
  }

  void write_part(const std::string& name, const std::string& text) {
    const std::filesystem::path file = context_.out / name;
    make_out_folder(file.parent_path());
    write_file_atomically(file, text);
    parts_.back().files.push_back(file);
  }

  /// Reports a spec whose sweep lacks the profile, or a picture that cannot be drawn, and continues
  /// with the others. A full disk ends the report.
  template <typename Make>
  std::string section(const std::string& name, Make make) {
    try {
      return make();
    } catch (const DiskFullError&) {
      throw;
    } catch (const MachineError& error) {
      return refuse(name, error.what());
    } catch (const ConfigError& error) {
      return refuse(name, error.what());
    }
  }

  std::string refuse(const std::string& name, const std::string& why) {
    add_gap("left out: " + why);
    return refused(name, why);
  }

  void add_missing(size_t missing, size_t trials, size_t needed) {
    if (missing > 0) add_gap(not_done_text(missing, trials, needed));
  }

  /// Adds, once each, tables or columns of claims that cannot be made.
  void add_tables_not_made(const std::vector<ClaimResult>& claims) {
    std::map<std::string, const ClaimResult*> unmade;
    for (const ClaimResult& claim : claims) {
      if (claim.unmade) unmade.emplace(claim.unmade->what, &claim);
    }
    for (const auto& [what, claim] : unmade) {
      const std::string no_profile = no_profile_of_table(context_, claim->unmade->table, chosen_);
      if (no_profile.empty()) {
        add_gap(fmt::format("left out {}: {}", what, claim->unmade->message));
      } else {
        const std::string why = fmt::format("{}: {}", what, no_profile);
        std::cerr << fmt::format("left out: {}: {}\n", part_text(), why);
        left_out_.emplace_back(part_text(), why);
      }
    }
  }

  std::string claims_html(const std::string& name) {
    const ClaimsSpec spec = read_claims_spec(Library("claims", context_.paths).file(name));
    if (const std::string why = no_table_planned(context_, spec, chosen_); !why.empty())
      return leave_out(why);
    const std::vector<ClaimResult> claims = test_claims(context_, spec, name, chosen_);
    verdicts_.insert(verdicts_.end(), claims.begin(), claims.end());
    const auto unmeasured = std::ranges::count_if(claims, &ClaimResult::unmeasured);
    const auto waiting = std::ranges::count_if(claims, &ClaimResult::incomplete) - unmeasured;
    if (waiting > 0)
      add_gap(fmt::format("{} of {} claims wait for trials", waiting, claims.size()));
    if (unmeasured > 0)
      add_gap(fmt::format("{} of {} claims lack values that no trial has yet", unmeasured,
                          claims.size()));
    add_tables_not_made(claims);
    Sheet sheet = make_sheet(claims);
    parts_.back().title = sheet.title = "Claims: " + name;
    sheet.name = "claims/" + name;
    for (const char* format : {"md", "csv"}) {
      if (extras_.files) {
        const auto renderer = renderers().make(format, Json::object());
        write_part(fmt::format("claims/{}.{}", last_part_of(name), renderer->extension()),
                   renderer->claims(claims));
      }
    }
    return sheet_html(sheet);
  }

  /// Null if nothing has run. Opened once for all tables.
  Store* store() {
    if (!store_) store_ = open_store(context_);
    return store_.get();
  }

  std::string table_html(const std::string& name) {
    NamedTable named = table_named(context_, name, chosen_);
    if (named.plans) {
      table_names_.require_unused(named.file.numbers.name, name);
    } else {
      table_names_.take(named.spec);
      const std::string why = no_profile_text(context_, sweeps_of(named.file.spec()), chosen_);
      if (!why.empty()) return leave_out(why);
    }
    TableView view = plan_table_view(context_, std::move(named), chosen_, name);
    add_sweeps(view.plans);
    read_view(context_, store(), TableUse::reading, view);
    const auto* const of_kind = std::get_if<KindTable>(&view.made);
    std::string html = of_kind ? table_html(*of_kind) : table_html(view.numbers());
    if ((of_kind ? of_kind->num_to_run() : view.numbers().num_to_run()) > 0)
      print_settings_of_others(name, view.plans, stages_of({&view.file.spec()}));
    return html;
  }

  void print_settings_of_others(const std::string& name, const Plans& plans,
                                const std::set<std::string>& stages) {
    if (!extras_.other_settings) return;
    print_other_settings(context_, chosen_, files_of(plans), "report " + for_a_shell(name),
                         trials_of(plans), stages);
  }

  std::string table_html(const Table& table) {
    const std::string needs_data = needs_data_note(table, "cells").whole();
    if (table.num_trials() == 0 && needs_data.empty()) return leave_out(kNothingPlanned);
    if (!needs_data.empty()) add_gap(needs_data);
    add_missing(table.num_to_run(), table.num_trials(), table.needed.size());
    if (const std::string why = not_measured_note(table, "cells").whole(); !why.empty())
      add_gap(why);
    const Table shown = folded(table);
    write_table_files(table.name, [&](const Renderer& renderer) {
      return renderer.table(renderer.is_for_people() ? shown : table);
    });
    const Sheet sheet = make_sheet(shown);
    parts_.back().title = without_mathematics(sheet.title);
    return sheet_html(sheet);
  }

  std::string table_html(const KindTable& table) {
    if (table.num_trials == 0 && table.needs_data.empty()) return leave_out(kNothingPlanned);
    if (!table.needs_data.empty()) add_gap(table.needs_data);
    add_missing(table.num_to_run(), table.num_trials, table.needed.size());
    if (!table.not_read.empty()) add_gap(table.not_read);
    write_table_files(table.name,
                      [&](const Renderer& renderer) { return renderer.of_kind(table); });
    parts_.back().title = without_mathematics(table.sheet.title);
    return sheet_html(table.sheet);
  }

  template <typename Render>
  void write_table_files(const std::string& name, Render render) {
    if (!extras_.files) return;
    for (const char* format : {"md", "latex", "csv"}) {
      const auto renderer = renderers().make(format, Json::object());
      write_part(fmt::format("tables/{}.{}", name, renderer->extension()), render(*renderer));
    }
  }

  std::string figure_html(const std::string& name) {
    std::string all;
    bool is_first = true;  // a sweep has several figures, and each is a part
    for (NamedFigure& named : figures_named(context_, name, chosen_)) {
      if (!is_first) parts_.push_back({.kind = "figure", .name = name, .title = name});
      is_first = false;
      all += figure_html(name, std::move(named));
    }
    return all;
  }

  std::string figure_html(const std::string& name, NamedFigure named) {
    if (named.plans) {
      figure_names_.require_unused(named.figure.name(), name);
    } else {
      figure_names_.take(named.spec);
      const std::string why = no_profile_text(context_, sweeps_of(named.figure), chosen_);
      if (!why.empty()) return leave_out(why);
    }
    FigureView view = plan_figure_view(context_, std::move(named), chosen_);
    add_sweeps(view.plans);
    read_view(context_, store(), view);
    const Figure& figure = view.made;
    parts_.back().title = figure.title;
    if (figure.missing > 0) {
      print_settings_of_others(name, view.plans, stages_of({&view.spec.points, &view.spec.lines}));
    }
    if (figure.empty() && figure.trials == 0 && figure.not_measured.empty() &&
        figure.needs_data.empty())
      return leave_out(figure.why_empty());
    if (figure.empty()) return refuse(name, figure.why_empty());
    add_missing(figure.missing, figure.trials, figure.needed.size());
    if (!figure.needs_data.empty()) add_gap(figure.needs_data);
    if (!figure.not_measured.empty()) add_gap(figure.not_measured);
    const std::filesystem::path place = context_.out / "figures" / figure.name;
    const auto files = draw_figure(figure, place.parent_path(), last_part_of(figure.name));
    parts_.back().files = files;
    return fmt::format(
        "<section id=\"{0}\"><h2>{1}</h2><p "
        "class=\"name\">{0}</p>\n<figure>{2}</figure></section>\n",
        escape_html(figure.name), escape_html(figure.title),
        svg_within_page(read_file(files.front()), figure.name));
  }

  void add_sweeps(const Plans& plans) {
    for (const auto& [path, plan] : plans) sweeps_.emplace(plan.sweep, plan.file);
  }

  /// The sweeps behind the page's numbers, and their purpose.
  std::string sweeps_html() const {
    if (sweeps_.empty()) return "";
    std::string out = "<section><h2>Sweeps</h2>\n<div class=\"wide\"><table><tbody>\n";
    for (const auto& [sweep, file] : sweeps_) out += row_html(sweep, description_of(file));
    return out + "</tbody></table></div></section>\n";
  }

  std::string left_out_html() const {
    if (left_out_.empty()) return "";
    std::string out = "<section><h2>Left out: nothing of it is planned here</h2>\n<ul>\n";
    for (const auto& [part, why] : left_out_)
      out += fmt::format("<li>{}: {}</li>\n", escape_html(part), escape_html(why));
    return out + "</ul></section>\n";
  }

  const CommandContext& context_;
  std::unique_ptr<Store> store_;
  const ChoicesOfPart& choices_of_;
  RenderingChoices chosen_;                     // of the part in progress
  std::map<std::string, std::string> choices_;  // by the part's name, in words
  const ReportExtras extras_;
  SpecNames table_names_, figure_names_;
  std::vector<ReportPart> parts_;
  std::vector<std::pair<std::string, std::string>> left_out_;  // part and reason
  std::map<std::string, std::filesystem::path> sweeps_;        // by their names
  std::vector<ClaimResult> verdicts_;
};

}  // namespace

namespace {

/// Profiles of a sweep's file, even if the file has mistakes elsewhere.
std::vector<std::string> profiles_in(const std::filesystem::path& sweep) {
  Problems problems;
  const Yaml text = read_yaml(sweep, problems);
  const Yaml* const given = text.find("profiles");
  return given ? given->keys() : std::vector<std::string>{};
}

/// Names of known sweeps.
std::vector<std::string> sweeps_with_profile(const std::string& profile,
                                             const CommandContext& context) {
  const Library library("sweeps", context.paths);
  std::vector<std::string> found;
  for (const std::string& sweep : library.names()) {
    try {
      const std::vector<std::string> profiles = profiles_in(library.file(sweep));
      if (std::ranges::find(profiles, profile) != profiles.end()) found.push_back(sweep);
    } catch (const ConfigError&) {  // reported when the sweep is planned
    }
  }
  return found;
}

}  // namespace

KnownProfiles profiles_of(const SelectedSpecs& specs, const CommandContext& context) {
  KnownProfiles known;
  for (const auto& [kind, names] : specs) {
    for (const std::string& name : names) {
      try {
        for (const std::filesystem::path& sweep : sweep_files_named(kind, name, context)) {
          const std::vector<std::string> keys = profiles_in(sweep);
          known.names.insert(keys.begin(), keys.end());
          known.has_sweeps = true;
        }
      } catch (const ConfigError&) {  // the page reports it
      }
    }
  }
  return known;
}

void require_known_profile(const std::string& profile, const KnownProfiles& known,
                           const CommandContext& context) {
  if (profile.empty() || !known.has_sweeps || known.names.contains(profile)) return;
  const std::vector<std::string> names(known.names.begin(), known.names.end()),
      elsewhere = sweeps_with_profile(profile, context);
  throw ConfigError(
      "unknown-profile",
      fmt::format(
          "--profile: got '{}', which no sweep of these tables and figures has{}; profiles: {}; "
          "--profile '' takes the sweeps as they are written",
          profile,
          elsewhere.empty() ? did_you_mean(profile, names)
                            : fmt::format("; sweeps that have it: {}", joined(elsewhere)),
          names.empty() ? "none" : joined(names)));
}

bool WrittenReport::complete() const {
  return std::ranges::all_of(parts, [](const ReportPart& part) { return part.gaps.empty(); });
}

WrittenReport write_report(const CommandContext& context, const std::string& title,
                           const SelectedSpecs& specs, const ChoicesOfPart& choices_of,
                           const ReportExtras& extras) {
  return ReportWriter(context, choices_of, extras).write(title, specs);
}

}  // namespace rethink
