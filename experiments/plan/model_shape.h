// The size of the model that a trial trains, and of its batches, read from the trial's options.
#pragma once

#include <cstdint>
#include <optional>

#include "core/json_fwd.h"

namespace rethink {

struct ModelShape {
  int64_t layers = 0;        // of encoder and decoder together
  int64_t cross_layers = 0;  // layers that also attend to the encoder
  int64_t d_model = 0, heads = 0, ffn = 0;
  int64_t rows = 0;        // sequences of a batch; for translation, pairs
  int64_t tokens = 0;      // of the longest sequence
  int64_t predicted = 0;   // tokens of a batch whose logits are computed; 0: no vocabulary
  int64_t vocabulary = 0;  // as requested; 0 if the data decide
};

/// Returns the shape of a configuration's model. Only this function reads these options, since jobs
/// have different names for the length of a sequence and the size of a batch. Returns nothing if
/// the options leave layers, widths, heads, rows or tokens open, as for text whose lines are not
/// cut, or for a job without a model.
std::optional<ModelShape> model_shape(const Json& config);

/// Returns the number of weights in the matrices of all layers: query, key, value and output of
/// each attention, and both matrices of the feed-forward layer.
double weights_of_layers(const ModelShape& shape);

/// Returns weights_of_layers and the embeddings of the vocabulary, if the options give its size.
double weights_of_model(const ModelShape& shape);

}  // namespace rethink
