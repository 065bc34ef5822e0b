// `rethink score bleu --ref F --pred F`: BLEU of translations, a sentence a line, as sacreBLEU says
// (13a, mixed case, exponential smoothing), or, with --tokens, as Moses' multi-bleu.perl.
#include "datasets/scores/bleu.h"

#include <fmt/format.h>

#include "app/driver/scorers.h"
#include "datasets/text_lines.h"
#include "datasets/unicode_text.h"

namespace rethink {
namespace {

class Bleu : public FileScorer {
 public:
  std::string positional() const override { return "--ref F --pred F [--tokens] [--lowercase]"; }

  void declare(po::options_description& options) const override {
    FileScorer::declare(options);
    options.add_options()("tokens", po::bool_switch(),
                          "bleu: lines are tokens with spaces between them, and a precision of 0 "
                          "stays 0 (multi-bleu.perl); else words are sacreBLEU's 13a, and it is "
                          "smoothed exponentially")("lowercase", po::bool_switch(),
                                                    "bleu: without regard to case");
  }

 protected:
  Json score(const CommandContext&, const std::string& scorer,
             const po::variables_map& given) const override {
    const std::string reference = require_option(given, scorer, "ref"),
                      file = require_option(given, scorer, "pred");
    const std::vector<std::string> truth = read_lines(reference), predicted = read_lines(file);
    if (truth.size() != predicted.size()) {
      throw ConfigError(fmt::format("{} has {} lines, expected those of {}, {}", file,
                                    predicted.size(), reference, truth.size()));
    }
    if (truth.empty()) throw ConfigError(fmt::format("{} is empty", reference));
    const bool tokens = given["tokens"].as<bool>(), lower = given["lowercase"].as<bool>();
    const auto text = [&](const std::string& line) { return lower ? lower_case(line) : line; };
    BleuScore score(tokens ? kMultiBleu : kSacreBleu);
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
