// `rethink cancel`: stops single trials, or a sweep's trials that no other sweep needs.
#include <fmt/format.h>

#include <iostream>

#include "app/driver/cli/plan_choices.h"
#include "app/driver/command.h"
#include "core/error.h"
#include "core/message.h"
#include "experiments/run/requests.h"

namespace rethink {
namespace {

class Cancel : public Command {
 public:
  std::string positional() const override { return "SWEEP|TRIAL..."; }
  bool needs_folders() const override { return true; }
  void declare(po::options_description& options) const override {
    options.add_options()("profile", po::value<std::string>()->value_name("NAME"),
                          "profile of the sweep (default: all profiles)")(
        "set", po::value<std::vector<std::string>>()->value_name("K=V")->composing(),
        "only the run with this setting; may be repeated")(
        "only", po::value<std::string>()->value_name("STAGE"), "only the run of this stage")(
        "seeds", po::value<std::string>()->value_name("SEEDS"), "only the run with these seeds")(
        "one-run",
        "only the run with exactly these options; without options, the run that has none");
  }
  int run(const CommandContext& context, const po::variables_map& given) override {
    Request request;
    request.kind = Request::Kind::cancel;
    request.targets = arguments_of(given);
    if (request.targets.empty())
      throw ConfigError("missing-argument",
                        fmt::format("name a sweep or a trial to cancel; `{}` lists them",
                                    store_command("status --all", context.store)));
    if (given.count("profile")) request.profile = given["profile"].as<std::string>();
    const PlanChoices choices = plan_choices(context, given, Purpose::look);
    const std::string choice = choices.text();
    if (given.count("one-run") || !choice.empty()) request.choice = choice;
    const RequestAnswer answer = submit_request(request, context.store);
    std::cout << answer.text << "\n";
    return answer.complete ? kDone : kSomeFailed;
  }
};

RETHINK_REGISTERED = add_command<Cancel>(
    "cancel", "stop a trial, or the trials of a sweep that no other sweep needs");

}  // namespace
}  // namespace rethink
