// One sentence, two classes: whether it has more words of praise than of blame. A turning word,
// which half of the sentences have at a random position, reverses the answer.
#include "datasets/synthetic/synthetic_labelled.h"

namespace rethink {
namespace {

constexpr uint64_t kTurningWord = 1000;  // beyond the language's own words

LabelledExample make_sentence_example(const SyntheticLabelledOptions& options,
                                      PhiloxStream& random) {
  // Words of praise, of blame and of neither: a third of the language each.
  const int64_t kind_size = options.words / 3;
  const bool is_praise = random.below(2) == 1, is_turned = random.below(2) == 1;
  const int64_t length = synthetic_length(options.length, random);
  const int64_t weaker = static_cast<int64_t>(random.below(static_cast<uint64_t>(length / 3) + 1));
  std::vector<std::string> words;
  const auto add = [&](int64_t count, int64_t kind) {
    for (const std::string& word :
         synthetic_words(count, static_cast<uint64_t>(kind * kind_size), kind_size, random))
      words.insert(words.begin() + static_cast<ptrdiff_t>(random.below(words.size() + 1)), word);
  };
  add(weaker + 1, is_praise ? 0 : 1);
  add(weaker, is_praise ? 1 : 0);
  add(length - static_cast<int64_t>(words.size()), 2);
  if (is_turned) {
    words.insert(words.begin() + static_cast<ptrdiff_t>(random.below(words.size() + 1)),
                 synthetic_word(kTurningWord));
  }
  return {{{joined(words, " ") + " .", {}}}, is_praise != is_turned ? 1.0 : 0.0, ""};
}

RETHINK_REGISTERED = add_synthetic_labelled(
    "sentence", "one sentence, two classes: more praise than blame, unless turned; needs no file",
    {.labels = {"0", "1"}, .metrics = {"mcc", "accuracy"}}, make_sentence_example);

}  // namespace
}  // namespace rethink
