// `rethink report`: writes one page with every claim, table and figure, and what it was made with.
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <set>

#include "app/driver/cli/named_files.h"
#include "app/driver/cli/plan_choices.h"
#include "app/driver/show/tables/recorded_runs.h"
#include "app/driver/show/tables/rendering.h"
#include "app/driver/show/tables/report_page.h"
#include "app/driver/show/tables/sweep_specs.h"
#include "core/error.h"
#include "core/files/named_file.h"
#include "core/yaml/yaml.h"
#include "experiments/plan/read/library.h"
#include "plots/spec_sweeps.h"

namespace rethink {
namespace {

class Report : public Command {
 public:
  std::string positional() const override { return "[CLAIMS|TABLE|FIGURE|SWEEP...]"; }
  void declare(po::options_description& options) const override {
    declare_trial_choices(options);
    declare_like_last_run(options);
    options.add_options()(
        "files",
        "also write each table as Markdown, LaTeX and CSV, and claims as Markdown and CSV");
  }

  int run(const CommandContext& context, const po::variables_map& given) override {
    require_no_settings_beside_last_run(given);
    const RenderingChoices chosen = rendering_choices(context, given);
    const std::vector<std::string> wanted = arguments_of(given);
    check_words(wanted, context);
    SelectedSpecs specs;
    for (const auto& [library, key] : kKeys)
      specs[library] = meant_specs(library, key, wanted, context);
    require_known_profile(chosen.plan.profile, profiles_of(specs, context), context);
    const std::string title =
        wanted.empty() ? "rethink report" : fmt::format("rethink report: {}", joined(wanted));
    const auto choices_of = [&](const std::string& library, const std::string& name) {
      return choices_of_named(context, given, chosen, library, name);
    };
    const WrittenReport report =
        write_report(context, title, specs, choices_of,
                     {.files = given.count("files") > 0, .other_settings = true});
    std::cout << report.page.string() << "\n";
    return report.complete() ? kDone : kSomeFailed;
  }

 private:
  /// The first key of a spec's file, by the folder of such files.
  static constexpr std::pair<const char*, const char*> kKeys[] = {
      {"claims", "claims"}, {"tables", "table"}, {"figures", "figure"}};

  static void check_words(const std::vector<std::string>& wanted, const CommandContext& context) {
    const std::set<std::string> known = all_names(context);
    const std::vector<std::string> names(known.begin(), known.end());
    for (const std::string& word : wanted) {
      if (means_any(word, known) || names_sweep("tables", word, context.paths)) continue;
      require_file(word, "a file of claims, a table, a figure or a sweep", names);
      if (is_file_there(word)) {
        key_of_file(word);  // only to refuse another file
        continue;
      }
      throw ConfigError(
          "unknown-name",
          fmt::format(
              "no claims, table, figure or sweep is called '{0}' or lies below {0}/; there is: {1}",
              word, names.empty() ? "nothing" : joined(names)));
    }
  }

  static bool means_any(const std::string& word, const std::set<std::string>& names) {
    return std::ranges::any_of(names,
                               [&](const std::string& name) { return means_spec(word, name); });
  }

  /// The first key of the file that is a spec's: "claims", "table" or "figure". Throws ConfigError
  /// without one.
  static std::string key_of_file(const std::filesystem::path& file) {
    Problems problems;
    const Yaml spec = read_yaml(file, problems);
    problems.throw_if_any();
    for (const char* key : {"claims", "table", "figure"}) {
      if (spec.find(key)) return key;
    }
    throw ConfigError(
        "wrong-file-kind",
        fmt::format("{}: expected a file of claims, a table, a figure or a sweep, which has "
                    "the key claims, table, figure or stages",
                    file.string()));
  }

  /// Specs by name, then specs by path; `key` is the first key of their files.
  static std::vector<std::string> meant_specs(const std::string& kind, const std::string& key,
                                              const std::vector<std::string>& wanted,
                                              const CommandContext& context) {
    std::vector<std::string> meant;
    for (const std::string& name : Library(kind, context.paths).names()) {
      const auto is_meant = [&](const std::string& word) { return means_spec(word, name); };
      if (wanted.empty() || std::ranges::any_of(wanted, is_meant)) meant.push_back(name);
    }
    if (wanted.empty()) return meant;
    const std::set<std::string> all = all_names(context);
    for (const std::string& word : wanted) {
      if (means_any(word, all)) continue;
      const bool is_meant = names_sweep("tables", word, context.paths)
                                ? key != "claims"  // its table and its figures
                                : key_of_file(word) == key;
      if (is_meant) meant.push_back(word);
    }
    return meant;
  }

  static std::set<std::string> all_names(const CommandContext& context) {
    std::set<std::string> all;
    for (const char* kind : {"claims", "tables", "figures"}) {
      const std::vector<std::string> names = Library(kind, context.paths).names();
      all.insert(names.begin(), names.end());
    }
    return all;
  }
};

RETHINK_REGISTERED =
    add_command<Report>("report", "write one page with every claim, table and figure");

}  // namespace
}  // namespace rethink
