#include "experiments/train/batches/batch_stream.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"

namespace rethink {
namespace {

/// Three batches per epoch. `tokens` of a batch encodes its epoch and its position.
class Numbers : public Task {
 public:
  torch::nn::Module& model() override { return model_; }
  std::vector<std::vector<uint32_t>> epoch_batches(int64_t epoch) const override {
    const auto first = static_cast<uint32_t>(10 * epoch);
    return {{first}, {first + 1}, {first + 2}};
  }
  Batch batch(const std::vector<uint32_t>& indices) const override {
    if (indices[0] == fails_at) throw TrialError("wrong-data", "no such sequence");
    return {.columns = {}, .tokens = indices[0], .read = static_cast<int64_t>(indices.size())};
  }
  /// Sequences 11 and 21 are long, the others short.
  int64_t padded_tokens(const std::vector<uint32_t>& indices) const override {
    int64_t longest = 1;
    for (const uint32_t index : indices)
      if (index % 10 == 1 && index > 10) longest = of_long_ones;
    return longest * static_cast<int64_t>(indices.size());
  }
  BatchLoss loss(const Batch&, PhiloxKey) override { return {}; }
  SplitResult evaluate(const std::string&, const EvaluationPass&) override { return {}; }
  std::string default_metric() const override { return ""; }
  double guessing_loss() const override { return 0; }

  uint32_t fails_at = 1000;
  int64_t of_long_ones = 1;  // tokens

 private:
  torch::nn::Module model_;
};

TEST(BatchStream, ReadsEpochsInOrder) {
  const Numbers task;
  BatchStream stream(task, {});
  std::vector<int64_t> seen;
  for (int i = 0; i < 7; ++i) seen.push_back(stream.next().batch.tokens);
  EXPECT_THAT(seen, ::testing::ElementsAre(0, 1, 2, 10, 11, 12, 20));
}

TEST(BatchStream, ReturnsThePositionForAResume) {
  const Numbers task;
  BatchStream stream(task, {});
  for (int i = 0; i < 5; ++i) {
    const BatchStream::Item item = stream.next();
    BatchStream resumed(task, item.after);
    const int64_t expected = i + 1 < 3 ? i + 1 : 10 + i - 2;
    EXPECT_EQ(resumed.next().batch.tokens, expected) << i;
    EXPECT_EQ(item.ends_epoch, i == 2) << i;
  }
}

TEST(BatchStream, JoinsBatchesOfOneStepAndEpoch) {
  const Numbers task;
  BatchStream stream(task, {}, /*batches_of_step=*/4, /*joined=*/2);
  std::vector<std::pair<int64_t, int64_t>> seen;  // first index, count
  for (int i = 0; i < 6; ++i) {
    const BatchStream::Item item = stream.next();
    EXPECT_EQ(item.batch.read, item.batches);
    seen.emplace_back(item.batch.tokens, item.batches);
  }
  using testing::Pair;
  // Steps: 0 1 2 10, 11 12 20 21
  EXPECT_THAT(seen, testing::ElementsAre(Pair(0, 2), Pair(2, 1), Pair(10, 1), Pair(11, 2),
                                         Pair(20, 2), Pair(22, 1)));
}

TEST(BatchStream, DoesNotJoinBatchesThatWouldBeHalfPadding) {
  Numbers task;
  const auto joined = [&] {
    BatchStream stream(task, {.epoch = 1}, /*batches_of_step=*/3, /*joined=*/3);
    std::vector<int64_t> batches;
    for (int64_t taken = 0; taken < 3; taken += batches.back())
      batches.push_back(stream.next().batches);
    return batches;
  };
  task.of_long_ones = 10;
  EXPECT_THAT(joined(), testing::ElementsAre(1, 1, 1)) << "20 tokens for 11";
  task.of_long_ones = 1;
  EXPECT_THAT(joined(), testing::ElementsAre(3));
}

TEST(BatchStream, RethrowsErrorsOfPreparingABatch) {
  Numbers task;
  task.fails_at = 2;
  BatchStream stream(task, {});
  EXPECT_EQ(stream.next().batch.tokens, 0);
  EXPECT_EQ(stream.next().batch.tokens, 1);
  EXPECT_THROW(stream.next(), TrialError);
}

TEST(BatchStream, CanBeDestroyedBeforeItsEnd) {
  const Numbers task;
  BatchStream stream(task, {});
  EXPECT_EQ(stream.next().batch.tokens, 0);
}

}  // namespace
}  // namespace rethink
