#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "core/json.h"
#include "datasets/vocabulary.h"
#include "experiments/train/jobs/lm.h"
#include "models/attention/attend.h"
#include "models/tensors/random.h"
#include "tests/support/temp_folder.h"
#include "tests/support/throws_code.h"
#include "tests/unit/train/hinted_sentences.h"

namespace rethink {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

constexpr double kPenalty = 0.25;
constexpr int64_t kLayers = 2;

struct PenalisedOptions {
  void fields(Fields&) {}
};

/// Like `dense`, with an additional loss in each layer.
class PenalisedAttention : public ProjectedAttention {
 public:
  explicit PenalisedAttention(const AttentionSite& site) : ProjectedAttention(site) {}

  at::Tensor forward(const AttentionCall& call) override {
    if (call.record) call.record->add_loss("penalty", at::scalar_tensor(kPenalty));
    return merged("output",
                  attend(call, heads_of("query", call.query_input), heads_of("key", call.key_input),
                         heads_of("value", call.key_input), {}, call.random));
  }
};

RETHINK_REGISTERED = attentions().add<PenalisedOptions>(
    {.name = "test_penalised", .summary = "dense attention with a loss of its own"},
    [](const PenalisedOptions&, const AttentionSite& site) {
      return std::make_shared<PenalisedAttention>(site);
    });

LanguageModelTask task_with(const std::string& attention, const std::filesystem::path& cache) {
  ModelOptions model;
  model.layers = kLayers;
  model.d_model = 16;
  model.heads = 2;
  model.ffn = 16;
  model.dropout = 0.0;
  model.attention.name = attention;
  return LanguageModelTask(
      require_kind<TokenDataset>(
          datasets().make("synthetic_language", {{"sentences", 50}}, {.data = {}, .cache = cache}),
          "synthetic_language"),
      model, {.batching = {.batch = 8}}, /*seed=*/0, at::kCPU);
}

TEST(LanguageModelTask, GivesTheModelTheHintsOfABatch) {
  const TempFolder folder;
  std::string text;
  for (int i = 0; i < 6; ++i) {
    for (const auto& [sentence, hints] : hinted_sentences()) text += sentence + "\n";
  }
  write_text(folder / "text", text);
  write_text(folder / "trees", trees_of_hinted_sentences());
  ModelOptions model;
  model.layers = 1;
  model.d_model = 8;
  model.heads = 2;
  model.ffn = 8;
  model.attention.name = "syntax_guided";
  const auto dataset = require_kind<TokenDataset>(
      datasets().make("text", {{"path", "text"}, {"hints", {"trees"}}},
                      {.data = folder.path(), .cache = folder / "cache"}),
      "text");
  // Without buckets a batch has sentences of several lengths.
  LanguageModelTask task(dataset, model,
                         {.batching = {.batch = 7, .buckets = false}, .hints = true}, /*seed=*/0,
                         at::kCPU);
  std::set<std::string> seen;
  double words = 0, hinted = 0;
  for (const std::vector<uint32_t>& indices : task.epoch_batches(0)) {
    const Batch batch = task.batch(indices);
    for (const std::string& sentence :
         expect_own_hints(batch.columns.at("hints"), batch.columns.at("input_ids"),
                          [&](int32_t id) { return dataset->vocabulary().text(id); })) {
      seen.insert(sentence);
      const auto count = static_cast<double>(sentence.size() + 1) / 2;
      words += count;
      hinted += sentence == "k l" ? 0 : count;
    }
  }
  EXPECT_EQ(seen.size(), hinted_sentences().size());
  EXPECT_DOUBLE_EQ(task.hint_coverage(), hinted / words);
  task.model().train();
  const BatchLoss loss = task.loss(task.batch(task.epoch_batches(0).front()), {});
  EXPECT_GT(loss.record.losses.at("pointer").item<double>(), 0);
}

TEST(LanguageModelTask, RecordsTheLossesOfVariants) {
  const TempFolder folder;
  LanguageModelTask plain = task_with("dense", folder.path());
  LanguageModelTask penalised = task_with("test_penalised", folder.path());
  const Batch batch = plain.batch(plain.epoch_batches(0).front());
  const PhiloxKey pass = pass_key(0, RandomPurpose::training, 1);
  const BatchLoss nothing = plain.loss(batch, pass), penalty = penalised.loss(batch, pass);
  EXPECT_EQ(nothing.sum.item<double>(), penalty.sum.item<double>());
  EXPECT_TRUE(nothing.record.losses.empty());
  ASSERT_EQ(penalty.record.losses.size(), 1u);
  EXPECT_NEAR(penalty.record.losses.begin()->second.item<double>(), kPenalty * kLayers, 1e-6);
}

TEST(LanguageModelTask, CountsTheFlopsOfEveryPass) {
  const TempFolder folder;
  LanguageModelTask once = task_with("dense", folder.path());
  LanguageModelTask twice = task_with("bird_eye", folder.path());
  const Batch batch = once.batch(once.epoch_batches(0).front());
  const double rows = static_cast<double>(batch.columns.at("input_ids").size(0)),
               tokens = static_cast<double>(batch.columns.at("input_ids").size(1));
  // The FLOPs of one more attention: 2 each for scores and weighted sum, per pair of tokens and channel; the backward pass costs twice the forward pass. bird_eye has a vector w in place of one matrix, which the tolerance covers.
  const double pass = 3.0 * kLayers * 4.0 * rows * tokens * tokens * 16.0;
  EXPECT_NEAR(twice.loss(batch, {}).flops - once.loss(batch, {}).flops, pass, 0.2 * pass);
}

/// Sequences of repeated tokens. A split's list has their lengths.
class Lengths : public TokenDataset {
 public:
  explicit Lengths(const std::map<std::string, std::vector<uint64_t>>& lengths) {
    for (const auto& [split, of_split] : lengths) {
      std::vector<uint64_t>& offsets = offsets_[split] = {0};
      for (const uint64_t length : of_split) offsets.push_back(offsets.back() + length);
      tokens_[split].assign(offsets.back(), Vocabulary::kUnknown);
    }
  }
  const Vocabulary& vocabulary() const override { return vocabulary_; }
  std::vector<std::string> splits() const override { return {"train", "dev", "test"}; }
  TokenSequences sequences(const std::string& split) const override {
    return {offsets_.at(split), tokens_.at(split)};
  }

 private:
  Vocabulary vocabulary_;
  std::map<std::string, std::vector<uint64_t>> offsets_;
  std::map<std::string, std::vector<int32_t>> tokens_;
};

TEST(LanguageModelTask, RefusesAnEvaluatedSplitWithoutSequences) {
  const auto make = [](const std::vector<std::string>& splits) {
    ModelOptions model;
    model.layers = 1;
    model.d_model = model.heads = model.ffn = 2;
    const std::map<std::string, std::vector<uint64_t>> lengths = {
        {"train", {2}}, {"dev", {2}}, {"test", {}}};
    LanguageModelTask(std::make_shared<Lengths>(lengths), model, {.splits = splits}, /*seed=*/0,
                      at::kCPU);
  };
  EXPECT_NO_THROW(make({"train", "dev"}));
  EXPECT_THAT([&] { make({"dev", "test"}); }, ThrowsCode("empty-split"));
  EXPECT_THAT(
      [&] {
        make({"dev", "test"});
      },
      testing::ThrowsMessage<TrialError>(testing::HasSubstr(
          "the test split has no sequences, and the train split has 1: a text is split by "
          "lines")));
}

TEST(LanguageModelTask, LooksForTooLongASequenceInAllSplitsThatAreUsed) {
  const auto make = [](const std::string& positions, int64_t max_positions,
                       const std::map<std::string, std::vector<uint64_t>>& lengths) {
    ModelOptions model;
    model.layers = 1;
    model.d_model = model.heads = model.ffn = 2;
    model.positions = positions;
    model.max_positions = max_positions;
    LanguageModelTask(std::make_shared<Lengths>(lengths), model, {.splits = {"dev"}}, /*seed=*/0,
                      at::kCPU);
  };
  // The model does not read the last token of a sequence.
  EXPECT_NO_THROW(make("learned", 4, {{"train", {2, 5}}, {"dev", {5}}, {"test", {9}}}));
  EXPECT_NO_THROW(make("sinusoidal", 4, {{"train", {7}}, {"dev", {8}}, {"test", {9}}}));
  EXPECT_THAT(
      [&] {
        make("learned", 4, {{"train", {2, 6, 3}}, {"dev", {5}}, {"test", {9}}});
      },
      ThrowsCode("too-long"));
  EXPECT_THAT(
      [&] {
        make("learned", 4, {{"train", {6}}, {"dev", {3, 8}}, {"test", {9}}});
      },
      ThrowsMessage<TrialError>(HasSubstr("of dev, needs 7 learned positions")));
}

TEST(LanguageModelTask, LooksForASequenceThatTheMaskIsTooSmallFor) {
  const auto make = [](int64_t length,
                       const std::map<std::string, std::vector<uint64_t>>& lengths) {
    ModelOptions model;
    model.layers = 1;
    model.d_model = model.heads = model.ffn = 2;
    model.attention = {"masked", {{"mask", {{"kind", "none"}}}, {"length", length}}, {}};
    LanguageModelTask(std::make_shared<Lengths>(lengths), model, {.splits = {"dev"}}, /*seed=*/0,
                      at::kCPU);
  };
  // The model does not read the last token of a sequence.
  EXPECT_NO_THROW(make(4, {{"train", {2, 5}}, {"dev", {5}}, {"test", {9}}}));
  EXPECT_THAT(
      [&] {
        make(4, {{"train", {5}}, {"dev", {3, 8}}, {"test", {9}}});
      },
      ThrowsMessage<TrialError>(
          HasSubstr("the longest sequence, of dev, needs a mask for 7 tokens, "
                    "model.attention.length is 4: set it to 7 or more")));
}

TEST(LanguageModelTask, EvaluatesTheFirstSequencesAlone) {
  const TempFolder folder;
  LanguageModelTask task = task_with("dense", folder.path());
  task.model().eval();
  const at::Tensor all =
      task.evaluate("dev", {.seed = 0, .step = 1, .alive = {}}).predictions.at("nll");
  const at::Tensor part =
      task.evaluate("dev", {.seed = 0, .step = 1, .alive = {}, .most = 2}).predictions.at("nll");
  ASSERT_GT(all.numel(), 2);
  EXPECT_TRUE(at::allclose(part, all.slice(0, 0, 2), 1e-5));
}

TEST(LanguageModelTask, MeasuresAttention) {
  const TempFolder folder;
  LanguageModelTask task = task_with("dense", folder.path());
  {
    // Without queries all scores are 0, so each token attends uniformly to itself and to all earlier tokens.
    const at::NoGradGuard no_gradient;
    for (const auto& item : task.model().named_parameters()) {
      if (item.key().find("query") != std::string::npos) item.value().zero_();
    }
  }
  task.model().train();
  const Recorder seen = task.look_at(task.batch({0}));
  EXPECT_TRUE(task.model().is_training());
  ASSERT_EQ(seen.maps.size(), static_cast<size_t>(kLayers));
  ASSERT_EQ(seen.largest_scores.size(), static_cast<size_t>(kLayers));
  EXPECT_EQ(seen.largest_scores[0].item<double>(), 0.0);
  const int64_t tokens = seen.maps[0].size(2);
  for (int64_t query = 0; query < tokens; ++query)
    EXPECT_NEAR(seen.maps[0][0][0][query][0].item<double>(), 1.0 / static_cast<double>(query + 1),
                1e-6);
}

}  // namespace
}  // namespace rethink
