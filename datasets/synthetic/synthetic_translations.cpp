// A made-up language and its translation, which need no file. Every word has one translation, and a
// property before its thing is after it in the translation. So a translation needs each word and
// its neighbours.
#include <array>

#include "core/json.h"
#include "datasets/synthetic/synthetic_words.h"
#include "datasets/translation/translations.h"

namespace rethink {
namespace {

struct SyntheticTranslationsOptions : TranslationOptions {
  int64_t sentences = 500;
  int64_t words = 40;
  int64_t length = 8;
  int64_t seed = 1;

  SyntheticTranslationsOptions() {
    unit = "words";
    vocabulary = 0;
  }
  void fields(Fields& field) {
    TranslationOptions::fields(field);
    field("sentences", sentences, "training pairs; dev and test have a tenth each").min(20);
    field("words", words, "words of each language").min(4);
    field("length", length, "longest sentence [words]").min(2);
    field("seed", seed, "seed of the sentences, independent of a trial's seed").min(0);
  }
};

constexpr uint64_t kSentencePairStream = 0x7472616e736c6100;  // "transla" in ASCII
constexpr double kPairShare = 0.4;  // share of positions at which a pair may begin

/// One sentence and its translation: things, some with a property before them. Things have odd
/// numbers.
std::array<std::string, 2> sentence_pair(const SyntheticTranslationsOptions& options,
                                         uint64_t number) {
  PhiloxStream random({static_cast<uint64_t>(options.seed), kSentencePairStream + number});
  const auto words = static_cast<uint64_t>(options.words);
  const auto length = static_cast<size_t>(synthetic_length(options.length, random));
  std::vector<uint64_t> source, target;
  while (source.size() < length) {
    const uint64_t thing = 2 * random.below(words / 2) + 1, property = 2 * random.below(words / 2);
    if (source.size() + 2 <= length && random.uniform() < kPairShare) {
      source.insert(source.end(), {property, thing});
      target.insert(target.end(), {thing, property});
    } else {
      source.push_back(thing);
      target.push_back(thing);
    }
  }
  std::array<std::string, 2> sides;
  for (size_t i = 0; i < source.size(); ++i) {
    const std::string space = i == 0 ? "" : " ";
    sides[0] += space + synthetic_word(source[i]);
    sides[1] += space + synthetic_word(words + target[i]);
  }
  return sides;
}

std::shared_ptr<TranslationDataset> open_synthetic(const SyntheticTranslationsOptions& options,
                                                   const DataFolders& folders) {
  const auto read = [&](size_t split) {
    const auto [name, begin, end] = synthetic_splits(options.sentences)[split];
    ParallelText text;
    for (uint64_t number = begin; number < end; ++number) {
      const auto [source, target] = sentence_pair(options, number);
      text.source.push_back(source);
      text.target.push_back(target);
    }
    return text;
  };
  const Json own = {{"sentences", options.sentences},
                    {"words", options.words},
                    {"length", options.length},
                    {"seed", options.seed}};
  return open_translations({.name = "synthetic_translations",
                            .files = {},
                            .options = own,
                            .is_tokenized = true,
                            .splits = {"train", "dev", "test"},
                            .read = read},
                           options, folders);
}

DatasetFacts synthetic_translations_facts() {
  DatasetFacts all = translation_facts();
  all.splits = {"train", "dev", "test"};
  return all;
}

RETHINK_REGISTERED = datasets().add<SyntheticTranslationsOptions>(
    {.name = "synthetic_translations",
     .summary = "a made-up language and its translation, in which pairs of words are swapped; "
                "needs no file",
     .facts = synthetic_translations_facts()},
    open_synthetic);

}  // namespace
}  // namespace rethink
