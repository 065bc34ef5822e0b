// Pretraining: batches that all arms share, and the learning of masks.
#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/json.h"
#include "datasets/wordpiece/trainer.h"
#include "experiments/train/jobs/pretrain.h"
#include "models/tensors/tensor_file.h"
#include "tests/support/throws_code.h"
#include "tests/unit/train/encoder_fixture.h"

namespace rethink {
namespace {

using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::Not;

std::shared_ptr<const DocumentDataset> documents() {
  return std::dynamic_pointer_cast<const DocumentDataset>(
      datasets().make("synthetic_documents", {{"documents", 12}}, DataFolders{}));
}

EncoderStart start_under(const Json& attention) {
  WordPieceTrainer trainer({.size = 300, .cased = false});
  const auto dataset = documents();
  for (const Document& document : dataset->documents("train")) {
    for (const std::string& sentence : document) trainer.add(sentence);
  }
  WordPiece pieces = trainer.train();
  const auto size = static_cast<int64_t>(pieces.size());
  return {
      read_options<EncoderOptions>(tiny_encoder(attention)), std::move(pieces), size, {}, nullptr};
}

constexpr int64_t kDuplicates = 2;

PretrainingTask task_under(const Json& attention, uint64_t seed,
                           std::optional<double> mask_lr = {}) {
  const auto dataset = documents();
  return PretrainingTask(*dataset, start_under(attention),
                         {.batching = {.batch = 8},
                          .duplicates = kDuplicates,
                          .pairs = {.max_length = 32},
                          .mask_lr = mask_lr,
                          .splits = {"dev"}},
                         seed, at::kCPU);
}

void copy_weights(PretrainingTask& from, PretrainingTask& to) {
  const at::NoGradGuard no_gradient;
  for (auto& [name, values] : weights_of(to.model())) values.copy_(weights_of(from.model())[name]);
}

TEST(PretrainingTask, PredictsTheSameHeldOutTokensInEveryArmAndAtEverySeed) {
  PretrainingTask one = task_under({{"kind", "dense"}}, 1),
                  other = task_under({{"kind", "masked"}, {"mask", {{"kind", "none"}}}}, 2);
  copy_weights(one, other);
  one.model().eval();
  other.model().eval();
  const SplitResult first = one.evaluate("dev", {.seed = 1, .step = 3, .alive = {}}),
                    second = other.evaluate("dev", {.seed = 2, .step = 8, .alive = {}});
  EXPECT_GT(first.predictions.at("nll").numel(), 3);
  EXPECT_TRUE(at::equal(first.predictions.at("tokens"), second.predictions.at("tokens")));
  EXPECT_TRUE(at::allclose(first.predictions.at("nll"), second.predictions.at("nll"), 1e-5));
  EXPECT_NEAR(first.values.at("mlm_loss"), second.values.at("mlm_loss"), 1e-5);
  const SplitResult part = one.evaluate("dev", {.seed = 1, .step = 3, .alive = {}, .most = 2});
  EXPECT_TRUE(
      at::equal(part.predictions.at("tokens"), first.predictions.at("tokens").slice(0, 0, 2)));
}

TEST(PretrainingTask, RefusesAVocabularyWithoutAMask) {
  EncoderStart start = start_under({{"kind", "dense"}});
  std::string pieces = start.pieces.to_text();
  pieces.erase(pieces.find("[MASK]\n"), 7);
  start.pieces = WordPiece::from_text(pieces, false, "vocab.txt");
  start.weights = "weights/no_mask";
  EXPECT_THAT(
      [&] {
        PretrainingTask(*documents(), start,
                        {.batching = {.batch = 8}, .pairs = {.max_length = 32}, .splits = {"dev"}},
                        0, at::kCPU);
      },
      ThrowsCode("wrong-weights"));
}

TEST(PretrainingTask, DrawsTrainingsMasksFromTheSeedAndThePass) {
  PretrainingTask one = task_under({{"kind", "dense"}}, 1),
                  same = task_under({{"kind", "dense"}}, 1),
                  other = task_under({{"kind", "dense"}}, 2);
  const auto ids = [](const PretrainingTask& task, int64_t epoch) {
    return task.batch(task.epoch_batches(epoch).front()).columns.at("input_ids");
  };
  EXPECT_TRUE(at::equal(ids(one, 0), ids(same, 0)));
  EXPECT_FALSE(at::equal(ids(one, 0), ids(one, 1)));
  EXPECT_FALSE(at::equal(ids(one, 0), ids(other, 0)));
}

/// There are two sets of pairs, so the third epoch has the pairs of the first, in another order.
TEST(PretrainingTask, ComesBackToTheFirstPairsAndMasksAfterAllDuplicates) {
  const PretrainingTask task = task_under({{"kind", "dense"}}, 1);
  const auto rows = [&](int64_t epoch) {
    std::vector<std::string> all;
    for (const auto& indices : task.epoch_batches(epoch)) {
      const at::Tensor ids = task.batch(indices).columns.at("input_ids");
      for (int64_t row = 0; row < ids.size(0); ++row) {
        std::string text;
        for (int64_t t = 0; t < ids.size(1); ++t)
          text += std::to_string(ids[row][t].item<int64_t>()) + " ";
        all.push_back(text.substr(0, text.find_last_not_of(" 0") + 1));
      }
    }
    return all;
  };
  const std::vector<std::string> first = rows(0), third = rows(kDuplicates);
  EXPECT_THAT(third, testing::UnorderedElementsAreArray(first));
  EXPECT_NE(third, first);
  EXPECT_THAT(rows(1), Not(testing::UnorderedElementsAreArray(first)));
}

TEST(PretrainingTask, OnlyTheScoresOfMasksHaveTheirOwnRateAndNoDecay) {
  PretrainingTask task = task_under({{"kind", "dam"}, {"length", 32}}, 1, 0.25);
  const std::vector<ParameterGroup> groups = task.parameter_groups();
  ASSERT_EQ(groups.size(), 2u);
  std::vector<std::vector<std::string>> names(2);
  for (size_t i = 0; i < groups.size(); ++i) {
    for (const auto& [name, parameter] : groups[i].parameters) names[i].push_back(name);
  }
  EXPECT_EQ(groups[0].lr, std::nullopt);
  EXPECT_TRUE(groups[0].decays);
  EXPECT_THAT(names[0], Each(Not(HasSubstr("alpha"))));
  EXPECT_EQ(groups[1].lr, 0.25);
  EXPECT_FALSE(groups[1].decays);
  ASSERT_EQ(names[1].size(), 1u);
  EXPECT_THAT(names[1][0], HasSubstr("alpha"));
}

}  // namespace
}  // namespace rethink
