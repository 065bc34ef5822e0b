// The common parts of encoder tasks: model, batches, and the exported folder.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "datasets/batching.h"
#include "experiments/train/batches/encoder_input.h"
#include "experiments/train/task.h"
#include "experiments/train/training_job.h"
#include "models/heads.h"

namespace rethink {

class Trainer;

struct EncoderTaskOptions {
  BatchingOptions batching{};
  int64_t max_length = 128;           // tokens of a sequence
  bool pad_to_max_length = false;     // else to the longest sequence of a batch
  std::vector<std::string> splits{};  // splits to evaluate or predict, beside "train"
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
  /// Returns the numbers of used examples of a split, and of its examples without a limit.
  virtual SplitSize size(const std::string& split) const {
    return {examples_of(split), examples_of(split)};
  }
  virtual EncoderHeads heads() const = 0;
  /// Returns a split's predictions, as named in evaluate, as texts of files that `rethink score`
  /// and official servers read, by the ending of the file's name, ".tsv".
  virtual std::map<std::string, std::string> prediction_texts(
      const std::string& split, const std::map<std::string, at::Tensor>& predictions) const;

  int64_t num_batches(int64_t epoch) const override;
  std::vector<std::vector<uint32_t>> epoch_batches(int64_t epoch) const override;
  Batch batch(const std::vector<uint32_t>& indices) const override;
  /// If layers share a mask that they draw or learn, each batch needs its own pass, since a pass has one draw.
  std::optional<PassShape> joinable_batch() const override;
  int64_t padded_tokens(const std::vector<uint32_t>& indices) const override;

 protected:
  EncoderTask(const EncoderStart& start, const EncoderTaskOptions& options, uint64_t seed,
              at::Device device);

  /// Adds a head to the model.
  std::shared_ptr<LinearHead> linear_head(const std::string& name, int64_t outputs);
  /// Returns the hidden states of a batch, float [B,T,D]; its columns are those of encoder_columns.
  at::Tensor hidden_states(const Batch& batch, PhiloxKey pass, Recorder* record) const;
  /// Returns the floating-point operations of a training step's passes through the encoder.
  double encoder_flops(const Batch& batch) const;

  /// Returns "train" and the other splits in the options, each once.
  std::vector<std::string> split_names() const;
  /// `lengths` are the tokens of each example of the split, for batches of similar lengths.
  void add_split(const std::string& name, std::vector<uint32_t> lengths);
  size_t examples_of(const std::string& split) const { return lengths_.at(split).size(); }
  /// Makes a batch on the CPU.
  virtual Batch make_batch(const std::string& split,
                           const std::vector<uint32_t>& examples) const = 0;
  /// Returns the least width of a batch [tokens].
  size_t least_width() const;

  using UseBatch =
      std::function<void(const std::vector<uint32_t>& examples, const Batch& batch, PhiloxKey key)>;
  /// Returns how many examples of the split an evaluation reads.
  size_t evaluated(const std::string& split, const EvaluationPass& pass) const {
    return std::min(examples_of(split), pass.most);
  }
  /// Calls the function for each of these examples once, in batches on the model's device.
  void for_each_batch(const std::string& split, const EvaluationPass& pass,
                      const UseBatch& use) const;

  virtual std::vector<std::vector<uint32_t>> batches_of(const std::string& split, bool shuffle,
                                                        int64_t epoch) const;

  const EncoderTaskOptions options_;
  const uint64_t seed_;
  const at::Device device_;
  const std::shared_ptr<EncoderModel> model_;  // a task adds its heads to it
  std::map<std::string, std::vector<uint32_t>> lengths_;
};

/// Publishes the trained encoder of `start` as a folder in Hugging Face's form: model.safetensors,
/// config.json, tokenizer_config.json and vocab.txt, all of kind "weights"; records its hash. Also
/// publishes the shared artifacts of its attention, one file each: kind "mask" with the fact
/// "sparsity" [%], and kind "importance".
void leave_encoder(Trainer& trainer, const EncoderTask& task, const EncoderStart& start,
                   JobContext& context);

}  // namespace rethink
