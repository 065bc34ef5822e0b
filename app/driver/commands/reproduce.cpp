// `rethink reproduce PAPER`: trains the missing trials of the paper's tables, figures and claims,
// then writes all of them.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <exception>
#include <iostream>
#include <map>
#include <set>

#include "app/driver/cli/note_report.h"
#include "app/driver/cli/plan_choices.h"
#include "app/driver/cli/terminal.h"
#include "app/driver/show/rendering.h"
#include "app/driver/show/report_page.h"
#include "app/driver/show/rows.h"
#include "app/driver/show/table_view.h"
#include "core/config/schema.h"
#include "core/error.h"
#include "core/message.h"
#include "core/system/file.h"
#include "core/system/named_file.h"
#include "experiments/plan/plan_report.h"
#include "experiments/plan/read/library.h"
#include "plots/render/html_page.h"
#include "plots/spec_sweeps.h"
#include "plots/table/notes.h"
#include "results/database/database_place.h"
#include "results/query/known_trials.h"

namespace rethink {
namespace {

constexpr const char* kAll = "all";
constexpr const char* kDefaultProfile = "smoke";

/// "figure2" means figure2a and figure2b of every paper, and not figure21; "bet/table1" and "table1" that table.
bool is_named(const std::string& word, const std::string& name) {
  const std::string last = last_part_of(name);
  if (name == word || last == word) return true;
  return last.starts_with(word) && std::isalpha(static_cast<unsigned char>(last[word.size()])) != 0;
}

/// The folders of tables that have a file of claims, or the ones named.
std::vector<std::string> papers_named(const std::vector<std::string>& words,
                                      const CommandContext& context) {
  const std::vector<std::string> known = Library("claims", context.paths).names();
  if (words.empty() || std::ranges::find(words, kAll) != words.end()) return known;
  for (const std::string& word : words) {
    const auto has = [&](const char* library) {
      return std::ranges::any_of(Library(library, context.paths).names(),
                                 [&](const std::string& name) { return means_spec(word, name); });
    };
    if (has("claims") || has("tables") || has("figures")) continue;
    throw ConfigError(
        "unknown-name",
        fmt::format(
            "no paper is called '{}', and no table, figure or claims lie below {}/; expected "
            "all, {}{}",
            word, word, joined(known), did_you_mean(word, known)));
  }
  return words;
}

/// `only`: names of tables and figures, or "claims"; empty: all. Throws ConfigError for one that nothing is called.
MeantSpecs specs_meant(const std::vector<std::string>& papers, const std::vector<std::string>& only,
                       const CommandContext& context) {
  MeantSpecs meant;
  std::set<std::string> found;
  std::vector<std::string> known;
  for (const char* library : {"claims", "tables", "figures"}) {
    for (const std::string& name : Library(library, context.paths).names()) {
      if (std::ranges::none_of(papers, [&](const auto& paper) { return means_spec(paper, name); }))
        continue;
      if (const std::string last = last_part_of(name);
          std::ranges::find(known, last) == known.end())
        known.push_back(last);
      bool is_meant = only.empty();
      for (const std::string& word : only) {
        if (word != library && !is_named(word, name)) continue;
        found.insert(word);
        is_meant = true;
      }
      if (is_meant) meant[library].push_back(name);
    }
  }
  known.insert(known.end(), {"tables", "figures", "claims"});
  for (const std::string& word : only) {
    if (found.contains(word)) continue;
    const std::string names = joined(known);
    throw ConfigError("unknown-name",
                      fmt::format("--only: got '{}', which is no table or figure of {}{}; "
                                  "expected some of: {}",
                                  word, joined(papers), did_you_mean(word, known), names));
  }
  return meant;
}

/// What tables and figures wait for.
struct Awaited {
  std::map<std::filesystem::path, std::set<std::string>> trials;  // by the file of the sweep
  std::set<std::string> lacks;  // what brings the files of trials that have no id
};

/// Adds the trials that a table or figure waits for, and those that they need.
void add_awaited(const Plans& plans, const std::map<std::string, std::vector<std::string>>& to_run,
                 const std::set<std::string>& needed, Awaited& awaited) {
  for (const auto& [sweep, trials] : to_run) {
    std::set<std::string>& all = awaited.trials[plans.at(sweep).file];
    all.insert(trials.begin(), trials.end());
    all.insert(needed.begin(), needed.end());
  }
}

Awaited awaited_by_table(const CommandContext& context, const std::string& name,
                         const RenderingChoices& chosen) {
  TableView view = plan_view(context, read_table_file(Library("tables", context.paths).file(name)),
                             chosen, name);
  read_view(context, open_store(context).get(), TableUse::claims, view);
  const TrialsToRun& waits = view.file.kind
                                 ? static_cast<const TrialsToRun&>(std::get<KindTable>(view.made))
                                 : view.numbers();
  Awaited awaited;
  add_awaited(view.plans, waits.to_run, waits.needed, awaited);
  if (!view.file.kind) {
    for (const std::vector<Cell>& row : view.numbers().cells) {
      for (const Cell& cell : row) awaited.lacks.insert(cell.lacks.begin(), cell.lacks.end());
    }
  }
  return awaited;
}

Awaited awaited_by_figure(const CommandContext& context, const std::string& name,
                          const RenderingChoices& chosen) {
  FigureView view =
      plan_view(context, read_figure_spec(Library("figures", context.paths).file(name)), chosen);
  read_view(context, open_store(context).get(), view);
  Awaited awaited;
  add_awaited(view.plans, view.made.to_run, view.made.needed, awaited);
  return awaited;
}

/// Of all specs. One that cannot be made waits for nothing: the report says why.
Awaited awaited_by(const CommandContext& context, const MeantSpecs& specs,
                   const RenderingChoices& chosen) {
  Awaited awaited;
  const auto add = [&](const char* library, const auto& awaited_by_one) {
    const auto names = specs.find(library);
    if (names == specs.end()) return;
    for (const std::string& name : names->second) {
      try {
        const Awaited one = awaited_by_one(context, name, chosen);
        for (const auto& [sweep, trials] : one.trials)
          awaited.trials[sweep].insert(trials.begin(), trials.end());
        awaited.lacks.insert(one.lacks.begin(), one.lacks.end());
      } catch (const ConfigError&) {  // said by the report
      }
    }
  };
  add("tables", awaited_by_table);
  add("figures", awaited_by_figure);
  return awaited;
}

/// Says how much is to be done, before it begins.
void print_work(const std::vector<Plan>& plans, const std::set<std::string>& missing,
                const CommandContext& context) {
  std::vector<Plan> waiting = plans;
  for (Plan& plan : waiting) {
    std::erase_if(plan.trials,
                  [&](const PlannedTrial& planned) { return !missing.contains(planned.trial.id); });
  }
  const std::unique_ptr<Store> store = open_store(context);
  const StoreFacts facts{store.get(), states_of(waiting, store.get())};
  const StageReport total = report_plans(waiting, context.schema(), facts, 0).total();
  std::string text = counted(total.to_run, "trial") + " to run";
  const size_t known = total.to_run - total.unknown;
  if (total.seconds && known > 0)
    text += fmt::format(", about {} of one slot and {}{}", rough_duration_text(*total.seconds),
                        size_text(total.bytes.value_or(0)),
                        total.unknown > 0 ? fmt::format(" for {} of them", known) : "");
  if (total.unknown > 0)
    text += fmt::format("; the time of {} is unknown until a similar trial is done", total.unknown);
  std::cerr << text << "\n";
}

/// Of the trials that are `wanted` and have no id in `plan`, since files of theirs are not here: adds what brings them.
/// `known` is the same plan with what stores and pins tell of such files.
void add_lacks(const Plan& plan, const Plan& known, const std::set<std::string>& wanted,
               std::set<std::string>& lacks) {
  for (size_t i = 0; i < plan.trials.size(); ++i) {
    if (wanted.contains(known.trials[i].trial.id))
      lacks.insert(plan.trials[i].lacks.begin(), plan.trials[i].lacks.end());
  }
}

/// What can run here of the sweeps that are awaited. One that cannot, as on a machine without the GPU that it asks for, is
/// named on standard error and left out; where none can, its ConfigError is thrown.
std::vector<Plan> plans_to_run(const Awaited& awaited, PlanChoices choices, const Schema& schema) {
  choices.of_several = awaited.trials.size() > 1;  // each table found its settings sound
  std::vector<Plan> plans;
  std::exception_ptr refused;
  for (const auto& [file, trials] : awaited.trials) {
    try {
      plans.push_back(plan_of_sweep(file, choices, schema));
    } catch (const ConfigError& error) {
      if (!refused) refused = std::current_exception();
      std::cerr << fmt::format("left out: {}\n", error.what());
    }
  }
  if (plans.empty() && refused) std::rethrow_exception(refused);
  return plans;
}

/// Trains what can be trained here. Returns the exit code that `run` would give.
int train(const CommandContext& context, const po::variables_map& given,
          const RenderingChoices& chosen, const Awaited& awaited) {
  PlanChoices choices = plan_choices(context, given, Purpose::run);
  choices.may_lack_files = true;
  std::vector<Plan> plans = plans_to_run(awaited, choices, context.schema());
  const bool is_whole = plans.size() == awaited.trials.size();
  PlanChoices looking = chosen.plan;
  looking.of_several = awaited.trials.size() > 1;
  std::set<std::string> lacks = awaited.lacks;
  for (Plan& plan : plans) {
    add_lacks(plan, plan_of_sweep(plan.file, looking, context.schema()),
              awaited.trials.at(plan.file), lacks);
    std::set<std::string> of_all;  // also of trials that nobody asked for
    take_out_lacking(plan, of_all);
  }
  if (!lacks.empty())
    std::cerr << fmt::format("left out, since data or weights are missing: {}\n",
                             joined({lacks.begin(), lacks.end()}, "; "));
  Plans by_file;
  std::map<std::string, std::vector<std::string>> to_run;
  std::set<std::string> missing;
  for (Plan& plan : plans) {
    const std::set<std::string>& wanted = awaited.trials.at(plan.file);
    std::vector<std::string>& here = to_run[plan.file.string()];
    for (const PlannedTrial& planned : plan.trials) {
      if (wanted.contains(planned.trial.id)) here.push_back(planned.trial.id);
    }
    missing.insert(here.begin(), here.end());
  }
  if (missing.empty()) return is_whole ? kDone : kSomeFailed;
  print_work(plans, missing, context);
  for (Plan& plan : plans) by_file.emplace(plan.file.string(), std::move(plan));
  std::erase_if(to_run, [](const auto& sweep) { return sweep.second.empty(); });
  const int code = run_missing(context, given, by_file, choices, to_run);
  return code == kDone && !is_whole ? kSomeFailed : code;
}

std::string links_html(const ReportPart& part, const std::filesystem::path& out) {
  std::string links;
  for (const std::filesystem::path& file : part.files) {
    const std::string path = file.lexically_relative(out).generic_string();
    links += fmt::format("{}<a href=\"{}\">{}</a>", links.empty() ? "" : " ", escape_html(path),
                         escape_html(file.extension().string().substr(1)));
  }
  return links;
}

std::string state_text(const ReportPart& part) {
  if (!part.left_out.empty()) return "nothing of it is planned: " + part.left_out;
  return part.gaps.empty() ? "complete" : joined(part.gaps, "; ");
}

/// The first page: where everything is, and what has no value and why.
std::string index_html(const WrittenReport& report, const std::string& title,
                       const std::filesystem::path& out) {
  std::string body = fmt::format(
      "<h1>{}</h1>\n<p><a href=\"{}\">All of it on one page</a></p>\n<div class=\"wide\"><table>"
      "<thead><tr><th scope=\"row\">what</th><th scope=\"row\">title</th><th>files</th><th "
      "scope=\"row\">state</th></tr></thead><tbody>\n",
      escape_html(title), report.page.filename().string());
  for (const ReportPart& part : report.parts) {
    body += fmt::format(
        "<tr><th scope=\"row\">{} {}</th><td class=\"words\">{}</td><td>{}</td>"
        "<td class=\"words\">{}</td></tr>\n",
        part.kind, escape_html(part.name), escape_html(part.title), links_html(part, out),
        escape_html(state_text(part)));
  }
  return html_page(title, body + "</tbody></table></div>\n");
}

/// Files of other papers and tables stay where they are, but no page leads to them any more.
void note_replaced(const std::filesystem::path& index, const std::string& title) {
  if (!is_file_there(index)) return;
  if (read_file(index).find("<h1>" + escape_html(title) + "</h1>") != std::string::npos) return;
  print_note(Note(
      "replaced-index",
      fmt::format(
          "{} listed other tables and figures and was replaced; their files stay, and --out DIR "
          "keeps a page of each",
          index.string())));
}

/// The words that were given, with the profile that counts where none was, and without --only, which elsewhere names a
/// stage.
po::variables_map with_profile(const po::variables_map& given, const std::set<std::string>& known) {
  po::variables_map all = given;
  all.erase("only");
  if (!given.count("profile")) {
    all.erase("profile");
    const std::string profile = known.contains(kDefaultProfile) ? kDefaultProfile : "";
    all.emplace("profile", po::variable_value(boost::any(profile), false));
  }
  return all;
}

/// "no profile: none was given, and no sweep has smoke", "profile large".
std::string profile_text(const std::string& profile, bool is_typed) {
  if (is_typed) return profile.empty() ? "no profile" : "profile " + profile;
  return profile.empty()
             ? fmt::format("no profile: none was given, and no sweep has {}", kDefaultProfile)
             : fmt::format("profile {} (the default)", profile);
}

class Reproduce : public Command {
 public:
  std::string positional() const override { return "[PAPER...]"; }
  bool needs_folders() const override { return true; }
  std::string more_help(const CommandContext& context) const override {
    return fmt::format(
        "Trains the missing trials. Then writes every table (Markdown, LaTeX, CSV), figure (SVG, "
        "PDF, PNG),\nthe claims and one report below --out; start with index.html. The same "
        "command continues after an\ninterruption.\n"
        "Papers: all, {}, or your own folder of tables.\n"
        "Profiles: smoke is every row in minutes (its numbers mean nothing), small is the size of\n"
        "docs/results.md in hours, paper is the published setting.\n"
        "Exit code 1: a number has no value; it is named with the reason.\n\n",
        joined(Library("claims", context.paths).names()));
  }
  void declare(po::options_description& options) const override {
    declare_trial_choices(options);
    options.add_options()("only", po::value<std::vector<std::string>>()->composing(),
                          "only these: table3,figure2,claims");
    declare_machine_choices(options);
  }

  int run(const CommandContext& context, const po::variables_map& typed) override {
    const auto only = typed.count("only") ? split_list(typed["only"].as<std::vector<std::string>>())
                                          : std::vector<std::string>{};
    const std::vector<std::string> papers = papers_named(arguments_of(typed), context);
    const MeantSpecs specs = specs_meant(papers, only, context);
    const KnownProfiles profiles = profiles_of(specs, context);
    const po::variables_map given = with_profile(typed, profiles.names);
    const RenderingChoices chosen = rendering_choices(context, given);
    require_known_profile(chosen.plan.profile, profiles);
    std::cerr << fmt::format("{}, {}\n", joined(papers),
                             profile_text(chosen.plan.profile, typed.count("profile") > 0));
    const int ran = train(context, given, chosen, awaited_by(context, specs, chosen));
    if (ran != kDone && ran != kSomeFailed) return ran;
    const std::string title = fmt::format("{}, {}", joined(papers),
                                          choices_text(chosen.plan.profile, chosen.plan.text()));
    const auto choices_of = [&](const std::string&, const std::string&) { return chosen; };
    const WrittenReport report =
        write_report(context, title, specs, choices_of, /*with_files=*/true);
    const std::filesystem::path index = context.out / "index.html";
    note_replaced(index, title);
    write_file_atomically(index, index_html(report, title, context.out));
    std::cout << index.string() << "\n";
    return ran == kDone && report.complete() ? kDone : kSomeFailed;
  }
};

RETHINK_REGISTERED = add_command<Reproduce>(
    "reproduce", "train the missing trials of a paper, and write its tables, figures and claims");

}  // namespace
}  // namespace rethink
