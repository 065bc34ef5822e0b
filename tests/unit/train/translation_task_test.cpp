#include "experiments/train/translation_task.h"

#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "models/random.h"
#include "tests/support/temp_folder.h"
#include "tests/unit/train/attempt_fixture.h"

namespace rethink {
namespace {

TranslationModelOptions small_model() {
  TranslationModelOptions model;
  model.encoder_layers = model.layers = 1;
  model.d_model = 8;
  model.heads = 2;
  model.ffn = 12;
  return model;
}

class TranslationTaskTest : public testing::Test {
 protected:
  TranslationTask task(const TranslationTaskOptions& options,
                       const TranslationModelOptions& model = small_model()) const {
    const auto dataset = require_kind<TranslationDataset>(
        datasets().make("synthetic_translations", {{"sentences", 40}, {"words", 8}, {"length", 6}},
                        {folder_.path(), folder_ / "cache"}),
        "synthetic_translations");
    return TranslationTask(dataset, model, options, /*seed=*/3, at::kCPU);
  }

  const TempFolder folder_;
};

TranslationTaskOptions small_batches() {
  return {
      .batching = {.batch = 5}, .label_smoothing = 0.2, .beam = {.beams = 2}, .splits = {"dev"}};
}

TEST_F(TranslationTaskTest, SmoothsLabelsAsFairseqDoes) {
  TranslationTask made = task(small_batches());
  auto& model = dynamic_cast<TranslationModel&>(made.model());
  made.model().eval();
  const at::NoGradGuard no_gradient;
  for (const std::vector<uint32_t>& indices : made.epoch_batches(0)) {
    const Batch batch = made.batch(indices);
    Recorder record;
    const double loss = made.loss_sum(batch, {}, record).item<double>();
    const at::Tensor hidden_BTD = model.decoded(
        batch.columns.at("target_ids"),
        model.encoded(batch.columns.at("source_ids"), batch.columns.at("source_keep"), {}), {});
    const at::Tensor log_NV =
        model.logits(hidden_BTD.flatten(0, 1).index_select(0, batch.columns.at("rows")))
            .to(at::kDouble)
            .log_softmax(-1);
    double expected = 0;
    for (int64_t row = 0; row < log_NV.size(0); ++row) {
      const int64_t target = batch.columns.at("targets")[row].item<int64_t>();
      for (int64_t token = 0; token < log_NV.size(1); ++token) {
        const double share = token == target ? 0.8 : 0.2 / static_cast<double>(log_NV.size(1) - 1);
        expected -= share * log_NV[row][token].item<double>();
      }
    }
    EXPECT_NEAR(loss, expected, 1e-4 * expected);
    EXPECT_EQ(batch.tokens, log_NV.size(0));
  }
}

TEST_F(TranslationTaskTest, LooksForASentenceThatAMaskIsTooSmallFor) {
  const auto masked = [](int64_t length) {
    return AttentionChoice{"masked", {{"mask", {{"kind", "none"}}}, {"length", length}}, {}};
  };
  TranslationModelOptions model = small_model();
  model.encoder_attention = masked(2);
  EXPECT_THAT([&] { task(small_batches(), model); },
              testing::ThrowsMessage<TrialError>(
                  testing::HasSubstr("the longest source sentence needs a mask for ")));
  // At most 6 tokens and the end; a search may take 10 more than 1.2 times as many.
  model.encoder_attention = masked(7);
  model.attention = masked(10);
  EXPECT_THAT([&] { task(small_batches(), model); },
              testing::ThrowsMessage<TrialError>(
                  testing::HasSubstr("that the search may find, needs a mask for ")));
  model.attention = masked(19);
  EXPECT_NO_THROW(task(small_batches(), model));
}

TEST_F(TranslationTaskTest, FindsASentenceForEachAndScoresThem) {
  TranslationTask made = task(small_batches());
  made.model().eval();
  const SplitResult result = made.evaluate("dev", {.seed = 1, .step = 2, .alive = {}});
  std::istringstream found(made.found_text(result.predictions));
  std::vector<std::string> lines;
  for (std::string line; std::getline(found, line);) lines.push_back(line);
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_THAT(lines, testing::Each(testing::Not("")));
  const at::Tensor nll = result.predictions.at("nll"), tokens = result.predictions.at("tokens");
  const double mean = nll.sum().item<double>() / tokens.sum().item<double>();
  EXPECT_NEAR(result.values.at("loss"), mean, 1e-9);
  EXPECT_NEAR(result.values.at("perplexity"), std::exp(mean), 1e-6);
  EXPECT_GE(result.values.at("bleu"), 0.0);
  const SplitResult again = made.evaluate("dev", {.seed = 1, .step = 2, .alive = {}});
  EXPECT_EQ(again.values, result.values);
}

/// Before it trains, not at the first evaluation.
TEST_F(TranslationTaskTest, RefusesMoreBeamsThanThereAreTokensFor) {
  TranslationTaskOptions options = small_batches();
  options.beam.beams = 40;
  EXPECT_THAT([&] { task(options); },
              testing::ThrowsMessage<TrialError>(testing::AllOf(
                  testing::HasSubstr("search.beams: 40 takes 80 tokens, and the data have "),
                  testing::HasSubstr("lower search.beams to at most "))));
}

TEST_F(TranslationTaskTest, RefusesToScoreASplitWithoutReferences) {
  TranslationTaskOptions options = small_batches();
  options.splits = {"train", "dev"};
  EXPECT_THAT([&] { task(options); },
              testing::ThrowsMessage<ConfigError>(testing::AllOf(
                  testing::HasSubstr("evaluate.splits has train, of which the data have 0 "),
                  testing::HasSubstr("take train out of evaluate.splits"))));
}

TEST_F(TranslationTaskTest, TakesAsManyTokensAsItIsToldInABatch) {
  TranslationTaskOptions options = small_batches();
  options.batch_tokens = 24;
  const TranslationTask made = task(options);
  size_t pairs = 0;
  for (const int64_t epoch : {0, 1}) {
    const auto batches = made.epoch_batches(epoch);
    EXPECT_EQ(static_cast<int64_t>(batches.size()), made.num_batches(epoch));
    for (const std::vector<uint32_t>& indices : batches) {
      const Batch batch = made.batch(indices);
      EXPECT_LE(batch.columns.at("source_ids").numel(), 24);
      EXPECT_LE(batch.columns.at("target_ids").numel(), 24);
      pairs += indices.size();
    }
  }
  EXPECT_EQ(pairs, 80u);
}

Json tiny_mt(Json options) {
  Json all = {
      {"data",
       {{"dataset", "synthetic_translations"}, {"sentences", 200}, {"words", 8}, {"length", 5}}},
      {"model",
       {{"encoder_layers", 1},
        {"layers", 1},
        {"d_model", 24},
        {"heads", 2},
        {"ffn", 32},
        {"dropout", 0.1}}},
      {"batch_tokens", 128},
      {"optimizer", {{"name", "adam"}, {"lr", 5e-3}}},
      {"schedule", {{"name", "constant"}}},
      {"search", {{"beams", 2}}},
      {"evaluate", {{"splits", {"dev"}}}}};
  all.update(options);
  return all;
}

TEST(MtJob, LearnsALanguageByHeart) {
  AttemptFixture attempt(tiny_mt({{"epochs", 40}}), 0, "mt");
  ASSERT_EQ(attempt.run(), JobOutcome::done);
  double bleu = 0;
  for (const auto& event : attempt.events("metric")) {
    if (event.at("name") == "bleu@best") bleu = event.at("value");
  }
  EXPECT_GT(bleu, 60.0);
}

TEST(MtJob, ResumesExactly) {
  const Json routing = {{"kind", "routing"}, {"clusters", 3}, {"local", 3}, {"decay", 0.5}};
  for (const Json& attention : {Json{{"kind", "dense"}}, Json{{"kind", "bird_eye"}}, routing}) {
    SCOPED_TRACE(attention.dump());
    Json options = tiny_mt({{"steps", 8}, {"evaluate", {{"splits", {"dev"}}, {"every", 3}}}});
    options["model"]["attention"] = attention;
    AttemptFixture quiet(options, 0, "mt"), cut(options, 0, "mt");
    ASSERT_EQ(quiet.run(), JobOutcome::done);
    cut.stop = true;
    int attempts = 1;
    while (cut.run() == JobOutcome::interrupted) ASSERT_LT(++attempts, 100);
    EXPECT_GT(attempts, 5);
    EXPECT_EQ(cut.metrics(), quiet.metrics());
    EXPECT_EQ(cut.result(), quiet.result());
  }
}

}  // namespace
}  // namespace rethink
