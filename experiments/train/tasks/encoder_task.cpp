#include "experiments/train/tasks/encoder_task.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "core/error.h"
#include "core/files/file.h"
#include "core/files/hash.h"
#include "core/json.h"
#include "experiments/attempt/job.h"
#include "experiments/train/loop.h"
#include "models/huggingface/weights.h"
#include "models/tensors/random.h"
#include "models/tensors/tensor_file.h"

namespace rethink {
namespace {

constexpr const char* kTrain = "train";

/// Facts of a mask of bytes: the share of zeros [%]. Facts of P, float [H,n,n]: its means over the
/// groups of SparseBERT's Figure 2, which are the diagonal, the first and last row and column
/// ("ends"), positions one beside the diagonal ("neighbours"), each without the groups before it,
/// and the others.
Json facts_of(const at::Tensor& shared) {
  if (shared.scalar_type() == at::kByte)
    return {{"sparsity", 100.0 * (1.0 - shared.to(at::kDouble).mean().item<double>())}};
  RETHINK_ASSERT(shared.dim() == 3, std::to_string(shared.dim()));
  const at::Tensor place = at::arange(shared.size(2), at::kLong);
  const at::Tensor distance = (place.unsqueeze(1) - place).abs();
  const at::Tensor end = place.eq(0).logical_or(place.eq(shared.size(2) - 1));
  at::Tensor left = at::ones_like(distance, at::kBool);
  const std::pair<const char*, at::Tensor> places[] = {{"diagonal", distance.eq(0)},
                                                       {"ends", end.unsqueeze(1).logical_or(end)},
                                                       {"neighbours", distance.eq(1)},
                                                       {"others", at::ones_like(left)}};
  const at::Tensor mean = shared.to(at::kDouble).mean(0);
  Json facts = Json::object();
  for (const auto& [name, wanted] : places) {
    const at::Tensor chosen = mean.masked_select(wanted.logical_and(left));
    if (chosen.numel() > 0) facts[name] = chosen.mean().item<double>();
    left = left.logical_and(wanted.logical_not());
  }
  return facts;
}

/// Writes the state that the layers' attention shares.
void leave_shared(const Encoder& encoder, JobContext& context) {
  for (const auto& [variant, state] : encoder.shared()) {
    for (const auto& [name, tensor] : state->artifacts()) {
      const std::filesystem::path file = context.artifact_file(name + ".safetensors");
      const at::Tensor values = tensor.detach().to(at::kCPU).contiguous();
      write_tensors(file, {{name, values}}, {});
      context.add_artifact(name, name, file, facts_of(values));
    }
  }
}

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

std::optional<PassShape> EncoderTask::joinable_batch() const {
  if (!encoder().shared().empty()) return std::nullopt;
  const EncoderOptions& model = encoder().options();
  return PassShape{.layers = model.layers,
                   .d_model = model.d_model,
                   .heads = model.heads,
                   .ffn = model.ffn,
                   .rows = options_.batching.batch,
                   .tokens = options_.max_length};
}

int64_t EncoderTask::padded_tokens(const std::vector<uint32_t>& indices) const {
  const std::vector<uint32_t>& lengths = lengths_.at(kTrain);
  size_t widest = least_width();
  for (const uint32_t example : indices) widest = std::max<size_t>(widest, lengths[example]);
  return static_cast<int64_t>(indices.size() * widest);
}

size_t EncoderTask::least_width() const {
  return static_cast<size_t>(options_.pad_to_max_length ? options_.max_length : 0);
}

void EncoderTask::for_each_batch(const std::string& split, const EvaluationPass& pass,
                                 const UseBatch& use) const {
  const size_t count = evaluated(split, pass);
  int64_t number = 0;
  for (std::vector<uint32_t>& examples : batches_of(split, /*shuffle=*/false, 0)) {
    std::erase_if(examples, [&](uint32_t example) { return example >= count; });
    if (examples.empty()) continue;
    use(examples, on_device(make_batch(split, examples), device_),
        evaluation_key(pass.seed, pass.step, number++));
    if (pass.alive) pass.alive();
  }
}

void leave_encoder(Trainer& trainer, const EncoderTask& task, const EncoderStart& start,
                   JobContext& context) {
  const std::filesystem::path& folder = context.artifacts;
  std::filesystem::create_directories(folder);
  const EncoderHeads heads = task.heads();
  save_huggingface(folder,
                   {.options = start.model,
                    .vocabulary = start.vocabulary,
                    .lower_case = !start.pieces.is_cased(),
                    .architecture = heads.architecture,
                    .labels = heads.labels},
                   trainer.kept_weights());
  write_file_atomically(folder / "vocab.txt", start.pieces.to_text());
  context.result["weights_sha256"] = sha256_file(folder / "model.safetensors");
  for (const char* name :
       {"model.safetensors", "config.json", "tokenizer_config.json", "vocab.txt"}) {
    const std::filesystem::path file = folder / name;
    if (context.runtime.keep_weights) {
      context.add_artifact(file.stem(), kWeights, file);
    } else {
      std::filesystem::remove(file);
    }
  }
  trainer.with_kept_weights([&] { leave_shared(task.encoder(), context); });
}

}  // namespace rethink
