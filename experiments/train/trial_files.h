// What a training trial leaves beside its metrics.
#pragma once

#include <ATen/core/Tensor.h>

#include <map>
#include <string>
#include <vector>

#include "core/json_fwd.h"
#include "experiments/attempt/job.h"
#include "experiments/train/encoder_input.h"
#include "models/encoder.h"

namespace rethink {

/// Which way each metric of `names` is better, and the score, which is the metric `score`:
/// {"perplexity": "min"}.
Json metric_directions(const std::vector<std::string>& names, const std::string& score);

/// Those of `predictions` whose names begin with "SPLIT/", without it.
std::map<std::string, at::Tensor> predictions_of(
    const std::string& split, const std::map<std::string, at::Tensor>& predictions);

/// predictions.safetensors.
void leave_predictions(const std::map<std::string, at::Tensor>& predictions, JobContext& context);

/// A file of predictions as `rethink score` and official servers read it: kind "prediction_file",
/// with the fact "split".
void leave_prediction_file(const std::string& name, const std::string& text,
                           const std::string& split, JobContext& context);

/// weights.safetensors, under our names, with the configuration; its hash is in the result even
/// where the file is not kept: equal runs have equal hashes.
void leave_weights(const std::map<std::string, at::Tensor>& weights, JobContext& context);

/// The class of transformers that has the model's heads, and names of its classes.
struct EncoderHeads {
  std::string architecture;
  std::vector<std::string> labels = {};
};

/// The folder of an encoder that began as `start`, in Hugging Face's form: model.safetensors,
/// config.json, tokenizer_config.json and vocab.txt, all of kind "weights"; likewise its hash.
void leave_encoder(const std::map<std::string, at::Tensor>& weights, const EncoderStart& start,
                   const EncoderHeads& heads, JobContext& context);

/// What the encoder's attention shares and shows, a file each: kind "mask" with the fact
/// "sparsity" [%], kind "importance".
void leave_shared(const Encoder& encoder, JobContext& context);

}  // namespace rethink
