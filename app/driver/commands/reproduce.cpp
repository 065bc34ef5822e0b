// `rethink reproduce PAPER`: trains the missing trials of the paper's tables, figures and claims,
// then writes all of them.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iostream>
#include <map>
#include <set>

#include "app/driver/cli/note_report.h"
#include "app/driver/cli/plan_choices.h"
#include "app/driver/cli/split_list.h"
#include "app/driver/cli/terminal.h"
#include "app/driver/show/plan_notes/work_text.h"
#include "app/driver/show/tables/awaited_specs.h"
#include "app/driver/show/tables/rendering.h"
#include "app/driver/show/tables/report_page.h"
#include "app/driver/show/tables/table_view.h"
#include "core/config/schema.h"
#include "core/error.h"
#include "core/files/file.h"
#include "core/files/named_file.h"
#include "core/message.h"
#include "experiments/plan/plan_report.h"
#include "experiments/plan/planned_states.h"
#include "experiments/plan/read/library.h"
#include "experiments/run/sweep_batch.h"
#include "plots/render/html_page.h"
#include "plots/spec_sweeps.h"
#include "plots/table/notes.h"

namespace rethink {
namespace {

constexpr const char* kAll = "all";
constexpr const char* kDefaultProfile = "smoke";

/// Whether the word means the name: "figure2" means figure2a and figure2b of every paper, but not
/// figure21; "bet/table1" and "table1" mean that table.
bool is_named(const std::string& word, const std::string& name) {
  const std::string last = last_part_of(name);
  if (name == word || last == word) return true;
  return last.starts_with(word) && std::isalpha(static_cast<unsigned char>(last[word.size()])) != 0;
}

/// The folders of tables that have a file of claims, or only the named ones.
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

/// `only`: names of tables and figures, or "claims"; empty: all. Throws ConfigError for an unknown
/// name.
SelectedSpecs specs_meant(const std::vector<std::string>& papers,
                          const std::vector<std::string>& only, const CommandContext& context) {
  SelectedSpecs meant;
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
                      fmt::format("--only: got '{}', which is not a table or figure of {}{}; "
                                  "expected some of: {}",
                                  word, joined(papers), did_you_mean(word, known), names));
  }
  return meant;
}

/// Prints before the start what is missing, what cannot be trained without it, and the cost of the
/// rest.
void print_work(const TrainableSpecs& work, const std::set<std::string>& to_run,
                const CommandContext& context) {
  if (!work.lacks.empty())
    std::cerr << fmt::format("left out, since data or weights are missing: {}\n",
                             joined({work.lacks.begin(), work.lacks.end()}, "; "));
  if (!work.untrained.empty())
    std::cerr << fmt::format("nothing can be trained here for {}\n", joined(work.untrained));
  if (to_run.empty()) return;
  std::vector<Plan> plans;
  for (const auto& [file, plan] : work.plans) plans.push_back(plan);
  const std::unique_ptr<Store> store = open_store(context);
  StoreFacts facts{store.get(), states_of(plans, store.get())};
  for (Plan& plan : plans) {
    std::erase_if(plan.trials, [&](const PlannedTrial& planned) {
      const auto state = facts.states.find(planned.trial.id);
      const bool is_done = state != facts.states.end() && has_result(state->second);
      return !is_done &&
             !to_run.contains(planned.trial.id);  // done trials show the cost of the rest
    });
  }
  const PlanReport report = report_plans(plans, context.schema(), facts, 0, context.data);
  if (report.total().to_run == 0) return;  // failed trials run only on request
  const std::filesystem::space_info space = std::filesystem::space(context.place_on_disk());
  std::cerr << work_text(report, static_cast<double>(space.available));
}

/// Trains the trials behind tables and figures that can be trained here. Returns the exit code of
/// `run`.
int train(const CommandContext& context, const po::variables_map& given,
          const RenderingChoices& chosen, const AwaitingSpecs& specs, const std::string& command) {
  PlanChoices choices = plan_choices(context, given, Purpose::run);
  choices.may_lack_files = true;
  const TrainableSpecs work = trainable_here(specs.waiting, choices, chosen, context.schema());
  std::vector<Plan> plans;
  std::set<std::string> shown;
  for (const auto& [file, trials] : work.to_run) {
    plans.push_back(work.plans.at(file));
    shown.insert(trials.begin(), trials.end());
  }
  print_work(work, requested_with_needs(plans, shown), context);
  const int code =
      run_missing(context, given, work.plans, choices, work.to_run, specs.shown, command);
  return code == kDone && !work.all_planned ? kSomeFailed : code;
}

/// "reproduce bet --profile small --only table1": the words that resume it in every folder.
std::string resuming_command(const CommandContext& context, const po::variables_map& typed) {
  std::string words = "reproduce";
  for (const std::string& paper : arguments_of(typed)) words += " " + for_a_shell(paper);
  if (typed.count("profile"))
    words += " --profile " + for_a_shell(typed["profile"].as<std::string>());
  words += options_as_given(typed, {"set", "seeds", "only"});
  if (!typed["out"].defaulted()) words += " --out " + for_a_shell(whole_path(context.out).string());
  return words;
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

/// What the command of the first page does. `was_limited`: by --max-trials, which may be 0.
std::string use_of_command(bool is_complete, bool was_limited) {
  if (is_complete) return "This command wrote this page";
  return fmt::format(
      "Values are missing. The same command{}, in the same folder, trains what can be trained and "
      "writes this page again",
      was_limited ? " without --max-trials" : "");
}

/// The first page: links to everything, the items without a value and the reason, and `command`,
/// which wrote the page, with its use.
std::string index_html(const WrittenReport& report, const std::string& title,
                       const std::filesystem::path& out, const std::string& command,
                       const std::string& use) {
  std::string body = fmt::format(
      "<h1>{}</h1>\n<p>{}: <code>{}</code></p>\n<p><a href=\"{}\">All of it on one "
      "page</a></p>\n<div class=\"wide\"><table>"
      "<thead><tr><th scope=\"row\">what</th><th scope=\"row\">title</th><th>files</th><th "
      "scope=\"row\">state</th></tr></thead><tbody>\n",
      escape_html(title), use, escape_html(command), report.page.filename().string());
  for (const ReportPart& part : report.parts) {
    body += fmt::format(
        "<tr><th scope=\"row\">{} {}</th><td class=\"words\">{}</td><td>{}</td>"
        "<td class=\"words\">{}</td></tr>\n",
        part.kind, escape_html(part.name), escape_html(part.title), links_html(part, out),
        escape_html(state_text(part)));
  }
  return html_page(title, body + "</tbody></table></div>\n");
}

/// Files of other papers and tables stay, but no page links to them any more.
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

/// The given options, with the default profile if none was given, and without --only, which
/// elsewhere names a stage.
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
        "Profiles: smoke, the default, tests in minutes that everything runs (its numbers mean "
        "nothing);\nsmall is the size of docs/results.md, in hours; paper is the published "
        "setting.\n"
        "Exit code 1: a number has no value; it is named with the reason.\n\n",
        joined(Library("claims", context.paths).names()));
  }
  void declare(po::options_description& options) const override {
    declare_trial_choices(options);
    options.add_options()("only",
                          po::value<std::vector<std::string>>()->value_name("NAMES")->composing(),
                          "only these: table3,figure2,claims");
    declare_machine_choices(options);
  }

  int run(const CommandContext& context, const po::variables_map& typed) override {
    const auto only = typed.count("only")
                          ? split_list("--only", typed["only"].as<std::vector<std::string>>())
                          : std::vector<std::string>{};
    const std::vector<std::string> papers = papers_named(arguments_of(typed), context);
    const SelectedSpecs specs = specs_meant(papers, only, context);
    const KnownProfiles profiles = profiles_of(specs, context);
    const po::variables_map given = with_profile(typed, profiles.names);
    const RenderingChoices chosen = rendering_choices(context, given, true);
    require_known_profile(chosen.plan.profile, profiles, context);
    std::cerr << fmt::format("{}, {}\n", joined(papers),
                             profile_text(chosen.plan.profile, typed.count("profile") > 0));
    // While trials run, run_missing reports this.
    const InterruptMessage words(fmt::format("\ninterrupted; resume with: {}\n", context.typed));
    const int ran = train(context, given, chosen, awaiting_specs(context, specs, chosen),
                          resuming_command(context, typed));
    if (ran != kDone && ran != kSomeFailed) return ran;
    const std::string title = fmt::format("{}, {}", joined(papers),
                                          choices_text(chosen.plan.profile, chosen.plan.text()));
    const auto choices_of = [&](const std::string&, const std::string&) { return chosen; };
    const WrittenReport report = write_report(context, title, specs, choices_of, {.files = true});
    const std::filesystem::path index = context.out / "index.html";
    note_replaced(index, title);
    const std::string use = use_of_command(report.complete(), typed.count("max-trials") > 0);
    write_file_atomically(index, index_html(report, title, context.out, context.typed, use));
    std::cout << index.string() << "\n";
    return ran == kDone && report.complete() ? kDone : kSomeFailed;
  }
};

RETHINK_REGISTERED = add_command<Reproduce>(
    "reproduce", "train the missing trials of a paper, and write its tables, figures and claims");

}  // namespace
}  // namespace rethink
