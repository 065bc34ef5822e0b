// Beam search for the likeliest sentence (fairseq's SequenceGenerator: of finished sentences the one
// of the best mean log-probability counts).
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

namespace rethink {

struct BeamOptions {
  int64_t beams = 5;
  double length_penalty = 1.0;   // scores are log-probabilities over (length, end counted)^penalty
  int64_t start = 1, end = 2;    // ids
  std::vector<int64_t> never{};  // ids that no sentence has
};

/// A model that goes on with sentences, a token at a time.
class NextTokens {
 public:
  virtual ~NextTokens() = default;
  virtual at::Device device() const = 0;
  /// Row n goes on from row parents[n] of the last call by tokens[n]; in the first call row n is sentence n.
  ///
  /// parents       i64 [N]      on the device
  /// tokens        i64 [N]      on the device
  /// sources_move  whether some row may be of another sentence than the row of its number in the last
  ///               call
  /// returns       float [N,V]  log-probabilities of what comes next
  virtual at::Tensor next(const at::Tensor& parents, const at::Tensor& tokens,
                          bool sources_move) = 0;
};

struct Hypothesis {
  std::vector<int32_t> tokens;  // without start and end; at least one
  double score = 0.0;
};

/// The best sentence for each source. `max_tokens` of each: the longest one, end not counted, at
/// least 1. A sentence is finished when its end is among the best `beams` candidates; a source is
/// done when it has `beams` of them. Requires: 2 beams <= V.
///
/// Beams are chosen on the model's device. A GPU is waited for once in several tokens, to learn which
/// sources are done.
std::vector<Hypothesis> beam_search(NextTokens& model, const std::vector<int64_t>& max_tokens,
                                    const BeamOptions& options);

}  // namespace rethink
