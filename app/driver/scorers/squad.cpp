// `rethink score squad --ref dev.json --pred pred.json [--na-prob F] [--na-prob-thresh X]`: what
// the official scorer of the file's version says.
#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "app/driver/scorers.h"
#include "core/counted.h"
#include "core/file.h"
#include "core/json.h"
#include "datasets/scores/answers.h"
#include "datasets/squad_reference.h"

namespace rethink {
namespace {

/// The members of a JSON object in the order of the file. Throws ConfigError where a key stands
/// twice: which of its values was meant is not known.
nlohmann::ordered_json read_object(const std::filesystem::path& file, const char* expected) {
  if (!std::filesystem::exists(file) || std::filesystem::is_directory(file))
    throw ConfigError(fmt::format("{}: is not a file; expected {}", file.string(), expected));
  const std::string text = read_file(file);
  try {
    parse_json(text, file.string());
  } catch (const ConfigError& error) {
    throw ConfigError(fmt::format("{}; expected {}", error.what(), expected));
  }
  auto json = nlohmann::ordered_json::parse(text);
  if (!json.is_object()) throw ConfigError(fmt::format("{}: expected {}", file.string(), expected));
  return json;
}

std::map<std::string, std::string> read_answers(const std::filesystem::path& file) {
  std::map<std::string, std::string> answers;
  const auto json = read_object(file, "answers by question id, in JSON");
  for (const auto& [id, answer] : json.items()) {
    if (!answer.is_string()) {
      throw ConfigError(
          fmt::format("{}: '{}': got {}, expected a text", file.string(), id, answer.dump()));
    }
    answers[id] = answer.get<std::string>();
  }
  return answers;
}

NoAnswerProbabilities read_probabilities(const std::filesystem::path& file) {
  NoAnswerProbabilities probabilities;
  const auto json = read_object(file, "probabilities of no answer by question id, in JSON");
  for (const auto& [id, probability] : json.items()) {
    if (!probability.is_number()) {
      throw ConfigError(fmt::format("{}: '{}': got {}, expected a number", file.string(), id,
                                    probability.dump()));
    }
    probabilities.emplace_back(id, probability.get<double>());
  }
  if (probabilities.empty())
    throw ConfigError(
        fmt::format("{}: has no probability; expected one of each question", file.string()));
  return probabilities;
}

/// Throws ConfigError where an option would change nothing, or what v1.1's scorer does not know.
void require_fit(const po::variables_map& given, const SquadReference& gold,
                 const std::string& reference) {
  const bool has_probabilities = given.count("na-prob") > 0;
  if (given.count("na-prob-thresh") && !has_probabilities) {
    throw ConfigError(
        "--na-prob-thresh: there are no probabilities that it could part; give --na-prob F too, or "
        "leave it out");
  }
  if (has_probabilities && !gold.is_version_2) {
    throw ConfigError(
        fmt::format("--na-prob: {} is of SQuAD v1.1, where every question has an answer; leave it "
                    "out, or give a file of v2.0 as --ref",
                    reference));
  }
}

/// What a score leaves unsaid that would surprise: ids that stand twice, questions without a
/// prediction.
void say_what_counts(const SquadReference& gold, const std::string& reference,
                     const std::map<std::string, std::string>& answers) {
  if (const size_t count = gold.repeated_ids.size(); count > 0) {
    std::cerr << fmt::format(
        "note: {}: {} more than once, '{}' first; {}\n", reference,
        counted(count, "id") + (count == 1 ? " stands" : " stand"), gold.repeated_ids.front(),
        gold.is_version_2 ? "the last question of an id counts, as in evaluate-v2.0.py"
                          : "each of its questions counts, as in evaluate-v1.1.py");
  }
  const auto has_none = [&](const Question& one) { return !answers.contains(one.id); };
  const auto missing = static_cast<size_t>(std::ranges::count_if(gold.questions, has_none));
  if (missing == 0 || gold.is_version_2) return;  // v2.0 refuses
  std::cerr << fmt::format(
      "note: {} no prediction and counted as wrong, as in evaluate-v1.1.py: '{}'{}\n",
      counted(missing, "question") + (missing == 1 ? " has" : " have"),
      std::ranges::find_if(gold.questions, has_none)->id, missing == 1 ? "" : ", ...");
}

class Squad : public FileScorer {
 public:
  void declare(po::options_description& options) const override {
    FileScorer::declare(options);
    declare_once(options, "na-prob", "squad v2.0: file with probabilities of no answer");
    declare_once(options, "na-prob-thresh",
                 "squad v2.0: a probability above it means no answer (default 1)");
  }

 protected:
  Json score(const CommandContext&, const std::string& scorer,
             const po::variables_map& given) const override {
    const std::filesystem::path reference = require_option(given, scorer, "ref");
    if (!std::filesystem::exists(reference) || std::filesystem::is_directory(reference))
      throw ConfigError(
          fmt::format("{}: is not a file; expected SQuAD's JSON", reference.string()));
    const SquadReference gold = read_squad_reference(reference);
    require_fit(given, gold, reference.string());
    SquadScoring scoring;
    scoring.no_answer = gold.is_version_2;
    NoAnswerProbabilities probabilities;
    if (given.count("na-prob"))
      probabilities = read_probabilities(given["na-prob"].as<std::string>());
    if (given.count("na-prob-thresh")) scoring.threshold = number_of(given, "na-prob-thresh");
    const auto answers = read_answers(require_option(given, scorer, "pred"));
    say_what_counts(gold, reference.string(), answers);
    Json scores = Json::object();
    for (const auto& [name, value] :
         squad_scores(gold.questions, answers, probabilities, scoring)) {
      const bool is_count = name.ends_with("total");
      scores[name] = is_count ? Json(static_cast<int64_t>(value)) : number_or_null(value);
    }
    return scores;
  }
};

RETHINK_REGISTERED = add_scorer<Squad>("squad", "exact match and F1 of SQuAD v1.1 and v2.0");

}  // namespace
}  // namespace rethink
