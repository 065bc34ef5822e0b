// `rethink selftest`: proves on the store's disk that kills at any time lose and double nothing, or
// that the program of a trial resumes exactly. It works in its own hidden folder, in the store's
// folder or beside it, and removes it at the end.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <iostream>

#include "app/driver/cli/plan_choices.h"
#include "app/driver/cli/terminal.h"
#include "app/driver/command.h"
#include "core/config/schema.h"
#include "core/error.h"
#include "core/files/file.h"
#include "core/files/unique_names.h"
#include "core/message.h"
#include "core/store_files/resume_proof.h"
#include "experiments/run/selftest/chaos.h"
#include "experiments/run/selftest/resume_test.h"
#include "results/folders/stored_trial.h"
#include "results/query/trial_prefix.h"

namespace rethink {
namespace {

constexpr const char* kDefaultKills = "20";

void print(const std::string& what, const std::vector<std::string>& lines) {
  for (size_t index = 0; index < lines.size() && index < 20; ++index)
    std::cerr << what << ": " << lines[index] << "\n";
}

/// "dev/acc of step 11: 0.934 undisturbed, 0.944 resumed", and the number of the other differences.
void print_differences(const std::vector<ResumeDifference>& differences) {
  constexpr size_t kMostShown = 10;
  const auto shown = [](const std::string& value) { return value.empty() ? "none" : value; };
  for (size_t index = 0; index < std::min(differences.size(), kMostShown); ++index) {
    const ResumeDifference& one = differences[index];
    std::cerr << fmt::format("{}: {} undisturbed, {} resumed\n", one.what, shown(one.undisturbed),
                             shown(one.resumed));
  }
  if (differences.size() > kMostShown)
    std::cerr << fmt::format("and {} more\n", differences.size() - kMostShown);
}

/// Tests the trial and removes the scratch folder, unless a run failed: its log then explains why.
ResumeReport resume_report(const ResumeTestOptions& options) {
  try {
    ResumeReport report = test_resume(options);
    std::filesystem::remove_all(options.folder);
    return report;
  } catch (const ConfigError&) {
    std::filesystem::remove_all(options.folder);
    throw;
  }
}

class Selftest : public Command {
 public:
  void declare(po::options_description& options) const override {
    options.add_options()("chaos",
                          po::value<std::string>()->value_name("N")->default_value(kDefaultKills),
                          "number of SIGKILLs, 1 or more, to drivers, zygotes and workers of a "
                          "small sweep: at random moments, and wherever one step is on disk and "
                          "the next is not. The sweep is started again until it is done. It must "
                          "then have the rows and weights of an undisturbed run")(
        "seed", po::value<std::string>()->value_name("N")->default_value("0"),
        "seed of the choice of processes and moments")(
        "sweep", po::value<std::string>()->value_name("FILE")->default_value(""),
        "a sweep file to use instead, for example of a training job: its trials must give the same "
        "bits each time")("profile",
                          po::value<std::string>()->value_name("NAME")->default_value(""),
                          "profile of that sweep")(
        "device", po::value<std::string>()->value_name("DEVICE")->default_value("cpu"),
        "device of its trials: cpu, cuda or auto")(
        "resume", po::value<std::string>()->value_name("TRIAL")->default_value(""),
        "test a trial of job: command instead: its program is killed at three points, once within "
        "a checkpoint, and must end with the metrics and artifacts of an undisturbed run. Tables "
        "then trust resumes of its code on this kind of device");
  }

  int run(const CommandContext& context, const po::variables_map& given) override {
    if (const std::string trial = given["resume"].as<std::string>(); !trial.empty())
      return resume(context, given, trial);
    ChaosOptions options;
    options.rethink = std::filesystem::read_symlink("/proc/self/exe");
    options.folder = scratch_folder(context);
    options.kills = static_cast<size_t>(number_given(given, "chaos", {.least = 1}).value());
    options.seed = static_cast<uint64_t>(number_given(given, "seed", {}).value());
    options.device = device_choice(given);
    options.profile = given["profile"].as<std::string>();
    if (const std::string sweep = given["sweep"].as<std::string>(); !sweep.empty()) {
      if (!std::filesystem::exists(sweep))
        throw ConfigError("not-a-file",
                          fmt::format("--sweep: got '{}', expected a sweep file", sweep));
      options.sweep = std::filesystem::absolute(sweep);
    }
    context.schema();  // reports a missing file before anything starts
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
          "({} of drivers, {} of zygotes, {} of workers, {}{} at one of {}; {})\n",
          report.driver_kills, report.zygote_kills, report.worker_kills,
          report.program_kills > 0 ? fmt::format("{} of programs, ", report.program_kills) : "",
          report.point_kills, counted(report.points.size(), "kill point"),
          counted(report.runs, "run"));
    }
    if (!report.good()) {
      std::cerr << "everything is left in " << options.folder.string() << "\n";
      return kSomeFailed;
    }
    std::filesystem::remove_all(options.folder);
    return kDone;
  }

 private:
  static std::filesystem::path scratch_folder(const CommandContext& context) {
    return context.place_on_disk() / (kSelftestFolder + new_uuid().substr(0, 8));
  }

  static int resume(const CommandContext& context, const po::variables_map& given,
                    const std::string& trial) {
    require_trials(context);
    ResumeTestOptions options;
    options.rethink = std::filesystem::read_symlink("/proc/self/exe");
    options.store = std::filesystem::canonical(context.store);
    options.trial = trial_beginning_with(trial, trials_in(options.store));
    if (options.trial.empty())
      throw ConfigError("unknown-trial",
                        fmt::format("--resume: no trial's id begins with '{}'", trial));
    options.folder = whole_path(scratch_folder(context));
    options.data = context.data;
    if (!given["device"].defaulted()) options.device = device_choice(given);
    if (!context.quiet)
      options.progress = [](const std::string& what) { std::cerr << what << "\n"; };
    const ResumeReport report = resume_report(options);
    print_differences(report.differences);
    if (!report.is_exact()) {
      remove_resume_proof(options.store, report.proof);
      std::cout << fmt::format(
          "3 kills: NOT equal; {}\n",
          report.repeats
              ? "something that the next step depends on is not in the checkpoint: "
                "parameters, optimizer, random generators, place in the data"
              : "two undisturbed runs differ too: seed the program by $RETHINK_SEED, and "
                "use deterministic operations");
      return kSomeFailed;
    }
    write_resume_proof(options.store, report.proof, options.trial);
    std::cout << fmt::format(
        "3 kills: metrics and artifacts are equal; resumes of this code on {} are verified\n",
        report.device);
    return kDone;
  }
};

RETHINK_REGISTERED =
    add_command<Selftest>("selftest", "kill processes at random, and check that nothing is lost");

}  // namespace
}  // namespace rethink
