// `rethink claims`: sentences of the papers, each tested on the store: holds, fails, undecided.
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <map>

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
    options.add_options()("format", po::value<std::string>()->default_value("text"),
                          "text, md, csv, latex, html, json");
  }

  int run(const CommandContext& context, const po::variables_map& given) override {
    std::vector<std::string> names = arguments_of(given);
    if (names.empty()) names = spec_names("claims", context.paths);
    const Chosen chosen = chosen_of(context, given);
    std::vector<ClaimResult> all;
    bool left_out = false;
    const int code = for_each_spec(names, [&](const std::string& name) {
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
    std::cout << renderers().make(given["format"].as<std::string>(), Json::object())->claims(all);
    return left_out ? std::max(code, int{kUserError}) : code;
  }
};

const bool registered =
    add_command<Claims>("claims", "what the papers say, tested: holds, fails, undecided");

}  // namespace
}  // namespace rethink
