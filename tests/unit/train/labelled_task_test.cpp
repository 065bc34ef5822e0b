// Fine-tuning on labelled texts: the loss, the assignment of predictions to examples, and learning of each kind of label.
#include "experiments/train/tasks/labelled_task.h"

#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "core/error.h"
#include "core/json.h"
#include "models/tensors/random.h"
#include "tests/support/throws_code.h"
#include "tests/unit/train/encoder_fixture.h"

namespace rethink {
namespace {

struct Kind {
  std::string name;
  LabelledTask task;
  std::vector<double> labels;  // labels of the examples, repeated in turn
};

std::vector<Kind> kinds() {
  return {{"classes", {{"no", "maybe", "yes"}, 1, {"accuracy"}}, {2, 0, 1}},
          {"score", {{}, 1, {"pearson", "spearman"}}, {0.5, 4.0, 2.25}},
          {"choice", {{}, 2, {"accuracy"}}, {1, 0, 0}}};
}

/// Texts "a", "a b", "a b c", ... Batches by length therefore have another order than the examples.
LabelledSplit labelled_split(const std::string& name, const Kind& kind, int count) {
  LabelledSplit split{name, {}, 0};
  std::string text;
  for (int i = 0; i < count; ++i) {
    text += std::string(i ? " " : "") + static_cast<char>('a' + (7 * i) % 26);
    LabelledExample example;
    example.label = kind.labels[static_cast<size_t>(i) % kind.labels.size()];
    for (int64_t choice = 0; choice < kind.task.choices; ++choice)
      example.inputs.push_back({text, std::string(1, static_cast<char>('x' + choice))});
    split.examples.push_back(example);
  }
  std::ranges::reverse(split.examples);
  split.whole_size = split.examples.size();
  return split;
}

std::unique_ptr<LabelledTrainingTask> task_of(const Kind& kind, const BatchingOptions& batching,
                                              bool pad_to_max_length = false) {
  auto dataset = std::make_shared<LabelledDataset>(
      "made_up", kind.task,
      std::vector<LabelledSplit>{labelled_split("train", kind, 7), labelled_split("dev", kind, 10)},
      LabelledOptions{});
  EncoderOptions model;
  model.layers = 1;
  model.d_model = 8;
  model.heads = 2;
  model.ffn = 16;
  model.dropout = 0.0;
  model.max_positions = 16;
  std::vector<std::string> pieces = {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"};
  for (char c = 'a'; c <= 'z'; ++c) pieces.emplace_back(1, c);
  const auto size = static_cast<int64_t>(pieces.size());
  auto task = std::make_unique<LabelledTrainingTask>(
      std::move(dataset), EncoderStart{model, WordPiece(pieces, /*cased=*/false), size},
      EncoderTaskOptions{.batching = batching,
                         .max_length = 16,
                         .pad_to_max_length = pad_to_max_length,
                         .splits = {"dev"}},
      /*seed=*/3, at::kCPU);
  const at::NoGradGuard no_gradient;
  for (const auto& parameter : task->model().named_parameters()) {
    if (parameter.value().dim() == 2) parameter.value().normal_(0, 1);  // outputs that differ
  }
  return task;
}

/// W tanh(V h + c) + b of the first token's hidden state h [B,C], in float64.
at::Tensor outputs_in_float64(LabelledTrainingTask& task, const Batch& batch, PhiloxKey pass) {
  auto parameters = task.model().named_parameters();
  const auto of = [&](const char* name) { return parameters[name].to(at::kDouble); };
  const at::Tensor hidden_BD = task.encoder()
                                   .forward({.input_ids = batch.columns.at("input_ids"),
                                             .token_type_ids = batch.columns.at("token_type_ids"),
                                             .keep = batch.columns.at("keep")},
                                            pass)
                                   .select(1, 0)
                                   .to(at::kDouble);
  const at::Tensor pooled_BD =
      at::tanh(hidden_BD.matmul(of("pooler.dense.weight").t()) + of("pooler.dense.bias"));
  return pooled_BD.matmul(of("classifier.weight").t()) + of("classifier.bias");
}

double squared_error(const at::Tensor& score, double label) {
  return std::pow(score.item<double>() - label, 2);
}

double negative_log_likelihood(const at::Tensor& logits, double label) {
  return (logits.exp().sum().log() - logits[static_cast<int64_t>(label)]).item<double>();
}

TEST(LabelledTask, LossMatchesFloat64ForEachKind) {
  for (const Kind& kind : kinds()) {
    const auto task = task_of(kind, {.batch = 3});
    const PhiloxKey pass = pass_key(0, RandomPurpose::training, 1);
    for (const std::vector<uint32_t>& indices : task->epoch_batches(0)) {
      const Batch batch = task->batch(indices);
      const double loss = task->loss(batch, pass).sum.item<double>();
      const at::Tensor outputs =
          outputs_in_float64(*task, batch, pass)
              .reshape({static_cast<int64_t>(indices.size()), kind.task.choices, -1});
      double expected = 0;
      for (size_t i = 0; i < indices.size(); ++i) {
        const double label = kind.labels[(6 - indices[i]) % kind.labels.size()];
        const at::Tensor found = outputs[static_cast<int64_t>(i)].reshape({-1});
        expected += kind.task.is_score() ? squared_error(found[0], label)
                                         : negative_log_likelihood(found, label);
      }
      EXPECT_NEAR(loss, expected, 1e-5 * std::abs(expected)) << kind.name;
      EXPECT_EQ(batch.divisor, static_cast<double>(indices.size())) << kind.name;
    }
  }
}

TEST(LabelledTask, PadsToMaxLengthOnRequestWithEqualResults) {
  const auto loss = [&](bool pad, int64_t width) {
    at::manual_seed(0);
    const auto task = task_of(kinds().front(), {.batch = 3}, pad);
    const Batch batch = task->batch({4, 5, 6});  // [CLS] a b c [SEP] x [SEP] and shorter ones
    EXPECT_EQ(batch.columns.at("input_ids").size(1), width);
    EXPECT_EQ(batch.read, 7 + 6 + 5);
    return task->loss(batch, {}).sum.item<double>();
  };
  EXPECT_NEAR(loss(false, 7), loss(true, 16), 1e-5);
}

TEST(LabelledTask, PredictsEachExampleAtItsPlace) {
  for (const Kind& kind : kinds()) {
    const EvaluationPass pass{.seed = 1, .step = 1, .alive = {}};
    const SplitResult together = task_of(kind, {.batch = 4})->evaluate("dev", pass);
    const SplitResult alone = task_of(kind, {.batch = 1, .buckets = false})->evaluate("dev", pass);
    const at::Tensor logits = alone.predictions.at("logits");
    EXPECT_TRUE(at::allclose(together.predictions.at("logits"), logits, 1e-4, 1e-5)) << kind.name;
    EXPECT_GT(logits.std(0).min().item<double>(), 1e-3)
        << kind.name;  // makes sure that the order of the examples matters
    const at::Tensor labels = together.predictions.at("expected");
    for (int64_t i = 0; i < labels.numel(); ++i) {
      EXPECT_EQ(labels[i].item<double>(),
                kind.labels[static_cast<size_t>(labels.numel() - 1 - i) % kind.labels.size()]);
    }
  }
}

TEST(LabelledTask, EvaluatesTheFirstExamplesAlone) {
  for (const Kind& kind : kinds()) {
    const auto task = task_of(kind, {.batch = 4});
    const at::Tensor all =
        task->evaluate("dev", {.seed = 1, .step = 1, .alive = {}}).predictions.at("logits");
    const SplitResult part = task->evaluate("dev", {.seed = 1, .step = 1, .alive = {}, .most = 3});
    ASSERT_EQ(part.predictions.at("expected").numel(), 3) << kind.name;
    EXPECT_TRUE(at::allclose(part.predictions.at("logits"), all.slice(0, 0, 3), 1e-4, 1e-5))
        << kind.name;
  }
}

TEST(LabelledTask, HasNoScoreIfTheModelReturnsNaN) {
  for (const Kind& kind : kinds()) {
    const auto task = task_of(kind, {.batch = 4});
    const at::NoGradGuard no_gradient;
    task->model().named_parameters()["classifier.bias"].fill_(NAN);
    for (const auto& [name, value] :
         task->evaluate("dev", {.seed = 1, .step = 1, .alive = {}}).values)
      EXPECT_TRUE(std::isnan(value)) << kind.name << ' ' << name;
  }
}

TEST(LabelledTask, CorrelatesWithNothingWhereAllPredictionsAreEqual) {
  const auto task = task_of(kinds().at(1), {.batch = 4});
  const at::NoGradGuard no_gradient;
  task->model().named_parameters()["classifier.weight"].zero_();
  const auto values = task->evaluate("dev", {.seed = 1, .step = 1, .alive = {}}).values;
  EXPECT_EQ(values, (std::map<std::string, double>{{"pearson", 0}, {"spearman", 0}}));
}

/// If all weights are 0, a score is 0 and all classes are equally likely.
TEST(LabelledTask, GuessingLossMatchesAZeroClassifier) {
  for (const Kind& kind : kinds()) {
    const auto task = task_of(kind, {.batch = 7});
    const at::NoGradGuard no_gradient;
    task->model().named_parameters()["classifier.weight"].zero_();
    const Batch batch = task->batch(task->epoch_batches(0).at(0));
    const double loss = task->loss(batch, PhiloxKey()).sum.item<double>();
    EXPECT_NEAR(task->guessing_loss(), loss / batch.divisor, 1e-6 * loss) << kind.name;
  }
}

TEST(FinetuneJob, LearnsFewExamplesOfEveryKindByHeart) {
  const auto base = pretrained(tiny_pretraining({{"kind", "dense"}}, {{"steps", 20}}));
  struct Lesson {
    std::string kind;
    int epochs;
    double lr;
  };
  for (const auto& [kind, epochs, lr] : {Lesson{"sentence", 60, 0.003}, Lesson{"pair", 60, 0.003},
                                         Lesson{"score", 300, 0.003}, Lesson{"choice", 60, 0.01}}) {
    Json options = tiny_finetuning("synthetic_labelled/" + kind,
                                   {{"epochs", epochs},
                                    {"optimizer", {{"lr", lr}}},
                                    {"data", {{"train_examples", 50}}},
                                    {"evaluate", {{"splits", {"train"}}, {"keep", "last"}}}});
    options["model"]["dropout"] = 0.0;
    AttemptFixture attempt(options, 0, "finetune");
    attempt.inputs["init"] = of_kind(*base, "weights");
    ASSERT_EQ(attempt.run(), JobOutcome::done) << kind;
    const std::string score = "train/score@last " + std::to_string(attempt.last_step());
    EXPECT_GT(attempt.metrics().at(score), 0.8) << kind;
    EXPECT_EQ(attempt.result().at("directions").at("score"), "max") << kind;
    EXPECT_EQ(attempt.result().at("began_fresh"), (Json{"classifier"})) << kind;
    EXPECT_EQ(of_kind(attempt, "predictions").size(), 1u) << kind;
    EXPECT_EQ(attempt.events("inexact").size(), 0u) << kind;
  }
}

TEST(LabelledTask, RefusesConstantScores) {
  EXPECT_THAT(
      [] {
        task_of({"score", {{}, 1, {"pearson", "spearman"}}, {2.5}}, {});
      },
      ThrowsCode("constant-scores"));
  EXPECT_NO_THROW(task_of({"classes", {{"no", "yes"}, 1, {"accuracy"}}, {1}}, {}));
}

}  // namespace
}  // namespace rethink
