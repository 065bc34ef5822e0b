// A language that needs no file: nested agreement over long distances in a stream of Markov words,
// so that only a model with attention can predict the agreeing words.
//
// Each sentence has openers (as nouns), closers (as verbs) and fillers. An opener of class c must
// be closed by a closer of class c, like brackets, with fillers and other pairs in between. Fillers
// follow a Markov chain with `branching` successors each. The class of a closer can be predicted
// only from its opener.
#include <fmt/format.h>

#include "core/config/schema.h"
#include "core/json.h"
#include "datasets/files/token_cache.h"
#include "datasets/synthetic/synthetic_words.h"

namespace rethink {
namespace {

struct SyntheticLanguageOptions {
  int64_t sentences = 10000;
  int64_t vocabulary = 200;
  int64_t length = 40;
  int64_t classes = 8;
  int64_t branching = 6;
  double open_probability = 0.2;
  int64_t seed = 1;

  void fields(Fields& field) {
    field("sentences", sentences, "training sentences; dev and test have a tenth each [sentences]")
        .min(10);
    field("vocabulary", vocabulary,
          "words of the language, without the four special tokens [words]")
        .min(20);
    field("length", length, "longest sentence; the shortest is half as long [words]").min(4);
    field("classes", classes,
          "classes of brackets: an opener and its closer have the same class; each class has 2 "
          "openers and 2 closers")
        .min(1);
    field("branching", branching, "words that may follow a filler, with odds of 1, 1/2, 1/3, ...")
        .min(1);
    field("open_probability", open_probability,
          "probability of an opener where the grammar allows one")
        .above(0)
        .max(0.5);
    field("seed", seed, "seed of grammar and sentences, independent of a trial's seed").min(0);
  }
  static std::vector<Rule> rules() {
    return {at_most(
        4, "classes", 2, "vocabulary",
        "a class takes 4 words, and 2 more must be left: raise vocabulary, or lower classes")};
  }
};

constexpr int64_t kFormsPerClass = 2;
constexpr uint64_t kGrammarStream = 0x6772616d6d61720a,
                   kLanguageSentenceStream = 0x73656e74656e6300;

class Language {
 public:
  explicit Language(const SyntheticLanguageOptions& options)
      : options_(options), pair_words_(options.classes * kFormsPerClass) {
    fillers_ = options.vocabulary - 2 * pair_words_;
    if (fillers_ < 2) {
      throw ConfigError(
          "invalid-value",
          fmt::format("synthetic_language: got vocabulary {}, expected at least {} for {} classes",
                      options.vocabulary, 2 * pair_words_ + 2, options.classes));
    }
    PhiloxStream random({static_cast<uint64_t>(options.seed), kGrammarStream});
    for (int64_t filler = 0; filler < fillers_; ++filler) {
      for (int64_t choice = 0; choice < options.branching; ++choice) {
        successors_.push_back(static_cast<int64_t>(random.below(static_cast<uint64_t>(fillers_))));
      }
    }
    double total = 0;
    for (int64_t choice = 1; choice <= options.branching; ++choice)
      total += 1.0 / static_cast<double>(choice);
    for (int64_t choice = 1; choice <= options.branching; ++choice) {
      const double before = cumulative_.empty() ? 0 : cumulative_.back();
      cumulative_.push_back(before + 1.0 / (static_cast<double>(choice) * total));
    }
  }

  Vocabulary vocabulary() const {
    std::vector<std::string> words;
    for (const char* kind : {"open", "close"}) {
      for (int64_t word = 0; word < pair_words_; ++word) {
        words.push_back(
            fmt::format("{}{}{}", kind, word / kFormsPerClass, "ab"[word % kFormsPerClass]));
      }
    }
    for (int64_t filler = 0; filler < fillers_; ++filler)
      words.push_back(fmt::format("w{}", filler));
    return Vocabulary(words);
  }

  /// Appends sentence `number`, which depends only on this number, with start and end symbols.
  void add_sentence(uint64_t number, PreparedSplit& split) const {
    PhiloxStream random({static_cast<uint64_t>(options_.seed), kLanguageSentenceStream + number});
    const int64_t wanted = synthetic_length(options_.length, random);
    std::vector<int64_t> open;  // classes of open pairs, innermost last
    int64_t filler = static_cast<int64_t>(random.below(static_cast<uint64_t>(fillers_)));
    split.tokens.push_back(Vocabulary::kStart);
    for (int64_t place = 0; place < wanted; ++place) {
      const int64_t left = wanted - place, depth = static_cast<int64_t>(open.size());
      const double draw = random.uniform();
      if (depth == left || (depth > 0 && draw < options_.open_probability)) {
        split.tokens.push_back(word(pair_words_ + form(open.back(), random)));
        open.pop_back();
      } else if (depth + 2 <= left && draw >= 1 - options_.open_probability) {
        open.push_back(static_cast<int64_t>(random.below(static_cast<uint64_t>(options_.classes))));
        split.tokens.push_back(word(form(open.back(), random)));
      } else {
        filler = next_filler(filler, random);
        split.tokens.push_back(word(2 * pair_words_ + filler));
      }
    }
    split.tokens.push_back(Vocabulary::kEnd);
    split.end_sequence();
  }

 private:
  static int32_t word(int64_t number) {
    return static_cast<int32_t>(number) + Vocabulary::kSpecials;
  }

  static int64_t form(int64_t word_class, PhiloxStream& random) {
    return word_class * kFormsPerClass + static_cast<int64_t>(random.below(kFormsPerClass));
  }

  int64_t next_filler(int64_t filler, PhiloxStream& random) const {
    const double draw = random.uniform();
    int64_t choice = 0;
    while (choice + 1 < options_.branching && draw >= cumulative_[static_cast<size_t>(choice)])
      ++choice;
    return successors_[static_cast<size_t>(filler * options_.branching + choice)];
  }

  SyntheticLanguageOptions options_;
  int64_t pair_words_, fillers_ = 0;
  std::vector<int64_t> successors_;  // [filler, choice]
  std::vector<double> cumulative_;   // [choice]
};

PreparedData generate(const SyntheticLanguageOptions& options) {
  const Language language(options);
  PreparedData data{language.vocabulary(), {}};
  for (const auto& [name, begin, end] : synthetic_splits(options.sentences)) {
    PreparedSplit& split = data.splits.emplace_back();
    split.name = name;
    for (uint64_t number = begin; number < end; ++number) language.add_sentence(number, split);
  }
  return data;
}

std::shared_ptr<TokenDataset> open_synthetic_language(const SyntheticLanguageOptions& options,
                                                      const DataFolders& folders) {
  const std::string key =
      token_cache_key({{"options", write_options(options)}}, "synthetic_language", {}, folders);
  return open_token_cache(folders.cache, key, [&] { return generate(options); });
}

RETHINK_REGISTERED = datasets().add<SyntheticLanguageOptions>(
    {.name = "synthetic_language",
     .summary = "nested long-range agreement among Markov words; needs no file",
     .facts = {.kind = "text", .splits = {"train", "dev", "test"}, .metric = "perplexity"}},
    open_synthetic_language);

}  // namespace
}  // namespace rethink
