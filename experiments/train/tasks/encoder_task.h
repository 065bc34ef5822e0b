// The common parts of encoder tasks: model, batches, and the exported folder.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "datasets/batching.h"
#include "experiments/train/encoder_input.h"
#include "experiments/train/task.h"
#include "experiments/train/training_job.h"
#include "models/heads.h"

namespace rethink {

class Trainer;

struct EncoderTaskOptions {
  BatchingOptions batching{};
  int64_t max_length = 128;           // tokens of a sequence
  bool pad_to_max_length = false;     // else to the longest of a batch
  std::vector<std::string> splits{};  // evaluated or predicted, beside "train"
};

/// The class of transformers that has the model's heads, and names of its classes.
struct EncoderHeads {
  std::string architecture;
  std::vector<std::string> labels = {};
};

class EncoderTask : public Task {
 public:
  torch::nn::Module& model() override { return *model_; }
  Encoder& encoder() const { return *model_->encoder; }
  /// Examples of a split that are used, and that the data set has without a limit.
  virtual SplitSize size(const std::string& split) const {
    return {examples_of(split), examples_of(split)};
  }
  virtual EncoderHeads heads() const = 0;
  /// Predictions of a split, as evaluate names them, in files that `rethink score` and official
  /// servers read: the text of each by the end of its name, ".tsv".
  virtual std::map<std::string, std::string> prediction_texts(
      const std::string& split, const std::map<std::string, at::Tensor>& predictions) const;

  int64_t num_batches(int64_t epoch) const override;
  std::vector<std::vector<uint32_t>> epoch_batches(int64_t epoch) const override;
  Batch batch(const std::vector<uint32_t>& indices) const override;
  /// Where layers share a mask that they draw or learn, each batch has a pass of its own: one draw.
  std::optional<PassShape> joinable_batch() const override;
  int64_t padded_tokens(const std::vector<uint32_t>& indices) const override;

 protected:
  EncoderTask(const EncoderStart& start, const EncoderTaskOptions& options, uint64_t seed,
              at::Device device);

  /// Adds a head to the model.
  std::shared_ptr<LinearHead> linear_head(const std::string& name, int64_t outputs);
  /// The hidden states of a batch, float [B,T,D]; its columns are those of encoder_columns.
  at::Tensor hidden_states(const Batch& batch, PhiloxKey pass, Recorder* record) const;
  /// Floating-point operations of a training step's passes through the encoder.
  double encoder_flops(const Batch& batch) const;

  /// "train", and the others that the options name, each once.
  std::vector<std::string> split_names() const;
  /// `lengths`: tokens of each example of the split, for batches of like length.
  void add_split(const std::string& name, std::vector<uint32_t> lengths);
  size_t examples_of(const std::string& split) const { return lengths_.at(split).size(); }
  /// On the CPU.
  virtual Batch make_batch(const std::string& split,
                           const std::vector<uint32_t>& examples) const = 0;
  /// Least width of a batch [tokens].
  size_t least_width() const;

  using UseBatch =
      std::function<void(const std::vector<uint32_t>& examples, const Batch& batch, PhiloxKey key)>;
  /// How many examples of the split an evaluation reads.
  size_t evaluated(const std::string& split, const EvaluationPass& pass) const {
    return std::min(examples_of(split), pass.most);
  }
  /// Each of these once, in batches on the model's device.
  void for_each_batch(const std::string& split, const EvaluationPass& pass,
                      const UseBatch& use) const;

  virtual std::vector<std::vector<uint32_t>> batches_of(const std::string& split, bool shuffle,
                                                        int64_t epoch) const;

  const EncoderTaskOptions options_;
  const uint64_t seed_;
  const at::Device device_;
  const std::shared_ptr<EncoderModel> model_;  // to which a task adds its heads
  std::map<std::string, std::vector<uint32_t>> lengths_;
};

/// The folder of an encoder that began as `start`, in Hugging Face's form: model.safetensors,
/// config.json, tokenizer_config.json and vocab.txt, all of kind "weights"; likewise its hash. What
/// its attention shares and shows, a file each: kind "mask" with the fact "sparsity" [%], kind
/// "importance".
void leave_encoder(Trainer& trainer, const EncoderTask& task, const EncoderStart& start,
                   JobContext& context);

}  // namespace rethink
