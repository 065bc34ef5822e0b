// `rethink score submission SWEEP NEW_DIR --stage S --where NAME=VALUE`: collects the prediction
// files of one arm's trials in one folder, as GLUE's server expects them.
#include "app/driver/score/submission.h"

#include <fmt/format.h>

#include <iostream>

#include "app/driver/score/scorer.h"
#include "app/driver/show/sweep_status.h"
#include "app/driver/show/trials/trial_artifacts.h"
#include "core/error.h"
#include "core/message.h"
#include "results/database/database_place.h"
#include "results/folders/sweep_files.h"

namespace rethink {
namespace {

Word word_of(const po::variables_map& given, const std::string& option) {
  return {given.count(option) ? given[option].as<std::string>() : "", {"--" + option}};
}

SpecPairs where_of(const po::variables_map& given) {
  SpecPairs where;
  if (!given.count("where")) return where;
  for (const std::string& text : given["where"].as<std::vector<std::string>>()) {
    const size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0) {
      throw ConfigError(
          "invalid-argument",
          fmt::format("--where: got '{}', expected NAME=VALUE, such as pretrain.arm=dense "
                      "or optimizer.lr=5e-5",
                      text));
    }
    const auto [value, quoted] = written_value(text.substr(equals + 1));
    where.push_back({{text.substr(0, equals), {"--where"}}, {value, {"--where"}, quoted}});
  }
  return where;
}

/// The command, with the missing option, of a run in which these done trials leave predictions for
/// test. Empty if no sweep file of the trials is recorded.
std::string command_for_test_predictions(const std::set<std::string>& trials,
                                         const CommandContext& context,
                                         const po::variables_map& given) {
  if (trials.empty()) return "";
  for (const SweepFile& file : read_sweep_files(context.store)) {
    for (const SweepMember& member : file.members) {
      const std::string run = trials.contains(member.trial) ? command_of(file, context, given) : "";
      if (!run.empty()) return fmt::format("{} --set stages.{}.data.test=true", run, member.stage);
    }
  }
  return "";
}

class Submit : public Scorer {
 public:
  std::string positional() const override { return "SWEEP NEW_DIR"; }

  void declare(po::options_description& options) const override {
    declare_once(options, "profile", "submission: profile of the sweep");
    declare_once(options, "stage",
                 "submission: stage of the trials; for select, the chosen trials");
    declare_once(options, "seed", "submission: seed of the trials");
    options.add_options()(
        "where", po::value<std::vector<std::string>>()->composing(),
        "submission: NAME=VALUE that the trials have, a label (pretrain.arm=dense) or "
        "an option (optimizer.lr=5e-5, pretrain.steps=100); may be repeated");
  }

  int run(const CommandContext& context, const std::vector<std::string>& words,
          const po::variables_map& given) const override {
    if (words.size() != 3)
      throw ConfigError("wrong-arguments",
                        "rethink score submission: give a sweep that was run, and a new folder");
    const std::filesystem::path to = words[2];
    require_new_folder(to);
    if (!is_store(context.store))
      throw ConfigError("no-store",
                        context.store.string() + " is not a store; name one with --store");
    // Outside of the braces, since GCC 12 frees their elements twice if one of them throws.
    const std::string named = require_option(given, words[0], "stage");
    const RunStage stage{{words[1], {words[1]}}, word_of(given, "profile"), {named, {"--stage"}}};
    std::optional<Word> seed;
    if (given.count("seed")) seed = word_of(given, "seed");
    Store store(context.store, Store::Access::read);
    Problems problems;
    const std::vector<ScoredTrial> trials = trials_with(
        trials_on_record(store, context.store, stage, problems), where_of(given), seed, problems);
    problems.throw_if_any();
    const Submission submission = collect_submission(store, context.store, trials);
    for (const std::string& other : submission.others) std::cerr << "left out: " << other << "\n";
    std::map<std::string, std::vector<std::string>> missing;  // by the reason
    for (const auto& [name, why] : submission.missing) missing[why].push_back(name);
    for (const auto& [why, names] : missing)
      std::cerr << fmt::format("missing: {}: {}\n", joined(names), why);
    const std::string way = command_for_test_predictions(submission.without_tests, context, given);
    if (!way.empty()) std::cerr << "predictions of test sets come from: " << way << "\n";
    return hand_over(submission, to, context.store);
  }

 private:
  static int hand_over(const Submission& submission, const std::filesystem::path& to,
                       const std::filesystem::path& store) {
    if (submission.files.empty())
      throw ConfigError("nothing-to-submit",
                        "there is nothing to submit: no trial has predictions of a test set");
    write_submission(submission, to, store);
    for (const auto& [name, sent] : submission.files)
      std::cout << fmt::format("{}  {}\n", (to / name).string(), sent.trial.title());
    const std::string scores = (to / "scores.yaml").string();
    std::cout << fmt::format("{}  for the server's answer, then `{}`\n", scores,
                             store_command("score import " + for_a_shell(scores), store));
    return submission.missing.empty() ? kDone : kSomeFailed;
  }
};

RETHINK_REGISTERED = add_scorer<Submit>("submission", "files that GLUE's server takes, of one arm");

}  // namespace
}  // namespace rethink
