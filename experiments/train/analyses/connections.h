// Which tokens are connected by the attention of a layer (A3 slides, "NER Visualization"), and what
// the connections are between. The slides count 'CROSS' and "other connections" and define neither;
// docs/fidelity.md ("Triplet attention") says what is decided here.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <map>
#include <vector>

#include "models/attention/attention.h"

namespace rethink {

/// What a token and another one that it attends to are to each other.
enum class Connection : uint8_t {
  none = 0,   // not connected
  other = 1,  // at most one of the two is of an entity
  self = 2,   // of one entity, perhaps of two of its mentions
  cross = 3,  // of two entities
};

struct ConnectionOptions {
  double threshold = 1.0;  // connected is what has more than this many times 1/n of n tokens
  bool diagonal = false;   // a token may be connected with itself
};

/// The maps of each layer, one mean over its heads. A head counts as the channels that it has: those
/// of H heads of E channels 1/H each, and heads of three channels together as the heads that they
/// stand for.
///
/// record   of one sequence: maps float [1,H,T,T] with values [1,H,T,E]
/// width    channels of a layer, D
/// returns  f32 [L,T,T]  on the CPU; rows sum to 1
///
/// Throws TrialError when the maps do not make up `layers` layers of that width: a variant that has
/// no map, or whose map stands for something else.
at::Tensor head_means(const Recorder& record, int64_t layers, int64_t width);

/// weights   f32 [L,T,T] or [T,T]
/// entities  of each token, as MarkedTokens has them; special tokens are never connected, but are
///           among the n that the threshold is of: attention goes to them, too
/// returns   u8, as many  of Connection
at::Tensor connections(const at::Tensor& weights, const std::vector<int64_t>& entities,
                       const ConnectionOptions& options);

/// How many there are of each kind in a layer, u8 [T,T].
std::map<Connection, int64_t> count_connections(const at::Tensor& layer);

}  // namespace rethink
