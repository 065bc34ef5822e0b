// `rethink report`: one page with every claim, table and figure, and what it was made with.
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <set>

#include "app/driver/cli/named_files.h"
#include "app/driver/cli/plan_choices.h"
#include "app/driver/show/rendering.h"
#include "app/driver/show/table_view.h"
#include "app/driver/show/tested_claims.h"
#include "core/config/schema.h"
#include "core/system/file.h"
#include "core/system/named_file.h"
#include "plots/figure/gnuplot.h"
#include "plots/library.h"
#include "plots/render/html_page.h"
#include "plots/render/sheet.h"
#include "plots/table/fold.h"
#include "plots/table/notes.h"
#include "results/database/database_place.h"
#include "results/query/environments.h"
#include "results/query/known_trials.h"

namespace rethink {
namespace {

std::string refused(const std::string& name, const std::string& why) {
  return fmt::format("<section><h2>{}</h2><p class=\"alarm\">left out: {}</p></section>\n",
                     escape_html(name), escape_html(why));
}

/// What the page lacks, said on standard error: gaps, which to run or mend something would fill, and
/// what nothing that is planned here would show.
class Gaps {
 public:
  /// `part` is what the next ones are of: "table bet/overall_lm".
  void begin(const std::string& part) { part_ = part; }
  void add(const std::string& why) {
    any_ = true;
    std::cerr << fmt::format("not complete: {}: {}\n", part_, why);
  }
  /// No gap.
  void leave_out(const std::string& why) {
    left_out_.emplace_back(part_, why);
    std::cerr << fmt::format("left out: {}: {}\n", part_, why);
  }
  bool any() const { return any_; }
  /// Part and reason.
  const std::vector<std::pair<std::string, std::string>>& left_out() const { return left_out_; }

 private:
  std::string part_;
  bool any_ = false;
  std::vector<std::pair<std::string, std::string>> left_out_;
};

constexpr const char* kNothingPlanned = "the profile or the options given leave out all of it";

/// "bet" means all below bet/, "bet/figure3" that one.
bool means(const std::string& word, const std::string& name) {
  return name == word || name.starts_with(word + "/");
}

class Report : public Command {
 public:
  std::string positional() const override { return "[CLAIMS|TABLE|FIGURE...]"; }
  void declare(po::options_description& options) const override { declare_trial_choices(options); }

  int run(const CommandContext& context, const po::variables_map& given) override {
    const Chosen chosen = chosen_of(context, given);
    const std::vector<std::string> wanted = arguments_of(given);
    check_words(wanted, context);
    make_out_folder(context.out);
    Gaps gaps;
    std::vector<ClaimResult> verdicts;
    std::string body;
    SpecNames table_names("tables", context.paths);
    SpecNames figure_names("figures", context.paths);
    const auto add = [&](const std::string& kind, const std::string& key, const auto& make) {
      for (const std::string& name : meant_specs(kind, key, wanted, context)) {
        gaps.begin(fmt::format("{} {}", key, name));
        body += section(
            name, [&] { return make(name); }, gaps);
      }
    };
    add("claims", "claims", [&](const std::string& name) {
      return claims_html(context, name, chosen, gaps, verdicts);
    });
    add("tables", "table", [&](const std::string& name) {
      return table_html(context, name, chosen, gaps, table_names);
    });
    add("figures", "figure", [&](const std::string& name) {
      return figure_html(context, name, chosen, gaps, figure_names);
    });
    if (body.empty()) {
      gaps.begin(wanted.empty() ? "report" : joined(wanted));
      gaps.add("nothing of it is planned here");
    }
    body += left_out_html(gaps) + environment_html(context);
    const std::string title =
        wanted.empty() ? "rethink report" : fmt::format("rethink report: {}", joined(wanted));
    write_file_atomically(report_file(context),
                          html_page(title, head_html(context, title, chosen, verdicts) + body));
    std::cout << report_file(context).string() << "\n";
    return gaps.any() ? kSomeFailed : kDone;
  }

 private:
  static std::filesystem::path report_file(const CommandContext& context) {
    return context.out / "report.html";
  }

  static void check_words(const std::vector<std::string>& wanted, const CommandContext& context) {
    const std::set<std::string> known = all_names(context);
    const std::vector<std::string> names(known.begin(), known.end());
    for (const std::string& word : wanted) {
      if (means_any(word, known)) continue;
      require_file(word, "a file of claims, a table or a figure", names);
      if (is_file_there(word)) {
        key_of_file(word);  // only to refuse another file
        continue;
      }
      throw ConfigError(fmt::format(
          "no claims, table or figure is called '{0}' or lies below {0}/; there is: {1}", word,
          names.empty() ? "nothing" : joined(names)));
    }
  }

  static bool means_any(const std::string& word, const std::set<std::string>& names) {
    return std::ranges::any_of(names, [&](const std::string& name) { return means(word, name); });
  }

  /// The first key of a spec that the file has: "claims", "table" or "figure". Throws ConfigError
  /// where it has none.
  static std::string key_of_file(const std::filesystem::path& file) {
    Problems problems;
    const Yaml spec = read_yaml(file, problems);
    problems.throw_if_any();
    for (const char* key : {"claims", "table", "figure"}) {
      if (spec.find(key)) return key;
    }
    throw ConfigError(
        fmt::format("{}: expected a file of claims, a table or a figure, which has "
                    "the key claims, table or figure",
                    file.string()));
  }

  /// Specs by name, then those by path; `key` is what their files begin with.
  static std::vector<std::string> meant_specs(const std::string& kind, const std::string& key,
                                              const std::vector<std::string>& wanted,
                                              const CommandContext& context) {
    std::vector<std::string> meant;
    for (const std::string& name : spec_names(kind, context.paths)) {
      const auto is_meant = [&](const std::string& word) { return means(word, name); };
      if (wanted.empty() || std::ranges::any_of(wanted, is_meant)) meant.push_back(name);
    }
    if (wanted.empty()) return meant;
    const std::set<std::string> all = all_names(context);
    for (const std::string& word : wanted) {
      if (!means_any(word, all) && key_of_file(word) == key) meant.push_back(word);
    }
    return meant;
  }

  static std::set<std::string> all_names(const CommandContext& context) {
    std::set<std::string> all;
    for (const char* kind : {"claims", "tables", "figures"}) {
      const std::vector<std::string> names = spec_names(kind, context.paths);
      all.insert(names.begin(), names.end());
    }
    return all;
  }

  /// A spec whose sweep lacks the profile, or a picture that cannot be drawn, is said, not hidden;
  /// the others go on. No room on the disk stops all of them.
  template <typename Make>
  static std::string section(const std::string& name, Make make, Gaps& gaps) {
    try {
      return make();
    } catch (const DiskFullError&) {
      throw;
    } catch (const MachineError& error) {
      return left_out(name, error.what(), gaps);
    } catch (const ConfigError& error) {
      return left_out(name, error.what(), gaps);
    }
  }

  static std::string left_out(const std::string& name, const std::string& why, Gaps& gaps) {
    gaps.add("left out: " + why);
    return refused(name, why);
  }

  static void add_missing(size_t missing, size_t trials, size_t needed, Gaps& gaps) {
    if (missing > 0) gaps.add(not_done_text(missing, trials, needed));
  }

  /// "sweep bet/corpora.yaml has no profile small": of a spec that then plans nothing; empty: each
  /// sweep has it.
  static std::string no_profile_text(const CommandContext& context, const std::vector<Word>& sweeps,
                                     const Chosen& chosen) {
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

  /// A spec or sweep that cannot be read is not meant: whoever makes the table says so.
  static std::string no_profile_of_table(const CommandContext& context, const std::string& table,
                                         const Chosen& chosen) {
    try {
      const TableFile file = read_table_file(find_spec("tables", table, context.paths));
      return no_profile_text(context, sweeps_of(file.trials()), chosen);
    } catch (const ConfigError&) {
      return "";
    }
  }

  /// Tables of claims, or columns of them, that cannot be made, each once.
  static void add_tables_not_made(const CommandContext& context,
                                  const std::vector<ClaimResult>& claims, const Chosen& chosen,
                                  Gaps& gaps) {
    std::map<std::string, const ClaimResult*> left_out;
    for (const ClaimResult& claim : claims) {
      if (claim.unmade) left_out.emplace(claim.unmade->what, &claim);
    }
    for (const auto& [part, claim] : left_out) {
      const std::string no_profile = no_profile_of_table(context, claim->unmade->table, chosen);
      if (no_profile.empty())
        gaps.add(fmt::format("left out {}: {}", part, claim->unmade->message));
      else
        gaps.leave_out(fmt::format("{}: {}", part, no_profile));
    }
  }

  /// Why none of the tables that claims are of can be planned; empty: one can.
  static std::string no_table_planned(const CommandContext& context, const std::string& name,
                                      const Chosen& chosen) {
    std::string why;
    std::map<std::string, std::string> known;  // by table
    for (const ClaimSpec& claim :
         read_claims_spec(find_spec("claims", name, context.paths)).claims) {
      const auto [table, is_new] = known.try_emplace(claim.table);
      if (is_new) table->second = no_profile_of_table(context, claim.table, chosen);
      why = table->second;
      if (why.empty()) return "";
    }
    return why;
  }

  static std::string claims_html(const CommandContext& context, const std::string& name,
                                 const Chosen& chosen, Gaps& gaps,
                                 std::vector<ClaimResult>& verdicts) {
    if (const std::string why = no_table_planned(context, name, chosen); !why.empty())
      return gaps.leave_out(why), "";
    const std::vector<ClaimResult> claims = load_claims(context, name, chosen);
    verdicts.insert(verdicts.end(), claims.begin(), claims.end());
    const auto unmeasured = std::ranges::count_if(claims, &ClaimResult::unmeasured);
    const auto waiting = std::ranges::count_if(claims, &ClaimResult::incomplete) - unmeasured;
    if (waiting > 0)
      gaps.add(fmt::format("{} of {} claims wait for trials", waiting, claims.size()));
    if (unmeasured > 0)
      gaps.add(fmt::format("{} of {} claims lack values that no trial has yet", unmeasured,
                           claims.size()));
    add_tables_not_made(context, claims, chosen, gaps);
    Sheet sheet = make_sheet(claims);
    sheet.title = "Claims: " + name;
    sheet.name = "claims/" + name;
    return sheet_html(sheet);
  }

  static std::string table_html(const CommandContext& context, const std::string& name,
                                const Chosen& chosen, Gaps& gaps, SpecNames& names) {
    const std::filesystem::path file = find_spec("tables", name, context.paths);
    names.take(file);
    TableFile read = read_table_file(file);
    const std::vector<Word> sweeps = sweeps_of(read.trials());
    if (const std::string why = no_profile_text(context, sweeps, chosen); !why.empty())
      return gaps.leave_out(why), "";
    Plans plans = plans_of_spec(context, sweeps, chosen.plan);
    TableView view = plan_view(std::move(read), std::move(plans), chosen.again.for_spec(name));
    read_view(context, open_store(context).get(), TableUse::reading, view);
    return view.file.kind ? table_html(std::get<KindTable>(view.made), gaps)
                          : table_html(view.numbers(), gaps);
  }

  static std::string table_html(const Table& table, Gaps& gaps) {
    const std::string needs_data = needs_data_text(table, "cells");
    if (table.num_trials() == 0 && needs_data.empty()) return gaps.leave_out(kNothingPlanned), "";
    if (!needs_data.empty()) gaps.add(needs_data);
    add_missing(table.num_to_run(), table.num_trials(), table.needed.size(), gaps);
    if (const std::string why = not_measured_text(table, "cells"); !why.empty()) gaps.add(why);
    return sheet_html(make_sheet(folded(table)));
  }

  static std::string table_html(const KindTable& table, Gaps& gaps) {
    if (table.num_trials == 0 && table.needs_data.empty())
      return gaps.leave_out(kNothingPlanned), "";
    if (!table.needs_data.empty()) gaps.add(table.needs_data);
    add_missing(table.num_to_run(), table.num_trials, table.needed.size(), gaps);
    if (!table.not_read.empty()) gaps.add(table.not_read);
    return sheet_html(table.sheet);
  }

  static std::string figure_html(const CommandContext& context, const std::string& name,
                                 const Chosen& chosen, Gaps& gaps, SpecNames& names) {
    const std::filesystem::path file = find_spec("figures", name, context.paths);
    const FigureSpec spec = read_figure_spec(file);
    names.take(file);
    if (const std::string why = no_profile_text(context, sweeps_of(spec), chosen); !why.empty())
      return gaps.leave_out(why), "";
    const Plans plans = plans_of_spec(context, sweeps_of(spec), chosen.plan);
    const Figure figure = load_figure(context, spec, plans, chosen.again);
    if (figure.empty() && figure.trials == 0 && figure.not_measured.empty() &&
        figure.needs_data.empty())
      return gaps.leave_out(figure.why_empty()), "";
    if (figure.empty()) return left_out(name, figure.why_empty(), gaps);
    add_missing(figure.missing, figure.trials, figure.needed.size(), gaps);
    if (!figure.needs_data.empty()) gaps.add(figure.needs_data);
    if (!figure.not_measured.empty()) gaps.add(figure.not_measured);
    const std::filesystem::path place = context.out / "figures" / figure.name;
    const auto files = draw_figure(figure, place.parent_path(), last_part_of(figure.name));
    return fmt::format(
        "<section id=\"{0}\"><h2>{1}</h2><p "
        "class=\"name\">{0}</p>\n<figure>{2}</figure></section>\n",
        escape_html(figure.name), escape_html(figure.title),
        svg_within_page(read_file(files.front()), figure.name));
  }

  /// What the numbers of the page are: of which choices, of which store and of when.
  static std::string head_html(const CommandContext& context, const std::string& title,
                               const Chosen& chosen, const std::vector<ClaimResult>& verdicts) {
    const std::filesystem::path store = std::filesystem::absolute(context.store).lexically_normal();
    std::vector<std::pair<std::string, std::string>> rows = {
        {"chosen", choices_text(chosen.plan.profile, chosen.plan.text())},
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

  static std::string row_html(const std::string& name, const std::string& value) {
    return fmt::format("<tr><th scope=\"row\">{}</th><td class=\"words\">{}</td></tr>\n",
                       escape_html(name), escape_html(value));
  }

  static std::string left_out_html(const Gaps& gaps) {
    if (gaps.left_out().empty()) return "";
    std::string out = "<section><h2>Left out: nothing of it is planned here</h2>\n<ul>\n";
    for (const auto& [part, why] : gaps.left_out())
      out += fmt::format("<li>{}: {}</li>\n", escape_html(part), escape_html(why));
    return out + "</ul></section>\n";
  }

  /// Distinct builds, devices and versions of the attempts in the store.
  static std::string environment_html(const CommandContext& context) {
    std::string out = "<section><h2>Environment</h2>\n<div class=\"wide\"><table><tbody>\n";
    for (const auto& [name, values] : environments(context))
      out += row_html(name, joined({values.begin(), values.end()}));
    return out + "</tbody></table></div></section>\n";
  }

  static std::map<std::string, std::set<std::string>> environments(const CommandContext& context) {
    std::map<std::string, std::set<std::string>> found;
    found["rethink"].insert(RETHINK_VERSION);
    found["worker of these programs"].insert(context.schema().build_id);
    if (!is_store(context.store)) return found;
    Store store(context.store, Store::Access::read);
    for (const auto& [name, value] : environment_values(store)) found[name].insert(value);
    return found;
  }
};

RETHINK_REGISTERED = add_command<Report>("report", "one page with every claim, table and figure");

}  // namespace
}  // namespace rethink
