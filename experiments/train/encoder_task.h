// What the tasks of fine-tuned encoders have in common, seen from their job.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "experiments/train/task.h"
#include "experiments/train/training_job.h"
#include "experiments/train/trial_files.h"
#include "models/encoder.h"

namespace rethink {

/// The hidden states of a batch, float [B,T,D]; its columns are those of encoder_columns.
at::Tensor hidden_states(Encoder& encoder, const Batch& batch, PhiloxKey pass, Recorder* record);
/// Floating-point operations of a training step's passes through the encoder.
double encoder_flops(const Encoder& encoder, const Batch& batch);

class EncoderTask : public Task {
 public:
  virtual Encoder& encoder() = 0;
  /// Examples of a split that are used, and that the data set has without a limit.
  virtual SplitSize size(const std::string& split) const = 0;
  virtual EncoderHeads heads() const = 0;
  /// Predictions of a split, as evaluate names them, in files that `rethink score` and official
  /// servers read: the text of each by the end of its name, ".tsv".
  virtual std::map<std::string, std::string> prediction_texts(
      const std::string& split, const std::map<std::string, at::Tensor>& predictions) const = 0;
};

}  // namespace rethink
