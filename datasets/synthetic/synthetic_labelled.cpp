#include "datasets/synthetic/synthetic_labelled.h"

#include "core/json.h"

namespace rethink {
namespace {

constexpr uint64_t kExampleStream = 0x6578616d706c6500;  // "example" in ASCII

std::shared_ptr<LabelledDataset> open(const std::string& name, const LabelledTask& task,
                                      const MakeExample& make,
                                      const SyntheticLabelledOptions& options) {
  std::vector<LabelledSplit> splits;
  for (const auto& [split, begin, end] : synthetic_splits(options.examples)) {
    LabelledSplit& made = splits.emplace_back(LabelledSplit{split, {}});
    for (uint64_t number = begin; number < end; ++number) {
      PhiloxStream random({static_cast<uint64_t>(options.seed), kExampleStream + number});
      const bool is_noise = random.uniform() < options.noise;
      LabelledExample example = make(options, random);
      const size_t values =
          task.choices > 1 ? static_cast<size_t>(task.choices) : task.labels.size();
      if (is_noise && !task.is_score()) example.label = static_cast<double>(random.below(values));
      example.index = std::to_string(number - begin);
      made.examples.push_back(std::move(example));
    }
  }
  return std::make_shared<LabelledDataset>(name, task, std::move(splits), options);
}

}  // namespace

void SyntheticLabelledOptions::fields(Fields& field) {
  LabelledOptions::fields(field);
  field("examples", examples, "training examples; dev and test have a tenth each").min(20);
  field("words", words, "words of the language").min(12);
  field("length", length, "longest sentence; the shortest is half as long [words]").min(4);
  field("noise", noise, "share of the labels that are replaced by random ones").min(0).below(0.5);
  field("seed", seed, "seed of the examples, independent of a trial's seed").min(0);
}

bool add_synthetic_labelled(const std::string& name, const std::string& summary,
                            const LabelledTask& task, const MakeExample& make) {
  const std::string whole_name = "synthetic_labelled/" + name;
  DatasetFacts facts = labelled_facts(task);
  facts.splits = {"train", "dev", "test", "holdout"};
  return datasets().add<SyntheticLabelledOptions>(
      {.name = whole_name, .summary = summary, .facts = facts},
      [whole_name, task, make](const SyntheticLabelledOptions& options, const DataFolders&) {
        return open(whole_name, task, make, options);
      });
}

std::vector<std::string> synthetic_words(int64_t count, uint64_t first, int64_t words,
                                         PhiloxStream& random) {
  std::vector<std::string> drawn_words;
  for (int64_t i = 0; i < count; ++i)
    drawn_words.push_back(synthetic_word(first + random.below(static_cast<uint64_t>(words))));
  return drawn_words;
}

}  // namespace rethink
