// A language model or a translation model as a trial left it, for analyses of its attention.
#pragma once

#include <ATen/core/Tensor.h>

#include <memory>
#include <string>
#include <vector>

#include "experiments/attempt/job.h"

namespace rethink {

/// A text that no split has, read by a decoder.
struct ReadText {
  std::vector<std::string> tokens;  // start symbol first, where the data set's sequences have it
  std::vector<bool> known;          // of each, whether the vocabulary has it
  /// As TrainedDecoder::maps: of all tokens but the last, which is only predicted.
  std::vector<at::Tensor> maps;
};

class TrainedDecoder {
 public:
  virtual ~TrainedDecoder() = default;
  /// Sequences of a split. Throws TrialError when there is no such split.
  virtual size_t size(const std::string& split) const = 0;
  /// The self-attention of every decoder layer while it reads a sequence (of a translation: its
  /// target), without its end; heads of another width are layers' of their own.
  ///
  /// returns float [1,H,T,T] each, on the CPU
  virtual std::vector<at::Tensor> maps(const std::string& split, size_t index) = 0;
  /// The T tokens that stand behind these maps, and the one that each is followed by.
  virtual std::vector<std::string> tokens(const std::string& split, size_t index) const = 0;
  /// Throws ConfigError when there is nothing to predict in the text, when it is longer than those
  /// that were learned from, and of a translation's decoder, which reads nothing without a source.
  virtual ReadText read(const std::string& text) = 0;
};

/// Of the trial's input `init`, the weights of a job `lm` or `mt`, whose options stand in their
/// file, on the data that it learned from. Throws ConfigError when there is no such input, or when
/// the weights are of another job.
std::unique_ptr<TrainedDecoder> load_trained_decoder(const JobContext& context,
                                                     const at::Device& device);

}  // namespace rethink
