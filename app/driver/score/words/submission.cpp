// `rethink score submission SWEEP NEW_DIR --stage S --where NAME=VALUE`: collects the prediction
// files of one arm's trials in one folder, as GLUE's server expects them.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "app/driver/score/scored_trials.h"
#include "app/driver/score/scorer.h"
#include "app/driver/show/sweep_status.h"
#include "app/driver/show/trials/trial_artifacts.h"
#include "core/config/schema.h"
#include "core/error.h"
#include "core/files/file.h"
#include "core/json.h"
#include "core/message.h"
#include "core/store_files/trial_folder.h"
#include "datasets/dataset.h"
#include "experiments/attempt/job.h"
#include "experiments/attempt/trial_files.h"
#include "results/database/database_place.h"
#include "results/folders/sweep_files.h"

namespace rethink {
namespace {

/// The kind of artifacts with predictions in the form of official scorers and servers.
const std::string kPredictionFile = "prediction_file";

struct SubmittedFile {
  ScoredTrial trial;
  std::string split;
  Artifact artifact;
};

struct Submission {
  std::map<std::string, SubmittedFile> files;  // by the file name that the server expects
  std::map<std::string, std::string> missing;  // by the same names: why the file is missing
  std::vector<std::string> others;             // trials that are not done; their files are unknown
  std::set<std::string> without_tests;         // done trials of missing files: data.test was false
};

/// The server's file names for predictions on a data set's splits; empty if the server lacks the data set.
std::map<std::string, std::string> wanted_of(const std::string& dataset) {
  return datasets().facts(dataset).submissions;
}

/// The artifact with the predictions of a split.
const Artifact* of_split(const std::vector<Artifact>& artifacts, const std::string& split) {
  const auto found = std::ranges::find_if(artifacts, [&](const Artifact& artifact) {
    return artifact.kind == kPredictionFile && artifact.facts.value("split", "") == split;
  });
  return found == artifacts.end() ? nullptr : &*found;
}

class SubmissionCollector {
 public:
  SubmissionCollector(Store& store, const std::filesystem::path& folder)
      : store_(store), folder_(folder) {}

  void add(const ScoredTrial& trial) {
    const std::optional<TrialRow> row = store_.trial(trial.id);
    const Json* dataset = row ? find_path(row->config, "data.dataset") : nullptr;
    if (!dataset) {
      found_.others.push_back(fmt::format("{}: {}", trial.title(),
                                          trial.state && trial.state != TrialState::done
                                              ? to_text(*trial.state)
                                              : "has no data set"));
      return;
    }
    const std::optional<Json> result = read_result(TrialFolder(folder_, trial.id));
    const std::vector<Artifact> artifacts =
        result ? artifacts_of(*result, TrialFolder(folder_, trial.id)) : std::vector<Artifact>();
    for (const auto& [split, name] : wanted_of(*dataset)) {
      if (const Artifact* artifact = of_split(artifacts, split)) {
        candidates_[name].push_back({trial, split, *artifact});
      } else if (result) {
        add_missing(name, split, trial, row->config);
      } else {
        found_.missing[name] = fmt::format("trial {} ({}) is {}", trial.id, trial.title(),
                                           trial.state ? to_text(*trial.state) : "not known");
      }
    }
  }

  Submission finish() {
    for (auto& [name, files] : candidates_) {
      if (files.size() > 1) refuse(name, files);
      found_.missing.erase(name);
      without_tests_.erase(name);
      found_.files.emplace(name, std::move(files.front()));
    }
    for (const std::string& dataset : datasets().names()) {
      for (const auto& [split, name] : wanted_of(dataset)) {
        if (!found_.files.contains(name))
          found_.missing.emplace(name, fmt::format("no trial here is of {}", dataset));
      }
    }
    for (const auto& [name, trial] : without_tests_) found_.without_tests.insert(trial);
    return std::move(found_);
  }

 private:
  void add_missing(const std::string& name, const std::string& split, const ScoredTrial& trial,
                   const Json& config) {
    const Json* asked = find_path(config, "data.test");
    const bool was_asked = asked && *asked == true;
    if (!was_asked) without_tests_[name] = trial.id;
    found_.missing[name] =
        fmt::format("trial {} ({}) left no predictions of {}{}", trial.id, trial.title(), split,
                    was_asked ? "" : ": its data.test is false");
  }

  [[noreturn]] void refuse(const std::string& name, const std::vector<SubmittedFile>& files) const {
    std::vector<ScoredTrial> trials;
    for (const SubmittedFile& file : files) trials.push_back(file.trial);
    const std::string differences = differences_of(trials);
    throw ConfigError(
        "ambiguous-trial",
        fmt::format(
            "{}: {} trials have predictions for it, expected one: {}", name, files.size(),
            differences.empty()
                ? fmt::format(
                      "no label, seed or option distinguishes them; `{}` shows what does",
                      store_command(fmt::format("diff {} {}", trials[0].id, trials[1].id), folder_))
                : fmt::format("they differ in {}; choose with --where NAME=VALUE or --seed N",
                              differences)));
  }

  Store& store_;
  const std::filesystem::path& folder_;
  std::map<std::string, std::vector<SubmittedFile>> candidates_;
  std::map<std::string, std::string> without_tests_;  // file: a done trial that did not write it
  Submission found_;
};

/// The file that a person completes for `rethink score import`: for each file the name of its split.
std::string scores_template(const Submission& submission, const std::filesystem::path& file,
                            const std::filesystem::path& store) {
  std::vector<std::string> trials;  // once each, in the order of their files
  std::map<std::string, std::string> entries;
  for (const auto& [name, sent] : submission.files) {
    const auto [entry, is_new] = entries.try_emplace(sent.trial.id);
    if (is_new) {
      trials.push_back(sent.trial.id);
      entry->second = fmt::format("  # {}\n  - trial: {}\n", sent.trial.title(), sent.trial.id);
    }
    entry->second += fmt::format("    {}:  # the score of {}\n", sent.split, name);
  }
  std::string text = fmt::format(
      "# What the server answers: write the day, and each score behind its name as a table shall "
      "show it,\n# then: {}\n"
      "from: gluebenchmark.com\ndate:\nscores:\n",
      store_command("score import " + for_a_shell(file.string()), store));
  for (const std::string& trial : trials) text += entries.at(trial);
  return text;
}

/// Returns the server's files from `trials`, whose results are below `folder`, the store's folder.
/// The facts of the data sets say what the server expects ("submissions"). Throws ConfigError if
/// several trials have predictions for one file, with the differences between them.
Submission collect_submission(Store& store, const std::filesystem::path& folder,
                              const std::vector<ScoredTrial>& trials) {
  SubmissionCollector collection(store, folder);
  for (const ScoredTrial& trial : trials) collection.add(trial);
  return collection.finish();
}

/// Writes the files, and scores.yaml for the server's answer, to a new folder. Durable. Throws
/// ConfigError if a trial's file is missing or damaged, and MachineError.
void write_submission(const Submission& submission, const std::filesystem::path& folder,
                      const std::filesystem::path& store) {
  for (const auto& [name, sent] : submission.files) require_intact(sent.artifact, store);
  make_folder_durably(folder);
  for (const auto& [name, sent] : submission.files)
    write_file_durably(folder / name, read_file(sent.artifact.path));
  const std::filesystem::path scores = folder / "scores.yaml";
  write_file_durably(scores, scores_template(submission, scores, store));
}

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
      const std::string run =
          trials.contains(member.trial) ? run_command_of(file, context, given) : "";
      if (!run.empty()) return fmt::format("{} --set stages.{}.data.test=true", run, member.stage);
    }
  }
  return "";
}

class Submit : public Scorer {
 public:
  std::string positional() const override { return "SWEEP NEW_DIR"; }

  void declare(po::options_description& options) const override {
    declare_once(options, "profile", "NAME", "submission: profile of the sweep");
    declare_once(options, "stage", "STAGE",
                 "submission: stage of the trials; for select, the chosen trials");
    declare_once(options, "seed", "N", "submission: seed of the trials");
    options.add_options()(
        "where", po::value<std::vector<std::string>>()->value_name("NAME=VALUE")->composing(),
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
