// `rethink score conll --ref F --hyp F`, or `--hyp F` with the right tags before the predicted ones:
// precision, recall and F1 of entities, in percent, as conlleval says.
#include <fmt/format.h>

#include <cmath>

#include "app/driver/scorers.h"
#include "core/json.h"
#include "datasets/conll_file.h"
#include "datasets/scores/entities.h"

namespace rethink {
namespace {

std::vector<std::string> words_of(const std::vector<TaggedSentence>& sentences) {
  std::vector<std::string> words;
  for (const TaggedSentence& sentence : sentences)
    words.insert(words.end(), sentence.words.begin(), sentence.words.end());
  return words;
}

/// Throws ConfigError unless both files tag the same words.
void require_same_words(const std::string& reference, const std::vector<TaggedSentence>& truth,
                        const std::string& file, const std::vector<TaggedSentence>& predicted) {
  for (size_t i = 0; i < std::min(truth.size(), predicted.size()); ++i) {
    if (truth[i].words == predicted[i].words) continue;
    if (words_of(truth) == words_of(predicted)) {
      throw ConfigError(fmt::format(
          "{}:{}: this sentence ends elsewhere than that of {}:{}, though the words are "
          "the same; part both files with empty lines at the same places",
          file, predicted[i].line, reference, truth[i].line));
    }
    throw ConfigError(
        fmt::format("{}:{}: this sentence has other words than {}:{}; expected the same words in "
                    "the same order",
                    file, predicted[i].line, reference, truth[i].line));
  }
  if (truth.size() == predicted.size()) return;
  throw ConfigError(fmt::format("{} has {} sentences, expected those of {}, {}", file,
                                predicted.size(), reference, truth.size()));
}

/// Which column has the tags; `usual` where the option was not given.
int64_t column_of(const po::variables_map& given, const std::string& option, int64_t usual) {
  if (!given.count(option)) return usual;
  const double column = number_of(given, option);
  if (column < 2 || column > 1000 || column != std::floor(column)) {
    throw ConfigError(fmt::format("--{}: got '{}', expected a column's number, 2 or more", option,
                                  given[option].as<std::string>()));
  }
  return static_cast<int64_t>(column);
}

class Conll : public FileScorer {
 public:
  std::string positional() const override {
    return "[--ref F] --hyp F [--ref-column N] [--hyp-column N]";
  }
  void declare(po::options_description& options) const override {
    FileScorer::declare(options);
    declare_once(options, "ref-column",
                 "which column of --ref has the tags (default: the last; without --ref, of --hyp "
                 "the one before the last)");
    declare_once(options, "hyp-column", "which column of --hyp has the tags (default: the last)");
  }

 protected:
  const char* predicted() const override { return "hyp"; }
  Json score(const CommandContext&, const std::string& scorer,
             const po::variables_map& given) const override {
    const std::string file = require_option(given, scorer, predicted());
    const bool is_one_file = !given.count("ref");  // as conlleval reads it
    const std::string reference = is_one_file ? file : require_option(given, scorer, "ref");
    const std::vector<TaggedSentence> truth = read_conll(
                                          reference,
                                          column_of(given, "ref-column", is_one_file ? -1 : 0)),
                                      predicted =
                                          read_conll(file, column_of(given, "hyp-column", 0));
    require_same_words(reference, truth, file, predicted);
    EntityScore score;
    for (size_t i = 0; i < truth.size(); ++i) score.add(predicted[i].tags, truth[i].tags);
    Json scores = {{"accuracy", score.accuracy()}};
    for (const auto& [type, counts] : score.counts()) {
      const std::string before = type.empty() ? "" : type + ".";
      scores[before + "precision"] = counts.precision();
      scores[before + "recall"] = counts.recall();
      scores[before + "f1"] = counts.f1();
    }
    return scores;
  }
};

RETHINK_REGISTERED = add_scorer<Conll>("conll", "F1 of entities, as conlleval counts it");

}  // namespace
}  // namespace rethink
