// `rethink score conll --ref F --hyp F`: precision, recall and F1 of entities, in percent, as
// conlleval says.
#include <fmt/format.h>

#include "app/driver/scorers.h"
#include "datasets/conll_file.h"
#include "datasets/scores/entities.h"

namespace rethink {
namespace {

/// Throws ConfigError unless both files tag the same words.
void require_same_words(const std::string& reference, const std::vector<TaggedSentence>& truth,
                        const std::string& file, const std::vector<TaggedSentence>& predicted) {
  for (size_t i = 0; i < std::min(truth.size(), predicted.size()); ++i) {
    if (truth[i].words == predicted[i].words) continue;
    throw ConfigError(
        fmt::format("{}:{}: this sentence has other words than {}:{}; expected the same words in "
                    "the same order",
                    file, predicted[i].line, reference, truth[i].line));
  }
  if (truth.size() == predicted.size()) return;
  throw ConfigError(fmt::format("{} has {} sentences, expected those of {}, {}", file,
                                predicted.size(), reference, truth.size()));
}

class Conll : public FileScorer {
 protected:
  const char* predicted() const override { return "hyp"; }
  Json score(const CommandContext&, const std::string& scorer,
             const po::variables_map& given) const override {
    const std::string reference = require_option(given, scorer, "ref"),
                      file = require_option(given, scorer, predicted());
    const std::vector<TaggedSentence> truth = read_conll(reference), predicted = read_conll(file);
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

const bool registered = add_scorer<Conll>("conll", "F1 of entities, as conlleval counts it");

}  // namespace
}  // namespace rethink
