#include "experiments/train/tasks/tagging_task.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "datasets/labelled/encoded_texts.h"
#include "datasets/scores/entities.h"
#include "experiments/train/device/host_copies.h"
#include "experiments/train/device/tensor_memory.h"
#include "models/tensors/cross_entropy.h"
#include "models/tensors/random.h"

namespace rethink {
namespace {

constexpr int64_t kOutside = 0;  // place of "O" in TaggedDataset::labels

/// For every word, the index of its tag in `labels`.
std::vector<std::vector<int64_t>> labels_of(const TaggedSplit& split,
                                            const std::vector<std::string>& labels) {
  std::vector<std::vector<int64_t>> all;
  for (const TaggedSentence& sentence : split.sentences) {
    std::vector<int64_t>& places = all.emplace_back();
    for (const std::string& tag : iob2_tags(sentence.tags))
      places.push_back(std::ranges::find(labels, tag) - labels.begin());
  }
  return all;
}

at::Tensor joined_tensor(const std::vector<std::vector<int64_t>>& sentences) {
  std::vector<int64_t> all;
  for (const std::vector<int64_t>& sentence : sentences)
    all.insert(all.end(), sentence.begin(), sentence.end());
  return at::tensor(all, at::kLong);
}

}  // namespace

TaggingTask::TaggingTask(std::shared_ptr<TaggedDataset> dataset, const EncoderStart& start,
                         const EncoderTaskOptions& options, uint64_t seed, at::Device device)
    : EncoderTask(start, options, seed, device),
      dataset_(std::move(dataset)),
      classifier_(linear_head("classifier", static_cast<int64_t>(dataset_->labels().size()))) {
  for (const std::string& name : split_names()) {
    const TaggedSplit& split = dataset_->split(name);
    if (split.sentences.empty())
      throw TrialError("empty-split", fmt::format("the {} split has no sentences", name));
    const auto [added, is_new] =
        splits_.emplace(name, Split{TaggedTexts(split, start.pieces, options_.max_length),
                                    labels_of(split, dataset_->labels())});
    add_split(name, lengths_of(added->second.texts.sequences()));
  }
}

Batch TaggingTask::make_batch(const std::string& name,
                              const std::vector<uint32_t>& examples) const {
  const Split& split = splits_.at(name);
  TensorMemory memory(device_.is_cuda());
  Batch batch;
  batch.columns = memory.tensors(encoder_columns(split.texts.sequences(), split.texts.first_parts(),
                                                 split.texts.padding(), examples,
                                                 memory.allocator(), least_width()));
  const int64_t width = batch.columns.at("input_ids").size(1);
  std::vector<int64_t> places, labels;
  for (size_t row = 0; row < examples.size(); ++row) {
    for (const auto& [word, place] : split.texts.words(examples[row])) {
      places.push_back(static_cast<int64_t>(row) * width + place);
      labels.push_back(split.labels[examples[row]][word]);
    }
  }
  batch.columns["word_places"] = memory.integers(places);
  batch.columns["labels"] = memory.integers(labels);
  batch.tokens = static_cast<int64_t>(labels.size());
  batch.read = batch.columns.at("keep").sum().item<int64_t>();
  // Sentences without a word that is read have no loss.
  batch.divisor = std::max(1.0, static_cast<double>(labels.size()));
  return batch;
}

/// Dropout depends on the number of the word in the batch, so that padding changes nothing.
at::Tensor TaggingTask::logits(const Batch& batch, PhiloxKey pass, Recorder* record) {
  const at::Tensor hidden_BTD = hidden_states(batch, pass, record);
  const at::Tensor words_ND = rows_at(hidden_BTD, batch.columns.at("word_places"));
  const double dropout = model_->is_training() ? encoder().options().dropout : 0.0;
  return classifier_->forward(head_dropout(words_ND, dropout, pass));
}

BatchLoss TaggingTask::loss(const Batch& batch, PhiloxKey pass) {
  Recorder record = new_record();
  return {.sum = cross_entropy(logits(batch, pass, &record), batch.columns.at("labels"),
                               at::Reduction::Sum),
          .flops = encoder_flops(batch),
          .record = std::move(record)};
}

SplitResult TaggingTask::evaluate(const std::string& split, const EvaluationPass& pass) {
  const at::NoGradGuard no_gradient;
  const Split& data = splits_.at(split);
  std::vector<std::vector<int64_t>> predicted;
  for (size_t i = 0; i < evaluated(split, pass); ++i)
    predicted.emplace_back(data.labels[i].size(), kOutside);
  double loss = 0.0, words = 0.0;
  HostCopies copies(device_);
  for_each_batch(split, pass, [&](const auto& examples, const Batch& batch, PhiloxKey key) {
    const at::Tensor logits_NC = logits(batch, key, nullptr).to(at::kFloat);
    words += static_cast<double>(batch.tokens);
    copies.add({cross_entropy(logits_NC, batch.columns.at("labels"), at::Reduction::Sum),
                logits_NC.argmax(1)},
               [&, examples](const std::vector<at::Tensor>& on_host) {
                 loss += on_host[0].item<double>();
                 const int64_t* best = on_host[1].const_data_ptr<int64_t>();
                 for (const uint32_t index : examples) {
                   for (const WordPlace& place : data.texts.words(index))
                     predicted[index][place.word] = *best++;
                 }
               });
  });
  copies.finish();
  SplitResult result = result_of(split, predicted);
  result.values["loss"] = loss / words;
  // With NaNs, the maximum would still name a tag.
  if (!std::isfinite(loss)) {
    for (auto& [name, value] : result.values) value = std::numeric_limits<double>::quiet_NaN();
  }
  return result;
}

SplitResult TaggingTask::result_of(const std::string& split,
                                   const std::vector<std::vector<int64_t>>& predicted) const {
  const std::vector<TaggedSentence>& sentences = dataset_->split(split).sentences;
  const std::vector<std::vector<int64_t>>& labels = splits_.at(split).labels;
  EntityScore score;
  double right = 0.0, words = 0.0;
  for (size_t i = 0; i < predicted.size(); ++i) {
    std::vector<std::string> tags;
    for (const int64_t label : predicted[i])
      tags.push_back(dataset_->labels()[static_cast<size_t>(label)]);
    score.add(tags, sentences[i].tags);
    const std::vector<int64_t>& expected = labels[i];
    for (size_t word = 0; word < expected.size(); ++word)
      right += predicted[i][word] == expected[word] ? 1 : 0;
    words += static_cast<double>(expected.size());
  }
  SplitResult result;
  result.values = {{"f1", score.counts().at("").f1() / 100.0}, {"accuracy", right / words}};
  result.predictions = {
      {"predicted", joined_tensor(predicted)},
      {"expected",
       joined_tensor({labels.begin(), labels.begin() + static_cast<ptrdiff_t>(predicted.size())})}};
  return result;
}

std::map<std::string, std::string> TaggingTask::prediction_texts(
    const std::string& split, const std::map<std::string, at::Tensor>& predictions) const {
  const int64_t* label = predictions.at("predicted").const_data_ptr<int64_t>();
  const std::vector<TaggedSentence>& sentences = dataset_->split(split).sentences;
  const bool has_spaces = std::ranges::any_of(sentences, [](const TaggedSentence& sentence) {
    return std::ranges::any_of(sentence.words, [](const std::string& word) {
      return word.find_first_of(" \v\f\r") != std::string::npos;
    });
  });
  const char separator = has_spaces ? '\t' : ' ';  // a word in a file with tabs may contain a space
  std::string text;
  for (const TaggedSentence& sentence : sentences) {
    for (const std::string& word : sentence.words)
      text += word + separator + dataset_->labels()[static_cast<size_t>(*label++)] + "\n";
    text += "\n";
  }
  return {{".conll", text}};
}

double TaggingTask::guessing_loss() const {
  return std::log(static_cast<double>(dataset_->labels().size()));
}

}  // namespace rethink
