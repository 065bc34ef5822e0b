// `rethink claims`: sentences of the papers, each tested on the store: holds, fails, undecided.
#include <iostream>

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
    for (const std::string& name : names) {
      for (ClaimResult& claim : load_claims(context, name, chosen)) all.push_back(std::move(claim));
    }
    std::cout << renderers().make(given["format"].as<std::string>(), Json::object())->claims(all);
    for (const ClaimResult& claim : all) {
      if (claim.incomplete) return kSomeFailed;
    }
    return kDone;
  }
};

const bool registered =
    add_command<Claims>("claims", "what the papers say, tested: holds, fails, undecided");

}  // namespace
}  // namespace rethink
