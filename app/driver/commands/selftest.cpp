// `rethink selftest`: proves on the store's disk that killing anything at any time loses and
// doubles nothing. It works in a hidden folder of its own, in the store's or beside it, and
// removes it.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <iostream>

#include "app/driver/cli/plan_choices.h"
#include "app/driver/cli/terminal.h"
#include "app/driver/command.h"
#include "core/config/schema.h"
#include "core/error.h"
#include "core/message.h"
#include "core/system/unique_names.h"
#include "experiments/run/chaos.h"

namespace rethink {
namespace {

constexpr const char* kDefaultKills = "20";

void print(const std::string& what, const std::vector<std::string>& lines) {
  for (size_t index = 0; index < lines.size() && index < 20; ++index)
    std::cerr << what << ": " << lines[index] << "\n";
}

class Selftest : public Command {
 public:
  void declare(po::options_description& options) const override {
    options.add_options()(
        "chaos", po::value<std::string>()->default_value(kDefaultKills),
        "how many SIGKILLs, 1 or more: of drivers, zygotes and workers of a small sweep, at random "
        "moments and wherever one step is on disk and the next is not; the sweep is started again "
        "until it is done, and then has the rows and weights of a run that nobody disturbed")(
        "seed", po::value<std::string>()->default_value("0"),
        "of the choice of victims and moments")(
        "sweep", po::value<std::string>()->default_value(""),
        "a sweep file to disturb instead, say of a job that trains: its trials must give the same "
        "bits each time")("profile", po::value<std::string>()->default_value(""), "of that sweep")(
        "device", po::value<std::string>()->default_value("cpu"),
        "of its trials: cpu, cuda or auto");
  }

  int run(const CommandContext& context, const po::variables_map& given) override {
    ChaosOptions options;
    options.rethink = std::filesystem::read_symlink("/proc/self/exe");
    options.folder = context.place_on_disk() / (".rethink-selftest-" + new_uuid().substr(0, 8));
    options.kills = static_cast<size_t>(number_given(given, "chaos", {.least = 1}).value());
    options.seed = static_cast<uint64_t>(number_given(given, "seed", {}).value());
    options.device = device_choice(given);
    options.profile = given["profile"].as<std::string>();
    if (const std::string sweep = given["sweep"].as<std::string>(); !sweep.empty()) {
      if (!std::filesystem::exists(sweep))
        throw ConfigError(fmt::format("--sweep: got '{}', expected a sweep file", sweep));
      options.sweep = std::filesystem::absolute(sweep);
    }
    context.schema();  // says what is missing before anything starts
    const bool live = !context.quiet && obeys_escapes(stderr);
    if (!context.quiet) {
      std::cerr << fmt::format(
          "killing drivers, zygotes and workers of {} {} in {}\n",
          options.sweep.empty() ? "a small sweep" : options.sweep.filename().string(),
          counted(options.kills, "time"), options.folder.string());
    }
    if (live) {
      options.killed = [&](size_t killed) {
        std::fputs(fmt::format("\r{} of {}", killed, options.kills).c_str(), stderr);
      };
    }
    const ChaosReport report = run_chaos(options);
    if (live) std::fputs("\r\x1b[K", stderr);
    print("crashed", report.crashed);
    print("lost", report.lost);
    print("doubled", report.doubled);
    print("different", report.different);
    std::cout << fmt::format(
        "{}: {}{} lost, {} doubled, {}\n", counted(report.kills, "kill"),
        report.crashed.empty() ? "" : fmt::format("{} crashed, ", report.crashed.size()),
        report.lost.size(), report.doubled.size(),
        report.different.empty() ? "bit-equal" : "NOT bit-equal");
    if (!context.quiet) {
      std::cerr << fmt::format(
          "({} of drivers, {} of zygotes, {} of workers, {} at one of {}; {})\n",
          report.driver_kills, report.zygote_kills, report.worker_kills, report.point_kills,
          counted(report.points.size(), "kill point"), counted(report.runs, "run"));
    }
    if (!report.good()) {
      std::cerr << "everything is left in " << options.folder.string() << "\n";
      return kSomeFailed;
    }
    std::filesystem::remove_all(options.folder);
    return kDone;
  }
};

RETHINK_REGISTERED =
    add_command<Selftest>("selftest", "kill everything at random, and see that nothing is lost");

}  // namespace
}  // namespace rethink
