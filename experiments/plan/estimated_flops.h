// Estimates the cost of training that was never measured: FLOPs from the configuration.
#pragma once

#include <optional>

#include "core/config/schema.h"
#include "core/json.h"

namespace rethink {

/// FLOPs of the matrix products of a trial's layers, forward and backward, with every sequence as long as it may be: 6 a
/// weight and token, 12 a pair of tokens, channel and layer. Embeddings, outputs, evaluation and what is special about an
/// attention variant are not in it. Nothing where the configuration does not say how much is trained: a job without
/// a model, sequences of any length (model_shape.h), epochs of a data set whose examples nobody has counted.
std::optional<double> estimated_flops(const Json& config, const PluginSchema& job,
                                      const Schema& schema);

}  // namespace rethink
