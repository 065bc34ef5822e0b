#include "app/driver/score/labelled_scorer.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/driver/cli/note_report.h"
#include "app/driver/score/label_notes.h"
#include "core/config/schema.h"
#include "core/error.h"
#include "core/files/named_file.h"
#include "core/json.h"
#include "core/message.h"
#include "datasets/scores/labelled_metrics.h"

namespace rethink {
namespace {

const std::string kHoldout = "holdout";  // the split, and the option that makes it

void require_split(const std::string& split, const DatasetFacts& facts) {
  const std::vector<std::string>& known = facts.splits;
  if (std::ranges::find(known, split) != known.end()) return;
  const bool is_secret = std::ranges::count(facts.unlabelled, split) > 0;
  throw ConfigError("invalid-argument",
                    fmt::format("--split: got '{}'{}, expected one of {}{}", split,
                                is_secret ? ", whose labels are not public" : "", joined(known),
                                is_secret ? "" : did_you_mean(split, known)));
}

/// The options with which the data set has the split.
Json split_options(const std::string& split, const po::variables_map& given) {
  Json options = Json::object();
  if (given.count(kHoldout) != (split == kHoldout)) {
    throw ConfigError("wrong-arguments",
                      given.count(kHoldout)
                          ? "--holdout is for --split holdout"
                          : "--split holdout: give --holdout X, as data.holdout of the trial");
  }
  if (given.count(kHoldout)) options[kHoldout] = number_of(given, kHoldout);
  return options;
}

std::vector<LabelledExample> examples_of(const std::string& dataset, const std::string& split,
                                         const Json& options, const DataFolders& folders) {
  try {
    return require_kind<LabelledDataset>(datasets().make(dataset, options, folders), dataset)
        ->examples(split);
  } catch (const TrialError& error) {
    throw ConfigError(error.code(), error.what());
  }
}

std::vector<double> labels_of(const std::vector<LabelledExample>& examples,
                              const std::string& reference, const DatasetFacts& facts) {
  if (examples.empty())
    throw ConfigError("empty-file",
                      fmt::format("{}: has no row; expected at least one example", reference));
  std::vector<double> labels;
  for (const LabelledExample& example : examples) {
    if (!example.label) {
      throw ConfigError("wrong-file",
                        fmt::format("{}: has no labels; expected a file with the column {}",
                                    reference, facts.columns ? facts.columns->label : "label"));
    }
    labels.push_back(*example.label);
  }
  return labels;
}

/// What to do instead of --ref, if the published splits are parts of one file.
std::string hint_of(const DatasetFacts& facts) {
  const std::string& dev = facts.files.at("dev").at(0);
  if (facts.files.at("train").at(0) != dev) return "";
  return fmt::format(
      "\n{} holds train and dev: what a trial left of dev takes --split dev instead of --ref", dev);
}

}  // namespace

void LabelledScorer::declare(po::options_description& options) const {
  FileScorer::declare(options);
  declare_once(options, "split", "NAME",
               "in place of --ref: this split of the dataset below --data, as a trial reads it");
  declare_once(options, kHoldout, "X", "with --split holdout: data.holdout of the trial");
}

bool LabelledScorer::is_reference(const std::filesystem::path& file,
                                  const DatasetFacts& facts) const {
  try {
    return !read(file, facts).empty();
  } catch (const ConfigError&) {
    return false;
  }
}

std::vector<LabelledExample> LabelledScorer::read_reference(
    const std::filesystem::path& reference, const std::filesystem::path& predictions,
    const std::string& dataset, const DatasetFacts& facts) const {
  try {
    return read(reference, facts);
  } catch (const ConfigError&) {
    if (!has_reference_files() || !holds_predictions(reference, labelled_task(facts))) throw;
    throw ConfigError(
        "wrong-file",
        fmt::format(
            "--ref: {} holds only predictions or labels, expected a table of data set '{}', with "
            "texts and labels; {}",
            reference.string(), dataset,
            is_reference(predictions, facts)
                ? fmt::format("--pred is such a table: give --ref {} --pred {}",
                              for_a_shell(predictions.string()), for_a_shell(reference.string()))
                : "give the table as --ref, and this file as --pred"));
  }
}

Predictions LabelledScorer::predictions_of(const std::filesystem::path& file,
                                           const std::vector<LabelledExample>& examples,
                                           const std::string& dataset, const DatasetFacts& facts,
                                           const std::string& hint) const {
  try {
    return read_predictions(file, examples, labelled_task(facts));
  } catch (const ConfigError& error) {
    if (!is_reference(file, facts)) throw ConfigError(error.code(), error.what() + hint);
    throw ConfigError(
        "wrong-file",
        fmt::format(
            "--pred: {} is a table of data set '{}', expected only predictions: one in each line, "
            "or the header index<tab>prediction and then an index and a prediction in each line",
            file.string(), dataset));
  }
}

Json LabelledScorer::score(const CommandContext& context, const std::string& scorer,
                           const po::variables_map& given) const {
  const std::string name = dataset(given);
  const DatasetFacts& facts = datasets().facts(name);
  const bool by_file = given.count("ref") > 0;
  if (by_file == (given.count("split") > 0)) {
    throw ConfigError("wrong-arguments", fmt::format("rethink score {} {}", scorer,
                                                     by_file ? "takes --ref or --split, got both"
                                                             : "needs --ref or --split"));
  }
  if (by_file) refuse_dangling_link(given["ref"].as<std::string>());
  if (by_file && !is_readable_there(given["ref"].as<std::string>())) {
    throw ConfigError(
        "not-a-file",
        fmt::format(
            "--ref: {} is not a file; expected the published table, or give --split dev instead",
            given["ref"].as<std::string>()));
  }
  const std::string predictions = require_predictions(given, scorer, "pred");
  const std::string reference = given[by_file ? "ref" : "split"].as<std::string>();
  const Json options = split_options(by_file ? "" : reference, given);
  if (!by_file) require_split(reference, facts);
  const LabelledTask task = labelled_task(facts);
  const std::vector<LabelledExample> examples =
      by_file ? read_reference(reference, predictions, name, facts)
              : examples_of(name, reference, options, {context.data, {}});
  const std::string right =
      by_file ? reference : fmt::format("{} of data set '{}'", reference, name);
  const std::vector<double> truth = labels_of(examples, right, facts);
  const Predictions predicted =
      predictions_of(predictions, examples, name, facts, by_file ? hint_of(facts) : "");
  std::vector<Note> notes =
      notes_on_constants(task, {predicted.labels, predictions}, {truth, right});
  if (predicted.has_numbers) {
    for (const Note& note : notes_on_numbers(task, predicted.labels, truth)) notes.push_back(note);
  }
  print_notes(notes);
  Json scores = Json::object();
  for (const std::string& metric : task.metrics)
    scores[metric] = number_or_null(labelled_metric(metric, predicted.labels, truth));
  return scores;
}

}  // namespace rethink
