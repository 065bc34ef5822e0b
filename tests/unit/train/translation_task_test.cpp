#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <sstream>

#include "core/format/safetensors.h"
#include "core/json.h"
#include "datasets/scores/bleu.h"
#include "experiments/train/jobs/mt.h"
#include "models/tensors/random.h"
#include "models/tensors/tensor_file.h"
#include "tests/support/temp_folder.h"
#include "tests/unit/train/attempt_fixture.h"
#include "tests/unit/train/hinted_sentences.h"

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
                       const TranslationModelOptions& model = small_model(),
                       int64_t sentences = 40) const {
    return TranslationTask(dataset(sentences), model, options, /*seed=*/3, at::kCPU);
  }

  std::shared_ptr<TranslationDataset> dataset(int64_t sentences) const {
    return require_kind<TranslationDataset>(
        datasets().make("synthetic_translations",
                        {{"sentences", sentences}, {"words", 8}, {"length", 6}},
                        {folder_.path(), folder_ / "cache"}),
        "synthetic_translations");
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
    const double loss = made.loss(batch, {}).sum.item<double>();
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
  // References have at most 6 tokens and the end symbol. The search stops at 1.2 times the source's length plus 10.
  model.encoder_attention = masked(7);
  model.attention = masked(10);
  EXPECT_THAT([&] { task(small_batches(), model); },
              testing::ThrowsMessage<TrialError>(
                  testing::HasSubstr("that the search may find, needs a mask for ")));
  model.attention = masked(19);
  EXPECT_NO_THROW(task(small_batches(), model));
}

TEST_F(TranslationTaskTest, TranslatesEachSentenceAndScoresTheTranslations) {
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
  const SplitResult again = made.evaluate("dev", {.seed = 1, .step = 2, .alive = {}});
  EXPECT_EQ(again.values, result.values);
  const SplitResult part = made.evaluate("dev", {.seed = 1, .step = 2, .alive = {}, .most = 2});
  EXPECT_TRUE(at::allclose(part.predictions.at("nll"), nll.slice(0, 0, 2)));
  EXPECT_EQ(part.predictions.at("found_tokens").numel(), 2);
}

/// Trains until the translation depends on the source.
void learn(TranslationTask& task, int64_t epochs) {
  const auto optimizer = optimizers().make("adam", {{"lr", 5e-3}}, task.parameter_groups());
  task.model().train();
  for (int64_t epoch = 0; epoch < epochs; ++epoch) {
    for (const std::vector<uint32_t>& indices : task.epoch_batches(epoch)) {
      const Batch batch = task.batch(indices);
      task.model().zero_grad();
      (task.loss(batch, {}).sum / batch.divisor).backward();
      optimizer->step(1.0);
    }
  }
}

/// With sentences of several lengths, neither padding nor the other sentences of a batch change the translation. In float64, so that rounding does not change the best sentence.
TEST_F(TranslationTaskTest, TranslatesEquallyInBatchesOfOneAndOfMany) {
  TranslationModelOptions model = small_model();
  model.d_model = 16;
  model.dropout = 0.0;
  TranslationTaskOptions of_many = small_batches(), of_one = small_batches();
  of_many.batching.batch = 20;
  of_one.batching.batch = 1;
  TranslationTask many = task(of_many, model, 200), one = task(of_one, model, 200);
  learn(many, 30);
  const at::NoGradGuard no_gradient;
  auto copies = one.model().named_parameters();
  for (const auto& item : many.model().named_parameters()) copies[item.key()].copy_(item.value());
  const auto found_by = [](TranslationTask& made) {
    made.model().to(at::kDouble);
    made.model().eval();
    return made.evaluate("dev", {.seed = 1, .step = 2, .alive = {}});
  };
  const SplitResult together = found_by(many), alone = found_by(one);
  for (const char* name : {"found", "found_tokens", "tokens"})
    EXPECT_TRUE(at::equal(together.predictions.at(name), alone.predictions.at(name))) << name;
  EXPECT_TRUE(at::allclose(together.predictions.at("nll"), alone.predictions.at("nll"), 1e-6));
  EXPECT_EQ(together.values.at("bleu"), alone.values.at("bleu"));

  const at::Tensor tokens = together.predictions.at("tokens");
  EXPECT_EQ(tokens.size(0), 20);
  EXPECT_LT(tokens.min().item<int64_t>(), tokens.max().item<int64_t>());
  std::istringstream lines(many.found_text(together.predictions));
  std::set<std::string> different;
  const std::vector<std::string> references = dataset(200)->split("dev").references;
  BleuScore bleu(kMultiBleu);
  size_t found = 0;
  for (std::string line; std::getline(lines, line);) {
    different.insert(line);
    bleu.add(line, references.at(found++));
  }
  EXPECT_GT(bleu.value(), 0.0);
  EXPECT_DOUBLE_EQ(together.values.at("bleu"), bleu.value());
  EXPECT_GT(different.size(), 1u);
}

TEST_F(TranslationTaskTest, GivesTheDecoderTheHintsOfABatch) {
  std::string source = "\n", target = "a b\n";  // a pair that is left out
  for (int i = 0; i < 3; ++i) {
    for (const auto& [sentence, hints] : hinted_sentences()) {
      source += i == 0 ? "x\n" : "x y z z y x\n";
      target += sentence + "\n";
    }
  }
  write_text(folder_ / "source", source);
  write_text(folder_ / "target", target);
  write_text(folder_ / "trees", trees_of_hinted_sentences());
  const Json options = {{"unit", "words"},          {"vocabulary", 0},
                        {"hints", {"trees"}},       {"train_source", "source"},
                        {"train_target", "target"}, {"dev_source", "source"},
                        {"dev_target", "target"}};
  const auto dataset = require_kind<TranslationDataset>(
      datasets().make("parallel", options, {folder_.path(), folder_ / "cache"}), "parallel");
  TranslationModelOptions model = small_model();
  model.attention.name = "syntax_guided";
  // Without buckets a batch has sentences of several lengths.
  TranslationTask made(
      dataset, model,
      {.batching = {.batch = 6, .buckets = false}, .beam = {.beams = 2}, .hints = true}, /*seed=*/3,
      at::kCPU);
  made.model().train();
  std::multiset<std::string> seen;
  for (const std::vector<uint32_t>& indices : made.epoch_batches(0)) {
    const Batch batch = made.batch(indices);
    for (const std::string& sentence :
         expect_own_hints(batch.columns.at("hints"), batch.columns.at("target_ids"),
                          [&](int32_t id) { return dataset->token(id); }))
      seen.insert(sentence);
    EXPECT_GT(made.loss(batch, {}).record.losses.at("pointer").item<double>(), 0);
  }
  for (const auto& [sentence, hints] : hinted_sentences()) EXPECT_EQ(seen.count(sentence), 3u);
}

/// The refusal comes before training, not at the first evaluation.
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
                  testing::HasSubstr("evaluate.splits has train, but the data have 0 "),
                  testing::HasSubstr("remove train from evaluate.splits"))));
}

TEST_F(TranslationTaskTest, LimitsTheTokensOfABatch) {
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

double best_bleu(const AttemptFixture& attempt) {
  double bleu = 0;
  for (const auto& event : attempt.events("metric")) {
    if (event.at("name") == "bleu@best") bleu = event.at("value");
  }
  return bleu;
}

std::vector<BleuCounts> left_counts(const AttemptFixture& attempt, bool is_smoothed) {
  const SafetensorsFile file(only(of_kind(attempt, "predictions")).path);
  EXPECT_EQ(tensor_over(file.at("dev/bleu_smoothed")).item<int64_t>(), is_smoothed ? 1 : 0);
  const at::Tensor counts_NC = tensor_over(file.at("dev/bleu_counts"));
  EXPECT_EQ(counts_NC.size(0), file.at("dev/nll").shape.at(0));
  std::vector<BleuCounts> counts(static_cast<size_t>(counts_NC.size(0)));
  for (size_t i = 0; i < counts.size(); ++i) {
    for (size_t k = 0; k < counts[i].size(); ++k)
      counts[i][k] = counts_NC[static_cast<int64_t>(i)][static_cast<int64_t>(k)].item<int64_t>();
  }
  return counts;
}

double bleu_of_all(const std::vector<BleuCounts>& counts, bool is_smoothed) {
  BleuCounts sums{};
  for (const BleuCounts& own : counts) {
    for (size_t k = 0; k < sums.size(); ++k) sums[k] += own[k];
  }
  return bleu_of_counts(sums, is_smoothed);
}

TEST(MtJob, LearnsALanguageByHeart) {
  AttemptFixture attempt(tiny_mt({{"epochs", 40}}), 0, "mt");
  ASSERT_EQ(attempt.run(), JobOutcome::done);
  EXPECT_GT(best_bleu(attempt), 60.0);
  const std::vector<BleuCounts> counts = left_counts(attempt, /*is_smoothed=*/false);
  EXPECT_NEAR(bleu_of_all(counts, /*is_smoothed=*/false), best_bleu(attempt), 1e-9);
}

std::string repeated(const std::string& line, int times) {
  std::string text;
  for (int i = 0; i < times; ++i) text += line + "\n";
  return text;
}

/// The model always produces one sentence, which shares no 4-gram with a reference.
TEST(MtJob, LeavesBleuCountsOfDetokenizedText) {
  const TempFolder folder;
  const std::vector<std::string> references = {"A cat runs home.", "The dog walks, slowly."};
  write_text(folder / "train.de", repeated("Ein Hund läuft langsam heim.", 40));
  write_text(folder / "train.en", repeated("A dog runs home, slowly.", 40));
  write_text(folder / "dev.de", "Eine Katze läuft heim.\nDer Hund läuft langsam.\n");
  write_text(folder / "dev.en", references[0] + "\n" + references[1] + "\n");
  AttemptFixture attempt(tiny_mt({{"epochs", 30},
                                  {"data",
                                   {{"dataset", "parallel"},
                                    {"vocabulary", 36},
                                    {"train_source", "train.de"},
                                    {"train_target", "train.en"},
                                    {"dev_source", "dev.de"},
                                    {"dev_target", "dev.en"}}}}),
                         0, "mt");
  attempt.runtime.data = folder.path();
  ASSERT_EQ(attempt.run(), JobOutcome::done);

  std::istringstream found(read_text(only(of_kind(attempt, "prediction_file")).path));
  const std::vector<BleuCounts> counts = left_counts(attempt, /*is_smoothed=*/true);
  ASSERT_EQ(counts.size(), references.size());
  for (size_t i = 0; i < counts.size(); ++i) {
    std::string line;
    std::getline(found, line);
    EXPECT_EQ(counts[i], bleu_counts(line, references[i], kSacreBleu)) << line;
  }
  EXPECT_GT(best_bleu(attempt), 0.0);
  EXPECT_NEAR(bleu_of_all(counts, /*is_smoothed=*/true), best_bleu(attempt), 1e-9);
  EXPECT_EQ(bleu_of_all(counts, /*is_smoothed=*/false), 0.0);
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
    EXPECT_EQ(read_text(only(of_kind(cut, "predictions")).path),
              read_text(only(of_kind(quiet, "predictions")).path));
  }
}

}  // namespace
}  // namespace rethink
