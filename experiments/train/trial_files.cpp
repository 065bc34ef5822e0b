#include "experiments/train/trial_files.h"

#include <ATen/ATen.h>

#include "core/file.h"
#include "core/hash.h"
#include "datasets/wordpiece/wordpiece.h"
#include "experiments/train/metric.h"
#include "models/huggingface.h"
#include "models/tensor_file.h"

namespace rethink {
namespace {

constexpr const char* kWeights = "weights";

/// Of what a mask of bytes holds: which share of it is 0 [%].
Json facts_of(const at::Tensor& shared) {
  if (shared.scalar_type() != at::kByte) return Json::object();
  return {{"sparsity", 100.0 * (1.0 - shared.to(at::kDouble).mean().item<double>())}};
}

}  // namespace

Json metric_directions(const std::vector<std::string>& names, const std::string& score) {
  Json all = Json::object();
  for (const std::string& name : names) all[name] = smaller_is_better(name) ? "min" : "max";
  all["score"] = all.at(score);
  return all;
}

void leave_predictions(const std::map<std::string, at::Tensor>& predictions, JobContext& context) {
  const std::filesystem::path file = context.artifacts / "predictions.safetensors";
  write_tensors(file, predictions, {});
  context.add_artifact("predictions", "predictions", file);
}

void leave_weights(const std::map<std::string, at::Tensor>& weights, JobContext& context) {
  const std::filesystem::path file = context.artifacts / "weights.safetensors";
  write_tensors(file, weights,
                {{"format", "pt"}, {"config", canonical_json(identity_config(context.trial))}});
  context.result["weights_sha256"] = sha256_file(file);
  if (context.runtime.keep_weights) {
    context.add_artifact(kWeights, kWeights, file);
  } else {
    std::filesystem::remove(file);
  }
}

void leave_encoder(const std::map<std::string, at::Tensor>& weights, const EncoderFolder& facts,
                   const WordPiece& pieces, JobContext& context) {
  const std::filesystem::path& folder = context.artifacts;
  save_huggingface(folder, facts, weights);
  write_file_atomically(folder / "vocab.txt", pieces.to_text());
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
}

void leave_shared(const Encoder& encoder, JobContext& context) {
  for (const auto& [variant, state] : encoder.shared()) {
    for (const auto& [name, tensor] : state->artifacts()) {
      const std::filesystem::path file = context.artifacts / (name + ".safetensors");
      const at::Tensor values = tensor.detach().to(at::kCPU).contiguous();
      write_tensors(file, {{name, values}}, {});
      context.add_artifact(name, name, file, facts_of(values));
    }
  }
}

}  // namespace rethink
