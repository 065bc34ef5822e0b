// Beam search for the most likely sentence. As in fairseq's SequenceGenerator, the finished
// sentence with the best length-normalized log-probability wins.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

namespace rethink {

struct BeamOptions {
  int64_t beams = 5;
  double length_penalty = 1.0;   // score = log-probability / length^penalty; the end symbol counts
  int64_t start = 1, end = 2;    // ids of the start and end symbols
  std::vector<int64_t> never{};  // ids that no sentence may contain
};

/// A model that extends sentences by one token at a time.
class NextTokens {
 public:
  virtual ~NextTokens() = default;
  virtual at::Device device() const = 0;
  /// Returns log-probabilities of the next tokens. Row n extends row parents[n] of the last call by
  /// tokens[n]. In the first call row n is sentence n.
  ///
  /// parents       i64 [N]      on the device
  /// tokens        i64 [N]      on the device
  /// sources_move  whether row n may belong to another source sentence than row n of the last call
  /// returns       float [N,V]
  virtual at::Tensor next(const at::Tensor& parents, const at::Tensor& tokens,
                          bool sources_move) = 0;
};

struct Hypothesis {
  std::vector<int32_t> tokens;  // without start and end; at least one
  double score = 0.0;
};

/// Returns the best sentence for each source. `max_tokens` has the largest length of each sentence,
/// without the end symbol, at least 1. A sentence is finished when its end symbol is among the best
/// `beams` candidates. A source is done when it has `beams` finished sentences. Requires: 2 beams
/// <= V.
///
/// Beams are chosen on the model's device. The host waits for a GPU only once in several tokens, to
/// learn which sources are done.
std::vector<Hypothesis> beam_search(NextTokens& model, const std::vector<int64_t>& max_tokens,
                                    const BeamOptions& options);

}  // namespace rethink
