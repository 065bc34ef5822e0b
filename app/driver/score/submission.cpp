#include "app/driver/score/submission.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/driver/show/trials/trial_artifacts.h"
#include "core/config/schema.h"
#include "core/files/file.h"
#include "core/json.h"
#include "core/message.h"
#include "core/store_files/trial_folder.h"
#include "datasets/dataset.h"
#include "experiments/attempt/trial_files.h"

namespace rethink {
namespace {

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

}  // namespace

Submission collect_submission(Store& store, const std::filesystem::path& folder,
                              const std::vector<ScoredTrial>& trials) {
  SubmissionCollector collection(store, folder);
  for (const ScoredTrial& trial : trials) collection.add(trial);
  return collection.finish();
}

void write_submission(const Submission& submission, const std::filesystem::path& folder,
                      const std::filesystem::path& store) {
  for (const auto& [name, sent] : submission.files) require_intact(sent.artifact, store);
  make_folder_durably(folder);
  for (const auto& [name, sent] : submission.files)
    write_file_durably(folder / name, read_file(sent.artifact.path));
  const std::filesystem::path scores = folder / "scores.yaml";
  write_file_durably(scores, scores_template(submission, scores, store));
}

}  // namespace rethink
