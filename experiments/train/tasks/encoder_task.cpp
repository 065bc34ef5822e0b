#include "experiments/train/tasks/encoder_task.h"

#include <ATen/ATen.h>

#include <algorithm>

#include "models/random.h"

namespace rethink {
namespace {

constexpr const char* kTrain = "train";

}  // namespace

EncoderTask::EncoderTask(const EncoderStart& start, const EncoderTaskOptions& options,
                         uint64_t seed, at::Device device)
    : options_(options),
      seed_(seed),
      device_(device),
      model_(std::make_shared<EncoderModel>(start, seed)) {}

std::map<std::string, std::string> EncoderTask::prediction_texts(
    const std::string&, const std::map<std::string, at::Tensor>&) const {
  return {};
}

std::shared_ptr<LinearHead> EncoderTask::linear_head(const std::string& name, int64_t outputs) {
  const int64_t width = encoder().options().d_model;
  return model_->register_module(name, std::make_shared<LinearHead>(name, width, outputs, seed_));
}

at::Tensor EncoderTask::hidden_states(const Batch& batch, PhiloxKey pass, Recorder* record) const {
  return encoder().forward({.input_ids = batch.columns.at("input_ids"),
                            .token_type_ids = batch.columns.at("token_type_ids"),
                            .keep = batch.columns.at("keep")},
                           pass, record);
}

double EncoderTask::encoder_flops(const Batch& batch) const {
  const at::Tensor& input_ids = batch.columns.at("input_ids");
  return 3.0 * encoder().forward_flops(input_ids.size(0), input_ids.size(1));
}

std::vector<std::string> EncoderTask::split_names() const {
  std::vector<std::string> names = {kTrain};
  for (const std::string& name : options_.splits) {
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
  return names;
}

void EncoderTask::add_split(const std::string& name, std::vector<uint32_t> lengths) {
  lengths_[name] = std::move(lengths);
}

std::vector<std::vector<uint32_t>> EncoderTask::batches_of(const std::string& split, bool shuffle,
                                                           int64_t epoch) const {
  BatchingOptions batching = options_.batching;
  batching.shuffle = shuffle;
  return rethink::epoch_batches(lengths_.at(split), batching, seed_, epoch);
}

int64_t EncoderTask::num_batches(int64_t) const {
  return rethink::num_batches(examples_of(kTrain), options_.batching);
}

std::vector<std::vector<uint32_t>> EncoderTask::epoch_batches(int64_t epoch) const {
  return batches_of(kTrain, options_.batching.shuffle, epoch);
}

Batch EncoderTask::batch(const std::vector<uint32_t>& indices) const {
  return make_batch(kTrain, indices);
}

size_t EncoderTask::least_width() const {
  return static_cast<size_t>(options_.pad_to_max_length ? options_.max_length : 0);
}

void EncoderTask::for_each_batch(const std::string& split, const EvaluationPass& pass,
                                 const UseBatch& use) const {
  int64_t number = 0;
  for (const std::vector<uint32_t>& examples : batches_of(split, /*shuffle=*/false, 0)) {
    use(examples, on_device(make_batch(split, examples), device_),
        evaluation_key(pass.seed, pass.step, number++));
    if (pass.alive) pass.alive();
  }
}

}  // namespace rethink
