// `rethink score bleu --ref F --pred F`: BLEU of translations, a sentence a line, as sacreBLEU says
// (13a, mixed case, exponential smoothing), or, with --tokens, as Moses' multi-bleu.perl.
#include "datasets/scores/bleu.h"

#include <fmt/format.h>

#include "app/driver/scorers.h"
#include "core/file.h"
#include "datasets/unicode_text.h"

namespace rethink {
namespace {

std::vector<std::string> lines_of(const std::string& file) {
  std::vector<std::string> lines;
  std::string text = read_file(file);
  if (!text.empty() && text.back() != '\n') text += '\n';
  for (size_t begin = 0, end; begin < text.size(); begin = end + 1) {
    end = text.find('\n', begin);
    lines.push_back(text.substr(begin, end - begin));
  }
  return lines;
}

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
    const std::vector<std::string> truth = lines_of(reference), predicted = lines_of(file);
    if (truth.size() != predicted.size()) {
      throw ConfigError(fmt::format("{} has {} lines, expected those of {}, {}", file,
                                    predicted.size(), reference, truth.size()));
    }
    if (truth.empty()) throw ConfigError(fmt::format("{} is empty", reference));
    const bool tokens = given["tokens"].as<bool>(), lower = given["lowercase"].as<bool>();
    const auto words = [&](const std::string& line) {
      const std::string text = lower ? lower_case(line) : line;
      return tokens ? words_between_spaces(text) : words_of_13a(text);
    };
    BleuScore score;
    for (size_t i = 0; i < truth.size(); ++i) score.add(words(predicted[i]), words(truth[i]));
    const BleuSmoothing smoothing = tokens ? BleuSmoothing::none : BleuSmoothing::exponential;
    Json scores = {{"bleu", score.value(smoothing)},
                   {"brevity_penalty", score.brevity_penalty()},
                   {"predicted_words", score.predicted_words()},
                   {"reference_words", score.reference_words()}};
    const auto precisions = score.precisions(smoothing);
    for (size_t i = 0; i < precisions.size(); ++i)
      scores[fmt::format("precision_{}", i + 1)] = precisions[i];
    return scores;
  }
};

const bool registered = add_scorer<Bleu>("bleu", "BLEU of translations, as sacreBLEU and Moses");

}  // namespace
}  // namespace rethink
