// `rethink retry`: allows failed, diverged and cancelled trials to run again, with fresh retries.
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <iterator>

#include "app/driver/cli/note_report.h"
#include "app/driver/cli/plan_choices.h"
#include "app/driver/cli/split_list.h"
#include "core/error.h"
#include "core/files/named_file.h"
#include "core/message.h"
#include "core/trial_state.h"
#include "experiments/run/requests.h"
#include "results/folders/sweep_files.h"

namespace rethink {
namespace {

/// The ends that --only takes: outcomes of the last attempt, and final states without a failure.
const std::vector<std::string> kKinds = {
    to_text(AttemptOutcome::failed),  to_text(AttemptOutcome::oom),
    to_text(AttemptOutcome::killed),  to_text(AttemptOutcome::lost),
    to_text(AttemptOutcome::timeout), to_text(TrialState::diverged),
    to_text(TrialState::cancelled)};

/// The sweeps that these words name, with the settings of their runs.
std::vector<SweepFile> sweeps_named_by(const Request& request, const std::filesystem::path& store) {
  std::vector<SweepFile> files = read_sweep_files(store);
  std::erase_if(files, [&](const SweepFile& file) {
    const auto is_it = [&](const std::string& name) { return answers_to(file, name); };
    return std::ranges::none_of(request.targets, is_it) ||
           (request.profile && *request.profile != file.profile);
  });
  return files;
}

/// Recorded trials that their sweep no longer has, since its YAML file was changed. If that file is
/// missing or cannot be planned, which a note reports, all its trials count.
std::set<std::string> trials_not_meant(const Request& request, const CommandContext& context) {
  std::set<std::string> run, meant, with_mistakes;
  for (const SweepFile& file : sweeps_named_by(request, context.store)) {
    std::set<std::string> of_file;
    for (const SweepMember& member : file.members) of_file.insert(member.trial);
    run.insert(of_file.begin(), of_file.end());
    try {
      if (is_file_there(file.source)) {
        const Plan plan =
            make_plan(file.source, choices_on_record(context, file), context.schema());
        of_file.clear();
        for (const PlannedTrial& planned : plan.trials) of_file.insert(planned.trial.id);
      }
    } catch (const ConfigError&) {
      with_mistakes.insert(file.source);
    }
    meant.insert(of_file.begin(), of_file.end());
  }
  for (const std::string& file : with_mistakes) {
    print_note(Note("broken-sweep-file",
                    fmt::format("has mistakes now (`rethink plan {}` names them), so the trials of "
                                "its last run are used",
                                for_a_shell(file)),
                    Position{file}));
  }
  std::set<std::string> not_meant;
  std::ranges::set_difference(run, meant, std::inserter(not_meant, not_meant.end()));
  return not_meant;
}

class Retry : public Command {
 public:
  std::string positional() const override { return "SWEEP|TRIAL..."; }
  bool needs_folders() const override { return true; }
  void declare(po::options_description& options) const override {
    options.add_options()("profile", po::value<std::string>()->value_name("NAME"),
                          "profile of the sweep (default: all profiles)")(
        "only", po::value<std::string>()->value_name("KINDS"),
        ("only these, of " + joined(kKinds, ",")).c_str());
  }
  int run(const CommandContext& context, const po::variables_map& given) override {
    Request request;
    request.kind = Request::Kind::retry;
    request.targets = arguments_of(given);
    if (request.targets.empty())
      throw ConfigError("missing-argument",
                        fmt::format("name a sweep or a trial to retry; `{}` lists them",
                                    store_command("status --all", context.store)));
    if (given.count("profile")) request.profile = given["profile"].as<std::string>();
    if (given.count("only")) {
      for (const std::string& word : split_list("--only", {given["only"].as<std::string>()})) {
        if (std::find(kKinds.begin(), kKinds.end(), word) == kKinds.end()) {
          throw ConfigError("invalid-argument", "--only: got '" + word + "'" +
                                                    did_you_mean(word, kKinds) +
                                                    ", expected some of " + joined(kKinds));
        }
        request.only.insert(word);
      }
    }
    request.not_meant = trials_not_meant(request, context);
    const RequestAnswer answer = submit_request(request, context.store);
    std::cout << answer.text << "\n";
    return answer.complete ? kDone : kSomeFailed;
  }
};

RETHINK_REGISTERED =
    add_command<Retry>("retry", "allow failed, diverged or cancelled trials to run again");

}  // namespace
}  // namespace rethink
