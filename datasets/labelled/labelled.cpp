#include "datasets/labelled/labelled.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/error.h"
#include "core/json.h"
#include "datasets/dataset.h"
#include "datasets/philox_stream.h"

namespace rethink {
namespace {

// "holdrows" and "keeprows" in ASCII.
constexpr uint64_t kHeldOutRowsStream = 0x686f6c64726f7773, kKeptRowsStream = 0x6b656570726f7773;

}  // namespace

void LabelledOptions::fields(Fields& field) {
  field("train_examples", train_examples,
        "number of training examples, the same for every seed and arm; a larger sample contains "
        "the smaller ones; 0 = all")
      .min(0);
  field("holdout", holdout,
        "share of the training examples that becomes the split `holdout`, so that choices need not "
        "use a reported split; the same for every seed and arm")
      .min(0)
      .below(1);
}

std::vector<size_t> drawn(size_t size, size_t count, uint64_t stream) {
  PhiloxStream random({0, stream});
  std::vector<uint64_t> draws(size);
  for (uint64_t& draw : draws) draw = random.next();
  std::vector<size_t> order(size);
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return draws[a] < draws[b]; });
  order.resize(std::min(count, size));
  std::sort(order.begin(), order.end());
  return order;
}

std::vector<LabelledExample> take_out(std::vector<LabelledExample>& examples,
                                      const std::vector<size_t>& indices) {
  std::vector<LabelledExample> taken, left;
  size_t next = 0;
  for (size_t i = 0; i < examples.size(); ++i) {
    const bool is_taken = next < indices.size() && indices[next] == i;
    next += is_taken;
    (is_taken ? taken : left).push_back(std::move(examples[i]));
  }
  examples = std::move(left);
  return taken;
}

LabelledDataset::LabelledDataset(const std::string& name, LabelledTask task,
                                 std::vector<LabelledSplit> splits, const LabelledOptions& options)
    : name_(name), task_(std::move(task)), splits_(std::move(splits)) {
  const auto train = std::find_if(splits_.begin(), splits_.end(),
                                  [](const LabelledSplit& split) { return split.name == "train"; });
  RETHINK_ASSERT(train != splits_.end(), name);
  LabelledSplit held_out{"holdout", {}};
  if (options.holdout > 0) {
    const size_t size = train->examples.size();
    const auto count =
        static_cast<size_t>(std::lround(static_cast<double>(size) * options.holdout));
    held_out.examples = take_out(train->examples, drawn(size, count, kHeldOutRowsStream));
    if (held_out.examples.empty() || train->examples.empty()) {
      throw ConfigError("invalid-value",
                        fmt::format("data set '{}': holdout {} of {} training examples leaves {} "
                                    "held out and {} to train "
                                    "on; "
                                    "both need at least one",
                                    name_, options.holdout, size, held_out.examples.size(),
                                    train->examples.size()));
    }
  }
  for (LabelledSplit& split : splits_) split.whole_size = split.examples.size();
  const auto most = static_cast<size_t>(options.train_examples);
  if (most > 0 && most < train->examples.size())
    train->examples =
        take_out(train->examples, drawn(train->examples.size(), most, kKeptRowsStream));
  held_out.whole_size = held_out.examples.size();
  if (options.holdout > 0) splits_.push_back(std::move(held_out));
}

std::vector<std::string> LabelledDataset::splits() const {
  return names_of(splits_);
}

const LabelledSplit& LabelledDataset::find(const std::string& split) const {
  return split_named(
      split, splits_, name_,
      split == "holdout" ? "; set its option 'holdout' to a share of the training data" : "");
}

const std::vector<LabelledExample>& LabelledDataset::examples(const std::string& split) const {
  return find(split).examples;
}

size_t LabelledDataset::whole_size(const std::string& split) const {
  return find(split).whole_size;
}

DatasetFacts labelled_facts(const LabelledTask& task) {
  return {.kind = "labelled",
          .metric = task.metrics.front(),
          .metrics = task.metrics,
          .labels = task.labels,
          .other_names = task.other_names,
          .choices = task.choices};
}

LabelledTask labelled_task(const DatasetFacts& facts) {
  return {.labels = facts.labels,
          .choices = facts.choices,
          .metrics = facts.metrics,
          .other_names = facts.other_names};
}

}  // namespace rethink
