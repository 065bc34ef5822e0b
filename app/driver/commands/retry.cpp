// `rethink retry`: failed, diverged and cancelled trials may run again, with fresh retries.
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <sstream>

#include "app/driver/command.h"
#include "core/error.h"
#include "core/message.h"
#include "experiments/run/requests.h"

namespace rethink {
namespace {

const std::vector<std::string> kKinds = {"failed",  "oom",      "killed",   "lost",
                                         "timeout", "diverged", "cancelled"};

class Retry : public Command {
 public:
  std::string positional() const override { return "SWEEP|TRIAL..."; }
  bool needs_folders() const override { return true; }
  void declare(po::options_description& options) const override {
    options.add_options()("profile", po::value<std::string>(),
                          "of the sweep (default: all of them)")(
        "only", po::value<std::string>(),
        "failed,oom,killed,lost,timeout,diverged,cancelled: only those");
  }
  int run(const CommandContext& context, const po::variables_map& given) override {
    Request request;
    request.kind = Request::Kind::retry;
    request.targets = arguments_of(given);
    if (request.targets.empty())
      throw ConfigError(fmt::format("name a sweep or a trial to retry; `{}` lists them",
                                    store_command("status --all", context.store)));
    if (given.count("profile")) request.profile = given["profile"].as<std::string>();
    if (given.count("only")) {
      std::istringstream words(given["only"].as<std::string>());
      for (std::string word; std::getline(words, word, ',');) {
        if (std::find(kKinds.begin(), kKinds.end(), word) == kKinds.end()) {
          throw ConfigError("--only: got '" + word + "'" + did_you_mean(word, kKinds) +
                            ", expected some of " + joined(kKinds));
        }
        request.only.insert(word);
      }
    }
    const RequestAnswer answer = submit_request(request, context.store);
    std::cout << answer.text << "\n";
    return answer.complete ? kDone : kSomeFailed;
  }
};

RETHINK_REGISTERED =
    add_command<Retry>("retry", "let failed, diverged or cancelled trials run again");

}  // namespace
}  // namespace rethink
