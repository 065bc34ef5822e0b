// What the decoders of both kinds may be given, and what they hold between passes.
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "models/layers.h"

namespace rethink {

/// What the layers hold of sentences that are read token by token, or of a stream that is read
/// segment by segment.
struct DecodingState {
  std::vector<LayerState> layers;
  int64_t tokens = 0;  // of each sentence so far; positions count from here
};

/// What a pass may be given beside its tokens.
struct DecoderExtras {
  Recorder* record = nullptr;
  DecodingState* state = nullptr;
  const SideInputs* side = nullptr;
  at::Tensor keep = {};  // bool [B,T], false = padding; for attention that minds it (variants.h)
};

}  // namespace rethink
