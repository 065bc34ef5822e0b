// Padding of a batch is in no cluster of routing attention and moves no centroid.
#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "datasets/vocabulary.h"
#include "experiments/train/jobs/lm.h"
#include "experiments/train/jobs/mt.h"
#include "models/tensors/tensor_file.h"
#include "tests/support/error_ratio.h"
#include "tests/support/temp_folder.h"

namespace rethink {
namespace {

constexpr double kDecay = 0.75;

/// A data set of lines with the given numbers of tokens.
class Lines : public TokenDataset {
 public:
  explicit Lines(const std::vector<size_t>& lengths) {
    int32_t token = 0;
    for (const size_t length : lengths) {
      for (size_t i = 0; i < length; ++i)
        tokens_.push_back(Vocabulary::kSpecials + (token = (5 * token + 3) % 7));
      offsets_.push_back(tokens_.size());
    }
  }
  const Vocabulary& vocabulary() const override { return vocabulary_; }
  std::vector<std::string> splits() const override { return {"train", "dev"}; }
  TokenSequences sequences(const std::string&) const override { return {offsets_, tokens_}; }

 private:
  const Vocabulary vocabulary_{std::vector<std::string>{"a", "b", "c", "d", "e", "f", "g"}};
  std::vector<uint64_t> offsets_ = {0};
  std::vector<int32_t> tokens_;
};

AttentionChoice routing(const std::string& assignment) {
  return {"routing",
          {{"assignment", assignment}, {"clusters", 3}, {"window", 3}, {"decay", kDecay}},
          {}};
}

LanguageModelTask language_model(const std::string& assignment, int64_t batch) {
  ModelOptions model;
  model.layers = 1;
  model.d_model = model.ffn = 8;
  model.heads = 2;
  model.dropout = 0;
  model.attention = routing(assignment);
  return LanguageModelTask(std::make_shared<Lines>(std::vector<size_t>{9, 4, 7}), model,
                           {.batching = {.batch = batch, .buckets = false}}, /*seed=*/0, at::kCPU);
}

struct Learned {
  at::Tensor centroids;
  double loss;
};

/// Returns the centroids after one training pass over these sequences, from the initial centroids.
Learned learned(Task& task, const std::string& centroids, const std::vector<uint32_t>& indices) {
  const at::Tensor now = weights_of(task.model()).at(centroids), start = now.clone();
  task.model().train();
  const double loss = task.loss(task.batch(indices), {}).sum.item<double>();
  const Learned after{now.clone(), loss};
  const at::NoGradGuard no_gradient;
  now.copy_(start);
  return after;
}

/// Compares sequences of different lengths in one batch with each sequence alone.
void expect_no_trace_of_padding(Task& task, const std::string& centroids) {
  const at::Tensor start = weights_of(task.model()).at(centroids).clone();
  const Learned together = learned(task, centroids, {0, 1, 2});
  at::Tensor expected = start * kDecay;
  double loss = 0;
  for (const uint32_t index : {0u, 1u, 2u}) {
    const Learned alone = learned(task, centroids, {index});
    expected = expected + alone.centroids - start * kDecay;
    loss += alone.loss;
  }
  EXPECT_LT(worst_difference(together.centroids, expected), 1e-5);
  EXPECT_GT(worst_difference(together.centroids, start), 0.1);
  EXPECT_NEAR(together.loss, loss, 1e-4);
}

TEST(RoutingPadding, IsInNoClusterOfALanguageModel) {
  for (const char* assignment : {"nearest", "balanced"}) {
    LanguageModelTask task = language_model(assignment, 3);
    expect_no_trace_of_padding(task, "layers.1.attention.centroids");
  }
}

TEST(RoutingPadding, ChangesNoEvaluation) {
  for (const char* assignment : {"nearest", "balanced"}) {
    LanguageModelTask padded = language_model(assignment, 3), alone = language_model(assignment, 1);
    const auto nll = [](LanguageModelTask& task) {
      task.model().eval();
      return task.evaluate("dev", {.seed = 0, .step = 1, .alive = {}}).predictions.at("nll");
    };
    EXPECT_LT(worst_difference(nll(padded), nll(alone)), 1e-5) << assignment;
  }
}

TEST(RoutingPadding, IsInNoClusterOfATranslationDecoder) {
  const TempFolder folder;
  TranslationModelOptions model;
  model.encoder_layers = model.layers = 1;
  model.d_model = model.ffn = 8;
  model.heads = 2;
  model.dropout = 0;
  for (const char* assignment : {"nearest", "balanced"}) {
    model.attention = routing(assignment);
    const auto dataset = require_kind<TranslationDataset>(
        datasets().make("synthetic_translations", {{"sentences", 40}, {"words", 8}, {"length", 6}},
                        {folder.path(), folder / "cache"}),
        "synthetic_translations");
    const TokenSequences target = dataset->split("train").target;
    ASSERT_NE(std::max({target[0].size(), target[1].size(), target[2].size()}),
              std::min({target[0].size(), target[1].size(), target[2].size()}));
    TranslationTask task(dataset, model, {}, /*seed=*/3, at::kCPU);
    expect_no_trace_of_padding(task, "decoder.layers.1.attention.centroids");
  }
}

}  // namespace
}  // namespace rethink
