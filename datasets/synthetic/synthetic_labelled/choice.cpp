// Which of four endings continues a sentence: the one that contains the sentence's first word.
#include "datasets/labelled/endings.h"
#include "datasets/synthetic/synthetic_labelled.h"

namespace rethink {
namespace {

LabelledExample make_choice_example(const SyntheticLabelledOptions& options, PhiloxStream& random) {
  // A sixth of the words begin sentences, the others fill them.
  const int64_t topics = options.words / 6, fillers = options.words - topics;
  const auto filler = static_cast<uint64_t>(topics);
  const uint64_t topic = random.below(filler);
  const uint64_t right = random.below(4);
  std::vector<std::string> context = synthetic_words(1, topic, 1, random);
  for (const std::string& word :
       synthetic_words(synthetic_length(options.length, random) - 1, filler, fillers, random))
    context.push_back(word);
  std::vector<std::string> endings;
  for (uint64_t choice = 0; choice < 4; ++choice) {
    std::vector<std::string> words = synthetic_words(options.length / 2, filler, fillers, random);
    const uint64_t other = (topic + 1 + random.below(filler - 1)) % filler;
    words[random.below(words.size())] =
        synthetic_words(1, choice == right ? topic : other, 1, random)[0];
    endings.push_back(joined(words, " ") + " .");
  }
  return {inputs_of_endings(joined(context, " ") + " .", "", endings), static_cast<double>(right),
          ""};
}

RETHINK_REGISTERED = add_synthetic_labelled(
    "choice", "which of four endings has the sentence's topic; needs no file", four_endings(),
    make_choice_example);

}  // namespace
}  // namespace rethink
