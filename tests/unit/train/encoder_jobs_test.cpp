// The jobs of encoders, each alone and one after the other: pretrain, mask, finetune.
#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>

#include "core/config/schema.h"
#include "core/json.h"
#include "datasets/dataset.h"
#include "models/huggingface/config.h"
#include "models/masks/mask.h"
#include "models/tensors/tensor_file.h"
#include "tests/support/data_stand_ins.h"
#include "tests/support/throws_code.h"
#include "tests/unit/train/encoder_fixture.h"

namespace rethink {
namespace {

TEST(PretrainJob, LearnsMaskedTokensAndLeavesAHuggingFaceFolder) {
  const auto attempt = pretrained(tiny_pretraining({{"kind", "dense"}}, {{"steps", 200}}));
  const auto metrics = attempt->metrics();
  EXPECT_LT(metrics.at("train/loss 200"), 0.9 * metrics.at("train/loss 5"));
  EXPECT_GT(metrics.at("dev/mlm_accuracy@last 200"), 5.0 / 300);  // guessing: 1 in 300
  EXPECT_EQ(metrics.at("dev/score@last 200"), metrics.at("dev/mlm_loss@last 200"));
  EXPECT_TRUE(metrics.contains("dev/nsp_accuracy@last 200"));
  for (const char* name : {"model.safetensors", "config.json", "vocab.txt"})
    EXPECT_TRUE(std::filesystem::exists(attempt->path("artifacts") / name)) << name;
  EXPECT_EQ(attempt->result().at("directions").at("score"), "min");
}

TEST(PretrainJob, ResumesExactlyUnderAMaskThatLearns) {
  expect_exact_resume(tiny_pretraining({{"kind", "dam"}, {"structured", true}, {"length", 32}},
                                       {{"steps", 6}, {"mask", {{"lr", 0.05}}}}));
}

TEST(PretrainJob, ResumesExactlyWithSeveralBatchesAnUpdate) {
  expect_exact_resume(
      tiny_pretraining({{"kind", "importance"}, {"length", 32}},
                       {{"steps", 5}, {"accumulate", 3}, {"optimizer", {{"name", "lamb"}}}}));
}

/// Relative difference of one weight matrix between the models of two trials.
double difference(const AttemptFixture& one, const AttemptFixture& other) {
  const auto weights = [](const AttemptFixture& attempt) {
    return SafetensorsFile(attempt.path("artifacts") / "model.safetensors");
  };
  const SafetensorsFile first = weights(one), second = weights(other);
  const std::string name = "bert.encoder.layer.0.output.dense.weight";
  const at::Tensor a = tensor_over(first.at(name)), b = tensor_over(second.at(name));
  return ((a - b).norm() / b.norm()).item<double>();
}

TEST(PretrainJob, SeveralBatchesMakeTheUpdateOfOneLargeBatch) {
  const auto trained = [](int64_t batch, int64_t accumulate, double lr) {
    Json options = tiny_pretraining({{"kind", "dense"}},
                                    {{"steps", 1},
                                     {"batch", batch},
                                     {"accumulate", accumulate},
                                     {"shuffle", false},
                                     {"buckets", false},
                                     {"optimizer", {{"name", "adam"}, {"lr", lr}, {"eps", 1.0}}},
                                     {"schedule", {{"name", "constant"}}}});
    options["model"]["dropout"] = 0.0;
    return pretrained(options);
  };
  // With a large eps, Adam's first step is along the gradient. Each batch's next-sentence loss is weighted by its number
  // of masked tokens, so the two updates are nearly but not exactly equal.
  const auto large = trained(16, 1, 1.0), two = trained(8, 2, 1.0), half = trained(8, 1, 1.0),
             before = trained(16, 1, 1e-12);
  const double moved = difference(*before, *large);
  EXPECT_GT(moved, 1e-3);
  EXPECT_LT(difference(*two, *large), 0.1 * moved);
  EXPECT_GT(difference(*half, *large), 0.3 * moved);
}

TEST(PretrainJob, RecordsTheImportanceOfEachKindOfPosition) {
  const auto attempt =
      pretrained(tiny_pretraining({{"kind", "importance"}, {"length", 32}}, {{"steps", 2}}));
  const Artifact left = only(of_kind(*attempt, "importance"));
  const SafetensorsFile file(left.path);
  const at::Tensor all_HNN = tensor_over(file.at("importance"));
  std::map<std::string, std::pair<double, int>> sums;
  for (int64_t head = 0; head < all_HNN.size(0); ++head) {
    for (int64_t i = 0; i < 32; ++i) {
      for (int64_t j = 0; j < 32; ++j) {
        const bool end = i == 0 || j == 0 || i == 31 || j == 31;
        auto& [sum, count] = sums[i == j                 ? "diagonal"
                                  : end                  ? "ends"
                                  : std::abs(i - j) == 1 ? "neighbours"
                                                         : "others"];
        sum += all_HNN[head][i][j].item<double>();
        ++count;
      }
    }
  }
  for (const auto& [place, sum] : sums)
    EXPECT_NEAR(left.facts.at(place).get<double>(), sum.first / sum.second, 1e-9) << place;
}

bool is_best_at_last(const AttemptFixture& attempt) {
  const auto metrics = attempt.metrics();
  const std::string step = " " + std::to_string(attempt.last_step());
  return metrics.at("dev/score@best" + step) == metrics.at("dev/score@last" + step);
}

/// Trains with a learning rate that is too large, so that the last evaluation is not the best. Several rates are tried,
/// since rounding errors grow and the outcome of one rate depends on the processor.
std::unique_ptr<AttemptFixture> overshot(
    const std::function<std::unique_ptr<AttemptFixture>(const Json&)>& train) {
  for (const double rate : {0.5, 0.4, 0.6, 0.3, 0.7}) {
    auto attempt =
        train({{"steps", 8},
               {"optimizer", {{"name", "adamw"}, {"lr", rate}}},
               {"schedule", {{"name", "constant"}}},
               {"evaluate", {{"every", 1}, {"keep", "best"}, {"splits", Json::array({"dev"})}}}});
    if (!is_best_at_last(*attempt)) return attempt;
  }
  throw std::runtime_error("no rate overshoots");
}

/// Expects that the attempt's artifact `importance` was computed from the weights that the attempt saved.
void expect_importance_of_kept_weights(const AttemptFixture& attempt) {
  const SafetensorsFile weights(attempt.path("artifacts") / "model.safetensors");
  at::Tensor alpha_HNN;
  for (const auto& [name, view] : weights.tensors()) {
    if (name.ends_with("alpha")) alpha_HNN = tensor_over(view);
  }
  ASSERT_TRUE(alpha_HNN.defined());
  const at::Tensor expected = (alpha_HNN.triu() + alpha_HNN.triu(1).transpose(1, 2)).sigmoid();
  const SafetensorsFile file(only(of_kind(attempt, "importance")).path);
  EXPECT_TRUE(at::allclose(tensor_over(file.at("importance")), expected));
}

TEST(PretrainJob, WritesTheImportanceOfTheWeightsItKeeps) {
  const Json importance = {{"kind", "importance"}, {"length", 32}};
  const auto base = overshot(
      [&](const Json& changes) { return pretrained(tiny_pretraining(importance, changes)); });
  expect_importance_of_kept_weights(*base);

  const auto tuned = overshot([&](const Json& changes) {
    Json options = tiny_finetuning("synthetic_tags", changes);
    options["data"]["sentences"] = 20;
    options["model"]["attention"] = importance;
    options["evaluate"]["metric"] = "loss";
    options.erase("epochs");
    auto attempt = std::make_unique<AttemptFixture>(options, 0, "finetune");
    attempt->inputs["init"] = of_kind(*base, "weights");
    attempt->runtime.keep_weights = true;
    EXPECT_EQ(attempt->run(), JobOutcome::done);
    return attempt;
  });
  expect_importance_of_kept_weights(*tuned);
}

TEST(PretrainJob, ALargerPenaltyLearnsASparserMask) {
  const auto sparsity = [](double penalty) {
    const auto attempt =
        pretrained(tiny_pretraining({{"kind", "dam"}, {"length", 32}, {"penalty", penalty}},
                                    {{"steps", 40}, {"clip", 0.0}, {"mask", {{"lr", 0.05}}}}));
    return only(of_kind(*attempt, "mask")).facts.at("sparsity").get<double>();
  };
  const double dense = sparsity(0.0), sparse = sparsity(0.1);
  EXPECT_NEAR(dense, 50, 15);
  EXPECT_GT(sparse, 90);
}

TEST(PretrainJob, RefusesWeightsOfAnotherModel) {
  const auto base = pretrained(tiny_pretraining({{"kind", "dense"}}));
  Json other = tiny_pretraining({{"kind", "dense"}});
  other["model"]["ffn"] = 64;
  AttemptFixture attempt(other, 0, "pretrain");
  attempt.inputs["init"] = of_kind(*base, "weights");
  EXPECT_THAT([&] { attempt.run(); }, ThrowsCode("wrong-weights"));
}

TEST(FinetuneJob, RefusesWeightsThatAreNan) {
  const auto base = pretrained(tiny_pretraining({{"kind", "dense"}}));
  const std::filesystem::path file = base->path("artifacts") / "model.safetensors";
  std::string bytes = read_text(file);
  uint64_t header = 0;
  std::memcpy(&header, bytes.data(), sizeof header);
  const float nan = std::numeric_limits<float>::quiet_NaN();
  std::memcpy(bytes.data() + sizeof header + header, &nan, sizeof nan);
  write_text(file, bytes);
  AttemptFixture attempt(tiny_finetuning("synthetic_labelled/sentence"), 0, "finetune");
  attempt.inputs["init"] = of_kind(*base, "weights");
  EXPECT_THAT([&] { attempt.run(); }, ThrowsCode("not-finite"));
}

TEST(FinetuneJob, RecordsTheShareOfPublishedExamplesThatItUsed) {
  const TempFolder folder;
  const auto base = pretrained(tiny_pretraining({{"kind", "dense"}}));
  for (const char* name : {"glue/cola", "squad_v2"}) {
    const DatasetFacts& facts = datasets().facts(name);
    write_stand_ins(facts, folder.path());
    Json options = tiny_finetuning(name, {{"data", {{"train_examples", 10}}}});
    options["questions"] = {{"max_question", 16}};
    AttemptFixture attempt(options, 0, "finetune");
    attempt.runtime.data = folder.path();
    attempt.inputs["init"] = of_kind(*base, "weights");
    ASSERT_EQ(attempt.run(), JobOutcome::done) << name;
    std::map<std::string, double> measured;
    for (const Json& event : attempt.events("measurement"))
      measured[event.at("name")] = event.at("value");
    EXPECT_EQ(measured.at("train_examples"), 10) << name;
    EXPECT_EQ(measured.at("train_examples_official"), facts.examples.at("train")) << name;
    EXPECT_EQ(measured.at("dev_examples"), kStandInOther) << name;
    EXPECT_EQ(measured.at("dev_examples_official"), facts.examples.at("dev")) << name;
    EXPECT_EQ(measured.contains("dev_answers@last"), std::string(name) != "squad_v2") << name;
  }
}

TEST(FinetuneJob, RecordsTheNumberOfDistinctAnswers) {
  const auto base = pretrained(tiny_pretraining({{"kind", "dense"}}));
  for (const char* keep : {"last", "best"}) {
    AttemptFixture attempt(
        tiny_finetuning("synthetic_labelled/sentence", {{"evaluate", {{"keep", keep}}}}), 0,
        "finetune");
    attempt.inputs["init"] = of_kind(*base, "weights");
    ASSERT_EQ(attempt.run(), JobOutcome::done);
    const SafetensorsFile predictions(only(of_kind(attempt, "predictions")).path);
    const at::Tensor predicted = tensor_over(predictions.at("dev/predicted"));
    std::set<double> answers;
    for (int64_t i = 0; i < predicted.numel(); ++i) answers.insert(predicted[i].item<double>());
    std::map<std::string, size_t> measured;
    for (const Json& event : attempt.events("measurement"))
      measured[event.at("name")] = event.at("value").get<size_t>();
    EXPECT_EQ(measured.at(std::string("dev_answers@") + keep), answers.size());
  }
}

TEST(FinetuneJob, NeedsInitialWeights) {
  AttemptFixture attempt(tiny_finetuning("synthetic_labelled/sentence"), 0, "finetune");
  EXPECT_THAT([&] { attempt.run(); }, ThrowsCode("missing-need"));
}

TEST(FinetuneJob, BeginsWithTheFirstLayersOfDeeperWeights) {
  const auto base = pretrained(tiny_pretraining({{"kind", "dense"}}));
  AttemptFixture attempt(
      tiny_finetuning("synthetic_labelled/sentence",
                      {{"model", {{"layers", 1}}}, {"optimizer", {{"lr", 1e-12}}}}),
      0, "finetune");
  attempt.runtime.keep_weights = true;
  attempt.inputs["init"] = of_kind(*base, "weights");
  ASSERT_EQ(attempt.run(), JobOutcome::done);
  EXPECT_EQ(read_encoder_folder(attempt.path("artifacts")).options.layers, 1);
  const SafetensorsFile before(base->path("artifacts") / "model.safetensors"),
      after(attempt.path("artifacts") / "model.safetensors");
  const std::string layer = "bert.encoder.layer.";
  for (const char* part : {"attention.self.query.weight", "output.dense.weight"}) {
    const std::string first = layer + "0." + part;
    EXPECT_TRUE(at::allclose(tensor_over(before.at(first)), tensor_over(after.at(first)))) << part;
    EXPECT_TRUE(before.has(layer + "1." + part));
    EXPECT_FALSE(after.has(layer + "1." + part));
  }
}

TEST(MaskJob, PassesALearnedMaskToFineTuning) {
  const auto base = pretrained(tiny_pretraining({{"kind", "dam"}, {"length", 32}}, {{"steps", 3}}));
  AttemptFixture mask({{"diagonal", "without"}}, 0, "mask");
  mask.inputs["learned"] = of_kind(*base, "mask");
  ASSERT_EQ(mask.run(), JobOutcome::done);
  const Mask made = read_mask(only(of_kind(mask, "mask")).path);
  for (int64_t place = 0; place < 32; ++place) EXPECT_EQ(made.head(1)[place * 32 + place], 0);

  Json options = tiny_finetuning("synthetic_labelled/pair");
  options["model"]["attention"] = {{"kind", "given_mask"}};
  AttemptFixture attempt(options, 0, "finetune");
  attempt.inputs["init"] = of_kind(*base, "weights");
  attempt.inputs["mask"] = of_kind(mask, "mask");
  ASSERT_EQ(attempt.run(), JobOutcome::done);
  EXPECT_EQ(read_mask(only(of_kind(attempt, "mask")).path).cells, made.cells);
}

}  // namespace
}  // namespace rethink
