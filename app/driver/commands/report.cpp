// `rethink report`: one page with every claim, table and figure, and what it was made with.
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <set>
#include <tuple>

#include "app/driver/plan_choices.h"
#include "app/driver/rendering.h"
#include "core/file.h"
#include "plots/fold.h"
#include "plots/gnuplot.h"
#include "plots/html.h"
#include "plots/library.h"
#include "plots/notes.h"
#include "plots/sheet.h"
#include "results/database_place.h"
#include "results/trial_records.h"

namespace rethink {
namespace {

std::string refused(const std::string& name, const std::string& why) {
  return fmt::format("<section><h2>{}</h2><p class=\"alarm\">left out: {}</p></section>\n",
                     escape_html(name), escape_html(why));
}

/// What the page lacks, said on standard error.
class Gaps {
 public:
  /// `part` is what the next ones are of: "table bet/overall_lm".
  void begin(const std::string& part) { part_ = part; }
  void add(const std::string& why) {
    any_ = true;
    std::cerr << fmt::format("not complete: {}: {}\n", part_, why);
  }
  bool any() const { return any_; }

 private:
  std::string part_;
  bool any_ = false;
};

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
    std::string body = "<h1>rethink report</h1>\n";
    for (const auto& [kind, one, make] : {std::tuple{"claims", "claims", &claims_html},
                                          {"tables", "table", &table_html},
                                          {"figures", "figure", &figure_html}}) {
      for (const std::string& name : spec_names(kind, context.paths)) {
        const auto is_meant = [&](const std::string& word) { return means(word, name); };
        if (!wanted.empty() && std::none_of(wanted.begin(), wanted.end(), is_meant)) continue;
        gaps.begin(fmt::format("{} {}", one, name));
        body += section(
            name, [&, make = make] { return make(context, name, chosen, gaps); }, gaps);
      }
    }
    body += environment_html(context);
    write_file_atomically(report_file(context), html_page("rethink report", body));
    std::cout << report_file(context).string() << "\n";
    return gaps.any() ? kSomeFailed : kDone;
  }

 private:
  static std::filesystem::path report_file(const CommandContext& context) {
    return context.out / "report.html";
  }

  static void check_words(const std::vector<std::string>& wanted, const CommandContext& context) {
    std::set<std::string> known;
    for (const char* kind : {"claims", "tables", "figures"}) known.merge(names_of(kind, context));
    for (const std::string& word : wanted) {
      if (std::any_of(known.begin(), known.end(),
                      [&](const std::string& name) { return means(word, name); }))
        continue;
      throw ConfigError(fmt::format(
          "no claims, table or figure is called '{0}' or lies below {0}/; there is: {1}", word,
          joined({known.begin(), known.end()})));
    }
  }

  static std::set<std::string> names_of(const std::string& kind, const CommandContext& context) {
    const std::vector<std::string> names = spec_names(kind, context.paths);
    return {names.begin(), names.end()};
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

  static std::string claims_html(const CommandContext& context, const std::string& name,
                                 const Chosen& chosen, Gaps& gaps) {
    const std::vector<ClaimResult> claims = load_claims(context, name, chosen);
    const auto waiting = std::count_if(claims.begin(), claims.end(),
                                       [](const ClaimResult& claim) { return claim.incomplete; });
    if (waiting > 0)
      gaps.add(fmt::format("{} of {} claims wait for trials", waiting, claims.size()));
    std::map<std::string, std::string> no_table;
    for (const ClaimResult& claim : claims) {
      if (!claim.no_table.empty()) no_table.emplace(claim.table, claim.no_table);
    }
    for (const auto& [table, message] : no_table)
      gaps.add(fmt::format("left out table {}: {}", table, message));
    Sheet sheet = make_sheet(claims);
    sheet.title = "Claims: " + name;
    sheet.name = "claims/" + name;
    return sheet_html(sheet);
  }

  static std::string table_html(const CommandContext& context, const std::string& name,
                                const Chosen& chosen, Gaps& gaps) {
    const std::filesystem::path file = find_spec("tables", name, context.paths);
    if (is_word_table(file)) return words_html(context, read_word_table_spec(file), chosen, gaps);
    const Table table = load_table(context, name, chosen);
    add_missing(table.num_to_run(), table.num_trials(), table.needed.size(), gaps);
    if (const std::string why = not_measured_text(table, "cells"); !why.empty()) gaps.add(why);
    return sheet_html(make_sheet(folded(table)));
  }

  static std::string words_html(const CommandContext& context, const WordTableSpec& spec,
                                const Chosen& chosen, Gaps& gaps) {
    const Plans plans = plans_of_spec(context, sweeps_of(spec.models), chosen.plan);
    const WordTable table = load_words(context, spec, plans, chosen.again);
    add_missing(table.num_to_run, table.num_trials, table.needed.size(), gaps);
    if (!table.not_read.empty()) gaps.add(table.not_read);
    return sheet_html(make_sheet(table));
  }

  static std::string figure_html(const CommandContext& context, const std::string& name,
                                 const Chosen& chosen, Gaps& gaps) {
    const FigureSpec spec = read_figure_spec(find_spec("figures", name, context.paths));
    const Plans plans = plans_of_spec(context, sweeps_of(spec), chosen.plan);
    const Figure figure = load_figure(context, spec, plans, chosen.again);
    if (figure.empty()) return left_out(name, figure.why_empty(), gaps);
    add_missing(figure.missing, figure.trials, figure.needed.size(), gaps);
    if (!figure.not_measured.empty()) gaps.add(figure.not_measured);
    const std::filesystem::path place = context.out / "figures" / figure.name;
    const auto files = draw_figure(figure, place.parent_path(), last_part_of(figure.name));
    return fmt::format(
        "<section id=\"{0}\"><h2>{1}</h2><p "
        "class=\"name\">{0}</p>\n<figure>{2}</figure></section>\n",
        escape_html(figure.name), escape_html(figure.title),
        svg_within_page(read_file(files.front()), figure.name));
  }

  /// Distinct builds, devices and versions of the attempts in the store.
  static std::string environment_html(const CommandContext& context) {
    std::string out = "<section><h2>Environment</h2>\n<table><tbody>\n";
    for (const auto& [name, values] : environments(context)) {
      out += fmt::format("<tr><th scope=\"row\">{}</th><td class=\"words\">{}</td></tr>\n",
                         escape_html(name), escape_html(joined({values.begin(), values.end()})));
    }
    return out + "</tbody></table></section>\n";
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

const bool registered =
    add_command<Report>("report", "one page with every claim, table and figure");

}  // namespace
}  // namespace rethink
