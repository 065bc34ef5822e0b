// `rethink score bleu --ref F --hyp F`: BLEU of translations, a sentence a line, as sacreBLEU says
// (13a, mixed case, exponential smoothing), or, with --tokenize none, as Moses' multi-bleu.perl.
#include "datasets/scores/bleu.h"

#include <fmt/format.h>

#include "app/driver/scorers.h"
#include "datasets/text_lines.h"
#include "datasets/unicode_text.h"

namespace rethink {
namespace {

class Bleu : public FileScorer {
 public:
  std::string positional() const override {
    return FileScorer::positional() + " [--tokenize 13a|none] [--lowercase]";
  }

  void declare(po::options_description& options) const override {
    FileScorer::declare(options);
    options.add_options()("tokenize", po::value<std::string>()->default_value("13a"),
                          "bleu: 13a: words are sacreBLEU's, and it is smoothed exponentially; "
                          "none: lines are tokens with spaces between them, and a precision of 0 "
                          "stays 0 (multi-bleu.perl)")("lowercase", po::bool_switch(),
                                                       "bleu: without regard to case");
  }

 protected:
  const char* predicted() const override { return "hyp"; }
  Json score(const CommandContext&, const std::string& scorer,
             const po::variables_map& given) const override {
    const std::string reference = require_option(given, scorer, "ref"),
                      file = require_option(given, scorer, predicted());
    const std::vector<std::string> truth = read_lines(reference), predicted = read_lines(file);
    if (truth.size() != predicted.size()) {
      throw ConfigError(fmt::format("{} has {} lines, expected those of {}, {}", file,
                                    predicted.size(), reference, truth.size()));
    }
    if (truth.empty()) throw ConfigError(fmt::format("{} is empty", reference));
    const std::string words = given["tokenize"].as<std::string>();
    if (words != "13a" && words != "none")
      throw ConfigError(fmt::format("--tokenize: got '{}', expected 13a or none", words));
    const bool lower = given["lowercase"].as<bool>();
    const auto text = [&](const std::string& line) { return lower ? lower_case(line) : line; };
    BleuScore score(words == "none" ? kMultiBleu : kSacreBleu);
    for (size_t i = 0; i < truth.size(); ++i) score.add(text(predicted[i]), text(truth[i]));
    Json scores = {{"bleu", score.value()},
                   {"brevity_penalty", score.brevity_penalty()},
                   {"predicted_words", score.predicted_words()},
                   {"reference_words", score.reference_words()}};
    const auto precisions = score.precisions();
    for (size_t i = 0; i < precisions.size(); ++i)
      scores[fmt::format("precision_{}", i + 1)] = precisions[i];
    return scores;
  }
};

const bool registered = add_scorer<Bleu>("bleu", "BLEU of translations, as sacreBLEU and Moses");

}  // namespace
}  // namespace rethink
