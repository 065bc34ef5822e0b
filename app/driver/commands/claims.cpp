// `rethink claims`: sentences of the papers, each tested on the store: holds, fails, undecided.
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <optional>
#include <set>

#include "app/driver/named_elsewhere.h"
#include "app/driver/plan_choices.h"
#include "app/driver/rendering.h"
#include "plots/library.h"
#include "plots/renderer.h"

namespace rethink {
namespace {

class Claims : public Command {
 public:
  std::string positional() const override { return "[CLAIMS...]"; }

  void declare(po::options_description& options) const override {
    declare_trial_choices(options);
    options.add_options()("run", "first run exactly what is missing");
    declare_machine_choices(options);
    options.add_options()("format", po::value<std::string>()->default_value("text"),
                          "text, md, csv, latex, html, json");
  }

  int run(const CommandContext& context, const po::variables_map& given) override {
    std::vector<std::string> names = arguments_of(given);
    if (names.empty()) names = spec_names("claims", context.paths);
    const Chosen chosen = chosen_of(context, given);
    const auto renderer = renderers().make(given["format"].as<std::string>(), Json::object());
    fit_to_terminal(*renderer);
    std::vector<ClaimResult> all;
    bool left_out = false;
    std::optional<int> ended_early;
    const int code = for_each_spec(names, [&](const std::string& name) {
      if (given.count("run")) {
        const int ran = run_missing_of(context, given, name, chosen);
        if (ran != kDone && ran != kSomeFailed) return *(ended_early = ran);
      }
      bool incomplete = false;
      std::map<std::string, std::string> no_table;
      for (ClaimResult& claim : load_claims(context, name, chosen)) {
        incomplete = incomplete || claim.incomplete;
        if (!claim.no_table.empty()) no_table.emplace(claim.table, claim.no_table);
        all.push_back(std::move(claim));
      }
      for (const auto& [table, message] : no_table)
        std::cerr << fmt::format("left out table {}: {}\n", table, message);
      left_out = left_out || !no_table.empty();
      return incomplete ? int{kSomeFailed} : int{kDone};
    });
    if (ended_early) return *ended_early;
    std::cout << renderer->claims(all);
    return left_out ? std::max(code, int{kUserError}) : code;
  }

 private:
  /// What the tables of one file's claims lack, in one run. Tables that cannot be made are said when
  /// the claims are tested.
  static int run_missing_of(const CommandContext& context, const po::variables_map& given,
                            const std::string& name, const Chosen& chosen) {
    const ClaimsSpec spec = read_claims_spec(spec_file_named("claims", name, context.paths));
    std::set<std::string> tables;
    Plans plans;
    std::map<std::string, std::vector<std::string>> to_run;
    for (const ClaimSpec& claim : spec.claims) {
      if (!tables.insert(claim.table).second) continue;
      try {
        const TableSpec of = read_table_spec(find_spec("tables", claim.table, context.paths));
        const Plans own = plans_of_spec(context, sweeps_of(of), chosen.plan);
        const Table table = load_table(context, of, own, chosen.again);
        plans.insert(own.begin(), own.end());
        for (const auto& [sweep, trials] : table.to_run)
          to_run[sweep].insert(to_run[sweep].end(), trials.begin(), trials.end());
      } catch (const ConfigError&) {
        continue;
      }
    }
    return run_missing(context, given, plans, to_run);
  }
};

const bool registered =
    add_command<Claims>("claims", "what the papers say, tested: holds, fails, undecided");

}  // namespace
}  // namespace rethink
