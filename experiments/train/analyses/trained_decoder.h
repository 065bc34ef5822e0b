// A trial's trained language model or translation model, for analyses of its attention.
#pragma once

#include <ATen/core/Tensor.h>

#include <memory>
#include <string>
#include <vector>

#include "experiments/attempt/job.h"

namespace rethink {

/// A text outside of all splits, read by a decoder.
struct ReadText {
  std::vector<std::string> tokens;  // start symbol first, if the data set's sequences have it
  std::vector<bool> known;          // for each token, whether the vocabulary has it
  /// As TrainedDecoder::maps, for all tokens but the last, which is only predicted.
  std::vector<at::Tensor> maps;
};

class TrainedDecoder {
 public:
  virtual ~TrainedDecoder() = default;
  /// Returns the number of sequences of a split. Throws TrialError if there is no such split.
  virtual size_t size(const std::string& split) const = 0;
  /// Returns the self-attention of every decoder layer for a sequence (of a translation: its
  /// target) without its end.
  ///
  /// returns float [1,H,T,T] each, on the CPU
  ///
  /// Throws TrialError if the attention of a layer has several maps.
  virtual std::vector<at::Tensor> maps(const std::string& split, size_t index) = 0;
  /// Returns the T tokens of these maps and the token that follows each of them.
  virtual std::vector<std::string> tokens(const std::string& split, size_t index) const = 0;
  /// Reads a text. Throws ConfigError if the text has nothing to predict, if it is longer than the
  /// training sequences, and for a translation's decoder, which needs a source.
  virtual ReadText read(const std::string& text) = 0;
};

/// Returns the first map of each layer of a decoder with so many attention calls per layer; the
/// first call is the self-attention. Throws TrialError if a call recorded no map or several, as
/// with heads of different widths, since their layers are then unknown.
///
/// returns float [1,H,T,T] each, on the CPU
std::vector<at::Tensor> maps_of_layers(const std::vector<at::Tensor>& recorded, int64_t layers,
                                       int64_t calls);

/// Returns the model of the trial's input `init`, the weights of a job `lm` or `mt`. Their file
/// contains their options; the data are those of their training. Throws ConfigError if the input is
/// missing, or if the weights are of another job.
std::unique_ptr<TrainedDecoder> load_trained_decoder(const JobContext& context,
                                                     const at::Device& device);

}  // namespace rethink
