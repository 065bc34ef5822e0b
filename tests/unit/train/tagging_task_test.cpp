// Fine-tuning on tags of words: the loss, predictions of truncated words, the files that an attempt leaves, and the job.
#include "experiments/train/tasks/tagging_task.h"

#include <ATen/ATen.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "core/json.h"
#include "datasets/scores/entities.h"
#include "models/huggingface/config.h"
#include "models/tensors/random.h"
#include "models/tensors/tensor_file.h"
#include "tests/support/throws_code.h"
#include "tests/unit/train/encoder_fixture.h"

namespace rethink {
namespace {

using ::testing::ElementsAre;

/// A piece for each letter, and a piece that continues a word.
WordPiece letter_and_suffix_pieces() {
  std::vector<std::string> all = {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"};
  for (char c = 'a'; c <= 'z'; ++c) all.emplace_back(1, c);
  all.emplace_back("##x");
  return WordPiece(all, /*cased=*/false);
}

std::shared_ptr<TaggedDataset> tagged_set(const std::vector<TaggedSentence>& train,
                                          const std::vector<TaggedSentence>& dev) {
  return std::make_shared<TaggedDataset>("made_up",
                                         std::vector<TaggedSplit>{{"train", train}, {"dev", dev}});
}

EncoderStart tagging_start(double dropout = 0.0) {
  EncoderOptions model;
  model.layers = 2;
  model.d_model = 8;
  model.heads = 1;
  model.ffn = 8;
  model.dropout = dropout;
  model.max_positions = 16;
  WordPiece pieces = letter_and_suffix_pieces();
  const auto size = static_cast<int64_t>(pieces.size());
  return {model, std::move(pieces), size};
}

const EncoderTaskOptions kSmallTaggingTask = {
    .batching = {.batch = 2}, .max_length = 8, .splits = {"dev"}};

const std::vector<TaggedSentence> kSentences = {
    {{"a", "bx", "cxx"}, {"O", "I-PER", "I-PER"}},
    {{"d", "e"}, {"B-LOC", "B-LOC"}},
    {{"f"}, {"O"}},
    {{"gx", "h", "ixx", "j", "k"},
     {"O", "O", "S-PER", "B-LOC", "E-LOC"}}};  // two words are truncated

TEST(TaggingTask, LossOfFirstPiecesMatchesFloat64) {
  TaggingTask task(tagged_set(kSentences, kSentences), tagging_start(), kSmallTaggingTask,
                   /*seed=*/5, at::kCPU);
  auto parameters = task.model().named_parameters();
  const at::NoGradGuard no_gradient;
  parameters["classifier.weight"].normal_(0, 1);  // scores that differ
  parameters["classifier.bias"].normal_(0, 1);
  // For each read word: the position of its first piece, and the index of its tag in O, B-LOC, I-LOC, B-PER, I-PER.
  const std::vector<std::vector<std::pair<int64_t, int64_t>>> expected_words = {
      {{1, 0}, {2, 3}, {4, 4}}, {{1, 1}, {2, 1}}, {{1, 0}}, {{1, 0}, {3, 0}, {4, 3}}};
  const PhiloxKey pass = pass_key(0, RandomPurpose::training, 1);
  int64_t words = 0;
  for (const std::vector<uint32_t>& indices : task.epoch_batches(0)) {
    const Batch batch = task.batch(indices);
    const double loss = task.loss(batch, pass).sum.item<double>();
    const at::Tensor hidden_BTD =
        task.encoder()
            .forward({.input_ids = batch.columns.at("input_ids"), .keep = batch.columns.at("keep")},
                     pass)
            .to(at::kDouble);
    double expected = 0;
    for (size_t row = 0; row < indices.size(); ++row) {
      for (const auto& [place, label] : expected_words[indices[row]]) {
        const at::Tensor scores_C = (parameters["classifier.weight"].to(at::kDouble) *
                                     hidden_BTD[static_cast<int64_t>(row)][place])
                                        .sum(1) +
                                    parameters["classifier.bias"].to(at::kDouble);
        expected += scores_C.logsumexp({0}).item<double>() - scores_C[label].item<double>();
        ++words;
      }
    }
    EXPECT_NEAR(loss, expected, 1e-5 * expected);
    EXPECT_EQ(batch.divisor, static_cast<double>(batch.tokens));
  }
  EXPECT_EQ(words, 3 + 2 + 1 + 3);
}

TEST(TaggingTask, PaddingChangesNothing) {
  EncoderTaskOptions padded = kSmallTaggingTask;
  padded.pad_to_max_length = true;
  TaggingTask task(tagged_set(kSentences, kSentences), tagging_start(0.1), kSmallTaggingTask, 5,
                   at::kCPU),
      wide(tagged_set(kSentences, kSentences), tagging_start(0.0), padded, 5, at::kCPU),
      narrow(tagged_set(kSentences, kSentences), tagging_start(0.0), kSmallTaggingTask, 5,
             at::kCPU);
  const PhiloxKey pass = pass_key(0, RandomPurpose::training, 1);
  const auto loss = [&](TaggingTask& one, const std::vector<uint32_t>& indices) {
    return one.loss(one.batch(indices), pass).sum.item<double>();
  };
  EXPECT_EQ(wide.batch({2}).columns.at("input_ids").size(1), 8);
  EXPECT_EQ(narrow.batch({2}).columns.at("input_ids").size(1), 3);
  EXPECT_NEAR(loss(wide, {1, 2}), loss(narrow, {1, 2}), 1e-5);
  EXPECT_NEAR(loss(narrow, {2, 3}), loss(narrow, {2}) + loss(narrow, {3}), 1e-5);
  EXPECT_GT(std::abs(loss(task, {1, 2}) - loss(narrow, {1, 2})), 1e-6);  // which has dropout
}

/// Makes the model predict `label` for every word.
void always_say(TaggingTask& task, int64_t label) {
  const at::NoGradGuard no_gradient;
  auto parameters = task.model().named_parameters();
  parameters["classifier.weight"].zero_();
  parameters["classifier.bias"].zero_();
  parameters["classifier.bias"][label] = 1;
}

SplitResult evaluated_tags(TaggingTask& task) {
  task.model().eval();
  return task.evaluate("dev", {.seed = 0, .step = 1, .alive = nullptr});
}

TEST(TaggingTask, TruncatedWordsArePredictedOutside) {
  TaggingTask task(tagged_set(kSentences, kSentences), tagging_start(), kSmallTaggingTask, 0,
                   at::kCPU);
  always_say(task, 1);  // B-LOC
  const SplitResult result = evaluated_tags(task);
  const std::string text = task.prediction_texts("dev", result.predictions).at(".conll");
  EXPECT_EQ(text,
            "a B-LOC\nbx B-LOC\ncxx B-LOC\n\nd B-LOC\ne B-LOC\n\nf B-LOC\n\n"
            "gx B-LOC\nh B-LOC\nixx B-LOC\nj O\nk O\n\n");
  // 9 predicted entities, 2 of them right, of 5 true entities: precision 2/9, recall 2/5.
  EXPECT_NEAR(result.values.at("f1"), 2.0 * 2 / (9 + 5), 1e-12);
  EXPECT_NEAR(result.values.at("accuracy"), 2.0 / 11, 1e-12);
  const double others = 4.0;
  EXPECT_NEAR(result.values.at("loss"), std::log(others + std::exp(1.0)) - 2.0 / 9, 1e-6);
}

TEST(TaggingTask, EvaluatesTheFirstSentencesAlone) {
  TaggingTask task(tagged_set(kSentences, kSentences), tagging_start(), kSmallTaggingTask, 0,
                   at::kCPU);
  task.model().eval();
  const SplitResult all = evaluated_tags(task),
                    part = task.evaluate("dev", {.seed = 0, .step = 1, .alive = {}, .most = 2});
  for (const char* name : {"predicted", "expected"}) {
    ASSERT_EQ(part.predictions.at(name).numel(), 5) << name;
    EXPECT_TRUE(at::equal(part.predictions.at(name), all.predictions.at(name).slice(0, 0, 5)))
        << name;
  }
}

TEST(TaggingTask, HasNoScoreIfTheModelReturnsNaN) {
  TaggingTask task(tagged_set(kSentences, kSentences), tagging_start(), kSmallTaggingTask, 0,
                   at::kCPU);
  always_say(task, 0);
  EXPECT_EQ(evaluated_tags(task).values.at("f1"), 0.0);
  const at::NoGradGuard no_gradient;
  task.model().named_parameters()["classifier.bias"].fill_(NAN);
  for (const auto& [name, value] : evaluated_tags(task).values)
    EXPECT_TRUE(std::isnan(value)) << name;
}

TEST(TaggingTask, AcceptsSentencesWhoseWordsAreAllTruncated) {
  const std::vector<TaggedSentence> sentences = {{{"\xC2\xAD"}, {"O"}}, {{"a"}, {"B-PER"}}};
  TaggingTask task(tagged_set(sentences, sentences), tagging_start(), kSmallTaggingTask, 0,
                   at::kCPU);
  const Batch batch = task.batch({0});
  EXPECT_EQ(batch.tokens, 0);
  EXPECT_EQ(batch.divisor, 1.0);
  EXPECT_EQ(task.loss(batch, {}).sum.item<double>(), 0.0);
  EXPECT_TRUE(std::isfinite(evaluated_tags(task).values.at("loss")));
}

TEST(TaggingTask, NeedsSentencesInEverySplit) {
  EXPECT_THAT(
      [] {
        TaggingTask(tagged_set(kSentences, {}), tagging_start(), kSmallTaggingTask, 0, at::kCPU);
      },
      ThrowsCode("empty-split"));
}

Json few_sentences(const Json& changes) {
  Json options = tiny_finetuning(
      "synthetic_tags", {{"data", {{"sentences", 20}}}, {"evaluate", {{"splits", {"dev"}}}}});
  options["model"]["dropout"] = 0.0;
  options.merge_patch(changes);
  return options;
}

TEST(FinetuneJob, LearnsTheTagsOfFewSentencesByHeart) {
  const auto base = pretrained(tiny_pretraining({{"kind", "dense"}}, {{"steps", 20}}));
  AttemptFixture attempt(
      few_sentences({{"epochs", 150}, {"evaluate", {{"splits", {"train", "dev"}}}}}), 0,
      "finetune");
  attempt.inputs["init"] = of_kind(*base, "weights");
  attempt.runtime.keep_weights = true;
  ASSERT_EQ(attempt.run(), JobOutcome::done);
  const auto metrics = attempt.metrics();
  const auto at_end = [&](const std::string& name) {
    return metrics.at(fmt::format("{} {}", name, attempt.last_step()));
  };
  EXPECT_GE(at_end("train/f1@last"), 0.9);
  EXPECT_GE(at_end("train/accuracy@last"), 0.9);
  EXPECT_LT(at_end("train/loss@last"), 0.3);
  EXPECT_EQ(at_end("dev/score@last"), at_end("dev/f1@last"));
  EXPECT_EQ(attempt.result().at("directions").at("f1"), "max");
  EXPECT_EQ(attempt.result().at("directions").at("loss"), "min");
  EXPECT_EQ(attempt.result().at("began_fresh"), (Json{"classifier"}));
  const EncoderFolder left = read_encoder_folder(attempt.path("artifacts"));
  EXPECT_EQ(left.architecture, "BertForTokenClassification");
  EXPECT_THAT(left.labels, ElementsAre("O", "B-T1", "I-T1", "B-T2", "I-T2"));
  const SafetensorsFile weights(attempt.path("artifacts") / "model.safetensors");
  EXPECT_THAT(weights.at("classifier.weight").shape, ElementsAre(5, 16));
}

TEST(FinetuneJob, LeavesTagsThatReproduceItsScore) {
  const auto base = pretrained(tiny_pretraining({{"kind", "dense"}}, {{"steps", 2}}));
  const Json options = few_sentences({{"epochs", 20}, {"max_length", 24}});
  AttemptFixture attempt(options, 0, "finetune");
  attempt.inputs["init"] = of_kind(*base, "weights");
  ASSERT_EQ(attempt.run(), JobOutcome::done);
  const Artifact file = only(of_kind(attempt, "prediction_file"));
  EXPECT_EQ(file.name, "dev.conll");
  const auto dataset = require_kind<TaggedDataset>(
      datasets().make("synthetic_tags", {{"sentences", 20}}, {}), "synthetic_tags");
  const std::vector<TaggedSentence>& truth = dataset->split("dev").sentences;
  const std::vector<TaggedSentence> predicted = read_conll(file.path);
  ASSERT_EQ(predicted.size(), truth.size());
  EntityScore score;
  for (size_t i = 0; i < truth.size(); ++i) {
    EXPECT_EQ(predicted[i].words, truth[i].words);
    score.add(predicted[i].tags, truth[i].tags);
  }
  const auto metrics = attempt.metrics();
  const std::string step = fmt::format(" {}", attempt.last_step());
  EXPECT_NEAR(score.counts().at("").f1(), 100 * metrics.at("dev/f1@last" + step), 1e-9);
  EXPECT_NEAR(score.accuracy(), 100 * metrics.at("dev/accuracy@last" + step), 1e-9);
}

TEST(FinetuneJob, LeavesTagsOfWordsWithASpace) {
  const auto base = pretrained(tiny_pretraining({{"kind", "dense"}}, {{"steps", 2}}));
  const TempFolder data;
  write_text(data / "tabs", "New York\tB-LOC\nsleeps\tO\n");
  AttemptFixture attempt(
      tiny_finetuning("conll",
                      {{"data", {{"train", "tabs"}, {"dev", "tabs"}, {"test", ""}}}, {"steps", 1}}),
      0, "finetune");
  attempt.runtime.data = data.path();
  attempt.inputs["init"] = of_kind(*base, "weights");
  ASSERT_EQ(attempt.run(), JobOutcome::done);
  const Artifact file = only(of_kind(attempt, "prediction_file"));
  EXPECT_EQ(read_conll(file.path)[0].words, read_conll(data / "tabs")[0].words);
}

TEST(FinetuneJob, ContinuesAfterStepsWithoutAReadWord) {
  const auto base = pretrained(tiny_pretraining({{"kind", "dense"}}, {{"steps", 2}}));
  const TempFolder data;
  write_text(data / "train", "\xC2\xAD O\n\n\xC2\xAD O\n");
  write_text(data / "dev", "a B-PER\n");
  AttemptFixture attempt(
      tiny_finetuning("conll", {{"data", {{"train", "train"}, {"dev", "dev"}, {"test", ""}}},
                                {"batch", 1},
                                {"log_every", 1}}),
      0, "finetune");
  attempt.inputs["init"] = of_kind(*base, "weights");
  attempt.runtime.data = data.path();
  EXPECT_EQ(attempt.run(), JobOutcome::done) << attempt.messages();
  for (const char* point : {"train/loss 1", "train/loss 2"})
    EXPECT_EQ(attempt.metrics().at(point), 0.0);
}

TEST(FinetuneJob, ResumesTagsExactly) {
  const auto base = pretrained(tiny_pretraining({{"kind", "dense"}}));
  expect_exact_resume(few_sentences({{"epochs", 3},
                                     {"batch", 5},
                                     {"model", {{"dropout", 0.1}}},
                                     {"evaluate", {{"every", 3}}}}),
                      "finetune", of_kind(*base, "weights"));
}

}  // namespace
}  // namespace rethink
