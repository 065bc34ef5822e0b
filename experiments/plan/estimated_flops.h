// Estimates the cost of training that was never measured: FLOPs from the configuration.
#pragma once

#include <optional>

#include "core/config/schema.h"
#include "core/json.h"
#include "experiments/plan/training_text.h"

namespace rethink {

/// Returns the floating-point operations of the matrix products of a trial's layers, forward and
/// backward: 6 per weight and token, and 12 per pair of tokens, channel and layer. Every sequence
/// has the largest length, except where epochs of a text are counted in its files (`texts`).
/// Embeddings, outputs, padding, evaluation and special operations of an attention variant do not
/// count. Returns nothing if the configuration does not say how much is trained: a job without a
/// model, sequences of any length (model_shape.h), or epochs of a data set of unknown size.
std::optional<double> estimated_flops(const Json& config, const PluginSchema& job,
                                      const Schema& schema, TrainingTexts& texts);

/// Returns the floating-point operations of a trial's evaluations, counted as in estimated_flops. Each evaluation is a
/// forward pass over its splits (`evaluate`); per token, a forward pass costs a third of training. If the best weights
/// are kept, the final evaluation on `test` counts twice. Returns nothing if the size of a split or the number of
/// evaluations is unknown.
std::optional<double> estimated_evaluation_flops(const Json& config, const PluginSchema& job,
                                                 const Schema& schema, TrainingTexts& texts);

}  // namespace rethink
