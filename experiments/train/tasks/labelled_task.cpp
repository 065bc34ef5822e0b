#include "experiments/train/tasks/labelled_task.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/json.h"
#include "core/message.h"
#include "datasets/labelled/predictions.h"
#include "experiments/train/device/host_copies.h"
#include "experiments/train/device/tensor_memory.h"
#include "experiments/train/metrics.h"
#include "models/tensors/cross_entropy.h"
#include "models/tensors/random.h"

namespace rethink {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// The number of outputs of the head per sequence.
int64_t outputs_of(const LabelledTask& task) {
  return task.labels.empty() ? 1 : static_cast<int64_t>(task.labels.size());
}

/// Equal scores have no correlation, so an evaluation would give no number for any model.
void require_different_scores(const LabelledDataset& dataset, const std::string& split) {
  const std::vector<LabelledExample>& examples = dataset.examples(split);
  const std::optional<double> first = examples.front().label;
  const bool are_equal = std::ranges::all_of(
      examples, [&](const LabelledExample& example) { return example.label == first; });
  if (!first || !are_equal) return;
  throw TrialError(
      "constant-scores",
      fmt::format("data set '{}': every score of {} is {} ({}), so Pearson's and Spearman's "
                  "correlation are undefined for any model; expected a file with different scores",
                  dataset.name(), split, *first, counted(examples.size(), "example")));
}

}  // namespace

LabelledTrainingTask::LabelledTrainingTask(std::shared_ptr<LabelledDataset> dataset,
                                           const EncoderStart& start,
                                           const EncoderTaskOptions& options, uint64_t seed,
                                           at::Device device)
    : EncoderTask(start, options, seed, device),
      dataset_(std::move(dataset)),
      pooler_(model_->register_module("pooler", std::make_shared<Pooler>(start.model, seed))),
      classifier_(linear_head("classifier", outputs_of(dataset_->task()))) {
  for (const std::string& split : split_names()) encode(split, start.pieces);
}

void LabelledTrainingTask::encode(const std::string& name, const WordPiece& pieces) {
  const std::vector<LabelledExample>& examples = dataset_->examples(name);
  if (examples.empty())
    throw TrialError("empty-split", fmt::format("the {} split has no examples", name));
  if (name != "train" && dataset_->task().is_score()) require_different_scores(*dataset_, name);
  Split split{EncodedTexts(pieces, options_.max_length)};
  std::vector<uint32_t> lengths;  // tokens of an example's longest sequence
  for (const LabelledExample& example : examples) {
    size_t longest = 0;
    for (const LabelledInput& input : example.inputs)
      longest = std::max(longest, split.texts.add(input.first, input.second));
    split.labels.push_back(example.label.value_or(kNan));
    lengths.push_back(static_cast<uint32_t>(longest));
  }
  add_split(name, std::move(lengths));
  splits_.emplace(name, std::move(split));
}

std::optional<PassShape> LabelledTrainingTask::joinable_batch() const {
  std::optional<PassShape> batch = EncoderTask::joinable_batch();
  if (batch) batch->rows *= dataset_->task().choices;
  return batch;
}

Batch LabelledTrainingTask::make_batch(const std::string& name,
                                       const std::vector<uint32_t>& examples) const {
  const Split& split = splits_.at(name);
  const auto choices = static_cast<uint32_t>(dataset_->task().choices);
  TensorMemory memory(device_.is_cuda());
  std::vector<uint32_t> sequences;
  std::vector<float> labels;
  for (const uint32_t example : examples) {
    for (uint32_t choice = 0; choice < choices; ++choice)
      sequences.push_back(example * choices + choice);
    labels.push_back(static_cast<float>(split.labels[example]));
  }
  Batch batch;
  batch.columns = memory.tensors(encoder_columns(split.texts.sequences(), split.texts.first_parts(),
                                                 split.texts.padding(), sequences,
                                                 memory.allocator(), least_width()));
  batch.columns["labels"] = memory.floats(labels);
  batch.tokens = static_cast<int64_t>(examples.size());
  batch.read = batch.columns.at("keep").sum().item<int64_t>();
  batch.divisor = static_cast<double>(examples.size());
  return batch;
}

at::Tensor LabelledTrainingTask::logits(const Batch& batch, PhiloxKey pass, Recorder* record) {
  const at::Tensor hidden_BTD = hidden_states(batch, pass, record);
  const double dropout = model_->is_training() ? encoder().options().dropout : 0.0;
  const at::Tensor pooled_BD = head_dropout(pooler_->forward(hidden_BTD), dropout, pass);
  const at::Tensor scores_BC = classifier_->forward(pooled_BD);
  const int64_t choices = dataset_->task().choices;
  return choices == 1 ? scores_BC : choice_logits(scores_BC, choices);
}

BatchLoss LabelledTrainingTask::loss(const Batch& batch, PhiloxKey pass) {
  Recorder record = new_record();
  const at::Tensor logits_BC = logits(batch, pass, &record), labels_B = batch.columns.at("labels");
  const at::Tensor sum = dataset_->task().is_score()
                             ? at::mse_loss(logits_BC.squeeze(1), labels_B, at::Reduction::Sum)
                             : cross_entropy(logits_BC, labels_B.to(at::kLong), at::Reduction::Sum);
  return {.sum = sum, .flops = encoder_flops(batch), .record = std::move(record)};
}

SplitResult LabelledTrainingTask::evaluate(const std::string& split, const EvaluationPass& pass) {
  const at::NoGradGuard no_gradient;
  const std::span<const double> labels =
      std::span(splits_.at(split).labels).first(evaluated(split, pass));
  const bool is_score = dataset_->task().is_score();
  at::Tensor logits_NC;
  HostCopies copies(device_);
  for_each_batch(split, pass, [&](const auto& examples, const Batch& batch, PhiloxKey key) {
    const at::Tensor places =
        at::tensor(std::vector<int64_t>(examples.begin(), examples.end()), at::kLong);
    copies.add({logits(batch, key, nullptr)}, [&, places](const std::vector<at::Tensor>& on_host) {
      const at::Tensor found_BC = on_host[0].to(at::kFloat);
      if (!logits_NC.defined())
        logits_NC = at::empty({static_cast<int64_t>(labels.size()), found_BC.size(1)});
      logits_NC.index_copy_(0, places, found_BC);
    });
  });
  copies.finish();
  const at::Tensor predicted =
      (is_score ? logits_NC.squeeze(1) : logits_NC.argmax(1)).to(at::kDouble).contiguous();
  const at::Tensor expected = at::tensor(at::ArrayRef(labels.data(), labels.size()), at::kDouble);
  SplitResult result;
  result.predictions = {{"predicted", predicted}, {"expected", expected}, {"logits", logits_NC}};
  if (std::ranges::any_of(labels, [](double label) { return std::isnan(label); })) return result;
  const std::span<const double> found(predicted.const_data_ptr<double>(), labels.size());
  // With NaNs, the maximum would still name a class.
  const bool is_finite = logits_NC.isfinite().all().item<bool>();
  for (const std::string& name : dataset_->task().metrics) {
    const auto metric = metrics().make(name, Json::object());
    result.values[name] =
        is_finite ? metric->value({.predicted = found, .expected = labels}) : kNan;
  }
  return result;
}

EncoderHeads LabelledTrainingTask::heads() const {
  const LabelledTask& task = dataset_->task();
  return {task.choices == 1 ? "BertForSequenceClassification" : "BertForMultipleChoice",
          task.is_score() ? std::vector<std::string>{"score"} : task.labels};
}

/// Labels with all digits if the published labels score them, as recorded; otherwise in the form of
/// GLUE's server.
std::map<std::string, std::string> LabelledTrainingTask::prediction_texts(
    const std::string& split, const std::map<std::string, at::Tensor>& predictions) const {
  const std::vector<LabelledExample>& examples = dataset_->examples(split);
  const std::span<const double> predicted(predictions.at("predicted").const_data_ptr<double>(),
                                          examples.size());
  const bool is_published = std::ranges::all_of(
      examples, [](const LabelledExample& example) { return example.label.has_value(); });
  const auto text_of = is_published ? prediction_text : submission_text;
  return {{".tsv", text_of(examples, predicted, dataset_->task())}};
}

/// For classes and choices: the logarithm of their number. For a score: its mean square, since an
/// untrained head predicts about 0.
double LabelledTrainingTask::guessing_loss() const {
  const LabelledTask& task = dataset_->task();
  if (!task.is_score()) {
    return std::log(
        static_cast<double>(std::max(task.choices, static_cast<int64_t>(task.labels.size()))));
  }
  const at::Tensor labels = at::tensor(splits_.at("train").labels, at::kDouble);
  return std::max(1e-6, labels.square().mean().item<double>());
}

}  // namespace rethink
