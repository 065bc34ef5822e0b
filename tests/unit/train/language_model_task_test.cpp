#include "experiments/train/language_model_task.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "models/attention/attend.h"
#include "models/random.h"
#include "tests/support/temp_folder.h"

namespace rethink {
namespace {

constexpr double kPenalty = 0.25;
constexpr int64_t kLayers = 2;

struct PenalisedOptions {
  void fields(Fields&) {}
};

/// As `dense`, with a loss of its own in each layer.
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

const bool registered = attentions().add<PenalisedOptions>(
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
      datasets().make("synthetic_language", {{"sentences", 50}}, {.data = {}, .cache = cache}),
      model, {.batch = 8}, /*seed=*/0, at::kCPU);
}

TEST(LanguageModelTask, AddsTheLossesOfVariantsForEveryToken) {
  const TempFolder folder;
  LanguageModelTask plain = task_with("dense", folder.path());
  LanguageModelTask penalised = task_with("test_penalised", folder.path());
  const Batch batch = plain.batch(plain.epoch_batches(0).front());
  const PhiloxKey pass = pass_key(0, RandomPurpose::training, 1);
  const double difference =
      penalised.loss_sum(batch, pass).item<double>() - plain.loss_sum(batch, pass).item<double>();
  EXPECT_NEAR(difference, kPenalty * kLayers * batch.divisor, 1e-3 * batch.divisor);
}

TEST(LanguageModelTask, CountsTheFlopsOfEveryPass) {
  const TempFolder folder;
  const LanguageModelTask once = task_with("dense", folder.path());
  const LanguageModelTask twice = task_with("bird_eye", folder.path());
  const Batch batch = once.batch(once.epoch_batches(0).front());
  const double rows = static_cast<double>(batch.columns.at("input_ids").size(0)),
               tokens = static_cast<double>(batch.columns.at("input_ids").size(1));
  // Scores and weighted sum, 2 FLOPs each per pair of tokens and channel; forward and twice that
  // backward. bird_eye has one matrix less than a pass: its vector w.
  const double pass = 3.0 * kLayers * 4.0 * rows * tokens * tokens * 16.0;
  EXPECT_NEAR(twice.step_flops(batch) - once.step_flops(batch), pass, 0.2 * pass);
}

}  // namespace
}  // namespace rethink
