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
  /// target), without its end.
  ///
  /// returns float [1,H,T,T] each, on the CPU
  ///
  /// Throws TrialError where the attention of a layer leaves several maps.
  virtual std::vector<at::Tensor> maps(const std::string& split, size_t index) = 0;
  /// The T tokens that stand behind these maps, and the one that each is followed by.
  virtual std::vector<std::string> tokens(const std::string& split, size_t index) const = 0;
  /// Throws ConfigError when there is nothing to predict in the text, when it is longer than those
  /// that were learned from, and of a translation's decoder, which reads nothing without a source.
  virtual ReadText read(const std::string& text) = 0;
};

/// The first map of each layer of a decoder that makes so many calls of attention in each, the first
/// one of its own tokens. Throws TrialError where a call left none or several, as heads of unlike
/// widths do: which layers they are of cannot be told then.
///
/// returns float [1,H,T,T] each, on the CPU
std::vector<at::Tensor> maps_of_layers(const std::vector<at::Tensor>& recorded, int64_t layers,
                                       int64_t calls);

/// Of the trial's input `init`, the weights of a job `lm` or `mt`, whose options stand in their
/// file, on the data that it learned from. Throws ConfigError when there is no such input, or when
/// the weights are of another job.
std::unique_ptr<TrainedDecoder> load_trained_decoder(const JobContext& context,
                                                     const at::Device& device);

}  // namespace rethink
