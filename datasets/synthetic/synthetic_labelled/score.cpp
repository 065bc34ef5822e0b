// A pair of sentences and a score from 0 to 5: five times the share of the second's words that
// equal the first's at the same position.
#include "datasets/synthetic/synthetic_labelled.h"

namespace rethink {
namespace {

LabelledExample make_score_example(const SyntheticLabelledOptions& options, PhiloxStream& random) {
  const std::vector<std::string> first =
      synthetic_words(synthetic_length(options.length, random), 0, options.words, random);
  std::vector<std::string> second = first;
  const double kept = random.uniform();
  size_t same = 0;
  for (size_t place = 0; place < second.size(); ++place) {
    if (random.uniform() >= kept) second[place] = synthetic_words(1, 0, options.words, random)[0];
    same += second[place] == first[place];
  }
  const double score = 5 * static_cast<double>(same) / static_cast<double>(first.size());
  return {{{joined(first, " ") + " .", joined(second, " ") + " ."}}, score, ""};
}

RETHINK_REGISTERED =
    add_synthetic_labelled("score", "pairs with a score: how many words are alike; needs no file",
                           {.labels = {}, .metrics = {"spearman", "pearson"}}, make_score_example);

}  // namespace
}  // namespace rethink
