// A pair of sentences, two classes: whether the first sentence contains every word of the second.
#include <algorithm>

#include "datasets/synthetic/synthetic_labelled.h"

namespace rethink {
namespace {

LabelledExample make_pair_example(const SyntheticLabelledOptions& options, PhiloxStream& random) {
  const std::vector<std::string> first =
      synthetic_words(synthetic_length(options.length, random), 0, options.words, random);
  const size_t begin = random.below(first.size() - 1);
  std::vector<std::string> second(first.begin() + static_cast<ptrdiff_t>(begin), first.end());
  const bool follows = random.below(2) == 1;
  // Adds a word of the language that the first sentence lacks, or else a word of another part.
  if (!follows) {
    std::string stranger = synthetic_words(1, 0, options.words, random)[0];
    if (std::find(first.begin(), first.end(), stranger) != first.end())
      stranger = synthetic_words(1, static_cast<uint64_t>(options.words), options.words, random)[0];
    second[random.below(second.size())] = stranger;
  }
  return {{{joined(first, " ") + " .", joined(second, " ") + " ."}}, follows ? 0.0 : 1.0, ""};
}

RETHINK_REGISTERED = add_synthetic_labelled(
    "pair", "pairs, two classes: does the first hold every word of the second; needs no file",
    {.labels = {"entailment", "not_entailment"}, .metrics = {"accuracy", "f1"}}, make_pair_example);

}  // namespace
}  // namespace rethink
