// `rethink score squad --ref dev.json --pred pred.json [--na-prob F] [--na-prob-thresh X]`: the
// scores of the official scorer for the file's version.
#include "datasets/labelled/squad.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "app/driver/cli/note_report.h"
#include "app/driver/score/scorer.h"
#include "core/files/file.h"
#include "core/files/named_file.h"
#include "core/format/file_kind.h"
#include "core/json.h"
#include "core/message.h"
#include "datasets/scores/answers.h"

namespace rethink {
namespace {

using Members = std::vector<std::pair<std::string, Json>>;

/// The members of a JSON object in the order of the file. Throws ConfigError for a repeated key,
/// since the intended value is unknown.
Members read_object(const std::filesystem::path& file, const char* expected) {
  refuse_dangling_link(file);
  if (!is_readable_there(file))
    throw ConfigError("not-a-file",
                      fmt::format("{}: is not a file; expected {}", file.string(), expected));
  const std::string text = read_expected(file, ExpectedFile::json);
  try {
    parse_json(text, file.string());
  } catch (const ConfigError& error) {
    throw ConfigError(error.code(), fmt::format("{}; expected {}", error.what(), expected));
  }
  // nlohmann's ordered_json compares each key with all earlier keys.
  std::vector<std::string> keys;
  Json json = Json::parse(text, [&](int depth, Json::parse_event_t event, Json& parsed) {
    if (depth == 1 && event == Json::parse_event_t::key) keys.push_back(parsed);
    return true;
  });
  if (!json.is_object()) {
    throw ConfigError("wrong-file", fmt::format("{}: got an {}, expected {}", file.string(),
                                                json.type_name(), expected));
  }
  Members members;
  for (const std::string& key : keys) members.emplace_back(key, std::move(json.at(key)));
  return members;
}

constexpr const char* kAnswers = "answers by question id, in JSON: {\"ID\": \"ANSWER\", ...}";

/// Whether this is SQuAD's own file, with questions and answers.
bool is_dataset(const Json& json) {
  return json.is_object() && json.contains("data") && json["data"].is_array();
}

bool is_text(const Json& json) {
  return json.is_string();
}

/// Whether the file of --ref or --pred belongs to the other option.
template <typename Rule>
bool holds(const std::filesystem::path& file, Rule rule) {
  if (!is_readable_there(file)) return false;
  const std::string text = read_file(file);
  if (is_nested_too_deep(text)) return false;
  const Json json = Json::parse(text, nullptr, false);
  return json.is_object() && rule(json);
}

std::map<std::string, std::string> read_answers(const std::filesystem::path& file) {
  std::map<std::string, std::string> answers;
  const Members members = read_object(file, kAnswers);
  const bool is_of_questions = std::ranges::any_of(members, [](const auto& member) {
    return member.first == "data" && member.second.is_array();
  });
  if (is_of_questions) {
    throw ConfigError(
        "wrong-file",
        fmt::format("--pred: {} is SQuAD's own file, with questions and right answers; expected {}",
                    file.string(), kAnswers));
  }
  for (const auto& [id, answer] : members) {
    if (answer.is_structured()) {
      throw ConfigError("wrong-file",
                        fmt::format("{}: '{}': got an {}, expected a text; give transformers' "
                                    "predictions.json, not nbest_predictions.json",
                                    file.string(), id, answer.type_name()));
    }
    if (!answer.is_string()) {
      throw ConfigError("wrong-file", fmt::format("{}: '{}': got {}, expected a text",
                                                  file.string(), id, answer.dump()));
    }
    answers[id] = answer.get<std::string>();
  }
  if (answers.empty())
    throw ConfigError("empty-file",
                      fmt::format("{}: has no prediction; expected {}", file.string(), kAnswers));
  return answers;
}

/// Calls read_squad_reference. The error says if predictions were given as --ref.
SquadReference read_reference(const std::filesystem::path& reference,
                              const std::filesystem::path& predictions) {
  try {
    SquadReference gold = read_squad_reference(reference);
    if (gold.questions.empty())
      throw ConfigError("empty-file", fmt::format("{}: has no question; expected a file of SQuAD",
                                                  reference.string()));
    return gold;
  } catch (const ConfigError&) {
    const auto are_answers = [](const auto& json) {
      return !json.empty() && !is_dataset(json) && std::ranges::all_of(json, is_text);
    };
    if (!holds(reference, are_answers)) throw;
    throw ConfigError(
        "wrong-file",
        fmt::format(
            "--ref: {} holds answers by question id, expected SQuAD's own file, with questions and "
            "right answers; {}",
            reference.string(),
            holds(predictions, is_dataset)
                ? fmt::format("--pred is such a file: give --ref {} --pred {}",
                              for_a_shell(predictions.string()), for_a_shell(reference.string()))
                : "give that as --ref, and this file as --pred"));
  }
}

NoAnswerProbabilities read_probabilities(const std::filesystem::path& file) {
  NoAnswerProbabilities probabilities;
  for (const auto& [id, probability] :
       read_object(file, "probabilities of no answer by question id, in JSON")) {
    if (!probability.is_number()) {
      throw ConfigError("wrong-file", fmt::format("{}: '{}': got {}, expected a number",
                                                  file.string(), id, probability.dump()));
    }
    probabilities.emplace_back(id, probability.get<double>());
  }
  if (probabilities.empty())
    throw ConfigError(
        "empty-file",
        fmt::format("{}: has no probability; expected one of each question", file.string()));
  return probabilities;
}

/// Throws ConfigError for an option without effect, or one that v1.1's scorer lacks.
void require_fit(const po::variables_map& given, const SquadReference& gold,
                 const std::string& reference) {
  const bool has_probabilities = given.count("na-prob") > 0;
  if (given.count("na-prob-thresh") && !has_probabilities) {
    throw ConfigError(
        "missing-argument",
        "--na-prob-thresh: it needs the probabilities of --na-prob F; give both, or neither");
  }
  if (has_probabilities && !gold.is_version_2) {
    throw ConfigError(
        "conflicting-arguments",
        fmt::format("--na-prob: {} is of SQuAD v1.1, where every question has an answer; leave it "
                    "out, or give a file of v2.0 as --ref",
                    reference));
  }
}

/// Notes facts that a score hides: repeated ids, and predictions without a question.
void note_hidden_facts(const SquadReference& gold, const std::string& reference,
                       const std::map<std::string, std::string>& answers, const std::string& file) {
  if (const size_t count = gold.repeated_ids.size(); count > 0) {
    print_note(Note(
        "repeated-ids",
        fmt::format("{}: {} more than once, '{}' first; {}", reference,
                    counted(count, "id") + (count == 1 ? " stands" : " stand"),
                    gold.repeated_ids.front(),
                    gold.is_version_2 ? "the last question of an id counts, as in evaluate-v2.0.py"
                                      : "each of its questions counts, as in evaluate-v1.1.py")));
  }
  std::set<std::string_view> known;
  for (const Question& question : gold.questions) known.insert(question.id);
  const auto is_unknown = [&](const auto& one) { return !known.contains(one.first); };
  if (const auto unknown = std::ranges::count_if(answers, is_unknown); unknown > 0) {
    print_note(Note("unknown-questions",
                    fmt::format("{}: {} of no question of {}, '{}' first; {} not count", file,
                                counted(static_cast<size_t>(unknown), "prediction") +
                                    (unknown == 1 ? " is" : " are"),
                                reference, std::ranges::find_if(answers, is_unknown)->first,
                                unknown == 1 ? "it does" : "they do")));
  }
}

/// Reports questions that `values` of a file lack. They are refused in v2.0, whose official scorer
/// stops there, and if no question has a value; otherwise they count as wrong, as in v1.1's scorer.
template <typename Values>
void require_values(const SquadReference& gold, const std::string& reference, const Values& values,
                    const std::string& file, const char* what) {
  std::set<std::string_view> known;
  for (const auto& [id, value] : values) known.insert(id);
  const auto has_none = [&](const Question& one) { return !known.contains(one.id); };
  const auto missing = static_cast<size_t>(std::ranges::count_if(gold.questions, has_none));
  if (missing == 0) return;
  const std::string first = std::ranges::find_if(gold.questions, has_none)->id;
  if (missing == gold.questions.size()) {
    throw ConfigError("wrong-count",
                      fmt::format("{}: has no {} for any question of {}, such as '{}'; expected "
                                  "those of the same file's questions",
                                  file, what, reference, first));
  }
  if (gold.is_version_2) {
    throw ConfigError(
        "wrong-count",
        fmt::format(
            "{}: got no {} for {} of {}, '{}' first; evaluate-v2.0.py needs one for each question"
            "{}",
            file, what, counted(missing, "question"), reference, first,
            std::string_view(what) == "prediction" ? " (\"\" where it has no answer)" : ""));
  }
  print_note(
      Note("unanswered-questions",
           fmt::format("{}: {} no prediction and counted as wrong, as in evaluate-v1.1.py: '{}'{}",
                       file, counted(missing, "question") + (missing == 1 ? " has" : " have"),
                       first, missing == 1 ? "" : ", ...")));
}

class Squad : public FileScorer {
 public:
  void declare(po::options_description& options) const override {
    FileScorer::declare(options);
    declare_once(options, "na-prob", "FILE", "squad v2.0: file with probabilities of no answer");
    declare_once(options, "na-prob-thresh", "X",
                 "squad v2.0: a probability above it means no answer (default 1)");
  }

 protected:
  Json score(const CommandContext&, const std::string& scorer,
             const po::variables_map& given) const override {
    const std::filesystem::path reference = require_option(given, scorer, "ref");
    refuse_dangling_link(reference);
    if (!is_readable_there(reference))
      throw ConfigError("not-a-file", fmt::format("{}: is not a file; expected SQuAD's JSON",
                                                  reference.string()));
    const std::string file = require_predictions(given, scorer, "pred");
    const SquadReference gold = read_reference(reference, file);
    require_fit(given, gold, reference.string());
    SquadScoring scoring;
    scoring.no_answer = gold.is_version_2;
    NoAnswerProbabilities probabilities;
    if (given.count("na-prob")) {
      const std::string of_none = given["na-prob"].as<std::string>();
      probabilities = read_probabilities(of_none);
      require_values(gold, reference.string(), probabilities, of_none, "probability");
    }
    if (given.count("na-prob-thresh")) scoring.threshold = number_of(given, "na-prob-thresh");
    const auto answers = read_answers(file);
    require_values(gold, reference.string(), answers, file, "prediction");
    note_hidden_facts(gold, reference.string(), answers, file);
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
