// Sentences with made-up entities that need no file. An entity is a sequence of names. Only the
// word before it determines its type: each type has a few such words. Names have no type, so that
// the learned relation is between two words.
#include "core/json.h"
#include "datasets/labelled/tagged.h"
#include "datasets/synthetic/synthetic_words.h"

namespace rethink {
namespace {

struct SyntheticTagsOptions {
  int64_t sentences = 500;
  int64_t types = 2;
  int64_t names = 20;
  int64_t words = 40;
  int64_t length = 12;
  int64_t seed = 1;

  void fields(Fields& field) {
    field("sentences", sentences, "training sentences; dev and test have a tenth each").min(20);
    field("types", types, "number of entity types").min(1).max(20);
    field("names", names, "words that occur in entities").min(2);
    field("words", words, "words that neither announce an entity nor occur in one").min(2);
    field("length", length, "longest sentence [words]").min(6);
    field("seed", seed, "seed of the sentences, independent of a trial's seed").min(0);
  }
};

constexpr uint64_t kTaggedSentenceStream = 0x73656e74656e6300;  // "sentenc" in ASCII
constexpr uint64_t kAnnouncers = 3;                             // words that announce a type
constexpr uint64_t kLongestEntity = 3;                          // words
constexpr double kEntityShare = 0.3;  // share of positions at which one may begin

/// Makes one sentence after the other; the words of each kind have their own numbers.
class SentenceMaker {
 public:
  SentenceMaker(const SyntheticTagsOptions& options, uint64_t number)
      : options_(options),
        random_({static_cast<uint64_t>(options.seed), kTaggedSentenceStream + number}) {}

  TaggedSentence make() {
    const auto length = static_cast<size_t>(synthetic_length(options_.length, random_));
    while (sentence_.words.size() < length) {
      const bool fits = sentence_.words.size() + 1 + kLongestEntity <= length;
      if (fits && random_.uniform() < kEntityShare) {
        add_entity();
      } else {
        add(number_of_words() + random_.below(static_cast<uint64_t>(options_.words)), "O");
      }
    }
    return std::move(sentence_);
  }

 private:
  /// Words that announce types, and names.
  uint64_t number_of_words() const {
    return static_cast<uint64_t>(options_.types) * kAnnouncers +
           static_cast<uint64_t>(options_.names);
  }

  void add(uint64_t word, const std::string& tag) {
    sentence_.words.push_back(synthetic_word(word));
    sentence_.tags.push_back(tag);
  }

  void add_entity() {
    const auto types = static_cast<uint64_t>(options_.types);
    const uint64_t type = random_.below(types);
    const std::string name = "T" + std::to_string(type + 1);
    add(type * kAnnouncers + random_.below(kAnnouncers), "O");
    const uint64_t size = 1 + random_.below(kLongestEntity);
    for (uint64_t i = 0; i < size; ++i) {
      add(types * kAnnouncers + random_.below(static_cast<uint64_t>(options_.names)),
          (i == 0 ? "B-" : "I-") + name);
    }
  }

  const SyntheticTagsOptions& options_;
  PhiloxStream random_;
  TaggedSentence sentence_;
};

std::shared_ptr<TaggedDataset> open_synthetic_tags(const SyntheticTagsOptions& options,
                                                   const DataFolders&) {
  std::vector<TaggedSplit> splits;
  for (const auto& [name, begin, end] : synthetic_splits(options.sentences)) {
    TaggedSplit& split = splits.emplace_back(TaggedSplit{name, {}});
    for (uint64_t number = begin; number < end; ++number)
      split.sentences.push_back(SentenceMaker(options, number).make());
  }
  return std::make_shared<TaggedDataset>("synthetic_tags", std::move(splits));
}

DatasetFacts synthetic_tags_facts() {
  DatasetFacts all = tagged_facts();
  all.splits = {"train", "dev", "test"};
  return all;
}

RETHINK_REGISTERED = datasets().add<SyntheticTagsOptions>(
    {.name = "synthetic_tags",
     .summary = "made-up entities whose type is announced by the word before; needs no file",
     .facts = synthetic_tags_facts()},
    open_synthetic_tags);

}  // namespace
}  // namespace rethink
